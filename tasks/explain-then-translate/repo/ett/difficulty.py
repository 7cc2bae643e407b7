# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The paper's analysis: where do explanations help?

Problems are split into terciles by how often the model gets them right without an explanation. Measuring the gain on the
completions that decided the tercile would make hard problems look easier the second time by chance alone, so completions
with an even index decide and those with an odd index are scored.
"""

from ett.completions import ARMS, tally
from ett.passk import mean_pass_at_k

TERCILES = ("hard", "medium", "easy")


def gains_by_difficulty(raw: dict[str, dict[str, list[dict]]]) -> dict[str, tuple[int, float, float]]:
    """tercile -> number of problems, pass@1 direct, pass@1 explained. Problems left without a completion on either side are skipped."""
    usable = []
    for problem_id, arms in raw.items():
        deciding = tally(arms["direct"][0::2])
        scored = {arm: tally(arms[arm][1::2]) for arm in ARMS}
        if deciding.n and all(t.n for t in scored.values()):
            usable.append((deciding.c / deciding.n, problem_id, scored))
    usable.sort(key=lambda entry: entry[:2])
    gains = {}
    for at, tercile in enumerate(TERCILES):
        part = usable[at * len(usable) // 3 : (at + 1) * len(usable) // 3]
        rates = [mean_pass_at_k([scored[arm] for _, _, scored in part], 1) for arm in ARMS]
        gains[tercile] = (len(part), *rates)
    return gains
