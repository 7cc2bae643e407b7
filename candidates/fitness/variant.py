# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worlds: proteins with a hidden landscape, the homologs that evolution left, and the quirks of the bench that assays them.

A landscape has two traits, stability and activity. Both are sums over sites of how well a residue's chemistry suits the site, and over contacts of how well two
residues suit each other; a world's mechanisms decide how strong contacts are, how marginal the wild type is, what the bench adds, and what homologs tell.
"""

import json
from dataclasses import dataclass, replace
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
WELLS = 48
"""Wells of one plate."""
POCKET_SCALE = 0.7
WORLDS_PER_STRATUM = 2

STRATA: dict[str, tuple[tuple[str, ...], int]] = {
    "01 plain": ((), 0),
    "02 plates": (("plates",), 0),
    "03 failures": (("failures",), 0),
    "04 saturation": (("saturation",), 0),
    "05 contacts": (("contacts",), 0),
    "06 threshold": (("threshold",), 0),
    "07 heat": (("heat",), 0),
    "08 motif": (("motif",), 0),
    "09 clades": (("clades", "contacts"), 0),
    "10 marginal": (("threshold", "contacts"), 1),
    "11 hot": (("heat", "saturation"), 1),
    "12 cofactor": (("motif", "threshold"), 1),
    "13 deep": (("heat", "motif", "contacts"), 2),
    "14 large": (("threshold", "contacts", "saturation", "large"), 2),
}
"""Name of a stratum: the mechanisms that it always has, and how many more are drawn."""
MECHANISMS = ("plates", "failures", "saturation", "contacts", "threshold", "heat", "motif", "clades")


@dataclass(frozen=True)
class Setting:
    """What a world's mechanisms come to, in numbers."""

    length: int
    contact_strength: float = 0.15
    contacts_per_site: float = 0.8
    margin: float = 5.0
    """Stability of the wild type in kT."""
    trade_off: float = 0.2
    """Stability that a unit of activity costs at a pocket site."""
    heat: float = 0.0
    """Thermal stress of the intended use."""
    motif: int = 0
    """Residues of the cofactor motif; 0 is none."""
    saturation: float = 80.0
    gain_sd: float = 0.05
    slope_sd: float = 0.05
    rim: float = 0.0
    failure: float = 0.01
    relative_noise: float = 0.15
    homologs: int = 400
    uneven: bool = False
    """One clade holds most of the alignment, and branches are short."""
    kinship: float = 0.6
    """Correlation of what the homologs' pockets were selected for with the activity that is wanted."""


def draw_setting(mechanisms: set[str], rng: np.random.Generator) -> Setting:
    large = "large" in mechanisms
    setting = Setting(length=int(rng.integers(40, 47)) if large else int(rng.integers(26, 37)))
    if "contacts" in mechanisms:
        setting = replace(setting, contact_strength=rng.uniform(0.45, 0.7), contacts_per_site=rng.uniform(1.0, 1.4))
    if "threshold" in mechanisms:
        setting = replace(setting, margin=rng.uniform(0.3, 1.2), trade_off=rng.uniform(0.6, 1.0))
    if "heat" in mechanisms:
        margin = rng.uniform(0.8, 1.6) if "threshold" in mechanisms else rng.uniform(2.0, 3.0)
        setting = replace(setting, margin=margin, heat=margin + rng.uniform(3.0, 4.5))
    if "motif" in mechanisms:
        setting = replace(setting, motif=int(rng.integers(3, 5)))
    if "saturation" in mechanisms:
        setting = replace(setting, saturation=rng.uniform(1.2, 2.5))
    if "plates" in mechanisms:
        setting = replace(setting, gain_sd=0.6, slope_sd=0.6, rim=-rng.uniform(0.2, 0.5))
    if "failures" in mechanisms:
        setting = replace(setting, failure=rng.uniform(0.12, 0.22), relative_noise=rng.uniform(0.25, 0.4))
    if "clades" in mechanisms:
        setting = replace(setting, uneven=True, homologs=240, kinship=rng.uniform(0.0, 0.4))
    return setting


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


def contact_tables(count: int, strength: float, rng: np.random.Generator) -> np.ndarray:
    """(count, 20, 20): like hydropathies attract, volumes compensate, opposite charges attract."""
    signs = np.array([1.0, -1.0, -1.0])
    weights = signs * np.abs(rng.normal(size=(count, 3))) * strength
    some = chemistry()[:, :3]
    return np.einsum("ck,ak,bk->cab", weights, some, some)


def draw_pairs(sites: np.ndarray, count: int, apart: int, rng: np.random.Generator) -> np.ndarray:
    every = [(i, j) for at, i in enumerate(sites) for j in sites[at + 1 :] if j - i >= apart]
    return np.array([every[k] for k in rng.choice(len(every), size=min(count, len(every)), replace=False)], dtype=np.int64).reshape(
        -1, 2
    )


@dataclass
class Trait:
    """A sum over sites and contacts."""

    fields: np.ndarray
    pairs: np.ndarray
    tables: np.ndarray

    def dense(self) -> np.ndarray:
        """Couplings as a symmetric (length * 20, length * 20) matrix."""
        length = len(self.fields)
        matrix = np.zeros((length, 20, length, 20))
        for (i, j), table in zip(self.pairs, self.tables, strict=True):
            matrix[i, :, j, :] += table
            matrix[j, :, i, :] += table.T
        return matrix.reshape(length * 20, length * 20)

    def value(self, variants: np.ndarray) -> np.ndarray:
        total = self.fields[np.arange(variants.shape[1]), variants].sum(axis=1)
        for (i, j), table in zip(self.pairs, self.tables, strict=True):
            total = total + table[variants[:, i], variants[:, j]]
        return total


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
    rows = np.arange(len(variants))
    length = variants.shape[1]
    for sweep in range(int(np.ceil(sweeps.max()))):
        for site in rng.permutation(length):
            busy = (rng.random(len(variants)) < sweeps - sweep) & ~frozen[:, site]
            local = fields[:, site] + sum(
                matrix[other * 20 + variants[:, other], site * 20 : site * 20 + 20] for other in range(length) if other != site
            )
            noise = rng.gumbel(size=local.shape)
            variants[busy, site] = (local + noise).argmax(axis=1)[busy]
    return variants[rows]


def homologs(
    setting: Setting, stability: Trait, activity: Trait, motif: Motif, pocket: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """An alignment in clades. Stability is selected for everywhere; pockets are selected for each clade's own substrate."""
    length, clades = setting.length, 5
    share = np.array([0.62, 0.14, 0.1, 0.08, 0.06]) if setting.uneven else np.array([0.26, 0.24, 0.2, 0.18, 0.12])
    counts = np.maximum(8, (share * setting.homologs).astype(int))
    matrix = stability.dense()
    own = np.zeros((clades, length, 20))
    for clade in range(clades):
        other = preferences(np.full(len(pocket), POCKET_SCALE), rng)
        wanted = activity.fields[pocket]
        own[clade, pocket] = setting.kinship * wanted + np.sqrt(1 - setting.kinship**2) * other
    fields = stability.fields[None] + own
    frozen = np.zeros((clades, length), dtype=bool)
    ancestor = rng.integers(20, size=(1, length))
    ancestor = evolve(ancestor, stability.fields[None], matrix, np.array([12.0]), np.zeros((1, length), dtype=bool), rng)
    roots = ancestor.repeat(clades, axis=0)
    if len(motif.sites):
        holder = int(rng.integers(2, clades))
        roots[holder, motif.sites] = motif.letters
        frozen[holder, motif.sites] = True
    depth = 1.2 if setting.uneven else 5.0
    roots = evolve(roots, fields, matrix, np.full(clades, 2.5), frozen, rng)
    which = np.repeat(np.arange(clades), counts)
    twigs = np.repeat(np.arange(clades), np.maximum(2, counts // (12 if setting.uneven else 4)))
    branches = evolve(roots[twigs], fields[twigs], matrix, np.full(len(twigs), depth * 0.6), frozen[twigs], rng)
    parents = np.array([rng.choice(np.flatnonzero(twigs == clade)) for clade in which])
    leaves = evolve(branches[parents], fields[which], matrix, rng.uniform(0.2, 0.8, size=len(which)) * depth, frozen[which], rng)
    return leaves[rng.permutation(len(leaves))]


def anneal(
    stability: Trait, activity: Trait, motif: Motif, margin: float, heat: float, start: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The fittest sequences that a long search with the true landscape finds: with the motif, and with none of it."""
    length, chains, steps = len(stability.fields), 48, 9000
    variants = np.repeat(start[None], chains, axis=0)
    pinned = np.zeros(chains, dtype=bool)
    if len(motif.sites):
        pinned[: chains // 2] = True
        variants[np.ix_(pinned, motif.sites)] = motif.letters
    stability_matrix, activity_matrix = stability.dense().astype(np.float32), activity.dense().astype(np.float32)
    onehot = np.zeros((chains, length * 20), dtype=np.float32)
    np.put_along_axis(onehot, np.arange(length) * 20 + variants, 1.0, axis=1)
    rows = np.arange(chains)
    s_field, a_field = onehot @ stability_matrix, onehot @ activity_matrix
    s_now, a_now = stability.value(variants) + margin, activity.value(variants)
    best, best_value = variants.copy(), np.full(chains, -np.inf)
    for step in range(steps):
        site = int(rng.integers(length))
        block = slice(site * 20, site * 20 + 20)
        old = variants[:, site]
        s_all = stability.fields[site] + s_field[:, block]
        a_all = activity.fields[site] + a_field[:, block]
        s_new = s_now[:, None] + s_all - s_all[rows, old][:, None]
        a_new = a_now[:, None] + a_all - a_all[rows, old][:, None]
        value = a_new - np.logaddexp(0.0, heat - s_new)
        if len(motif.sites) and site in motif.sites:
            at = int(np.flatnonzero(motif.sites == site)[0])
            value[~pinned, motif.letters[at]] -= 50.0
            value[pinned] = -np.inf
            value[pinned, motif.letters[at]] = 0.0
        temperature = 1.2 * (1 - step / steps) ** 2 + 1e-3
        new = (value / temperature + rng.gumbel(size=value.shape)).argmax(axis=1)
        s_now, a_now = s_new[rows, new], a_new[rows, new]
        s_field += stability_matrix[site * 20 + new] - stability_matrix[site * 20 + old]
        a_field += activity_matrix[site * 20 + new] - activity_matrix[site * 20 + old]
        variants[:, site] = new
        now = a_now - np.logaddexp(0.0, heat - s_now)
        better = now > best_value
        best[better], best_value[better] = variants[better], now[better]
    with_motif, without = np.where(pinned, best_value, -np.inf), np.where(pinned, -np.inf, best_value)
    plain = best[int(without.argmax())]
    return (best[int(with_motif.argmax())] if len(motif.sites) else plain), plain


def make_world(name: str, stratum: str, rng: np.random.Generator) -> tuple[dict, np.ndarray, dict]:
    """What is known, the alignment, and the truth of one world."""
    fixed, more = STRATA[stratum]
    others = [mechanism for mechanism in MECHANISMS if mechanism not in fixed]
    mechanisms = set(fixed) | set(rng.choice(others, size=more, replace=False).tolist() if more else [])
    setting = draw_setting(mechanisms, rng)
    length, sites = setting.length, np.arange(setting.length)
    pocket = np.sort(rng.choice(length, size=length // 5, replace=False))
    stability = Trait(
        preferences(rng.gamma(2.0, 0.7, size=length), rng),
        pairs := draw_pairs(sites, int(setting.contacts_per_site * length), 3, rng),
        contact_tables(len(pairs), setting.contact_strength, rng),
    )
    wanted = np.zeros((length, 20))
    wanted[pocket] = preferences(np.full(len(pocket), POCKET_SCALE), rng)
    wanted += 0.06 * rng.normal(size=(length, 20))
    near = draw_pairs(pocket, len(pocket) // 2, 1, rng)
    activity = Trait(wanted, near, contact_tables(len(near), setting.contact_strength * 0.5, rng))
    stability.fields[pocket] -= setting.trade_off * (wanted[pocket] - wanted[pocket].mean(axis=1, keepdims=True))
    motif = Motif(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    if setting.motif:
        chosen = np.sort(rng.choice(np.setdiff1d(sites, pocket), size=setting.motif, replace=False))
        suited = (stability.fields[chosen] + rng.gumbel(size=(setting.motif, 20))).argmax(axis=1)
        motif = Motif(chosen, suited, 0.0, rng.uniform(0.8, 1.5))
    alignment = homologs(setting, stability, activity, motif, pocket, rng)
    free = [row for row in alignment if not len(motif.sites) or not (row[motif.sites] == motif.letters).any()]
    fit = activity.value(np.array(free)) - np.logaddexp(0.0, -stability.value(np.array(free)))
    wild = free[int(np.argsort(fit)[int(rng.uniform(0.85, 0.97) * len(free))])]
    stability.fields -= stability.fields[sites, wild][:, None]
    activity.fields -= activity.fields[sites, wild][:, None]
    for trait in (stability, activity):
        base = np.array([table[wild[i], wild[j]] for (i, j), table in zip(trait.pairs, trait.tables, strict=True)])
        trait.tables = trait.tables - base[:, None, None]

    def fitness(variant: np.ndarray) -> float:
        folded = setting.margin + stability.value(variant[None])[0]
        return float(activity.value(variant[None])[0] + motif.value(variant[None])[0] - np.logaddexp(0.0, setting.heat - folded))

    best, plain = anneal(stability, activity, motif, setting.margin, setting.heat, wild, rng)
    if len(motif.sites):
        motif.bonus = min(max(0.0, fitness(plain) - fitness(best)) + rng.uniform(1.5, 2.5), 6.0)
        best = max(best, plain, key=fitness)

    known = {"id": name, "wild_type": "".join(LETTERS[a] for a in wild), "heat": round(setting.heat, 3)}
    truth = {
        "stratum": np.array(stratum), "mechanisms": np.array(sorted(mechanisms), dtype="U16"),
        "stability": stability.fields, "stability_pairs": stability.pairs, "stability_tables": stability.tables,
        "activity": activity.fields, "activity_pairs": activity.pairs, "activity_tables": activity.tables, "margin": np.array(setting.margin),
        "motif_sites": motif.sites, "motif_letters": motif.letters, "motif_bonus": np.array(motif.bonus), "motif_cost": np.array(motif.cost),
        "best": best, "best_fitness": np.array(fitness(best)), "wild_fitness": np.array(fitness(wild)),
        "plate_gain": rng.normal(size=ROUNDS) * setting.gain_sd, "slopes": rng.normal(size=(ROUNDS, 2)) * setting.slope_sd,
        "rim": np.array(setting.rim), "failure": np.array(setting.failure), "relative_noise": np.array(setting.relative_noise),
        "saturation": np.array(setting.saturation), "background": np.array(rng.uniform(0.02, 0.08)), "reader_noise": np.array(0.015),
        "unit": np.array(rng.choice([100.0, 1000.0, 20000.0]) * rng.uniform(0.5, 1.5)), "noise_seed": np.array(int(rng.integers(2**40))),
    }  # fmt: skip
    return (
        known,
        alignment,
        {key: part.astype(np.float32) if part.dtype == np.float64 and part.ndim >= 2 else part for key, part in truth.items()},
    )


def make(seed: int, data: Path, truth: Path) -> None:
    rng = np.random.default_rng([2024, seed])
    strata = [stratum for stratum in STRATA for _ in range(WORLDS_PER_STRATUM)]
    described = []
    for at, pick in enumerate(rng.permutation(len(strata))):
        name = f"w{at:02d}"
        known, alignment, hidden = make_world(name, strata[pick], np.random.default_rng([2025, seed, int(pick)]))
        described.append(known)
        lines = [f">{name}_{row}\n{''.join(LETTERS[a] for a in variant)}" for row, variant in enumerate(alignment)]
        (data / f"{name}.fasta").write_text("\n".join(lines) + "\n")
        np.savez_compressed(truth / f"{name}.npz", **hidden)
    (data / "worlds.json").write_text(
        json.dumps({"canary": CANARY, "rounds": ROUNDS, "wells": WELLS, "worlds": described}, indent=1) + "\n"
    )
    rows = [",".join([letter, *(f"{value:g}" for value in CHEMISTRY[letter])]) for letter in LETTERS]
    (data / "residues.csv").write_text("\n".join([",".join(["residue", *PROPERTIES]), *rows]) + "\n")
    for folder in (data, truth):
        (folder / "CANARY.txt").write_text(CANARY + "\n")
