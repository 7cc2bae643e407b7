"""What Inspect finds by the entry point: the tasks `rexbench/replication` and `rexbench/frontier`, and the sandbox `rexbench`."""

from rexbench.interop.inspect.sandbox import RexbenchSandbox
from rexbench.interop.inspect.scorer import verdict
from rexbench.interop.inspect.tasks import frontier, replication

__all__ = ["RexbenchSandbox", "frontier", "replication", "verdict"]
