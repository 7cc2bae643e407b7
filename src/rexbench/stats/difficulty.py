"""What makes a task hard: final success on properties of the task, with an intercept for each agent."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rexbench.stats.arrays import Floats, Integers
from rexbench.stats.distributions import student_tail


@dataclass(frozen=True)
class Coefficient:
    """One property's slope: points of success for one unit more."""

    value: float
    standard_error: float
    p: float


def difficulty_regression(success: npt.ArrayLike, properties: Floats, agent: Integers, task: Integers) -> list[Coefficient]:
    """Least squares of y = a[agent] + b x + e; standard errors allow any dependence between runs on the same task.

    The published analysis fits a random intercept for each model (arXiv 2506.22598, appendix); where all agents ran all tasks
    equally often the slopes are the same with fixed intercepts, which are used here because they assume nothing about agents. The
    covariance is the cluster-robust sandwich with c = G / (G - 1) (n - 1) / (n - k), and t with G - 1 degrees of freedom, G the
    number of tasks (Cameron and Miller 2015, Journal of Human Resources 50:317): properties vary between tasks alone, so it is
    tasks that count.
    """
    outcome = np.asarray(success, dtype=np.float64)
    _, agents = np.unique(agent, return_inverse=True)
    _, tasks = np.unique(task, return_inverse=True)
    design = np.hstack([properties, np.eye(agents.max() + 1)[agents]])
    bread = np.linalg.pinv(design.T @ design)
    slopes = bread @ (design.T @ outcome)
    scores = design * (outcome - design @ slopes)[:, None]
    groups, (count, width) = int(tasks.max()) + 1, design.shape
    by_task = np.zeros((groups, width))
    np.add.at(by_task, tasks, scores)
    correction = groups / (groups - 1) * (count - 1) / (count - width)
    spread = np.sqrt(np.diag(correction * bread @ (by_task.T @ by_task) @ bread))
    found = [(float(slopes[at]), float(spread[at])) for at in range(properties.shape[1])]
    return [Coefficient(slope, error, _two_sided(slope, error, groups - 1)) for slope, error in found]


def _two_sided(slope: float, error: float, degrees: int) -> float:
    return 2 * student_tail(abs(slope / error), degrees) if error > 0 else float("nan")
