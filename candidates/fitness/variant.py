# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: proteins with a hidden landscape, the homologs that evolution left, and the quirks of the bench that assays them.

A landscape has four traits: activity, stability, resistance to acid, and expression, which only the assay feels. Traits are sums over sites of how well a residue's
chemistry suits the site, over contacts of how well two residues suit each other, over the whole chain of how far a property strays from its balance, a cofactor's bonus, and
what is lost where the pocket holds too tight. A world's mechanisms decide which of these are strong, what the bench adds, and what is wrong with the alignment; they are dealt
from shuffled decks, so that every seed has about the same mix. Truth keeps none of this apart: see `terms`.
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
ROWS, COLUMNS = 4, 6
WELLS = ROWS * COLUMNS
"""Wells of one plate."""
WORLDS_PER_STRATUM = 7
LENGTH = 16
POCKET = 4
"""Sites that activity depends on."""
HOMOLOGS = 240
"""Rows of every alignment, whatever is wrong with it."""
RADII = (2, 4, LENGTH)
"""Substitutions that the three nominations may have."""
POCKET_SCALE = 0.8
TAG = 4
"""Sites at the start of the chain that set expression, where expression varies."""
OVERSHOOT = 1.7
"""What a unit of activity beyond the peak costs; as it is above 1, more is worse."""
TITRATION = {"D": -1.0, "E": -1.0, "H": -0.6, "K": 0.6, "R": 0.6, "N": 0.3, "Q": 0.3}
"""What a residue does to resistance against acid, times the site's exposure."""

LANDSCAPE = ("contacts", "marginal", "heat", "acid", "motif", "balance", "peak")
BENCH = ("turned", "skipped", "unwashed", "reader", "tag", "leak", "plates", "dose")
ALIGNMENT = ("clades", "strangers", "slips", "chimeras", "backwards")
STRATA: tuple[tuple[tuple[str, ...], int, int, int], ...] = (
    ((), 0, 2, 1),
    (("contacts",), 0, 2, 1),
    (("marginal",), 0, 2, 1),
    (("heat",), 0, 2, 1),
    (("acid",), 0, 2, 1),
    (("motif",), 0, 2, 1),
    (("balance",), 0, 2, 1),
    (("peak",), 0, 2, 1),
    (("turned", "skipped"), 1, 1, 1),
    (("heat", "acid"), 0, 2, 1),
    (("contacts", "peak"), 0, 3, 1),
    (("motif",), 1, 2, 2),
    (("balance",), 1, 3, 1),
    ((), 2, 3, 2),
)
"""By stratum: mechanisms that it always has, and how many more of the landscape, the bench and the alignment are dealt."""


@dataclass
class Setting:
    """What a world's mechanisms come to, in numbers."""

    contact: float = 0.3
    contacts_per_site: float = 0.8
    margin: float = 4.0
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
    peak: float = 50.0
    """Log activity above the wild type's from which the pocket holds too tight."""
    tag: float = 0.0
    saturation: float = 80.0
    hook: bool = False
    """Whether too much signal darkens the reader instead of levelling it off."""
    gain_sd: float = 0.05
    slope_sd: float = 0.05
    rim: float = 0.0
    relative_noise: float = 0.12
    leak: float = 0.0
    """Share of a well's signal that is read in the next well."""
    towards: tuple[int, int] = (0, 1)
    """Where the leak goes: rows down, columns to the right."""
    turned: bool = False
    """Whether plates are put in the wrong way round or exported column by column."""
    skipped: bool = False
    """Whether the dispenser misses a well, so that all later variants stand one well late."""
    unwashed: float = 0.0
    """Share of the last plate's content that stays in each well."""
    dose: float = 1.0
    """Stress in the assay as a multiple of what was ordered."""
    uneven: bool = False
    kinship: float = 0.4
    """Correlation of what the homologs' pockets were selected for with the activity that is wanted."""
    strangers: float = 0.0
    slips: float = 0.0
    chimeras: float = 0.0
    backwards: float = 0.0


def draw_setting(mechanisms: set[str], rng: np.random.Generator) -> Setting:
    s = Setting()
    if "contacts" in mechanisms:
        s.contact, s.contacts_per_site = rng.uniform(0.9, 1.3), rng.uniform(1.0, 1.3)
    if "marginal" in mechanisms:
        s.margin, s.trade_off = rng.uniform(0.4, 1.0), rng.uniform(0.6, 0.9)
    if "heat" in mechanisms:
        s.margin = rng.uniform(0.8, 1.4) if "marginal" in mechanisms else rng.uniform(2.0, 3.0)
        s.heat = s.margin + rng.uniform(2.5, 3.5)
    if "acid" in mechanisms:
        s.resistance = rng.uniform(1.5, 2.5)
        s.acid = s.resistance + rng.uniform(2.0, 3.0)
    if "motif" in mechanisms:
        s.motif = int(rng.integers(3, 5))
    if "balance" in mechanisms:
        s.balance, s.balanced = rng.uniform(0.15, 0.25), int(rng.integers(3))
    if "peak" in mechanisms:
        s.peak = rng.uniform(1.8, 2.8)
    if "plates" in mechanisms:
        s.gain_sd, s.slope_sd, s.rim = 0.9, 1.0, -rng.uniform(0.4, 0.8)
    if "reader" in mechanisms:
        s.saturation, s.hook = rng.uniform(1.2, 2.2), bool(rng.random() < 0.5)
    if "tag" in mechanisms:
        s.tag = rng.uniform(1.0, 1.4)
    if "leak" in mechanisms:
        s.leak, s.towards = rng.uniform(0.15, 0.35), ((0, 1), (0, -1), (1, 0), (-1, 0))[int(rng.integers(4))]
    s.turned, s.skipped = "turned" in mechanisms, "skipped" in mechanisms
    if "unwashed" in mechanisms:
        s.unwashed = rng.uniform(0.1, 0.3)
    if "dose" in mechanisms:
        s.dose = rng.uniform(0.5, 0.75) if rng.random() < 0.5 else rng.uniform(1.35, 1.8)
    if "clades" in mechanisms:
        s.uneven, s.kinship = True, rng.uniform(0.0, 0.3)
    if "strangers" in mechanisms:
        s.strangers = rng.uniform(0.35, 0.45)
    if "slips" in mechanisms:
        s.slips = rng.uniform(0.4, 0.55)
    if "chimeras" in mechanisms:
        s.chimeras = rng.uniform(0.4, 0.55)
    if "backwards" in mechanisms:
        s.backwards = rng.uniform(0.35, 0.5)
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
    clades = 5
    share = np.array([0.62, 0.14, 0.1, 0.08, 0.06]) if setting.uneven else np.array([0.26, 0.24, 0.2, 0.18, 0.12])
    total = HOMOLOGS - round(setting.strangers * HOMOLOGS)
    counts = (share * total).astype(int)
    counts[0] += total - counts.sum()
    own = np.zeros((clades, LENGTH, 20))
    for clade in range(clades):
        other = preferences(np.full(len(pocket), POCKET_SCALE), rng)
        own[clade, pocket] = setting.kinship * activity[pocket] + np.sqrt(1 - setting.kinship**2) * other
    selected = fields[None] + own
    frozen = np.zeros((clades, LENGTH), dtype=bool)
    ancestor = evolve(rng.integers(20, size=(1, LENGTH)), fields[None], matrix, np.array([12.0]), frozen[:1], rng)
    roots = ancestor.repeat(clades, axis=0)
    if len(motif.sites):
        holder = int(rng.integers(1, clades - 1))
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
    """The alignment as a database has it: with rows that slipped from some site on, that end in another protein, that stand backwards, and of another family."""
    rows = relatives.copy()
    count = HOMOLOGS - len(rows)
    fold = preferences(rng.gamma(3.0, 0.47, size=LENGTH), rng)
    first = rng.integers(20, size=(1, LENGTH)).repeat(HOMOLOGS, axis=0)
    none, held = np.zeros((LENGTH * 20, LENGTH * 20)), np.zeros((HOMOLOGS, LENGTH), dtype=bool)
    others = evolve(first, fold[None].repeat(HOMOLOGS, axis=0), none, np.full(HOMOLOGS, 2.0), held, rng)
    if setting.chimeras:
        for index in rng.permutation(len(rows))[: round(setting.chimeras * len(rows))]:
            at = int(rng.integers(5, LENGTH - 3))
            rows[index, at:] = others[HOMOLOGS - 1 - index, at:]
    if setting.slips:
        for index in rng.permutation(len(rows))[: round(setting.slips * len(rows))]:
            at, gap = int(rng.integers(2, LENGTH * 2 // 3)), rng.integers(20, size=1)
            rows[index, at:] = (
                np.concatenate([gap, rows[index, at:-1]]) if rng.random() < 0.5 else np.concatenate([rows[index, at + 1 :], gap])
            )
    if setting.backwards:
        turned = rng.permutation(len(rows))[: round(setting.backwards * len(rows))]
        rows[turned] = rows[turned, ::-1]
    rows = np.concatenate([rows, others[:count]])
    return rows[rng.permutation(len(rows))]


@dataclass
class Protein:
    """All that decides a sequence's fitness."""

    setting: Setting
    activity: Trait
    stability: Trait
    resistance: Trait
    motif: Motif
    tight: np.ndarray
    """(length, 20): activity above the wild type's by pocket sites, of which too much is harmful."""

    def log_fitness(self, variants: np.ndarray) -> np.ndarray:
        held = self.tight[np.arange(LENGTH), variants].sum(axis=1)
        active = self.activity.value(variants) + self.motif.value(variants) - OVERSHOOT * np.maximum(held - self.setting.peak, 0.0)
        return self.survive(active, self.stability.value(variants), self.resistance.value(variants))

    def survive(self, active: np.ndarray, stable: np.ndarray, resistant: np.ndarray) -> np.ndarray:
        return active - np.logaddexp(0.0, self.setting.heat - stable) - np.logaddexp(0.0, self.setting.acid - resistant)


def anneal(protein: Protein, start: np.ndarray, sweeps: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The fittest sequences that a search with the true landscape finds within each radius: with the motif, and with none of it.

    The motif's own part in fitness is left out here; its sites are held or barred."""
    motif, each = protein.motif, 8
    radius = np.repeat(RADII, each)
    chains = len(radius)
    rows, variants = np.arange(chains), np.repeat(start[None], chains, axis=0)
    pinned = (np.arange(chains) % 2 == 0) & (len(motif.sites) > 0)
    variants[np.ix_(pinned, motif.sites)] = motif.letters
    activity, stability = (trait.dense() for trait in (protein.activity, protein.stability))
    tables = [(fields, matrix.astype(np.float32)) for fields, matrix in (activity, stability)]
    local = [matrix[np.arange(LENGTH) * 20 + variants].sum(axis=1) for _, matrix in tables]
    now = [trait.value(variants) for trait in (protein.activity, protein.stability, protein.resistance)]
    tight = protein.tight[np.arange(LENGTH), variants].sum(axis=1)
    distance = (variants != start).sum(axis=1)
    best, best_value = variants.copy(), np.full(chains, -np.inf)
    order = np.concatenate([rng.permutation(LENGTH) for _ in range(sweeps)])
    for step, site in enumerate(order):
        block, old = slice(site * 20, site * 20 + 20), variants[:, site]
        letters = [fields[site] + near[:, block] for (fields, _), near in zip(tables, local, strict=True)]
        letters.append(np.broadcast_to(protein.resistance.fields[site], (chains, 20)))
        new_values = [value[:, None] + some - some[rows, old][:, None] for value, some in zip(now, letters, strict=True)]
        held = tight[:, None] + protein.tight[site] - protein.tight[site, old][:, None]
        active = new_values[0] - OVERSHOOT * np.maximum(held - protein.setting.peak, 0.0)
        value = protein.survive(active, new_values[1], new_values[2])
        far = distance[:, None] - (old != start[site])[:, None] + (np.arange(20) != start[site])
        value = value - 20.0 * np.maximum(far - radius[:, None], 0)
        if site in motif.sites:
            letter = motif.letters[motif.sites == site]
            value[~pinned, letter] -= 50.0
            value[pinned, letter] += 50.0
        temperature = 1.2 * (1 - step / len(order)) ** 2 + 1e-3
        new = (value / temperature + rng.gumbel(size=value.shape)).argmax(axis=1)
        now = [some[rows, new] for some in new_values]
        tight, distance = held[rows, new], far[rows, new]
        for (_, matrix), near in zip(tables, local, strict=True):
            near += matrix[site * 20 + new] - matrix[site * 20 + old]
        variants[:, site] = new
        if step > len(order) // 2:
            reached = np.where(distance <= radius, value[rows, new] - 50.0 * (pinned & (site in motif.sites)), -np.inf)
            better = reached > best_value
            best[better], best_value[better] = variants[better], reached[better]
    found = []
    for kind in (True, False):
        which = [
            np.flatnonzero((radius == size) & (pinned == kind)) if (pinned == kind).any() else np.flatnonzero(radius == size)
            for size in RADII
        ]
        found.append(np.array([best[some[int(best_value[some].argmax())]] for some in which]))
    return found[0], found[1]


def polish(protein: Protein, variant: np.ndarray, start: np.ndarray, radius: int) -> np.ndarray:
    """Exchange one substitution for another, or change one, as long as that helps."""
    for _ in range(6):
        changed = np.flatnonzero(variant != start)
        stems = [variant]
        for site in changed:
            stem = variant.copy()
            stem[site] = start[site]
            stems.append(stem)
        moves = np.repeat(np.array(stems), LENGTH * 20, axis=0)
        moves[np.arange(len(moves)), np.tile(np.repeat(np.arange(LENGTH), 20), len(stems))] = np.tile(
            np.arange(20), len(stems) * LENGTH
        )
        moves = moves[(moves != start).sum(axis=1) <= radius]
        values = protein.log_fitness(moves)
        top = moves[int(values.argmax())]
        if values.max() <= protein.log_fitness(variant[None])[0] + 1e-9:
            break
        variant = top
    return variant


def terms(protein: Protein, traits: tuple[Trait, ...], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """All traits in one form: constants, tables over sites, and weighted squares and hinges of sums over sites. Squares of a sign are rotated into one another."""
    motif = protein.motif
    constant, linear = np.array([trait.constant for trait in traits]), np.array([trait.fields for trait in traits])
    squares, weights = [], []
    for at, trait in enumerate(traits):
        for sign, rows in zip((1.0, -1.0), trait.squares(), strict=True):
            rotation = np.linalg.qr(rng.normal(size=(len(rows), len(rows))))[0]
            squares.append(np.einsum("rs,sia->ria", rotation, rows))
            weights.append(np.tile(sign * (np.arange(len(traits)) == at), (len(rows), 1)))
    hinges, steep = rng.normal(size=(2, LENGTH, 20)), np.zeros((2, len(traits)))
    if len(motif.sites):
        size = len(motif.sites)
        hinges[0] = -(size - 1) / LENGTH
        hinges[0, motif.sites, motif.letters] += 1.0
        linear[0, motif.sites, motif.letters] -= motif.cost
        steep[0, 0] = motif.bonus + motif.cost * size
    if protein.setting.peak < 50.0:
        hinges[1] = protein.tight - protein.setting.peak / LENGTH
        steep[1, 0] = -OVERSHOOT
    gauge = rng.normal(size=linear.shape[:2])
    return {
        "constant": constant - gauge.sum(axis=1), "linear": (linear + gauge[:, :, None]).astype(np.float32),
        "squares": np.concatenate(squares).astype(np.float16), "square_weights": np.concatenate(weights).astype(np.float32),
        "hinges": hinges.astype(np.float32), "hinge_weights": steep,
    }  # fmt: skip


def layouts(setting: Setting, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """For each plate: the place that each listed well comes to (or none, -1), and the place that each reading is of."""
    grid = np.arange(WELLS).reshape(ROWS, COLUMNS)
    orientations = rng.permutation(4) if setting.turned else np.zeros(ROUNDS, dtype=np.int64)
    missed = (
        np.where(rng.permutation(ROUNDS) < 3, rng.integers(2, WELLS - 3, size=ROUNDS), WELLS)
        if setting.skipped
        else np.full(ROUNDS, WELLS)
    )
    places, shown = [], []
    for orientation, miss in zip(orientations, missed, strict=True):
        put = np.arange(WELLS) + (np.arange(WELLS) >= miss)
        put[put == WELLS] = -1
        if orientation % 2:
            put = np.where(put >= 0, WELLS - 1 - put, -1)
        places.append(put)
        shown.append(grid.T.ravel() if orientation // 2 else grid.ravel())
    return np.array(places), np.array(shown)


def bench(setting: Setting, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Parameters of the assay; what the optics do to a plate is one matrix from places to readings."""
    row, column = np.arange(WELLS) // COLUMNS, np.arange(WELLS) % COLUMNS
    rim = (row == 0) | (row == ROWS - 1) | (column == 0) | (column == COLUMNS - 1)
    down, right = setting.towards
    mixing = np.eye(WELLS)
    for well in range(WELLS):
        if 0 <= row[well] - down < ROWS and 0 <= column[well] - right < COLUMNS:
            mixing[well, well - down * COLUMNS - right] = setting.leak
        mixing[well, well] = 1.0
    places, shown = layouts(setting, rng)
    optics, placing = [], np.zeros((ROUNDS, WELLS, WELLS), dtype=np.int8)
    for plate in range(ROUNDS):
        slopes = rng.normal(size=2) * setting.slope_sd
        gain = rng.normal() * setting.gain_sd + slopes[0] * (row / (ROWS - 1) - 0.5) + slopes[1] * (column / (COLUMNS - 1) - 0.5)
        optics.append((np.exp(gain + setting.rim * rim)[:, None] * mixing)[shown[plate]])
        listed = np.flatnonzero(places[plate] >= 0)
        placing[plate, places[plate, listed], listed] = 1
    return {
        "placing": placing, "optics": np.array(optics, dtype=np.float32), "unwashed": np.array(setting.unwashed), "dose": np.array(setting.dose),
        "relative_noise": np.array(setting.relative_noise), "limit": np.array(setting.saturation), "order": np.array(2.0 if setting.hook else 1.0),
        "background": np.array(rng.uniform(0.02, 0.08)), "reader_noise": np.array(0.015),
        "unit": np.array(rng.choice([100.0, 1000.0, 20000.0]) * rng.uniform(0.5, 1.5)), "noise_seed": np.array(int(rng.integers(2**40))),
    }  # fmt: skip


class Deck:
    """Cards dealt in random order, each as often as any other but for the last round."""

    def __init__(self, names: tuple[str, ...], rng: np.random.Generator) -> None:
        self.names, self.rng = names, rng
        self.cards: list[str] = []

    def deal(self, held: set[str]) -> str:
        """The first card that suits what a world has already."""
        while True:
            for card in self.cards:
                if card not in held and (card != "dose" or held & {"heat", "acid"}) and not (card == "marginal" and "peak" in held):
                    self.cards.remove(card)
                    return card
            self.cards += [str(name) for name in self.rng.permutation(self.names)]


def deal_mechanisms(stratum: int, rng: np.random.Generator) -> list[set[str]]:
    """The mechanisms of each world of a stratum."""
    always, *more = STRATA[stratum]
    decks = [Deck(kind, rng) for kind in (LANDSCAPE, BENCH, ALIGNMENT)]
    worlds = []
    for _ in range(WORLDS_PER_STRATUM):
        chosen = set(always)
        for deck, count in zip(decks, more, strict=True):
            for _ in range(count):
                chosen.add(deck.deal(chosen))
        worlds.append(chosen)
    return worlds


def draw_world(name: str, stratum: int, setting: Setting, rng: np.random.Generator) -> tuple[dict, np.ndarray, dict, np.ndarray]:
    """What is known, the alignment, the truth of one world, and what there is to gain within each radius."""
    sites = np.arange(LENGTH)
    pocket = np.sort(rng.choice(np.arange(TAG if setting.tag else 0, LENGTH), size=POCKET, replace=False))
    every = [(i, j) for i in sites for j in sites[i + 3 :]]
    signs = np.array([1.0, -1.0, -1.0])

    def contact(pair: tuple[int, int], strength: float) -> tuple[int, int, int, float]:
        k = int(rng.integers(3))
        return (int(pair[0]), int(pair[1]), k, float(signs[k] * strength * rng.uniform(0.4, 1.3)))

    chosen = rng.choice(len(every), size=int(setting.contacts_per_site * LENGTH), replace=False)
    stability = Trait(preferences(rng.gamma(3.0, 0.47, size=LENGTH), rng), [contact(every[k], setting.contact) for k in chosen])
    wanted = np.zeros((LENGTH, 20))
    wanted[pocket] = preferences(np.full(POCKET, POCKET_SCALE), rng)
    wanted[pocket] -= wanted[pocket].mean(axis=1, keepdims=True)
    stability.fields[pocket] -= setting.trade_off * wanted[pocket]
    activity = Trait(wanted + 0.06 * rng.normal(size=(LENGTH, 20)))
    if setting.balance:
        activity.balances.append((setting.balanced, float(rng.normal() * 2.0), setting.balance))
    exposure = rng.gamma(2.0, 0.35, size=LENGTH) if setting.acid else np.full(LENGTH, 0.05)
    resistance = Trait(exposure[:, None] * np.array([TITRATION.get(letter, 0.0) for letter in LETTERS]))
    expression = np.zeros((LENGTH, 20))
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
    wild = choose_wild(relatives, motif, wanted, stability, activity)
    traits = (activity, stability, resistance, Trait(expression))
    for trait, level in zip(traits, (0.0, setting.margin, setting.resistance, 0.0), strict=True):
        trait.constant = level - float(trait.value(wild[None])[0])
    protein = Protein(
        setting, *traits[:3], motif, np.where(wanted.any(axis=1)[:, None], wanted - wanted[sites, wild][:, None], 0.0)
    )
    with_motif, best = anneal(protein, wild, 60, rng)
    if len(motif.sites):
        free = len(RADII) - 1
        motif.bonus = 0.0
        bare = protein.log_fitness(np.stack([with_motif[free], best[free]]))
        motif.bonus = min(max(0.0, float(bare[1] - bare[0])) + rng.uniform(1.5, 2.5), 6.0)
        better = (protein.log_fitness(with_motif) > protein.log_fitness(best)) & ((with_motif != wild).sum(axis=1) <= RADII)
        best = np.where(better[:, None], with_motif, best)
    best = np.array([polish(protein, variant, wild, radius) for variant, radius in zip(best, RADII, strict=True)])
    gains = protein.log_fitness(best) - protein.log_fitness(wild[None])
    known = {"id": name, "wild_type": decode(wild), "heat": round(setting.heat, 3), "acid": round(setting.acid, 3)}
    truth = {"stratum": np.array(stratum + 1), "wild": wild, "best": best} | terms(protein, traits, rng) | bench(setting, rng)
    return known, published(setting, relatives, rng), truth, gains


def choose_wild(relatives: np.ndarray, motif: Motif, wanted: np.ndarray, stability: Trait, activity: Trait) -> np.ndarray:
    """A homolog without the motif, stable and in balance, from which there is about as much to gain as from any protein's."""
    carried = (relatives[:, motif.sites] == motif.letters).sum(axis=1)
    free = relatives[carried == carried.min()]
    sound = stability.value(free) + activity.value(free)
    free = free[sound >= np.quantile(sound, 0.4)]
    left = wanted.max(axis=1).sum() - wanted[np.arange(LENGTH), free].sum(axis=1)
    return free[int(np.abs(left - TO_GAIN).argmin())]


TO_GAIN = 5.5
"""Log activity between the wild type's pocket and the best one."""


def make_world(name: str, stratum: int, mechanisms: set[str], rng: np.random.Generator) -> tuple[dict, np.ndarray, dict]:
    """Worlds in which there is hardly anything to gain, or beyond all measure, are drawn again."""
    while True:
        known, alignment, truth, gains = draw_world(name, stratum, draw_setting(mechanisms, rng), rng)
        if gains[0] > 1.0 and 2.0 < gains[-1] < 13.0:
            return known, alignment, truth


def decode(variant: np.ndarray) -> str:
    return "".join(LETTERS[letter] for letter in variant)


def make(seed: int, data: Path, truth: Path) -> None:
    dealt = [
        (stratum, mechanisms)
        for stratum in range(len(STRATA))
        for mechanisms in deal_mechanisms(stratum, np.random.default_rng([2025, seed, stratum]))
    ]
    described = []
    for at, pick in enumerate(np.random.default_rng([2024, seed]).permutation(len(dealt))):
        name = f"w{at:02d}"
        known, alignment, hidden = make_world(name, *dealt[pick], np.random.default_rng([2026, seed, int(pick)]))
        described.append(known)
        lines = [f">{name}_{row:03d}\n{decode(variant)}" for row, variant in enumerate(alignment)]
        (data / f"{name}.fasta").write_text("\n".join(lines) + "\n")
        np.savez_compressed(truth / f"{name}.npz", **{key: np.array(value, order="C") for key, value in hidden.items()})
    (data / "worlds.json").write_text(json.dumps({"canary": CANARY, "rounds": ROUNDS, "worlds": described}, indent=1) + "\n")
    rows = [",".join([letter, *(f"{value:g}" for value in CHEMISTRY[letter])]) for letter in LETTERS]
    (data / "residues.csv").write_text("\n".join([",".join(["residue", *PROPERTIES]), *rows]) + "\n")
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
