# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Ask the model every document of a task and score the answers."""

import time
from typing import Any

from lectern import filters, prompts  # noqa: F401  (filters registers itself)
from lectern.cache import ResponseCache, request_key
from lectern.lm.checkpoint import LanguageModel
from lectern.registry import FILTERS, METRICS
from lectern.results import Sample
from lectern.tasks import Task


def evaluate(task: Task, model: LanguageModel, use_chat: bool, cache: ResponseCache) -> list[Sample]:
    began = time.perf_counter()
    docs = task.docs()
    asked = [prompts.chat(task, doc, model.turns) if use_chat else prompts.plain(task, doc) for doc in docs]
    responses = respond(task, model, docs, asked, cache)
    extract, score = FILTERS[task.filter], METRICS[task.metric]
    samples = []
    for doc, prompt, response in zip(docs, asked, responses, strict=True):
        prediction, target = extract(response), task.target(doc)
        samples.append(Sample(doc["id"], prompt, response, prediction, target, score(prediction, target)))
    print(f"{task.task}: {len(samples)} documents in {time.perf_counter() - began:.1f} s", flush=True)
    return samples


def respond(task: Task, model: LanguageModel, docs: list[dict[str, Any]], asked: list[str], cache: ResponseCache) -> list[str]:
    """Responses in the order of the documents, generated where the cache does not have them."""
    first = request_key(model.folder, task, "")
    keys = [first + doc["id"] for doc in docs]
    missing = [at for at, key in enumerate(keys) if key not in cache.kept]
    settings = task.generation
    new = model.complete([asked[at] for at in missing], settings.max_new_tokens, settings.stop, settings.batch_size)
    for at, response in zip(missing, new, strict=True):
        cache.kept[keys[at]] = response
    cache.save()
    return [cache.kept[key] for key in keys]
