"""From a patch to a verdict: apply, execute, collect, judge, decide; live gold, calibration and a task's own checks.

May import `workbench` and what it holds, `workspace`, `laboratory`, `untrusted`, `stats`. Must not know which agent made a patch,
nor that there are models. Only `reading` touches the content of artefacts, and only pure functions decide.
"""
