# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Dictionary forms of every word of the lexicon, for the training corpus: lexicon.json. Needs lemminflect."""

import json
import sys
from pathlib import Path

from lemminflect import getInflection

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import variant  # noqa: E402


def main() -> None:
    table = {}
    for pos, words in variant.LEXICON.items():
        assert len(set(words)) == len(words), pos
        table[pos] = []
        for word in words:
            forms = {tag: getInflection(word, tag=tag, inflect_oov=False) for tag, _ in variant.TAGS[pos]}
            table[pos].append({"lemma": word, "forms": {tag: found[0] for tag, found in forms.items() if found}})
    rows = ",\n".join(f'"{pos}": [\n' + ",\n".join(json.dumps(row) for row in part) + "\n]" for pos, part in table.items())
    (HERE / "lexicon.json").write_text("{\n" + rows + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
