# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Early stopping on the accuracy on dev."""

from dataclasses import dataclass, field


@dataclass
class EarlyStopping:
    patience: int
    min_gain: float
    best: float = field(default=float("-inf"), init=False)
    waited: int = field(default=0, init=False)

    def better(self, accuracy: float) -> bool:
        """Take in one evaluation; True if it is the best so far by min_gain points or more."""
        if accuracy - self.best >= self.min_gain:
            self.best, self.waited = accuracy, 0
            return True
        self.waited += 1
        return False

    @property
    def exhausted(self) -> bool:
        return self.waited >= self.patience
