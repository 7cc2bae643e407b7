"""From an agent's settings to its model, with scripts resolved against a task's vault."""

from collections.abc import Mapping
from pathlib import Path

from rexbench.agent.settings import Agent
from rexbench.errors import RexbenchError
from rexbench.gateway.models import Model, find_model, scripted_model
from rexbench.gateway.script import Script
from rexbench.gateway.settings import ScriptedSettings
from rexbench.task.folder import Task


def model_of(spec: Agent, task: Task, variables: Mapping[str, str]) -> Model | None:
    """The model of an agent, scripts resolved against the task's vault."""
    if not spec.model:
        return None
    at = spec.endpoint
    model = find_model(spec.model, variables, at.base_url, Path(at.key_file) if at.key_file else None, at.price, at.wires)
    if isinstance(model.provider, ScriptedSettings):
        return scripted_model(spec.model, resolve_script(model.provider.script, task), spec.endpoint.price)
    return model


def resolve_script(script: Script, task: Task) -> Script:
    """`vault:NAME` in a script's edits becomes the task's own patch of that name."""
    patches = {"gold": task.vault.gold}
    patches |= {f"alternatives/{name}": patch for name, patch in task.vault.alternatives.items()}
    patches |= {f"near_misses/{name}": patch for name, patch in task.vault.near_misses.items()}
    turns = []
    for turn in script.turns:
        wanted = turn.edit.patch if turn.edit and turn.edit.patch else ""
        if turn.edit and wanted.startswith("vault:"):
            name = wanted.removeprefix("vault:").strip()
            if name not in patches:
                raise RexbenchError(f"The vault of {task.id} has no patch {name!r}; it has: {', '.join(patches)}.")
            turn = turn.model_copy(update={"edit": turn.edit.model_copy(update={"patch": patches[name].decode()})})
        turns.append(turn)
    return script.model_copy(update={"turns": tuple(turns)})
