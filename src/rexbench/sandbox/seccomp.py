"""A system-call filter for bubblewrap: what namespaces alone do not close.

Refused are new user namespaces and mounts, the kernel's keyrings (they outlive a run and cross namespaces), sockets other than
unix, internet and netlink ones (those to the hypervisor belong to no network namespace), System V memory, semaphores and queues
and POSIX queues (nobody counts what lies in them; POSIX shared memory and semaphores are files, and counted), and interfaces that
experiments have no use for and that have let programs out of sandboxes before.

Nothing may reach the namespace's first process: were it traced, written to or given other limits, it could be made to end as if
the host had killed it. To step back behind others (by priority, policy or choice of processors) is granted and has no effect: on a
busy machine, a run that does so would look like one that is kept waiting. Everything else is as the kernel has it.
"""

import errno
import platform
import struct
from dataclasses import dataclass
from functools import cache

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24, 32)
_NEW_USER_NAMESPACE = 0x10000000
_SOCKET_FAMILIES = (1, 2, 10, 16)
"""unix, internet 4 and 6, netlink."""

_SAME_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
    "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
}  # fmt: skip
_X86_64 = _SAME_EVERYWHERE | {
    "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166,
    "pivot_root": 155, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "kexec_load": 246, "kexec_file_load": 320,
    "init_module": 175, "finit_module": 313, "delete_module": 176, "swapon": 167, "reboot": 169, "syslog": 103, "quotactl": 179,
    "acct": 163, "name_to_handle_at": 303, "open_by_handle_at": 304, "shmget": 29, "shmat": 30, "semget": 64, "msgget": 68,
    "mq_open": 240,
}  # fmt: skip
_AARCH64 = _SAME_EVERYWHERE | {
    "add_key": 217, "request_key": 218, "keyctl": 219, "unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41,
    "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "kexec_load": 104, "kexec_file_load": 294, "init_module": 105,
    "finit_module": 273, "delete_module": 106, "swapon": 224, "reboot": 142, "syslog": 116, "quotactl": 60, "acct": 89,
    "name_to_handle_at": 264, "open_by_handle_at": 265, "shmget": 194, "shmat": 196, "semget": 190, "msgget": 186, "mq_open": 180,
}  # fmt: skip


@dataclass(frozen=True)
class _Machine:
    architecture: int
    refused: dict[str, int]
    clone: int
    clone3: int
    socket: int
    of_a_process: tuple[tuple[int, int], ...]
    """ptrace, process_vm_writev, prlimit64: the call, and which argument names the process."""
    without_effect: tuple[int, ...]
    """sched_setscheduler, sched_setaffinity, sched_setattr."""
    setpriority: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, _X86_64, 56, 435, 41, ((101, 1), (311, 0), (302, 0)), (144, 203, 314), 141),
    "aarch64": _Machine(0xC00000B7, _AARCH64, 220, 435, 198, ((117, 1), (271, 0), (261, 0)), (119, 122, 274), 140),
}


@cache
def filter_program() -> bytes | None:
    """The filter in the kernel's classic BPF, or None on a machine whose system-call numbers are not known here."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return None
    program = [_step(_LOAD, _ARCHITECTURE), *_unless(_EQUAL, machine.architecture, _refuse(errno.ENOSYS)), _step(_LOAD, _NUMBER)]
    if platform.machine() == "x86_64":
        program += _when(_AT_LEAST, 0x40000000, _refuse(errno.ENOSYS))  # the second ABI, with numbers of its own
    for number in machine.refused.values():
        program += _when(_EQUAL, number, _refuse(errno.EPERM))
    program += _when(_EQUAL, machine.clone3, _refuse(errno.ENOSYS))  # its flags are out of reach; libraries fall back to clone
    for number in machine.without_effect:
        program += _when(_EQUAL, number, _refuse(0))
    # A negative value would go ahead of others, and that the kernel itself refuses.
    lowered = [_step(_LOAD, _ARGUMENTS[2]), *_when(_AT_LEAST, 0x80000000, _allow()), _refuse(0)]
    program += _branch(machine.setpriority, lowered)
    for number, named in machine.of_a_process:
        program += _branch(number, [_step(_LOAD, _ARGUMENTS[named]), *_when(_EQUAL, 1, _refuse(errno.EPERM)), _allow()])
    new_namespace = [_step(_LOAD, _ARGUMENTS[0]), *_when(_ANY_BIT, _NEW_USER_NAMESPACE, _refuse(errno.EPERM)), _allow()]
    program += _branch(machine.clone, new_namespace)
    families = [step for family in _SOCKET_FAMILIES for step in _when(_EQUAL, family, _allow())]
    program += _branch(machine.socket, [_step(_LOAD, _ARGUMENTS[0]), *families, _refuse(errno.EAFNOSUPPORT)])
    return b"".join([*program, _allow()])


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)


def _when(test: int, operand: int, then: bytes) -> list[bytes]:
    return [_step(test, operand, 0, 1), then]


def _unless(test: int, operand: int, then: bytes) -> list[bytes]:
    return [_step(test, operand, 1, 0), then]


def _branch(number: int, body: list[bytes]) -> list[bytes]:
    """Steps for one system call; every way through them ends in a decision."""
    return [_step(_EQUAL, number, 0, len(body)), *body]


def _refuse(error: int) -> bytes:
    """End the call with this error; with 0, as if it had been done."""
    return _step(_RETURN, _REFUSE | error)


def _allow() -> bytes:
    return _step(_RETURN, _ALLOW)
