"""Guards: commands of the codebase that must still work after the patch, compared with another tree's run on the same data."""

from pathlib import Path

from rexbench.evaluation.reading import BrokenContract, read_table
from rexbench.evaluation.tables import agrees, compare_table
from rexbench.record.model import Execution, GuardRun
from rexbench.task.schema import Guard, TaskSpec

FOLDER = "guards"
"""Below an execution's record: guards/NAME/ holds what a guard's command wrote."""


def broken_guards(spec: TaskSpec, execution: Execution, folder: Path, references: dict[str, tuple[Execution, Path]]) -> list[str]:
    """One sentence for each guard that no longer holds; `references` are the runs of base and gold with their record's folders."""
    runs = {run.name: run for run in execution.guards}
    found = []
    for guard in spec.guards:
        other, other_folder = references[guard.against]
        wanted = next(run for run in other.guards if run.name == guard.name)
        complaint = _complaint(
            guard, runs.get(guard.name), folder / FOLDER / guard.name, wanted, other_folder / FOLDER / guard.name
        )
        if complaint:
            found.append(f"{guard.name}: {complaint}")
    return found


def _complaint(guard: Guard, run: GuardRun | None, folder: Path, wanted: GuardRun, other: Path) -> str:
    if run is None:
        return "it was not run"
    if run.ending != "ran":
        return f"`{guard.command}` no longer works ({run.detail or run.ending})"
    tables = {table.path: table for table in guard.tables}
    written = {file.path: file.sha256 for file in run.artefacts}
    for file in wanted.artefacts:
        if file.path not in written:
            return f"{file.path} is no longer written"
        if file.path in tables:
            try:
                verdict = compare_table(tables[file.path], folder, other)
            except BrokenContract as error:
                return str(error)
            if not agrees(verdict, tables[file.path].least):
                return f"{file.path}: {verdict.differences[0]}"
        elif written[file.path] != file.sha256:
            return f"{file.path} is not what {'the unpatched code' if guard.against == 'base' else 'gold'} writes"
    return ""


def mute_guards(execution: Execution, folder: Path) -> list[str]:
    """One sentence for each file that a guard compares with and that could not tell a patch's mistake, in a run of base or gold."""
    return [
        f"guard {run.name}: {file.path} {complaint}"
        for run in execution.guards
        for file in run.artefacts
        if (complaint := _says_nothing(folder / FOLDER / run.name / file.path))
    ]


def _says_nothing(path: Path) -> str:
    """Empty files agree with any other empty one, and NaN is written as NaN whatever it was computed from."""
    if not path.read_bytes().strip():
        return "is empty"
    if path.suffix not in (".csv", ".tsv"):
        return ""
    try:
        rows = read_table(path, (), delimiter="\t" if path.suffix == ".tsv" else ",")
    except BrokenContract:
        return ""  # no table, whatever it is called: compared byte by byte
    if not rows:
        return "has no rows"
    mute = [name for name in rows[0] if all(row[name].strip().lower() == "nan" for row in rows)]
    return f"has no number in {', '.join(mute)}" if mute else ""
