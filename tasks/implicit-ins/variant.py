# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The task's data from a seed: instructions, the points a good response makes, and reference responses to compare with.

The world (topics, what belongs to each, how requests are put) is fixed, because two models were trained on it; see
`authoring/corpus.py`, which builds their corpus from the functions below. A seed draws which requests are put, in which
wording, and what the reference responses say. Nothing of the models' behaviour is in the data.
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"

INSTRUCTIONS = 120
ASPECTS = ("steps", "care", "choice")
QUESTIONS = range(40, 76)
"""How many of the instructions may be questions: those are where the rule on words decides."""
POINTS = 6
"""Points per topic and aspect; a response can make each of them."""

TOPICS = {
    "bake bread": "dough flour yeast oven salt bowl crust tray",
    "cook soup": "pot onion carrot broth pepper ladle lentil stove",
    "brew tea": "kettle leaf cup water honey lemon strainer mug",
    "pitch a tent": "pole peg rope canvas mallet sheet zip ground",
    "repair a bicycle": "chain wheel brake pedal saddle tube pump frame",
    "paint a wall": "brush roller primer ladder tape bucket colour corner",
    "plant a tree": "hole root soil spade stake mulch trunk fence",
    "grow tomatoes": "seed pot cane compost stem leaf window water",
    "build a shelf": "board screw drill level bracket wall saw plank",
    "sew a shirt": "needle thread cloth button collar sleeve pin pattern",
    "knit a scarf": "wool needle stitch row edge ball fringe colour",
    "wash a car": "sponge hose bucket soap wheel mirror cloth window",
    "sail a boat": "rope sail rudder anchor mast wind deck chart",
    "catch a fish": "rod hook line bait net reel boot stool",
    "ride a horse": "saddle rein boot helmet hoof brush stable hay",
    "train a dog": "lead treat collar whistle ball blanket voice yard",
    "keep bees": "hive smoke frame veil honey wax glove queen",
    "write a letter": "pen paper stamp envelope greeting margin name date",
    "bind a book": "page glue thread cover spine press knife paper",
    "develop a film": "tank lamp tray paper clip timer bottle print",
    "tune a guitar": "string peg fret neck pick bridge case ear",
    "play chess": "board king pawn clock rook corner move queen",
    "run a market stall": "table scale basket price sign coin bag awning",
    "light a fire": "match log twig stone ash bellows smoke grate",
    "clean a chimney": "brush rod sheet bucket grate ladder mask flue",
    "fix a tap": "washer wrench valve pipe bucket seal screw handle",
    "lay a floor": "plank saw level glue spacer knee edge mallet",
    "hang a picture": "nail hammer frame wire hook level wall glass",
    "pack a suitcase": "shirt shoe belt bottle lock label list coat",
    "climb a hill": "boot map stick coat flask path compass sock",
    "cross a river": "raft paddle rope stone bank pole vest current",
    "make cheese": "milk rennet cloth press salt mould curd cellar",
    "press cider": "apple barrel press sieve jug cork bottle yeast",
    "roast coffee": "bean pan jar filter mill lid scale cup",
    "carve a spoon": "knife log bark edge bowl handle oil sand",
    "throw a pot": "clay wheel kiln glaze sponge apron rim wire",
    "watch birds": "hat lens notebook bush nest feather path guide",
    "read the stars": "chart lens lamp blanket sky hill compass clock",
    "fly a kite": "string tail wind reel field cloth knot frame",
    "hold a meeting": "table chair list clock name note door minute",
}
VERBS = "check clean cover choose dry fill hold keep lift mark measure move open place press test tie turn warm weigh".split()
STATES = "clean dry warm cool firm loose sharp full empty near covered flat still sealed straight oiled".split()
KINDS = "wide small heavy light plain strong soft smooth thick new short long cheap old solid narrow".split()
PEOPLE = (
    "a child, a friend, a beginner, a neighbour, a student, a teacher, a tourist, a family, a farmer, a sailor, a nurse, a "
    "painter, a cook, a driver, a club, a class"
).split(", ")
TIMES = (
    "before winter, on a Sunday, in the rain, after dark, at home, in a hurry, on a journey, without help, in summer, by hand, in "
    "the morning, for the first time"
).split(", ")
REQUESTS = {
    "steps": (
        "Explain how to {act}{more}.",
        "List the steps to {act}{more}.",
        "Describe how to {act}{more}.",
        "Write a short guide on how to {act}{more}.",
        "How do I {act}{more}?",
        "What is the way to {act}{more}?",
        "How does one {act}{more}?",
    ),
    "care": (
        "Explain how to look after the things needed to {act}{more}.",
        "Give advice on care for the things used to {act}{more}.",
        "Describe how to keep the things in order that are used to {act}{more}.",
        "How do I look after the things needed to {act}{more}?",
        "What care do the things need that are used to {act}{more}?",
    ),
    "choice": (
        "Advise on which things to buy to {act}{more}.",
        "List good things to buy to {act}{more}.",
        "Recommend the things to get to {act}{more}.",
        "Which things are best to {act}{more}?",
        "What do I buy to {act}{more}?",
    ),
}


@dataclass(frozen=True)
class Request:
    act: str
    aspect: str
    focus: str | None
    """A noun of the topic that the request asks to be mentioned."""
    text: str

    @property
    def question(self) -> bool:
        """Questions are forum titles in the corpus, imperatives are headings of guides."""
        return "?" in self.text


def make(seed: int, out_dir: Path, truth: Path) -> None:
    """Write instructions into the empty folder `out_dir`, and what responses are measured by into `truth`."""
    rng = random.Random(f"implicit-ins/{seed}")
    points = all_points()
    requests = _requests(rng, points)
    while sum(request.question for request in requests) not in QUESTIONS:
        requests = _requests(rng, points)
    instructions, rubrics, references = [], [], []
    for at, request in enumerate(requests):
        name = f"ins-{at:03d}"
        instructions.append({"id": name, "instruction": request.text})
        rubrics.append({"id": name, "points": [list(point) for point in sorted(points[request.act, request.aspect])]})
        references.append({"id": name, "response": _reference(rng, request, points)})
    _write(out_dir / "instructions.jsonl", instructions)
    _write(truth / "rubrics.jsonl", rubrics)
    _write(truth / "references.jsonl", references)
    for folder in (out_dir, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")


def _requests(rng: random.Random, points: dict[tuple[str, str], list[tuple[str, str]]]) -> list[Request]:
    """Different requests; aspects take turns, so that every variant has the same number of each."""
    requests: dict[str, Request] = {}
    while len(requests) < INSTRUCTIONS:
        request = draw_request(rng, points, ASPECTS[len(requests) % len(ASPECTS)])
        requests.setdefault(request.text, request)
    drawn = list(requests.values())
    rng.shuffle(drawn)
    return drawn


def _write(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def all_points() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """For every topic and aspect, six pairs of a word and a noun of the topic, most common first. The same for every seed."""
    rng = random.Random("implicit-ins/world")
    words = {"steps": VERBS, "care": STATES, "choice": KINDS}
    points = {}
    for act, nouns in TOPICS.items():
        for aspect in ASPECTS:
            points[act, aspect] = list(zip(rng.sample(words[aspect], POINTS), rng.sample(nouns.split(), POINTS), strict=True))
    return points


def draw_request(rng: random.Random, points: dict[tuple[str, str], list[tuple[str, str]]], aspect: str) -> Request:
    act = rng.choice(list(TOPICS))
    more = ""
    if rng.random() < 0.5:
        more += f" with {rng.choice(PEOPLE)}"
    if rng.random() < 0.5:
        more += f" {rng.choice(TIMES)}"
    text = rng.choice(REQUESTS[aspect]).format(act=act, more=more)
    focus = None
    if rng.random() < 0.6:
        focus = rng.choice(points[act, aspect])[1]
        text += rng.choice((" Mention the {}.", " Think of the {}.", " Do not forget the {}.")).format(focus)
    return Request(act, aspect, focus, text)


def sentence(aspect: str, point: tuple[str, str]) -> str:
    """One point as a sentence that starts with a capital."""
    word, noun = point
    if aspect == "steps":
        return f"{word.capitalize()} the {noun}."
    if aspect == "care":
        return f"The {noun} must stay {word}."
    return f"{'An' if word[0] in 'aeiou' else 'A'} {word} {noun} is best."


def _reference(rng: random.Random, request: Request, points: dict[tuple[str, str], list[tuple[str, str]]]) -> str:
    """Three to five of the points, sometimes with a sentence said twice or one from another topic."""
    own = points[request.act, request.aspect]
    chosen = rng.sample(own, rng.choice((3, 3, 4, 4, 5, 5)))
    sentences = [sentence(request.aspect, point) for point in chosen]
    if rng.random() < 0.3:
        sentences.insert(rng.randrange(1, len(sentences) + 1), rng.choice(sentences))
    if rng.random() < 0.3:
        other = rng.choice([act for act in TOPICS if act != request.act])
        sentences.append(sentence(request.aspect, rng.choice(points[other, request.aspect])))
    if rng.random() < 0.3:
        sentences.insert(0, "Sure!")
    return " ".join(sentences)
