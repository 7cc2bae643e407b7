"""The sealed part of a task: the gold patch, alternatives, near misses and notes.

At rest it is one encrypted file, `vault.bin`, under a passphrase that the README gives, so that a crawl of the repository does
not put solutions into a training set. That keeps honest crawlers out, not people; a private leaderboard seals with a key of its
own. An author's open `vault/` folder, where there is one, is read in place of the sealed file.
"""

import io
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import BrokenTask, WrongKey

PUBLIC_PASSPHRASE = "do-not-train-on-rexbench"
_MAGIC = b"rexbench-vault-1\n"
_SALT, _NONCE = 16, 12


@dataclass(frozen=True)
class Vault:
    """What the vault holds, by name."""

    gold: bytes
    alternatives: dict[str, bytes]
    """Other right patches; each must pass on every variant."""
    near_misses: dict[str, bytes]
    """Plausible wrong patches; each must fail on every variant."""
    ideas: dict[str, bytes]
    """Of a scored task: solutions by one idea alone, to see what each is worth."""
    attacks: dict[str, bytes]
    """Cheats; none may succeed, and of a scored task none may score more than the unchanged repository."""
    notes: str
    files: dict[str, bytes]
    """Everything in it, by relative path."""


def open_vault(task_folder: Path, passphrase: str) -> Vault:
    """The vault of a task, from the open folder if an author has one there, else from the sealed file."""
    folder = task_folder / "vault"
    files = _read_folder(folder) if folder.is_dir() else unseal(task_folder / "vault.bin", passphrase)
    if "gold.patch" not in files:
        raise BrokenTask(f"{task_folder.name}: the vault holds no gold.patch.")

    def patches(kind: str) -> dict[str, bytes]:
        return {
            Path(path).stem: data for path, data in sorted(files.items()) if path.startswith(f"{kind}/") and path.endswith(".patch")
        }

    notes = files.get("notes.md", b"").decode("utf-8", "replace")
    return Vault(
        files["gold.patch"], patches("alternatives"), patches("near_misses"), patches("ideas"), patches("attacks"), notes, files
    )


def seal(files: dict[str, bytes], passphrase: str) -> bytes:
    """The encrypted form of `files`: magic, salt, nonce, AES-256-GCM over a tar."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as archive:
        for path, data in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    salt, nonce = os.urandom(_SALT), os.urandom(_NONCE)
    return _MAGIC + salt + nonce + AESGCM(_key(passphrase, salt)).encrypt(nonce, buffer.getvalue(), _MAGIC)


def unseal(path: Path, passphrase: str) -> dict[str, bytes]:
    """The files in a sealed vault; raises `WrongKey` where the passphrase does not open it."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        sealed = path.read_bytes()
    except FileNotFoundError as error:
        raise BrokenTask(f"{path.parent.name}: there is neither vault.bin nor an open vault/ folder.") from error
    if not sealed.startswith(_MAGIC):
        raise BrokenTask(f"{path}: not a rexbench vault.")
    body = sealed[len(_MAGIC) :]
    salt, nonce, cipher = body[:_SALT], body[_SALT : _SALT + _NONCE], body[_SALT + _NONCE :]
    try:
        packed = AESGCM(_key(passphrase, salt)).decrypt(nonce, cipher, _MAGIC)
    except InvalidTag as error:
        raise WrongKey(
            f"{path}: the key does not open this vault; set REXBENCH_VAULT_KEY to the one it was sealed with."
        ) from error
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        members = [(member.name, archive.extractfile(member)) for member in archive.getmembers() if member.isfile()]
        return {name: stream.read() for name, stream in members if stream is not None}


def write_folder(files: dict[str, bytes], folder: Path) -> None:
    """Lay the vault's files out for an author; paths come from our own authenticated archive but are checked all the same."""
    for path, data in files.items():
        if Path(path).is_absolute() or ".." in Path(path).parts:
            raise BrokenTask(f"the vault names a path outside itself: {path}.")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _read_folder(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _key(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=2**14, r=8, p=1).derive(passphrase.encode())
