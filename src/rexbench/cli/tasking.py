"""What the task commands that run no experiment do."""

import sys
from dataclasses import asdict
from pathlib import Path

from rexbench.cli.output import console, print_findings, print_json, print_table
from rexbench.errors import PatchRejected, RexbenchError
from rexbench.places import remove_tree
from rexbench.task.folder import HINT_LEVELS, HintLevel, Task, load_task, load_tasks
from rexbench.task.verified import verified_variants
from rexbench.workspace.patch import summarise


def hint_level(name: str) -> HintLevel:
    """A hint level by name."""
    for level in HINT_LEVELS:
        if level == name:
            return level
    raise RexbenchError(f"There is no hint level {name!r}; there are: {', '.join(HINT_LEVELS)}.")


def list_and_print(as_json: bool) -> None:
    tasks = load_tasks()
    facts = [_facts(task) for task in tasks]
    if as_json:
        print_json(facts)
        return
    rows = [
        [
            str(fact["id"]),
            str(fact["area"]),
            str(fact["paper"]),
            f"{fact['gold_seconds'] or '?'}",
            str(fact["gold_lines"]),
            str(fact["gold_files"]),
            str(fact["verified_variants"] or "-"),
        ]
        for fact in facts
    ]
    columns = ["task", "area", "paper", "gold s", "lines", "files", "verified"]
    print_table(f"{len(tasks)} tasks", columns, rows, right=["gold s", "lines", "files", "verified"])
    console.print("\nlines and files are those that gold changes; verified is the number of held-out variants on")
    console.print("which gold, alternatives, near misses and attacks all came out as they must")


def show_and_print(name: str, hints: str, as_json: bool) -> None:
    task = load_task(name)
    level = hint_level(hints)
    if as_json:
        print_json(_facts(task) | {"spec": task.spec.model_dump(), "instructions": task.instructions(level)})
        return
    spec = task.spec
    console.print(f"[bold]{spec.id}[/bold]  {spec.title}")
    console.print(
        f"{spec.paper.authors}: {spec.paper.title}. {spec.paper.venue}, {spec.paper.year}. arXiv {spec.paper.arxiv or '-'}"
    )
    console.print(f"runs      {spec.experiment.command}   in environment {spec.environment}")
    limits = spec.limits
    console.print(
        f"limits    {limits.seconds:g} s, {limits.memory_mb} MB memory, {limits.processes} processes, {limits.disk_mb} MB disk"
    )
    console.print(f"writes    {', '.join(artefact.path for artefact in spec.artefacts)}")
    console.print(f"protects  {', '.join(spec.protected)}")
    console.print(f"verdict   on {spec.held_out} held-out variant(s), by:")
    for metric in spec.metrics:
        console.print(f"          {metric.name} ({metric.kind}): {metric.about}")
    console.print()
    print(task.instructions(level))


def scaffold_and_print(name: str) -> None:
    from rexbench.task.scaffold import new_task

    folder = new_task(name)
    console.print(f"{folder} is a small worked example. Rewrite it piece by piece; docs/tasks.md says how.", soft_wrap=True)
    console.print(f"After each piece: rexbench task lint {name}", soft_wrap=True)


def data_and_print(name: str) -> None:
    from rexbench.task.variants import write_public_data

    console.print(f"variant 0 written to {write_public_data(load_task(name))}", soft_wrap=True)


def lint_and_print(names: list[str], as_json: bool) -> None:
    from rexbench.task.lint import lint

    found = {task.id: lint(task) for task in load_tasks(names or None)}
    errors = sum(finding.level == "error" for findings in found.values() for finding in findings)
    if as_json:
        print_json({task_id: [asdict(finding) for finding in findings] for task_id, findings in found.items()})
    else:
        for task_id, findings in found.items():
            told = sum(finding.level == "error" for finding in findings)
            print_findings(findings)
            console.print(f"{task_id}: " + (f"[red]{told} error(s)[/red]" if told else "[green]no errors[/green]"))
    if errors:
        raise SystemExit(1)


def workspace_and_print(name: str, target: Path, hints: str, patch: str) -> None:
    from rexbench.workspace.patch import apply_to_workspace
    from rexbench.workspace.tree import make_workspace

    task = load_task(name)
    level = hint_level(hints)
    chosen = _vault_patch(task, patch) if patch else None
    make_workspace(task, target, level)
    if chosen is not None:
        try:
            apply_to_workspace(task, chosen, target)
        except PatchRejected as error:
            raise RexbenchError(f"{task.id}: {patch} cannot be applied: {error}.") from error
    console.print(f"{target} holds {task.id} with hint level {level}. Read instructions.md there, edit, then:")
    console.print(f"  rexbench evaluate {target} --task {name}", soft_wrap=True)


def diff_and_print(name: str, tree: Path) -> None:
    from rexbench.workspace.capture import capture_patch

    captured = capture_patch(load_task(name), tree)
    for skipped in captured.skipped:
        print(f"rexbench: left out {skipped}", file=sys.stderr)
    sys.stdout.buffer.write(captured.patch)


def seal_and_print(name: str) -> None:
    from rexbench.task.vault import seal

    task = load_task(name)
    opened = task.folder / "vault"
    if not opened.is_dir():
        raise RexbenchError(f"{task.id}: there is no open vault/ folder to seal; open one with: rexbench task unseal {name}")
    draft = task.folder / "vault.bin.new"
    draft.write_bytes(seal(task.vault.files))
    draft.replace(task.folder / "vault.bin")
    remove_tree(opened)
    console.print(f"{task.id}: {len(task.vault.files)} files sealed into vault.bin, vault/ removed.")


def unseal_and_print(name: str) -> None:
    from rexbench.task.vault import unseal, write_folder

    task = load_task(name)
    opened = task.folder / "vault"
    if opened.exists():
        raise RexbenchError(f"{task.id}: vault/ is open already; close it with: rexbench task seal {name}")
    files = unseal(task.folder / "vault.bin")
    write_folder(files, opened)
    console.print(f"{task.id}: {len(files)} files opened in {opened}. They are solutions: do not publish them.")


def _facts(task: Task) -> dict[str, object]:
    paper, calibration = task.spec.paper, task.spec.calibration
    gold = summarise(task.vault.gold, Path("/"))
    return {
        "id": task.id,
        "title": task.spec.title,
        "area": task.spec.area,
        "paper": f"{paper.authors.split(' and ')[0].split(',')[0]} {paper.year}",
        "environment": task.spec.environment,
        "gold_seconds": calibration.gold_seconds if calibration else None,
        "gold_lines": gold.lines_changed,
        "gold_files": len(gold.files),
        "verified_variants": verified_variants(task),
    }


def _vault_patch(task: Task, name: str) -> bytes:
    known = {"gold": task.vault.gold} | task.vault.alternatives | task.vault.near_misses
    if name not in known:
        raise RexbenchError(f"{task.id}: the vault holds no patch {name!r}; there are: {', '.join(known)}.")
    return known[name]
