"""Without the packages of other programs: each command says in one sentence what to install, and the rest does not miss them."""

import subprocess
import sys

import pytest

HIDDEN = """\
import sys
sys.modules.update(dict.fromkeys(("inspect_ai", "verifiers", "harbor", "sqlalchemy", "alembic", "psycopg")))
sys.argv = ["rexbench", *sys.argv[1:]]
from rexbench.cli.main import main
main()
"""


def without_extras(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("arguments", "extra"), [(("export", "inspect", "campaign"), "inspect"), (("serve",), "serve")])
def test_a_command_says_what_to_install(arguments: tuple[str, ...], extra: str) -> None:
    done = without_extras(*arguments)
    (told,) = done.stderr.splitlines()
    assert done.returncode == 2
    assert told.startswith(f"rexbench: rexbench {' '.join(arguments[:2])} needs ")
    assert told.endswith(f"install it with: pip install 'rexbench[{extra}]'")


def test_nothing_else_needs_them() -> None:
    assert without_extras("task", "list").returncode == 0


def test_the_package_and_its_command_line_load_none_of_them() -> None:
    code = "import sys, rexbench.cli.app, rexbench.api.bench; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not [name for name in ("inspect_ai", "verifiers", "harbor", "sqlalchemy", "alembic", "psycopg") if f"'{name}'" in loaded]
