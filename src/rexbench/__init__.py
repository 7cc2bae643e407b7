"""rexbench: can a coding agent extend published AI research by itself?

    import rexbench as rx

    bench = rx.Bench(home="rex")
    verdict = bench.evaluate("othello", patch)

Everything that is offered is listed in `__all__` and described in docs/api.md. Names are loaded when they are first used, so that
importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from rexbench.agent.settings import Agent as Agent
    from rexbench.agent.settings import Endpoint as Endpoint
    from rexbench.agent.settings import GatewayOptions as GatewayOptions
    from rexbench.api.bench import Bench as Bench
    from rexbench.api.bench import HeldOut as HeldOut
    from rexbench.api.campaign import CampaignResult as CampaignResult
    from rexbench.api.environment import Environment as Environment
    from rexbench.api.report import report as report
    from rexbench.api.view import view as view
    from rexbench.campaign.conduct import Event as Event
    from rexbench.campaign.executors.dask import Dask as Dask
    from rexbench.campaign.executors.inline import Inline as Inline
    from rexbench.campaign.executors.local import Local as Local
    from rexbench.campaign.executors.slurm.executor import Slurm as Slurm
    from rexbench.campaign.plan import Plan as Plan
    from rexbench.errors import RexbenchError as RexbenchError
    from rexbench.errors import SystemFault as SystemFault
    from rexbench.evaluation.evaluate import Verdict as Verdict
    from rexbench.record.model import Evaluation as Evaluation
    from rexbench.record.model import Limits as Limits
    from rexbench.record.model import Run as Run
    from rexbench.task.folder import Task as Task

_WHERE = {
    "Agent": "rexbench.agent.settings",
    "Bench": "rexbench.api.bench",
    "CampaignResult": "rexbench.api.campaign",
    "Dask": "rexbench.campaign.executors.dask",
    "Endpoint": "rexbench.agent.settings",
    "Environment": "rexbench.api.environment",
    "Evaluation": "rexbench.record.model",
    "Event": "rexbench.campaign.conduct",
    "GatewayOptions": "rexbench.agent.settings",
    "HeldOut": "rexbench.api.bench",
    "Inline": "rexbench.campaign.executors.inline",
    "Limits": "rexbench.record.model",
    "Local": "rexbench.campaign.executors.local",
    "Plan": "rexbench.campaign.plan",
    "RexbenchError": "rexbench.errors",
    "Run": "rexbench.record.model",
    "Slurm": "rexbench.campaign.executors.slurm.executor",
    "SystemFault": "rexbench.errors",
    "Task": "rexbench.task.folder",
    "Verdict": "rexbench.evaluation.evaluate",
    "report": "rexbench.api.report",
    "view": "rexbench.api.view",
}
__all__ = ["__version__", *_WHERE]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"rexbench has no {name!r}; it offers: {', '.join(sorted(_WHERE))}")
    found = getattr(import_module(_WHERE[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
