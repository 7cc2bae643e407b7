"""`rexbench task data`."""

from rexbench.cli.options import TaskArgument, open_bench


def data(task: TaskArgument) -> None:
    """Put variant 0 into repo/data, in place of what lies there; run it whenever variant.py has changed.

    \b
    rexbench task data ./my-task
    """
    from rexbench.cli.output import console
    from rexbench.task.variants import write_public_data

    bench = open_bench()
    console.print(f"variant 0 written to {write_public_data(bench.task(task), bench.home)}", soft_wrap=True)
