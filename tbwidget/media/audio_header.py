"""The first bytes of audio files: their MIME types, and the sample rate of a WAV file."""

from __future__ import annotations

_MAX_CHUNKS = 1000  # of a WAV file, before the chunk that is searched for

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

    A damaged file has a rate, too: `wav.py` reads whole headers, of files that are to be played.
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
