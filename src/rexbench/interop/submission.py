"""A submission: one archive with every patch of a campaign, the agents' logs, and what everything was made with.

    manifest.json                         format, versions, agents, and each file's digest
    runs/AGENT/TASK/HINTS/N/patch.diff    what is judged
    runs/AGENT/TASK/HINTS/N/agent.json, trajectory.json, exchanges.jsonl.gz, logs

Verdicts are not in it: whoever receives it judges the patches anew. An archive is read member by member and never unpacked.
"""

import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import rexbench
from rexbench.campaign.folder import Campaign
from rexbench.digest import digest_bytes
from rexbench.errors import PatchRejected, RexbenchError, UnknownTask
from rexbench.interop.archive import Damaged, add_member, opened, read_member
from rexbench.interop.patches import HandedIn
from rexbench.record.clock import now
from rexbench.task.folder import HINT_LEVELS
from rexbench.task.suite import Suite
from rexbench.text import printable
from rexbench.untrusted import NotTaken, parse_json, read_plain
from rexbench.workspace.patch import MAX_PATCH, is_empty, summarise

FORMAT = "rexbench-submission-1"
_MAX_MEMBERS = 200_000
_MAX_MEMBER = 64 * 1024 * 1024
_MAX_TOTAL = 4 * 1024 * 1024 * 1024
_MAX_DEFECTS = 1000
_MAX_DEPTH = 16
_PATCH = re.compile(r"runs/([A-Za-z0-9][A-Za-z0-9._+-]{0,63})/([a-z0-9-]+)/(none|hints|detailed)/([1-9]\d{0,4})/patch\.diff")


def pack(campaign: Campaign, target: Path) -> int:
    """Write the archive of a campaign's judged runs; returns how many. The same campaign gives the same bytes but for the date."""
    plan = campaign.plan
    runs = campaign.runs()
    if not runs:
        raise RexbenchError(f"{campaign.folder} has no finished run to hand in.")
    if not target.parent.is_dir():
        raise RexbenchError(f"There is no folder {target.parent} to write {target.name} into.")
    digests: dict[str, str] = {}
    draft = target.with_name(f".{target.name}.new")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for run in runs:
            attempt = campaign.attempt_folder(run.id, run.attempt)
            for path in _plain_files(attempt):
                name = f"runs/{run.id}/{path}"
                content = read_plain(Path(path), _MAX_MEMBER, inside=attempt)
                digests[name] = digest_bytes(content)
                add_member(archive, name, content)
        manifest = {
            "format": FORMAT,
            "rexbench": rexbench.__version__,
            "packed_at": now(),
            "agents": [spec.model_dump(exclude={"key_file", "base_url"}) for spec in plan.agents],
            "tasks": {run.task: run.step.task_digest for run in runs},
            "hints": list(plan.hints),
            "runs": plan.runs,
            "files": digests,
        }
        add_member(archive, "manifest.json", json.dumps(manifest, indent=1))
    draft.replace(target)
    return len(runs)


def _plain_files(folder: Path) -> list[str]:
    """Paths of the plain files below a folder, sorted; what else is there, and what lies too deep, stays where it is."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        at = waiting.pop()
        with os.scandir(folder / at) as listed:
            for item in listed:
                path = f"{at}/{item.name}" if at else item.name
                if item.is_dir(follow_symlinks=False) and path.count("/") < _MAX_DEPTH:
                    waiting.append(path)
                elif item.is_file(follow_symlinks=False) and path.isprintable():
                    found.append(path)
    return sorted(found)


def read_submission(path: Path) -> list[HandedIn]:
    """The patches of an archive; raises where it is not whole. What is doubtful about a patch its verdict will say."""
    defects = _examined(path, _wholeness)
    if defects:
        more = f" (and {len(defects) - 1} more: rexbench submit check {path})" if len(defects) > 1 else ""
        raise RexbenchError(f"{path}: {defects[0]}{more}")
    with opened(path) as archive:
        return sorted(_patches(archive), key=lambda one: one.id)


def check_submission(path: Path, suite: Suite) -> list[str]:
    """Every defect of an archive, in plain words: what keeps it from being judged, and what its maker ought to look at."""
    return _examined(path, lambda archive: chain(_wholeness(archive), _doubts(archive, suite)))


def _examined(path: Path, defects: Callable[[zipfile.ZipFile], Iterable[str]]) -> list[str]:
    try:
        with opened(path) as archive:
            return [printable(defect) for defect in islice(defects(archive), _MAX_DEFECTS)]
    except Damaged as error:
        return [f"it {error.defect}"]


def _wholeness(archive: zipfile.ZipFile) -> Iterator[str]:
    """What keeps an archive from being judged; what is in it is looked at only where that is safe."""
    found = list(_structure(archive))
    yield from found or _contents(archive)


def _structure(archive: zipfile.ZipFile) -> Iterator[str]:
    members = archive.infolist()
    if len(members) > _MAX_MEMBERS:
        yield f"it has {len(members)} members; at most {_MAX_MEMBERS} are taken"
    if sum(member.file_size for member in members) > _MAX_TOTAL:
        yield f"it unpacks to more than {_MAX_TOTAL} bytes"
    counted = Counter(member.filename for member in members)
    for name in sorted(name for name, count in counted.items() if count > 1):
        yield f"{name!r} is in it more than once"
    for member in members:
        parts = member.filename.split("/")
        if member.filename.startswith("/") or ".." in parts or "\\" in member.filename or "" in parts[:-1]:
            yield f"{member.filename!r} leads out of the archive"
        if member.file_size > _MAX_MEMBER:
            yield f"{member.filename} is {member.file_size} bytes long; at most {_MAX_MEMBER} are taken"
        if (member.external_attr >> 16) & 0o170000 == 0o120000:
            yield f"{member.filename} is a link"
        if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield f"{member.filename} is encrypted, or packed in another way than deflate"


def _contents(archive: zipfile.ZipFile) -> Iterator[str]:
    manifest = _manifest(archive)
    if isinstance(manifest, str):
        yield manifest
        return
    listed = manifest.get("files")
    listed = listed if isinstance(listed, dict) else {}
    present = {member.filename for member in archive.infolist() if not member.is_dir()} - {"manifest.json"}
    for name in sorted(listed.keys() - present):
        yield f"{name} is in the manifest and not in the archive"
    for name in sorted(present - listed.keys()):
        yield f"{name} is in the archive and not in the manifest"
    for name in sorted(present & listed.keys()):
        if archive.getinfo(name).file_size <= _MAX_MEMBER and digest_bytes(read_member(archive, name)) != listed[name]:
            yield f"{name} is not what the manifest says: its digest differs"
    for member in archive.infolist():
        if member.filename.rsplit("/", 1)[-1] == "patch.diff" and not _PATCH.fullmatch(member.filename):
            yield f"{member.filename} is not where patches are: runs/AGENT/TASK/HINTS/N/patch.diff"
        elif _PATCH.fullmatch(member.filename) and member.file_size > MAX_PATCH:
            yield f"{member.filename} is {member.file_size} bytes long; patches of at most {MAX_PATCH} are taken"
    if not any(_patches(archive)):
        yield "it holds no patch (runs/AGENT/TASK/HINTS/N/patch.diff)"


def _doubts(archive: zipfile.ZipFile, suite: Suite) -> Iterator[str]:
    """What a verdict will say anyway, and what a leaderboard would not take: protected files, tasks left out, another version."""
    manifest = _manifest(archive)
    if any(_structure(archive)) or isinstance(manifest, str):
        return
    patches = list(_patches(archive))
    yield from _patch_defects(patches, suite)
    yield from _coverage(patches, suite)
    yield from _versions(manifest, suite)


def _patch_defects(patches: list[HandedIn], suite: Suite) -> Iterator[str]:
    for one in patches:
        try:
            task = suite.load(one.task)
        except UnknownTask as error:
            yield f"{one.id}: {error}"
            continue
        if is_empty(one.patch):
            continue
        try:
            summary = summarise(one.patch, Path("/"))
        except PatchRejected as error:
            yield f"{one.id}: {error}"
            continue
        for path in summary.files:
            if task.guard_of(path) or task.twin_of(path):
                yield f"{one.id}: the patch edits {path}, which is protected or stands for what is"


def _versions(manifest: dict[str, Any], suite: Suite) -> Iterator[str]:
    """Tasks that have changed since; a patch of the former version may not apply."""
    listed = manifest.get("tasks")
    for name, digest in sorted(listed.items()) if isinstance(listed, dict) else ():
        if name in suite.ids() and suite.load(name).digest != digest:
            yield f"{name}: the patches were made on another version of the task"


def _coverage(patches: list[HandedIn], suite: Suite) -> Iterator[str]:
    """A leaderboard needs every task as often as every other; what is missing is named, a suite in part is allowed."""
    known = set(suite.ids())
    for agent in sorted({one.agent for one in patches}):
        own = [one for one in patches if one.agent == agent]
        for level in [level for level in HINT_LEVELS if any(one.hints == level for one in own)]:
            counts = {task: sum(one.task == task and one.hints == level for one in own) for task in {one.task for one in own}}
            most = max(counts.values())
            for task, count in sorted(counts.items()):
                if task in known and count < most:
                    yield f"{agent}: {task} at hint level {level} has {count} runs where other tasks have {most}"


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any] | str:
    try:
        if archive.getinfo("manifest.json").file_size > _MAX_MEMBER:
            return "manifest.json is too large"
        found: Any = parse_json(read_member(archive, "manifest.json"), "manifest.json")
    except KeyError:
        return "manifest.json is missing"
    except NotTaken as error:
        return str(error).removesuffix(".")
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return f"manifest.json is not of the format {FORMAT}"
    return found


def _patches(archive: zipfile.ZipFile) -> Iterator[HandedIn]:
    for member in archive.infolist():
        found = _PATCH.fullmatch(member.filename)
        if found and member.file_size <= MAX_PATCH:
            level = next(level for level in HINT_LEVELS if level == found.group(3))
            yield HandedIn(found.group(1), found.group(2), level, int(found.group(4)), read_member(archive, member.filename))
