# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The laboratory as an agent meets it: episodes that are begun and gone on with.

    lab = connect()
    first = lab.begin("w03")                      # the first observation; costs one step
    seen, paid, over = lab.act("w03", [0, 2])     # observations, rewarded tasks (-1: none), whether the episode is over; costs two

`lab.py` carries the questions; see there for where the laboratory is.
"""

from pathlib import Path

from lab import Lab as Door
from lab import Refused

__all__ = ["ROOT", "Lab", "Refused", "connect"]
ROOT = Path(__file__).parent


class Lab:
    """Carries actions out and keeps count of the steps that each world has left."""

    def __init__(self, door: Door, steps: dict[str, int]) -> None:
        self.door, self.left = door, dict(steps)

    def begin(self, world: str) -> int:
        """Begin a new episode, whatever became of the last one."""
        self.left[world] -= 1
        return self.door.ask({"world": world, "new": True})["observations"][0]

    def act(self, world: str, actions: list[int]) -> tuple[list[int], list[int], bool]:
        """Go on with the episode. What is left of the actions when it ends is paid for and not carried out."""
        self.left[world] -= max(1, len(actions))
        answer = self.door.ask({"world": world, "actions": [int(action) for action in actions]})
        return answer["observations"], answer["paid"], answer["over"]


def connect(steps: dict[str, int], data: Path = ROOT / "data", truth: Path = ROOT / "truth") -> Lab:
    return Lab(Door(data, truth), steps)
