"""Campaigns: agents x hint levels x tasks x repetitions, planned, run and resumed.

`plan` is pure. `folder` is the campaign on disk and the only truth: what is written there is done, the rest is to do. `steps` does
one piece of work, in any process on any machine that sees the folder. `conduct` decides what is next. `executors` only move work.

May import everything but `stats` and `report`, which read what a campaign leaves.
"""
