"""A task folder as data: what `task.toml` may say, the folder's parts, hint levels, variants, the vault and lint.

May import: errors, digest, places, untrusted, and of `laboratory` what checks a task's own.
Must not know how a task is run or judged, nor what a sandbox or an agent is.
"""
