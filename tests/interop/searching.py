"""What nobody may find where an agent works, and a search for it from inside: files, variables, arguments, mounts, the network."""

from rexbench.api.bench import Bench
from rexbench.task.folder import Task
from rexbench.task.variants import choose_seeds

SEED = 1_907_340_613
"""A held-out seed that is no other number by chance."""
LINES, CONTROL = "/var/tmp/lines", "/var/tmp/control"
"""Where whoever searches puts what is looked for, and a line that is there to be found."""
_MOUNTED = """awk '$2 !~ "^/(proc|sys|dev)(/|$)" {print $2}' /proc/mounts"""
_FILES = f"{_MOUNTED} | xargs -I@ find @ -xdev -type f -not -path {LINES} -not -path {CONTROL} -print0"
SEARCHES = {
    "files": f"{_FILES} | xargs -0 grep -l -F -f {LINES}",
    "processes": f"cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/mounts | tr '\\0' '\\n' | grep -F -f {LINES}",
    "network": "ls /sys/class/net | grep -v '^lo$'",
    "control": f"{_FILES} | xargs -0 grep -l -F -f {CONTROL}",
}


def hidden_lines(task: Task, bench: Bench) -> str:
    """Lines of gold, judge and maker of worlds that the codebase does not hold; the secret, the seeds, and where it lies."""
    known = b"".join(path.read_bytes() for path in task.repo.rglob("*") if path.is_file())
    gold = [line[1:] for line in task.vault.gold.splitlines() if line.startswith(b"+")]
    kept = [line for name in ("judge.py", "variant.py") for line in (task.folder / name).read_bytes().splitlines()]
    chosen = [line.decode() for line in (*gold, *kept) if len(line) > 45 and line not in known]
    assert len(chosen) > 10
    seeds = (SEED, *choose_seeds(task, None, None, bench.home.secret()))
    return "\n".join([*chosen, bench.home.secret().hex(), *map(str, seeds), str(bench.home.folder), str(task.folder)]) + "\n"


def control_line(task: Task) -> str:
    """A line that an agent is shown."""
    return next(line for line in task.instructions("none").splitlines() if len(line) > 30) + "\n"


def assert_only_the_control_was_found(found: dict[str, str]) -> None:
    assert "/workspace/instructions.md" in found["control"].splitlines()
    assert {name: text for name, text in found.items() if text and name != "control"} == {}
