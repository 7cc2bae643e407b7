"""Text from code under test, made fit to be written down and shown."""


def printable(text: str, limit: int = 400) -> str:
    """One line that no terminal obeys: what cannot be printed becomes a question mark, what is too long is cut."""
    return "".join(character if character.isprintable() else "?" for character in text[: limit + 1])[:limit]
