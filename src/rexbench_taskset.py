"""The taskset by which verifiers finds rexbench: it takes tasksets from packages by their name, and this is `rexbench-taskset`."""

from rexbench.interop.training.verifiers import RexbenchTaskset

__all__ = ["RexbenchTaskset"]
