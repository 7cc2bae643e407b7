"""Clauses: what a task's texts demand, and the near miss that proves that the judge holds each.

They stand in the vault's notes, below the heading `Clauses`, as a table `id | clause | held by | near misses`. A clause is quoted
from the instructions or a paper's digest; what cannot be held is a request, and the table says so.
"""

import re
from dataclasses import dataclass

COLUMNS = ["id", "clause", "held by", "near misses"]
REQUEST = "request"


@dataclass(frozen=True)
class Clause:
    """One sentence that demands something."""

    id: str
    quote: str
    held_by: str
    """A metric, guard or table of the task, in words; `request` where nothing holds it."""
    near_misses: tuple[str, ...]
    """Patches that break this clause."""

    @property
    def judged(self) -> bool:
        return not self.held_by.lower().startswith(REQUEST)


def read_clauses(notes: str) -> tuple[Clause, ...]:
    """The clauses in a vault's notes, in their order; none where there is no such table."""
    _, _, below = re.sub(r"<!--.*?-->", "", notes, flags=re.DOTALL).partition("\n## Clauses")
    section = re.split(r"\n#+ ", below, maxsplit=1)[0]
    rows = [_cells(line) for line in section.splitlines() if line.strip().startswith("|")]
    if not rows or [cell.lower() for cell in rows[0]] != COLUMNS:
        return ()
    whole = [row for row in rows[1:] if len(row) == len(COLUMNS) and set("".join(row)) - set("-: ")]
    return tuple(Clause(row[0], row[1], row[2], tuple(re.findall(r"[\w.+-]+", row[3]))) for row in whole)


def stands_in(quote: str, text: str) -> bool:
    """Whether a text says this, however either is broken into lines or set off by quotation marks; `...` leaves out words."""
    plain = _plain(text)
    at = 0
    for part in filter(None, map(_plain, re.split(r"\.\.\.|…|\[...\]", quote))):
        found = plain.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at > 0


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.replace("\\|", "|").strip() for cell in cells]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*_\"“”\\]", "", text).split()).strip(" .;:,").casefold()
