"""`rexbench submit push`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rexbench.cli.options import Json

if TYPE_CHECKING:
    import httpx

_LOOK_SECONDS = 1.0


def push(
    url: Annotated[str, typer.Argument(metavar="URL", help="Of a service that rexbench serve runs.")],
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A submission.zip.")],
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="A file that holds the token; else REXBENCH_TOKEN does.")
    ] = None,
    token: Annotated[str, typer.Option("--token", envvar="REXBENCH_TOKEN", hidden=True)] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Until it is judged, and print what came out.")] = False,
    as_json: Json = False,
) -> None:
    """Hand a submission archive in to a service. The same archive again is the same submission, so trying again is safe.

    \b
    rexbench submit push https://bench.example.org submission.zip --token-file token
    rexbench submit push http://127.0.0.1:7392 submission.zip --token-file token --wait
    """
    import time

    import httpx

    from rexbench.cli.output import console, print_json
    from rexbench.errors import RexbenchError
    from rexbench.untrusted import open_plain, read_plain

    given = read_plain(token_file, 4096, follow=True).decode().strip() if token_file else token
    if not given:
        raise RexbenchError("A token is needed; its keeper gives one: put it into a file and name that with --token-file.")
    try:
        with (
            open_plain(archive, follow=True) as file,
            httpx.Client(base_url=url, timeout=300, headers={"authorization": f"Bearer {given}"}) as client,
        ):
            told = _answer(client.post("/api/submissions", content=file, headers={"content-type": "application/zip"}))
            while wait and told["state"] in ("queued", "judging"):
                time.sleep(_LOOK_SECONDS)
                told = _answer(client.get(f"/api/submissions/{told['id']}"))
    except FileNotFoundError as error:
        raise RexbenchError(f"There is no file {error.filename}.") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise RexbenchError(f"{url} does not answer as a service does: {error or type(error).__name__}.") from error
    if as_json:
        print_json(told)
        return
    console.print(f"submission {told['id']}: {told['state']}   {url.rstrip('/')}/submissions/{told['id']}", soft_wrap=True)
    for run in told.get("runs", ()):
        score = "" if run["score"] is None else f" {run['score']:.2f}"
        console.print(f"  {run['run']}: {run['outcome']}{score}", markup=False)


def _answer(answer: "httpx.Response") -> Any:
    """What the service says; its refusal in its own sentence."""
    from rexbench.errors import RexbenchError
    from rexbench.text import printable
    from rexbench.untrusted import NotTaken, parse_json

    try:
        told = parse_json(answer.content, "the answer")
    except NotTaken:
        told = None
    if answer.status_code in (200, 201) and isinstance(told, dict):
        return told
    why = told.get("error") if isinstance(told, dict) else answer.text
    raise RexbenchError(f"The service refuses ({answer.status_code}): {printable(str(why))}")
