"""A run as a trajectory in ATIF, the Agent Trajectory Interchange Format (version 1.4), made from what the gateway recorded.

Every agent's run has the same form, whatever the program logs about itself: a step for each prompt that is new, a step for each
answer with its tool calls, and what the tools gave back as observations of the step that called them.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

import rexbench
from rexbench.gateway.exchange import Exchange, main_conversation
from rexbench.gateway.wires.choose import WIRES
from rexbench.gateway.wires.protocol import Answer, Reader, events_of, read_object
from rexbench.record.model import AgentStep

_LONGEST = 100_000
"""Characters of one message or observation that are kept; the exchanges hold the whole."""
_LONGEST_FILE = 64 * 1024 * 1024


class _Part(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid")


class TrajectoryAgent(_Part):
    name: str
    version: str
    model_name: str | None = None
    extra: dict[str, Any] | None = None


class TrajectoryToolCall(_Part):
    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]


class ObservationResult(_Part):
    source_call_id: str | None = None
    content: str | None = None


class Observation(_Part):
    results: list[ObservationResult]


class StepMetrics(_Part):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


class TrajectoryStep(_Part):
    step_id: int = Field(ge=1)
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    message: str
    model_name: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[TrajectoryToolCall] | None = None
    observation: Observation | None = None
    metrics: StepMetrics | None = None


class FinalMetrics(_Part):
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int = Field(ge=0)


class Trajectory(_Part):
    """The whole file."""

    schema_version: Literal["ATIF-v1.4"] = "ATIF-v1.4"
    session_id: str
    agent: TrajectoryAgent
    steps: list[TrajectoryStep] = Field(min_length=1)
    final_metrics: FinalMetrics


def write_trajectory(path: Path, step: AgentStep, exchanges: Iterable[Exchange]) -> None:
    """Write the trajectory beside the run; a run without an exchange has a first step that says so."""
    made = make_trajectory(step, exchanges).model_dump(exclude_none=True)
    # A model may answer with halves of characters: they become question marks.
    path.write_bytes(json.dumps(made, indent=1, ensure_ascii=False).encode(errors="replace") + b"\n")


def make_trajectory(step: AgentStep, exchanges: Iterable[Exchange]) -> Trajectory:
    """The trajectory of a run's main conversation, which is gone through twice; it ends early where it grows beyond all reading."""
    told = _Told()
    for exchange in main_conversation(exchanges):
        if exchange.ending == "whole" and told.size <= _LONGEST_FILE:
            told.take(exchange)
    if told.size > _LONGEST_FILE:
        told.add(source="system", message="(the rest is in the exchanges)")
    if not told.steps:
        told.add(source="user", message=step.prompt or "(no model was asked)")
    return Trajectory(
        session_id=f"{step.agent}-{step.task}-{step.patch_digest[:12] or 'empty'}",
        agent=TrajectoryAgent(
            name=step.agent,
            version=step.agent_version or rexbench.__version__,
            model_name=step.model or None,
            extra={"task": step.task, "hints": step.hints, "outcome": step.outcome},
        ),
        steps=told.steps,
        final_metrics=FinalMetrics(
            total_prompt_tokens=step.tokens.input,
            total_completion_tokens=step.tokens.output,
            total_cached_tokens=step.tokens.cached,
            total_cost_usd=step.cost_usd,
            total_steps=len(told.steps),
        ),
    )


class _Told:
    """The steps of a conversation so far; what was told before is not told again."""

    def __init__(self) -> None:
        self.steps: list[TrajectoryStep] = []
        self.size = 0
        self._caller: dict[str, TrajectoryStep] = {}
        self._seen: set[tuple[str, str]] = set()

    def add(self, **fields: Any) -> TrajectoryStep:
        self.steps.append(TrajectoryStep(step_id=len(self.steps) + 1, **fields))
        self.size += len(self.steps[-1].message)
        return self.steps[-1]

    def take(self, exchange: Exchange) -> None:
        """What is new in a request, and its answer."""
        for message in WIRES[exchange.wire].messages(exchange.request):
            for call, content in message.results:
                if call in self._caller and ("result", call) not in self._seen:
                    self._seen.add(("result", call))
                    self._observe(call, content[:_LONGEST])
            if message.role in ("system", "user") and message.text.strip() and (message.role, message.text) not in self._seen:
                self._seen.add((message.role, message.text))
                self.add(timestamp=exchange.at, source=message.role, message=message.text[:_LONGEST])
        self._answer(exchange, answer_of(exchange))

    def _answer(self, exchange: Exchange, answer: Answer) -> None:
        usage = exchange.usage
        calls = [TrajectoryToolCall(tool_call_id=one.id, function_name=one.name, arguments=one.arguments) for one in answer.calls]
        made = self.add(
            timestamp=exchange.at,
            source="agent",
            message=answer.text[:_LONGEST],
            model_name=answer.model or exchange.model or None,
            reasoning_content=answer.reasoning[:_LONGEST] or None,
            tool_calls=calls or None,
            metrics=StepMetrics(
                prompt_tokens=usage.input if usage else None,
                completion_tokens=usage.output if usage else None,
                cached_tokens=usage.cached if usage else None,
                cost_usd=exchange.cost_usd,
            ),
        )
        self.size += len(exchange.response)
        self._caller |= {call.id: made for call in answer.calls}

    def _observe(self, call: str, content: str) -> None:
        step = self._caller[call]
        step.observation = step.observation or Observation(results=[])
        step.observation.results.append(ObservationResult(source_call_id=call, content=content))
        self.size += len(content)


def answer_of(exchange: Exchange) -> Answer:
    """What the model said, streamed or not."""
    wire = WIRES[exchange.wire]
    if not exchange.streamed:
        return wire.read_answer(read_object(exchange.response) or {})
    reader = Reader()
    for event in events_of(exchange.response.encode().split(b"\n")):
        wire.read_event(event, reader)
    return reader.answer()
