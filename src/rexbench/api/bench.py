"""The door for Python: one value that owns everything, with a verb for each thing that one does with a benchmark."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rexbench.api.campaign import CampaignResult, default_folder
from rexbench.campaign.checking import Candidate, Checked, Sample, candidates, check, mute_guard_findings, plan_check, sampled
from rexbench.campaign.conduct import Event, Observe, conduct
from rexbench.campaign.executors.inline import Inline
from rexbench.campaign.executors.protocol import Executor
from rexbench.campaign.folder import Campaign
from rexbench.campaign.plan import Plan
from rexbench.campaign.planning import check_plan, fix_plan, load_tasks
from rexbench.campaign.runs import CampaignRuns
from rexbench.campaign.trials import Wanted, make_trials, references
from rexbench.campaign.underway import shown_to_others
from rexbench.errors import RexbenchError, UnusablePatch
from rexbench.evaluation.calibrate import calibration_of, plan_seeds, score_calibration, with_agreement, write_calibration
from rexbench.evaluation.evaluate import Verdict, combine
from rexbench.record.model import Evaluation, Execution
from rexbench.settings import Settings, read_settings
from rexbench.task.folder import HintLevel, Task
from rexbench.task.lint import Finding, lint
from rexbench.task.schema import Calibration
from rexbench.task.variants import choose_seeds
from rexbench.workbench import Workbench
from rexbench.workspace.capture import capture_patch
from rexbench.workspace.patch import MAX_PATCH
from rexbench.workspace.tree import make_workspace

Patch = bytes | str | Path
OnEvent = Callable[[Event], None]


@dataclass(frozen=True)
class HeldOut:
    """On which variants a patch is judged."""

    variants: int | None = None
    """How many; the task says by default."""
    seed: int | None = None
    """The first of fixed seeds, for tests; drawn from the home's secret by default."""


class Bench(Workbench):
    """Home, tasks, records, sandbox, environments: everything that judging and running need.

    `home` is a folder that keeps all of it (`REXBENCH_HOME`, or the user's data folder, by default); `tasks` is a folder of tasks
    in place of the shipped ones; `sandbox` is bubblewrap, docker, podman or process (which isolates nothing and needs `unsafe`).
    """

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        tasks: Path | str | None = None,
        sandbox: str = "bubblewrap",
        unsafe: bool = False,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(settings or read_settings(os.environ, home, tasks, sandbox, unsafe))

    def task(self, task: str | Path | Task) -> Task:
        """A task by name, as `package/task`, or by the path of its folder (one that starts with `.` or `/`, or a `Path`)."""
        if isinstance(task, Task):
            return task
        if isinstance(task, Path) or task.startswith((".", "/", "~")):
            task = str(Path(task).expanduser().absolute())
        return self.suite.load(task)

    def tasks(self) -> list[Task]:
        """The suite's own tasks."""
        return self.suite.load_all()

    def workspace(self, task: str | Path | Task, folder: Path | str, hints: HintLevel = "none") -> Path:
        """What an agent would get, in a new folder."""
        target = Path(folder).absolute()
        make_workspace(self.task(task), target, hints)
        return target

    def read_patch(self, task: str | Path | Task, patch: Patch) -> bytes:
        """A patch from its bytes or text, from a file, or from an edited workspace."""
        if isinstance(patch, bytes):
            return patch
        if isinstance(patch, str) and ("\n" in patch or not patch):
            return patch.encode()
        found = self.task(task)
        path = Path(patch).absolute()
        if path.is_dir():
            _refuse_strange(found, path)
            return capture_patch(found, path, self.home).patch
        if not path.is_file():
            raise UnusablePatch(f"{patch} is neither a folder nor a patch file.")
        if path.stat().st_size > MAX_PATCH:
            raise UnusablePatch(f"{patch} is {path.stat().st_size} bytes long; at most {MAX_PATCH} are taken.")
        return path.read_bytes()

    def evaluate(
        self,
        task: str | Path | Task,
        patch: Patch,
        held_out: HeldOut | None = None,
        *,
        fresh: bool = False,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
    ) -> Verdict:
        """Judge a patch (bytes, text, a file, or an edited workspace) on held-out data against live gold."""
        found, content = self.task(task), self.read_patch(task, patch)
        seeds = self.seeds(found, held_out)
        wanted = references("live gold", found, seeds)
        wanted += [Wanted("the patch", found, seed, content) for seed in seeds]
        results = self.make(wanted, fresh, executor, on_event)
        return combine(found.id, [result for result in results if isinstance(result, Evaluation)])

    def run(
        self,
        plan: Plan,
        out: Path | str | None = None,
        held_out: HeldOut | None = None,
        *,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
    ) -> CampaignResult:
        """Run a campaign to its end in a new folder, `out`."""
        chosen = held_out or HeldOut()
        fixed = fix_plan(plan, self, Path.cwd(), chosen.variants, chosen.seed)
        check_plan(fixed, self)
        campaign = Campaign.create(Path(out).absolute() if out else default_folder(self.home), fixed, self.home.secret())
        return self.conduct(campaign, executor, on_event)

    def resume(
        self,
        folder: Path | str,
        *,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
        budget_usd: float | None = None,
    ) -> CampaignResult:
        """Go on with a campaign where it was left; `budget_usd` takes the place of the budget that it was started with."""
        campaign = Campaign.open(Path(folder).absolute())
        campaign.check_reach(self.home.secret())
        check_plan(campaign.plan, self)
        return self.conduct(campaign, executor, on_event, budget_usd)

    def campaign(self, folder: Path | str) -> CampaignResult:
        """A campaign that is on disk, as far as it has come."""
        return CampaignResult(Campaign.open(Path(folder).absolute()), None)

    def check(
        self,
        task: str | Path | Task,
        held_out: HeldOut | None = None,
        *,
        training_seeds: int = 0,
        only: Sequence[str] | Sample = (),
        fresh: bool = False,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
    ) -> Checked:
        """Is a task fit to judge with? Lint, then its own patches, or those named, or a sample, over held-out variants."""
        found = self.task(task)
        findings = self.lint(found)
        seeds = self.seeds(found, held_out or HeldOut(variants=3))
        if isinstance(only, Sample):
            tried = sampled(found.spec.kind, self.candidates(found, (), fresh), only.count, seeds)
        else:
            tried = self.candidates(found, only, fresh)
        wanted = plan_check(found, tried, seeds, training_seeds)
        made = self.make(wanted, fresh, executor, on_event)
        findings += mute_guard_findings(made, self.store)
        return check(found, tried, findings, wanted, made)

    def lint(self, task: str | Path | Task) -> list[Finding]:
        """What can be said of a task without running it, errors first."""
        return lint(self.task(task), self.home)

    def candidates(self, task: Task, only: Sequence[str] = (), fresh: bool = False) -> list[Candidate]:
        """The patches that a task is checked with, or those of them that are named."""
        tried = [candidate for candidate in candidates(task, self, fresh) if not only or candidate.name in only]
        if not tried:
            raise RexbenchError(f"{task.id} has no patch called {' or '.join(only)}.")
        return tried

    def calibrate(
        self,
        task: str | Path | Task,
        variants: int = 3,
        seeds: int = 5,
        *,
        fresh: bool = False,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
    ) -> Calibration:
        """Run gold over training seeds and variants; write its spread, time and limit into task.toml."""
        found = self.task(task)
        variant_seeds, training = plan_seeds(found.spec, variants, seeds)
        if found.spec.figure:
            wanted = references("base and gold", found, variant_seeds)
        else:
            wanted = [
                Wanted(f"gold, variant {variant}, seed {seed}", found, variant, found.vault.gold, "execution", seed)
                for variant in variant_seeds
                for seed in training
            ]
            if any(table.agreement for table in found.spec.tables):
                wanted += references("gold as it is", found, variant_seeds)
        made = [result for result in self.make(wanted, fresh, executor, on_event) if isinstance(result, Execution)]
        if found.spec.figure:
            golds, bases = ([run for run in made if run.inputs.role == role] for role in ("reference", "base"))
            calibration = score_calibration(found.spec, golds, bases)
        else:
            runs, golds = ([run for run in made if run.inputs.role == role] for role in ("submission", "reference"))
            calibration = calibration_of(found.spec, with_agreement(found.spec, runs, golds, self.store))
        write_calibration(found, calibration)
        return calibration

    def seeds(self, task: Task, held_out: HeldOut | None = None) -> tuple[int, ...]:
        """The held-out seeds of a verdict: from the home's secret, or fixed ones."""
        chosen = held_out or HeldOut()
        return choose_seeds(task, chosen.variants, chosen.seed, self.home.secret())

    def make(
        self, wanted: Sequence[Wanted], fresh: bool = False, executor: Executor | None = None, on_event: OnEvent | None = None
    ) -> list[Evaluation | Execution]:
        """Make trials, whatever they are for; results in the same order."""
        return make_trials(wanted, self, executor or Inline(), _observing(on_event), fresh)

    def conduct(
        self,
        campaign: Campaign,
        executor: Executor | None = None,
        on_event: OnEvent | None = None,
        budget_usd: float | None = None,
    ) -> CampaignResult:
        """Do what is missing of a campaign that was planned."""
        for name in sorted({task.spec.environment for task in load_tasks(campaign.plan, self)}):
            self.sandbox.prepare(name)
        with shown_to_others(campaign.folder, _observing(on_event)) as observe:
            progress = conduct(CampaignRuns(campaign), executor or Inline(), self, observe, budget_usd)
        return CampaignResult(campaign, progress)


def _observing(on_event: OnEvent | None) -> Observe:
    return on_event or (lambda event: None)


def _refuse_strange(task: Task, folder: Path) -> None:
    """A folder that shares nothing with the task's codebase is a mistake, and not a patch that deletes everything."""
    if not any(
        (folder / path.name).exists() for path in task.repo.iterdir() if path.name not in ("data", "truth", "papers", "README.md")
    ):
        raise UnusablePatch(f"{folder} is no workspace of {task.id}; make one with: rexbench task workspace {task.id} DIR")
