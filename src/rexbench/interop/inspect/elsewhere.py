"""Sandboxes of Inspect's that are not ours, such as its Docker: the workspace is carried in and out as an archive.

What comes out is unpacked inside of a workroom, so that the host follows no path that was bent in the container.
"""

import io
import secrets
import tarfile

from anyio import to_thread
from inspect_ai.util import ComposeConfig, ComposeService, OutputLimitExceededError, SandboxEnvironment, SandboxEnvironmentSpec

from rexbench.environment.build import EnvironmentName
from rexbench.errors import RexbenchError, SandboxUnavailable, SystemFault
from rexbench.interop.workroom import Workroom
from rexbench.record.model import Limits
from rexbench.sandbox.protocol import ENVIRONMENT, WORKSPACE, standard_variables
from rexbench.task.folder import HintLevel, Task
from rexbench.workbench import Workbench
from rexbench.workspace.tree import make_workspace

_SECONDS = 600
_THEIRS = (OutputLimitExceededError, TimeoutError, FileNotFoundError, IsADirectoryError, PermissionError, UnicodeDecodeError)
"""What an agent can bring about by what it did to its container. Errors of Inspect's own are ours and are raised."""
_UNPACK = "tar -tzf /dev/stdin > /dev/null && find . -mindepth 1 -delete && tar -xzf /dev/stdin --no-same-owner"


def sandbox_of(name: str, environment: EnvironmentName, bench: Workbench) -> SandboxEnvironmentSpec:
    """What Inspect is told of the sandbox of this name. Its Docker starts containers with the packages and without a network."""
    if name == "rexbench":
        bench.sandbox.prepare(environment)
        return SandboxEnvironmentSpec(name)
    if name != "docker":
        raise RexbenchError(f"There is no sandbox {name!r} for Inspect; there are: rexbench, docker.")
    complaint = bench.any_sandbox(name).missing()
    if complaint:
        raise SandboxUnavailable(complaint)
    limits = Limits()
    service = ComposeService(
        image=bench.images.ensure(name, environment),
        command=["sleep", "infinity"],
        init=True,
        network_mode="none",
        working_dir=WORKSPACE,
        environment={**standard_variables(f"{ENVIRONMENT}/bin", "/root")},
        mem_limit=f"{limits.memory_mb}m",
        pids_limit=limits.processes,
        stop_grace_period="1s",
    )
    return SandboxEnvironmentSpec(name, ComposeConfig(services={"default": service}))


async def carry_in(box: SandboxEnvironment, task: Task, hints: HintLevel, bench: Workbench) -> None:
    """Put into the sandbox what an agent gets."""
    archive = _new_name()
    await box.write_file(archive, await to_thread.run_sync(_packed, task, hints, bench))
    script = f"mkdir -p {WORKSPACE} && tar -xf {archive} --no-same-owner -C {WORKSPACE} && rm {archive}"
    done = await box.exec(["sh", "-c", script], timeout=_SECONDS)
    if not done.success:
        raise SystemFault(f"The workspace could not be put into the sandbox: {done.stderr.strip()[-300:]}")


async def carry_out(box: SandboxEnvironment, task: Task, hints: HintLevel, bench: Workbench) -> bytes:
    """What the workspace has come to, as a patch; none where the agent has left nothing that can be carried."""
    archive = _new_name()
    try:
        await box.exec(["tar", "-czf", archive, "--exclude=./.git", "-C", WORKSPACE, "."], timeout=_SECONDS)
        sent = await box.read_file(archive, text=False)
    except _THEIRS:
        return b""
    return await to_thread.run_sync(unpacked_patch, sent, task, hints, bench)


def _new_name() -> str:
    """Of an archive in the sandbox; nobody can have put anything in its place."""
    return f"/var/tmp/rexbench-{secrets.token_hex(8)}.tar"


def _packed(task: Task, hints: HintLevel, bench: Workbench) -> bytes:
    packed = io.BytesIO()
    with bench.home.scratch("room") as folder, tarfile.open(fileobj=packed, mode="w") as archive:
        make_workspace(task, folder / "workspace", hints)
        archive.add(folder / "workspace", ".")
    return packed.getvalue()


def unpacked_patch(archive: bytes, task: Task, hints: HintLevel, bench: Workbench) -> bytes:
    """The patch of a workspace that was sent as an archive; none where that cannot be read to its end."""
    with Workroom(task, hints, bench) as room:
        done = room.shell(_UNPACK, _SECONDS, archive)
        return b"" if done.stopped_by else room.patch().patch
