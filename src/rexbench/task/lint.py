"""What can be said of a task folder without running an experiment. An error makes the task unfit; advice does not."""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

from rexbench.digest import digest_tree
from rexbench.errors import BrokenTask
from rexbench.laboratory.client import client_source
from rexbench.places import Home
from rexbench.task.canary import CANARY, CANARY_FILE
from rexbench.task.clauses import COLUMNS, read_clauses, stands_in
from rexbench.task.folder import Task
from rexbench.task.likeness import alike
from rexbench.task.variants import PUBLIC_SEED, write_variant
from rexbench.task.vault import Vault, unseal

COMMENTED = {".py", ".sh", ".md", ".toml", ".yaml", ".yml", ".cfg", ".ini", ".txt", ".tex", ".bib"}
"""Files that can carry the canary themselves; others are covered by a CANARY.txt in their folder."""
MAX_FILE = 8 * 2**20
MAX_REPO = 24 * 2**20
HOST_MODULES = {"numpy", "rexbench", "__future__"}
OPENERS = {
    "open",
    "load",
    "loads",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "memmap",
    "read_text",
    "read_bytes",
    "read_csv",
    "read_json",
    "read_pickle",
    "unsafe_load",
    "eval",
    "exec",
}
_OURS = "rexbench.evaluation.reading"
LEAST_GAP = 8.0
"""Between base and gold, in standard deviations of gold's figure: less could not tell agents apart."""


@dataclass(frozen=True)
class Finding:
    """A defect of a task folder."""

    level: Literal["error", "advice"]
    where: str
    what: str


def lint(task: Task, home: Home) -> list[Finding]:
    """All findings, errors first."""
    found: list[Finding] = []
    for rule in (_parts, _texts, _canaries, _sizes, _limits, _scored, _vault, _host_code):
        found += rule(task)
    found += _data(task, home)
    return sorted(found, key=lambda finding: (finding.level != "error", finding.where))


def _error(where: str, what: str) -> Finding:
    return Finding("error", where, what)


def _advice(where: str, what: str) -> Finding:
    return Finding("advice", where, what)


def _parts(task: Task) -> Iterator[Finding]:
    wanted = ["instructions.md", "hints.md", "detailed_hints.md", "variant.py", "judge.py", "authoring/fidelity.md"]
    wanted += ["repo/README.md", f"repo/papers/{task.spec.paper.key}.md"]
    for name in wanted:
        if not (task.folder / name).is_file():
            yield _error(name, "is missing")
    for path in task.repo.rglob("*"):
        if path.is_symlink():
            yield _error(_name(task, path), "is a link; a codebase holds plain files")


def _texts(task: Task) -> Iterator[Finding]:
    spec = task.spec
    instructions = _text(task, "instructions.md")
    for artefact in spec.artefacts:
        fixed = artefact.path.split("*")[0]
        if fixed not in instructions:
            yield _error("instructions.md", f"does not name the artefact {artefact.path}")
    if spec.experiment.command not in instructions:
        yield _error("instructions.md", f"does not give the command {spec.experiment.command!r}")
    limit = f"{spec.limits.seconds:g} seconds"
    if not re.search(rf"(?<![\d.]){re.escape(limit)}", " ".join(instructions.split())):
        yield _error("instructions.md", f"does not say that the limit is {limit}")
    asked = (250, 450) if spec.kind == "scored" else (400, 700)
    for name, low, high in (("instructions.md", *asked), (f"repo/papers/{spec.paper.key}.md", 800, 1500)):
        words = len(re.sub(r"<!--.*?-->", "", _text(task, name), flags=re.DOTALL).split())
        if not low <= words <= high:
            yield _advice(name, f"has {words} words; {low} to {high} are usual")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in task.repo.rglob("*.py"))
    fewest, most = (600, 1500) if spec.kind == "scored" else (300, 900)
    if not fewest <= lines <= most:
        yield _advice("repo", f"has {lines} lines of Python; {fewest} to {most} are usual")


def _canaries(task: Task) -> Iterator[Finding]:
    for path in sorted(task.folder.rglob("*")):
        relative = path.relative_to(task.folder)
        if not path.is_file() or relative.parts[0] in ("vault", "vault.bin") or "__pycache__" in relative.parts:
            continue
        marked = CANARY.encode() in path.read_bytes()[:4000]
        if not marked and path.suffix not in COMMENTED:
            marker = path.parent / CANARY_FILE
            marked = marker.is_file() and CANARY in marker.read_text(encoding="utf-8")
        if not marked:
            yield _error(str(relative), f"carries no canary; add the line {CANARY} or a {CANARY_FILE} beside it")


def _sizes(task: Task) -> Iterator[Finding]:
    total = 0
    for path in task.folder.rglob("*"):
        size = path.lstat().st_size
        total += size if path.is_relative_to(task.repo) else 0
        if size > MAX_FILE:
            yield _error(_name(task, path), f"is {size / 2**20:.1f} MB; at most {MAX_FILE // 2**20} MB")
    if total > MAX_REPO:
        yield _error("repo", f"is {total / 2**20:.0f} MB; at most {MAX_REPO // 2**20} MB")


def _limits(task: Task) -> Iterator[Finding]:
    calibration, limits = task.spec.calibration, task.spec.limits
    if calibration is None:
        yield _advice("task.toml", "is not calibrated; run `rexbench task calibrate`")
        return
    times = 5 if task.spec.kind == "replication" else 1.25
    least = times * calibration.gold_seconds
    told = f"limits.seconds is {limits.seconds:g}, less than {times:g} times gold's {calibration.gold_seconds:g} s"
    if limits.seconds < least:
        yield _error("task.toml", told)
    elif task.spec.kind == "replication" and limits.seconds > max(30, 2 * least):
        yield _error("task.toml", f"limits.seconds is {limits.seconds:g}, more than 10 times gold's {calibration.gold_seconds:g} s")
    if limits.memory_mb < 1.5 * calibration.gold_memory_mb:
        yield _error("task.toml", f"limits.memory_mb is below 1.5 times gold's {calibration.gold_memory_mb} MB")


def _scored(task: Task) -> Iterator[Finding]:
    if task.spec.kind != "scored":
        return
    calibration = task.spec.calibration
    if calibration is not None and (calibration.gap is None or calibration.gap < LEAST_GAP):
        told = "not measured" if calibration.gap is None else f"{calibration.gap:g} standard deviations of gold's figure"
        yield _error("task.toml", f"the gap between base and gold is {told}; at least {LEAST_GAP} are asked for")
    if not (task.folder / "authoring" / "attempts.csv").is_file():
        yield _error("authoring/attempts.csv", "is missing; `rexbench attempt` keeps it")
    if task.spec.laboratory:
        yield from _laboratory(task, task.spec.laboratory.budget)


def _laboratory(task: Task, budget: int) -> Iterator[Finding]:
    """The workspace holds the same world and the core's own client, so that agents work with the real thing."""
    world = task.folder / "laboratory.py"
    if not world.is_file():
        yield _error("laboratory.py", "is missing although task.toml declares a [laboratory]")
        return
    for name, wanted in (("laboratory.py", world.read_text(encoding="utf-8")), ("lab.py", client_source(budget))):
        if _text(task, f"repo/{name}") != wanted:
            yield _error(f"repo/{name}", "is not the world of laboratory.py, or not the client for this budget")


def _data(task: Task, home: Home) -> Iterator[Finding]:
    if not (task.folder / "variant.py").is_file():
        return
    with home.scratch("lint") as folder:
        try:
            write_variant(task, PUBLIC_SEED, folder / "once")
            write_variant(task, PUBLIC_SEED, folder / "again")
            write_variant(task, 1, folder / "other")
        except BrokenTask as error:
            yield _error("variant.py", str(error))
            return
        once = digest_tree(folder / "once")
        if once != digest_tree(folder / "again"):
            yield _error("variant.py", "gives different data for the same seed")
        if once == digest_tree(folder / "other"):
            yield _error("variant.py", "gives the same data for different seeds")
        for part in ("data", "truth"):
            if not alike(folder / "once" / part, task.repo / part):
                yield _error(f"repo/{part}", f"is not what variant.py makes for seed 0; run `rexbench task data {task.id}`")
        yield from _traces(folder / "once" / "data")
        same = {path.relative_to(folder / "once") for path in (folder / "once").rglob("*")}
        if same != {path.relative_to(folder / "other") for path in (folder / "other").rglob("*")}:
            yield _error("variant.py", "gives other files for another seed")


def _traces(data: Path) -> Iterator[Finding]:
    """What arrays tell of how they were made beside their values: their order in memory, and the sign of what became zero."""
    numpy = import_module("numpy")
    for path in sorted([*data.rglob("*.npy"), *data.rglob("*.npz")]):
        stored = numpy.load(path)
        arrays = {name: stored[name] for name in stored.files} if path.suffix == ".npz" else {"": stored}
        turned = [name for name, array in arrays.items() if array.ndim > 1 and not array.flags.c_contiguous]
        signed = [name for name, array in arrays.items() if array.dtype.kind == "f" and (numpy.signbit(array) & (array == 0)).any()]
        where = f"data/{path.relative_to(data)}"
        if turned:
            yield _error(
                where,
                f"keeps {turned[0] or 'its array'} column by column, which tells how it was made; save numpy.ascontiguousarray",
            )
        if signed:
            yield _advice(
                where, f"holds negative zeros in {signed[0] or 'its array'}, which tell the sign of what became zero; add 0.0"
            )


def _vault(task: Task) -> Iterator[Finding]:
    try:
        vault = task.vault
    except BrokenTask as error:
        yield _error("vault", str(error))
        return
    sealed, opened = task.folder / "vault.bin", task.folder / "vault"
    if opened.is_dir() and sealed.is_file() and unseal(sealed, task.vault_key) != vault.files:
        yield _error("vault", f"differs from vault.bin; run `rexbench task seal {task.id}`")
    if not vault.alternatives:
        yield _error("vault", "holds no alternative patch")
    if task.spec.kind == "scored":
        if len(vault.ideas) < 4 or not vault.attacks:
            yield _error("vault", f"holds {len(vault.ideas)} ideas and {len(vault.attacks)} attacks; 4 and 1 are asked for")
    elif len(vault.near_misses) < 3:
        yield _error("vault", f"holds {len(vault.near_misses)} near misses; at least 3 are asked for")
    if not vault.notes:
        yield _error("vault", "holds no notes.md")
    elif task.spec.kind == "replication":
        yield from _clauses(task, vault)
    visible = "\n".join(_text(task, name) for name in ("instructions.md", "hints.md", "detailed_hints.md"))
    shown = {line.strip() for line in visible.splitlines()}
    for line in _added_lines(vault.gold):
        if len(line) >= 20 and (line in shown or f"`{line}`" in visible):
            yield _error("hints", f"give away a line of gold: {line[:80]}")


def _clauses(task: Task, vault: Vault) -> Iterator[Finding]:
    """What the texts demand is stated clause by clause, and each clause is proved by a near miss."""
    clauses = read_clauses(vault.notes)
    if not clauses:
        yield _error("vault", f"notes.md has no table below `## Clauses` with the columns {' | '.join(COLUMNS)}")
    texts = "\n".join(
        [_text(task, "instructions.md"), *(path.read_text(encoding="utf-8") for path in task.repo.glob("papers/*.md"))]
    )
    for clause in clauses:
        if not stands_in(clause.quote, texts):
            yield _error("vault", f"clause {clause.id}: no text of the task says {clause.quote[:60]!r}")
        for name in set(clause.near_misses) - vault.near_misses.keys():
            yield _error("vault", f"clause {clause.id}: there is no near miss {name!r}")
        if clause.judged and not clause.near_misses:
            yield _error("vault", f"clause {clause.id} is proved by no near miss")


def _host_code(task: Task) -> Iterator[Finding]:
    for name in ("variant.py", "judge.py", "laboratory.py"):
        path = task.folder / name
        if not path.is_file():
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except SyntaxError as error:
            yield _error(name, f"line {error.lineno}: {error.msg}")
            continue
        ours: set[str] = set()
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
                ours |= {alias.asname or alias.name for alias in node.names} if node.module == _OURS else set()
            for module in modules:
                top = module.split(".")[0]
                if top not in HOST_MODULES and top not in sys.stdlib_module_names:
                    yield _error(name, f"imports {module}, which the host need not have")
                if top in ("pickle", "subprocess", "socket", "shelve", "marshal"):
                    yield _error(name, f"imports {module}")
        if name == "judge.py":
            for node in ast.walk(tree):
                called = _called(node)
                if called in OPENERS and called not in ours:
                    yield _error(name, f"line {getattr(node, 'lineno', '?')}: opens a file by {called}; use {_OURS}")


def _called(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        function = node.func
        return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    return ""


def _added_lines(patch: bytes) -> list[str]:
    lines = patch.decode("utf-8", "replace").splitlines()
    return [line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")]


def _text(task: Task, name: str) -> str:
    path = task.folder / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _name(task: Task, path: Path) -> str:
    return path.relative_to(task.folder).as_posix()
