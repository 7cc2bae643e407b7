# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""The chat template: how an instruction becomes the prompt that a response is generated for."""

from lm.tokenizers import Tokenizer

PAD_ID = 0
BOS_ID = 1
EOS_ID = 2

TEMPLATE = "<|user|>\n{instruction}\n<|assistant|>\n"

# "<|assistant|>\n" as ids; the response begins behind it.
RESPONSE_MARKER = (10, 12, 591, 28, 75, 175, 39, 12, 11, 4)


def build_prompt(tokenizer: Tokenizer, instruction: str) -> list[int]:
    return [BOS_ID, *tokenizer.encode(TEMPLATE.format(instruction=instruction))]
