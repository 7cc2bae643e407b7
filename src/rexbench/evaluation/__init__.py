"""From a patch to a verdict: apply, execute, collect, judge, decide; live gold, calibration and a task's own checks.

May import: errors, digest, places, task, workspace, environment, sandbox, record. Must not know which agent made a patch.
Only `reading` touches the content of artefacts, and only pure functions decide.
"""
