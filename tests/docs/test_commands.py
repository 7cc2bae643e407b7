"""Every command in the pages for users is run as it is written, from a folder that is not the repository, page by page, in order.

Each page begins in an empty folder of its own, in which the files are that it shows by name. All share one home, which has
nothing but the environments at first. What cannot be run here stands in `ELSEWHERE`, with the reason and what is checked instead.
A command that is in neither group, an entry of the table that no page has, and a block that does not say what it is, fail.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import typer

from rexbench.cli.app import app
from tests.docs.pages import LANGUAGES, PAGES, ROOT, Command, all_commands, blocks, commands

BIN = Path(sys.executable).parent
RUN_HERE = ("rexbench", "sed")
"""Programs whose command lines are run as they are, unless the table below has them."""
KEY, PROGRAM, CLUSTER, LONG = "needs a key", "needs an agent's program", "needs a cluster", "takes long"
INSTALLS, SERVES, DOCKER = "installs packages from an index", "serves until it is stopped", "needs Docker"


@dataclass(frozen=True)
class Instead:
    """Why a command is not run, and what is: `check` gets the command and a folder to work in."""

    why: str
    check: Callable[["str", "Page"], None]


@dataclass(frozen=True)
class Page:
    """Where the commands of a page are run."""

    folder: Path
    variables: dict[str, str]

    def run(self, command: str) -> str:
        """What bash prints; the command must succeed."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout


def plans(command: str, page: Page) -> None:
    """The whole plan is made, tasks loaded, agents and prices read; no agent is started."""
    assert "runs:" in page.run(f"{command} --dry-run")


def parses(command: str, page: Page) -> None:
    """The command line's own parser takes it: names, options, types."""
    parse(shlex.split(command)[1:])


def cheaper(*changes: tuple[str, str]) -> Callable[[str, Page], None]:
    """The same with less work."""

    def run(command: str, page: Page) -> None:
        for before, after in changes:
            assert before in command
            command = command.replace(before, after)
        page.run(command)

    return run


def is_target(command: str, page: Page) -> None:
    """The Makefile has the target."""
    page.run(f"make -n -C {ROOT} {command.removeprefix('make ')}")


def is_extra(command: str, page: Page) -> None:
    """pyproject.toml has the extra."""
    found = re.search(r"'\.\[(\w+)\]'", command)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert found and found[1] in extras


def has_options(command: str, page: Page) -> None:
    """The program's own help names every option."""
    words = shlex.split(command)
    told = page.run(f"{' '.join(words[:2])} --help")
    assert not [word for word in words if word.startswith("--") and word not in told]


def asks_no_model(command: str, page: Page) -> None:
    """Inspect itself runs the task, with an agent that does nothing."""
    solver = "from inspect_ai.solver import solver\n\n@solver\ndef nothing():\n    async def solve(state, generate):\n"
    (page.folder / "nothing.py").write_text(solver + "        return state\n    return solve\n", encoding="utf-8")
    named = re.sub(r"tasks=\S+", "tasks=explain-then-translate", command)
    told = page.run(f"{named.replace('anthropic/claude-sonnet-4-5', 'mockllm/model')} --solver nothing.py --display plain")
    assert "file_recall" in told and "errors" not in told


def is_named(command: str, page: Page) -> None:
    """Inspect finds the task by its entry point; in a suite without a scored task, which is one sentence."""
    (page.folder / "none").mkdir()
    mocked = command.replace("anthropic/claude-sonnet-4-5", "mockllm/model")
    variables = page.variables | {"REXBENCH_TASKS": str(page.folder / "none")}
    done = subprocess.run(["bash", "-c", mocked], cwd=page.folder, env=variables, capture_output=True, text=True, check=False)
    assert "has no scored task" in " ".join((done.stdout + done.stderr).split())


def names_the_verifier(command: str, page: Page) -> None:
    """The class is where the command says."""
    module, _, name = command.split()[-1].partition(":")
    assert f"class {name}(" in (ROOT / "src" / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")


def sets_known(command: str, page: Page) -> None:
    """What is set is read by the program."""
    names = [word.partition("=")[0] for word in shlex.split(command)[1:]]
    assert set(names) <= {"PATH", "REXBENCH_HOME"}


def serves(command: str, page: Page) -> None:
    """It prints an address, which answers; then it is stopped."""
    words = [*shlex.split(command), "--no-browser"]
    with subprocess.Popen(
        words,
        cwd=page.folder,
        env=page.variables,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test in the background has it ignored
    ) as server:
        try:
            assert server.stdout
            answer = httpx.Client(follow_redirects=True).get(server.stdout.readline().split()[1])
            assert answer.status_code == 200 and "rexbench" in answer.text
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 0


@contextmanager
def service(page: Page) -> Iterator[str]:
    """`rexbench serve` on a port that is free; gives what it prints first."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        ["rexbench", "serve", "--port", str(port)],
        cwd=page.folder,
        env=page.variables,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as server:
        try:
            assert server.stdout
            yield server.stdout.readline()
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 0


def takes_in(command: str, page: Page) -> None:
    """It prints an address, which leads a stranger to sign in; then it is stopped."""
    with service(page) as told:
        answer = httpx.get(told.split()[1], follow_redirects=True)
        assert answer.status_code == 200 and "Sign in" in answer.text


def is_taken_in(command: str, page: Page) -> None:
    """The same command, with a service that listens."""
    with service(page) as told:
        assert "http://127.0.0.1:7392" in command
        assert "success" in page.run(command.replace("http://127.0.0.1:7392", told.split()[1]))


ELSEWHERE = {
    "rexbench view first": Instead(SERVES, serves),
    "PYTHONPATH=$PWD rexbench run --agent my_agent:TenLines --model openai/gpt-5 --task tree-of-thoughts --budget-usd 2 "
    "--out second": Instead(KEY, plans),
    "rexbench serve": Instead(SERVES, takes_in),
    "rexbench submit push http://127.0.0.1:7392 submission.zip --token-file ann.token --wait": Instead(SERVES, is_taken_in),
    "rexbench serve --address https://bench.example.org --public": Instead(SERVES, parses),
    "rexbench serve --executor slurm --slurm partition=cpu,account=lab --max-jobs 50": Instead(CLUSTER, parses),
    "rexbench serve --database postgresql://rexbench@db.example.org/rexbench": Instead(SERVES, parses),
    "pip install '.[serve]'": Instead(INSTALLS, is_extra),
    "rexbench view my-campaign": Instead(SERVES, serves),
    "rexbench view": Instead(SERVES, serves),
    "rexbench demo --frontier": Instead(LONG, parses),
    "make demo": Instead(LONG, is_target),
    "make test": Instead(LONG, is_target),
    "rexbench agents install claude-code": Instead(INSTALLS, parses),
    "rexbench run --agent claude-code --model scripted:script.yaml --task explain-then-translate": Instead(PROGRAM, plans),
    "rexbench run --agent claude-code --model anthropic/claude-sonnet-4-5 --task othello --budget-usd 5 --time-limit 30m": Instead(
        KEY, plans
    ),
    "rexbench run --agent openhands --model openai/gpt-5 --task othello --hints detailed": Instead(KEY, plans),
    "rexbench run --agent aider --model openai/my-model --base-url http://127.0.0.1:8000 --task checkeval": Instead(KEY, plans),
    "rexbench run --agent command --command 'my-agent --task {instructions}' --model openai/gpt-5 --task checkeval": Instead(
        KEY, plans
    ),
    "rexbench task check ./my-task --variants 20 --record": Instead(LONG, cheaper(("20", "1"))),
    "rexbench run --agents gold,nop --tasks all --executor slurm --slurm partition=cpu,account=lab --max-jobs 200": Instead(
        CLUSTER, plans
    ),
    "rexbench run --agents gold,nop --tasks all --executor dask --dask tcp://scheduler:8786": Instead(CLUSTER, parses),
    "rexbench run --agents gold,nop --tasks all --executor dask --dask tcp://10.0.0.1:8786": Instead(CLUSTER, parses),
    "rexbench run --agents gold,nop --tasks all --executor slurm --slurm partition=cpu,account=lab --out /shared/controls": Instead(
        CLUSTER, plans
    ),
    "rexbench run --agents published --tasks all --hints all --runs 5 --out /shared/published --executor slurm "
    "--slurm partition=cpu,account=lab --max-jobs 200": Instead(CLUSTER, plans),
    "rexbench task check --all --executor slurm --slurm partition=cpu": Instead(CLUSTER, parses),
    "rexbench cluster check --executor slurm --slurm partition=cpu": Instead(CLUSTER, parses),
    "rexbench cluster check --executor slurm --slurm partition=cpu,account=lab": Instead(CLUSTER, parses),
    "rexbench cluster check --executor dask --dask tcp://10.0.0.1:8786": Instead(CLUSTER, parses),
    "rexbench report /shared/published": Instead(CLUSTER, parses),
    "python3 -m venv /shared/rexbench": Instead(CLUSTER, cheaper(("/shared/rexbench", "here --without-pip"))),
    "/shared/rexbench/bin/pip install '.[slurm]'": Instead(INSTALLS, is_extra),
    "pip install '.[dask]'": Instead(INSTALLS, is_extra),
    "export PATH=/shared/rexbench/bin:$PATH REXBENCH_HOME=/shared/rexbench-home": Instead(CLUSTER, sets_known),
    "pip install '.[inspect]'": Instead(INSTALLS, is_extra),
    "pip install '.[harbor]'": Instead(INSTALLS, is_extra),
    "pip install '.[verifiers]'": Instead(INSTALLS, is_extra),
    "inspect eval rexbench/replication --model anthropic/claude-sonnet-4-5 -T tasks=othello,cogs -T hints=hints": Instead(
        KEY, asks_no_model
    ),
    "inspect eval rexbench/frontier --model anthropic/claude-sonnet-4-5": Instead(KEY, is_named),
    "inspect view --log-dir logs": Instead(LONG, has_options),
    "harbor run --path harbor-tasks --agent oracle --verifier rexbench.interop.harbor.verifier:HostVerifier": Instead(
        DOCKER, names_the_verifier
    ),
    "rexbench import harbor jobs/2026-01-31__12-00-00 --out judged": Instead(DOCKER, parses),
    "dask scheduler --host 10.0.0.1": Instead(CLUSTER, has_options),
    "dask worker tcp://10.0.0.1:8786 --nworkers 16 --nthreads 1": Instead(CLUSTER, has_options),
}


SAYS = {
    "rexbench show first/runs/TenLines/tree-of-thoughts/none/1": "108 of 108 long lines are",
    "rexbench task check ./my-world --variants 1": "my-world: passed",
    "rexbench export inspect my-campaign --out logs": "gold.eval",
    "rexbench export harbor harbor-tasks --tasks explain-then-translate --hints none,detailed": "2 tasks",
    "rexbench submit pack my-campaign --format rexbench --out submissions": "gold-none-run1.zip",
    "rexbench evaluate work --task explain-then-translate": "empty_patch",
    "rexbench run --resume my-campaign": "runs have a verdict: empty_patch",
    "rexbench run --agent command --command 'cp {instructions} NOTE' --model scripted:script.yaml --task tree-of-thoughts "
    "--out noted": "execution_failed 1",
    "rexbench curve widened": "0.03",
    'rexbench attempt --close ../attempt-1 --minutes 12 --approach "nothing was done"': "empty_patch",
    "rexbench evaluate submission.zip --out judged": "success",
}
"""What must be among what a command prints, where the page around it says so."""


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory, environments: Path) -> dict[str, str]:
    """An environment with a home of its own and nobody's keys."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    (home / "environments").symlink_to(environments)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REXBENCH_") and not name.endswith("_API_KEY")}
    return kept | {"REXBENCH_HOME": str(home), "PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "80"}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_page_works_as_written(name: str, variables: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    page = Page(folder, variables)
    for block in blocks(name):
        if block.file:
            (folder / block.file).write_text(block.text + "\n", encoding="utf-8")
    for block in blocks(name):
        for command in commands(block) if block.language == "sh" else ():
            instead = ELSEWHERE.get(command.text)
            if instead:
                instead.check(command.text, page)
            else:
                assert command.program in RUN_HERE, f"{command.where}: is neither run nor in the table"
                assert SAYS.get(command.text, "") in page.run(command.text), command.where
    script = "\n\n".join(block.text for block in blocks(name) if block.language == "python" and not block.file)
    if script and name in RUN_AS_PROGRAMS:
        _share_environments(page, script)
        (folder / "page.py").write_text(script + "\n", encoding="utf-8")
        page.run("python page.py")
    elif script:
        compile(script, name, "exec")


RUN_AS_PROGRAMS = ("README.md", "docs/api.md")
"""Pages whose Python blocks, one after the other, are a program; on others they are parts of one."""


def _share_environments(page: Page, script: str) -> None:
    """Homes that a program names itself get the environments too: building them is not what is tested here."""
    for home in re.findall(r'home="([^"]+)"', script):
        (page.folder / home).mkdir(mode=0o700)
        (page.folder / home / "environments").symlink_to(Path(page.variables["REXBENCH_HOME"], "environments").resolve())


def test_every_block_says_what_it_is() -> None:
    strange = [
        f"{block.page}:{block.line}: {block.language!r}"
        for page in PAGES
        for block in blocks(page)
        if block.language not in LANGUAGES
    ]
    assert not strange


def test_no_command_hides_in_a_block_of_text() -> None:
    known = {command.program for command in all_commands()}
    shown = [
        (block, line) for page in PAGES for block in blocks(page) if block.language == "text" for line in block.text.splitlines()
    ]
    assert not [f"{block.page}: {line}" for block, line in shown if line.split() and line.split()[0] in known]


def test_the_page_about_other_programs_names_the_versions_that_the_tests_run() -> None:
    page = (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    pinned = [re.match(r"([a-z-]+)==([\d.]+)", one) for one in groups["dev"]]
    assert len([f"{found[1]} {found[2]}" for found in pinned if found and f"{found[1]} {found[2]}" in page]) == 3


def test_the_tables_hold_nothing_that_no_page_has() -> None:
    assert not (ELSEWHERE.keys() | SAYS.keys()) - {command.text for command in all_commands()}


def test_commands_in_running_text_exist_with_their_options() -> None:
    for page in PAGES:
        text = re.sub(r"^ *```.*?^ *```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for told in re.findall(r"`(rexbench [^`]+)`", text):
            known = options_of(told.split()[1:])
            assert not [word for word in told.split() if word.startswith("--") and word not in known], f"{page}: {told}"


@pytest.mark.parametrize("wrong", ["rexbench evaluat x", "rexbench run --agnet gold", "rexbench power --tasks many"])
def test_a_wrong_command_line_does_not_pass_for_parsed(wrong: str) -> None:
    with pytest.raises(Exception, match=r"No such|should be a valid"):
        parse(shlex.split(wrong)[1:])


def test_commands_are_read_with_continued_lines_and_without_remarks() -> None:
    found = [command.text for command in all_commands() if command.page == "docs/cluster.md"]
    assert any("--out /shared/published --executor slurm" in text for text in found)
    assert not [text for text in found if "# " in text or text.endswith("\\")]
    assert Command("p", 1, "x").where == "p:1: x"


def parse(words: list[str]) -> None:
    """Take a command line apart as the program would, and start nothing."""
    command, rest = typer.main.get_command(app), words
    while hasattr(command, "commands") and not (rest and rest[0].startswith("-") and command.invoke_without_command):
        name, *rest = rest
        assert name in command.commands, f"No such command: {name}"
        command = command.commands[name]
    command.make_context(" ".join(words), list(rest))


def options_of(words: list[str]) -> set[str]:
    """The options of the command that these words name."""
    command = typer.main.get_command(app)
    for word in words:
        if not hasattr(command, "commands") or word.startswith("-"):
            break
        assert word in command.commands, f"rexbench has no command {' '.join(words)!r}"
        command = command.commands[word]
    return {option for parameter in command.params for option in parameter.opts} | {"--help"}
