"""Elements of an SVG: what they refer to, how large they are, and what they inherit."""

from __future__ import annotations

import math
from typing import NamedTuple

from tbwidget.media.svg_css import refusal
from tbwidget.media.svg_geometry import UNKNOWN_LENGTH, UNKNOWN_SCALE, Scale

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath", "tref"}
TEXTS = {"text", "tspan", "textPath", "tref"}
LENGTHS = {"r": 7, "rx": 4, "ry": 4, "width": 2, "height": 2, "x1": 1, "x2": 1, "y1": 1, "y2": 1}
"""Attributes of shapes, and how much they add to the length of an outline at most."""
_MAX_INHERITED = 100  # references that one element inherits


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
