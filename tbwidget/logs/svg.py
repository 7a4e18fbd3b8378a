"""Cost of drawing an SVG, estimated before any browser draws it: an `<img>` that is being decoded cannot be stopped.

A few bytes can name very many elements: `<use>`, patterns, masks and markers repeat what they refer to, also within one
another. `check_svg` expands these references as a browser would, and stops at a limit, so that its own time is bounded.
Where it is unsure which elements a style concerns it assumes the most expensive case.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote, unquote_to_bytes
from xml.parsers import expat

from tbwidget.logs.image_header import ImageInfo, image_info
from tbwidget.logs.pixels import MOST_PIXELS, check_size
from tbwidget.logs.svg_css import Declaration, Rule, TooExpensiveError, declaration, declarations, refusal, rules
from tbwidget.reasons import Reason

MAX_ELEMENTS = 20_000
"""Elements of a drawing, with those that references repeat."""

MAX_FILTER_PIXELS = 16_000_000
"""Pixels that all filters of a drawing compute together."""

MIN_AREA_PIXELS = 102_400
"""Smallest area for which filters are estimated: a tile enlarges small drawings."""

MAX_STYLE_STEPS = 20_000_000
"""Elements that a browser looks at, about, to match all selectors with all elements."""

_ANCESTOR_STEPS = 16  # of these, for each selector and element
_ANIMATED_SHARE = 10  # an animated drawing is drawn again with each frame
_MAX_DEPTH = 256  # elements within one another
_MAX_REFERENCE_DEPTH = 64  # references within one another
_MAX_EMBEDDED_DEPTH = 3  # drawings within one another
_MAX_ENTITY_CHARACTERS = 200
_MAX_SPAN_DIGITS = 2  # of the number of cells that one cell of an HTML table covers
_MAX_INHERITED = 100  # references that one element inherits
_TEXT_CHARACTERS = 20  # that cost as much as an element
_PATH_CHARACTERS = 500  # likewise
_SQUARED_VERTICES = 200  # likewise; twice as many cost four times as much, as any two edges may cross
_DASHES = 250  # likewise
_MAX_DASHES = 1_000_000  # browsers draw a stroke of more without any
_SMALL_VIEW = 50  # units that are as wide as the drawing
_HTML_WEIGHT = 20  # an element of HTML within a drawing is laid out as a page is

_HTML = "http://www.w3.org/1999/xhtml"
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath", "tref"}
_TEXTS = {"text", "tspan", "textPath", "tref"}
_ANIMATIONS = {"animate", "animateColor", "animateMotion", "animateTransform", "set"}
_ANIMATED_VALUES = ("from", "to", "by", "values")
_WITHOUT_COST = {"linearGradient", "radialGradient"}
_REPEATING = {"use", "pattern", "feImage", "textPath", "mpath", "filter", "mask", "tref"}  # by their `href`
_PAGES = {"iframe", "frame", "object", "embed", "portal"}
_PAINTS = {"fill", "stroke"}
_MARKERS = {"marker", "marker-start", "marker-mid", "marker-end"}
_REFERRING = _PAINTS | _MARKERS | {"filter", "mask", "clip-path", "cursor"}
_LENGTHS = {"r": 7, "rx": 4, "ry": 4, "width": 2, "height": 2, "x1": 1, "x2": 1, "y1": 1, "y2": 1}
"""Attributes of shapes, and how much they add to the length of an outline at most."""
_MOST_UNITS = 100  # of an inch, a pica, or whatever a length is in
_FILTER_SETTINGS = {"stdDeviation", "numOctaves", "baseFrequency", "radius", "order", "kernelMatrix", "scale"}

_SIBLINGS = re.compile("~|:has|:nth")
_UNUSUAL = re.compile(r"[(\\]")
_SCALES = re.compile(r"(?:scale|matrix)\w*\([^)]*", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*(?:[eE][-+]?\d[^a-zA-Z]*)*)")
_NUMBERS_OF_COMMAND = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 5}


def check_svg(data: bytes, width: int, height: int) -> None:
    """Raise ValueError, in words for people, for a drawing of this size that is too expensive to draw."""
    _Estimate(max(width * height, MIN_AREA_PIXELS)).add(data, 0)


class _Element:
    """An element, and what it refers to."""

    __slots__ = (
        *("children", "dash", "filters", "hrefs", "length", "markers", "own", "paints", "parent", "tag", "vertices"),
        "weight",
    )

    def __init__(self, tag: str, parent: _Element | None) -> None:
        self.tag = tag
        self.parent = parent
        self.children: list[_Element] = []
        self.weight = 1
        self.filters = 0
        """Number of passes that its filters make over all pixels of the drawing."""
        self.vertices = 0
        self.length = 0.0
        """Length of its outline in user units, about."""
        self.dash = math.inf
        """Length after which the dashes of the strokes within it repeat."""
        self.hrefs: list[str] = []
        """Ids of what it repeats."""
        self.own: set[str] = set()
        """Ids that properties of this element alone refer to."""
        self.paints: set[str] = set()
        """Ids that also hold for the shapes within: each is drawn once a shape."""
        self.markers: set[str] = set()
        """Ids that also hold for the shapes within: each is drawn at every vertex."""


class _Inherited(NamedTuple):
    """References that an element inherits; none is assumed to be overridden."""

    paints: frozenset[str]
    markers: frozenset[str]
    dash: float

    def with_those_of(self, element: _Element) -> _Inherited:
        """Return what the elements within an element inherit."""
        if not element.paints and not element.markers and element.dash >= self.dash:
            return self
        dash = min(self.dash, element.dash)
        found = _Inherited(self.paints | element.paints, self.markers | element.markers, dash)
        if len(found.paints) + len(found.markers) > _MAX_INHERITED:
            raise refusal(f"more than {_MAX_INHERITED} references of one element")
        return found


_NOTHING = _Inherited(frozenset(), frozenset(), math.inf)


class _Estimate:
    """Running cost of a drawing and of the drawings embedded in it."""

    def __init__(self, area: int) -> None:
        self.area = area
        self._elements = 0
        self._filter_pixels = 0
        self._raster_pixels = 0
        self._rasters: set[bytes] = set()
        self._share = 1

    def add(self, data: bytes, depth: int) -> tuple[int, int]:
        """Add a drawing; returns its elements and the filters in it."""
        before = self._elements, self._filter_pixels
        document = _Document(self, depth)
        document.parse(data)
        document.expand()
        return self._elements - before[0], (self._filter_pixels - before[1]) // self.area

    def animate(self) -> None:
        """Note that something moves."""
        self._share = _ANIMATED_SHARE
        self.spend(0)

    def spend(self, elements: int, filters: int = 0) -> None:
        """Count elements and filters. Raises ValueError beyond the limits."""
        self._elements += elements
        self._filter_pixels += filters * self.area
        animated = " that move" if self._share > 1 else ""
        if self._elements > (most := MAX_ELEMENTS // self._share):
            raise refusal(f"more than {most:,} elements{animated}")
        if self._filter_pixels > (most := MAX_FILTER_PIXELS // self._share):
            raise refusal(f"filters of more than {most / 1e6:g} million pixels{animated}")

    def embed(self, address: str, depth: int) -> tuple[int, int]:
        """Count what a `data:` address holds; returns the elements and filters in it."""
        kind, _, content = address[5:].partition(",")
        mime = kind.lower()
        if "font" in mime or mime.startswith(("audio/", "video/")):
            return 0, 0
        if not (mime.startswith("image/") or "octet" in mime or mime in {"", ";base64"}):
            raise refusal(f"{mime[:40]} within it")
        data = unquote_to_bytes(content.partition("#")[0])
        if ";base64" in mime or "; base64" in mime:
            try:
                data = base64.b64decode(data + b"=" * (-len(data) % 4))
            except binascii.Error:
                return 0, 0  # no browser shows it either
        found = image_info(data)
        if "svg" not in mime and found.format != "SVG":
            self._add_raster(data, found)
            return 1, 0
        if depth >= _MAX_EMBEDDED_DEPTH:
            raise refusal("drawings within one another")
        return self.add(data, depth + 1)

    def _add_raster(self, data: bytes, found: ImageInfo) -> None:
        if found.width is None or found.height is None:
            raise refusal("an image within it that cannot be read")
        try:
            check_size(found.width, found.height, found.format)
        except ValueError as error:
            raise refusal(f"an image within it of {error}") from error
        if data not in self._rasters:
            self._rasters.add(data)
            self._raster_pixels += found.width * found.height
            if self._raster_pixels > MOST_PIXELS:
                raise refusal(f"images of more than {MOST_PIXELS // 1_000_000} million pixels within it")


class _Document:
    """A drawing that is read by a pull parser, and then expanded."""

    def __init__(self, estimate: _Estimate, depth: int) -> None:
        self._estimate = estimate
        self._embedded_depth = depth
        self._root: _Element | None = None
        self._stack: list[_Element] = []
        self._styled: list[tuple[_Element, str | None, list[str]]] = []
        self._by_id: dict[str, _Element] = {}
        self._texts: list[str] = []
        self._sheets: list[str] = []
        self._selectors = 0
        self._steps = 0
        self._has_html = False
        self._styles: dict[str, list[Declaration]] = {}
        self._keeps_widths = False
        """Strokes and dashes may be measured in pixels."""
        self._enlarges = False
        self._inherited: dict[_Element, _Inherited] = {}

    def parse(self, data: bytes) -> None:
        """Read all elements. Raises ValueError for malformed XML and for drawings beyond the limits."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._texts.append
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        try:
            parser.Parse(data, True)  # noqa: FBT003 (takes no keyword)
        except TooExpensiveError:
            raise
        except expat.ExpatError as error:
            raise ValueError(Reason("svg-malformed", detail=expat.ErrorString(error.code))) from error
        except (LookupError, ValueError) as error:
            raise ValueError(Reason("svg-encoding")) from error
        self._apply(rule for sheet in self._sheets for rule in self._rules(sheet))

    @staticmethod
    def _entity(_name: str, is_parameter: int, value: str | None, *_external: object) -> None:
        # Constants are common; entities within entities multiply.
        if is_parameter or (value is not None and (len(value) > _MAX_ENTITY_CHARACTERS or re.search("[&<%]", value))):
            raise refusal("entities within entities")

    @staticmethod
    def _instruction(target: str, _data: str) -> None:
        if target.lower() == "xml-stylesheet":
            raise refusal("a style sheet beside it")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._take_text()
        namespace, _, tag = name.rpartition(" ")
        parent = self._stack[-1] if self._stack else None
        element = _Element(tag, parent)
        if parent is None:
            self._root = element
        else:
            parent.children.append(element)
        self._stack.append(element)
        if len(self._stack) > _MAX_DEPTH:
            raise refusal(f"more than {_MAX_DEPTH} elements within one another")
        if namespace == _HTML:
            self._html(element, attributes)
        if tag in _ANIMATIONS:
            self._animation(element, attributes)
        elif tag.startswith("fe"):
            element.filters = _primitive(tag, attributes)
        for full, value in attributes.items():
            self._attribute(element, full.rpartition(" ")[2], value)
        if tag == "line":
            element.vertices = 2
        elif tag in _TEXTS:
            element.length = _MAX_DASHES  # the outlines of its glyphs are not known
        own_id = attributes.get("id")
        if own_id is not None:
            self._by_id.setdefault(own_id, element)
        self._styled.append((element, own_id, attributes.get("class", "").split()))
        self._estimate.spend(element.weight)

    def _attribute(self, element: _Element, name: str, value: str) -> None:
        self._measure(element, name, value)
        if name in {"d", "points"}:
            return
        address = re.sub(r"[\t\r\n]", "", value).strip("\0 ")
        if address[:5].lower() == "data:":
            self._embed(element, address)
        elif name == "href":
            if element.tag in _REPEATING and address.startswith("#"):
                element.hrefs.append(address[1:])
        elif name == "srcset" and "data:" in value.lower():
            raise refusal("images within it that depend on the screen")
        elif name == "style":
            if value not in self._styles:
                self._styles[value] = declarations(value)
            self._declare(element, self._styles[value])
        elif name == "stroke-dasharray" or (name in _REFERRING and _UNUSUAL.search(value)):
            self._declare(element, [declaration(name, value)])
        elif "url(" in value.lower():
            self._declare(element, [Declaration(name, value)])

    def _measure(self, element: _Element, name: str, value: str) -> None:
        """Note the outline of an element, and what enlarges it."""
        if name in {"d", "points"}:
            element.vertices, element.length = _outline(value if name == "d" else f"M{value}")
            element.weight += len(value) // _PATH_CHARACTERS + (element.vertices // _SQUARED_VERTICES) ** 2
        elif name in _LENGTHS:
            element.length += _LENGTHS[name] * _size(value)
        elif name == "pathLength":
            element.length = max(element.length, _size(value))
        elif name == "viewBox":
            is_small = any(float(size) < _SMALL_VIEW for size in _NUMBER.findall(value)[2:])
            self._enlarges |= is_small or element.parent is not None  # of symbols, a `<use>` gives the size
        elif name == "vector-effect":
            self._keeps_widths |= value.strip().lower() != "none"
        elif name == "transform":
            scales = " ".join(_SCALES.findall(value))
            self._enlarges |= any(abs(float(each)) > 1 for each in _NUMBER.findall(scales))

    def _html(self, element: _Element, attributes: Mapping[str, str]) -> None:
        self._has_html = True
        element.weight = _HTML_WEIGHT
        if element.tag.lower() in _PAGES:
            raise refusal("pages within it")
        for name in ("colspan", "rowspan", "span"):
            span = attributes.get(name, "")
            if span and (len(span) > _MAX_SPAN_DIGITS or not span.isdecimal()):
                raise refusal("large tables within it")

    def _animation(self, element: _Element, attributes: Mapping[str, str]) -> None:
        parent = element.parent.tag if element.parent else ""
        changed = attributes.get("attributeName", "").strip()
        values = " ".join(attributes.get(name, "") for name in _ANIMATED_VALUES)
        if changed.rpartition(":")[2] in {"href", "style", "class"} or re.search(r"url|\\", values, re.IGNORECASE):
            raise refusal("references that change while it plays")
        if parent == "filter" or parent.startswith("fe") or changed in _FILTER_SETTINGS or "(" in values:
            raise refusal("filters that change while it plays")
        if changed == "stroke-dasharray" and element.parent is not None:
            if "href" in {name.rpartition(" ")[2] for name in attributes}:
                raise refusal("dashes that change while it plays")
            for name in _ANIMATED_VALUES:
                for value in attributes.get(name, "").split(";"):
                    self._declare(element.parent, [declaration(changed, value)])
        elif changed in {"d", "points", "pathLength"} or changed in _LENGTHS:
            vertices = _outline(f"M{values}")[0]
            element.weight += (vertices // _SQUARED_VERTICES) ** 2
            if element.parent is not None:
                element.parent.length = _MAX_DASHES
        elif attributes.get("type") == "scale":
            self._enlarges = True
        self._estimate.animate()

    def _end(self, _name: str) -> None:
        self._take_text()
        self._stack.pop()

    def _take_text(self) -> None:
        if not self._texts:
            return
        text = "".join(self._texts)
        self._texts.clear()
        element = self._stack[-1]
        if element.tag == "style":
            self._sheets.append(text)
        elif element.tag in _TEXTS or self._has_html:
            weight = len(text.strip()) // _TEXT_CHARACTERS
            element.weight += weight
            self._estimate.spend(weight)

    def _embed(self, element: _Element, address: str) -> None:
        elements, filters = self._estimate.embed(address, self._embedded_depth)
        element.weight += elements
        element.filters += filters

    def _declare(self, element: _Element, found: Iterable[Declaration]) -> None:
        """Note what the declarations of a style refer to, and what they cost."""
        for each in found:
            name = each.name
            element.filters += each.passes()
            if dash := each.dash():
                element.dash = min(element.dash, dash)
            if name in {"transform", "vector-effect"}:
                self._measure(element, name, each.value)
            elif name in {"width", "height"} and element.tag in _SHAPES:
                element.length = _MAX_DASHES  # its attributes do not tell it
            addresses = each.addresses()
            for address in addresses:
                if address[:5].lower() == "data:":
                    self._embed(element, address)
            held = element.paints if name in _PAINTS else element.markers if _is_marker(name) else element.own
            held.update(address[1:] for address in addresses if address.startswith("#"))

    def _rules(self, sheet: str) -> Iterator[Rule]:
        lower = sheet.lower()
        self._selectors += sheet.count("{") + sheet.count(",")
        self._steps = max(self._steps, len(self._styled) if _SIBLINGS.search(lower) else _ANCESTOR_STEPS)
        if self._selectors * len(self._styled) * self._steps > MAX_STYLE_STEPS:
            raise refusal("style sheets of many selectors")
        if re.search(r"animation|@keyframes", lower):
            self._estimate.animate()
        return rules(sheet)

    def _apply(self, found: Iterable[Rule]) -> None:
        """Give elements what a style sheet declares for them."""
        by_key: dict[str, list[Declaration]] = {}
        for key, all_ in found:
            by_key.setdefault(key, []).extend(each for each in all_ if each.matters())
        costs = {key: sum(len(each.value) for each in all_) // _PATH_CHARACTERS for key, all_ in by_key.items()}
        for element, own_id, classes in self._styled if by_key else ():
            for key in ("*", element.tag, f"#{own_id}", *(f".{name}" for name in classes)):
                if by_key.get(key):
                    # A long sheet that concerns all elements is too expensive by itself.
                    self._estimate.spend(costs[key])
                    self._declare(element, by_key[key])

    def expand(self) -> None:
        """Count what references repeat. Raises ValueError beyond the limits, or where references form a cycle."""
        nothing: frozenset[_Element] = frozenset()
        waiting = [] if self._root is None else [(self._root, _NOTHING, nothing, 1)]
        while waiting:
            element, above, within, times = waiting.pop()
            # The elements of the document themselves were counted when they were read.
            filters = element.filters if within or not element.tag.startswith("fe") else 0
            inherited = above.with_those_of(element)
            weight = element.weight if within else 0
            if element.tag in _SHAPES and inherited.dash < math.inf:
                is_unknown = self._keeps_widths and self._enlarges
                dashes = _MAX_DASHES if is_unknown else min(element.length / inherited.dash, _MAX_DASHES)
                weight += int(dashes) // _DASHES
            self._estimate.spend(weight * times, filters * times)
            waiting.extend((child, inherited, within, times) for child in element.children)
            referred = [(name, 1) for name in (*element.own, *element.hrefs)]
            if element.tag in _SHAPES:
                referred += [(name, 1) for name in inherited.paints]
                referred += [(name, max(1, element.vertices)) for name in inherited.markers]
            for name, count in referred:
                target = self._by_id.get(name) or self._by_id.get(unquote(name))
                if target is None or target.tag in _WITHOUT_COST:
                    continue
                if target in within:
                    raise refusal("references that form a cycle")
                if len(within) >= _MAX_REFERENCE_DEPTH:
                    raise refusal(f"more than {_MAX_REFERENCE_DEPTH} references within one another")
                # The target of a `<use>` inherits from the `<use>`, any other target from its own parents.
                at = inherited if element.tag == "use" and name in element.hrefs else self._inherited_by(target)
                waiting.append((target, at, within | {target}, times * count))

    def _inherited_by(self, element: _Element) -> _Inherited:
        """Return the references that an element inherits from its parents."""
        found = self._inherited.get(element)
        if found is None:
            parent = element.parent
            found = _NOTHING if parent is None else self._inherited_by(parent).with_those_of(parent)
            self._inherited[element] = found
        return found


def _primitive(tag: str, attributes: Mapping[str, str]) -> int:
    """How often a filter primitive computes each pixel, about."""

    def number(name: str, most: int) -> int:
        # An entry may be two numbers, for either axis.
        found = [float(each) for each in _NUMBER.findall(attributes.get(name, ""))]
        return int(min(max(found, default=1), most))

    if tag.startswith("feFunc") or tag.endswith("Light"):
        return 0
    if tag == "feTurbulence":
        return 1 + max(0, number("numOctaves", 10))
    if tag == "feConvolveMatrix":
        return max(1, number("order", 100) ** 2)
    if tag == "feMorphology":
        return 1 + max(0, number("radius", 100) // 4)
    return 3 if tag in {"feGaussianBlur", "feDropShadow"} else 1


def _size(value: str) -> float:
    """Upper bound for a length in user units."""
    found = _NUMBER.match(value.strip())
    if found is None:
        return 0
    unit = value.strip()[found.end() :].strip()
    return _MAX_DASHES if unit == "%" else abs(float(found.group())) * (_MOST_UNITS if unit else 1)


def _outline(path: str) -> tuple[int, float]:
    """Upper bound for the vertices of a path, and the length of its outline, about."""
    count, length = 0, 0.0
    x = y = 0.0
    start = x, y
    reach = 0.0  # of the control points that smooth curves mirror
    for command, text in _COMMAND.findall(path):
        kind, is_relative = command.lower(), command.islower()
        numbers = [float(each) for each in _NUMBER.findall(text)]
        size = _NUMBERS_OF_COMMAND.get(kind, 1)
        count += max(1, len(numbers) // size)
        if kind == "a":
            length += 7 * sum(map(abs, numbers))
            numbers, size = numbers[-2:], 2
        elif kind == "z":
            length += math.dist((x, y), start)
            x, y = start
        for at in range(0, len(numbers) - size + 1, size):
            from_x, from_y = (x, y) if is_relative else (0.0, 0.0)
            if kind in "hv":
                to = (from_x + numbers[at], y) if kind == "h" else (x, from_y + numbers[at])
                length += abs(to[0] - x) + abs(to[1] - y)
                x, y = to
                continue
            for pair in range(at, at + size, 2):
                # The polygon of its control points is longer than a curve.
                to = from_x + numbers[pair], from_y + numbers[pair + 1]
                leg = math.dist((x, y), to)
                length += leg + (reach if kind in "st" else 0)
                reach = reach + leg if kind in "st" else leg if pair == at else max(reach, leg)
                x, y = to
            if kind == "m" and at == 0:
                start = x, y
    return count, min(_MAX_DASHES**2, length)


def _is_marker(name: str) -> bool:
    # A variable may be used for anything.
    return name in _MARKERS or name.startswith("--")
