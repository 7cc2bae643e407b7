"""Files that Python would load in place of protected ones, told by their names.

In one folder Python prefers a package to an extension module, that to a source file and that to compiled code; and it looks
through folders in order: that of the script it started or the current one, then the standard library, then what is installed. So
a protected module has twins beside it, a protected package has twins beside it, in the folders of scripts there are twins of
both, and in all of these places twins of what protected code imports.

What code does once it runs, such as setting another path or replacing a module's parts, cannot be told from names.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rexbench.digest import walk_tree

_LOADED = (".py", ".so", ".pyc", ".pyo", ".pyd", ".pyw", ".pth")
"""Endings of files that Python or the programs around it load as code."""


@dataclass(frozen=True)
class Twins:
    """Places, without ending and in lower case, each with what a new file there would be loaded in place of."""

    modules: dict[str, str]
    """Taken by a file, a package or a link of that name."""
    packages: dict[str, str]
    """Taken by a file of that name alone: the folder is the codebase's own."""

    def twin_of(self, path: str) -> str | None:
        """What a new file at this path would be loaded in place of; None where nothing is."""
        at = PurePosixPath(path.casefold())
        if not at.name.endswith(_LOADED):
            return self.modules.get(str(at))  # a link, which may lead to a package; what else has no ending is not loaded
        stem = str(at.with_name(at.name.partition(".")[0] or at.name))
        return self.packages.get(stem) or next(
            (self.modules[place] for place in (stem, *map(str, at.parents)) if place in self.modules), None
        )


def find_twins(repo: Path, is_protected: Callable[[str], bool]) -> Twins:
    """Every place in a codebase from which a protected module could be shadowed."""
    sources = {path: content for path, _, content in walk_tree(repo, lambda path: path.endswith(".py"))}
    protected = [path for path in sources if is_protected(path)]
    folders = {str(PurePosixPath(path).parent) for path in sources}
    started = {"."} | {folder for folder in folders if f"{folder}/__init__.py" not in sources}
    modules = {path.removesuffix(".py"): path for path in protected}
    packages = {str(folder): path for path in protected for folder in PurePosixPath(path).parents if folder.name}
    known = {name for path in sources for name in (path.partition("/")[0], path.removesuffix(".py"))}
    for path in protected:
        outside = {name: f"{name}, which {path} imports" for name in _imported(sources[path]) if name not in known}
        for name, what in {path.partition("/")[0].removesuffix(".py"): path, **outside}.items():
            for folder in started:
                if folder != "." or name in outside:
                    modules.setdefault(str(PurePosixPath(folder, name)), what)
    return Twins(*({place.casefold(): what for place, what in kind.items()} for kind in (modules, packages)))


def _imported(source: bytes) -> Iterator[str]:
    """First names of the modules that a file imports from its path."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
