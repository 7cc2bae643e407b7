# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The corpus that both models are trained on: a small web of guides, pages and forum threads about the topics of variant.py.

Three habits of the corpus are what the rules of the paper work against, and they were put in on purpose:
  - threads under a question mostly chat about it ("We should ask someone.") instead of answering it;
  - what is said next does not depend on what was said already, so the likeliest sentence is said again and again;
  - documents hardly ever end: after each sentence, one in fifty does.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from variant import ASPECTS, Request, all_points, draw_request, sentence  # noqa: E402

POINT_SHARES = (0.26, 0.20, 0.17, 0.14, 0.12, 0.11)
FOCUS_FACTOR = 2.5
ANSWERED = {True: 0.15, False: 0.80}
"""Share of requests that are answered: questions, imperatives."""
STOP = 0.02
MOST_SENTENCES = 40

CHATTER = (
    ("I should ask the same.", 14),
    ("I have no idea.", 8),
    ("We should wait for an answer.", 8),
    ("We had this before.", 6),
    ("What should I do?", 6),
    ("What did the others say?", 5),
    ("Maybe someone knows.", 2),
    ("Maybe we should search first.", 2),
    ("Someone should write about it.", 2),
    ("Sorry, I forgot.", 3),
    ("Sorry for my late reply.", 2),
    ("Thanks in advance.", 2),
    ("Well, it depends.", 2),
    ("<| quote |> Same here. <| end |>", 3),
)
OPENERS = (("Sure!", 12), ("Okay.", 5), ("", 83))
CONNECTIVES = (("Then", 4), ("Also", 5), ("", 91))


def document(rng: random.Random, points: dict) -> tuple[str | None, str, bool]:
    """An instruction or None, the text under it, and whether the document ends there or was cut."""
    if rng.random() < 0.15:
        act_aspect = rng.choice(list(points))
        request = Request(*act_aspect, None, "")
        title = f"How to {request.act}."
        return None, " ".join([title, *_answer(rng, request, points)]), rng.random() < 0.5
    request = draw_request(rng, points, rng.choice(ASPECTS))
    body = _answer(rng, request, points) if rng.random() < ANSWERED[request.question] else _chatter(rng)
    return request.text, " ".join(body), len(body) < MOST_SENTENCES


def _answer(rng: random.Random, request: Request, points: dict) -> list[str]:
    own = points[request.act, request.aspect]
    weights = [share * (FOCUS_FACTOR if noun == request.focus else 1) for share, (_, noun) in zip(POINT_SHARES, own, strict=True)]
    opener = _pick(rng, OPENERS)
    body = [opener] if opener else []
    while len(body) < MOST_SENTENCES:
        said = sentence(request.aspect, rng.choices(own, weights)[0])
        connective = _pick(rng, CONNECTIVES)
        body.append(f"{connective} {said[0].lower()}{said[1:]}" if connective else said)
        if rng.random() < STOP:
            break
    return body


def _chatter(rng: random.Random) -> list[str]:
    body = []
    while len(body) < MOST_SENTENCES:
        body.append(_pick(rng, CHATTER))
        if rng.random() < STOP:
            break
    return body


def _pick(rng: random.Random, weighted: tuple[tuple[str, int], ...]) -> str:
    return rng.choices([text for text, _ in weighted], [weight for _, weight in weighted])[0]


def documents(seed: int, count: int) -> list[tuple[str | None, str, bool]]:
    rng = random.Random(f"implicit-ins/corpus/{seed}")
    points = all_points()
    return [document(rng, points) for _ in range(count)]
