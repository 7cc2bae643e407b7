# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The prompt templates in prompts/ and the way back from a filled prompt to its numbers."""

from functools import cache
from pathlib import Path

FOLDER = Path("prompts")
FIELD = "{numbers}"


@cache
def template(name: str) -> str:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def value_prompt(numbers: str) -> str:
    return template("value").replace(FIELD, numbers)


def propose_prompt(numbers: str) -> str:
    """Kept for the record: this is what the teacher was given."""
    return template("propose").replace(FIELD, numbers)


def numbers_in(prompt: str) -> str:
    """What was filled into the last line of a prompt."""
    return prompt.rstrip().splitlines()[-1].removeprefix("Numbers:").strip()
