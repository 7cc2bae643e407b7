"""No executor at all: steps are done one after the other in this process."""

import socket

from rexbench.campaign.executors.attempt import attempt_step
from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.workbench import Workbench


class Inline:
    """Does steps here and now."""

    name = "inline"
    slots = 1

    def __init__(self) -> None:
        self._taken: list[tuple[Step, Undertaking]] = []

    def begin(self, bench: Workbench) -> None:
        self._bench = bench

    def end(self, error: BaseException | None) -> None:
        self._taken.clear()

    def submit(self, step: Step, undertaking: Undertaking) -> None:
        self._taken.append((step, undertaking))

    def wait(self) -> list[Ended]:
        step, undertaking = self._taken[0]
        ended = attempt_step(step, self._bench, undertaking).ended(step)
        self._taken.pop(0)
        return [ended]

    def running(self) -> list[UnderWay]:
        return [UnderWay(step.label, socket.gethostname()) for step, _ in self._taken]
