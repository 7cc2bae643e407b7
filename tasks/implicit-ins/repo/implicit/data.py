# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The instruction set, the rubrics and the references, and files of responses."""

import json
from pathlib import Path


def read_jsonl(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def write_jsonl(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def load_instructions(data: Path) -> list[dict]:
    return read_jsonl(data / "instructions.jsonl")


def load_rubrics(truth: Path) -> dict[str, list[tuple[str, str]]]:
    return {row["id"]: [tuple(point) for point in row["points"]] for row in read_jsonl(truth / "rubrics.jsonl")}


def load_responses(path: Path) -> dict[str, str]:
    return {row["id"]: row["response"] for row in read_jsonl(path)}
