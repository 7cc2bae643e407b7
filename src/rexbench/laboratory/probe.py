"""What the code of a laboratory has to bear: a question that makes no sense may raise `ValueError` and nothing else.

Anything else ends a run as a fault of ours, and nobody who asks may have it in his hands whether his run counts. So every kind of
question that a run is known to ask is bent in every place, and asked.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rexbench.laboratory.door import Laboratory
from rexbench.laboratory.lab import connect
from rexbench.laboratory.record import read_record
from rexbench.laboratory.serve import FAILED, Limits

STRANGE: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2**62, -(2**63), 0.5, -1e308, 1e308, 5e-324),
    *("", "x", "0", "nan", "\ud800", "x" * 5000),
    *([], [[]], [None], [0] * 5000, {}, {"": None}),
)
_BUDGET = 2**40
_ENOUGH = 10


def known_questions(record: Path) -> list[dict[str, Any]]:
    """One answered question of each shape that the record of a run holds."""
    kinds: dict[str, dict[str, Any]] = {}
    for entry in read_record(record):
        if entry.answered and entry.line is not None:
            question = json.loads(entry.line)
            kinds.setdefault(json.dumps(_shape(question)), question)
    return list(kinds.values())


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shape(part) for name, part in sorted(value.items())}
    return [_shape(part) for part in value[:1]] if isinstance(value, list) else type(value).__name__


def bent(value: Any) -> Iterator[Any]:
    """The value with one part of it left out, added or made strange, in every way."""
    yield from STRANGE
    if isinstance(value, dict):
        yield value | {"unheard of": None}
        for name, part in value.items():
            rest = {key: other for key, other in value.items() if key != name}
            yield rest
            yield from (rest | {name: strange} for strange in bent(part))
    elif isinstance(value, list) and value:
        yield from (value[:-1], [*value, value[-1]])
        for at in {0, len(value) - 1}:
            yield from ([*value[:at], strange, *value[at + 1 :]] for strange in bent(value[at]))


def probe(task: Path, data: Path, truth: Path, known: Iterable[dict[str, Any]], folder: Path) -> list[str]:
    """The faults that bent questions bring about, a sentence each; none where the laboratory bears them. Stops after a few."""
    questions = (question for one in [{}, *known] for question in bent(one) if isinstance(question, dict))
    faults: list[str] = []
    question = next(questions, None)
    while question is not None and len(faults) < _ENOUGH:
        laboratory = Laboratory(
            task, data, truth, _BUDGET, folder / f"{len(faults)}", folder / f"{len(faults)}.jsonl", Limits(question_seconds=2)
        )
        with laboratory, connect(str(laboratory.socket)) as line, line.makefile("rwb") as stream:
            while question is not None:
                stream.write(json.dumps(question).encode() + b"\n")
                stream.flush()
                reply = stream.readline()
                if not reply or json.loads(reply).get("error") == FAILED:
                    break
                question = next(questions, None)
        if laboratory.fault:
            faults.append(f"{laboratory.fault}: {json.dumps(question)[:200]}")
            question = next(questions, None)
    return faults
