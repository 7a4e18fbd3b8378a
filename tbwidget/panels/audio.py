"""The audio panel: an index of the clips of each tag, and behind each row the clip as a browser can play it.

An entry has the columns of all items, and `sample`: the index of each clip within its value.

A blob is a little-endian uint32 n, n bytes of JSON in UTF-8, then the clip to the end. The JSON:

| field | meaning |
|---|---|
| `type` | MIME type of the clip that follows. |
| `rate` | frames (a sample of each channel) a second as written; null if unknown. |
| `channels`, `frames` | null if only decoding would tell. |
| `label` | text of the writer, markdown; "" if there was none. |
| `size` | bytes of the clip as written. |
| `whole` | whether the clip follows; if not, it is large, and `audio.clip` gives it. |
| `written` | whether the bytes that follow are as written. |
| `notes` | reasons: changes by a conversion, or missing parts. |
| `problem` | reason why it cannot be played; nothing follows then; else null. |

Clips of the newest step travel with up to `NEWEST_BYTES`, others with up to `OLDER_BYTES`. The request `audio.clip` has
the arguments run, tag, step (in decimal, as text), sample, wall (seconds since the epoch, about), and `written`. Its
answer's data are a blob, with up to `MAX_CLIP_BYTES` of a clip; with `written` the clip alone, as it was written.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from tbwidget.media import audio as audio_wav
from tbwidget.media.audio import sniffed_type
from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.reasons import Reason, plain_reason
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.audio import AudioClip, AudioClips
    from tbwidget.wire.columns import Columns

NEWEST_BYTES = 2_000_000
"""Upper bound for a pushed clip of the newest step: ten seconds of two channels of 16 bits at 48,000 Hz."""

OLDER_BYTES = 200_000
"""Upper bound for other pushed clips."""

MAX_CLIP_BYTES = 64_000_000
"""Upper bound for a clip that is sent on request."""

MAX_LABEL_CHARACTERS = 2_000
"""Longer labels are cut."""

_WAV = "audio/wav"
_AUDIO_TYPE = re.compile(r"audio/[a-z0-9.+-]{1,60}")


class AudioContent(ItemsContent):
    """The clips of all tags."""

    kind = "audio"
    prefetch_bytes = 16_000_000

    def read(self, logs: Logs, run: str, tag: str) -> AudioClips:
        """Return the index of a tag's clips."""
        return logs.audio(run, tag)

    def entry(self, index: AudioClips, rows: slice, columns: Columns) -> dict[str, Any]:
        """Add the index of each row among the samples of its value."""
        return {"sample": columns.add_counts(index.sample[rows])}

    def blob(self, index: AudioClips, row: int) -> bytes:
        """Encode a clip, or only the header of a large one."""
        is_newest = index.step[row] == index.step[-1]
        try:
            return encode(index[row], NEWEST_BYTES if is_newest else OLDER_BYTES)
        except ValueError as error:
            raise Refusal(plain_reason(error)) from error


def encode(clip: AudioClip, most: int) -> bytes:
    """Encode a clip; one of more than `most` bytes as a header only. Raises ValueError if it cannot be read."""
    data, label, rate, declared = clip.read()
    if rate is not None and not (math.isfinite(rate) and rate > 0):
        rate = None
    fields: dict[str, Any] = {
        "type": "",
        "rate": rate,
        "channels": None,
        "frames": None,
        "label": label[:MAX_LABEL_CHARACTERS],
        "size": len(data),
        "whole": len(data) <= most,
        "written": True,
        "notes": [],
        "problem": None,
    }
    played, notes = data, list[Reason]()
    try:
        fields["type"] = _type_of(data, declared)
        if fields["type"] == _WAV:
            wav = audio_wav.parse(data)
            audio_wav.check(wav)
            fields.update(rate=wav.rate, channels=wav.channels, frames=wav.frames)
            # A clip that grows too large by conversion is converted only on request.
            fields["whole"] &= most >= MAX_CLIP_BYTES or audio_wav.converted_bytes(wav) <= most
            if fields["whole"]:
                played, (*notes,) = audio_wav.playable(data, wav)
            if rate is not None and round(rate) != wav.rate:
                notes.append(Reason("audio-rates", rate=rate, header=wav.rate))
    except ValueError as error:
        fields["problem"], played = wire_reason(plain_reason(error)), b""
    fields["notes"] = [wire_reason(note) for note in notes]
    fields["whole"] = fields["whole"] and len(played) <= most
    fields["written"] = played is data
    if not fields["whole"]:
        played = b""
    header = json.dumps(fields, allow_nan=False).encode()
    return struct.pack("<I", len(header)) + header + played


def _type_of(data: bytes, declared: str) -> str:
    """Return the MIME type of a clip. Raises ValueError, with a text for people, if no browser plays it."""
    if not data:
        raise ValueError(Reason("audio-empty"))
    declared = declared.lower()
    found = sniffed_type(data) or (declared if _AUDIO_TYPE.fullmatch(declared) else "")
    if not found:
        raise ValueError(Reason("audio-format", bytes=len(data)))
    return _WAV if found in {"audio/x-wav", "audio/wave", "audio/vnd.wave"} else found


def clip(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with one whole clip: as a blob, or as it was written."""
    index = logs.audio(*from_wire_names(logs, "audio", str(args["run"]), str(args["tag"])))
    same = np.flatnonzero((index.step == int(args["step"])) & (index.sample == int(args["sample"])))
    if len(same) == 0:
        raise Refusal(Reason("clip-gone"))
    # Wall times travel rounded. If several clips are equally near, the last one counts.
    away = np.abs(index.wall_time[same] - float(args["wall"]))[::-1]
    found = index[int(same[len(same) - 1 - int(np.argmin(away))])]
    try:
        size, written = len(found.data), bool(args.get("written"))
        if size > MAX_CLIP_BYTES:
            raise Refusal(Reason("too-large-to-send", bytes=size, call="logs.audio(…)"))
        return Answer(data=found.data if written else encode(found, 2 * MAX_CLIP_BYTES))
    except ValueError as error:
        raise Refusal(plain_reason(error)) from error


class AudioOptions(traitlets.HasTraits):
    """Options of audio clips alone."""

    spectrogram = option(
        traitlets.Bool(default_value=False),
        """Draw the spectrogram of each clip below its waveform. Type: bool. Default: False.""",
    )
    fit_waveforms = option(
        traitlets.Bool(default_value=False),
        """Scale each waveform to its loudest sample, so that quiet clips are visible, instead of all to one scale.
        Type: bool. Default: False.""",
    )


PANEL = Panel(
    name="audio",
    contents=(AudioContent(),),
    options=(TimeAxisOptions, NamedRangeOptions, AudioOptions),
    view="AudioView",
    view_doc="The audio clips of a log directory, and nothing else.",
    requests={"clip": clip},
)
