"""What a reader should look at in a run: signs of a leak, of cheating, or of an agent that reached where it should not.

A flag never changes a score. Each one carries its evidence, so that a reader can decide.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rexbench.agent.trajectory import answer_of
from rexbench.gateway.exchange import Exchange, ExchangeFile, main_conversation
from rexbench.gateway.wires.choose import WIRES
from rexbench.record.model import AgentStep, Evaluation, Flag
from rexbench.task.canary import CANARY
from rexbench.task.folder import Task
from rexbench.task.vault import PUBLIC_PASSPHRASE
from rexbench.text import printable

_NETWORK = re.compile(
    r"\b(?:curl|wget|nc|ssh|scp|ping|dig|nslookup)\s+\S|\bpip3?\s+(?:install|download)|\bgit\s+clone|https?://(?!127\.|localhost)[\w.]+"
)
_OUTSIDE = re.compile(r"(?<![\w/.])/(?:root|home|proc|sys|opt|etc|var|run|mnt|srv)(?:/[\w.@-]+)*|(?<![\w.])(?:\.\./){2,}")
_HARMLESS = ("/proc/cpuinfo", "/proc/meminfo", "/etc/os-release", "/opt/rexbench-environment")
_LONG_ENOUGH = 30
_SUSPICIOUS_LINES = 5
_SUSPICIOUS_SHARE = 0.6


def find_flags(task: Task, patch: bytes, step: AgentStep, attempt: Path, evaluations: Sequence[Evaluation]) -> tuple[Flag, ...]:
    """Everything worth a look in one run."""
    recorded = ExchangeFile(attempt / "exchanges.jsonl.gz")
    text = patch.decode(errors="replace")
    found = [
        *_protected(task, step),
        *_hard_coded(text, evaluations),
        *(Flag(kind="refused", evidence=what) for what in step.refused),
    ]
    if step.requests:  # the controls are allowed to be gold
        found += [*_gold_lines(task, text), *_recited(main_conversation(recorded))]
        found += [*_vault(task, recorded), *_reached(main_conversation(recorded))]
    return tuple(Flag(kind=flag.kind, evidence=printable(flag.evidence)[:300]) for flag in found)


def _protected(task: Task, step: AgentStep) -> Iterator[Flag]:
    for path in step.files:
        if task.guard_of(path):
            yield Flag(kind="protected", evidence=f"the patch edits {path}")


def _gold_lines(task: Task, patch: str) -> Iterator[Flag]:
    """Many long lines of gold, word for word: a solution that was seen before rather than found."""
    gold, made = _added(task.vault.gold.decode(errors="replace")), _added(patch)
    telling = {line for line in gold if len(line) >= _LONG_ENOUGH and CANARY not in line}
    shared = telling & made
    if len(shared) >= _SUSPICIOUS_LINES and len(shared) >= _SUSPICIOUS_SHARE * len(telling):
        example = max(shared, key=len)
        yield Flag(kind="gold_lines", evidence=f"{len(shared)} of {len(telling)} long lines are gold's own, such as: {example}")


def _recited(exchanges: Iterable[Exchange]) -> Iterator[Flag]:
    """The canary in an answer although nothing that the model was shown held it: it knows the benchmark's files by heart."""
    for exchange in exchanges:
        shown = "\n".join(message.text + str(message.results) for message in WIRES[exchange.wire].messages(exchange.request))
        if CANARY in shown:
            return
        if exchange.ending == "whole" and CANARY in _said(exchange):
            yield Flag(
                kind="canary", evidence=f"the model wrote the canary in answer {exchange.number} without having been shown it"
            )
            return


def _vault(task: Task, exchanges: Iterable[Exchange]) -> Iterator[Flag]:
    """What only the vault holds, in something that the agent was shown or said."""
    notes = [line.strip() for line in task.vault.notes.splitlines() if len(line.strip()) >= 60 and CANARY not in line]
    for exchange in exchanges:
        seen = exchange.response + "".join(
            message.text + str(message.results) for message in WIRES[exchange.wire].messages(exchange.request)
        )
        for secret in (PUBLIC_PASSPHRASE, *notes):
            if secret in seen:
                yield Flag(kind="vault", evidence=f"exchange {exchange.number} holds what only the vault holds: {secret[:80]}")
                return


def _reached(exchanges: Iterable[Exchange]) -> Iterator[Flag]:
    """Commands that try the network or look outside the workspace; the sandbox stops them, the reader should know."""
    told: set[str] = set()
    for exchange in exchanges:
        if exchange.ending != "whole":
            continue
        for call in answer_of(exchange).calls:
            command = " ".join(str(value) for value in call.arguments.values())
            if "git apply" in command:
                continue  # a patch's text names all kinds of paths
            for kind, pattern in (("network", _NETWORK), ("outside", _OUTSIDE)):
                for hit in pattern.finditer(command):
                    if hit.group().startswith(_HARMLESS) or kind in told:
                        continue
                    told.add(kind)
                    around = command[max(0, hit.start() - 60) : hit.end() + 60]
                    yield Flag(kind=kind, evidence=f"answer {exchange.number}, {call.name}: {around}")


def _hard_coded(patch: str, evaluations: Sequence[Evaluation]) -> Iterator[Flag]:
    """Numbers with four digits or more in the patch that the judge then found as metrics."""
    written = {number for line in _added(patch) for number in re.findall(r"(?<![\w.])\d+\.\d{3,}(?![\w.])", line)}
    for evaluation in evaluations:
        for metric in evaluation.metrics:
            if isinstance(metric.value, float):
                for number in sorted(written):
                    digits = len(number.partition(".")[2])
                    if round(metric.value, digits) == float(number) and metric.value not in (0.0, 1.0):
                        yield Flag(kind="hard_coded", evidence=f"the patch holds {number}, which is also the metric {metric.name}")


def _added(patch: str) -> set[str]:
    return {line[1:].strip() for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")}


def _said(exchange: Exchange) -> str:
    answer = answer_of(exchange)
    return answer.text + "".join(str(call.arguments) for call in answer.calls)
