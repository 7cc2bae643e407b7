"""A submission service and leaderboard: archives come in over HTTP, are judged on a season's secret seeds, and are ranked.

May import everything but `cli`. It decides nothing about patches: a bench judges them as a campaign like any other, in a folder of
the home, and what is ranked is what `rexbench report` would say of those folders. The database knows who handed in what and where
it stands; verdicts are never in it. Needs the packages of the extra `serve`, and is loaded by nothing that can do without.
"""
