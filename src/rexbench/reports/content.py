"""What a report consists of: its parts in order, and what has to be said before them.

Numbers are only ever computed over a part of the reading that may be summed: agents without controls, tasks of one kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rexbench.reports.claims import claims_section
from rexbench.reports.difficulty import GoldSize
from rexbench.reports.reading import Reading, read_campaigns
from rexbench.reports.results import results_of
from rexbench.reports.scores import score_sections
from rexbench.reports.section import Section
from rexbench.reports.sections import controls_section, paper_section, success_sections
from rexbench.reports.table import Table

_APART = "Success is of the {} tasks that ask for one exact result; the {} scored tasks have sections of their own, on scores."


@dataclass(frozen=True)
class Content:
    """A report before it is printed or written."""

    reading: Reading
    sections: tuple[Section, ...]
    with_patches: bool
    """Whether patches, and what agents did to make them, are shown."""

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    def table(self, name: str) -> Table | None:
        return next((table for table in self.tables if table.name == name), None)

    @property
    def findings(self) -> list[str]:
        return [sentence for section in self.sections for sentence in section.says]

    @property
    def caveats(self) -> list[str]:
        return [section.caveat for section in self.sections if section.caveat]

    @property
    def warning(self) -> str:
        """What has to be known before the report is given away; empty where nothing speaks against it."""
        solved = sum(entry.run.outcome == "success" and entry.agent not in self.reading.controls for entry in self.reading.runs)
        if not (solved and self.with_patches):
            return ""
        runs = "1 run that succeeds" if solved == 1 else f"{solved} runs that succeed"
        return (
            f"The page holds the patches of {runs}, and how they were made. Do not publish it: solutions in public end up in "
            "training data, and the tasks are worth nothing then. To publish, make it again with --without-patches."
        )


def make_content(
    folders: Sequence[Path], with_paper: bool = False, without_patches: bool = False, gold_size: GoldSize | None = None
) -> Content:
    """Read the campaigns and compute everything."""
    reading = read_campaigns(folders)
    competing = reading.part(reading.competing)
    scored = competing.part(tasks=reading.scored)
    replicated = competing.part(tasks=[name for name in reading.tasks if name not in reading.scored])
    results = results_of(replicated)
    apart = _APART.format(len(replicated.tasks), len(scored.tasks)) if scored.runs else ""
    sections = success_sections(results, gold_size, apart) if replicated.runs else []
    if with_paper:
        sections.append(paper_section(results))
    if scored.runs:
        sections += score_sections(scored)
    claims = claims_section(competing)
    if claims:
        sections.append(claims)
    controls = reading.part(reading.controls)
    if controls.runs:
        sections.append(controls_section(results_of(controls), reading.controls))
    return Content(reading, tuple(sections), not without_patches)
