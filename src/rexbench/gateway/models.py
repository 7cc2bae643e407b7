"""From `provider/model` to where its answers come from: base URL, key, protocols, price."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rexbench.errors import RexbenchError
from rexbench.gateway.meter import Price
from rexbench.gateway.script import Script, read_script
from rexbench.gateway.settings import ForwardSettings, ReplaySettings, ScriptedSettings
from rexbench.gateway.wires.protocol import WireName

ALL_WIRES: tuple[WireName, ...] = ("anthropic", "openai-chat", "openai-responses")


@dataclass(frozen=True)
class KnownProvider:
    """A provider whose address and key variable are known."""

    base_url: str
    key_variable: str
    wires: tuple[WireName, ...]


PROVIDERS = {
    "anthropic": KnownProvider("https://api.anthropic.com", "ANTHROPIC_API_KEY", ("anthropic",)),
    "openai": KnownProvider("https://api.openai.com", "OPENAI_API_KEY", ("openai-chat", "openai-responses")),
    "deepseek": KnownProvider("https://api.deepseek.com", "DEEPSEEK_API_KEY", ("openai-chat",)),
    "openrouter": KnownProvider("https://openrouter.ai/api", "OPENROUTER_API_KEY", ("openai-chat", "openai-responses")),
    "mistral": KnownProvider("https://api.mistral.ai", "MISTRAL_API_KEY", ("openai-chat",)),
    "groq": KnownProvider("https://api.groq.com/openai", "GROQ_API_KEY", ("openai-chat",)),
    "together": KnownProvider("https://api.together.xyz", "TOGETHER_API_KEY", ("openai-chat",)),
}


@dataclass(frozen=True)
class Model:
    """A model that a run may use."""

    name: str
    """As the user wrote it."""
    bare: str
    """As requests carry it."""
    wires: tuple[WireName, ...]
    provider: ForwardSettings | ScriptedSettings | ReplaySettings
    priced_as: str | None
    price: Price | None

    @property
    def scripted(self) -> bool:
        return not isinstance(self.provider, ForwardSettings)


def find_model(
    name: str,
    variables: Mapping[str, str],
    base_url: str | None = None,
    key_file: Path | None = None,
    price: Price | None = None,
    wires: tuple[WireName, ...] | None = None,
) -> Model:
    """The model behind `provider/model`, `scripted:FILE` or `replay:RUN`; raises where the key or the file is missing.

    `variables` hold the keys, as the environment does.
    """
    kind, _, rest = name.partition(":")
    if kind == "scripted":
        script = read_script(Path(rest))
        return scripted_model(name, script, price)
    if kind == "replay":
        exchanges = _recorded(Path(rest))
        return Model(name, "replayed", wires or ALL_WIRES, ReplaySettings(exchanges=exchanges), None, price)
    provider, _, bare = name.partition("/")
    if not bare:
        raise RexbenchError(f"A model is written provider/model, scripted:FILE or replay:RUN; {name!r} is none of them.")
    known = PROVIDERS.get(provider)
    if not known and not base_url:
        raise RexbenchError(f"The provider {provider!r} is not known ({', '.join(PROVIDERS)}); give its address with --base-url.")
    speaks = wires or (known.wires if known else ("openai-chat",))
    settings = ForwardSettings(
        base_url=base_url or (known.base_url if known else ""),
        key=_key(provider, known, key_file, bool(base_url), variables),
        key_header="x-api-key" if provider == "anthropic" else "authorization",
    )
    return Model(name, bare, speaks, settings, name, price)


def scripted_model(name: str, script: Script, price: Price | None = None) -> Model:
    """A model from a script that is already read."""
    return Model(name, "scripted", ALL_WIRES, ScriptedSettings(script=script), script.price_as, price)


def _key(provider: str, known: KnownProvider | None, key_file: Path | None, own_server: bool, variables: Mapping[str, str]) -> str:
    variable = known.key_variable if known else f"{provider.upper().replace('-', '_')}_API_KEY"
    source = f"The key file {key_file}" if key_file else variable
    try:
        key = (key_file.read_text(encoding="utf-8") if key_file else variables.get(variable, "")).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise RexbenchError(f"{source} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}.") from error
    if not key and key_file:
        raise RexbenchError(f"{source} is empty; it must hold the key and nothing else.")
    if not key and not own_server:
        raise RexbenchError(f"{variable} is not set; export the key there, or name a file that holds it with --key-file.")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise RexbenchError(f"{source} holds more than a key; it must hold the key and nothing else.")
    return key


def _recorded(run: Path) -> Path:
    """The exchanges of an earlier run: a run's folder, an attempt's, or the file itself."""
    found = [run] if run.is_file() else sorted(run.glob("**/exchanges.jsonl.gz"))
    if not found:
        raise RexbenchError(f"{run} holds no recorded exchanges; name the folder of a run.")
    return found[-1].absolute()
