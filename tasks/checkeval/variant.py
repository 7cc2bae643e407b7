# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Make the data/ folder of one variant: checklists, stored judge outputs, Likert ratings of the same judge, human ratings.

A summary has one latent quality per dimension and one latent verbosity. The judge's answers follow a two-parameter
item-response model on quality; weakly discriminating questions also react to verbosity. In fluency all questions discriminate
alike. Human ratings are noisy, rounded views of the same quality. None of the latent values or question parameters is written.

Some held-out documents are at the edge of what can be correlated: few outputs that are no refusal, ratings or scores that do
not vary, no readable output at all.
"""

import json
import random
from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
N_DOCUMENTS = 98
"""A fifth of them, 19.6, is rounded up: whoever cuts it off draws one document less."""
FEWER = 2
"""The guard `fewer-documents` leaves out as many, the first of the files. A fifth of the others, 19.2, is rounded down: whoever
always rounds up, or draws a fixed number, draws one document more."""
SYSTEMS = [f"S{at:02d}" for at in range(1, 17)]
EXPERTS, CROWD = 3, 5
KEPT = {"coherence": 22, "consistency": 20, "fluency": 18, "relevance": 26}
N_DROPPED = 3
UNIFORM = {"fluency"}
"""Dimensions whose questions all discriminate alike; in the others discrimination runs from nothing to sharp."""

MISSING_RATE = 0.06
REFUSAL_RATE = 0.010
TRUNCATION_RATE = 0.012
HALF_ANSWERED = 6
"""Summaries per dimension with exactly half of the kept questions answered: at the limit, and not refused."""
LEAST_OUTSIDE = 3
"""Predictions of the weighted model that must leave the rating scale, so that whoever cuts them is seen."""
FLIP = 0.04
"""How often the second of two paraphrased questions is answered unlike the first."""

# (aspect, question, "+" if Yes is favourable and "-" if No is, label shared by two paraphrases or "")
BANK: dict[str, list[tuple[str, str, str, str]]] = {
    "coherence": [
        ("flow", "Does every sentence follow naturally from the one before it?", "+", "flow"),
        ("flow", "Can each sentence be read as a continuation of the previous one?", "+", "flow"),
        ("flow", "Are shifts between points signalled to the reader?", "+", ""),
        ("flow", "Does the summary jump abruptly from one point to another?", "-", ""),
        ("flow", "Is the last sentence connected to what comes before?", "+", ""),
        ("order", "Are events told in an order that a reader can follow?", "+", "order"),
        ("order", "Is the sequence of events easy to reconstruct from the summary?", "+", "order"),
        ("order", "Do causes come before, or next to, their effects?", "+", ""),
        ("order", "Would swapping two sentences make the summary easier to follow?", "-", ""),
        ("topic", "Is there one main topic that holds the summary together?", "+", "topic"),
        ("topic", "Do all sentences serve a common subject?", "+", "topic"),
        ("topic", "Does the opening sentence introduce the subject?", "+", ""),
        ("topic", "Does the summary drift away from its subject?", "-", ""),
        ("topic", "Is each paragraph or sentence group about one thing?", "+", ""),
        ("reference", "Is it clear whom or what each pronoun stands for?", "+", ""),
        ("reference", "Are people introduced before they are referred to by surname?", "+", ""),
        ("reference", "Is the same entity named in a stable way throughout?", "+", ""),
        ("reference", "Does any sentence refer to something never mentioned?", "-", ""),
        ("structure", "Does the summary have a recognisable beginning and end?", "+", ""),
        ("structure", "Are details placed after the point that they support?", "+", ""),
        ("structure", "Does the summary read as a text instead of a list of sentences?", "+", ""),
        ("structure", "Is the summary divided into clearly separate sentences?", "+", ""),
        ("structure", "Does the summary use connecting words such as 'because' or 'however'?", "+", ""),
        ("contradiction", "Do two sentences of the summary contradict each other?", "-", ""),
        ("contradiction", "Is the stance of each quoted person the same throughout?", "+", ""),
        ("repetition", "Is the same point made more than once?", "-", ""),
        ("repetition", "Does each sentence add something to the one before?", "+", ""),
    ],
    "consistency": [
        ("facts", "Is every statement of the summary supported by the article?", "+", "support"),
        ("facts", "Can each claim of the summary be traced back to the article?", "+", "support"),
        ("facts", "Does the summary state anything that the article denies?", "-", ""),
        ("facts", "Does the summary keep guesses of the article as guesses?", "+", ""),
        ("facts", "Are negations of the article preserved?", "+", ""),
        ("entities", "Are all names in the summary found in the article?", "+", "names"),
        ("entities", "Are people and places called by the names that the article uses?", "+", "names"),
        ("entities", "Are actions ascribed to those who did them?", "+", ""),
        ("entities", "Does the summary confuse two people or two organisations?", "-", ""),
        ("entities", "Are titles and offices given as in the article?", "+", ""),
        ("numbers", "Do all numbers agree with the article?", "+", "numbers"),
        ("numbers", "Are figures reproduced without change?", "+", "numbers"),
        ("numbers", "Are dates and times those of the article?", "+", ""),
        ("numbers", "Does the summary give a number that the article lacks?", "-", ""),
        ("relations", "Are causes and effects linked as in the article?", "+", ""),
        ("relations", "Is the order of events the article's?", "+", ""),
        ("relations", "Are comparisons made in the article's direction?", "+", ""),
        ("quotes", "Are quotations worded as in the article?", "+", ""),
        ("quotes", "Is each quotation given to its speaker?", "+", ""),
        ("quotes", "Does the summary present an opinion as a fact?", "-", ""),
        ("additions", "Does the summary add background that the article does not give?", "-", ""),
        ("additions", "Does the summary stay within what the article covers?", "+", ""),
        ("additions", "Is the summary free of the writer's own judgement?", "+", ""),
        ("additions", "Does the summary keep to the article's level of certainty?", "+", ""),
    ],
    "fluency": [
        ("grammar", "Is every sentence grammatical?", "+", "grammar"),
        ("grammar", "Are the sentences free of errors of grammar?", "+", "grammar"),
        ("grammar", "Do verbs agree with their subjects?", "+", ""),
        ("grammar", "Are tenses used correctly?", "+", ""),
        ("grammar", "Is an article or preposition missing somewhere?", "-", ""),
        ("completeness", "Is every sentence complete?", "+", ""),
        ("completeness", "Does a sentence break off before its end?", "-", ""),
        ("completeness", "Does each sentence have a subject and a verb?", "+", ""),
        ("spelling", "Are all words spelled correctly?", "+", ""),
        ("spelling", "Are names capitalised?", "+", ""),
        ("spelling", "Does each sentence begin with a capital letter?", "+", ""),
        ("punctuation", "Is punctuation used correctly?", "+", "punctuation"),
        ("punctuation", "Are commas, stops and quotation marks where they belong?", "+", "punctuation"),
        ("punctuation", "Are there stray symbols in the text?", "-", ""),
        ("wording", "Are words used in their usual sense?", "+", ""),
        ("wording", "Does the summary sound like a native writer's?", "+", ""),
        ("wording", "Is any phrase awkward?", "-", ""),
        ("wording", "Is a word repeated without need?", "-", ""),
        ("readability", "Can each sentence be understood on first reading?", "+", ""),
        ("readability", "Are sentences of a reasonable length?", "+", ""),
        ("readability", "Could the summary be read aloud without stumbling?", "+", ""),
        ("readability", "Are clauses joined clearly?", "+", ""),
    ],
    "relevance": [
        ("main point", "Does the summary state the article's main point?", "+", "main"),
        ("main point", "Would a reader learn from the summary what the article is chiefly about?", "+", "main"),
        ("main point", "Is the main point stated early?", "+", ""),
        ("main point", "Does the summary mistake a side issue for the main point?", "-", ""),
        ("coverage", "Are the most important events included?", "+", "events"),
        ("coverage", "Does the summary mention the key events of the article?", "+", "events"),
        ("coverage", "Are the main people involved named?", "+", ""),
        ("coverage", "Is the outcome reported?", "+", ""),
        ("coverage", "Is the reason for the events given?", "+", ""),
        ("coverage", "Is the place given where it matters?", "+", ""),
        ("coverage", "Is the time given where it matters?", "+", ""),
        ("coverage", "Is an important point of the article left out?", "-", ""),
        ("selection", "Is every sentence of the summary worth keeping?", "+", "worth"),
        ("selection", "Would nothing be lost by deleting one of the sentences?", "-", "worth"),
        ("selection", "Does the summary dwell on trivia?", "-", ""),
        ("selection", "Are examples left out in favour of what they illustrate?", "+", ""),
        ("selection", "Are quotations used only where they matter?", "+", ""),
        ("selection", "Does the summary contain boilerplate of the website?", "-", ""),
        ("balance", "Does each point get space according to its weight in the article?", "+", ""),
        ("balance", "Are both sides of a dispute represented?", "+", ""),
        ("balance", "Is the end of the article represented?", "+", ""),
        ("balance", "Does the summary draw on the opening of the article only?", "-", ""),
        ("concision", "Is the summary free of repetition?", "+", ""),
        ("concision", "Is the summary as short as its content allows?", "+", ""),
        ("concision", "Is background kept short?", "+", ""),
        ("concision", "Is the summary at least three sentences long?", "+", ""),
        ("use", "Could the summary replace the article for a hurried reader?", "+", ""),
        ("use", "Does the summary answer who, what and where?", "+", ""),
        ("use", "Would a reader be surprised by the article after reading the summary?", "-", ""),
        ("use", "Does the summary say why the news matters?", "+", ""),
    ],
}

REASONS = [
    "the first part shows it",
    "judging by the middle sentence",
    "see the closing sentence",
    "as far as the article goes",
    "this holds throughout",
    "based on the wording",
]
NO_VERDICT = ["Unclear.", "N/A", "Cannot be determined", "Yes and no", "Partially", "", "yes/no", "Not applicable here"]
REFUSALS = [
    "I'm sorry, but I can't evaluate this summary.",
    "The article seems to be cut off, so I am unable to answer the checklist.",
    "I cannot help with rating this text.",
]


def make(seed: int, out_dir: Path) -> None:
    """Write the variant of this seed into the existing, empty `out_dir`."""
    for attempt in range(50):
        rng = np.random.default_rng([seed, attempt])
        world = _draw(rng)
        if _usable(world):
            break
    else:
        raise RuntimeError(f"no usable draw for seed {seed}")
    _write(world, rng, out_dir)


def _draw(rng: np.random.Generator) -> dict:
    documents = [f"dm-{number:06x}" for number in rng.choice(16**6, size=N_DOCUMENTS, replace=False)]
    fitted_on = _training(documents)
    held_out = [at for at, name in enumerate(documents) if name not in fitted_on]
    unread = int(rng.choice(held_out))
    n_systems = len(SYSTEMS)
    shape = (N_DOCUMENTS, n_systems)
    general = rng.normal(size=n_systems)
    verbosity = 0.8 * rng.normal(size=n_systems) + 0.6 * rng.normal(size=shape)
    world: dict = {"documents": documents, "dimensions": {}}
    for dimension, kept in KEPT.items():
        system = 0.45 * general + 0.45 * rng.normal(size=n_systems)
        quality = system + 0.35 * rng.normal(size=(N_DOCUMENTS, 1)) + 0.55 * rng.normal(size=shape)
        centre = 3.9 if dimension == "consistency" else 3.3
        bias = 0.2 * rng.normal(size=EXPERTS)
        experts = centre + 0.9 * quality[..., None] + bias + 0.85 * rng.normal(size=(*shape, EXPERTS))
        crowd = 3.6 + 0.35 * quality[..., None] + 0.3 * verbosity[..., None] + 0.9 * rng.normal(size=(*shape, CROWD))
        ratings = np.clip(np.rint(np.concatenate([experts, crowd], axis=-1)), 1, 5)
        # One expert at most is silent on a summary, so that every summary has an expert mean.
        silent = rng.random(shape) < 0.03
        who = rng.integers(EXPERTS, size=shape)
        for expert in range(EXPERTS):
            ratings[..., expert][silent & (who == expert)] = np.nan
        # Documents of this dimension at the edge of what can be correlated.
        alike, perfect, two, three = rng.choice([at for at in held_out if at != unread], size=4, replace=False).tolist()
        by_experts = ratings[alike, :, :EXPERTS]
        by_experts[~np.isnan(by_experts)] = rng.integers(3, 6)
        likert = np.clip(np.rint(3.7 + 0.6 * quality + 0.35 * verbosity + 0.7 * rng.normal(size=shape)), 1, 5)
        questions = _draw_questions(dimension, kept, rng)
        favourable = _draw_answers(dimension, questions, quality, verbosity, rng)
        state, answered = _draw_states(favourable.shape, rng)
        on_list = [at for at, question in enumerate(questions) if question["kept"]]
        favourable[perfect, :, on_list] = True
        _refuse(answered, state, unread, [], rng)
        ordered = np.argsort(np.nanmean(ratings[..., :EXPERTS], axis=-1), axis=1)
        _refuse(answered, state, two, ordered[two, [0, -1]], rng)
        _refuse(answered, state, perfect, ordered[perfect], rng)
        _refuse(answered, state, three, ordered[three, [0, n_systems // 2, -1]], rng)
        _answer_half(answered, state, sorted({*range(N_DOCUMENTS)} - {unread, two, three}), on_list, rng)
        world["dimensions"][dimension] = {
            "questions": questions,
            "favourable": favourable,
            "answered": answered,
            "state": state,
            "ratings": ratings,
            "likert": likert,
        }
    return world


def _draw_questions(dimension: str, kept: int, rng: np.random.Generator) -> list[dict]:
    bank = BANK[dimension]
    chosen = rng.permutation(len(bank))[: kept + N_DROPPED]
    dropped = set(rng.choice(kept + N_DROPPED, size=N_DROPPED, replace=False).tolist())
    return [
        {"aspect": bank[at][0], "text": bank[at][1], "sign": bank[at][2], "twin": bank[at][3], "kept": place not in dropped}
        for place, at in enumerate(chosen.tolist())
    ]


def _draw_answers(
    dimension: str, questions: list[dict], quality: np.ndarray, verbosity: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """1 where the answer speaks for the summary, whatever the question's polarity."""
    n = len(questions)
    slope = rng.uniform(1.1, 1.3, size=n)
    nuisance = np.zeros(n)
    if dimension not in UNIFORM:
        # A third sharp, a quarter middling, the rest blunt and swayed by verbosity, in random order: kept counts stay alike.
        sharp, middling = n // 3, n // 4
        order = rng.permutation(n)
        slope[order[:sharp]] = rng.uniform(1.8, 2.8, size=sharp)
        slope[order[sharp : sharp + middling]] = rng.uniform(0.6, 1.0, size=middling)
        blunt = order[sharp + middling :]
        slope[blunt] = rng.uniform(0.0, 0.15, size=len(blunt))
        nuisance[blunt] = rng.uniform(0.5, 1.1, size=len(blunt))
    ease = rng.uniform(-1.0, 1.2, size=n)
    logit = slope * (quality[..., None] + ease) + nuisance * verbosity[..., None]
    favourable = rng.random(logit.shape) < 1 / (1 + np.exp(-logit))
    first: dict[str, int] = {}
    for at, question in enumerate(questions):
        label = question["twin"]
        if label and label in first:
            flips = rng.random(favourable.shape[:2]) < FLIP
            favourable[..., at] = favourable[..., first[label]] ^ flips
        elif label:
            first[label] = at
    return favourable


def _draw_states(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """How each output ends (whole, refusal, truncated at a question) and which answers can be read."""
    documents, systems, n = shape
    # Some outputs are sloppy throughout: missing answers come in clusters.
    rate = MISSING_RATE * rng.choice([0.4, 1.0, 4.0], p=[0.6, 0.3, 0.1], size=(documents, systems))
    answered = rng.random(shape) >= rate[..., None]
    state = np.full((documents, systems), n)
    draw = rng.random((documents, systems))
    state[draw < REFUSAL_RATE] = 0
    cut = (draw >= REFUSAL_RATE) & (draw < REFUSAL_RATE + TRUNCATION_RATE)
    state[cut] = rng.integers(n // 4, n - 1, size=int(cut.sum()))
    answered &= np.arange(n) < state[..., None]
    return state, answered


def _refuse(answered: np.ndarray, state: np.ndarray, document: int, but: np.ndarray | list, rng: np.random.Generator) -> None:
    """Let the judge refuse all summaries of a document, with or without a few answers, but those of some systems."""
    n = answered.shape[-1]
    for system in range(len(SYSTEMS)):
        if system in but:
            state[document, system] = n
            answered[document, system] = rng.random(n) >= MISSING_RATE
        else:
            state[document, system] = 0 if not len(but) or rng.random() < 0.6 else rng.integers(2, n // 4)
            answered[document, system] &= np.arange(n) < state[document, system]


def _answer_half(answered: np.ndarray, state: np.ndarray, among: list[int], kept: list[int], rng: np.random.Generator) -> None:
    """Let some whole outputs, of these documents, answer exactly half of the kept questions."""
    whole = np.argwhere((state == answered.shape[-1]) & np.isin(np.arange(len(state)), among)[:, None])
    for d, s in whole[rng.choice(len(whole), size=HALF_ANSWERED, replace=False)]:
        answered[d, s, kept] = rng.permutation(len(kept)) < len(kept) // 2


def _training(documents: list[str]) -> set[str]:
    return set(random.Random(42).sample(sorted(documents), round(len(documents) / 5)))


def _usable(world: dict) -> bool:
    """A regression on a fifth of the documents must have one well-conditioned solution, so that every solver agrees, and without
    the documents that a guard leaves out too; some of what it predicts must leave the rating scale; and every dimension must hold
    the cases that `_cases` counts."""
    documents = world["documents"]
    rows, of_fewer = (np.isin(documents, list(_training(some))) for some in (documents, documents[FEWER:]))
    outside = 0
    read = np.zeros(N_DOCUMENTS, dtype=bool)
    for part in world["dimensions"].values():
        kept = [at for at, question in enumerate(part["questions"]) if question["kept"]]
        means = np.nanmean(part["ratings"][..., :EXPERTS], axis=-1)
        x = part["favourable"][..., kept].reshape(-1, len(kept)).astype(float)
        seen = part["answered"][..., kept].reshape(-1, len(kept))
        enough = seen.mean(axis=1) >= 0.5
        x, seen = x[enough], seen[enough]
        own = (x * seen).sum(axis=1) / seen.sum(axis=1)
        design = np.column_stack([np.ones(len(x)), np.where(seen, x, own[:, None])])
        at = np.repeat(np.arange(N_DOCUMENTS), len(SYSTEMS))[enough]
        if max(np.linalg.cond(design[fit[at]]) for fit in (rows, of_fewer)) > 300:
            return False
        rated = means.reshape(-1)[enough]
        predicted = design @ np.linalg.lstsq(design[rows[at]], rated[rows[at]], rcond=None)[0]
        outside += int(((predicted < 1) | (predicted > 5)).sum())
        read[at] = True
        if not _cases(at, ~rows, own, predicted, rated):
            return False
    return outside >= LEAST_OUTSIDE and not read[~rows].all()


def _cases(at: np.ndarray, held_out: np.ndarray, own: np.ndarray, predicted: np.ndarray, rated: np.ndarray) -> bool:
    """Are there held-out documents with two and with three scored systems, with ratings that do not vary and with scores that do
    not? Unweighted scores that do not vary must be a document's weighted ones too: both kinds of score skip the same documents. All
    16 systems have those scores: the mean of so many equal numbers is exact, so that a coefficient without a check is undefined and
    not what rounding makes of it."""
    found = set()
    for document in np.unique(at):
        here = at == document
        u, w, y = (bool(np.ptp(values[here].round(6)) > 0) for values in (own, predicted, rated))
        if u != w:
            return False
        if held_out[document]:
            found.add((int(here.sum()), u, y))
    alike = any(systems > 3 and u and not y for systems, u, y in found)
    return alike and {(2, True, True), (3, True, True), (len(SYSTEMS), False, True)} <= found


def _write(world: dict, rng: np.random.Generator, out_dir: Path) -> None:
    documents = world["documents"]
    (out_dir / "CANARY.txt").write_text(CANARY + "\n")
    (out_dir / "checklists").mkdir()
    (out_dir / "responses").mkdir()
    (out_dir / "responses" / "CANARY.txt").write_text(CANARY + "\n")
    pairs = [(d, s) for d in range(N_DOCUMENTS) for s in range(len(SYSTEMS))]
    for dimension, part in world["dimensions"].items():
        (out_dir / "checklists" / f"{dimension}.yaml").write_text(_checklist(dimension, part["questions"]))
        lines = []
        for at in rng.permutation(len(pairs)):
            d, s = pairs[at]
            output = _output(part["questions"], part["favourable"][d, s], part["answered"][d, s], int(part["state"][d, s]), rng)
            lines.append(json.dumps({"document": documents[d], "system": SYSTEMS[s], "output": output}))
        (out_dir / "responses" / f"{dimension}.jsonl").write_text("\n".join(lines) + "\n")
    dimensions = list(world["dimensions"])
    likert = ["document,system," + ",".join(dimensions)]
    human = ["document,system,annotator," + ",".join(dimensions)]
    annotators = [f"expert_{at + 1}" for at in range(EXPERTS)] + [f"crowd_{at + 1}" for at in range(CROWD)]
    for d, s in pairs:
        row = [f"{world['dimensions'][k]['likert'][d, s]:.0f}" for k in dimensions]
        likert.append(",".join([documents[d], SYSTEMS[s], *row]))
        for at, annotator in enumerate(annotators):
            values = [world["dimensions"][k]["ratings"][d, s, at] for k in dimensions]
            row = ["" if np.isnan(value) else f"{value:.0f}" for value in values]
            human.append(",".join([documents[d], SYSTEMS[s], annotator, *row]))
    (out_dir / "likert.csv").write_text("\n".join(likert) + "\n")
    (out_dir / "human.csv").write_text("\n".join(human) + "\n")


def _checklist(dimension: str, questions: list[dict]) -> str:
    lines = [f"# {CANARY}", f"dimension: {dimension}", "questions:"]
    for number, question in enumerate(questions, 1):
        lines += [
            f"  - id: Q{number}",
            f"    aspect: {question['aspect']}",
            f"    text: {json.dumps(question['text'])}",
            f"    favourable: {json.dumps('yes' if question['sign'] == '+' else 'no')}",
            f"    status: {'kept' if question['kept'] else 'dropped'}",
        ]
    return "\n".join(lines) + "\n"


def _output(questions: list[dict], favourable: np.ndarray, answered: np.ndarray, state: int, rng: np.random.Generator) -> str:
    if state == 0:
        return REFUSALS[int(rng.integers(len(REFUSALS)))]
    style = ["Q{}: {}", "Q{}. {}", "**Q{}**: {}", "{}) {}"][int(rng.choice(4, p=[0.7, 0.12, 0.1, 0.08]))]
    lower = rng.random() < 0.15
    lines = ["Here are my answers:"] if rng.random() < 0.1 else []
    corrections = []
    for number, question in enumerate(questions[:state], 1):
        yes = bool(favourable[number - 1]) == (question["sign"] == "+")
        word, other = ("Yes", "No") if yes else ("No", "Yes")
        if not answered[number - 1]:
            kind = rng.random()
            if kind < 0.35:
                continue
            if kind < 0.55:
                # Both answers are given: the parser cannot tell which one is meant.
                corrections.append(style.format(number, other))
                lines.append(style.format(number, word))
            else:
                lines.append(style.format(number, NO_VERDICT[int(rng.integers(len(NO_VERDICT)))]).rstrip())
            continue
        if lower:
            word = word.lower()
        if rng.random() < 0.06:
            word += [", ", " - ", ". "][int(rng.integers(3))] + REASONS[int(rng.integers(len(REASONS)))]
        lines.append(style.format(number, word))
    return "\n".join(lines + corrections)
