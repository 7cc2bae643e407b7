"""The kind of machine this is: what can change a floating-point result, and nothing that tells two equal machines apart."""

import platform
import re
from functools import cache
from pathlib import Path

from rexbench.digest import digest_value


@cache
def machine_fingerprint(gpus: tuple[str, ...] = ()) -> str:
    """A short digest of processor model and features, word size, C library, and the models of the GPUs that a job is shown."""
    facts = [platform.machine(), platform.system(), *platform.libc_ver()]
    try:
        told = Path("/proc/cpuinfo").read_text()
    except OSError:
        told = ""
    for name in ("model name", "flags", "Features", "CPU part"):
        found = re.search(rf"^{name}\s*:\s*(.*)$", told, re.MULTILINE)
        facts.append(" ".join(sorted(found.group(1).split())) if found else "")
    facts += gpus  # none: the kind that the same machine is without any, since no result can depend on what is not shown
    return digest_value(facts)[:16]
