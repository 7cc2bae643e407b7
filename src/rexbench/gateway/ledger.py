"""A run's account: what is claimed, used up, refused and written down.

Nothing is asked that was not claimed and noted before, and nothing is delivered that is not on record: an exchange that cannot be
written down has no answer.
"""

import asyncio
import datetime
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rexbench.gateway.admission import Refused
from rexbench.gateway.asking import Answered, Asked
from rexbench.gateway.exchange import Ending, Exchange, ExchangeLog, ExchangeUsage
from rexbench.gateway.meter import LONGEST_ANSWER, Meter, cost_of, upper_bound
from rexbench.gateway.providers.protocol import Call
from rexbench.gateway.refusals import Refusals, Tell
from rexbench.gateway.settings import GatewaySettings
from rexbench.gateway.wires.choose import COUNT_TOKENS
from rexbench.gateway.wires.protocol import Body, Usage, Wire
from rexbench.text import printable

_NEVER_ENDED = Answered(0, {}, b"", complaint="the run ended before the answer")


class Unrecorded(Exception):
    """An exchange that could not be written down: the disk is full or gone, which is ours."""


@dataclass
class Begun:
    """An exchange under way."""

    asked: Asked
    attached: int
    """The most tokens that its images and documents come to."""
    gone: Callable[[], bool]
    """Whether the agent has hung up."""
    hide_usage: bool = False
    """The agent did not ask for the stream's last event, which says what it cost, and does not get it."""
    lost: Usage = field(default_factory=Usage)
    """What answers that the provider broke off are charged."""
    sent: bool = False
    ended: bool = False
    since: float = field(default_factory=time.monotonic)
    at: str = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"))

    @property
    def call(self) -> Call:
        return self.asked.call

    @property
    def free(self) -> bool:
        return self.call.path == COUNT_TOKENS

    def most(self, received: int | None = None) -> Usage:
        """What it comes to at the most; of an answer that is whole, the bytes received tell where the request names no maximum."""
        maximum = self.call.wire.maximum(self.call.body)
        if maximum is None and received is None:
            maximum = LONGEST_ANSWER
        return upper_bound(len(self.call.content), self.attached, maximum, received or 0)


class Ledger:
    """The account of one run."""

    def __init__(self, settings: GatewaySettings, log: ExchangeLog, tell: Tell) -> None:
        self._settings, self._log, self._tell = settings, log, tell
        self._meter = Meter(settings.budget, self._cost)
        self.refusals = Refusals(settings.refusals, tell)
        self._numbers = 0
        self._is_over = False
        self._turn, self._writing, self._settled = asyncio.Lock(), asyncio.Lock(), asyncio.Event()

    def next_number(self) -> int:
        """Numbers the requests of a run from 1."""
        self._numbers += 1
        return self._numbers

    def check(self) -> None:
        """Refuse everything once a limit of the run is reached; which one, and whose fault it is, its keeper is told."""
        over = self._meter.over()
        why = over.why if over else self.refusals.over
        if not why and self._log.full:
            why = f"the run's log of {self._settings.log_bytes} bytes is full"
        if not why:
            return
        if not self._is_over:
            by_us = over is not None and over.by_us
            self._tell("outage" if by_us else "limit", f"{why}, by answers that the provider broke off" if by_us else why)
        self._is_over = True
        raise Refused(403, f"This run is over: {why}. No further request will be answered.")

    async def claim(self, begun: Begun) -> None:
        """Wait until a request fits the budget beside the others, or until it is alone: then it may be the one to pass it."""
        if begun.free:
            return
        async with self._turn:
            self.check()
            while not self._meter.fits(begun.most()) and not self._meter.idle:
                self._settled.clear()
                await self._settled.wait()
                self.check()
            call = begun.call
            if not self._meter.fits(begun.most()) and call.wire.maximum(call.body) is None:
                room = self._meter.room_for_output(begun.most().input)
                begun.asked.unlimited = call.body
                begun.asked.call = replace(call, body=call.wire.with_maximum(call.body, room))
            self._meter.claim(call.number, begun.most())

    async def lose(self, begun: Begun) -> None:
        """Charge for an answer that broke off, and claim anew for the next try."""
        if not begun.free:
            begun.lost += begun.most()
            self._settle(begun, begun.most(), lost=True)
            await self.claim(begun)
            self.begin(begun)

    def begin(self, begun: Begun) -> None:
        """Note that a request is about to be sent, and what it is charged should nothing more be heard of it."""
        usage = None if begun.free else _counted(begun.most() + begun.lost, True)
        try:
            self._log.begin(self._record(begun, _NEVER_ENDED, "lost", usage))
        except OSError as error:
            self._settle(begun, Usage())
            raise self._unrecorded(error) from error
        begun.sent = True

    async def end(self, begun: Begun, answered: Answered) -> None:
        """Settle what an exchange has come to, and write it down."""
        used, estimated = _used(begun, answered)
        self._settle(begun, used)
        begun.ended = True
        ending: Ending = "whole" if answered.status == 200 and not answered.complaint else "error"
        if answered.outage:
            ending = "outage"
            self._tell("outage", answered.outage)
        elif ending == "whole" and begun.gone():
            ending, answered = "left", replace(answered, complaint="the agent hung up")
        total = used + begun.lost
        estimated = estimated or bool(begun.lost.total)
        await self._keep(self._record(begun, answered, ending, _counted(total, estimated) if total.total else None))

    async def drop(self, begun: Begun) -> None:
        """Give up an exchange: the run is over. What was sent is charged at its upper bound."""
        if begun.ended:
            return  # it is being written down; should that fail, what was noted at its beginning counts
        charged = begun.sent and not begun.free
        self._settle(begun, begun.most() if charged else Usage())
        if begun.sent:
            usage = _counted(begun.most() + begun.lost, True) if charged else None
            with suppress(Unrecorded):
                await self._keep(self._record(begun, _NEVER_ENDED, "lost", usage))

    async def refuse(self, wire: Wire, path: str, content: bytes, refused: Refused) -> Body:
        """Count a refusal, keep a little of it while the run goes on, and give the error for the agent."""
        error = wire.error(refused.status, str(refused))
        kept = self.refusals.note(str(refused), content)
        if not self._is_over:
            begun = Begun(Asked(Call(self.next_number(), wire, printable(path, 60), {}, kept)), 0, lambda: False)
            answered = Answered(refused.status, {}, json.dumps(error).encode(), complaint=str(refused))
            with suppress(Unrecorded):
                await self._keep(self._record(begun, answered, "refused", None))
        return error

    def _settle(self, begun: Begun, used: Usage, lost: bool = False) -> None:
        self._meter.settle(begun.call.number, used, lost)
        self._settled.set()

    def _cost(self, usage: Usage) -> float | None:
        return cost_of(usage, self._settings.priced_as, self._settings.price)

    async def _keep(self, exchange: Exchange) -> None:
        try:
            async with self._writing:
                await asyncio.to_thread(self._log.keep, exchange)
        except OSError as error:
            raise self._unrecorded(error) from error

    def _unrecorded(self, error: OSError) -> Unrecorded:
        why = f"The exchange could not be written down: {error.strerror or error}."
        self._tell("outage", why)
        return Unrecorded(why)

    def _record(self, begun: Begun, answered: Answered, ending: Ending, usage: ExchangeUsage | None) -> Exchange:
        call = begun.call
        return Exchange(
            number=call.number,
            wire=call.wire.name,
            path=call.path,
            at=begun.at,
            model=printable(str(call.body.get("model", "")), 200),
            streamed=answered.streamed,
            request=call.body if answered.status else {},
            status=answered.status,
            response=answered.content.decode(errors="replace"),
            ending=ending,
            detail=(answered.outage or answered.complaint)[:2_000],
            usage=usage,
            cost_usd=self._cost(Usage(**usage.model_dump(exclude={"estimated"}))) if usage else None,
            seconds=round(time.monotonic() - begun.since, 4),
            tries=tuple(begun.asked.tries),
        )


def _used(begun: Begun, answered: Answered) -> tuple[Usage, bool]:
    """What an exchange is charged for its answer, and whether that is estimated."""
    if begun.free:
        return Usage(), False
    used, estimated = answered.usage or Usage(), False
    if answered.status == 200 and answered.usage is None:
        used, estimated = begun.most(len(answered.content)), True
    return used + begun.asked.probes, estimated or bool(begun.asked.probes.total)


def _counted(usage: Usage, estimated: bool) -> ExchangeUsage:
    return ExchangeUsage(**usage.__dict__, estimated=estimated)
