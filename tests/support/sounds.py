"""WAV files made by hand, intact or damaged."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

CODINGS = {"u1": (1, 8), "i2": (1, 16), "i4": (1, 32), "f4": (3, 32), "f8": (3, 64)}


def tone(seconds: float = 0.1, rate: int = 8_000, pitch: float = 440.0, loudness: float = 0.5) -> NDArray[np.float64]:
    """Make a sine wave with the given amplitude."""
    return loudness * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)


def wav(
    samples: NDArray[np.float64], rate: int = 8_000, kind: str = "i2", *, extra: bytes = b"", size: int | None = None
) -> bytes:
    """Make a WAV file of float64[n] or float64[n, channels]; `size` replaces the number of bytes in its header."""
    frames = samples.reshape(len(samples), samples.shape[1] if samples.ndim > 1 else 1)
    coding, bits = CODINGS[kind]
    scaled = frames if coding == 3 else frames * (2.0 ** (bits - 1) - 1) + (128 if kind == "u1" else 0)
    data = scaled.astype(f"<{kind}").tobytes()
    block = frames.shape[1] * bits // 8
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, coding, frames.shape[1], rate, rate * block, block, bits)
    body = b"WAVE" + extra + form + b"data" + struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body
