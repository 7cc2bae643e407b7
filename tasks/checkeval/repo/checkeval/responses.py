# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Reading the judge's free-text outputs.

The judge was asked for one line per question, "Q3: Yes". It mostly complies. Lines are also read in the forms "Q3. yes",
"**Q3**: No", "3) Yes" and with a reason after the verdict. Anything else is no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LINE = re.compile(r"^\s*\**\s*(?:Q(?:uestion)?\s*)?(\d{1,3})\s*\**\s*[:.)]\s*\**\s*(.*)$", re.IGNORECASE)
VERDICT = re.compile(r"^(yes|no)\b(?!\s*(?:and|or|/)\s*(?:yes|no)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Response:
    document: str
    system: str
    output: str


def read_responses(data_dir: Path, dimension: str) -> Iterator[Response]:
    with (data_dir / "responses" / f"{dimension}.jsonl").open() as lines:
        for line in lines:
            if line.strip():
                yield Response(**json.loads(line))


def parse_output(output: str) -> dict[int, str]:
    """Question number to "yes" or "no". A question that got both verdicts is left out, as is one that got none."""
    verdicts: dict[int, set[str]] = {}
    for line in output.splitlines():
        match = LINE.match(line)
        if match is None:
            continue
        verdict = VERDICT.match(match.group(2))
        if verdict is not None:
            verdicts.setdefault(int(match.group(1)), set()).add(verdict.group(1).lower())
    return {number: next(iter(found)) for number, found in verdicts.items() if len(found) == 1}
