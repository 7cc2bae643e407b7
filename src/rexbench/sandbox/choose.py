"""From a name to a sandbox."""

from rexbench.errors import RexbenchError, SandboxUnavailable
from rexbench.sandbox.protocol import Sandbox, SandboxName

SANDBOXES: tuple[SandboxName, ...] = ("bubblewrap", "docker", "podman", "process")


def choose_sandbox(name: str, unsafe: bool = False) -> Sandbox:
    """The sandbox of this name, ready to run; says how to get it where it does not work here."""
    if name == "bubblewrap":
        from rexbench.sandbox.bubblewrap import Bubblewrap

        sandbox: Sandbox = Bubblewrap()
    elif name in ("docker", "podman"):
        from rexbench.sandbox.container import Container

        sandbox = Container("docker" if name == "docker" else "podman")
    elif name == "process":
        if not unsafe:
            raise RexbenchError(
                "The sandbox 'process' isolates nothing: the patch's code would run as you. Add --unsafe if you mean it."
            )
        from rexbench.sandbox.process import PlainProcess

        sandbox = PlainProcess()
    else:
        raise RexbenchError(f"There is no sandbox {name!r}; there are: {', '.join(SANDBOXES)}.")
    complaint = sandbox.missing()
    if complaint:
        raise SandboxUnavailable(complaint)
    return sandbox
