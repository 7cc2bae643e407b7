"""Entry point of `rexbench`: the version without loading anything, else the commands, with errors as one sentence."""

import sys

INTERRUPTED = 130
"""What a shell expects of a program ended by Ctrl-C; some versions of typer turn the interrupt into this number themselves."""


def main() -> None:
    """Run the command line; exit status 2 for what the user can mend, 3 for a fault of the system, 130 for Ctrl-C."""
    if sys.argv[1:] == ["--version"]:
        from rexbench import __version__

        print(f"rexbench {__version__}")
        return
    from rexbench.cli.app import app
    from rexbench.errors import RexbenchError

    try:
        status = app(standalone_mode=False)
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        sys.exit(status if isinstance(status, int) else 0)
    except RexbenchError as error:
        _tell(str(error), error.exit_status)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        print("rexbench: interrupted; what was finished is kept.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        sys.exit(_usage_error(error))


def _tell(sentence: str, status: int) -> None:
    """One sentence for people; for machines that asked for JSON, one JSON value on standard output as well."""
    if "--json" in sys.argv:
        import json

        print(json.dumps({"error": sentence, "status": status}))
    print(f"rexbench: {sentence}", file=sys.stderr)


def _usage_error(error: Exception) -> int:
    """Exit status of a wrong call, told in one sentence; anything else is a bug and is raised again."""
    import typer

    usage_error, call_error = typer.BadParameter.__mro__[1:3]  # click's, wherever this version of typer keeps it
    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, typer.Abort):
        return INTERRUPTED
    if isinstance(error, call_error):
        context = getattr(error, "ctx", None)
        where = f" See '{context.command_path} --help'." if isinstance(error, usage_error) and context else ""
        told = getattr(error, "format_message", lambda: str(error))()
        if told.startswith("Usage: "):  # called with nothing: the help, as it is
            print(told)
            return 2
        _tell(f"{told}{where}", 2)
        return 2
    raise error


if __name__ == "__main__":
    main()
