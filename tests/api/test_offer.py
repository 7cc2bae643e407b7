"""What `import rexbench` offers: everything that is listed, nothing before it is asked for."""

import subprocess
import sys

import pytest

import rexbench


@pytest.mark.parametrize("name", rexbench.__all__)
def test_everything_that_is_listed_is_there(name: str) -> None:
    assert getattr(rexbench, name) is not None and name in dir(rexbench)


def test_what_is_not_offered_is_told_with_what_is() -> None:
    with pytest.raises(AttributeError, match=r"it offers: .*Bench"):
        rexbench.Benhc  # noqa: B018


def test_importing_loads_no_library() -> None:
    code = "import sys, rexbench; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"numpy", "scipy", "pandas", "pydantic", "typer", "rich", "httpx", "jinja2", "cryptography", "starlette"}
    assert "rexbench" in loaded
