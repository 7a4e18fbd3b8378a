"""Audio on the wire: an index with samples, clips within bounds, and the rest on request."""

from __future__ import annotations

import json
import math
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.kinds.audio import AudioClips
from tbwidget.panels.audio import MAX_LABEL_CHARACTERS, NEWEST_BYTES, OLDER_BYTES, PANEL, AudioContent, clip
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Refusal
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.sounds import tone, wav

CONTENT = AudioContent()
SHORT = wav(tone())


def split(blob: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<I", blob)
    return json.loads(blob[4 : 4 + length]), blob[4 + length :]


def sounds(tag: str, *data: bytes) -> Summary.Value:
    return strings(tag, plugin("audio"), *data)


def read(path: Path, *parts: bytes, tag: str = "a") -> tuple[tbwidget.LogDir, AudioClips]:
    write(path / NAME, *parts)
    logs = tbwidget.load(path)
    return logs, CONTENT.read(logs, ".", tag)


def never() -> bool:
    return False


def test_the_index_has_a_row_a_sample_each_known_again(tmp_path: Path) -> None:
    _, index = read(tmp_path, event(1, 5, sounds("a", SHORT, b"x")), event(1, 5, sounds("a", SHORT)), event(2, 7))
    assert (index.step.tolist(), index.sample.tolist()) == ([5, 5, 5], [0, 0, 1])
    assert len(set(index.identity)) == 3
    columns = Columns()
    entry = CONTENT.entry(index, slice(1, 3), columns)
    assert columns.table[entry["sample"]][:2] == ["range", 2]


def test_a_clip_travels_as_it_was_written(tmp_path: Path) -> None:
    labeled = strings("a", plugin("audio"), SHORT, "größer **x**".encode(), shape=(1, 2))
    _, index = read(tmp_path, event(1, 5, labeled))
    said, data = split(CONTENT.blob(index, 0))
    assert data == SHORT
    assert said == {
        "type": "audio/wav",
        "rate": 8_000,
        "channels": 1,
        "frames": 800,
        "label": "größer **x**",
        "size": len(SHORT),
        "whole": True,
        "written": True,
        "notes": [],
        "problem": None,
    }


def test_large_clips_are_asked_for(tmp_path: Path) -> None:
    large = wav(tone(OLDER_BYTES / 16_000))
    larger = wav(tone(NEWEST_BYTES / 16_000))
    logs, index = read(tmp_path, *(event(n, n, sounds("a", data)) for n, data in enumerate([large, larger, large])))
    for row, whole in ((0, False), (1, False), (2, True)):
        said, data = split(CONTENT.blob(index, row))
        assert (said["whole"], bool(data), said["frames"]) == (whole, whole, said["frames"])
    _, first = read(tmp_path / "first", event(0, 0, sounds("a", larger)))
    assert split(CONTENT.blob(first, 0))[1] == b""
    args = {"run": ".", "tag": "a", "step": "1", "sample": 0, "wall": 1.0}
    said, data = split(clip(logs, args, never).data)
    assert (said["whole"], data) == (True, larger)


def test_a_requested_clip_is_found_by_its_time_and_sent_as_written(tmp_path: Path) -> None:
    slow = wav(tone(), rate=1_000)
    both = (event(10, 5, sounds("a", SHORT)), event(20, 5, sounds("a", b"", slow)))
    logs, _ = read(tmp_path, *both)
    args = {"run": ".", "tag": "a", "step": "5", "sample": 0, "wall": 10.02}
    assert split(clip(logs, args, never).data)[1] == SHORT
    said, data = split(clip(logs, {**args, "sample": 1, "wall": 20}, never).data)
    assert (said["written"], len(data)) == (False, 56 + 4 * 6_400)
    resampled = {"rate": 1_000, "played": 8_000}
    assert said["notes"] == [
        {"reason": "1,000 Hz, played at 8,000 Hz", "code": "audio-resampled", "arguments": resampled}
    ]
    assert clip(logs, {**args, "sample": 1, "wall": 20, "written": True}, never).data == slow
    assert split(clip(logs, {**args, "wall": 19}, never).data)[0]["problem"]["code"] == "audio-empty"
    with pytest.raises(Refusal, match="this clip is gone"):
        clip(logs, {**args, "step": "6"}, never)
    with pytest.raises(KeyError, match="nope"):
        clip(logs, {**args, "run": "nope"}, never)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b"some text", r"not a known audio format \(9 bytes\)"),
        (SHORT[:36], "broken: a WAV file without samples"),
        (SHORT[:40], "empty: no samples"),
        (wav(np.zeros(0)), "empty: no samples"),
    ],
)
def test_data_that_are_no_audio_are_reported(tmp_path: Path, data: bytes, problem: str) -> None:
    _, index = read(tmp_path, event(1, 5, sounds("a", data)))
    said, rest = split(CONTENT.blob(index, 0))
    assert rest == b""
    assert said["size"] == len(data)
    assert re.match(problem, said["problem"]["reason"])


def test_the_bytes_decide_the_type_before_the_writer(tmp_path: Path) -> None:
    said = [
        Summary.Audio(encoded_audio_string=b"OggS...", content_type=b"audio/wav", sample_rate=16_000),
        Summary.Audio(encoded_audio_string=b"\0\0\0\x20ftypM4A ", content_type=b"audio/mp4"),
        Summary.Audio(encoded_audio_string=b"<svg>", content_type=b"image/svg+xml"),
        Summary.Audio(encoded_audio_string=SHORT, content_type=b"audio/x-wav", sample_rate=44_100),
        Summary.Audio(encoded_audio_string=b"no RIFF", content_type=b"audio/wav"),
    ]
    parts = [event(n, n, Summary.Value(tag=b"a", audio=audio)) for n, audio in enumerate(said)]
    _, index = read(tmp_path, *parts)
    found = [split(CONTENT.blob(index, row))[0] for row in range(len(index))]
    assert [one["type"] for one in found] == ["audio/ogg", "audio/mp4", "", "audio/wav", "audio/wav"]
    assert [one["rate"] for one in found] == [16_000, None, None, 8_000, None]
    assert found[3]["notes"][0]["reason"] == "written as 44,100 Hz, 8,000 Hz by its header"
    assert [bool(one["problem"]) for one in found] == [False, False, True, False, True]


def test_long_labels_are_cut_and_strange_ones_travel(tmp_path: Path) -> None:
    label = b"\xff" + b"x" * 3_000
    _, index = read(tmp_path, event(1, 5, strings("a", plugin("audio"), SHORT, label, shape=(1, 2))))
    assert split(CONTENT.blob(index, 0))[0]["label"] == "\udcff" + "x" * (MAX_LABEL_CHARACTERS - 1)


def test_a_damaged_value_is_an_error_of_its_own_row(tmp_path: Path) -> None:
    whole = event(1, 5, sounds("a", wav(tone(5))))
    write(tmp_path / NAME, whole[:-40_000] + b"\x55" + whole[-39_999:], event(2, 6, sounds("a", SHORT)))
    logs = tbwidget.load(tmp_path)
    index = CONTENT.read(logs, ".", "a")
    with pytest.raises(Refusal, match="at byte 0"):
        CONTENT.blob(index, 0)
    assert split(CONTENT.blob(index, 1))[1] == SHORT
    args = {"run": ".", "tag": "a", "step": "5", "sample": 0, "wall": 1}
    with pytest.raises(Refusal, match="at byte 0"):
        clip(logs, args, never)


@pytest.mark.parametrize("rate", [math.nan, math.inf, -1.0])
def test_an_invalid_rate_harms_no_clip(tmp_path: Path, rate: float) -> None:
    audio = Summary.Audio(sample_rate=rate, num_channels=1, encoded_audio_string=SHORT, content_type=b"audio/wav")
    _, index = read(tmp_path, event(1, 5, Summary.Value(tag=b"a", audio=audio)))
    said, data = split(CONTENT.blob(index, 0))
    assert (said["rate"], said["problem"], data) == (8_000, None, SHORT)


def test_clips_that_grow_by_conversion_are_converted_only_on_request(tmp_path: Path) -> None:
    slow = wav(tone(2_000, rate=1), rate=1)
    logs, index = read(tmp_path, event(1, 5, sounds("a", slow)))
    said, data = split(CONTENT.blob(index, 0))
    assert (said["whole"], said["problem"], data) == (False, None, b"")
    answer = clip(logs, {"run": ".", "tag": "a", "step": "5", "sample": 0, "wall": 1.0}, never)
    said, data = split(answer.data)
    assert said["whole"]
    assert len(data) > NEWEST_BYTES


def test_the_view_is_there() -> None:
    assert (PANEL.view, set(PANEL.requests)) == ("AudioView", {"clip"})
    assert str(tbwidget.AudioView.__doc__).startswith("The audio clips")
    assert "`spectrogram`: Draw the spectrogram" in str(tbwidget.Dashboard.__doc__)
