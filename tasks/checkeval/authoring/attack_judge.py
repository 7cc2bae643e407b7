# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Hand the judge spoiled artefacts. Every attack must be refused, or at least give other numbers than gold.

    python authoring/attack_judge.py RESULTS DATA OTHER_RESULTS

RESULTS is gold's results/ folder on the variant whose data are DATA; OTHER_RESULTS is gold's on another variant. The package
rexbench has to be importable.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import judge

Lines = list[str]


def _field(lines: Lines, at: int, column: int, value: str) -> Lines:
    fields = lines[at].split(",")
    fields[column] = value
    return [*lines[:at], ",".join(fields), *lines[at + 1 :]]


def _first_scored(lines: Lines) -> int:
    return next(at for at, line in enumerate(lines[1:], 1) if not line.endswith(",,"))


def _first_train(lines: Lines) -> int:
    return next(at for at, line in enumerate(lines) if ",train," in line)


ON_SCORES: dict[str, Callable[[Lines], Lines]] = {
    "truncated": lambda lines: lines[: len(lines) // 2],
    "cut inside a line": lambda lines: [*lines[:-1], lines[-1][:12]],
    "header only": lambda lines: lines[:1],
    "empty": lambda lines: [],
    "duplicate row": lambda lines: [*lines, lines[-1]],
    "extra row": lambda lines: [*lines, "dm-zzzzzz,S01,coherence,test,0.5,3.0"],
    "nan score": lambda lines: _field(lines, _first_scored(lines), 5, "nan"),
    "infinite score": lambda lines: _field(lines, _first_scored(lines), 5, "1e999"),
    "unweighted above one": lambda lines: _field(lines, _first_scored(lines), 4, "1.5"),
    "one score blank": lambda lines: _field(lines, _first_scored(lines), 5, ""),
    "unknown split": lambda lines: _field(lines, 1, 3, "dev"),
    "all rows train": lambda lines: [lines[0], *(line.replace(",test,", ",train,") for line in lines[1:])],
    "all scores blank": lambda lines: [lines[0], *(",".join([*line.split(",")[:4], "", ""]) for line in lines[1:])],
    "constant scores": lambda lines: [lines[0], *(",".join([*line.split(",")[:4], "0.5", "3.0"]) for line in lines[1:])],
    "weighted is unweighted": lambda lines: [
        lines[0],
        *(",".join([*line.split(",")[:5], line.split(",")[4]]) for line in lines[1:]),
    ],
    "one row relabelled test": lambda lines: _field(lines, _first_train(lines), 3, "test"),
    "no weighted column": lambda lines: [line.rsplit(",", 1)[0] for line in lines],
}


def _report(name: str, results: Path, data: Path, gold: dict[str, int | float | str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        artefacts = Path(folder)
        shutil.copytree(results, artefacts / "results")
        try:
            found = judge.metrics(artefacts, data)
        except judge.BrokenContract as defect:
            print(f"{name:28s} refused: {defect}")
            judge.landmarks(artefacts, data)
            return True
        wrong = [key for key in gold if found[key] != gold[key]]
        print(f"{name:28s} {'other numbers: ' + ', '.join(wrong[:4]) if wrong else 'PASSES'}")
        return bool(wrong)


def main(results: Path, data: Path, other: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(results, Path(folder) / "results")
        gold = judge.metrics(Path(folder), data)
    held = [_report("artefacts of other variant", other, data, gold)]
    for name, spoil in ON_SCORES.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "results"
            shutil.copytree(results, copy)
            lines = (copy / "scores.csv").read_text().splitlines()
            (copy / "scores.csv").write_text("\n".join(spoil(lines)) + "\n")
            held.append(_report(name, copy, data, gold))
    for name in ("correlations_weighted.csv", "correlations_unweighted.csv"):
        for label, old, new in (
            ("missing average", "average", "mean"),
            ("wrong value", "average,0.", "average,0.9"),
            ("percent", ",0.", ","),
        ):
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "results"
                shutil.copytree(results, copy)
                (copy / name).write_text((copy / name).read_text().replace(old, new))
                held.append(_report(f"{name[13:]} {label}", copy, data, gold))
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "results"
            shutil.copytree(results, copy)
            (copy / name).unlink()
            held.append(_report(f"{name[13:]} missing", copy, data, gold))
    print(f"{sum(held)} of {len(held)} held")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
