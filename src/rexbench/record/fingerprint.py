"""The kind of machine this is: what can change a floating-point result, and nothing that tells two equal machines apart."""

import platform
import re
from functools import cache
from pathlib import Path

from rexbench.digest import digest_value


@cache
def machine_fingerprint() -> str:
    """A short digest of processor model and features, word size and C library."""
    facts = [platform.machine(), platform.system(), *platform.libc_ver()]
    try:
        told = Path("/proc/cpuinfo").read_text()
    except OSError:
        told = ""
    for name in ("model name", "flags", "Features", "CPU part"):
        found = re.search(rf"^{name}\s*:\s*(.*)$", told, re.MULTILINE)
        facts.append(" ".join(sorted(found.group(1).split())) if found else "")
    return digest_value(facts)[:16]
