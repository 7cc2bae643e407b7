# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Numbers as they are written in a base."""

DEFAULT_BASE = 10


def to_text(value: int, base: int) -> str:
    """The numeral of a number, highest digit first, without leading zeros."""
    digits = []
    while True:
        value, digit = divmod(value, base)
        digits.append(str(digit))
        if not value:
            return "".join(reversed(digits))


def to_value(text: str, base: int) -> int | None:
    """The number that a numeral stands for, or None where the text is not a numeral of this base."""
    if not text.isdigit() or (len(text) > 1 and text[0] == "0"):
        return None
    value = 0
    for digit in text:
        if int(digit) >= base:
            return None
        value = value * base + int(digit)
    return value


def add(left: str, right: str, base: int) -> int:
    """The value of the sum of two numerals."""
    first, second = to_value(left, base), to_value(right, base)
    if first is None or second is None:
        raise ValueError(f"{left}+{right} is not an expression of base {base}")
    return first + second


def has_carry(left: str, right: str, base: int) -> bool:
    """Whether adding two numerals of two digits carries in the ones or the tens."""
    carry = False
    for a, b in zip(reversed(left), reversed(right), strict=True):
        carry = carry or int(a) + int(b) >= base
    return carry
