"""Running one command on one tree in isolation. One file per back end: bubblewrap (default), container (docker, podman), process.

May import: errors, places, stopping, environment. Must not know tasks, patches, gold or verdicts: what comes out is an exit status,
captured output and what was measured; never an opinion. An end that says nothing of the command, because the host brought it about,
is a `SystemFault`; each back end has one function, `_fault`, that tells.
"""
