"""Elements of an SVG: references, lengths, transforms, sizes, and inherited properties."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from tbwidget.media.svg_css import refusal

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath", "tref"}
TEXTS = {"text", "tspan", "textPath", "tref"}
LENGTHS = {"r": 7, "rx": 4, "ry": 4, "width": 2, "height": 2, "x1": 1, "x2": 1, "y1": 1, "y2": 1}
"""Attributes of shapes, and how much they add to the length of an outline at most."""
_MAX_INHERITED = 100  # references that one element inherits


MAX_LENGTH = 1e12
"""Length of an outline in user units; longer ones count as this long."""

UNKNOWN_LENGTH = 1e6
"""Assumed length where it depends on something else."""

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

_MAX_UNIT_PX = 100  # of an inch, a pica, or whatever a length is in
_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*(?:[eE][-+]?\d[^a-zA-Z]*)*)")
_NUMBERS_OF_COMMAND = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 5}
_NUMBERS_OF_ARC = 7
_NUMBERS_OF_VIEW = 4
_TRANSFORM = re.compile(r"(?<!\w)(\w+)\s*\(([^()]*)\)")
_NUMBERS_OF_MATRIX = 6
_MAX_TRANSFORM_CHARACTERS = 4_000
_RIGHT_ANGLE = 90  # degrees


class Outline(NamedTuple):
    """Upper bounds for a path, in user units."""

    vertices: int
    length: float
    width: float
    """Size of the box around its control points."""
    height: float


class Scale(NamedTuple):
    """Factor by which a transform enlarges a drawing; at least 1, since another style may override it."""

    length: float = 1.0
    area: float = 1.0

    def times(self, other: Scale) -> Scale:
        """Return the scale of both transforms together."""
        return Scale(self.length * other.length, self.area * other.area)


UNKNOWN_SCALE = Scale(math.inf, math.inf)


def size_of(value: str) -> float:
    """Upper bound for a length in user units."""
    found = NUMBER.match(value.strip())
    if found is None:
        return 0 if value.strip().isalpha() or not value.strip() else UNKNOWN_LENGTH
    unit = value.strip()[found.end() :].strip()
    return UNKNOWN_LENGTH if unit == "%" else abs(float(found.group())) * (_MAX_UNIT_PX if unit else 1)


def view_of(box: str) -> float | None:
    """Give the shorter side of a `viewBox`; None where that is malformed, so that browsers ignore it."""
    parts = re.split(r"\s*,\s*|\s+", box.strip())
    if len(parts) != _NUMBERS_OF_VIEW or not all(map(NUMBER.fullmatch, parts)):
        return None
    side = min(map(float, parts[2:]))
    return side if 0 < side < MAX_LENGTH else None


def scale_of(transform: str) -> Scale:
    """Upper bound for the scale of a transform, of an attribute or of CSS."""
    scale = Scale()
    text = transform.partition("!")[0].strip()
    if len(text) > _MAX_TRANSFORM_CHARACTERS or re.sub(r"[\s,]|none", "", _TRANSFORM.sub("", text)):
        return UNKNOWN_SCALE  # it depends on something else, is malformed, or is longer than any program writes
    for name, arguments in _TRANSFORM.findall(text):
        numbers = [float(each) for each in NUMBER.findall(arguments)]
        kind = name.lower()
        if kind == "matrix" and len(numbers) == _NUMBERS_OF_MATRIX:
            scale = scale.times(_matrix_scale(*numbers[:4]))
        elif kind in {"scale", "scalex", "scaley"} and numbers:
            scale = scale.times(_matrix_scale(numbers[0], 0, 0, numbers[-1] if kind == "scale" else 1))
        elif kind.startswith("skew") and numbers and _is_moderate(numbers, arguments):
            tangent = max(math.tan(math.radians(abs(each))) for each in numbers)
            scale = scale.times(Scale(1 + tangent, 1 + tangent * tangent))
        elif kind != "rotate" and not kind.startswith("translate"):
            return UNKNOWN_SCALE
    return scale


def _is_moderate(angles: list[float], arguments: str) -> bool:
    is_in_degrees = re.search(r"rad|turn", arguments) is None
    return is_in_degrees and all(abs(each) < _RIGHT_ANGLE for each in angles)


def _matrix_scale(a: float, b: float, c: float, d: float) -> Scale:
    """Give the largest singular value of a matrix, and its determinant."""
    squares, area = a * a + b * b + c * c + d * d, abs(a * d - b * c)
    if not math.isfinite(squares * squares):
        return UNKNOWN_SCALE
    length = math.sqrt((squares + math.sqrt(max(0.0, squares * squares - 4 * area * area))) / 2)
    return Scale(max(1.0, length), max(1.0, area))


def outline_of(path: str) -> Outline:
    """Upper bounds for the outline of a path."""
    count, length = 0, 0.0
    x = y = 0.0
    start = x, y
    reach = 0.0  # of the control points that smooth curves mirror
    xs, ys, around, unclear = [0.0], [0.0], 0.0, 0.0
    for command, text in _COMMAND.findall(path):
        kind, is_relative = command.lower(), command.islower()
        numbers = [float(each) for each in NUMBER.findall(text)]
        size = _NUMBERS_OF_COMMAND.get(kind, 1)
        count += max(1, len(numbers) // size)
        if kind == "a":
            length += 7 * sum(map(abs, numbers))
            size = 2
            if len(numbers) % _NUMBERS_OF_ARC == 0:
                around = max([around, *(2 * abs(each) for at in (0, 1) for each in numbers[at::_NUMBERS_OF_ARC])])
                ends = zip(numbers[5::_NUMBERS_OF_ARC], numbers[6::_NUMBERS_OF_ARC], strict=True)
                numbers = [each for end in ends for each in end]
            else:  # its flags are not separated
                unclear += 2 * sum(map(abs, numbers))
                numbers = numbers[-2:]
        elif kind == "z":
            length += math.dist((x, y), start)
            x, y = start
        for at in range(0, len(numbers) - size + 1, size):
            from_x, from_y = (x, y) if is_relative else (0.0, 0.0)
            if kind in "hv":
                to = (from_x + numbers[at], y) if kind == "h" else (x, from_y + numbers[at])
                length += abs(to[0] - x) + abs(to[1] - y)
                x, y = to
                xs.append(x)
                ys.append(y)
                continue
            for pair in range(at, at + size, 2):
                # The polygon of its control points is longer than a curve.
                to = from_x + numbers[pair], from_y + numbers[pair + 1]
                leg = math.dist((x, y), to)
                length += leg + (reach if kind in "st" else 0)
                reach = reach + leg if kind in "st" else leg if pair == at else max(reach, leg)
                around = max(around, 2 * reach) if kind in "st" else around
                x, y = to
                xs.append(x)
                ys.append(y)
            if kind == "m" and at == 0:
                start = x, y
                if count == 1:
                    xs, ys = [x], [y]
    around = min(around + unclear, MAX_LENGTH)
    return Outline(count, min(MAX_LENGTH, length), max(xs) - min(xs) + around, max(ys) - min(ys) + around)


class Element:
    """An element, and what it refers to."""

    __slots__ = (
        *("blends", "children", "dash", "filters", "height", "hrefs", "length", "markers", "own", "paints", "parent"),
        *("scale", "shadows", "tag", "text_shadows", "vertices", "weight", "width"),
    )

    def __init__(self, tag: str, parent: Element | None) -> None:
        self.tag = tag
        self.parent = parent
        self.children: list[Element] = []
        self.weight = 1
        self.filters = 0
        """Number of passes that its filters make over all pixels of the drawing."""
        self.vertices = 0
        self.length = 0.0
        """Length of its outline in user units, about."""
        self.width = self.height = 0.0
        self.scale = Scale()
        """Factor by which it enlarges its content."""
        self.dash = math.inf
        """Length after which the dashes of the strokes within it repeat."""
        self.blends = False
        self.shadows = 0
        """Shadows of its box."""
        self.text_shadows = 0
        """Shadows of all texts within it."""
        self.hrefs: list[str] = []
        """Ids of what it repeats."""
        self.own: list[str] = []
        """Ids that properties of this element alone refer to. One that is named twice is applied twice."""
        self.paints: set[str] = set()
        """Ids that also hold for the shapes within: each is drawn once a shape."""
        self.markers: set[str] = set()
        """Ids that also hold for the shapes within: each is drawn at every vertex."""

    def forget_size(self) -> None:
        """Note that something else than its attributes gives its size."""
        self.length = self.width = self.height = UNKNOWN_LENGTH

    def note_tag(self) -> None:
        """Note what follows from the tag alone."""
        if self.tag == "line":
            self.vertices = 2
        elif self.tag in TEXTS:
            self.forget_size()  # its glyphs are not known
        elif self.tag == "marker":
            self.scale = UNKNOWN_SCALE  # strokes give its size

    def extend(self, name: str, size: float) -> None:
        """Note the size that one of its attributes gives a shape."""
        self.length += LENGTHS[name] * size
        diameter = size if name in {"width", "height"} else 2 * size
        if name in {"r", "rx", "width"}:
            self.width = max(self.width, diameter)
        if name in {"r", "ry", "height"}:
            self.height = max(self.height, diameter)
        self.width += size if name[0] == "x" else 0
        self.height += size if name[0] == "y" else 0


class Inherited(NamedTuple):
    """Properties that an element inherits. Assumes that nothing is overridden."""

    paints: frozenset[str]
    markers: frozenset[str]
    dash: float
    text_shadows: int
    scale: Scale

    def with_those_of(self, element: Element) -> Inherited:
        """Return what the elements within an element inherit."""
        dash, text_shadows = min(self.dash, element.dash), max(self.text_shadows, element.text_shadows)
        scale = self.scale.times(element.scale)
        paints = self.paints | element.paints if element.paints else self.paints
        markers = self.markers | element.markers if element.markers else self.markers
        found = Inherited(paints, markers, dash, text_shadows, scale)
        if len(found.paints) + len(found.markers) > _MAX_INHERITED:
            raise refusal(f"more than {_MAX_INHERITED} references of one element")
        return found


NOTHING = Inherited(frozenset(), frozenset(), math.inf, 0, Scale())
