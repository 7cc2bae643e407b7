"""The program's own source, as the rules read it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import rexbench

ROOT = Path(rexbench.__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources() -> dict[str, ast.Module]:
    """Every file of the program by its path below the package. Templates become files of somebody's task and are none of ours."""
    named = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
    return {name: ast.parse(path.read_text()) for name, path in named.items() if not name.startswith("task/template")}


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))
