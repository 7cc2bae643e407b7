"""Campaigns, read for a report: every run with a verdict, and what became of those without one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rexbench.agent.controls import CONTROLS
from rexbench.campaign.folder import Campaign, unfinished
from rexbench.campaign.plan import plan_runs
from rexbench.errors import RexbenchError
from rexbench.record.curve import Point, read_curve
from rexbench.record.model import Run
from rexbench.task.folder import HINT_LEVELS


@dataclass(frozen=True)
class ReportedRun:
    """A run with the name that the report gives its agent."""

    agent: str
    run: Run
    attempt: Path
    """Folder of the attempt that counts: patch, trajectory."""

    def logs(self, variant_seed: int) -> Path:
        """Folder of what an evaluation printed: `stdout.log` and `stderr.log`, or their ends, where they were kept."""
        return self.attempt.parent / f"evaluation-{variant_seed}"

    @property
    def curve(self) -> list[Point]:
        """What the work was worth on the way, the final patch last; empty where that was not judged."""
        return read_curve(self.attempt.parent)


@dataclass(frozen=True)
class Fault:
    """A planned run that was tried and has no verdict, through no fault of the agent."""

    agent: str
    hints: str
    task: str


@dataclass(frozen=True)
class Reading:
    """All that a report is made of."""

    names: tuple[str, ...]
    """Of the campaigns' folders."""
    agents: tuple[str, ...]
    controls: dict[str, str]
    """Of the agents, those that only hand in a known patch, and which: gold or nop. They are measured, and compete with nobody."""
    hints: tuple[str, ...]
    tasks: tuple[str, ...]
    runs: tuple[ReportedRun, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    """What a reader has to know before comparing."""

    def part(self, agents: Collection[str] | None = None, tasks: Collection[str] | None = None) -> "Reading":
        """What there is of these agents on these tasks; None: of all."""
        chosen = tuple(name for name in self.agents if agents is None or name in agents)
        met = tuple(name for name in self.tasks if tasks is None or name in tasks)
        runs = tuple(entry for entry in self.runs if entry.agent in chosen and entry.run.task in met)
        faults = tuple(fault for fault in self.faults if fault.agent in chosen and fault.task in met)
        levels = {entry.run.hints for entry in runs} | {fault.hints for fault in faults}
        hints = tuple(level for level in self.hints if level in levels)
        return replace(self, agents=chosen, hints=hints, tasks=met, runs=runs, faults=faults)

    @property
    def competing(self) -> tuple[str, ...]:
        """The agents that are no controls."""
        return tuple(name for name in self.agents if name not in self.controls)

    @property
    def scored(self) -> tuple[str, ...]:
        """The tasks whose runs have scores; no number is ever taken over these and others together."""
        have = {entry.run.task for entry in self.runs if entry.run.score is not None}
        return tuple(name for name in self.tasks if name in have)

    @property
    def told(self) -> str:
        """How many of what there are."""
        controls = sum(name in self.controls for name in self.agents)
        parts = (len(self.competing), "agent"), (controls, "control"), (len(self.tasks), "task")
        return ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in parts if count)


def read_campaigns(folders: Sequence[Path]) -> Reading:
    """Several campaigns become one; an agent that is in two of them gets the campaign's name behind its own."""
    twice = [folder for at, folder in enumerate(folders) if folder.resolve() in {other.resolve() for other in folders[:at]}]
    if twice:
        raise RexbenchError(f"{twice[0]} is named twice; its runs would count double.")
    campaigns = [Campaign.open(folder) for folder in folders]
    names = _told_apart([campaign.folder.name for campaign in campaigns])
    plans = [campaign.plan for campaign in campaigns]
    everyone = [spec.name for plan in plans for spec in plan.agents]
    runs: list[ReportedRun] = []
    faults: list[Fault] = []
    agents: dict[str, None] = {}
    controls: dict[str, str] = {}
    waiting = unjudged = 0
    for campaign, plan, name in zip(campaigns, plans, names, strict=True):
        labels = {spec.name: _label(spec.name, name, everyone) for spec in plan.agents}
        agents |= dict.fromkeys(labels.values())
        controls |= {labels[spec.name]: spec.agent for spec in plan.agents if spec.agent in CONTROLS}
        for run in campaign.runs():
            label = labels.get(run.agent, run.agent)
            agents.setdefault(label)
            if run.outcome == "system_fault":
                faults.append(Fault(label, run.hints, run.task))
            else:
                runs.append(ReportedRun(label, run, campaign.attempt_folder(run.id, run.attempt)))
        for spec in unfinished(campaign, plan_runs(plan)):
            if campaign.has_fault(spec.id):
                faults.append(Fault(labels[spec.agent], spec.hints, spec.task))
            elif campaign.attempts(spec.id):
                unjudged += 1
            else:
                waiting += 1
    if not runs:
        raise RexbenchError(
            f"{', '.join(map(str, folders))}: no run has a verdict yet; finish with: rexbench run --resume {folders[0]}"
        )
    met = {entry.run.hints for entry in runs} | {fault.hints for fault in faults}
    tasks = dict.fromkeys(name for plan in plans for name in plan.tasks) | dict.fromkeys(entry.run.task for entry in runs)
    return Reading(
        names=names,
        agents=tuple(agents),
        controls=controls,
        hints=tuple(level for level in HINT_LEVELS if level in met),
        tasks=tuple(tasks),
        runs=tuple(runs),
        faults=tuple(faults),
        notes=_notes([entry for entry in runs if entry.agent not in controls], faults, waiting, unjudged),
    )


def _told_apart(names: list[str]) -> tuple[str, ...]:
    """Folders of the same name in different places are numbered."""
    return tuple(f"{name}-{names[:at].count(name) + 1}" if names.count(name) > 1 else name for at, name in enumerate(names))


def _label(name: str, campaign: str, everyone: list[str]) -> str:
    return f"{name} ({campaign})" if everyone.count(name) > 1 else name


def _notes(runs: list[ReportedRun], faults: list[Fault], waiting: int, unjudged: int) -> tuple[str, ...]:
    notes = []
    if waiting or unjudged:
        parts = [f"{count} {what}" for count, what in ((waiting, "not started"), (unjudged, "not judged")) if count]
        notes.append(f"Of the planned runs, {' and '.join(parts)} yet; what follows is of the others.")
    cells: dict[str, set[tuple[str, str]]] = {}
    for entry in runs:
        cells.setdefault(entry.agent, set()).add((entry.run.hints, entry.run.task))
    everything: set[tuple[str, str]] = set().union(*cells.values())
    partial = [agent for agent, met in cells.items() if {cell for cell in everything if cell[0] in {at for at, _ in met}} - met]
    if partial:
        notes.append(
            f"Not on every task: {', '.join(partial)}. Success and ranks are over the tasks that each has runs on, and comparable "
            "only with care; pairs of agents are compared on the tasks that both have."
        )
    if faults:
        notes.append(
            f"{len(faults)} runs ended in faults of the system, have no verdict and are not counted; see the table on faults."
        )
    versions: dict[str, set[str]] = {}
    for entry in runs:
        versions.setdefault(entry.run.task, set()).add(entry.run.step.task_digest)
    changed = sorted(task for task, digests in versions.items() if len(digests) > 1)
    if changed:
        notes.append(f"Not the same version of the task in all runs: {', '.join(changed)}; compare with care.")
    flagged = sum(bool(entry.run.flags) for entry in runs)
    if flagged:
        notes.append(f"{flagged} runs carry flags that a reader should look at; flags change no score.")
    return tuple(notes)
