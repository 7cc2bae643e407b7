# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: proteins with a hidden landscape, the homologs that evolution left, and the quirks of the bench that assays them.

A landscape has four traits: activity, stability, resistance to acid, and expression, which only the assay feels. Traits are sums over sites of how well a residue's
chemistry suits the site, over contacts of how well two residues suit each other, over the whole chain of how far a property strays from its balance, and a cofactor's bonus.
A world's mechanisms decide which of these are strong, what the bench adds, and what is wrong with the alignment. Truth keeps none of this apart: see `terms`.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
LETTERS = "ACDEFGHIKLMNPQRSTVWY"
PROPERTIES = ("hydropathy", "volume", "charge", "helix")
CHEMISTRY = {
    "A": (1.8, 88.6, 0.0, 0.00), "C": (2.5, 108.5, 0.0, 0.68), "D": (-3.5, 111.1, -1.0, 0.69), "E": (-3.5, 138.4, -1.0, 0.40),
    "F": (2.8, 189.9, 0.0, 0.54), "G": (-0.4, 60.1, 0.0, 1.00), "H": (-3.2, 153.2, 0.1, 0.61), "I": (4.5, 166.7, 0.0, 0.41),
    "K": (-3.9, 168.6, 1.0, 0.26), "L": (3.8, 166.7, 0.0, 0.21), "M": (1.9, 162.9, 0.0, 0.24), "N": (-3.5, 114.1, 0.0, 0.65),
    "P": (-1.6, 112.7, 0.0, 3.16), "Q": (-3.5, 143.8, 0.0, 0.39), "R": (-4.5, 173.4, 1.0, 0.21), "S": (-0.8, 89.0, 0.0, 0.50),
    "T": (-0.7, 116.1, 0.0, 0.66), "V": (4.2, 140.0, 0.0, 0.61), "W": (-0.9, 227.8, 0.0, 0.49), "Y": (-1.3, 193.6, 0.0, 0.53),
}  # fmt: skip
"""Hydropathy (Kyte and Doolittle), residue volume in cubic angstrom, charge at neutral pH, helix propensity in kcal/mol (Pace and Scholtz)."""
ROUNDS = 4
WELLS = 36
"""Wells of one plate."""
WORLDS_PER_STRATUM = 3
POCKET_SCALE = 0.8
TAG = 6
"""Sites at the start of the chain that set expression, where expression varies."""
TITRATION = {"D": -1.0, "E": -1.0, "H": -0.6, "K": 0.6, "R": 0.6, "N": 0.3, "Q": 0.3}
"""What a residue does to resistance against acid, times the site's exposure."""

LANDSCAPE = ("contacts", "marginal", "heat", "acid", "motif", "balance")
BENCH = ("plates", "failures", "reader", "tag", "leak")
ALIGNMENT = ("clades", "strangers", "slips")
STRATA: tuple[tuple[tuple[str, ...], int, int, int], ...] = (
    ((), 0, 0, 0),
    (("contacts",), 0, 0, 1),
    (("marginal",), 0, 0, 1),
    (("heat",), 0, 1, 0),
    (("acid",), 0, 1, 1),
    (("motif",), 0, 1, 0),
    (("balance",), 0, 1, 1),
    ((), 0, 2, 1),
    ((), 1, 1, 1),
    (("contacts",), 1, 1, 1),
    (("heat", "acid"), 0, 2, 1),
    (("motif",), 1, 2, 1),
    (("balance",), 1, 2, 1),
    ((), 3, 2, 1),
)
"""By stratum: mechanisms that it always has, and how many more of the landscape, the bench and the alignment are drawn."""


@dataclass
class Setting:
    """What a world's mechanisms come to, in numbers."""

    length: int
    contact: float = 0.3
    contacts_per_site: float = 0.8
    margin: float = 5.0
    """Stability of the wild type in kT."""
    trade_off: float = 0.2
    """Stability that a unit of activity costs at a pocket site."""
    heat: float = 0.0
    acid: float = 0.0
    resistance: float = 9.0
    """Of the wild type, to acid."""
    motif: int = 0
    """Residues of the cofactor motif; 0 is none."""
    balance: float = 0.0
    """Log activity lost per squared unit of imbalance."""
    balanced: int = 0
    """Which property has to be in balance."""
    tag: float = 0.0
    saturation: float = 80.0
    hook: bool = False
    """Whether too much signal darkens the reader instead of levelling it off."""
    gain_sd: float = 0.05
    slope_sd: float = 0.05
    rim: float = 0.0
    failure: float = 0.01
    parental: bool = False
    """Whether a failed well holds the wild type instead of nothing."""
    relative_noise: float = 0.12
    leak: float = 0.0
    """Share of a well's signal that is read in the next well of the row."""
    homologs: int = 220
    uneven: bool = False
    kinship: float = 0.5
    """Correlation of what the homologs' pockets were selected for with the activity that is wanted."""
    strangers: float = 0.0
    slips: float = 0.0


def draw_setting(mechanisms: set[str], rng: np.random.Generator) -> Setting:
    s = Setting(length=int(rng.integers(20, 27)))
    if "contacts" in mechanisms:
        s.contact, s.contacts_per_site = rng.uniform(0.9, 1.3), rng.uniform(1.0, 1.3)
    if "marginal" in mechanisms:
        s.margin, s.trade_off = rng.uniform(0.3, 1.2), rng.uniform(0.6, 1.0)
    if "heat" in mechanisms:
        s.margin = rng.uniform(0.8, 1.6) if "marginal" in mechanisms else rng.uniform(2.0, 3.0)
        s.heat = s.margin + rng.uniform(2.5, 4.0)
    if "acid" in mechanisms:
        s.resistance = rng.uniform(1.5, 2.5)
        s.acid = s.resistance + rng.uniform(2.0, 3.0)
    if "motif" in mechanisms:
        s.motif = int(rng.integers(3, 5))
    if "balance" in mechanisms:
        s.balance, s.balanced = rng.uniform(0.12, 0.25), int(rng.integers(3))
    if "plates" in mechanisms:
        s.gain_sd, s.slope_sd, s.rim = 0.6, 0.8, -rng.uniform(0.3, 0.7)
    if "failures" in mechanisms:
        s.failure, s.parental, s.relative_noise = rng.uniform(0.12, 0.22), bool(rng.random() < 0.5), rng.uniform(0.2, 0.35)
    if "reader" in mechanisms:
        s.saturation, s.hook = rng.uniform(1.2, 2.5), bool(rng.random() < 0.5)
    if "tag" in mechanisms:
        s.tag = rng.uniform(0.8, 1.2)
    if "leak" in mechanisms:
        s.leak = rng.uniform(0.1, 0.3)
    if "clades" in mechanisms:
        s.uneven, s.homologs, s.kinship = True, 150, rng.uniform(0.0, 0.4)
    if "strangers" in mechanisms:
        s.strangers = rng.uniform(0.35, 0.5)
    if "slips" in mechanisms:
        s.slips = rng.uniform(0.4, 0.6)
    return s


def chemistry() -> np.ndarray:
    """(20, 4) properties, each standardised over the alphabet."""
    table = np.array([CHEMISTRY[letter] for letter in LETTERS])
    return (table - table.mean(axis=0)) / table.std(axis=0)


def preferences(scale: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(sites, 20): each site has an ideal chemistry; a residue loses with its squared distance from it, and has something of its own."""
    ideal = rng.normal(size=(len(scale), 4)) * 0.9
    weight = rng.gamma(2.0, 0.5, size=(len(scale), 4))
    distance = (weight[:, None, :] * (chemistry()[None] - ideal[:, None, :]) ** 2).sum(axis=2)
    return scale[:, None] * (-0.3 * distance + 0.45 * rng.normal(size=(len(scale), len(LETTERS))))


@dataclass
class Trait:
    """A sum over sites, contacts (pair of sites, property, weight) and imbalances (property, level, price)."""

    fields: np.ndarray
    contacts: list[tuple[int, int, int, float]] = field(default_factory=list)
    balances: list[tuple[int, float, float]] = field(default_factory=list)
    constant: float = 0.0

    def squares(self) -> tuple[np.ndarray, np.ndarray]:
        """(n, length, 20) twice: everything beyond fields, as squares of sums over sites to add and to subtract."""
        length, properties = len(self.fields), chemistry()
        added, taken = [], []
        for i, j, k, weight in self.contacts:
            both = np.zeros((2, length, 20))
            both[:, i] = 0.5 * np.sqrt(abs(weight)) * properties[:, k]
            both[0, j], both[1, j] = both[0, i], -both[0, i]
            added.append(both[0 if weight > 0 else 1])
            taken.append(both[1 if weight > 0 else 0])
        for k, level, price in self.balances:
            taken.append(np.sqrt(price) * np.repeat((properties[:, k] - level / length)[None], length, axis=0))
        empty = np.zeros((0, length, 20))
        return np.array(added) if added else empty, np.array(taken) if taken else empty

    def dense(self) -> tuple[np.ndarray, np.ndarray]:
        """The same as fields and a symmetric coupling matrix over (site, letter) without diagonal blocks."""
        length = len(self.fields)
        added, taken = (part.reshape(len(part), length * 20) for part in self.squares())
        matrix = 2 * (added.T @ added - taken.T @ taken)
        fields = self.fields + 0.5 * np.diag(matrix).reshape(length, 20)
        for i in range(length):
            matrix[i * 20 : i * 20 + 20, i * 20 : i * 20 + 20] = 0.0
        return fields, matrix

    def value(self, variants: np.ndarray) -> np.ndarray:
        sites = np.arange(variants.shape[1])
        added, taken = self.squares()
        total = self.constant + self.fields[sites, variants].sum(axis=1)
        return (
            total
            + (added[:, sites, variants].sum(axis=2) ** 2).sum(axis=0)
            - (taken[:, sites, variants].sum(axis=2) ** 2).sum(axis=0)
        )


@dataclass
class Motif:
    """Residues that together bind a cofactor and apart are in the way."""

    sites: np.ndarray
    letters: np.ndarray
    bonus: float = 0.0
    cost: float = 0.0

    def value(self, variants: np.ndarray) -> np.ndarray:
        if not len(self.sites):
            return np.zeros(len(variants))
        held = (variants[:, self.sites] == self.letters).sum(axis=1)
        return np.where(held == len(self.sites), self.bonus, -self.cost * held)


def evolve(
    variants: np.ndarray, fields: np.ndarray, matrix: np.ndarray, sweeps: np.ndarray, frozen: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Mutation and selection at equilibrium: each site is redrawn given the others, in random order, `sweeps` times per sequence (fractions by chance)."""
    variants = variants.copy()
    length = variants.shape[1]
    local = matrix[(np.arange(length) * 20 + variants)].sum(axis=1)
    for sweep in range(int(np.ceil(sweeps.max()))):
        for site in rng.permutation(length):
            block = slice(site * 20, site * 20 + 20)
            busy = (rng.random(len(variants)) < sweeps - sweep) & ~frozen[:, site]
            energy = fields[:, site] + local[:, block]
            new = np.where(busy, (energy + rng.gumbel(size=energy.shape)).argmax(axis=1), variants[:, site])
            local += matrix[site * 20 + new] - matrix[site * 20 + variants[:, site]]
            variants[:, site] = new
    return variants


def family(
    setting: Setting,
    fields: np.ndarray,
    matrix: np.ndarray,
    activity: np.ndarray,
    motif: Motif,
    pocket: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Homologs in clades. Stability is selected for everywhere; pockets are selected for each clade's own substrate."""
    length, clades = setting.length, 5
    share = np.array([0.62, 0.14, 0.1, 0.08, 0.06]) if setting.uneven else np.array([0.26, 0.24, 0.2, 0.18, 0.12])
    counts = np.maximum(8, (share * setting.homologs).astype(int))
    own = np.zeros((clades, length, 20))
    for clade in range(clades):
        other = preferences(np.full(len(pocket), POCKET_SCALE), rng)
        own[clade, pocket] = setting.kinship * activity[pocket] + np.sqrt(1 - setting.kinship**2) * other
    selected = fields[None] + own
    frozen = np.zeros((clades, length), dtype=bool)
    ancestor = evolve(rng.integers(20, size=(1, length)), fields[None], matrix, np.array([12.0]), frozen[:1], rng)
    roots = ancestor.repeat(clades, axis=0)
    if len(motif.sites):
        holder = int(rng.integers(2, clades))
        roots[holder, motif.sites] = motif.letters
        frozen[holder, motif.sites] = True
    depth = 1.2 if setting.uneven else 4.0
    roots = evolve(roots, selected, matrix, np.full(clades, 2.5), frozen, rng)
    which = np.repeat(np.arange(clades), counts)
    twigs = np.repeat(np.arange(clades), np.maximum(2, counts // (12 if setting.uneven else 4)))
    branches = evolve(roots[twigs], selected[twigs], matrix, np.full(len(twigs), depth * 0.6), frozen[twigs], rng)
    parents = np.array([rng.choice(np.flatnonzero(twigs == clade)) for clade in which])
    return evolve(branches[parents], selected[which], matrix, rng.uniform(0.2, 0.8, size=len(which)) * depth, frozen[which], rng)


def published(setting: Setting, relatives: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The alignment as a database has it: with members of another family, and with rows that slipped from some site on."""
    rows = relatives.copy()
    length = setting.length
    if setting.slips:
        for index in np.flatnonzero(rng.random(len(rows)) < setting.slips):
            at, gap = int(rng.integers(2, length * 2 // 3)), rng.integers(20, size=1)
            rows[index, at:] = (
                np.concatenate([gap, rows[index, at:-1]]) if rng.random() < 0.5 else np.concatenate([rows[index, at + 1 :], gap])
            )
    if setting.strangers:
        count = int(setting.strangers / (1 - setting.strangers) * len(rows))
        fold = preferences(rng.gamma(2.0, 0.7, size=length), rng)
        first = rng.integers(20, size=(1, length)).repeat(count, axis=0)
        none = np.zeros((length * 20, length * 20))
        others = evolve(
            first, fold[None].repeat(count, axis=0), none, np.full(count, 2.0), np.zeros((count, length), dtype=bool), rng
        )
        rows = np.concatenate([rows, others])
    return rows[rng.permutation(len(rows))]


def anneal(
    setting: Setting,
    activity: Trait,
    stability: Trait,
    resistance: Trait,
    motif: Motif,
    start: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """The fittest sequences that a long search with the true landscape finds: with the motif, and with none of it."""
    length, chains, steps = setting.length, 24, 110 * setting.length
    variants, rows = np.repeat(start[None], chains, axis=0), np.arange(chains)
    pinned = np.zeros(chains, dtype=bool)
    if len(motif.sites):
        pinned[: chains // 2] = True
        variants[np.ix_(pinned, motif.sites)] = motif.letters
    traits = (activity, stability, resistance)
    tables = [(fields, matrix.astype(np.float32)) for fields, matrix in (trait.dense() for trait in traits[:2])]
    flat = np.arange(length) * 20 + variants
    local = [matrix[flat].sum(axis=1) for _, matrix in tables]
    now = [trait.value(variants) for trait in traits]
    best, best_value = variants.copy(), np.full(chains, -np.inf)
    order = np.concatenate([rng.permutation(length) for _ in range(steps // length)])
    for step, site in enumerate(order):
        block, old = slice(site * 20, site * 20 + 20), variants[:, site]
        letters = [fields[site] + near[:, block] for (fields, _), near in zip(tables, local, strict=True)]
        letters.append(np.broadcast_to(resistance.fields[site], (chains, 20)))
        new_values = [value[:, None] + some - some[rows, old][:, None] for value, some in zip(now, letters, strict=True)]
        value = new_values[0] - np.logaddexp(0.0, setting.heat - new_values[1]) - np.logaddexp(0.0, setting.acid - new_values[2])
        if site in motif.sites:
            letter = motif.letters[motif.sites == site]
            value[~pinned, letter] -= 50.0
            value[pinned, letter] += 50.0
        temperature = 1.2 * (1 - step / steps) ** 2 + 1e-3
        new = (value / temperature + rng.gumbel(size=value.shape)).argmax(axis=1)
        now = [some[rows, new] for some in new_values]
        for (_, matrix), near in zip(tables, local, strict=True):
            near += matrix[site * 20 + new] - matrix[site * 20 + old]
        variants[:, site] = new
        if step > steps // 2:
            reached = now[0] - np.logaddexp(0.0, setting.heat - now[1]) - np.logaddexp(0.0, setting.acid - now[2])
            better = reached > best_value
            best[better], best_value[better] = variants[better], reached[better]
    plain = best[int(np.where(pinned, -np.inf, best_value).argmax())]
    return (best[int(np.where(pinned, best_value, -np.inf).argmax())] if len(motif.sites) else plain), plain


def terms(traits: tuple[Trait, ...], motif: Motif, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """All traits in one form: constants, tables over sites, and weighted squares and hinges of sums over sites. Squares of a sign are rotated into one another."""
    length = len(traits[0].fields)
    constant, linear = np.array([trait.constant for trait in traits]), np.array([trait.fields for trait in traits])
    squares, weights = [], []
    for at, trait in enumerate(traits):
        for sign, rows in zip((1.0, -1.0), trait.squares(), strict=True):
            rotation = np.linalg.qr(rng.normal(size=(len(rows), len(rows))))[0]
            squares.append(np.einsum("rs,sia->ria", rotation, rows))
            weights.append(np.tile(sign * (np.arange(len(traits)) == at), (len(rows), 1)))
    hinge, steep = rng.normal(size=(1, length, 20)), np.zeros((1, len(traits)))
    if len(motif.sites):
        size = len(motif.sites)
        hinge = np.full((1, length, 20), -(size - 1) / length)
        hinge[0, motif.sites, motif.letters] += 1.0
        linear[0, motif.sites, motif.letters] -= motif.cost
        steep[0, 0] = motif.bonus + motif.cost * size
    gauge = rng.normal(size=linear.shape[:2])
    return {
        "constant": constant - gauge.sum(axis=1), "linear": (linear + gauge[:, :, None]).astype(np.float32),
        "squares": np.concatenate(squares).astype(np.float16), "square_weights": np.concatenate(weights).astype(np.float32),
        "hinges": hinge.astype(np.float32), "hinge_weights": steep,
    }  # fmt: skip


def bench(setting: Setting, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Parameters of the assay; what the optics do to a plate is one matrix from wells to readings."""
    side = int(np.sqrt(WELLS))
    row, column = np.arange(WELLS) // side, np.arange(WELLS) % side
    rim = (row == 0) | (row == side - 1) | (column == 0) | (column == side - 1)
    mixing = np.eye(WELLS)
    for well in range(1, WELLS):
        if column[well]:
            mixing[well, well - 1] = setting.leak
    optics = []
    for _ in range(ROUNDS):
        slopes = rng.normal(size=2) * setting.slope_sd
        gain = rng.normal() * setting.gain_sd + slopes[0] * (row / (side - 1) - 0.5) + slopes[1] * (column / (side - 1) - 0.5)
        optics.append(np.exp(gain + setting.rim * rim)[:, None] * mixing)
    return {
        "optics": np.array(optics, dtype=np.float32), "failure": np.array(setting.failure), "stand_in": np.array(float(setting.parental)),
        "relative_noise": np.array(setting.relative_noise), "limit": np.array(setting.saturation), "order": np.array(2.0 if setting.hook else 1.0),
        "background": np.array(rng.uniform(0.02, 0.08)), "reader_noise": np.array(0.015),
        "unit": np.array(rng.choice([100.0, 1000.0, 20000.0]) * rng.uniform(0.5, 1.5)), "noise_seed": np.array(int(rng.integers(2**40))),
    }  # fmt: skip


def draw_mechanisms(stratum: int, rng: np.random.Generator) -> set[str]:
    always, *more = STRATA[stratum]
    chosen = set(always)
    for kind, count in zip((LANDSCAPE, BENCH, ALIGNMENT), more, strict=True):
        chosen |= set(rng.choice([name for name in kind if name not in always], size=count, replace=False).tolist())
    return chosen


def make_world(name: str, stratum: int, rng: np.random.Generator) -> tuple[dict, np.ndarray, dict]:
    """What is known, the alignment, and the truth of one world."""
    setting = draw_setting(draw_mechanisms(stratum, rng), rng)
    length, sites = setting.length, np.arange(setting.length)
    start = TAG if setting.tag else 0
    pocket = np.sort(rng.choice(np.arange(start, length), size=length // 4, replace=False))
    every = [(i, j) for i in sites for j in sites[i + 3 :]]
    signs = np.array([1.0, -1.0, -1.0])

    def contact(pair: tuple[int, int], strength: float) -> tuple[int, int, int, float]:
        k = int(rng.integers(3))
        return (int(pair[0]), int(pair[1]), k, float(signs[k] * strength * rng.uniform(0.4, 1.3)))

    chosen = rng.choice(len(every), size=int(setting.contacts_per_site * length), replace=False)
    stability = Trait(preferences(rng.gamma(2.0, 0.7, size=length), rng), [contact(every[k], setting.contact) for k in chosen])
    wanted = np.zeros((length, 20))
    wanted[pocket] = preferences(np.full(len(pocket), POCKET_SCALE), rng)
    wanted[pocket] -= wanted[pocket].mean(axis=1, keepdims=True)
    stability.fields[pocket] -= setting.trade_off * wanted[pocket]
    activity = Trait(wanted + 0.06 * rng.normal(size=(length, 20)))
    if setting.balance:
        activity.balances.append((setting.balanced, float(rng.normal() * 2.0), setting.balance))
    exposure = rng.gamma(2.0, 0.35, size=length) if setting.acid else np.full(length, 0.05)
    resistance = Trait(exposure[:, None] * np.array([TITRATION.get(letter, 0.0) for letter in LETTERS]))
    expression = np.zeros((length, 20))
    if setting.tag:
        expression[:TAG] = preferences(np.full(TAG, setting.tag), rng)
    motif = Motif(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    if setting.motif:
        where = np.sort(rng.choice(np.setdiff1d(sites, pocket), size=setting.motif, replace=False))
        motif = Motif(
            where, (stability.fields[where] + rng.gumbel(size=(setting.motif, 20))).argmax(axis=1), 0.0, rng.uniform(0.8, 1.5)
        )
    kept = Trait(stability.fields, stability.contacts, activity.balances)
    relatives = family(setting, *kept.dense(), wanted, motif, pocket, rng)
    carried = (np.asarray(relatives)[:, motif.sites] == motif.letters).sum(axis=1)
    free = np.asarray(relatives)[carried == carried.min()]
    fit = activity.value(free) - np.logaddexp(0.0, -stability.value(free))
    wild = free[int(np.argsort(fit)[int(rng.uniform(0.5, 0.8) * len(free))])]
    traits = (activity, stability, resistance, Trait(expression))
    for trait, level in zip(traits, (0.0, setting.margin, setting.resistance, 0.0), strict=True):
        trait.constant = level - float(trait.value(wild[None])[0])
    with_motif, plain = anneal(setting, *traits[:3], motif, wild, rng)
    if len(motif.sites):
        values = [
            float(
                (
                    activity.value(v)
                    - np.logaddexp(0.0, setting.heat - stability.value(v))
                    - np.logaddexp(0.0, setting.acid - resistance.value(v))
                )[0]
            )
            for v in (with_motif[None], plain[None])
        ]
        motif.bonus = min(max(0.0, values[1] - values[0]) + rng.uniform(1.5, 2.5), 6.0)
        if values[0] + motif.bonus < values[1]:
            with_motif = plain
    known = {"id": name, "wild_type": decode(wild), "heat": round(setting.heat, 3), "acid": round(setting.acid, 3)}
    truth = {"stratum": np.array(stratum + 1), "wild": wild, "best": with_motif} | terms(traits, motif, rng) | bench(setting, rng)
    return known, published(setting, relatives, rng), truth


def decode(variant: np.ndarray) -> str:
    return "".join(LETTERS[letter] for letter in variant)


def make(seed: int, data: Path, truth: Path) -> None:
    strata = [stratum for stratum in range(len(STRATA)) for _ in range(WORLDS_PER_STRATUM)]
    described = []
    for at, pick in enumerate(np.random.default_rng([2024, seed]).permutation(len(strata))):
        name = f"w{at:02d}"
        known, alignment, hidden = make_world(name, strata[pick], np.random.default_rng([2026, seed, int(pick)]))
        described.append(known)
        lines = [f">{name}_{row}\n{decode(variant)}" for row, variant in enumerate(alignment)]
        (data / f"{name}.fasta").write_text("\n".join(lines) + "\n")
        np.savez_compressed(truth / f"{name}.npz", **hidden)
    (data / "worlds.json").write_text(
        json.dumps({"canary": CANARY, "rounds": ROUNDS, "wells": WELLS, "worlds": described}, indent=1) + "\n"
    )
    rows = [",".join([letter, *(f"{value:g}" for value in CHEMISTRY[letter])]) for letter in LETTERS]
    (data / "residues.csv").write_text("\n".join([",".join(["residue", *PROPERTIES]), *rows]) + "\n")
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
