"""The vault: closed at rest, opened by its key alone."""

from pathlib import Path

import pytest

from rexbench.errors import WrongKey
from rexbench.task.folder import Task
from rexbench.task.vault import PUBLIC_PASSPHRASE as KEY
from rexbench.task.vault import open_vault, seal, unseal, write_folder

FILES = {"gold.patch": b"diff --git a/x b/x\n", "near_misses/one.patch": b"other", "notes.md": "notes ü".encode()}


def test_what_was_sealed_comes_back(tmp_path: Path) -> None:
    (tmp_path / "vault.bin").write_bytes(seal(FILES, KEY))
    assert unseal(tmp_path / "vault.bin", KEY) == FILES


def test_nothing_of_the_content_is_readable_in_the_sealed_file() -> None:
    sealed = seal({"gold.patch": b"a line of the solution " * 50}, KEY)
    assert b"solution" not in sealed and b"gold.patch" not in sealed


def test_another_key_does_not_open_it(tmp_path: Path) -> None:
    (tmp_path / "vault.bin").write_bytes(seal(FILES, "a private key"))
    with pytest.raises(WrongKey):
        unseal(tmp_path / "vault.bin", KEY)
    assert unseal(tmp_path / "vault.bin", "a private key") == FILES


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    sealed = bytearray(seal(FILES, KEY))
    sealed[-1] ^= 1
    (tmp_path / "vault.bin").write_bytes(sealed)
    with pytest.raises(WrongKey):
        unseal(tmp_path / "vault.bin", KEY)


def test_an_open_folder_is_read_in_place_of_the_sealed_file(toy: Task) -> None:
    opened = open_vault(toy.folder, KEY)
    (toy.folder / "vault.bin").write_bytes(seal(opened.files, KEY))
    (toy.folder / "vault" / "gold.patch").write_bytes(b"edited")
    assert open_vault(toy.folder, KEY).gold == b"edited"


def test_a_sealed_vault_gives_the_same_patches_as_the_folder(toy: Task, tmp_path: Path) -> None:
    opened = open_vault(toy.folder, KEY)
    (tmp_path / "vault.bin").write_bytes(seal(opened.files, KEY))
    assert open_vault(tmp_path, KEY) == opened
    write_folder(unseal(tmp_path / "vault.bin", KEY), tmp_path / "vault")
    assert open_vault(tmp_path, KEY) == opened
