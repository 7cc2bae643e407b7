"""What `--slurm` says: sbatch's own long options as key=value, passed through but for the few that are ours to set."""

import re
from collections.abc import Mapping
from typing import Any

from rexbench.campaign.undertaking import Needs
from rexbench.errors import RexbenchError

_OURS = {"array", "chdir", "comment", "error", "input", "job-name", "nodes", "ntasks", "open-mode", "output", "signal", "wrap"}
_SHORT = {"A": "account", "C": "constraint", "c": "cpus-per-task", "p": "partition", "q": "qos", "t": "time", "w": "nodelist"}
_BARE = {
    "contiguous",
    "exclusive",
    "hold",
    "no-kill",
    "no-requeue",
    "overcommit",
    "oversubscribe",
    "reboot",
    "requeue",
    "spread-job",
}
"""Options that stand without a value."""


def read_slurm_options(text: str) -> dict[str, str]:
    """`partition=gpu,gres=gpu:1,time=12:00:00`; a part without `=` goes on with the value before it, as in `exclude=n1,n2`."""
    options: dict[str, str] = {}
    last = ""
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.partition("=")
        if equals:
            last = _SHORT.get(key, key.lstrip("-").replace("_", "-"))
            options[last] = value
        elif part.lstrip("-") in _BARE:
            options[part.lstrip("-")] = ""
        elif last:
            options[last] += f",{part}"
        else:
            raise RexbenchError(f"{part!r} in --slurm is no option; write key=value, such as partition=gpu,time=12:00:00.")
    taken = sorted(_OURS & set(options))
    if taken:
        raise RexbenchError(f"--slurm cannot set {', '.join(taken)}: rexbench sets it itself; leave it out.")
    if "time" in options:
        read_minutes(options["time"])
    return options


def read_minutes(text: str) -> int:
    """Slurm's ways to write a time: MM, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS; whole minutes, rounded up."""
    found = re.fullmatch(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?", text)
    if not found:
        raise RexbenchError(f"time={text!r} in --slurm is no time; write minutes, HH:MM:SS or D-HH:MM:SS.")
    days, *rest = found.groups()
    parts = [int(part) for part in rest if part is not None]
    if days is not None:
        hours, minutes, seconds = [*parts, 0, 0][:3]
    elif len(parts) == 3:
        hours, minutes, seconds = parts
    else:
        hours, minutes, seconds = 0, *([*parts, 0][:2])
    return int(days or 0) * 1440 + hours * 60 + minutes + (seconds > 0)


def job_parameters(options: Mapping[str, str], needs: Needs) -> dict[str, Any]:
    """submitit's parameters for a job: what was asked for, and else what the step may need."""
    minutes = read_minutes(options["time"]) if "time" in options else needs.minutes
    if minutes < needs.minutes:
        raise RexbenchError(
            f"time={options['time']} in --slurm is too short: a step of this campaign may take {needs.minutes} minutes by its own "
            f"limits, and Slurm must not end it before they do; give time={needs.minutes} or more, or leave it out."
        )
    rest: dict[str, Any] = {key: value or True for key, value in options.items() if key != "time"}  # submitit: True is no value
    if not any(key.startswith("mem") for key in rest):
        rest["mem"] = f"{needs.memory_mb}M"
    rest.setdefault("cpus-per-task", "1")
    if needs.gpus and not any(key.startswith("gpus") or key == "gres" for key in rest):
        rest["gres"] = f"gpu:{needs.gpus}"
    return {"time": minutes, "nodes": 1, "additional_parameters": {"ntasks": 1, **rest}}
