"""What a report consists of: its tables in order, and what has to be said beside them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rexbench.report.comparisons import comparisons_table, hints_table
from rexbench.report.difficulty import difficulty_table
from rexbench.report.drawing import Numbers
from rexbench.report.paper import CAVEAT, beside_paper_table, paper_findings, paper_pairs_table
from rexbench.report.reading import Reading, read_campaigns
from rexbench.report.results import Results, results_of
from rexbench.report.table import Table, find_table
from rexbench.report.tables import (
    by_task_table,
    failures_table,
    faults_table,
    flaky_table,
    frontier_table,
    headline_table,
    measures_table,
)


@dataclass(frozen=True)
class Content:
    """A report before it is printed or written."""

    reading: Reading
    results: Results
    tables: tuple[Table, ...]
    findings: tuple[str, ...]
    """Sentences on the published results; empty without them."""
    caveat: str
    """How the published numbers may be read; empty without them."""

    def table(self, name: str) -> Table | None:
        return find_table(self.tables, name)


def make_content(folders: Sequence[Path], with_paper: bool, draw: Callable[[Numbers], None] | None = None) -> Content:
    """Read the campaigns and compute everything; what figures are drawn from is given to `draw` as soon as it is there."""
    reading = read_campaigns(folders)
    results = results_of(reading)
    headline, by_task = headline_table(results), by_task_table(results)
    frontier, failures = frontier_table(results), failures_table(results)
    if draw:
        draw(Numbers(results.agents, results.hints, (headline, by_task, frontier, failures)))
    tables = [headline, measures_table(results), by_task]
    if len(results.hints) > 1:
        tables.append(hints_table(results))
    if len(results.agents) > 1:
        tables.append(comparisons_table(results))
    tables += [frontier, failures, flaky_table(results), faults_table(results)]
    difficulty = difficulty_table(results)
    if difficulty:
        tables.append(difficulty)
    findings: list[str] = []
    if with_paper:
        pairs = paper_pairs_table()
        tables += [beside_paper_table(results), pairs]
        findings = paper_findings(pairs)
    return Content(reading, results, tuple(tables), tuple(findings), CAVEAT if with_paper else "")
