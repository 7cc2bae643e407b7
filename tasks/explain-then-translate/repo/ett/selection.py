# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Choose, per problem, between the direct and the explained completions, by a heuristic and a cut-off."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ett.completions import Tally
from ett.heuristics import REGISTRY, Unscorable
from ett.passk import mean_pass_at_k
from ett.problems import Problem


@dataclass(frozen=True)
class Choice:
    problem: Problem
    score: float
    arm: str
    tallies: Mapping[str, Tally]

    @property
    def tally(self) -> Tally:
        return self.tallies[self.arm]


@dataclass(frozen=True)
class Selection:
    pair: str
    heuristic: str
    threshold: float
    choices: list[Choice]
    dropped: list[str]
    """Ids of problems that have completions and no score."""

    def rates(self, k: int) -> dict[str, float]:
        """pass@k of both constant policies and of the selection, all three on the problems that were kept."""
        return {
            "direct": mean_pass_at_k((c.tallies["direct"] for c in self.choices), k),
            "explained": mean_pass_at_k((c.tallies["explained"] for c in self.choices), k),
            "selected": mean_pass_at_k((c.tally for c in self.choices), k),
        }


def choose_arm(score: float, threshold: float) -> str:
    return "explained" if score > threshold else "direct"


def select(
    pair: str,
    problems: Mapping[str, Problem],
    tallies: Mapping[str, Mapping[str, Tally]],
    heuristic: str,
    threshold: float,
) -> Selection:
    """One choice per problem that has completions for this pair, in the order of the completions file."""
    score_of = REGISTRY[heuristic]
    choices, dropped = [], []
    for problem_id, arms in tallies.items():
        problem = problems[problem_id]
        try:
            score = score_of(problem)
        except Unscorable:
            dropped.append(problem_id)
            continue
        choices.append(Choice(problem, score, choose_arm(score, threshold), arms))
    return Selection(pair, heuristic, threshold, choices, dropped)


def share_explained(choices: Iterable[Choice]) -> float:
    arms = [choice.arm for choice in choices]
    return arms.count("explained") / len(arms)
