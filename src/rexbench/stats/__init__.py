"""Arrays in, numbers out: means, intervals, paired tests, power, regression; of successes, of scores and of claims.

Imports numpy and nothing of rexbench. It knows neither what a task nor what a run is: an agent at a hint level is a row of
successes and a row of runs, one entry for each task, and an entry without runs is left out; or a table of scores, a row for each
task, NaN where there is no run. Each function carries its formula and its source.
"""
