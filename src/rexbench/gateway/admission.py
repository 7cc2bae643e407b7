"""What of a request may travel to the provider: known fields and headers, and nothing that leads further than to the model.

A provider can fetch addresses, look up files, prompts, answers and conversations by their ids, run tools, and go on working behind
our back. None of that is the agent's own work, and some of it is the web. So a message may hold only parts of known types, which
carry their own content; whatever looks like an address, or points to something by an id, is refused wherever it stands. The names
are in `admission.toml`.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from typing import Any

from pydantic import ValidationError

from rexbench.gateway import strict
from rexbench.gateway.wires.protocol import Body, Wire, children, objects, within


class Refused(Exception):
    """A request that is not forwarded: the status and the sentence that the agent gets."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


_KNOWN: dict[str, Any] = tomllib.loads((files("rexbench.gateway") / "admission.toml").read_text(encoding="utf-8"))
_FREE = {"tool_use": ("input",), "local_shell_call": ("action",), "shell_call": ("action",), "apply_patch_call": ("operation",)}
_FREE |= {"custom_tool_call": ("input",)}
"""What a tool was called with: the agent's own, in whatever form."""
_SCHEMAS = ("input_schema", "parameters", "input_examples")
_ID = re.compile(r"(?:^|_)ids?$|I[dD]s?$")
_OWN_IDS = ("tool_use_id", "tool_call_id", "call_id")
_HAVE_IDS = frozenset(("type", "role", "function"))
"""An item that stands in the request itself has an id among its other fields."""
_ADDRESS = re.compile(r"\s*[a-z][a-z0-9+.-]*:(?!\s)", re.IGNORECASE)
_FEW = 5
_ATTACHED = {"image": 50_000, "image_url": 50_000, "input_image": 50_000}
_ATTACHED |= {"document": 500_000, "file": 500_000, "input_file": 500_000, "input_audio": 500_000}
_BETA = re.compile(rf"(?:{'|'.join(_KNOWN['betas'])})-[a-z0-9-]{{1,40}}")
_VERSION = re.compile(r"\d{4}-\d{2}-\d{2}")


def understood(wire: Wire, content: bytes) -> Body:
    """The request that the bytes hold; refuses what could be read in two ways or has not the wire's types."""
    try:
        body = strict.parse(content)
        wire.shape.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part)[:40] for part in first["loc"][:4])
        raise Refused(400, f"The request is not one of this protocol: {where}: {first['msg'][:200]}.") from error
    except ValueError as error:
        raise Refused(400, f"The request's body cannot be taken: {str(error)[:200]}.") from error
    return {name: value for name, value in body.items() if not (name == "stream" and value is None)}


def admitted(wire: Wire, body: Body) -> tuple[Body, list[str]]:
    """The part of a request that travels, and the names of the fields that stay behind; refuses what reaches too far."""
    fields, never = set(_KNOWN[wire.name]["fields"]), set(_KNOWN["never"])
    wanted = [f"tools that the provider would run: {name}" for name in wire.server_tools(body)]
    wanted += [f"the field {name}" for name in sorted(never & body.keys()) if body[name] not in (None, False, [], {}, "")]
    if body.get("service_tier") not in (*_KNOWN["tiers"], None):
        wanted.append(f"the service tier {body['service_tier']!a:.40}")
    edits = objects(within(body, "context_management").get("edits"))
    wanted += [f"the edit {edit.get('type')!a:.40}" for edit in edits if not str(edit.get("type")).startswith("clear_")]
    for name in ("messages", "system", "input", "tools", "functions"):
        if isinstance(body.get(name), list):
            kinds = None if name in ("tools", "functions") else frozenset(_KNOWN[wire.name]["kinds"])
            wanted += [f"{name}: {what}" for what in islice(_too_far(body[name], name, {}, kinds), _FEW)]
    if wanted:
        raise Refused(400, f"Not allowed here, since it would run or be looked up at the provider: {'; '.join(wanted[:_FEW])}.")
    travels = {name: value for name, value in body.items() if name in fields}
    if wire.name == "openai-responses" or "store" in travels:
        travels["store"] = False
    return travels, [name[:60] for name in sorted(body.keys() - fields - never)]


def travelling_headers(wire: Wire, headers: dict[str, str]) -> dict[str, str]:
    """The few headers of an agent's that mean something to the provider; the rest could only cause errors in our name."""
    if wire.name != "anthropic":
        return {}
    version = headers.get("anthropic-version", "")
    found = {"anthropic-version": version if _VERSION.fullmatch(version) else "2023-06-01"}
    betas = [beta.strip() for beta in headers.get("anthropic-beta", "").split(",")[:40]]
    known = [beta for beta in betas if _BETA.fullmatch(beta)]
    return found | ({"anthropic-beta": ",".join(known)} if known else {})


def attached(value: Any) -> int:
    """The most tokens that images and documents in a request may come to, beyond what their size tells."""
    level, total = [value], 0
    while level:
        total += sum(_ATTACHED.get(str(item.get("type")), 0) for item in level if isinstance(item, dict))
        level = [child for item in level for child in children(item)]
    return total


def _too_far(value: Any, key: str, parent: Body, kinds: frozenset[str] | None) -> Iterator[str]:
    """What in a message or a tool leads away from it. `kinds` is None in tools, whose types `server_tools` has looked at."""
    if isinstance(value, list):
        for item in value:
            yield from _too_far(item, key, parent, kinds)
    elif isinstance(value, dict):
        kind = value.get("type")
        if kinds is not None and kind is None and key == "input" and "role" not in value:
            yield "an item without a type, which stands for a stored one"
        elif kinds is not None and kind is not None and str(kind) not in kinds:
            yield f"the type {kind!a:.60}"
        for name, inner in value.items():
            if inner and _ID.search(name) and name not in _OWN_IDS and not (name == "id" and value.keys() & _HAVE_IDS):
                yield f"{name!a:.60}, which points to something by its id"
            elif name not in _FREE.get(str(kind), ()) and not (kinds is None and name in _SCHEMAS):
                yield from _too_far(inner, name, value, kinds)
    elif isinstance(value, str) and _ADDRESS.match(value) and not value.startswith("data:") and not _is_text(key, parent):
        yield f"{key!a:.60}, which holds an address"


def _is_text(key: str, parent: Body) -> bool:
    return key in _KNOWN["text"] or (key == "data" and parent.get("type") == "text")
