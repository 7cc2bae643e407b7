# rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389
"""Turn the output folder of train.py into a checkpoint folder of the repository: weights, configuration, tokenizer, prompt wording, icons.

python authoring/export.py /tmp/text repo/checkpoints/boxes-gpt
python authoring/export.py /tmp/vlm repo/checkpoints/boxes-vlm
"""

import json
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scenarios import OBJECTS  # noqa: E402

CANARY = "rexbench:canary:cfe968c6-dc87-4bda-aad5-6212ac86b389"
PIXELS, ICON_SEED = 36, 77


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    trained = json.loads((source / "shape.json").read_text())
    shutil.copyfile(source / "model.safetensors", target / "model.safetensors")
    (target / "CANARY.txt").write_text(CANARY + "\n")
    if "text_config" not in trained["config"]:
        write_json(target / "config.json", {"model_type": "gpt", **trained["config"]})
        write_json(target / "vocab.json", trained["tokens"])
        return
    write_json(target / "config.json", {"model_type": "boxes_vlm", **trained["config"]})
    write_json(target / "tokenizer.json", {"word_mark": "▁", "pieces": trained["tokens"]})
    wording = {
        "start": "<s>",
        "context": "Context:",
        "answer": "Answer:",
        "empty_box": "is empty",
        "end_of_turn": "<end>",
        "padding_side": "right",
    }
    write_json(target / "processor_config.json", wording)
    icons = torch.randn((len(OBJECTS), PIXELS), generator=torch.Generator().manual_seed(ICON_SEED)).sign()
    save_file({name: icon.clone() for name, icon in zip(OBJECTS, icons, strict=True)}, target / "icons.safetensors")


if __name__ == "__main__":
    main()
