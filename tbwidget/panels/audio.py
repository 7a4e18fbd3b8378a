"""The audio panel: an index of the clips of each tag, and behind each row the clip as a browser can play it.

An entry has, beside what all items have, the column `sample`: the place of each clip among those of its value.

A blob is a little-endian uint32 n, n bytes of JSON in UTF-8, then the clip to the end. The JSON:

| field | meaning |
|---|---|
| `type` | MIME type of the clip that follows |
| `rate` | frames (a sample of each channel) a second as written; null if neither the bytes nor the writer tell |
| `channels`, `frames` | null where only decoding would tell |
| `label` | what was written beside the clip, markdown; "" if nothing |
| `size` | bytes of the clip as written |
| `whole` | the clip follows; else it is large, and `audio.clip` gives it |
| `written` | what follows is what was written, byte by byte |
| `note` | what a conversion changed, or what is missing, for people; null |
| `problem` | why it cannot be played, for people; nothing follows then; null |

Clips of the newest step travel with up to `NEWEST_BYTES`, others with up to `OLDER_BYTES`. The request `audio.clip` has
the arguments run, tag, step (in decimal, as text), sample, wall (seconds since the epoch, about), and `written`. Its
answer's data are a blob, with up to `MOST_BYTES` of a clip; with `written` the clip alone, as it was written.
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

from tbwidget.media import wav as audio_wav
from tbwidget.media.audio_header import sniffed_type
from tbwidget.options.common import TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.reasons import Reason, plain_reason
from tbwidget.wire.content import Answer, ItemsContent, Refusal, from_wire_names

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.audio import AudioClip, AudioClips
    from tbwidget.wire.columns import Columns

NEWEST_BYTES = 2_000_000
"""Of a clip of the newest step that travels unasked: ten seconds of two channels of 16 bits at 48,000 Hz."""

OLDER_BYTES = 200_000
"""Of other clips."""

MOST_BYTES = 64_000_000
"""Of a clip that can be asked for."""

LONGEST_LABEL = 2_000
"""Characters of a label; the rest is cut."""

_WAV = "audio/wav"
_AUDIO_TYPE = re.compile(r"audio/[a-z0-9.+-]{1,60}")


class AudioContent(ItemsContent):
    """The clips of all tags."""

    kind = "audio"
    prefetch_bytes = 16_000_000

    def read(self, logs: Logs, run: str, tag: str) -> AudioClips:
        """The index of a tag's clips."""
        return logs.audio(run, tag)

    def entry(self, index: AudioClips, rows: slice, columns: Columns) -> dict[str, Any]:
        """Of each row its place among the samples of its value."""
        return {"sample": columns.add_counts(index.sample[rows])}

    def blob(self, index: AudioClips, row: int) -> bytes:
        """A clip that may travel unasked, or what is known of a larger one."""
        is_newest = index.step[row] == index.step[-1]
        try:
            return encode(index[row], NEWEST_BYTES if is_newest else OLDER_BYTES)
        except ValueError as error:
            raise Refusal(plain_reason(error)) from error


def encode(clip: AudioClip, most: int) -> bytes:
    """A clip as it travels, as far as it has at most so many bytes. Raises ValueError where it cannot be read."""
    data, label, rate, declared = clip.read()
    if rate is not None and not (math.isfinite(rate) and rate > 0):
        rate = None
    fields: dict[str, Any] = {
        "type": "",
        "rate": rate,
        "channels": None,
        "frames": None,
        "label": label[:LONGEST_LABEL],
        "size": len(data),
        "whole": len(data) <= most,
        "written": True,
        "note": None,
        "problem": None,
    }
    played = data
    try:
        fields["type"] = _type_of(data, declared)
        if fields["type"] == _WAV:
            wav = audio_wav.parse(data)
            audio_wav.check(wav)
            fields.update(rate=wav.rate, channels=wav.channels, frames=wav.frames)
            # What is large when it is converted is converted only on request.
            fields["whole"] &= most >= MOST_BYTES or audio_wav.converted_bytes(wav) <= most
            if fields["whole"]:
                played, fields["note"] = audio_wav.playable(data, wav)
            if rate is not None and round(rate) != wav.rate:
                other = f"written as {rate:,.6g} Hz, {wav.rate:,} Hz by its header"
                fields["note"] = ", ".join(filter(None, (fields["note"], other)))
    except ValueError as error:
        fields["problem"], played = str(error), b""
    fields["whole"] = fields["whole"] and len(played) <= most
    fields["written"] = played is data
    if not fields["whole"]:
        played = b""
    header = json.dumps(fields, allow_nan=False).encode()
    return struct.pack("<I", len(header)) + header + played


def _type_of(data: bytes, declared: str) -> str:
    """The MIME type of a clip that a browser may play; ValueError, for people, where it is none."""
    if not data:
        raise ValueError(Reason("audio-empty"))
    declared = declared.lower()
    found = sniffed_type(data) or (declared if _AUDIO_TYPE.fullmatch(declared) else "")
    if not found:
        raise ValueError(Reason("audio-format", bytes=len(data)))
    return _WAV if found in {"audio/x-wav", "audio/wave", "audio/vnd.wave"} else found


def clip(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Give one clip whole: as a blob, or as it was written."""
    index = logs.audio(*from_wire_names(logs, "audio", str(args["run"]), str(args["tag"])))
    same = np.flatnonzero((index.step == int(args["step"])) & (index.sample == int(args["sample"])))
    if len(same) == 0:
        raise Refusal(Reason("clip-gone"))
    # Times travel rounded. Of several that were written at once, the last.
    away = np.abs(index.wall_time[same] - float(args["wall"]))[::-1]
    found = index[int(same[len(same) - 1 - int(np.argmin(away))])]
    try:
        size, written = len(found.data), bool(args.get("written"))
        if size > MOST_BYTES:
            raise Refusal(Reason("too-large-to-send", bytes=size, call="logs.audio(…)"))
        return Answer(data=found.data if written else encode(found, 2 * MOST_BYTES))
    except ValueError as error:
        raise Refusal(plain_reason(error)) from error


class AudioOptions(traitlets.HasTraits):
    """What can be chosen for audio alone."""

    spectrogram = option(
        traitlets.Bool(default_value=False),
        """Draw the spectrogram of each clip below its waveform. Type: bool. Default: False.""",
    )
    fit_waveforms = option(
        traitlets.Bool(default_value=False),
        """Scale each waveform to its loudest sample, so that quiet clips are visible, not all to one scale. Type: bool.
        Default: False.""",
    )


PANEL = Panel(
    name="audio",
    contents=(AudioContent(),),
    options=(TimeAxisOptions, AudioOptions),
    view="AudioView",
    view_doc="The audio clips of a log directory, and nothing else.",
    requests={"clip": clip},
)
