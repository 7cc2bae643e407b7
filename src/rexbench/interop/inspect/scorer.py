"""Verdicts as Inspect's scores. A fault of ours is an error of the sample: it is no score, and a retry tries it again."""

import asyncio
import os
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from rexbench.evaluation.evaluate import Verdict
from rexbench.interop.inspect.edge import of_sample, open_bench
from rexbench.interop.inspect.keeping import patch_of
from rexbench.interop.judges import Judges
from rexbench.task.variants import choose_seeds


@scorer(metrics={"*": [mean(), stderr()]})
def verdict(variants: int | None = None, variant_seed: int | None = None) -> Scorer:
    """Judge what the sample's agent left, on the host, against live gold on held-out data.

    `variants` and `variant_seed` mean what they mean to `rexbench evaluate`.
    """
    bench = open_bench()
    judges = Judges(bench, len(os.sched_getaffinity(0)))

    async def score(state: TaskState, target: Target) -> Score:
        patch = await patch_of(state)
        task, _ = of_sample(state.metadata, bench)
        seeds = choose_seeds(task, variants, variant_seed, bench.home.secret())
        return score_of(await asyncio.wrap_future(judges.judge(task, patch, seeds)), patch)

    return score


def score_of(found: Verdict, patch: bytes) -> Score:
    """A verdict as a score: what is averaged as its value, the rest as metadata."""
    first = found.first
    value: dict[str, str | int | float | bool | None] = {
        "success": int(found.outcome == "success"),
        "execution_success": int(found.execution_success),
        "file_recall": first.file_recall,
    }
    if found.score is not None:
        value = {"score": found.score, **value}
    return Score(
        value=value,
        answer=patch.decode(errors="replace"),
        explanation=f"{found.outcome}: {first.detail}" if first.detail else found.outcome,
        metadata=metadata_of(found),
    )


def metadata_of(found: Verdict) -> dict[str, Any]:
    """All of a verdict that a reader may want, the records' keys among it."""
    first = found.first
    return {
        "outcome": found.outcome,
        "detail": first.detail,
        "score": found.score,
        "metrics": [metric.model_dump() for metric in found.metrics],
        "figure": first.figure.model_dump() if first.figure else None,
        "claim": first.claim.model_dump() if first.claim else None,
        "file_precision": first.file_precision,
        "exception": first.exception,
        "evaluations": [{"seed": one.variant_seed, "key": one.key, "outcome": one.outcome} for one in found.evaluations],
    }
