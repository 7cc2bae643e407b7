"""`rexbench show`."""

from pathlib import Path
from typing import Annotated

import typer

from rexbench.cli.options import Json


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run: CAMPAIGN/runs/AGENT/TASK/HINTS/N.")],
    as_json: Json = False,
) -> None:
    """Print one run: how the agent ended, what it used, the verdict with its metrics, flags and faults, and where the files are.

    \b
    rexbench show my-campaign/runs/gold/othello/none/1
    """
    from rexbench.campaign.folder import Campaign
    from rexbench.cli.output import console, outcome_text, print_evaluation, print_json
    from rexbench.errors import RexbenchError

    folder = run.absolute()
    parts = folder.parts
    if len(parts) < 6 or parts[-5] != "runs":
        raise RexbenchError(f"{run} is not the folder of a run; name CAMPAIGN/runs/AGENT/TASK/HINTS/N.")
    campaign, name = Campaign.open(Path(*parts[:-5])), "/".join(parts[-4:])
    found = campaign.find_run(name)
    if found is None:
        raise RexbenchError(f"{name} has no verdict yet; go on with: rexbench run --resume {campaign.folder}")
    if as_json:
        print_json(found.model_dump())
        return
    step = found.step
    cost = "unknown" if step.cost_usd is None else f"${step.cost_usd:.2f}"
    console.print(f"{name}: {outcome_text(found.outcome)}")
    console.print(f"agent     {step.agent} {step.agent_version}  {step.model}  ended: {step.outcome}", markup=False)
    if step.detail:
        console.print(f"          {step.detail}", markup=False)
    console.print(f"used      {step.turns} turns, {step.tokens.input} + {step.tokens.output} tokens, {cost}, {step.seconds:.0f} s")
    for evaluation in found.evaluations:
        print_evaluation(evaluation, "")
    for flag in found.flags:
        console.print(f"flag      {flag.kind}: {flag.evidence}", markup=False)
    console.print(f"files     {campaign.attempt_folder(name, found.attempt)}", soft_wrap=True)
