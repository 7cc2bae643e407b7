"""The documentation site, built once as its users build it."""

import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; the tests' own environment is left as it is."""
    folder = tmp_path_factory.mktemp("site")
    words = ["make", "--old-file=setup", "site", f"SITE={folder}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
