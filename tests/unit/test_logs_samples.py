"""Images and audio: indexed without reading them, recognized by their bytes, in both forms."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

import tbwidget
from tbwidget.media.audio import sniffed_type, wav_rate
from tbwidget.media.image_header import ImageInfo, image_info
from tbwidget.proto.plugins_pb2 import AudioPluginData
from tbwidget.proto.summary_pb2 import Summary
from tests.support.eventfiles import NAME, event, plugin, strings, write

UNKNOWN = ImageInfo(None, None, None)


def encoded(kind: str, width: int = 7, height: int = 5) -> bytes:
    stream = io.BytesIO()
    Pillow.new("RGB", (width, height)).save(stream, kind)
    return stream.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, *chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", b"")


def wav(rate: int = 8000, before: bytes = b"") -> bytes:
    body = before + b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16) + b"data" + struct.pack("<I", 0)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def image(data: bytes, width: int = 1, height: int = 1) -> Summary.Value:
    made = Summary.Image(height=height, width=width, colorspace=3, encoded_image_string=data)
    return Summary.Value(tag=b"i", image=made)


def images(*samples: bytes, shape: tuple[int, ...] | None = None) -> Summary.Value:
    return strings("i", plugin("images"), b"1", b"1", *samples, shape=shape)


def load(path: Path, *events: bytes) -> tbwidget.LogDir:
    write(path / NAME, *events)
    return tbwidget.load(path)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
def test_formats_that_pillow_knows(kind: str) -> None:
    assert image_info(encoded(kind)) == (kind, 7, 5)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", UNKNOWN),
        (b"garbage", UNKNOWN),
        (b"\x89PNG\r\n\x1a\n", UNKNOWN),
        (b"GIF89a", UNKNOWN),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", UNKNOWN),  # Pillow would run another program for it
        (b'<svg width="44" height="30px"/>', ImageInfo("SVG", 44, 30)),
        (b"<svg width='44.5' height='30'>", ImageInfo("SVG", 44, 30)),
        (
            b'\xef\xbb\xbf <?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg>\n<svg viewBox="0 -1.5 4 3">',
            ImageInfo("SVG", 4, 3),
        ),
        (b'<svg stroke-width="3" height="30">', ImageInfo("SVG", None, None)),
        (b"<svg>", ImageInfo("SVG", None, None)),
        (
            b'<!DOCTYPE svg PUBLIC "-//W3C" "x.dtd" [\n<!ENTITY a "b">\n]>\n<svg width="3" height="4">',
            ImageInfo("SVG", 3, 4),
        ),
        (b'<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="3" height="4"/>', ImageInfo("SVG", 3, 4)),
        (b"<!DOCTYPE svg [" * 200, UNKNOWN),
        (b"<svgs>", UNKNOWN),
        (b"<html><svg></html>", UNKNOWN),
        (b"<!-- a -->" * 1000, UNKNOWN),
        (b"<?a" * 2000, UNKNOWN),
    ],
)
def test_other_formats(data: bytes, expected: ImageInfo) -> None:
    assert image_info(data) == expected


def test_pictures_that_would_fill_the_memory_are_only_looked_at() -> None:
    largest = (65535, 65535)
    bombs = [
        png(200_000, 200_000),
        png(9, 9, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**7)))),
        struct.pack("<6sHHBBBcHHHHB", b"GIF89a", *largest, 0, 0, 0, b",", 0, 0, *largest, 0) + b"\2\0;",
        b"BM" + struct.pack("<IIIIiiHHIIiiII", 100, 0, 54, 40, 2**31 - 1, 2**31 - 1, 1, 24, 0, 0, 0, 0, 0, 0),
    ]  # fmt: skip
    image_info(encoded("PNG"))
    tracemalloc.start()
    try:
        looks = [image_info(bomb) for bomb in bombs]
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    assert [(each.width, each.height) for each in looks] == [
        (200_000, 200_000), (None, None), (65535, 65535), (2**31 - 1, 2**31 - 1)
    ]  # fmt: skip


def test_both_forms_by_step_then_sample(tmp_path: Path) -> None:
    one, two, three = encoded("PNG"), encoded("JPEG"), b"<svg width='9' height='8'/>"
    logs = load(
        tmp_path,
        event(1, 5, images(one, two)),
        event(2, 3, image(three, 99, 99)),
        event(3, 4, images()),
        event(4, 3, images(b"", one, two)),
    )
    assert logs.problems == []
    found = logs.images(".", "i")
    assert found.step.tolist() == [3, 3, 3, 3, 5, 5]
    assert found.sample.tolist() == [0, 0, 1, 2, 0, 1]
    assert found.wall_time.tolist() == [2, 4, 4, 4, 1, 1]
    assert [each.data for each in found] == [three, b"", one, two, one, two]
    assert [each.format for each in found] == ["SVG", None, "PNG", "JPEG", "PNG", "JPEG"]
    assert [(each.width, each.height) for each in found[:3]] == [(9, 8), (None, None), (7, 5)]
    assert (found[-1].step, found[-1].sample, found[-1].wall_time) == (5, 1, 1)
    assert repr(found) == "Images(6 samples, steps 3 to 5)"
    written = logs.images(".", "i", superseded=True)
    assert written.step.tolist() == [5, 5, 3, 3, 3, 3]
    assert [each.data for each in written] == [one, two, three, b"", one, two]
    table = logs.frame("images")
    assert table["format"].tolist() == ["SVG", None, "PNG", "JPEG", "PNG", "JPEG"]
    assert table["width"].tolist()[2:] == [7] * 4
    assert table["sample"].tolist() == found.sample.tolist()
    assert table["bytes"].tolist() == [len(each.data) for each in found]


def test_an_animation_is_one_image(tmp_path: Path) -> None:
    stream = io.BytesIO()
    frames = [Pillow.new("P", (4, 3), color) for color in range(3)]
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])
    (found,) = load(tmp_path, event(1, 0, image(stream.getvalue()))).images(".", "i")
    assert (found.format, found.width, found.height) == ("GIF", 4, 3)


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    logs = load(tmp_path, *(event(n, n, image(encoded("PNG", n + 1))) for n in range(50)))
    found = logs.images(".", "i")
    path = tmp_path / NAME
    path.rename(tmp_path / "elsewhere")
    elements = list(found)
    assert [element.step for element in elements] == list(range(50))
    with pytest.raises(ValueError, match=NAME):
        _ = elements[3].data
    (tmp_path / "elsewhere").rename(path)
    assert elements[3].width == 4
    assert [info.width for info in found.sizes()[0]] == list(range(1, 51))


def test_shapes_that_claim_more_than_there_is(tmp_path: Path) -> None:
    claims = [event(n, n, images(b"x", shape=(1_000_000,))) for n in range(300)]
    tracemalloc.start()
    try:
        logs = load(tmp_path, event(0, -1, images(b"a", b"b")), *claims)
        found = logs.images(".", "i")
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert [found[0].data, found[1].data] == [b"a", b"b"]
    assert len(found) < 10_000


def test_fewer_strings_than_the_shape_says_repeat_the_last(tmp_path: Path) -> None:
    found = load(tmp_path, event(1, 0, images(b"a", b"b", shape=(6,)))).images(".", "i")
    assert [each.data for each in found] == [b"a", b"b", b"b", b"b"]


def test_damage_hides_nothing_else(tmp_path: Path) -> None:
    logs = load(tmp_path, *(event(n, n, images(encoded("PNG"), encoded("PNG", 9))) for n in range(3)))
    path = tmp_path / NAME
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    found = logs.images(".", "i")
    assert [info.width for info in found.sizes()[0]] == [7, 9, None, None, 7, 9]
    assert logs.frame("images")["bytes"].isna().tolist() == [False, False, True, True, False, False]
    with pytest.raises(ValueError, match=f"{NAME} at byte"):
        _ = found[2].format
    assert found[5].width == 9
    assert len(logs.problems) == 1


def test_audio_of_both_forms(tmp_path: Path) -> None:
    said = Summary.Audio(sample_rate=44100, num_channels=1, encoded_audio_string=b"x", content_type=b"audio/xyz")
    silent = Summary.Audio(encoded_audio_string=wav(16000))
    metadata = plugin("audio")
    metadata.plugin_data.content = AudioPluginData(encoding=AudioPluginData.WAV).SerializeToString()
    logs = load(
        tmp_path,
        event(1, 0, Summary.Value(tag=b"i", audio=said)),
        event(2, 1, Summary.Value(tag=b"i", audio=silent)),
        event(3, 2, strings("i", metadata, wav(), b"**one**", b"raw", b"\xff", shape=(2, 2))),
        event(4, 3, strings("i", plugin("audio"), b"OggS", b"fLaC", b"ID3", b"?")),
        event(5, 4, strings("i", plugin("audio"), shape=(0, 2))),
    )
    assert logs.problems == []
    found = logs.audio(".", "i")
    assert found.step.tolist() == [0, 1, 2, 2, 3, 3, 3, 3]
    assert found.sample.tolist() == [0, 0, 0, 1, 0, 1, 2, 3]
    assert [clip.sample_rate for clip in found] == [44100, 16000, 8000, None, None, None, None, None]
    assert [clip.content_type for clip in found] == [
        "audio/xyz", "audio/wav", "audio/wav", "audio/wav", "audio/ogg", "audio/flac", "audio/mpeg", ""
    ]  # fmt: skip
    assert [clip.label for clip in found] == ["", "", "**one**", "\udcff", "", "", "", ""]
    assert [clip.data for clip in found[3:5]] == [b"raw", b"OggS"]
    assert repr(found[3]) == "AudioClip(step 2, sample 1)"
    table = logs.frame("audio")
    assert table["label"].tolist()[2:4] == ["**one**", "\udcff"]
    assert np.isnan(table["sample_rate"][3])
    assert table["bytes"].tolist()[3:5] == [3, 4]


def test_headers_of_wav() -> None:
    assert wav_rate(wav(22050)) == 22050
    assert wav_rate(wav(22050, before=b"LIST" + struct.pack("<I", 3) + b"abc\0")) == 22050
    assert wav_rate(b"RIFF\0\0\0\0WAVE" + b"\0" * 10_000_000) is None
    assert wav_rate(wav()[:30]) == 8000
    assert wav_rate(wav()[:26]) is None
    assert wav_rate(b"RIFF") is None
    assert sniffed_type(wav()) == "audio/wav"
