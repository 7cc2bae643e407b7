"""What a campaign says, for people: tables, figures, and one HTML file that holds everything.

Reads campaigns and records, and computes by way of `stats`. It decides nothing about runs, and it trusts nothing in them: whatever
an agent wrote is text to be shown, and escaped. May import `campaign`, `agent`, `task`, `record` and `stats`; must not
know sandboxes, workspaces or how a verdict is made.
"""
