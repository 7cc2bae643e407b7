"""Doing one step, wherever that is: a fault of ours is an answer and no crash, and so is a bug, which also shows itself in full."""

import socket
import traceback
from pathlib import Path

from pydantic import BaseModel

from rexbench.campaign.executors.protocol import Ended
from rexbench.campaign.opening import open_undertaking
from rexbench.campaign.undertaking import Step, Undertaking
from rexbench.errors import RexbenchError, SystemFault
from rexbench.workbench import Workbench


class Note(BaseModel):
    """How a step ended, as it is told across processes."""

    fault: str | None = None
    permanent: bool = False
    where: str = ""

    def ended(self, step: Step) -> Ended:
        return Ended(step, self.fault, self.permanent, self.where)


def attempt_step(step: Step, bench: Workbench, undertaking: Undertaking | None = None) -> Note:
    """Do a step and say how that went; a bug costs its own run, never the others. Opens the undertaking where it is not at hand."""
    here = bench.settings.variables.get("SLURMD_NODENAME") or socket.gethostname()
    try:
        (undertaking or open_undertaking(Path(step.folder))).perform(step, bench)
    except SystemFault as error:
        return Note(fault=str(error), where=here)
    except RexbenchError as error:
        return Note(fault=str(error), permanent=True, where=here)
    except OSError as error:
        return Note(fault=f"{type(error).__name__}: {error}", where=here)
    except Exception as error:
        traceback.print_exc()
        return Note(fault=f"a bug of rexbench: {type(error).__name__}: {error}", permanent=True, where=here)
    return Note(where=here)
