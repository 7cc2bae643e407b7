"""From a name to a sandbox."""

from pathlib import Path

from rexbench.environment.build import Environments
from rexbench.environment.image import Images
from rexbench.errors import RexbenchError, SandboxUnavailable
from rexbench.places import Home
from rexbench.sandbox.protocol import Sandbox, SandboxName

SANDBOXES: tuple[SandboxName, ...] = ("bubblewrap", "docker", "podman", "process")


def make_sandbox(name: str, environments: Environments, images: Images, home: Home, hidden: tuple[Path, ...]) -> Sandbox:
    """The sandbox of this name, whether it works here or not; `hidden` is what no job may see, wherever it lies."""
    if name == "bubblewrap":
        from rexbench.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap(environments, hidden)
    if name in ("docker", "podman"):
        from rexbench.sandbox.container import Container

        return Container("docker" if name == "docker" else "podman", environments, images)
    if name == "process":
        from rexbench.sandbox.process import PlainProcess

        return PlainProcess(environments, home)
    raise RexbenchError(f"There is no sandbox {name!r}; there are: {', '.join(SANDBOXES)}.")


def usable(sandbox: Sandbox, unsafe: bool) -> Sandbox:
    """The sandbox, if it works here and may be used; says how to get it where it does not."""
    if sandbox.name == "process" and not unsafe:
        raise RexbenchError(
            "The sandbox 'process' isolates nothing: the patch's code would run as you. Add --unsafe if you mean it."
        )
    complaint = sandbox.missing()
    if complaint:
        raise SandboxUnavailable(complaint)
    return sandbox
