"""Audio files: their type by their first bytes, the headers of WAV files, and WAV files that browsers can play.

Browsers play integers of 8 to 32 bits, floats of 32 bits, A-law and µ-law, at 3,000 to 768,000 samples a second, even
if the end is missing. Writers store any rate that a training gives them, such as a sensor's 100 Hz, so files of other
rates are resampled. No writer stores floats of 64 bits, so these are refused.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tbwidget.reasons import Reason

if TYPE_CHECKING:
    from numpy.typing import NDArray


MIN_RATE, MAX_RATE = 3_000, 768_000
"""Bounds of the samples a second that browsers play."""

MAX_SAMPLES = 16_000_000
"""Upper bound for the samples of a resampled file, of all channels together."""

_USUAL_RATE = 8_000
"""A rate that is too low becomes a multiple of itself, about this one."""
_HIGH_RATE = 192_000
"""A rate that is too high becomes a fraction of itself, at most this one."""

_PCM, _FLOAT, _A_LAW, _MU_LAW, _EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
_WIDTHS = {_PCM: (1, 2, 3, 4), _FLOAT: (4,), _A_LAW: (1,), _MU_LAW: (1,)}
_MAX_CHANNELS = 32  # as browsers take them
_MAX_CHUNKS = 1_000
_UNKNOWN_LENGTH = 0x7FFF0000  # or more: written before the length was known
_SUBFORMAT = 24  # where the coding of an extensible header stands


class Wav(NamedTuple):
    """Headers of a WAV file, and the number of samples that it holds."""

    coding: int
    """1: integers, 3: floats, 6: A-law, 7: µ-law; others are unknown here."""
    channels: int
    rate: int
    """Frames a second: a frame has one sample of each channel."""
    width: int
    """Bytes of a sample."""
    start: int
    """Offset of the samples."""
    frames: int
    """Frames that the file holds."""
    missing: int
    """Frames that the header declares and the file lacks."""


class Playable(NamedTuple):
    """A file that browsers play."""

    data: bytes
    notes: tuple[Reason, ...]
    """Changes and missing parts."""


def parse(data: bytes) -> Wav:
    """Parse the headers of a WAV file. Raises ValueError, with a reason for people, if they are invalid."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise ValueError(Reason("wav-expected"))
    place, header = 12, b""
    for _ in range(_MAX_CHUNKS):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        if name == b"fmt ":
            header = data[place + 8 : place + 8 + min(size, 64)]
        elif name == b"data":
            return _parsed(header, place + 8, size, len(data))
        place += 8 + size + size % 2
        if place >= len(data):
            break
    raise ValueError(Reason("wav-no-samples"))


def _parsed(header: bytes, start: int, size: int, length: int) -> Wav:
    if len(header) < 16:  # noqa: PLR2004 (what all of them have)
        raise ValueError(Reason("wav-no-format"))
    coding, channels, rate, _, frame, _ = struct.unpack_from("<HHIIHH", header)
    if coding == _EXTENSIBLE and len(header) >= _SUBFORMAT + 2:
        coding = int.from_bytes(header[_SUBFORMAT : _SUBFORMAT + 2], "little")
    if not 0 < channels <= _MAX_CHANNELS or frame == 0 or rate == 0:
        raise ValueError(Reason("wav-header", channels=channels, rate=rate, frame=frame))
    there = max(0, length - start) // frame
    promised = there if size >= _UNKNOWN_LENGTH else size // frame
    return Wav(coding, channels, rate, frame // channels, start, min(there, promised), max(0, promised - there))


def check(wav: Wav) -> None:
    """Raise ValueError, with a reason for people, if browsers cannot play the file even resampled."""
    if wav.width not in _WIDTHS.get(wav.coding, ()):
        raise ValueError(Reason("wav-coding", coding=wav.coding, width=wav.width))
    if wav.frames == 0:
        raise ValueError(Reason("wav-empty"))
    if wav.coding in (_A_LAW, _MU_LAW) and not _is_playable_rate(wav):
        raise ValueError(Reason("wav-rate", rate=wav.rate))


def playable(data: bytes, wav: Wav) -> Playable:
    """Return the file itself, or a resampled one that browsers play. Raises ValueError if that would be too large."""
    notes: tuple[Reason, ...] = ()
    if wav.missing:
        there, promised = wav.frames / wav.rate, (wav.frames + wav.missing) / wav.rate
        notes = (Reason("audio-cut", there=there, seconds=promised),)
    if _is_playable_rate(wav):
        return Playable(data, notes)
    samples, rate = _resampled(_floats(data, wav), wav.rate)
    return Playable(_written(samples, rate), (*notes, Reason("audio-resampled", rate=wav.rate, played=rate)))


def converted_bytes(wav: Wav) -> int:
    """Estimate the bytes of samples that `playable` makes; 0 if it returns the file itself."""
    if _is_playable_rate(wav):
        return 0
    times = -(-_USUAL_RATE // wav.rate) if 0 < wav.rate < MIN_RATE else 1
    return 4 * wav.frames * wav.channels * times


def _is_playable_rate(wav: Wav) -> bool:
    return MIN_RATE <= wav.rate <= MAX_RATE


def _floats(data: bytes, wav: Wav) -> NDArray[np.float32]:
    """Return the samples as float32[frames, channels], from -1 to 1."""
    count = wav.frames * wav.channels
    if count > MAX_SAMPLES:
        raise ValueError(Reason("wav-long", seconds=wav.frames / wav.rate))
    raw = np.frombuffer(data, np.uint8, count * wav.width, wav.start)
    if wav.coding == _FLOAT:
        floats = np.nan_to_num(raw.view("<f4"), nan=0.0, posinf=1.0, neginf=-1.0).clip(-1e6, 1e6)
    elif wav.width == 1:
        floats = (raw.astype(np.float32) - 128) / 128
    else:
        # Put the bytes of each number at the upper end of 32 bits, so that its sign bit is theirs.
        wide = np.zeros((count, 4), np.uint8)
        wide[:, 4 - wav.width :] = raw.reshape(count, wav.width)
        floats = wide.view("<i4")[:, 0] / 2.0**31
    return np.asarray(floats, np.float32).reshape(wav.frames, wav.channels)


def _resampled(samples: NDArray[np.float32], rate: int) -> tuple[NDArray[np.float32], int]:
    """Return the samples at a rate that browsers play, by linear interpolation or by means."""
    frames, channels = samples.shape
    if rate > MAX_RATE:
        every = -(-rate // _HIGH_RATE)
        whole = samples[: max(1, frames // every) * every]
        every = min(every, len(whole))
        means = whole.reshape(-1, every, channels).mean(axis=1)
        return np.asarray(means, np.float32), round(rate / every)
    times = -(-_USUAL_RATE // rate)
    if samples.size * times > MAX_SAMPLES:
        raise ValueError(Reason("wav-rate", rate=rate))
    at = np.arange(frames * times) / times
    between = [np.interp(at, np.arange(frames), samples[:, channel]) for channel in range(channels)]
    return np.stack(between, axis=1).astype(np.float32), rate * times


def _written(samples: NDArray[np.float32], rate: int) -> bytes:
    data = samples.astype("<f4").tobytes()
    frame = 4 * samples.shape[1]
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, _FLOAT, samples.shape[1], rate, rate * frame, frame, 32)
    fact = struct.pack("<4sII", b"fact", 4, len(samples))
    body = b"".join((b"WAVE", form, fact, b"data", struct.pack("<I", len(data)), data))
    return b"RIFF" + struct.pack("<I", len(body)) + body


_MAGIC = (
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
    (b"\xff\xf1", "audio/aac"),
    (b"\xff\xf9", "audio/aac"),
)


def sniffed_type(data: bytes) -> str:
    """Return the MIME type that the first bytes tell; "" if they tell none."""
    if _is_wav(data):
        return "audio/wav"
    if data[4:8] == b"ftyp":
        return "audio/mp4"
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")


def wav_rate(data: bytes) -> float | None:
    """Return the samples a second that the header of a WAV file declares; None if it is none, or is cut off.

    A damaged file has a rate, too. Whole headers are read only of files that are to be played.
    """
    if not _is_wav(data):
        return None
    place = 12
    for _ in range(_MAX_CHUNKS):  # each: name, size, bytes
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        if name == b"fmt ":
            rate = data[place + 12 : place + 16]
            return float(int.from_bytes(rate, "little")) if len(rate) == 4 else None  # noqa: PLR2004 (uint32)
        place += 8 + size + size % 2
        if place >= len(data):
            break
    return None


def _is_wav(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"
