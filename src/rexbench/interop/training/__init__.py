"""Tasks as episodes of a training loop, and as a taskset of `verifiers`.

An episode's worlds come from seeds that no held-out seed of a verdict can be, and its records lie in a home of its own that is gone
with it. May import `interop.workroom` and what lies below `interop`; only `verifiers.py` knows the package of that name.
"""
