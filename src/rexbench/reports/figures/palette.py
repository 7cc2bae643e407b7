"""The colours of figures and page, for light and for dark, and the style that puts them on a drawing.

Outcomes are told apart by eyes that see all colours and by those that do not (after Okabe and Ito 2008, Color Universal Design);
`tests/reports/test_figures.py` simulates both.
"""

import re
from dataclasses import dataclass, fields
from importlib.resources import files


@dataclass(frozen=True)
class Palette:
    """Colours by what they are for."""

    paper: str
    ink: str
    soft: str
    """Text of less weight."""
    line: str
    tint: str
    accent: str
    good: str
    bad: str
    full: str
    """The end of the heat map's scale; `tint` is its beginning."""


LIGHT = Palette("#ffffff", "#1c2024", "#5c656e", "#d5dae0", "#f4f6f8", "#0b66c3", "#1a7f37", "#b42318", "#0a4f98")
DARK = Palette("#14171a", "#e6e9ec", "#9aa4ae", "#343b42", "#1e2327", "#6cb2ff", "#57c878", "#ff8b80", "#7dbbff")
DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)"
"""What is printed is light."""

OUTCOMES = {
    "success": "#009e73",
    "below_gold": "#f0e442",
    "wrong_result": "#e69f00",
    "broken_base": "#56b4e9",
    "bad_artifact": "#cc79a7",
    "execution_failed": "#d55e00",
    "timeout": "#0072b2",
    "patch_rejected": "#5f5f5f",
    "empty_patch": "#c8c8c8",
}
"""In the order in which figures stack them."""
HEAT_STEPS = 10


def figure_style() -> str:
    """The style of every figure, in colours and not in variables, which few programs beside browsers know."""
    outcomes = "".join(
        f".fig .o-{name}{{fill:{colour}}}.fig .on-{name}{{fill:{_legible(colour)}}}" for name, colour in OUTCOMES.items()
    )
    return f"{_style(LIGHT)}{DARK_SCREEN}{{{_style(DARK)}}}{outcomes}"


def page_variables() -> str:
    """The same colours as variables of the page's own style."""
    return f":root{{{_variables(LIGHT)}}}{DARK_SCREEN}{{:root{{{_variables(DARK)}}}}}"


def _style(colours: Palette) -> str:
    rules = (files("rexbench.reports") / "page" / "figure.css").read_text(encoding="utf-8")
    plain = re.sub(r"var\(--(\w+)\)", lambda found: str(getattr(colours, found[1])), rules)
    heat = (_mixed(colours.tint, colours.full, step / HEAT_STEPS) for step in range(HEAT_STEPS + 1))
    shades = (f".fig .h{step}{{fill:{colour}}}.fig .on-h{step}{{fill:{_legible(colour)}}}" for step, colour in enumerate(heat))
    return plain + "".join(shades)


def _variables(colours: Palette) -> str:
    return "".join(f"--{field.name}:{getattr(colours, field.name)};" for field in fields(colours))


def _mixed(first: str, second: str, share: float) -> str:
    parts = (round(a + share * (b - a)) for a, b in zip(_rgb(first), _rgb(second), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _legible(ground: str) -> str:
    """Black or white, whichever stands out more: one of them always has a contrast of 4.5 to 1."""
    red, green, blue = (part / 255 for part in _rgb(ground))
    light = sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in ((0.2126, red), (0.7152, green), (0.0722, blue))
    )
    return "#000" if light > 0.179 else "#fff"


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
