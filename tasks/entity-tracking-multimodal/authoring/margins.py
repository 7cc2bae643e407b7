# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""How near the two best tokens come in greedy decoding, and how far logits move with batch and padding, for both models.

    python authoring/margins.py TREE 101 202

TREE is a copy of repo/ with the gold patch applied. For each variant and model: the smallest difference between the best and the second logit over all generated
tokens, and the largest change of a logit between a padded batch and the prompt alone, in double and in single precision.
"""

import sys
import tempfile
from pathlib import Path

import torch

TASK = Path(__file__).resolve().parents[1]
ROOM = 80
sys.path.insert(0, str(TASK))
import variant  # noqa: E402


def main() -> None:
    tree = Path(sys.argv[1])
    sys.path.insert(0, str(tree))
    from boxes.checkpoint import load_model
    from boxes.generate import causal_mask, greedy, pad_left
    from boxes.prompts import build_prompt
    from boxes.scenarios import load_scenarios

    torch.set_num_threads(1)
    for seed in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            variant.make(int(seed), data)
            scenarios, shown = load_scenarios(data / "scenarios.jsonl"), load_scenarios(data / "demonstrations.jsonl")
        for name in ("boxes-gpt", "boxes-vlm"):
            for dtype in (torch.float64, torch.float32):
                subject = load_model(tree / "checkpoints" / name, dtype)
                prompts = [
                    build_prompt(entry, shown, subject.wording, subject.tokenizer.encode, ROOM, subject.limit)[0]
                    for entry in scenarios
                ]
                texts, firsts = [], []
                for start in range(0, len(prompts), 32):
                    part = prompts[start : start + 32]
                    answers = greedy(subject.model, part, subject.stop, subject.pad, ROOM)
                    texts += [prompt + answer for prompt, answer in zip(part, answers, strict=True)]
                    firsts += [len(prompt) - 1 for prompt in part]
                margin, moved = float("inf"), 0.0
                with torch.inference_mode():
                    for start in range(0, len(texts), 16):
                        part = texts[start : start + 16]
                        ids, keep = pad_left(part, subject.pad)
                        logits, _ = subject.model(ids, (keep.cumsum(1) - 1).clamp(min=0), causal_mask(keep))
                        for row, text in enumerate(part):
                            at = slice(firsts[start + row], len(text) - 1)
                            alone = subject.model(torch.tensor([text]))[0][0][at]
                            padded = logits[row, ids.shape[1] - len(text) :][at]
                            moved = max(moved, float((alone - padded).abs().max()))
                            best = alone.topk(2).values
                            margin = min(margin, float((best[:, 0] - best[:, 1]).min()))
                print(
                    f"variant {seed} {name} {dtype}: smallest margin {margin:.2e}, largest change of a logit {moved:.2e}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
