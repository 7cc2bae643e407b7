"""A process that does steps: it ends with the program that started it, leaves Ctrl-C to it, and unwinds when told to stop.

python -m rexbench.campaign.executors.worker PARENT    settings, then a step a line, on standard input; an answer to each on output
"""

import os
import signal
import subprocess
import sys

from pydantic import TypeAdapter

from rexbench.campaign.executors.attempt import attempt_step
from rexbench.campaign.undertaking import Step
from rexbench.settings import Settings
from rexbench.stopping import end_with_parent, leave_if_told, unwind_when_told
from rexbench.workbench import Workbench

STEP = TypeAdapter(Step)


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    """A worker with a bench of these settings; imports nothing from the folder that we happen to be in."""
    command = [sys.executable, "-P", "-m", "rexbench.campaign.executors.worker", str(os.getpid())]
    variables = settings.variables | {"PYTHONSAFEPATH": "1"}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables, cwd="/")
    assert process.stdin
    process.stdin.write(settings.model_dump_json().encode() + b"\n")
    return process


def hand_over(process: subprocess.Popen[bytes], step: Step) -> None:
    """Give a worker a step; raises `BrokenPipeError` where it is gone."""
    assert process.stdin
    process.stdin.write(STEP.dump_json(step) + b"\n")
    process.stdin.flush()


def main() -> None:
    end_with_parent(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unwind_when_told()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever prints, the answers stay answers
    settings = Settings.model_validate_json(sys.stdin.buffer.readline())
    bench = Workbench(settings.at_edge(os.environ))
    for line in sys.stdin.buffer:
        step = STEP.validate_json(line)
        note = attempt_step(step, bench)
        leave_if_told()
        answers.write(note.model_dump_json().encode() + b"\n")


if __name__ == "__main__":
    main()
