"""WAV files: their headers, and the conversions of those that browsers refuse."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.media.audio import Wav, check, parse, playable
from tests.support.sounds import tone, wav


def played(data: bytes) -> tuple[Wav, np.ndarray[tuple[int, ...], np.dtype[np.float32]], str]:
    found = playable(data, parse(data))
    said = parse(found.data)
    check(said)
    samples = np.frombuffer(found.data, "<f4", said.frames * said.channels, said.start)
    return said, samples.reshape(said.frames, said.channels), ", ".join(found.notes)


def test_a_header_describes_the_samples() -> None:
    stereo = np.stack([tone(), -tone()], axis=1)
    odd = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    assert parse(wav(stereo, 44_100, extra=odd)) == Wav(1, 2, 44_100, 2, 56, 800, 0)
    assert parse(wav(tone(), kind="f8")) == Wav(3, 1, 8_000, 8, 44, 800, 0)


def test_an_extensible_header_is_looked_into() -> None:
    plain = wav(tone())
    guid = struct.pack("<HHIH", 22, 16, 0, 3) + bytes(14)
    form = b"fmt " + struct.pack("<IHHIIHH", 40, 0xFFFE, 1, 8_000, 32_000, 4, 32) + guid
    extensible = plain[:12] + form + plain[36:]
    assert parse(extensible)[:5] == (3, 1, 8_000, 4, 68)


def test_missing_samples_are_reported_and_the_rest_is_played() -> None:
    data = wav(tone(1))[: 44 + 8_000]
    assert (parse(data).frames, parse(data).missing) == (4_000, 4_000)
    assert playable(data, parse(data)) == (data, ("cut off: 0.5 s of 1 s are there",))
    streamed = wav(tone(), size=0xFFFFFFFF)
    assert playable(streamed, parse(streamed)) == (streamed, ())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a WAV file"),
        (b"RIFF\0\0\0\0WAVE", "without samples"),
        (wav(tone())[:36], "without samples"),
        (b"RIFF\0\0\0\0WAVEdata\4\0\0\0abcd", "does not declare its sample format"),
        (wav(tone(), rate=0), "0 Hz"),
        (wav(np.zeros(0)), "empty"),
        (wav(np.zeros((4, 40))), "40 channels"),
        (wav(tone())[:20] + b"\x11\0" + wav(tone())[22:], "number 17"),
        (wav(tone(), kind="f8"), "number 3, 8 bytes"),
    ],
)
def test_invalid_headers_are_reported(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check(parse(data))


def test_floats_that_are_no_samples_become_silence_or_the_loudest() -> None:
    samples = np.concatenate([[np.nan, np.inf, -np.inf], np.zeros(13)])
    said, found, note = played(wav(samples, 1_000, "f4"))
    assert (said.coding, said.width, said.rate, note) == (3, 4, 8_000, "1,000 Hz, played at 8,000 Hz")
    assert found[[0, 8, 16], 0].tolist() == [0, 1, -1]


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "f4"])
@pytest.mark.parametrize("rate", [1_000, 1_000_000])
def test_rates_that_browsers_refuse_become_others_that_last_as_long(kind: str, rate: int) -> None:
    seconds = 2_000 / rate
    samples = np.stack([tone(seconds, rate, rate / 200), 0 * tone(seconds, rate)], axis=1)
    said, found, note = played(wav(samples, rate, kind))
    assert 3_000 <= said.rate <= 768_000
    assert note == f"{rate:,} Hz, played at {said.rate:,} Hz"
    assert said.frames / said.rate == pytest.approx(seconds, rel=0.01)
    assert np.abs(found[:, 1]).max() < 0.01
    at = np.arange(said.frames) / said.rate
    shift = 0 if rate < said.rate else (rate / said.rate - 1) / 2 / rate  # the center of the averaged samples
    np.testing.assert_allclose(found[:, 0], 0.5 * np.sin(2 * np.pi * rate / 200 * (at + shift)), atol=0.03)


def test_a_rate_of_nearly_nothing_is_refused() -> None:
    data = wav(np.zeros(10_000), rate=1)
    with pytest.raises(ValueError, match="browsers do not play 1 Hz"):
        playable(data, parse(data))


@given(st.binary(max_size=120), st.integers(0, 60))
def test_damage_raises_nothing_else(noise: bytes, at: int) -> None:
    data = wav(tone(), 1_000)
    for damaged in (noise, data[:at] + noise + data[at + len(noise) :]):
        try:
            found = parse(damaged)
            check(found)
            playable(damaged, found)
        except ValueError:
            pass
