"""Audio clips: v1 messages and v2 tensors alike, as the bytes that were written.

The forms follow tensorboard/data_compat.py (v1 to v2) and plugins/audio/summary_v2.py: strings `[k]`, or `[k, 2]`
with a label for each clip.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from google.protobuf.message import DecodeError

from tbwidget.logs import display
from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.logs.sequences import Sample, SampleSequence
from tbwidget.media.audio import sniffed_type, wav_rate
from tbwidget.proto.plugins_pb2 import AudioPluginData
from tbwidget.reasons import Reason
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import TensorError
from tbwidget.records.values.forms import CODES, PAIRS
from tbwidget.texts import decode_text

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

_LABELED = 2  # columns
_PAIRS = CODES[PAIRS]


class Clip(NamedTuple):
    """Content of one clip in a value."""

    data: bytes
    label: str
    sample_rate: float | None
    content_type: str


class AudioClip(Sample[Clip]):
    """One clip; read when its properties are asked for: ValueError if the bytes are no longer there or damaged."""

    __slots__ = ()

    def read(self) -> Clip:
        """All of it, in one reading."""
        return self._read()

    @property
    def data(self) -> bytes:
        """The encoded clip, as written."""
        return self._read().data

    @property
    def label(self) -> str:
        """Markdown; empty if none was written."""
        return self._read().label

    @property
    def sample_rate(self) -> float | None:
        """Samples a second, as declared by the writer, else from the header of a WAV file; None if neither is known."""
        return self._read().sample_rate

    @property
    def content_type(self) -> str:
        """A MIME type, as declared by the writer, else by the first bytes; empty if unknown."""
        return self._read().content_type

    def _repr_html_(self) -> str | None:
        """Show itself, with a player, as a cell's result; None where it cannot be read."""
        try:
            clip = self._read()
        except ValueError:
            return None
        return display.audio(repr(self), clip.label, clip.content_type, clip.data)

    def __repr__(self) -> str:
        """Name step and sample; reads nothing."""
        return f"AudioClip(step {self.step}, sample {self.sample})"


class AudioClips(SampleSequence[AudioClip, Clip]):
    """The clips of one tag of one run, n of them, by step then sample; with `superseded` in the order written.

    Elements read nothing until a property is asked for.
    """

    _element = AudioClip

    def __init__(self, items: Items, *, by_step: bool) -> None:
        counts = np.where(items.form == _PAIRS, items.samples // 2, items.samples)
        super().__init__(items, counts, _part, by_step=by_step)

    def readable(self) -> Iterator[tuple[int, Clip]]:
        """All clips that can be read, with their places here, in the order written; read many at once."""
        return self._parts()


def _part(value: Summary.Value, sample: int) -> Clip:
    if value.HasField("audio"):
        audio = value.audio
        data = audio.encoded_audio_string
        content_type = decode_text(audio.content_type) or sniffed_type(data)
        return Clip(data, "", float(audio.sample_rate) or wav_rate(data), content_type)
    strings = value.tensor.string_val
    if not strings:
        raise TensorError(Reason("audio-expected"))
    shape = value.tensor.tensor_shape.dim
    last = len(strings) - 1
    if len(shape) == _LABELED and shape[1].size == _LABELED:
        data, label = strings[min(2 * sample, last)], strings[min(2 * sample + 1, last)]
    else:
        data, label = strings[min(sample, last)], b""
    return Clip(data, decode_text(label), wav_rate(data), _encoding(value) or sniffed_type(data))


def _encoding(value: Summary.Value) -> str:
    try:
        metadata = AudioPluginData.FromString(value.metadata.plugin_data.content)
    except DecodeError:
        return ""
    return "audio/wav" if metadata.encoding == AudioPluginData.WAV else ""


def _table(clips: AudioClips) -> dict[str, Any]:
    rate = np.full(len(clips), np.nan)
    content_type, label = np.full(len(clips), None), np.full(len(clips), None)
    lengths: list[int | None] = [None] * len(clips)
    for place, clip in clips.readable():
        rate[place] = np.nan if clip.sample_rate is None else clip.sample_rate
        content_type[place], label[place], lengths[place] = clip.content_type, clip.label, len(clip.data)
    return {
        "step": clips.step,
        "wall_time": clips.wall_time,
        "sample": clips.sample,
        "sample_rate": rate,
        "content_type": content_type,
        "label": label,
        "bytes": lengths,
    }


def audio(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> AudioClips:
    """Return the audio clips of a tag, by step, then by sample.

    With `superseded`, return all clips in the order written, those that a restart wrote again included.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.audio("run1", "speech")[-1].sample_rate
    """
    return AudioClips(source.items(run, tag, KIND.name, superseded=superseded), by_step=not superseded)


KIND = Kind(
    "audio",
    plugins=("audio",),
    forms=frozenset({forms.AUDIO, forms.STRINGS, forms.TWO_STRINGS, forms.PAIRS}),
    table=Table(
        _table,
        {"sample": np.int64, "sample_rate": np.float64, "content_type": object, "label": object, "bytes": "Int64"},
    ),
)
