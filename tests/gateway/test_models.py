"""A key is taken from where it is kept, or refused in a sentence."""

from pathlib import Path

import pytest

from rexbench.errors import RexbenchError
from rexbench.gateway.models import find_model
from rexbench.gateway.settings import ForwardSettings


def test_a_key_file_holds_the_key_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("  sk-one \n")
    provider = find_model("openai/m", {}, key_file=tmp_path / "key").provider
    assert isinstance(provider, ForwardSettings) and provider.key == "sk-one"


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"sk-one\nsk-two\n", b"\xff\xfe", "sk-schl\u00fcssel".encode(), b"OPENAI_API_KEY = sk-one"]
)
def test_a_damaged_key_file_is_refused_with_its_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(RexbenchError, match="key file") as refused:
        find_model("openai/m", {}, key_file=tmp_path / "key")
    assert str(tmp_path / "key") in str(refused.value)


def test_a_key_in_the_environment_is_held_to_the_same() -> None:
    with pytest.raises(RexbenchError, match="OPENAI_API_KEY holds more than a key"):
        find_model("openai/m", {"OPENAI_API_KEY": "sk-one\nx-evil: 1"})
    with pytest.raises(RexbenchError, match="OPENAI_API_KEY is not set"):
        find_model("openai/m", {})
