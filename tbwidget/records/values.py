"""What one value of a summary is: its tag, its form, and what it says about the tag's kind."""

from __future__ import annotations

from typing import NamedTuple

from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records.tensors import scalar_value

SIMPLE_VALUE, NUMBER, TENSOR, HISTO, IMAGE, AUDIO, NOTHING = (
    "simple value",
    "tensor of one number",
    "tensor",
    "histogram",
    "image",
    "audio clip",
    "value without content",
)
"""The forms a value can have."""

_V1_FORMS = {"histo": HISTO, "image": IMAGE, "audio": AUDIO}
_V1_PLUGINS = {SIMPLE_VALUE: "scalars", HISTO: "histograms", IMAGE: "images", AUDIO: "audio"}


class TagTable:
    """Small numbers for tags, so that columns hold numbers. Shared by the files of a log directory."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def find(self, name: str) -> int:
        """The number of a tag; -1 if it has none."""
        return self._numbers.get(name, -1)

    def number(self, name: str) -> int:
        """The number of a tag, a new one if it has none."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number


class ValueInfo(NamedTuple):
    """What a value says beside its number."""

    tag: int
    form: str
    plugin: str
    """The plugin that its metadata name, or that its v1 field implies; empty if neither."""
    display_name: str
    description: str


def read_value(value: Summary.Value, tags: TagTable) -> tuple[ValueInfo, float | None]:
    """Describe a value, and its number if it is one that a scalar series can hold.

    A v1 field implies its plugin, whatever the metadata say, as in tensorboard/data_compat.py.
    """
    field = value.WhichOneof("value")
    number = None
    if field == "simple_value":
        form, number = SIMPLE_VALUE, value.simple_value
    elif field == "tensor":
        number = scalar_value(value.tensor)
        form = TENSOR if number is None else NUMBER
    else:
        form = _V1_FORMS.get(field or "", NOTHING)
    metadata = value.metadata
    info = ValueInfo(
        tags.number(value.tag or value.node_name),
        form,
        _V1_PLUGINS.get(form) or metadata.plugin_data.plugin_name,
        metadata.display_name,
        metadata.summary_description,
    )
    return info, number
