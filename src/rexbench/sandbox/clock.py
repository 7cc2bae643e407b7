"""The clock of a run, which stands still while the run is kept from running.

A run is held to CPU time; the clock is the backstop for one that sleeps. So it must not count what the machine did to the run:
time in which we ourselves were stopped or the machine was asleep, and time in which the run was ready to run and others had the
processors. When the clock so counted passes its limit, the run was idle by its own choice.
"""

import time

from rexbench.errors import SystemFault
from rexbench.sandbox.protocol import ResourceLimits

LONGEST_LOOK = 5.0
"""Seconds beyond a planned wait that can be our own work; what is longer is a gap, and not counted."""
STARVED_FACTOR = 3.0
"""A run that others keep from running is given this many times its wall limit in real time, then the machine is at fault."""


class Clock:
    """Counts from its making on."""

    def __init__(self, limits: ResourceLimits) -> None:
        self.seconds = 0.0
        """What has passed, less gaps."""
        self._limits = limits
        self._at = time.monotonic()
        self._looked = self._cpu = self._waited = self._starved = 0.0

    def advance(self, planned: float) -> None:
        """Count what has passed since the last call, of which we meant to wait so long."""
        now = time.monotonic()
        self.seconds += min(now - self._at, planned + LONGEST_LOOK)
        self._at = now

    def look(self, cpu_seconds: float, waited_seconds: float) -> None:
        """Take note of the CPU time that the run has had so far, and of the time that its threads were ready and not run.

        Many threads may wait at once, and some run while others wait: what counts as starved is, of the time in which the run asked
        for a processor at all, the share that it waited.
        """
        had, waited = max(0.0, cpu_seconds - self._cpu), max(0.0, waited_seconds - self._waited)
        if waited:
            self._starved += min(self.seconds - self._looked, had + waited) * waited / (had + waited)
        self._looked, self._cpu, self._waited = self.seconds, cpu_seconds, waited_seconds

    def is_over(self) -> bool:
        """Whether the run's own time is up; a fault of ours where others took so much that it cannot be told any more."""
        if self._limits.cpu_seconds is None:
            return self.seconds > self._limits.wall
        if self.seconds > STARVED_FACTOR * self._limits.wall:
            raise SystemFault(
                f"This machine is too busy: in {self.seconds:.0f} s the run had {self._cpu:.0f} s of CPU time, "
                f"and was kept waiting for {self._starved:.0f} s."
            )
        return self.seconds - self._starved > self._limits.wall
