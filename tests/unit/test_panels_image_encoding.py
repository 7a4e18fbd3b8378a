"""Images on the wire: shown as written, scaled or converted with a note, or refused."""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
import tracemalloc
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from PIL import Image, features

from tbwidget.media.showable import ANIMATION_BYTES, AS_WRITTEN_BYTES, SVG_BYTES
from tbwidget.panels.images import THUMBNAIL, as_written, picture
from tbwidget.reasons import Reason
from tests.support.pictures import bomb, decoded, encoded, photo, png, png16, taken_apart

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>alert(1)</script></svg>'

WEBP_BOMB = bytes.fromhex("52494646 1a000000 57454250 5650384c 0e000000 2f3fdfcf 07071011 fd0f4444 ff03")
"""34 bytes with 8,000 x 8,000 pixels."""


def noise(size: tuple[int, int], mode: str = "RGB", seed: int = 1) -> Image.Image:
    bands = len(Image.new(mode, (1, 1)).getbands())
    shape = (size[1], size[0], bands) if bands > 1 else (size[1], size[0])
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, shape, np.uint8), mode)


def gray(kind: type[np.generic]) -> Image.Image:
    return Image.fromarray(np.arange(2000).reshape(40, 50).astype(kind))


def shown(data: bytes, pixels: int | None = THUMBNAIL) -> tuple[dict[str, Any], bytes]:
    return taken_apart(picture(data, pixels))


def notes_of(header: dict[str, Any]) -> str:
    return ", ".join(Reason(note["code"], **note["arguments"]) for note in header["notes"])


def rotated(image: Image.Image, orientation: int, name: str = "JPEG") -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encoded(image, name, exif=exif)


@pytest.mark.parametrize("name", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
@pytest.mark.parametrize("pixels", [THUMBNAIL, None])
def test_small_images_travel_as_written(name: str, pixels: int | None) -> None:
    data = encoded(photo(40, 30), name)
    header, image = shown(data, pixels)
    assert image == data
    assert header == {
        "type": f"image/{name.lower()}",
        "format": name,
        "width": 40,
        "height": 30,
        "size": len(data),
        "scaled": None,
        "animated": False,
        "notes": [],
    }


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_every_mode_of_a_small_png_travels_as_it_was_written(mode: str) -> None:
    data = encoded(photo(40, 30, "RGBA" if mode in {"LA", "RGBA"} else "RGB").convert(mode), "PNG")
    assert shown(data)[1] == data


@pytest.mark.parametrize(
    ("name", "mode", "kind"),
    [
        ("PNG", "RGB", "image/jpeg"),
        ("PNG", "L", "image/jpeg"),
        ("JPEG", "RGB", "image/jpeg"),
        ("WEBP", "RGB", "image/jpeg"),
        ("BMP", "RGB", "image/jpeg"),
        ("PNG", "RGBA", "image/webp"),
        ("PNG", "LA", "image/webp"),
    ],
)
def test_large_images_are_scaled(name: str, mode: str, kind: str) -> None:
    image = noise((1000, 500)).convert(mode)
    if mode in {"RGBA", "LA"}:
        image.putalpha(128)
    data = encoded(image, name)
    assert len(data) > AS_WRITTEN_BYTES
    header, small = shown(data)
    assert (header["width"], header["height"], header["scaled"]) == (1000, 500, [320, 160])
    assert (header["type"], header["size"]) == (kind, len(data))
    assert decoded(small).size == (320, 160)
    assert ("A" in decoded(small).mode) == (mode in {"RGBA", "LA"})
    assert len(small) < len(data) / 2
    assert shown(data, 5000)[0]["width"] == 1000  # images are never enlarged
    assert shown(data, None)[1] == data


def test_alpha_that_hides_nothing_is_left_out() -> None:
    header, _ = shown(encoded(noise((600, 600)).convert("RGBA"), "PNG"))
    assert header["type"] == "image/jpeg"


def test_small_images_are_reduced_only_to_save_bytes_and_are_marked_inexact() -> None:
    large = encoded(noise((300, 300)), "PNG")
    header, small = shown(large)
    assert header["scaled"] == [300, 300]
    assert len(small) < len(large)
    fine = encoded(photo(300, 300), "JPEG", quality=85)
    assert shown(fine)[1] == fine


def test_an_image_of_few_bytes_and_very_many_pixels_is_scaled_too() -> None:
    data = encoded(Image.new("L", (3000, 3000)), "PNG")
    assert len(data) < AS_WRITTEN_BYTES
    header, small = shown(data)
    assert header["scaled"] == [320, 320]
    assert decoded(small).size == (320, 320)


@pytest.mark.parametrize("mode", ["P", "L", "RGB"])
def test_masks_keep_their_colors(mode: str) -> None:
    """Colors of a mask are not mixed: each color of the scaled mask is one of the original's."""
    classes = np.random.default_rng(0).integers(0, 21, (30, 30)).repeat(40, 0).repeat(40, 1)
    mask = Image.fromarray(classes.astype(np.uint8) * 10, "L")
    if mode == "P":
        mask = Image.fromarray(classes.astype(np.uint8), "L")
        mask.putpalette(np.random.default_rng(1).integers(0, 256, 768, np.uint8).tolist())
    mask = mask if mode == "P" else mask.convert(mode)
    data = encoded(mask, "BMP" if mode == "RGB" else "PNG", **({} if mode == "RGB" else {"compress_level": 0}))
    assert len(data) > AS_WRITTEN_BYTES
    header, small = shown(data)
    assert (header["type"], header["scaled"]) == ("image/png", [320, 320])
    colors = {color for _, color in mask.convert("RGB").getcolors(1 << 20) or []}
    assert {color for _, color in decoded(small).convert("RGB").getcolors(1 << 20) or []} <= colors


def test_a_mask_with_a_transparent_color_stays_so() -> None:
    mask = noise((1000, 1000), "L").convert("P")
    header, small = shown(encoded(mask, "PNG", transparency=0))
    assert header["type"] == "image/png"
    assert decoded(small).info["transparency"] == 0


def test_16_bits_are_shown_by_their_range() -> None:
    values = np.linspace(0, 65535, 400 * 400).astype(np.uint16).reshape(400, 400)
    values ^= np.random.default_rng(0).integers(0, 256, values.shape, np.uint16)
    data = png16(values)
    assert len(data) > AS_WRITTEN_BYTES
    header, small = shown(data)
    assert notes_of(header) == "16 bit, shown from 0 to 65535"
    pixels = np.asarray(decoded(small)).astype(int)
    assert pixels.min() <= 3
    assert pixels.max() >= 252
    assert abs(pixels[160].mean() - 127) <= 2
    header, image = shown(png16(values[:20, :20]))
    assert notes_of(header) == "16 bit, shown from 0 to 65535"
    assert np.asarray(decoded(image)).shape == (20, 20)


@pytest.mark.parametrize(
    ("made", "name", "note"),
    [
        (photo(50, 40), "TIFF", "converted from TIFF"),
        (photo(50, 40, "CMYK"), "TIFF", "converted from TIFF, CMYK converted"),
        (Image.new("CMYK", (50, 40), (0, 200, 0, 0)), "TIFF", "converted from TIFF, CMYK converted"),
        (Image.new("LAB", (50, 40), (200, 90, 30)), "TIFF", "converted from TIFF"),
        (photo(50, 40), "PPM", "converted from PPM"),
        (photo(50, 40, "CMYK"), "JPEG", "CMYK converted"),
        (gray(np.float32), "TIFF", "converted from TIFF, float, shown from 0 to 1999"),
        (gray(np.int32), "TIFF", "converted from TIFF, 32 bit, shown from 0 to 1999"),
        (gray(np.uint16), "TIFF", "converted from TIFF, 16 bit, shown from 0 to 65535"),
    ],
)
@pytest.mark.parametrize("pixels", [THUMBNAIL, None])
def test_formats_that_browsers_do_not_show_are_converted_with_a_note(
    made: Image.Image, name: str, note: str, pixels: int | None
) -> None:
    header, image = shown(encoded(made, name), pixels)
    assert notes_of(header) == note
    assert header["type"] == "image/png"
    assert header["scaled"] is None
    assert (header["format"], header["width"], header["height"]) == (name, 50, 40)
    assert decoded(image).size == (50, 40)
    assert decoded(image).getextrema() != (0, 0)


@pytest.mark.skipif(not features.check("jpg_2000"), reason="this Pillow has no JPEG 2000")
def test_jpeg_2000_is_converted() -> None:
    header, image = shown(encoded(photo(50, 40), "JPEG2000"))
    assert (header["format"], notes_of(header)) == ("JPEG2000", "converted from JPEG2000")
    assert decoded(image).size == (50, 40)


def test_values_that_are_no_numbers_do_not_hide_the_others() -> None:
    values = np.full((40, 50), 0.5, np.float32)
    values[0, :3] = np.nan, np.inf, -np.inf
    values[1, 0] = 1.0
    header, image = shown(encoded(Image.fromarray(values, "F"), "TIFF"))
    assert notes_of(header).endswith("float, shown from 0.5 to 1")
    assert np.asarray(decoded(image))[0, :3].tolist() == [0, 255, 0]
    assert np.asarray(decoded(image))[1, :2].tolist() == [255, 0]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("name", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_exif_turns_an_image(name: str, orientation: int) -> None:
    """The red corner moves from the stored upper left to where EXIF puts it; sizes are those after rotation."""
    image = Image.new("RGB", (400, 200), "white")
    image.paste("red", (0, 0, 100, 50))
    header, data = shown(rotated(image, orientation, name), 100)
    turned = orientation >= 5
    assert (header["width"], header["height"]) == ((200, 400) if turned else (400, 200))
    found = decoded(data)
    if header["scaled"] is None:
        assert name == "JPEG" or orientation == 1, "only of JPEG is EXIF left to browsers"
        return
    assert found.size == ((50, 100) if turned else (100, 50)) == tuple(header["scaled"])
    corners = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1)}
    across, down = corners[orientation]
    corner = found.convert("RGB").getpixel((across * (found.width - 1), down * (found.height - 1)))
    assert isinstance(corner, tuple)
    assert corner[0] > 200
    assert corner[1] < 100


def test_an_animation_travels_as_it_was_written() -> None:
    frames = [photo(60, 40, seed=seed) for seed in range(5)]
    for name in ("GIF", "PNG", "WEBP"):
        data = encoded(frames[0], name, save_all=True, append_images=frames[1:])
        header, image = shown(data)
        assert image == data
        assert header["animated"] is True


def test_a_large_animation_is_reduced_to_its_first_frame_unless_requested_in_full() -> None:
    frames = [noise((600, 600), "L", seed=seed) for seed in range(3)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert len(data) > ANIMATION_BYTES
    header, small = shown(data)
    assert (header["animated"], header["scaled"]) == (False, [320, 320])
    assert notes_of(header) == "first of 3 frames"
    assert getattr(decoded(small), "n_frames", 1) == 1
    assert shown(data, None)[1] == data
    assert shown(data, None)[0]["animated"] is True


def test_frames_count_as_pixels() -> None:
    frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    palette = bytes((0, 0, 0, 255, 255, 255))
    data = b"GIF89a" + struct.pack("<HHBBB", 8000, 2000, 0x80, 0, 0) + palette + 9 * frame + b";"
    header, _ = shown(data)
    assert header["animated"] is False
    assert notes_of(header) == "first of 9 frames"


def test_a_tiff_of_several_pages_says_so() -> None:
    data = encoded(photo(40, 30), "TIFF", save_all=True, append_images=[photo(40, 30)])
    assert notes_of(shown(data)[0]) == "converted from TIFF, first of several pages"


def test_a_drawing_travels_as_it_was_written() -> None:
    header, data = shown(SVG)
    assert data == SVG
    assert (header["type"], header["format"], header["width"], header["height"]) == ("image/svg+xml", "SVG", 40, 30)
    header, _ = shown(b"<svg/>")
    assert (header["width"], header["height"]) == (300, 150)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"x" * 5120, "not a known image format (5 kB)"),
        (b"<html><svg></svg></html>", "not a known image format (24 bytes)"),
        (SVG + b" " * SVG_BYTES, "SVG of 256 kB; at most 256 kB are shown"),
        (b'<svg width="99999" height="99999">', "99999 x 99999 pixels: more than 64 million"),
        (png(16384, 16384, b""), "16384 x 16384 pixels: more than 64 million"),
        (WEBP_BOMB, "8000 x 8000 pixels: more than 17 million"),
        (png(20000, 10, b""), "20000 x 10 pixels: a side of more than 16384"),
        (encoded(noise((600, 600)), "PNG")[:100_000], "broken: "),
        (encoded(noise((900, 900)), "JPEG")[:70_000], "broken: image file is truncated"),
        (b"GIF89a", "not a known image format (6 bytes)"),
    ],
)
@pytest.mark.parametrize("pixels", [THUMBNAIL])
def test_data_that_cannot_be_shown_have_a_reason(data: bytes, reason: str, pixels: int) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        picture(data, pixels)
    assert str(caught.value).startswith(reason)
    header, written = taken_apart(as_written(data))
    assert written == data
    assert header["size"] == len(data)


@pytest.mark.parametrize("name", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "JPEG2000"])
def test_damaged_bytes_raise_nothing_else(name: str) -> None:
    rng = np.random.default_rng(0)
    whole = bytearray(encoded(noise((90, 80)), name))
    for _ in range(40):
        damaged = bytearray(whole[: rng.integers(1, len(whole))] if rng.random() < 0.5 else whole)
        for place in rng.integers(0, min(len(damaged), 400), 4):
            damaged[place] = rng.integers(256)
        for pixels in (32, None):
            with suppress(ValueError):
                taken_apart(picture(bytes(damaged), pixels))


def test_damaged_images_print_nothing() -> None:
    """Pillow logs the samples per pixel of this one; a new process has no log handlers, just like a notebook's."""
    many = encoded(photo(24, 18), "TIFF").replace(
        struct.pack("<HHII", 277, 3, 1, 3), struct.pack("<HHII", 277, 3, 1, 99)
    )
    code = f"from tbwidget.panels.images import as_written; as_written({many!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_bomb_costs_no_memory() -> None:
    data = bomb(16384)
    assert len(data) < 70_000
    picture(encoded(photo(10, 10), "TIFF"), None)  # loads Pillow's plugins beforehand
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="more than 64 million"):
            picture(data, THUMBNAIL)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_the_bytes_as_written_are_those() -> None:
    for data, kind in ((encoded(photo(9, 9), "TIFF"), "image/tiff"), (b"what", "application/octet-stream")):
        header, written = taken_apart(as_written(data))
        assert (written, header["type"], header["scaled"]) == (data, kind, None)


def test_several_threads_may_encode_at_once() -> None:
    data = encoded(noise((700, 700)), "PNG")
    expected = picture(data, 100)
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(picture(data, 100))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
