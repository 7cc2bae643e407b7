# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How many episodes do three agents need to find the far end of a chain whose near end pays a little?

python -m experiments.chain_study
"""

import numpy as np

from agents.tabular import Counts, solve

LENGTH, HORIZON, EPISODES, DISCOUNT = 8, 20, 60, 0.95


def step(state: int, action: int, rng: np.random.Generator) -> tuple[int, float]:
    """Right succeeds six times out of ten; left always. The ends pay .01 and 1."""
    if action == 0:
        return max(state - 1, 0), 0.01 if state == 0 else 0.0
    after = min(state + 1, LENGTH - 1) if rng.random() < 0.6 else state
    return after, 1.0 if state == LENGTH - 1 else 0.0


def episodes_until_found(agent: str, rng: np.random.Generator) -> int:
    counts = Counts(LENGTH, 2)
    for episode in range(EPISODES):
        chance, reward = counts.draw(rng) if agent == "posterior" else counts.with_bonus(0.5 if agent == "bonus" else 0.0)
        quality, state = solve(chance, reward, DISCOUNT, 60), 0
        for _ in range(HORIZON):
            greedy = agent != "epsilon" or rng.random() > 0.2
            action = int(quality[state].argmax()) if greedy else int(rng.integers(2))
            after, paid = step(state, action, rng)
            counts.add(state, action, paid, after)
            if paid == 1.0:
                return episode + 1
            state = after
    return EPISODES


def main() -> None:
    for agent in ("epsilon", "bonus", "posterior"):
        needed = [episodes_until_found(agent, np.random.default_rng(seed)) for seed in range(5)]
        print(f"{agent:10s} {np.mean(needed):5.1f} episodes   {needed}")


if __name__ == "__main__":
    main()
