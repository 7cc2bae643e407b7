"""Functions that fit on a screen and files that hold one idea."""

import ast

import pytest

from tests.rules.source import ROOT, Function, functions, sources

PARAMETERS, LINES, FILE_LINES = 8, 60, 400


def parameters(function: Function) -> int:
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))])


def lines(function: Function, command: bool = False) -> int:
    """Of the whole function; of a command, whose declaration is its interface and whose docstring its help, only what it does."""
    body = function.body[1:] if command and ast.get_docstring(function) else function.body
    first = body[0].lineno if command and body else function.lineno
    return (function.end_lineno or first) - first + 1


def too_large(name: str, tree: ast.Module) -> list[str]:
    """What breaks the rule in one file."""
    found = []
    for function in functions(tree):
        command = name.startswith("cli/") and function.name == name.rpartition("/")[2].removesuffix(".py")
        if parameters(function) > PARAMETERS and not command:
            found.append(f"{name}: {function.name} has {parameters(function)} parameters")
        if lines(function, command) > LINES:
            found.append(f"{name}: {function.name} has {lines(function, command)} lines")
    return found


def test_no_function_has_more_than_eight_parameters_or_sixty_lines() -> None:
    assert [found for name, tree in sources().items() for found in too_large(name, tree)] == []


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in ROOT.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > FILE_LINES} == {}


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("stats/x.py", "def f(a, b, c, d, e, *, f, g, h, **i): ...", "9 parameters"),
        ("cli/run.py", "def helper(a, b, c, d, e, f, g, h, i): ...", "9 parameters"),
        ("stats/x.py", "class A:\n async def f(self):\n" + "  x = 1\n" * 60, "61 lines"),
        ("cli/run.py", "def run():\n '''Help.'''\n" + " x = 1\n" * 61, "61 lines"),
    ],
)
def test_a_breach_is_found(name: str, code: str, told: str) -> None:
    (found,) = too_large(name, ast.parse(code))
    assert told in found


def test_a_commands_declaration_and_help_are_no_part_of_its_length() -> None:
    code = "def run(" + "".join(f"\n  a{at}=0," for at in range(70)) + "\n):\n '''" + "Help.\n" * 70 + "'''\n x = 1\n"
    assert too_large("cli/run.py", ast.parse(code)) == []
