"""Parts of the program die at random moments of a campaign of 48 runs; every verdict is as in a campaign that nobody disturbed.

    .venv/bin/python bench/kills.py [--victims worker,judge,git,bwrap,gateway,program] [--times 20] [--seed 1]

Four agents on the scaffolded task, twelve runs each: two programs that speak to a scripted model through the gateway (one writes
gold, one a near miss), and the two controls. Each run changes a file of its own, so that no verdict is answered from another's
record. A victim is killed with -9 as soon as one is found after a random pause; `program` is the conductor and its workers, which
are stopped for longer than the agents' and the experiment's time and then go on. Where a campaign ends with runs that have no
verdict, it is resumed, as its user would. Prints a line for each victim; ends with 1 where a verdict differs, is missing, or was
changed after it had been written, or where something is left running.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import yaml
from homes import bench_with_task

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from rexbench.agent.settings import Agent  # noqa: E402
from rexbench.api.bench import Bench  # noqa: E402
from rexbench.campaign.conduct import conduct  # noqa: E402
from rexbench.campaign.executors.local import Local  # noqa: E402
from rexbench.campaign.folder import Campaign  # noqa: E402
from rexbench.campaign.plan import Plan  # noqa: E402
from rexbench.campaign.runs import CampaignRuns  # noqa: E402
from rexbench.record.model import Limits  # noqa: E402
from rexbench.sandbox.processes import processes_below  # noqa: E402
from tests.agent.conftest import tiny_command  # noqa: E402
from tests.e2e.processes import wait_until_gone  # noqa: E402

RUNS, SECONDS, STOPPED = 12, 20, 25.0
"""Runs of each agent; an agent's time; for how long the program is stopped."""
TOTAL = 4 * RUNS
WORKER, GATEWAY = b"rexbench.campaign.executors.worker", b"rexbench.gateway.serve"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--victims", default=",".join(VICTIMS))
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--conduct", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.conduct:
        conduct(CampaignRuns(Campaign.open(given.conduct)), Local(2), Bench(), lambda event: None)
        return
    wrong = []
    with tempfile.TemporaryDirectory(prefix="rexbench-kills-") as name:
        folder = Path(name)
        bench = bench_with_task("toy", folder)
        calm = Disturbed(bench, folder / "calm", plan(bench, folder))
        calm.conduct()
        print(f"{'nobody':10} {calm.summary()}", flush=True)
        for victim in given.victims.split(","):
            campaign = Disturbed(bench, folder / victim, plan(bench, folder))
            campaign.conduct(Killer(victim, given.times, random.Random(f"{given.seed} {victim}")))
            wrong += [f"{victim}: {defect}" for defect in campaign.defects(calm)]
            print(f"{victim:10} {campaign.summary()}", flush=True)
    print("\n".join(wrong) or "every verdict is as in the undisturbed campaign, once each")
    sys.exit(bool(wrong))


def plan(bench: Bench, folder: Path) -> Plan:
    near = next(iter(bench.task("toy").vault.near_misses))
    agents = [Agent("gold"), Agent("nop")]
    for name, patch in (("solver", "gold"), ("misser", f"near_misses/{near}")):
        turns = [
            {"shell": "head -c 16 /dev/urandom | base64 > NOTE.md", "delay": 0.3},
            {"edit": {"patch": f"vault:{patch}"}, "delay": 0.3},
            {"finish": "Done.", "delay": 0.3},
        ]
        (folder / f"{name}.yaml").write_text(yaml.safe_dump({"turns": turns}))
        limits = Limits(seconds=SECONDS)
        model = f"scripted:{folder / f'{name}.yaml'}"
        agents.append(Agent("command", name=name, model=model, limits=limits, options={"command": tiny_command()}))
    return Plan(agents=tuple(agents), tasks=("toy",), seeds={"toy": (7,)}, runs=RUNS, retries=5)


class Disturbed:
    """A campaign that is conducted in a process of its own, again from where it was left, until every run has a verdict."""

    def __init__(self, bench: Bench, folder: Path, plan: Plan) -> None:
        self._home = folder.with_name(f"{folder.name}-home")
        shutil.copytree(bench.home.folder, self._home, symlinks=True)
        self._tasks = bench.suite.folder
        self.campaign = Campaign.create(folder, plan)
        self.starts = self.hits = 0
        self.rewritten: set[str] = set()
        self._seen: dict[Path, int] = {}

    def conduct(self, killer: "Killer | None" = None) -> None:
        command = [sys.executable, __file__, "--conduct", str(self.campaign.folder)]
        variables = os.environ | {"REXBENCH_HOME": str(self._home), "REXBENCH_TASKS": str(self._tasks)}
        while self.starts < 3 * RUNS and len(self.verdicts()) < TOTAL:
            self.starts += 1
            program = subprocess.Popen(command, env=variables, stdout=subprocess.DEVNULL)
            over = threading.Event()
            beside = [threading.Thread(target=self._watch, args=(over,))]
            if killer is not None:
                beside.append(threading.Thread(target=killer.work, args=(program.pid, over)))
            for thread in beside:
                thread.start()
            program.wait()
            over.set()
            for thread in beside:
                thread.join()
        self.hits = killer.done if killer is not None else 0

    def _watch(self, over: threading.Event) -> None:
        """Notice a record that changes after it was written."""
        while not over.wait(0.1):
            for path in self.campaign.folder.glob("runs/*/*/*/*/run.json"):
                with suppress(OSError):
                    if self._seen.setdefault(path, path.stat().st_mtime_ns) != path.stat().st_mtime_ns:
                        self.rewritten.add(str(path.parent))

    def verdicts(self) -> dict[str, str]:
        return {run.id: str(run.outcome) for run in self.campaign.runs()}

    def summary(self) -> str:
        found = list(self.verdicts().values())
        outcomes = ", ".join(f"{name} {found.count(name)}" for name in sorted(set(found)))
        faults = len(list(self.campaign.folder.glob("runs/*/*/*/*/fault-*.json")))
        again = len(list(self.campaign.folder.glob("runs/*/*/*/*/attempt-*"))) - len(found)
        told = f"hit {self.hits:2d} times   {faults} faults, {again} attempts made again, {self.starts} starts"
        return f"{told}   {len(found)} verdicts: {outcomes}"

    def defects(self, calm: "Disturbed") -> list[str]:
        wanted, found = calm.verdicts(), self.verdicts()
        told = [f"{name}: {found.get(name)}, should be {outcome}" for name, outcome in wanted.items() if found.get(name) != outcome]
        told += [f"{name}: a record was changed" for name in sorted(self.rewritten)]
        told += [f"left running: {line}" for line in wait_until_gone(self._home)]
        return told + (["nobody was hit"] if not self.hits else [])


class Killer:
    """Hits processes of one kind below the campaign's program, so many times over all of its starts."""

    def __init__(self, victim: str, times: int, chance: random.Random) -> None:
        self.done = 0
        self._find, self._times, self._chance = VICTIMS[victim], times, chance

    def work(self, program: int, over: threading.Event) -> None:
        while self.done < self._times and not over.wait(self._chance.uniform(0.0, 1.0)):
            found: list[int] = []
            while not found and not over.is_set():
                found = self._find(program)
            if self._find is conductors:
                self._stop(found, over)
            elif found:
                with suppress(ProcessLookupError):
                    os.kill(self._chance.choice(found), signal.SIGKILL)
                    self.done += 1

    def _stop(self, found: list[int], over: threading.Event) -> None:
        for sent in (signal.SIGSTOP, signal.SIGCONT):
            for process in found:
                with suppress(ProcessLookupError):
                    os.kill(process, sent)
            if sent == signal.SIGSTOP:
                over.wait(STOPPED)
        self.done += 1


def below(program: int) -> dict[int, bytes]:
    """The command line of every process under this one."""
    found = {}
    for process in processes_below(program)[1:]:
        with suppress(OSError):
            found[process] = Path(f"/proc/{process}/cmdline").read_bytes()
    return found


def running(part: bytes) -> Callable[[int], list[int]]:
    """Finds processes below a program that run this program or module."""
    return lambda program: [at for at, line in below(program).items() if part in line.split(b"\0")]


def judges(program: int) -> list[int]:
    """A judge is a fork of its worker, so it has the worker's command line."""
    return [judge for worker in workers(program) for judge in running(WORKER)(worker)]


def workers(program: int) -> list[int]:
    everyone = running(WORKER)(program)
    return [at for at in everyone if not any(at in below(other) for other in everyone)]


def gits(program: int) -> list[int]:
    """Git as a tool of ours; what an agent does with git in its sandbox is its own."""
    sandboxed = {at for sandbox in running(b"bwrap")(program) for at in below(sandbox)}
    return [at for at in running(b"git")(program) if at not in sandboxed]


def conductors(program: int) -> list[int]:
    found = workers(program)
    return [program, *found] if found else []


VICTIMS: dict[str, Callable[[int], list[int]]] = {
    "worker": workers,
    "judge": judges,
    "git": gits,
    "bwrap": running(b"bwrap"),
    "gateway": running(GATEWAY),
    "program": conductors,
}

if __name__ == "__main__":
    main()
