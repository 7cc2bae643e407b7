"""A Dask cluster, by the address of its scheduler; whoever started it: by hand, dask-jobqueue, dask-kubernetes.

Each step is a task that starts a process of its own on the worker. Everything that it learns is in the undertaking's folder; the
task's result only says that it is over. Dask would by itself run a task again whose worker was lost; here the second run finds
the mark that the first left under `.dask/begun` and says so: a fault, which the conductor counts and tries again.

Tasks are kept by the scheduler when the program that gave them out is gone. The ledger holds their keys, and a task given out
again under a key that the scheduler still knows is the same task.
"""

import secrets
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from rexbench.campaign.executors.attempt import Note
from rexbench.campaign.executors.ledger import VISIBLE_SECONDS, Entry, Ledger, Which, which
from rexbench.campaign.executors.on_node import Request, perform_in_process
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.errors import RexbenchError, SystemFault
from rexbench.workbench import Workbench

_CONNECT_SECONDS = 30
_TICK = 0.05


class Dask:
    """Does steps as tasks of a Dask cluster."""

    name = "dask"

    def __init__(self, address: str, max_jobs: int | None) -> None:
        require_distributed()
        self._address, self._max_jobs = address, max_jobs
        self.slots = max_jobs or 1
        self._start_anew()

    def _start_anew(self) -> None:
        """Know nothing of any undertaking: the one at hand may not be the first, nor the last have ended well."""
        self._folder = Path()
        self._noted: dict[Which, str] | None = None
        self._tasks: dict[str, tuple[Step, Undertaking, Any]] = {}
        self._said: dict[str, tuple[Ended, float]] = {}
        self._over: list[Ended] = []
        self._places: dict[str, str] = {}
        self._looked = 0.0

    def begin(self, bench: Workbench) -> None:
        self._start_anew()
        self._settings = bench.settings
        self._client = connect(self._address)
        self._look()

    def end(self, error: BaseException | None) -> None:
        self._client.close(timeout=5)
        if error is not None and not isinstance(error, SystemFault) and self._tasks:
            print(f"rexbench: {len(self._tasks)} tasks go on in Dask; --resume takes them up.", file=sys.stderr)

    def submit(self, step: Step, undertaking: Undertaking) -> None:
        if self._noted is None:
            self._folder = undertaking.folder
            self._noted = {which(entry.steps[0]): entry.token for entry in self._ledger.entries()}
        key = self._noted.pop(which(step), None)
        if key is None:
            key = f"rexbench-{secrets.token_hex(8)}"
            try:
                self._begun(key).parent.mkdir(parents=True, exist_ok=True)
                self._ledger.note(Entry(token=key, steps=(step,), jobs=(key,)))
            except OSError as error:  # a full or missing shared disk: the conductor tries again, and says so
                self._over.append(Ended(step, f"{type(error).__name__}: {error}"))
                return
        request = Request(step=step, settings=self._settings, begun=str(self._begun(key)))
        future = self._client.submit(perform_in_process, request.model_dump_json(), key=key, pure=False, retries=0)
        require_distributed().fire_and_forget(future)  # it goes on without us
        self._tasks[key] = (step, undertaking, future)

    def running(self) -> list[UnderWay]:
        return [UnderWay(step.label, self._places.get(key, "")) for key, (step, _, _) in self._tasks.items()]

    def wait(self) -> list[Ended]:
        if time.monotonic() - self._looked > 2:
            self._look()
        deadline = time.monotonic() + 1.0
        while not self._over and time.monotonic() < deadline:
            self._read_results()
            if not self._over:
                time.sleep(_TICK)
        over, self._over = self._over, []
        return over

    @property
    def _ledger(self) -> Ledger:
        return Ledger(self._folder / ".dask" / "ledger")

    def _begun(self, key: str) -> Path:
        return self._folder / ".dask" / "begun" / key

    def _look(self) -> None:
        """How many can run at a time, and which of ours runs where."""
        self._looked = time.monotonic()
        try:
            threads: dict[str, int] = self._client.nthreads()
            self.slots = self._max_jobs or max(1, sum(threads.values()))
            processing: dict[str, tuple[str, ...]] = self._client.processing()
        except OSError as error:
            raise self._lost() from error
        self._places = {key: worker for worker, keys in processing.items() for key in keys}

    def _read_results(self) -> None:
        for key, (step, undertaking, future) in list(self._tasks.items()):
            if key not in self._said and future.done():
                self._said[key] = (self._ended(step, future), time.monotonic())
            if key not in self._said:
                continue
            ended, since = self._said[key]
            if ended.fault is None and not undertaking.is_recorded(step) and time.monotonic() - since < VISIBLE_SECONDS:
                continue
            del self._tasks[key], self._said[key]
            self._begun(key).unlink(missing_ok=True)
            self._ledger.forget(key)
            self._over.append(ended)

    def _ended(self, step: Step, future: Any) -> Ended:
        if future.status == "finished":
            try:
                return Note.model_validate_json(future.result()).ended(step)
            except ValidationError as error:
                return Ended(step, f"a worker of another version answered: {error.errors()[0]['msg']}")
        if future.status == "error":
            raised = future.exception()
            return Ended(step, f"{type(raised).__name__}: {' '.join(str(raised).split())[:300]}")
        raise self._lost()

    def _lost(self) -> SystemFault:
        return SystemFault(f"The Dask scheduler at {self._address} went away; what was finished is kept, go on with --resume.")


def connect(address: str) -> Any:
    """A client of the scheduler at this address."""
    distributed = require_distributed()
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="rexbench")
    except (OSError, ValueError) as error:  # a time-out is an OSError as well
        raise RexbenchError(f"No Dask scheduler answers at {address} ({str(error)[:200]}); is the address right?") from error


def require_distributed() -> ModuleType:
    """Dask's distributed, or how to get it."""
    try:
        import distributed
    except ImportError as error:
        raise RexbenchError("--executor dask needs distributed; install it with: pip install 'rexbench[dask]'") from error
    return distributed
