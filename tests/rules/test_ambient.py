"""Nothing is ambient: below the edge nobody reads the environment, the working folder or a cache that outlives a bench.

Files and caches that may are listed here, each with its reason; an entry that is no longer needed fails as well.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.rules.source import functions, sources

EDGES = {
    "api/bench.py": "where a bench is made, and where relative folders of its user are meant from",
    "cli/options.py": "where a command that only looks makes its workbench",
    "settings.py": "reads the folder for temporary files and the user's folder once, into the settings",
    "campaign/executors/on_node.py": "the edge on a node of a cluster",
    "campaign/executors/worker.py": "the edge of a worker process",
    "campaign/executors/probe.py": "the edge of a probe on a node",
    "campaign/executors/slurm/submission.py": "sets, and does not read, how loud submitit is before it is imported",
    "cli/run.py": "relative folders of the command line are meant from the working folder",
    "interop/harbor/verifier.py": "where Harbor calls us, in a process of its own making",
    "interop/inspect/edge.py": "where Inspect calls us, in a process of its own making",
    "interop/training/verifiers.py": "where verifiers calls us, in a process of its own making",
    "environment/pin.py": "a program of its own, for maintainers",
    "gateway/relay.py": "a program of its own, inside of the agent's sandbox",
    "laboratory/lab.py": "a program of its own, inside of the experiment's sandbox",
    "workspace/git.py": "hands PATH on, by which every other child process is found too",
}
CACHES = {
    "evaluation/evaluate.py:_gold_files": "a pure function of a patch's bytes",
    "evaluation/execute.py:program_digest": "this program's own code and libraries, which do not change under it",
    "gateway/meter.py:_price_list": "a library that is slow to import",
    "record/fingerprint.py:machine_fingerprint": "a fact of the machine, by the GPUs that are shown",
    "reports/published.py:published_results": "shipped tables",
    "sandbox/bubblewrap.py:_missing": "whether this machine can run bubblewrap",
    "sandbox/bubblewrap.py:sweep_once": "control groups are the machine's, of whatever home",
    "sandbox/bubblewrap_arguments.py:_version": "bubblewrap's version on this machine",
    "sandbox/bubblewrap_arguments.py:nproc_holds": "a fact of the kernel",
    "sandbox/bubblewrap_arguments.py:system_mounts": "the machine's own folders",
    "sandbox/container.py:_missing": "whether this machine can run the engine",
    "sandbox/container.py:sweep": "containers are the machine's, of whatever home",
    "sandbox/seccomp.py:filter_program": "a fact of the machine",
    "stats/distributions.py:student_quantile": "a pure function of numbers",
    "stats/paired.py:_all_patterns": "a pure function of numbers",
    "stats/paired.py:_deals": "a pure function of numbers, with a fixed seed",
    "stats/paired.py:_drawn_patterns": "a pure function of numbers, with a fixed seed",
    "stats/paired.py:_hypergeometric": "a pure function of numbers",
}
AMBIENT = {
    "environ",
    "environb",
    "getenv",
    "putenv",
    "cwd",
    "getcwd",
    "home",
    "expanduser",
    "expandvars",
    "gettempdir",
    "user_data_dir",
}
OF_MODULES = {"os", "Path", "pathlib", "platformdirs", "tempfile"}


def ambient(tree: ast.Module) -> Iterator[str]:
    """What a file reads of its surroundings: `os.environ`, `Path.cwd()`, `path.expanduser()` and the like, however imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in AMBIENT:
            owner = node.value
            owned = isinstance(owner, ast.Name) and owner.id in OF_MODULES
            if owned or (isinstance(owner, ast.Attribute) and owner.attr == "Path") or node.attr == "expanduser":
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom) and node.module in OF_MODULES:
            for name in node.names:
                if name.name in AMBIENT:
                    yield f"{node.lineno}: from {node.module} import {name.name}"


def caches(tree: ast.Module) -> Iterator[str]:
    """Functions that keep what they gave back for as long as the process lives."""
    for function in functions(tree):
        for decorator in function.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if ast.unparse(called).rpartition(".")[2] in ("cache", "lru_cache"):
                yield function.name


def test_only_edges_read_the_environment_and_the_working_folder() -> None:
    found = {name: list(ambient(tree)) for name, tree in sources().items()}
    assert {name: told for name, told in found.items() if told and name not in EDGES} == {}
    assert [name for name in EDGES if not found.get(name)] == [], "these read nothing any more"


def test_what_is_kept_for_the_life_of_the_process_depends_on_no_home() -> None:
    found = {f"{name}:{function}" for name, tree in sources().items() for function in caches(tree)}
    assert found - CACHES.keys() == set()
    assert CACHES.keys() - found == set(), "these are kept no more"


def test_no_module_keeps_a_store_of_its_own() -> None:
    """A cache by hand: an empty dict, list or set at the top of a module, which somebody fills later."""
    kept = []
    signals = "stopping.py"  # who asked this process to stop is the process's own state
    for name, tree in sources().items():
        for node in tree.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            empty = isinstance(value, ast.Dict | ast.List) and not ast.unparse(value).strip("{}[]")
            called = isinstance(value, ast.Call) and ast.unparse(value) in ("set()", "dict()", "list()")
            if empty or called:
                kept.append(f"{name}:{node.lineno}")
        kept += [
            f"{name}:{node.lineno}: {ast.unparse(node)}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Global) and name != signals
        ]
    assert kept == []


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.environ['HOME']",
        "import os\nos.getenv('HOME')",
        "from os import environ",
        "from pathlib import Path\nPath.cwd()",
        "import pathlib\npathlib.Path.home()",
        "def f(path): return path.expanduser()",
        "import os\nos.getcwd()",
    ],
)
def test_a_breach_is_found(code: str) -> None:
    assert list(ambient(ast.parse(code)))


def test_a_cache_is_found_however_it_is_written() -> None:
    code = "import functools\n@functools.lru_cache(maxsize=1)\ndef a(): ...\n@cache\ndef b(): ...\n@cached_property\ndef c(): ...\n"
    assert list(caches(ast.parse(code))) == ["a", "b"]
