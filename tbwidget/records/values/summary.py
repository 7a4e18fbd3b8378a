"""Description of one value of a summary: its tag, its form, and its declaration about the tag's kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tbwidget.records.values.forms import (
    AUDIO,
    HISTO,
    IMAGE,
    NOTHING,
    NUMBER,
    SIMPLE_VALUE,
    STRING_TENSORS,
    tensor_form,
)
from tbwidget.records.values.tensors import scalar_value
from tbwidget.texts import decode_text

_V1_FORMS = {"histo": HISTO, "image": IMAGE, "audio": AUDIO}
_V1_PLUGINS = {SIMPLE_VALUE: "scalars", HISTO: "histograms", IMAGE: "images", AUDIO: "audio"}


class TagTable:
    """Small numbers for tags, so that columns hold numbers. Shared by the files of a log directory."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[bytes, int] = {}

    def find(self, name: str) -> int:
        """The number of a tag; -1 if it has none."""
        try:
            return self._numbers.get(name.encode("utf-8", "surrogateescape"), -1)
        except UnicodeEncodeError:
            return -1

    def bytes_of(self, number: int) -> bytes:
        """The name of a tag as it is written."""
        return self.names[number].encode("utf-8", "surrogateescape")

    def number(self, name: bytes) -> int:
        """The number of a tag, a new one if it has none."""
        number = self._numbers.get(name)
        if number is None:
            number = len(self.names)
            self.names.append(decode_text(name))
            self._numbers[name] = number  # last, so that no two share a number, wherever this is interrupted
        return number

    def numbers(
        self, data: bytes | memoryview, begin: npt.NDArray[np.int64], end: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int32]:
        """The numbers of tags that stand in `data`."""
        names = [bytes(data[first:last]) for first, last in zip(begin.tolist(), end.tolist(), strict=True)]
        return np.array([self.number(name) for name in names], np.int32)


class PluginMetadata(NamedTuple):
    """Declaration in metadata."""

    plugin: str
    display_name: str
    description: str


NO_METADATA = PluginMetadata("", "", "")


def plugin_metadata_of(metadata: SummaryMetadata) -> PluginMetadata:
    """Return the declaration in metadata."""
    return PluginMetadata(
        decode_text(metadata.plugin_data.plugin_name),
        decode_text(metadata.display_name),
        decode_text(metadata.summary_description),
    )


class TagInfo(NamedTuple):
    """A value's declaration about its tag; many tags often share one."""

    form: str
    """One of `forms.FORMS`."""
    plugin: str
    """The plugin that its metadata name, or that its v1 field implies; empty if neither."""
    display_name: str
    description: str
    samples: int
    """How many strings a string tensor has; 1 for all else."""


def read_value(value: Summary.Value, tags: TagTable, *, cut: int = 0) -> tuple[int, TagInfo, float | None]:
    """Return the tag of a value, what it declares, and its number if a scalar series can hold it.

    A v1 field implies its plugin, whatever its metadata, as in tensorboard/data_compat.py. `cut` is for a tensor
    whose values were left out, as for `tensor_form`.
    """
    field = value.WhichOneof("value")
    number, samples = None, 1
    if field == "simple_value":
        form, number = SIMPLE_VALUE, value.simple_value
    elif field == "tensor":
        number = scalar_value(value.tensor)
        form, elements = (NUMBER, 1) if number is not None else tensor_form(value.tensor, cut=cut)
        samples = elements if form in STRING_TENSORS else 1
    else:
        form = _V1_FORMS.get(field or "", NOTHING)
    metadata = plugin_metadata_of(value.metadata) if value.HasField("metadata") else NO_METADATA
    return tags.number(value.tag or value.node_name), tag_info_of(form, metadata, samples), number


def tag_info_of(form: str, metadata: PluginMetadata, samples: int) -> TagInfo:
    """Return what a value of this form with these metadata declares."""
    plugin, display_name, description = metadata
    return TagInfo(form, _V1_PLUGINS.get(form) or plugin, display_name, description, samples)
