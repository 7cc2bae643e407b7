"""Arrays in, numbers out: means, intervals, paired tests, power, regression.

Imports numpy and nothing of rexbench. It knows neither what a task nor what a run is: an agent at a hint level is a row
of successes and a row of runs, one entry for each task, and an entry without runs is left out. Each function carries its formula
and its source.
"""
