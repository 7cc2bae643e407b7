"""The pages for users, read as a reader does: blocks in order, and in them commands, files and code.

Every block says what it is: `sh` holds commands and nothing else, `python` code, `text` what is shown; `python`, `toml` and `yaml`
are a file where the first line is a comment with its name. A block that says nothing is an error, so that no command drops out
unseen.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
LANGUAGES = ("sh", "text", "python", "toml", "yaml")
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\S*)\s*$")
_NAMED = re.compile(r"^# (?P<name>[\w.-]+\.(?:py|toml|yaml))$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    """Of its first line of content."""
    language: str
    text: str

    @property
    def file(self) -> str:
        """The name of the file that this block is; empty where it is none."""
        named = _NAMED.match(self.text.partition("\n")[0])
        return named["name"] if named and self.language in ("python", "toml", "yaml") else ""


@dataclass(frozen=True)
class Command:
    """A command line of a page."""

    page: str
    line: int
    text: str

    @property
    def program(self) -> str:
        """What is started, behind the variables that are set for it."""
        return next(word for word in self.text.split() if not re.match(r"\w+=", word))

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"


@cache
def blocks(page: str) -> tuple[Block, ...]:
    """The blocks of a page, in order."""
    found: list[Block] = []
    opened: tuple[int, str, str] | None = None
    lines: list[str] = []
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if fence and opened:
            found.append(Block(page, opened[0], opened[1], "\n".join(lines)))
            opened, lines = None, []
        elif fence:
            opened = (number + 1, fence["language"], fence["indent"])
        elif opened:
            lines.append(line.removeprefix(opened[2]))
    assert opened is None, f"{page}:{opened[0] - 1}: a block is not closed"
    return tuple(found)


def commands(block: Block) -> list[Command]:
    """The command lines of a block: continued lines joined, remarks left out."""
    found: list[Command] = []
    begun, at = "", 0
    for number, line in enumerate(block.text.splitlines(), block.line):
        at = at if begun else number
        begun += line.strip()
        if begun.endswith("\\"):
            begun = begun.removesuffix("\\")
            continue
        told = re.sub(r"(^|\s+)#\s.*$", "", begun).strip()
        if told:
            found.append(Command(block.page, at, re.sub(r"\s+", " ", told)))
        begun = ""
    return found


def all_commands() -> list[Command]:
    """Every command line of every page."""
    return [one for page in PAGES for block in blocks(page) if block.language == "sh" for one in commands(block)]
