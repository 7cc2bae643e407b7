# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Markdown tables from result files."""

import json

from ett.writer import RESULTS


def selection_table(heuristic: str) -> str:
    """One line per pair that has a result file under this heuristic."""
    files = sorted((RESULTS / heuristic).glob("*.json"))
    if not files:
        raise SystemExit(f"no results under {RESULTS / heuristic}; run the selection first")
    rows = ["| pair | problems | threshold | k | direct | explained | selected |", "|---|---|---|---|---|---|---|"]
    for path in files:
        result = json.loads(path.read_text())
        for name, rates in result["rates"].items():
            cells = [result["pair"], len(result["problems"]), f"{result['threshold']:g}", name.removeprefix("pass@")]
            cells += [f"{100 * rates[arm]:.1f}" for arm in ("direct", "explained", "selected")]
            rows.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


def difficulty_table(gains: dict[str, dict[str, tuple[int, float, float]]]) -> str:
    rows = ["| pair | tercile | problems | direct | explained | gain |", "|---|---|---|---|---|---|"]
    for pair, terciles in gains.items():
        for tercile, (size, direct, explained) in terciles.items():
            rows.append(f"| {pair} | {tercile} | {size} | {100 * direct:.1f} | {100 * explained:.1f} | {100 * (explained - direct):+.1f} |")
    return "\n".join(rows)
