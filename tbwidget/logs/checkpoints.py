"""Checkpoints that training programs leave beside their logs, by the names of their files. None of them is opened.

| format | names | step |
|---|---|---|
| tensorflow | `model.ckpt-500.index`, `ckpt-3.index` | the number at the end |
| keras | `.keras`, `.weights.h5` | a number behind "step" or a like word |
| lightning | `.ckpt` | `step=500`, else the number at the end |
| huggingface | a directory `checkpoint-500` | its number |
| torch, safetensors | `.pt`, `.pth`, `.safetensors` with a step or an epoch in the name | as above |

An epoch is no step: a name that tells only the epoch has no step. `tf.train.CheckpointManager` numbers checkpoints
itself unless its caller passes the step as `checkpoint_number`; names do not tell which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tbwidget.logs.natural import natural_key

TENSORFLOW, KERAS, LIGHTNING, HUGGINGFACE = "tensorflow", "keras", "lightning", "huggingface"
TORCH, SAFETENSORS = "torch", "safetensors"

_INDEX, _DATA = ".index", ".data-00000-of-"
_STATE = "checkpoint"  # names the latest checkpoint of a directory
_BY_ENDING = {
    ".keras": KERAS,
    ".weights.h5": KERAS,
    ".ckpt": LIGHTNING,
    ".pt": TORCH,
    ".pth": TORCH,
    ".safetensors": SAFETENSORS,
}
_ENDINGS = (_INDEX, *_BY_ENDING)
_TRAINER_STATE = "trainer_state.json"
_OF_TRAINER = frozenset({_TRAINER_STATE, "config.json", "pytorch_model.bin", "adapter_model.bin", "training_args.bin"})
"""Files in a directory of Hugging Face's `Trainer`, beside those that end like torch's."""

_NUMBER = "([0-9]{1,19})"
_STEP = re.compile(rf"(?:^|[^a-z])(?:global[_-]?)?(?:steps?|iter(?:ation)?s?|batch)[=_. -]?{_NUMBER}", re.IGNORECASE)
_STEPS = re.compile(rf"(?:^|[^0-9a-z.=]){_NUMBER}[_-]?steps?(?![a-z])", re.IGNORECASE)
_EPOCH = re.compile(rf"(?:^|[^a-z])epochs?[=_. -]?{_NUMBER}", re.IGNORECASE)
_AT_END = re.compile(rf"(?:^|[=_-]|(?<![0-9])\.){_NUMBER}$")
_OF_TENSORFLOW = re.compile(r"ckpt|checkpoint|(?:^|[^a-z])cp(?![a-z])|-[0-9]+$", re.IGNORECASE)
_TRAINER_FOLDER = re.compile(rf"checkpoint-{_NUMBER}")
_PART = re.compile(r"-[0-9]+-of-[0-9]+$|^(?:optimizer|scheduler|rng_state|mp_rank|zero_pp_rank)", re.IGNORECASE)
"""A file that is a part of a checkpoint."""
_MAX_STEP = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint of a run: its name, step and time. It is not opened, and may be gone."""

    step: int | None
    """None where its name tells none."""
    path: str
    """The file, the directory, or TensorFlow's prefix of several files that restores it; a URL on remote storage. A
    path that a log names is text of that log."""
    wall_time: float
    """When it was written, in seconds since the epoch; NaN if that is unknown."""
    format: str
    """"tensorflow", "keras", "lightning", "huggingface", "torch" or "safetensors"."""
    epoch: int | None = None
    """The epoch in its name; None where that tells none."""
    directory: str = ""
    """The directory that was searched, with which the path begins; empty for a path that a log names."""


class CheckpointName(NamedTuple):
    """A checkpoint, as names tell of it. Names are relative to the directory that was searched."""

    name: str
    folder: str
    """Its directory; empty for the searched one."""
    file: str
    """The file whose time is the checkpoint's."""
    format: str
    step: int | None
    epoch: int | None


def may_be_checkpoint(name: str) -> bool:
    """Whether a file may be a part of a checkpoint, by the last part of its name."""
    return name.endswith(_ENDINGS) or name == _STATE or name in _OF_TRAINER or _DATA in name


def checkpoints_among(names: Iterable[str]) -> list[CheckpointName]:
    """Return the checkpoints among files, in natural order."""
    files = set(names)
    with_data = {name.partition(_DATA)[0] for name in files if _DATA in name.rpartition("/")[2]}
    found: dict[str, CheckpointName] = {}
    for name in files:
        made = _of_trainer(name) or _of_file(name, files, with_data)
        if made is not None and (made.name not in found or made.file.endswith(_TRAINER_STATE)):
            found[made.name] = made
    return sorted(found.values(), key=lambda each: natural_key(each.name))


def _of_trainer(name: str) -> CheckpointName | None:
    *folders, entry = name.split("/")
    if entry not in _OF_TRAINER and not entry.endswith((".pt", ".pth", ".safetensors")):
        return None
    for place, folder in enumerate(folders):
        if number := _TRAINER_FOLDER.fullmatch(folder):
            above = "/".join(folders[:place])
            own = f"{above}/{folder}" if above else folder
            return CheckpointName(own, above, name, HUGGINGFACE, _whole(number[1]), None)
    return None


def _of_file(name: str, files: set[str], with_data: set[str]) -> CheckpointName | None:
    folder, _, entry = name.rpartition("/")
    if entry.endswith(_INDEX):
        prefix, stem = name.removesuffix(_INDEX), entry.removesuffix(_INDEX)
        has_state = (f"{folder}/{_STATE}" if folder else _STATE) in files
        if stem == "variables" or not (prefix in with_data or has_state or _OF_TENSORFLOW.search(stem)):
            return None  # a saved model, or an index of something else
        return CheckpointName(prefix, folder, name, TENSORFLOW, _step(stem), _number(_EPOCH, stem))
    ending = next((each for each in _BY_ENDING if entry.endswith(each)), None)
    if ending is None:
        return None
    kind, stem = _BY_ENDING[ending], entry.removesuffix(ending)
    epoch = _number(_EPOCH, stem)
    step = _named_step(stem) if kind == KERAS or epoch is not None else _step(stem)
    if kind in (TORCH, SAFETENSORS) and ((step is None and epoch is None) or _PART.search(stem)):
        return None
    return CheckpointName(name, folder, name, kind, step, epoch)


def _step(stem: str) -> int | None:
    named = _named_step(stem)
    return named if named is not None else _number(_AT_END, stem)


def _named_step(stem: str) -> int | None:
    before = _number(_STEP, stem)
    return before if before is not None else _number(_STEPS, stem)


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return None if found is None else _whole(found[1])


def _whole(digits: str) -> int | None:
    number = int(digits)
    return number if number <= _MAX_STEP else None


def in_order(checkpoints: Iterable[Checkpoint]) -> list[Checkpoint]:
    """Sort checkpoints by step, those without one last."""
    return sorted(checkpoints, key=order_key)


def order_key(checkpoint: Checkpoint) -> tuple[bool, int, int, str]:
    """Sort key of a checkpoint."""
    step = checkpoint.step
    return step is None, step or 0, checkpoint.epoch or 0, natural_key(checkpoint.path)
