"""Campaigns: agents x hint levels x tasks x repetitions, planned, run and resumed.

`plan` is pure. `folder` is the campaign on disk and the only truth: what is written there is done, the rest is to do. `runs`
and, for patches alone, `trials` do one piece of work, in any process on any machine that sees the folder. `conduct` decides what is
next. `executors` only move work.

May import whatever lies below but `stats`. Must not know `report` and `interop`, which read what a campaign leaves.
"""
