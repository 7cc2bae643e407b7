"""Readers for files that nobody trusts: everything a judge may open an artefact with.

An artefact was written by code under test. These readers never unpickle, never follow a link, never allocate more than the
file's own header and size justify, and turn every malformation into `BrokenContract`, which names the file and the defect. What
they let pass is plain: numbers are finite and of at most 64 bits, text can be encoded, nesting is shallow; so that a judge which
copes with legal values never fails. A judge that reads artefacts by any other means is refused by lint.
"""

import csv
import io
import math
import reprlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rexbench.untrusted import MAX_BYTES, NotTaken, parse_json, read_plain

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BrokenContract(ValueError):
    """The artefacts are not what the instructions asked for; the message says which file and why."""


def require(condition: bool, defect: str) -> None:
    """Raise `BrokenContract(defect)` unless `condition` holds."""
    if not condition:
        raise BrokenContract(defect)


def read_bytes(path: Path) -> bytes:
    """The content of a regular file of bounded size; a link, a device or a missing file is a broken contract."""
    try:
        return read_plain(path)
    except NotTaken as error:
        raise BrokenContract(f"{path.name}: {error.defect}") from error
    except FileNotFoundError as error:
        raise BrokenContract(f"{path.name}: cannot be read (there is no such file)") from error


def read_text(path: Path) -> str:
    """The content as strict UTF-8."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenContract(f"{path.name}: not UTF-8 at byte {error.start}") from error


def read_json(path: Path) -> Any:
    """One JSON value. Numbers not finite or over 64 bits, duplicate keys, halves of characters and deep nesting are refused."""
    return _parse_json(read_text(path), path.name)


def read_jsonl(path: Path) -> list[Any]:
    """One JSON value per non-blank line."""
    lines = read_text(path).split("\n")
    return [_parse_json(line, f"{path.name} line {at}") for at, line in enumerate(lines, 1) if line.strip()]


def read_table(path: Path, columns: Iterable[str], delimiter: str = ",") -> list[dict[str, str]]:
    """Rows of a delimited file with a header, as text; each of `columns` must be there, others are kept."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    rows = _csv_rows(reader, path.name)
    header = next(rows, None)
    require(header is not None, f"{path.name}: empty")
    assert header is not None
    require(len(set(header)) == len(header), f"{path.name}: duplicate column names")
    missing = [name for name in columns if name not in header]
    require(not missing, f"{path.name}: no column {', '.join(missing)}")
    table = []
    for at, row in enumerate(rows, 2):
        if not row:
            continue
        require(len(row) == len(header), f"{path.name} line {at}: {len(row)} fields where the header has {len(header)}")
        table.append(dict(zip(header, row, strict=True)))
    return table


def read_array(path: Path, dtypes: str = "iuf") -> "NDArray[Any]":
    """One `.npy` array whose dtype kind is among `dtypes`; object arrays (pickles) are refused, and so are NaN and infinity."""
    return _array(read_bytes(path), path.name, dtypes)


def read_arrays(path: Path, dtypes: str = "iuf") -> "dict[str, NDArray[Any]]":
    """The arrays of an `.npz` file by name, each held to what `read_array` asks; unpacked they are within the bound of one file."""
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as archive:
            members = archive.infolist()
            require(
                sum(member.file_size for member in members) <= MAX_BYTES, f"{path.name}: unpacks to more than {MAX_BYTES} bytes"
            )
            packed = {}
            for member in members:
                with archive.open(member) as file:
                    packed[member.filename.removesuffix(".npy")] = file.read(member.file_size + 1)
    except BrokenContract:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise BrokenContract(f"{path.name}: not an .npz file ({error!s:.200})") from error
    require(len(packed) == len(members), f"{path.name}: an array is there twice")
    return {name: _array(raw, f"{path.name}: {name!r:.80}", dtypes) for name, raw in packed.items()}


def _array(raw: bytes, name: str, dtypes: str) -> "NDArray[Any]":
    import numpy as np  # commands that read no array do not wait for it

    stream = io.BytesIO(raw)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
    except Exception as error:  # numpy evaluates the header's text; whatever that raises, the file is at fault
        raise BrokenContract(f"{name}: not a .npy file ({error!s:.200})") from error
    require(not dtype.hasobject, f"{name}: holds pickled objects")
    require(dtype.kind != "f" or dtype.itemsize <= 8, f"{name}: dtype {dtype} holds more than float64 can")
    require(dtype.kind in dtypes, f"{name}: dtype {dtype} is not one of the kinds {dtypes!r}")
    require(all(side >= 0 for side in shape), f"{name}: negative shape {shape}")
    # The header promises this much; believing it before checking would let a small file ask for all memory.
    promised = math.prod(shape) * dtype.itemsize
    require(promised == len(raw) - stream.tell(), f"{name}: header promises {promised} bytes, file holds others")
    stream.seek(0)
    try:
        array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:  # such as a shape of more sides than numpy knows
        raise BrokenContract(f"{name}: not a .npy file ({error!s:.200})") from error
    require(dtype.kind != "f" or bool(np.isfinite(array).all()), f"{name}: holds NaN or infinity")
    parts = {"b": "u1", "U": f"{dtype.byteorder}u4"}.get(dtype.kind)
    if parts and array.size and dtype.itemsize:
        codes = np.frombuffer(array.tobytes(), parts)
        legal = codes <= 1 if dtype.kind == "b" else (codes < 0xD800) | ((codes > 0xDFFF) & (codes <= 0x10FFFF))
        require(bool(legal.all()), f"{name}: holds what is no {'truth value' if dtype.kind == 'b' else 'text'}")
    return array


def as_number(value: object, what: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite float from a JSON number or CSV field, inside [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BrokenContract(f"{what}: {reprlib.repr(value)} is not a number")
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise BrokenContract(f"{what}: {reprlib.repr(value)} is not a number") from error
    require(math.isfinite(number), f"{what}: {reprlib.repr(value)} is not finite")
    require(low <= number <= high, f"{what}: {number} is outside [{low}, {high}]")
    return number


def as_integer(value: object, what: str, low: int | None = None, high: int | None = None) -> int:
    """An integer from a JSON integer or a CSV field of plain digits, inside [low, high]."""
    if isinstance(value, str) and len(value) <= 20 and value.removeprefix("-").isascii() and value.removeprefix("-").isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BrokenContract(f"{what}: {reprlib.repr(value)} is not an integer")
    require(abs(value) < 2**63, f"{what}: an integer of more than 64 bits")
    require(low is None or value >= low, f"{what}: {value} is below {low}")
    require(high is None or value <= high, f"{what}: {value} is above {high}")
    return value


def same_ids(found: Iterable[Any], expected: Iterable[Any], what: str) -> None:
    """Every expected id exactly once and no other, in any order."""
    found, expected = list(found), set(expected)
    try:
        seen = set(found)
    except TypeError as error:
        raise BrokenContract(f"{what}: an id is neither a number nor text") from error
    require(len(seen) == len(found), f"{what}: an id occurs more than once")
    require(not expected - seen, f"{what}: {len(expected - seen)} of {len(expected)} ids are missing")
    require(not seen - expected, f"{what}: {len(seen - expected)} ids are not in the data")


def _parse_json(text: str, name: str) -> Any:
    try:
        value = parse_json(text, name)
    except NotTaken as error:
        raise BrokenContract(f"{name}: {error.defect}") from error
    level = [value]
    while level:
        for one in level:
            require(not isinstance(one, int) or abs(one) < 2**63, f"{name}: an integer of more than 64 bits")
        parts = (outer.values() if isinstance(outer, dict) else outer for outer in level if isinstance(outer, dict | list))
        level = [inner for part in parts for inner in part]
    return value


def _csv_rows(reader: Iterator[list[str]], name: str) -> Iterator[list[str]]:
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BrokenContract(f"{name}: not a delimited table ({error})") from error
