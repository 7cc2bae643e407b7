# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""What a run leaves behind: a log of samples per task, and a table of accuracies. See docs/results.md."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    doc_id: str
    prompt: str
    response: str
    prediction: str | None
    target: str
    correct: bool


def write_samples(folder: Path, task: str, samples: list[Sample]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(asdict(sample)) + "\n" for sample in samples]
    (folder / f"samples_{task}.jsonl").write_text("".join(lines), encoding="utf-8")


def read_samples(folder: Path, task: str) -> list[Sample]:
    lines = (folder / f"samples_{task}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Sample(**json.loads(line)) for line in lines]


def accuracy(samples: list[Sample]) -> float:
    return sum(sample.correct for sample in samples) / len(samples)


def write_table(folder: Path, name: str, by_task: dict[str, list[Sample]]) -> None:
    """Accuracy of each task and, in the last row, of all samples together."""
    everything = [sample for samples in by_task.values() for sample in samples]
    rows = by_task | {f"{name} (all)": everything}
    table = {task: {"n": len(samples), "accuracy": round(accuracy(samples), 6)} for task, samples in rows.items()}
    (folder / "results.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    for task, row in table.items():
        print(f"{task:32s} {row['n']:5d} {100 * row['accuracy']:6.1f}")
