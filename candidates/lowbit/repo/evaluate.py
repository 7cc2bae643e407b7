# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How far the recovered signals are from the true ones, on the public recordings."""

from recordings.tables import read_columns


def main() -> None:
    truth, found = read_columns("truth/signals.csv"), read_columns("results/signals.csv")
    errors = {name: ((found[name] - truth[name]) ** 2).mean() for name in truth}
    for stratum in sorted({name.rpartition("-")[0] for name in errors}):
        own = [error for name, error in errors.items() if name.startswith(stratum)]
        print(f"{stratum:10s} {sum(own) / len(own):.5f}")
    print(f"{'all':10s} {sum(errors.values()) / len(errors):.5f}")


if __name__ == "__main__":
    main()
