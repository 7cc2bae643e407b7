"""A hidden world that answers metered questions over one socket.

`lab.py` holds the rules of asking and the client; it is copied into workspaces as it is, so that a public world answers there as
the hidden one does here. `door` is what a run's keeper sees, `serve` the process behind it, `desk` its wire, `record` what was
asked, `probe` what the code of a laboratory has to bear.

May import: `errors`, `stopping`. Must not know tasks, sandboxes, agents or verdicts. `lab` imports the standard library alone.
"""
