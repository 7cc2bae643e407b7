"""Campaigns in a browser of this machine, while they run and afterwards: lists, runs turn by turn, two of them side by side.

May import reports, whose templates, figures and wording it shares, campaigns and records; it only ever reads, so it needs no
bench, and knows nothing of sandboxes, workspaces or verdicts in the making. All that it shows was written by others.
"""
