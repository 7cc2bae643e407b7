# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Few-shot prompts for the boxes task."""

from boxes.scenarios import Scenario
from boxes.tokenizer import WordTokenizer
from boxes.wording import box_list, operation_sentence


def question(scenario: Scenario) -> str:
    told = " ".join(operation_sentence(operation) for operation in scenario.operations)
    return f"Description: {box_list(scenario.start)} {told}\nStatement:"


def worked(scenario: Scenario) -> str:
    return f"{question(scenario)} {box_list(scenario.end())}\n\n"


def build_prompt(
    scenario: Scenario, demonstrations: list[Scenario], tokenizer: WordTokenizer, room: int, limit: int = 384
) -> tuple[list[int], int]:
    """Token ids of the prompt and the number of demonstrations in it.

    The prompt and `room` tokens of answer have to fit into `limit` positions. Demonstrations that do not fit are left out as a whole, the first
    one first; nothing is cut in the middle.
    """
    used = list(demonstrations)
    while True:
        ids = tokenizer.encode("".join(worked(demonstration) for demonstration in used) + question(scenario))
        if len(ids) + room <= limit or not used:
            return ids, len(used)
        used = used[1:]
