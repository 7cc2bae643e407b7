# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How long are the questions, in tokens? Used once to choose the batch size.

Run it with `python -m scratch.lengths`.
"""

from collections import Counter
from pathlib import Path

from lectern.lm.tokenizer import Tokenizer
from lectern.tasks import load_tasks


def main() -> None:
    tokenizer = Tokenizer.load(Path("model/vocabulary.json"))
    for task in load_tasks("stories"):
        lengths = Counter(len(tokenizer.encode(task.text(doc))) // 5 * 5 for doc in task.docs())
        print(task.task, dict(sorted(lengths.items())))


if __name__ == "__main__":
    main()
