# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Worked addition, digit by digit, as a chain of thought for the model to continue. Not used.

The checkpoint has never seen the [work] tag, so the tokenizer refuses these prompts. Kept for the next checkpoint.
"""

from ror.numerals import to_text, to_value


def worked(left: str, right: str, base: int) -> str:
    """For 27+35 in base ten: 7+5=12|2+3+1=6|62."""
    carry, steps, total = 0, [], ""
    for a, b in zip(reversed(left), reversed(right), strict=True):
        column = (to_value(a, base) or 0) + (to_value(b, base) or 0) + carry
        steps.append(f"{a}+{b}{'+1' if carry else ''}={to_text(column, base)}")
        carry = column // base
        total = to_text(column % base, base) + total
    return "|".join([*steps, ("1" if carry else "") + total])


def prompt(left: str, right: str, base: int) -> str:
    return f"[base-{base}][work]{left}+{right}="
