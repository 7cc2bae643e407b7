"""Names beside points, so that none lies on another name, on a point or outside the plane."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

_NEAR = 8.0
"""From a point's middle to the nearest edge of its name."""
_STEP = 6.0
_CHOICES = 80
"""Places that are tried for one whose line to the point runs over no other name."""
_SIXTEENTHS = (0, 8, 4, 12, 1, 15, 7, 9, 2, 14, 6, 10, 3, 13, 5, 11)
_DIRECTIONS = tuple((math.cos(math.pi * at / 8), -math.sin(math.pi * at / 8)) for at in _SIXTEENTHS)
"""Right and left of the point first, then above and below, then between."""


@dataclass(frozen=True)
class Box:
    """A rectangle by its upper left corner, in a plane whose own is 0, 0."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True)
class Plane:
    """Where points lie and names may stand."""

    width: float
    height: float


def place_names(points: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], plane: Plane) -> list[Box] | None:
    """A place for each name as near to its point as there is room, in the order given; None where the plane is too small."""
    marks = [Box(x - 6, y - 6, 12, 12) for x, y in points]
    names: list[Box] = []
    for point, size in zip(points, sizes, strict=True):
        free = (tried for tried in _places(point, size, plane) if not any(tried.meets(other) for other in (*marks, *names)))
        found = next(free, None)
        if found is None:
            return None
        clear = (tried for tried in chain([found], islice(free, _CHOICES)) if not _crosses(point, tried, names))
        names.append(next(clear, found))
    return names


def nearest(point: tuple[float, float], name: Box) -> tuple[float, float]:
    """Where a line from a point meets its name."""
    return min(max(point[0], name.x), name.x + name.width), min(max(point[1], name.y), name.y + name.height)


def _places(point: tuple[float, float], size: tuple[float, float], plane: Plane) -> Iterator[Box]:
    width, height = size
    for step in range(int(max(plane.width, plane.height) / _STEP)):
        distance = _NEAR + _STEP * step
        for across, down in _DIRECTIONS:
            x = point[0] + across * (distance + width / 2) - width / 2
            y = point[1] + down * (distance + height / 2) - height / 2
            yield Box(_within(x, plane.width - width), _within(y, plane.height - height), width, height)


def _crosses(point: tuple[float, float], name: Box, others: Sequence[Box]) -> bool:
    """Whether the line from a point to its name runs over another name."""
    x, y = nearest(point, name)
    way = [Box(point[0] + (x - point[0]) * part / 16, point[1] + (y - point[1]) * part / 16, 1, 1) for part in range(17)]
    return any(spot.meets(other) for spot in way for other in others)


def _within(at: float, most: float) -> float:
    return min(max(at, 0.0), most)
