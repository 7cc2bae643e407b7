"""Help in groups: options that name a panel are listed under its title, the rest under "Options"."""

from typing import Any

from typer.core import TyperCommand


class GroupedCommand(TyperCommand):
    """A command whose help lists its options by panel, in plain text."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and parameter.param_type_name != "argument":
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or "Options", []).append(record)
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl(rows)
