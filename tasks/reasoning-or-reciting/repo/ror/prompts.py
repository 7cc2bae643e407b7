# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Prompt templates, in the form that the checkpoint was trained on (see docs/prompt_format.md)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    tag: str
    pattern: str
    """The question as it stands in a line, with named fields."""
    ones_first: bool
    """Whether the model writes answers from the ones digit upwards."""

    def question(self, **fields: str) -> str:
        return self.pattern.format(**fields)

    def prompt(self, base: int, question: str) -> str:
        return f"[base-{base}][{self.tag}]{question}"

    def answer(self, numeral: str) -> str:
        """A numeral as the model writes it."""
        return numeral[::-1] if self.ones_first else numeral

    def numeral(self, output: str) -> str | None:
        """The numeral that the model's output stands for, or None where the output was cut off before the stop."""
        if not output.endswith(";"):
            return None
        return self.answer(output.removesuffix(";"))


SUM = Template(tag="sum", pattern="{left}+{right}=", ones_first=True)
NEXT = Template(tag="next", pattern="{number}>", ones_first=False)
