# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Print one raw judge output next to what the parser makes of it.

    python scripts/show_response.py coherence dm-0123ab S07
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from checkeval.checklist import load_checklist
from checkeval.responses import parse_output, read_responses


def main(dimension: str, document: str, system: str) -> None:
    data_dir = Path("data")
    for response in read_responses(data_dir, dimension):
        if (response.document, response.system) == (document, system):
            break
    else:
        sys.exit(f"no output for {document} {system}")
    print(response.output)
    print("-" * 40)
    verdicts = parse_output(response.output)
    for question in load_checklist(data_dir, dimension).questions:
        mark = "" if question.kept else "(dropped) "
        print(f"Q{question.number:<3d} {verdicts.get(question.number, '?'):4s} {mark}{question.text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
