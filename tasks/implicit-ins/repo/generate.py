# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Respond to all instructions: python generate.py --model a --rules eos,words,repetition --out results/model_a/all_rules"""

import argparse
from pathlib import Path

from implicit.data import load_instructions, write_jsonl
from implicit.generation import respond
from implicit.rules import RuleAdapter, parse_rules
from implicit.settings import load_settings
from lm.checkpoint import load_checkpoint


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="a", help="a folder under models/")
    parser.add_argument("--rules", default="eos,words,repetition", help='comma-separated, or "none"')
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    settings = load_settings()
    checkpoint = load_checkpoint(settings.models / args.model)
    adapter = RuleAdapter(checkpoint.model.config.vocabulary, parse_rules(args.rules), settings.rules)
    instructions = load_instructions(settings.data)
    print(f"model {args.model}, rules {args.rules}", flush=True)
    responses = respond(checkpoint, adapter, [row["instruction"] for row in instructions], settings.decoding)
    rows = [
        {
            "id": row["id"],
            "response": checkpoint.tokenizer.decode(response.tokens),
            "tokens": response.tokens,
            "finish": response.finish,
        }
        for row, response in zip(instructions, responses, strict=True)
    ]
    write_jsonl(args.out / "responses.jsonl", rows)


if __name__ == "__main__":
    main()
