"""Changes to records that a faulty writer or a failing disk might make, drawn from one seeded generator."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from random import Random

from PIL import Image

from tbwidget.records.files.framing import frame
from tests.support.pictures import encoded, photo

DATA = Path(__file__).parents[1] / "data"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_DEEPEST = 6
_ODD = (0, 1, 2, 3, 6, 127, 128, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63, 2**64 - 1)
_MAX_RECORD_BYTES = 1 << 14  # bytes of a real record that is taken as a seed

Field = tuple[int, int, bytes]
"""Number, wire type, and content: the bytes of a varint."""


def real_records() -> list[bytes]:
    """Return the events in the real writers' files next to the tests, without bulky ones."""
    found = set()
    for path in sorted(DATA.rglob("*tfevents*")):
        data = path.read_bytes()
        frames = frame(data)
        for start, length in zip(frames.starts.tolist(), frames.lengths.tolist(), strict=True):
            if length <= _MAX_RECORD_BYTES:
                found.add(data[start + 12 : start + 12 + length])
    return sorted(found)


def real_pictures() -> list[bytes]:
    """Small images in every format and several modes."""
    modes = {
        "PNG": ("1", "L", "LA", "P", "RGB", "RGBA"),
        "JPEG": ("L", "RGB", "CMYK"),
        "GIF": ("P",),
        "WEBP": ("RGB", "RGBA"),
        "BMP": ("RGB", "P"),
        "TIFF": ("1", "L", "RGB", "CMYK", "YCbCr", "F", "I"),
        "PPM": ("L", "RGB"),
        "JPEG2000": ("RGB",),
    }
    images = [(name, photo(24, 18).convert(mode)) for name, listed in modes.items() for mode in listed]
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = [encoded(photo(24, 18), name, exif=exif) for name in ("JPEG", "PNG", "WEBP", "TIFF")]
    frames = [photo(24, 18, seed=seed) for seed in range(3)]
    moving = [encoded(frames[0], name, save_all=True, append_images=frames[1:]) for name in ("GIF", "PNG", "TIFF")]
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"/>'
    return [*(encoded(image, name) for name, image in images), *turned, *moving, drawing]


def mutated(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Return the message changed in one to four places: mostly in its fields, with adjusted lengths around them."""
    for _ in range(1 + int(random.expovariate(1)) % 4):
        data = _nested(data, random, others, 0) if random.random() < 0.7 else damaged(data, random)
    return data


def damaged(data: bytes, random: Random) -> bytes:
    """Return the bytes with some flipped, set, cut, doubled or inserted."""
    content = bytearray(data)
    place = random.randrange(len(content) + 1)
    match random.randrange(6):
        case 0 if content:
            content[place % len(content)] ^= 1 << random.randrange(8)
        case 1 if content:
            content[place % len(content)] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
        case 2:
            del content[place:]
        case 3:
            del content[place : place + random.randrange(1, 9)]
        case 4:
            content[place:place] = content[place : place + random.randrange(1, 33)]
        case _:
            content[place:place] = random.randbytes(random.randrange(1, 9))
    return bytes(content)


def fields_of(data: bytes) -> list[Field] | None:
    """Return the fields of a message; None if the bytes are no message."""
    found: list[Field] = []
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        begin = place
        if place < 0:
            return None
        match key & 7:
            case 0:
                _, place = _varint(data, place)
            case 1:
                place += 8
            case 5:
                place += 4
            case 2:
                length, begin = _varint(data, place)
                place = begin + length if begin >= 0 else -1
            case _:
                return None
        if not 0 <= place <= len(data) or not key >> 3:
            return None
        found.append((key >> 3, key & 7, data[begin:place]))
    return found


def message(fields: Sequence[Field]) -> bytes:
    """Return the message with these fields."""
    parts = []
    for number, wire_type, content in fields:
        parts.append(varint(number << 3 | wire_type))
        if wire_type == _BYTES:
            parts.append(varint(len(content)))
        parts.append(content)
    return b"".join(parts)


def varint(number: int) -> bytes:
    """Return the bytes of a varint."""
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while place < len(data) and shift < 70:
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place
    return 0, -1


def _nested(data: bytes, random: Random, others: Sequence[bytes], depth: int) -> bytes:
    fields = fields_of(data)
    if not fields:
        return damaged(data, random)
    place = random.randrange(len(fields))
    number, wire_type, content = fields[place]
    action = random.random()
    if action < 0.06:
        del fields[place]
    elif action < 0.12:
        fields.insert(random.randrange(len(fields) + 1), fields[place])
    elif action < 0.18:
        fields[place] = (random.randrange(1, 18), wire_type, content)
    elif action < 0.26:
        fields[place] = random.choice(_deep_fields(random.choice(others)) or [fields[place]])
    elif wire_type == _BYTES and depth < _DEEPEST and fields_of(content):
        fields[place] = (number, wire_type, _nested(content, random, others, depth + 1))
    else:
        fields[place] = (number, wire_type, _content(wire_type, content, random))
    return message(fields)


def _deep_fields(data: bytes) -> list[Field]:
    """Return the fields of a message and of nested ones."""
    found: list[Field] = []
    waiting = [data]
    while waiting and len(found) < 200:
        for field in fields_of(waiting.pop()) or []:
            found.append(field)
            if field[1] == _BYTES:
                waiting.append(field[2])
    return found


def _content(wire_type: int, content: bytes, random: Random) -> bytes:
    if wire_type == _VARINT:
        return varint(random.choice((*_ODD, random.getrandbits(64))))
    if wire_type == _FIXED32:
        return struct.pack("<f", random.choice((0.0, -1.0, 3e38, float("nan"), float("inf"), random.random())))
    if wire_type == _FIXED64:
        return struct.pack("<d", random.choice((0.0, -1.0, 1e308, float("nan"), float("inf"), random.random())))
    return damaged(content, random) if random.random() < 0.8 else random.randbytes(random.randrange(0, 40))
