# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Training text for both models: random box scenarios, simulated and written out as token ids for a whole batch at once.

Every scenario is laid out in fixed columns with BLANK where a column is not used; the blanks are then squeezed out. Ids of tokens that count for the
loss (those of the statement) carry the bit SUPERVISED.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

BOXES, SLOTS, MAX_IN_BOX, MAX_OPS = 5, 14, 3, 7
BLANK, SUPERVISED = -1, 1 << 10

SINGLE = (
    "apple ball bell bottle brush candle card clock coin cup drum fan fork glass hammer hat kite lamp map mirror pen ring rope vase"
).split()
COMPOUND = (
    "tea-pot tea-cup tea-spoon note-book note-pad note-card book-mark cup-cake sauce-pan snow-ball snow-shoe sun-flower hand-bag hand-bell "
    "foot-ball news-paper key-ring candle-stick flower-pot egg-cup door-bell tooth-brush hair-brush wine-glass"
).split()
OBJECTS = sorted(SINGLE + [word.replace("-", "") for word in COMPOUND])
HALVES = {word.replace("-", ""): word.split("-") for word in COMPOUND}


@dataclass(frozen=True)
class Wording:
    """A model's tokens, and the words between which its prompts hold a scenario."""

    tokens: list[str]
    objects: list[list[str]]
    """The tokens of each object."""
    start: str
    """Before the first scenario of a prompt; empty for none."""
    context: str
    answer: str
    empty: tuple[str, str]
    """Verb and noun for a box without objects."""
    end: str
    """After a statement's full stop; empty for none."""
    mark: str
    """In front of a token that begins a word."""

    def id(self, token: str) -> int:
        return self.tokens.index(token) if token else BLANK

    def word(self, token: str) -> int:
        return self.id(self.mark + token)


def text_wording() -> Wording:
    words = "Description Statement : Box 0 1 2 3 4 contains nothing the and , . Move Put Remove from to into".split()
    return Wording(
        ["<pad>", "<eos>", *words, *OBJECTS],
        [[name] for name in OBJECTS],
        "",
        "Description",
        "Statement",
        ("contains", "nothing"),
        "",
        "",
    )


def vlm_wording() -> Wording:
    mark = "▁"
    words = "Put Remove Move into from to Answer Context is empty contains and the Box 4 3 2 1 0".split()
    pieces = {name: [mark + HALVES[name][0], HALVES[name][1]] if name in HALVES else [mark + name] for name in OBJECTS}
    unique = sorted({piece for parts in pieces.values() for piece in parts}, key=lambda piece: (len(piece), piece))
    tokens = ["<pad>", "<s>", "<end>", "<unk>", ".", ",", ":", *(mark + word for word in words), *unique]
    return Wording(tokens, [pieces[name] for name in OBJECTS], "<s>", "Context", "Answer", ("is", "empty"), "<end>", mark)


@dataclass
class Pool:
    tokens: Tensor
    """(scenarios, longest) int16, BLANK behind the end."""
    affected: Tensor
    """(scenarios, boxes): how many operations name the box."""
    grid: Tensor
    """(scenarios, boxes, 3): the objects at the start, -1 for none."""


def squeeze_blanks(columns: Tensor, width: int | None = None) -> Tensor:
    """Tokens to the front, blanks to the back, cut to `width` or to the longest row."""
    order = torch.sort((columns == BLANK).to(torch.uint8), dim=1, stable=True).indices
    packed = columns.gather(1, order)
    return packed[:, : int((packed != BLANK).sum(1).max()) if width is None else width]


def _pick(allowed: Tensor, generator: torch.Generator) -> Tensor:
    noise = torch.rand(allowed.shape, generator=generator, device=allowed.device)
    return torch.where(allowed, noise, torch.full_like(noise, -1.0)).argmax(1)


def _box_columns(wording: Wording, held: Tensor, first: Tensor, second: Tensor, bit: int) -> list[Tensor]:
    """`held` is (n, boxes, 3) object indices or -1; `first` and `second` are the tokens of each object."""
    n = len(held)
    like = held[:, 0, 0]

    def constant(token: int) -> Tensor:
        return torch.full_like(like, token if token == BLANK else token | bit)

    blank = constant(BLANK)
    columns = []
    for box in range(BOXES):
        empty = held[:, box, 0] < 0
        columns += [constant(wording.word("Box")), constant(wording.word(str(box)))]
        columns += [torch.where(empty, constant(wording.word(wording.empty[0])), constant(wording.word("contains")))]
        columns += [torch.where(empty, constant(wording.word(wording.empty[1])), blank)]
        for place in range(MAX_IN_BOX):
            there, index = held[:, box, place] >= 0, held[:, box, place].clamp(min=0)
            if place:
                columns.append(torch.where(there, constant(wording.word("and")), blank))
            columns.append(torch.where(there, constant(wording.word("the")), blank))
            columns.append(torch.where(there, first[index] | bit, blank))
            columns.append(torch.where(there & (second[index] != BLANK), second[index] | bit, blank))
        columns.append(constant(wording.id("." if box == BOXES - 1 else ",")))
    assert all(len(column) == n for column in columns)
    return columns


def make_pool(wording: Wording, n: int, ops: tuple[int, int], generator: torch.Generator, picture_token: int | None = None) -> Pool:
    """With `picture_token`, that token stands in place of the sentence that lists the boxes at the start."""
    device = generator.device
    rows = torch.arange(n, device=device)
    first = torch.tensor([wording.id(parts[0]) for parts in wording.objects], device=device)
    second = torch.tensor([wording.id(parts[1]) if len(parts) > 1 else BLANK for parts in wording.objects], device=device)

    name = torch.rand((n, len(OBJECTS)), generator=generator, device=device).argsort(1)[:, :SLOTS]
    draw = torch.rand((n, BOXES), generator=generator, device=device)
    count = (draw > 0.2).long() + (draw > 0.65).long()
    upto = count.cumsum(1)
    slot = torch.arange(SLOTS, device=device).expand(n, SLOTS)
    where = (slot[:, :, None] >= upto[:, None, :]).sum(2)
    where = torch.where(where == BOXES, torch.full_like(where, -1), where)
    arrived = torch.where(where >= 0, slot, torch.full_like(slot, 999))
    fresh = upto[:, -1].clone()

    def contents() -> Tensor:
        held = []
        for box in range(BOXES):
            when = torch.where(where == box, arrived, torch.full_like(arrived, 999))
            early = when.sort(1)
            chosen = name.gather(1, early.indices[:, :MAX_IN_BOX])
            held.append(torch.where(early.values[:, :MAX_IN_BOX] < 999, chosen, torch.full_like(chosen, -1)))
        return torch.stack(held, 1)

    grid = contents()
    affected = torch.zeros((n, BOXES), dtype=torch.long, device=device)
    length = torch.randint(ops[0], ops[1] + 1, (n,), generator=generator, device=device)
    word = {token: wording.word(token) for token in "Move Put Remove from to into the Box".split()}
    digits = torch.tensor([wording.word(str(box)) for box in range(BOXES)], device=device)
    told: list[Tensor] = []
    for step in range(ops[1]):
        live = step < length
        inside = where >= 0
        draw = torch.rand(n, generator=generator, device=device)
        kind = (draw > 0.5).long() + (draw > 0.75).long()  # 0 move, 1 put, 2 remove
        kind = torch.where(inside.any(1), kind, torch.ones_like(kind))
        kind = torch.where((kind == 1) & (fresh >= SLOTS), torch.full_like(kind, 2), kind)
        thing = torch.where(kind == 1, fresh.clamp(max=SLOTS - 1), _pick(inside, generator))
        source = where[rows, thing]
        load = torch.stack([(where == box).sum(1) for box in range(BOXES)], 1)
        room = (load < MAX_IN_BOX) & (torch.arange(BOXES, device=device)[None] != source[:, None])
        target = _pick(room, generator)
        to, away = live & (kind != 2), live & (kind != 1)
        where[rows[live], thing[live]] = torch.where(kind == 2, torch.full_like(target, -1), target)[live]
        arrived[rows[to], thing[to]] = 100 + step
        fresh = fresh + (live & (kind == 1)).long()
        affected[rows[to], target[to]] += 1
        affected[rows[away], source[away]] += 1
        obj = name[rows, thing]

        def say(*choices: int | Tensor, kind: Tensor = kind, live: Tensor = live) -> Tensor:
            parts = [torch.full_like(kind, choice) if isinstance(choice, int) else choice for choice in choices]
            return torch.where(live, torch.stack(parts, 1).gather(1, kind[:, None])[:, 0], torch.full_like(kind, BLANK))

        there, here = digits[target], digits[source.clamp(min=0)]
        told += [
            say(word["Move"], word["Put"], word["Remove"]),
            say(*[word["the"]] * 3),
            say(*[first[obj]] * 3),
            say(*[second[obj]] * 3),
        ]
        told += [say(word["from"], word["into"], word["from"]), say(*[word["Box"]] * 3), say(here, there, here)]
        told += [
            say(word["to"], BLANK, BLANK),
            say(word["Box"], BLANK, BLANK),
            say(there, BLANK, BLANK),
            say(*[wording.id(".")] * 3),
        ]

    def fixed(token: int) -> Tensor:
        return torch.full_like(rows, token)

    columns = [fixed(wording.word(wording.context)), fixed(wording.id(":"))]
    if picture_token is None:
        columns += _box_columns(wording, grid, first, second, 0)
    else:
        columns += [fixed(picture_token), fixed(wording.id("."))]
    columns += [*told, fixed(wording.word(wording.answer)), fixed(wording.id(":"))]
    columns += _box_columns(wording, contents(), first, second, SUPERVISED)
    if wording.end:
        columns.append(fixed(wording.id(wording.end) | SUPERVISED))
    packed = squeeze_blanks(torch.stack(columns, 1)).to(torch.int16)
    return Pool(packed, affected, grid)


def big_pool(wording: Wording, n: int, ops: tuple[int, int], generator: torch.Generator, picture_token: int | None = None) -> Pool:
    parts = [make_pool(wording, min(50_000, n - at), ops, generator, picture_token) for at in range(0, n, 50_000)]
    width = max(part.tokens.shape[1] for part in parts)
    tokens = [torch.nn.functional.pad(part.tokens, (0, width - part.tokens.shape[1]), value=BLANK) for part in parts]
    return Pool(torch.cat(tokens), torch.cat([part.affected for part in parts]), torch.cat([part.grid for part in parts]))
