"""Inspect: the benchmark as its tasks, a sandbox of ours for it, and campaigns as its logs.

Only this room knows the package `inspect_ai`, and nothing imports the room but Inspect itself, by the entry point that names
`registry`, and the command that writes logs. May import `interop` and what lies below; verdicts are made by `interop.judges`.
"""
