# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Describe a picture of boxes after some operations, as the captioning project did.

    python -m vlm.caption --boxes "apple;cup,teapot;;map;" --operations "Move the apple from Box 0 to Box 2."
"""

import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import load_file

from vlm.modeling import BoxesVLM, VLMConfig
from vlm.processing import Processor

IMAGE_ROW = 0
"""The embedding row that stands for the picture in the text."""


def load_vlm(folder: Path) -> BoxesVLM:
    model = BoxesVLM(VLMConfig.from_dict(json.loads((folder / "config.json").read_text())))
    model.load_state_dict(load_file(folder / "model.safetensors"))
    return model.eval()


@torch.inference_mode()
def caption(model: BoxesVLM, processor: Processor, boxes: list[list[str]], operations: str, max_new_tokens: int = 96) -> str:
    tokenizer, settings, offset = processor.tokenizer, processor.settings, model.config.num_image_tokens
    before = tokenizer.encode(f"{settings['start']} {settings['context']}")
    after = tokenizer.encode(f". {operations} {settings['answer']}")
    rows = [at + offset for at in before] + [IMAGE_ROW] + [at + offset for at in after]
    pixels = processor.draw(boxes)
    end = tokenizer.index[settings["end_of_turn"]]
    answer: list[int] = []
    logits, cache = model(torch.tensor([rows]), pixels)
    while len(answer) < max_new_tokens:
        answer.append(int(logits[0, -1].argmax()))
        if answer[-1] == end:
            break
        logits, cache = model(torch.tensor([[answer[-1] + offset]]), pixels, cache)
    return tokenizer.decode(answer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, default=Path("checkpoints/boxes-vlm"))
    parser.add_argument("--boxes", required=True, help="objects of Box 0 to Box 4, boxes separated by semicolons")
    parser.add_argument("--operations", default="")
    args = parser.parse_args()
    torch.set_num_threads(1)
    boxes = [[name.strip() for name in box.split(",") if name.strip()] for box in args.boxes.split(";")]
    print(caption(load_vlm(args.checkpoint), Processor(args.checkpoint), boxes, args.operations))


if __name__ == "__main__":
    main()
