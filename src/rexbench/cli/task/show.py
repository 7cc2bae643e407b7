"""`rexbench task show`."""

from rexbench.cli.options import Hints, Json, TaskArgument, open_bench


def show(task: TaskArgument, hints: Hints = "none", as_json: Json = False) -> None:
    """One task: what it asks, how it runs, what it writes and how it is judged.

    \b
    rexbench task show othello
    rexbench task show othello --hints detailed
    """
    from rexbench.cli.output import console, print_json
    from rexbench.cli.task.facts import facts
    from rexbench.task.folder import hint_level

    bench = open_bench()
    found, level = bench.task(task), hint_level(hints)
    if as_json:
        print_json(facts(found, bench.home) | {"spec": found.spec.model_dump(), "instructions": found.instructions(level)})
        return
    spec = found.spec
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
    if spec.figure:
        console.print(f"          {spec.figure.name} ({spec.figure.direction} is better): {spec.figure.about}")
    if spec.laboratory:
        console.print(f"asks      a laboratory, with a budget of {spec.laboratory.budget}")
    console.print()
    print(found.instructions(level))
