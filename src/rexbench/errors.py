"""Every error that a caller may want to tell apart, in one small tree.

`RexbenchError` is what the user can mend: one sentence, with the value that was wrong and how to set it right; the command line
prints it and exits with 2. `SystemFault` is blamed on the machine or on us, never on the patch under judgement; it alone is
ever retried. Anything else that escapes is a bug and shows its traceback.
"""


class RexbenchError(Exception):
    """Something the user can mend; the message is one sentence that says how."""

    exit_status = 2


class UnknownTask(RexbenchError):
    """No task of that name; the message names the nearest one."""


class BrokenTask(RexbenchError):
    """A task folder that does not keep its contract; the message names the file, the key and the line."""


class WrongKey(RexbenchError):
    """A vault that the given key does not open."""


class UnusablePatch(RexbenchError):
    """A patch file or folder that cannot be read at all (as opposed to one that is read and refused)."""


class PatchRejected(Exception):
    """A patch that does not apply or reaches where it must not. An outcome of an evaluation, not an error of the program."""


class SystemFault(RexbenchError):
    """No sandbox, no disk, no environment: ours to mend, never counted for or against an agent."""

    exit_status = 3


class SandboxUnavailable(SystemFault):
    """The chosen sandbox does not work on this machine; the message says how to get it."""


class EnvironmentBuildFailed(SystemFault):
    """An interpreter environment could not be built; the message carries the builder's last words."""
