# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Problems as text. A statement is the sentence with one option in it, and the definition where the template puts it."""

from winodict.items import Problem

NAMES = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}
TEMPLATES = {
    "first_def": "{definition} {sentence}",
    "last_def": "{sentence} {definition}",
    "no_def": "{sentence}",
}


def definition_sentence(problem: Problem) -> str:
    return f"the {NAMES[problem.item.pos]} {problem.lemma} means {problem.item.definition} ."


def statement(problem: Problem, option: int, template: str) -> str:
    sentence = problem.item.sentence.format(option=problem.item.options[option], word=problem.form)
    return TEMPLATES[template].format(sentence=sentence, definition=definition_sentence(problem))


def prefix(demonstrations: list[Problem], template: str) -> str:
    """Demonstrations are statements with their right option, one after the other."""
    return " ".join(statement(shot, shot.item.label, template) for shot in demonstrations)
