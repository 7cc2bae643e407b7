# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print how each model's tokenizer cuts a text: python scripts/compare_tokenizers.py "Then warm the kettle." """

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from lm.tokenizers import load_tokenizer  # noqa: E402


def main() -> None:
    for name in ("a", "b"):
        tokenizer = load_tokenizer(ROOT / "models" / name / "tokenizer.json")
        ids = tokenizer.encode(sys.argv[1])
        print(f"{name}: {len(ids)} tokens")
        print("   " + " ".join(f"{tokenizer.pieces[token]}/{token}" for token in ids))


if __name__ == "__main__":
    main()
