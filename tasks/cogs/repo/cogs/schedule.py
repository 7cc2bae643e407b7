# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The learning rate of a step."""

from cogs.config import Config


def rate_at(step: int, config: Config) -> float:
    """Linear warm-up to the peak, then a straight line down to the floor, which it keeps. Steps count from 1."""
    if step <= config.warmup_steps:
        return config.peak_rate * step / config.warmup_steps
    done = (step - config.warmup_steps) / (config.decay_end - config.warmup_steps)
    return config.peak_rate * (1 - (1 - config.floor) * min(done, 1.0))
