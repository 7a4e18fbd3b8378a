"""Images, clips and texts as the result of a cell, by IPython's own formatter; and as arrays."""

from __future__ import annotations

import base64
import io
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from PIL import Image as Pillow

import tbwidget
from tbwidget.logs.display import MAX_AUDIO, MAX_CELLS
from tbwidget.proto.plugins_pb2 import AudioPluginData
from tbwidget.proto.summary_pb2 import Summary
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.pictures import bomb, decoded, encoded, photo, png16

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&\udcff"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
WAV = b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x08\0\0\0" + bytes(8)


def formatted(shown: Any) -> dict[str, Any]:
    data, _ = DisplayFormatter().format(shown)  # type: ignore[no-untyped-call]
    return dict(data)


class Tags(HTMLParser):
    """Collects the tags and texts of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def tags_of(text: str) -> Tags:
    """Return the tags, after checking that none of them is active."""
    tags = Tags(text)
    assert {tag for tag, _ in tags.found} <= {"div", "figure", "figcaption", "img", "audio", "table", "tr", "td", "pre"}
    names = {name for _, attributes in tags.found for name in attributes}
    assert names <= {"style", "alt", "src", "controls"}
    text.encode()
    return tags


def logs_of(path: Path, *values: Summary.Value) -> tbwidget.LogDir:
    write(path / NAME, *(event(1.7e9 + step, step, value) for step, value in enumerate(values)))
    return tbwidget.load(path)


def image_value(*samples: bytes) -> Summary.Value:
    return strings("i", plugin("images"), b"1", b"1", *samples)


def image(path: Path, data: bytes) -> Any:
    return logs_of(path, image_value(data)).images(".", "i")[0]


@pytest.mark.parametrize(("name", "kind"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif")])
def test_an_image_is_shown_as_it_was_written(tmp_path: Path, name: str, kind: str) -> None:
    data = encoded(photo(30, 20), name)
    found = formatted(image(tmp_path, data))
    assert set(found) == {"text/plain", kind}
    assert base64.b64decode(found[kind]) == data
    assert found["text/plain"] == "Image(step 0, sample 0)"


def test_a_large_image_is_scaled_and_a_tiff_converted(tmp_path: Path) -> None:
    found = formatted(image(tmp_path, encoded(photo(2000, 1000), "TIFF")))
    assert decoded(base64.b64decode(found["image/jpeg"])).size == (1024, 512)


@pytest.mark.parametrize(
    ("data", "kind"), [(SVG, "image/svg+xml"), (encoded(photo(9, 9), "WEBP"), "image/webp")]
)  # fmt: skip
def test_a_drawing_is_an_img_only(tmp_path: Path, data: bytes, kind: str) -> None:
    found = formatted(image(tmp_path, data))
    assert set(found) == {"text/plain", "text/html"}
    (img,) = tags_of(found["text/html"]).of("img")
    assert img["src"] == f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<p>no", "not a known image format (5 bytes)"),
        (bomb(16384), "16384 x 16384 pixels: more than"),
    ],
    ids=["empty", "no image", "bomb"],
)
def test_data_that_cannot_be_shown_have_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    shown = image(tmp_path, data)
    assert formatted(shown)["text/plain"].startswith(f"Image(step 0, sample 0): {reason}")
    for ask in (shown.to_numpy, shown.to_pil):
        with pytest.raises(ValueError, match=re.escape(reason)):
            ask()


def test_the_images_of_the_newest_step_are_shown_side_by_side(tmp_path: Path) -> None:
    data = [encoded(photo(30 + n, 20), "PNG") for n in range(3)]
    images = logs_of(tmp_path, image_value(data[0]), image_value(data[1], b"what", data[2])).images(".", "i")
    tags = tags_of(formatted(images)["text/html"])
    written = [base64.b64encode(each).decode() for each in data[1:]]
    assert [img["src"] for img in tags.of("img")] == [f"data:image/png;base64,{each}" for each in written]
    assert [img["style"] for img in tags.of("img")] == [
        f"max-width: 100%; width: {width}px; image-rendering: pixelated" for width in (4 * 31, 4 * 32)
    ]
    assert "4 samples, steps 0 to 1" in tags.said
    assert "step 1, sample 0: 31 x 20 PNG" in tags.said
    assert "step 1, sample 1: not a known image format (4 bytes)" in tags.said
    assert "step 1, sample 2: 32 x 20 PNG" in tags.said
    assert "step 0," not in tags.said


def test_some_of_too_many_images_are_shown(tmp_path: Path) -> None:
    images = logs_of(tmp_path, image_value(*[encoded(photo(9, 9), "PNG")] * 40)).images(".", "i")
    assert len(tags_of(formatted(images)["text/html"]).of("img")) == 16


def test_images_that_are_gone_say_so(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, image_value(b"x"))
    images = logs.images(".", "i")
    (tmp_path / NAME).write_bytes(b"")
    assert NAME in tags_of(formatted(images)["text/html"]).said
    assert NAME in formatted(images[0])["text/plain"]


def clip(data: bytes, label: str = "", content_type: str = "audio/wav") -> Summary.Value:
    if label:
        metadata = plugin("audio")
        metadata.plugin_data.content = AudioPluginData(encoding=AudioPluginData.WAV).SerializeToString()
        return strings("i", metadata, data, label.encode("utf-8", "surrogateescape"), shape=(1, 2))
    made = Summary.Audio(encoded_audio_string=data, content_type=content_type.encode())
    return Summary.Value(tag=b"i", audio=made)


def test_a_clip_has_a_player_and_an_escaped_label(tmp_path: Path) -> None:
    tags = tags_of(formatted(logs_of(tmp_path, clip(WAV, HOSTILE)).audio(".", "i")[0])["text/html"])
    (player,) = tags.of("audio")
    assert player["src"] == f"data:audio/wav;base64,{base64.b64encode(WAV).decode()}"
    assert "<script>alert(1)</script>" in tags.said
    assert r"\udcff" in tags.said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (clip(WAV, content_type='audio/wav" onerror="alert(1)'), "not known to be audio"),
        (clip(WAV, content_type="text/html"), "not known to be audio"),
        (clip(b"what", content_type=""), "not known to be audio"),
        (clip(WAV + bytes(MAX_AUDIO)), f"{len(WAV) + MAX_AUDIO:,} B: too large to be played here"),
    ],
    ids=["injection", "html", "unknown", "large"],
)
def test_clips_that_must_not_be_played_have_no_player(tmp_path: Path, value: Summary.Value, said: str) -> None:
    tags = tags_of(formatted(logs_of(tmp_path, value).audio(".", "i")[0])["text/html"])
    assert tags.of("audio") == []
    assert said in tags.said


def test_a_clip_that_is_gone_is_named(tmp_path: Path) -> None:
    shown = logs_of(tmp_path, clip(WAV)).audio(".", "i")[0]
    (tmp_path / NAME).write_bytes(b"")
    assert formatted(shown) == {"text/plain": "AudioClip(step 0, sample 0)"}


def text(path: Path, *values: str, shape: tuple[int, ...]) -> Tags:
    written = [value.encode("utf-8", "surrogateescape") for value in values]
    shown = logs_of(path, strings("i", plugin("text"), *written, shape=shape)).text(".", "i")[0]
    return tags_of(formatted(shown)["text/html"])


def test_a_text_is_shown_as_it_was_written(tmp_path: Path) -> None:
    tags = text(tmp_path, f"# a\n{HOSTILE}", shape=())
    assert f"# a\n{HOSTILE}".replace("\udcff", r"\udcff") in tags.said
    assert len(tags.of("pre")) == 1


@pytest.mark.parametrize(
    ("shape", "tables", "rows"),
    [((6,), 1, 6), ((2, 3), 1, 2), ((2, 1, 3), 2, 2), ((0, 3), 0, 0), ((1 << 40, 0, 0), 0, 0)],
)
def test_several_texts_are_tables(tmp_path: Path, shape: tuple[int, ...], tables: int, rows: int) -> None:
    count = math.prod(shape)
    tags = text(tmp_path, *(f"<b>{n}" for n in range(count)), shape=shape)
    found = (len(tags.of("table")), len(tags.of("tr")), len(tags.of("td")))
    assert found == (tables, rows, count)
    assert all(f"<b>{n}" in tags.said for n in range(count))


@pytest.mark.parametrize("shape", [(3000,), (3, 1000), (1000, 3), (3000, 1, 1)])
def test_some_of_too_many_texts_are_shown(tmp_path: Path, shape: tuple[int, ...]) -> None:
    tags = text(tmp_path, *("x" for _ in range(3000)), shape=shape)
    assert MAX_CELLS - 3 <= len(tags.of("td")) <= MAX_CELLS
    assert f"and {3000 - len(tags.of('td')):,} more" in tags.said


def test_a_very_long_text_is_cut(tmp_path: Path) -> None:
    assert 100_000 < len(text(tmp_path, "x" * 1_000_000, shape=()).said) < 101_000


GRAY = np.arange(600, dtype=np.uint8).reshape(20, 30)
COLOR = np.asarray(photo(30, 20))
ALPHA = np.dstack([COLOR, GRAY])
DEEP = (np.arange(600, dtype=np.uint16) * 109).reshape(20, 30)


def of(values: np.ndarray[Any, Any], name: str = "PNG", **options: Any) -> bytes:
    return encoded(Pillow.fromarray(values), name, **options)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (of(GRAY), GRAY),
        (of(COLOR), COLOR),
        (of(ALPHA), ALPHA),
        (of(COLOR, "BMP"), COLOR),
        (of(COLOR, "TIFF"), COLOR),
        (of(np.dstack([GRAY, GRAY])), np.dstack([GRAY, GRAY])),
        (of(GRAY > 100), np.where(GRAY > 100, np.uint8(255), np.uint8(0))),
        (png16(DEEP), DEEP),
        (of(DEEP, "TIFF"), DEEP),
        (of(DEEP.astype(np.int32) - 9, "TIFF"), DEEP.astype(np.int32) - 9),
        (of(DEEP.astype(np.float32) / 7, "TIFF"), DEEP.astype(np.float32) / 7),
        (
            encoded(Pillow.fromarray(COLOR).quantize(256), "PNG"),
            np.asarray(Pillow.fromarray(COLOR).quantize(256).convert("RGB")),
        ),
    ],
)
def test_pixels_are_those_that_were_written(tmp_path: Path, data: bytes, expected: np.ndarray[Any, Any]) -> None:
    found = image(tmp_path, data).to_numpy()
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


def test_pixels_are_turned_as_exif_says(tmp_path: Path) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    shown = image(tmp_path, of(COLOR, exif=exif))
    assert np.array_equal(shown.to_numpy(), np.rot90(COLOR, -1))
    assert np.array_equal(np.asarray(shown.to_pil()), np.rot90(COLOR, -1))
    again = io.BytesIO()
    shown.to_pil().save(again, "PNG")
    assert Pillow.open(again).getexif().get(0x0112) is None


def test_pillow_has_the_mode_that_was_written(tmp_path: Path) -> None:
    mask = Pillow.fromarray(GRAY % 21)
    mask.putpalette(bytes(range(63)))
    found = image(tmp_path, encoded(mask, "PNG")).to_pil()
    assert found.mode == "P"
    assert np.array_equal(np.asarray(found), GRAY % 21)


def test_a_drawing_has_no_pixels(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SVG is a vector format"):
        image(tmp_path, SVG).to_numpy()


def test_truncated_pixels_are_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="broken"):
        image(tmp_path, of(COLOR)[:200]).to_numpy()
