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
from urllib.parse import unquote, unquote_to_bytes
from xml.parsers import expat

from tbwidget.media.image_header import ImageInfo, image_info
from tbwidget.media.pixels import MAX_PIXELS, check_size
from tbwidget.media.svg_css import Declaration, Rule, TooExpensiveError, declaration, declarations, refusal, rules
from tbwidget.media.svg_elements import (
    LENGTHS,
    NOTHING,
    NUMBER,
    SHAPES,
    TEXTS,
    UNKNOWN_LENGTH,
    UNKNOWN_SCALE,
    Element,
    Inherited,
    outline_of,
    scale_of,
    size_of,
    view_of,
)
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
_TEXT_CHARACTERS = 20  # that cost as much as an element
_PATH_CHARACTERS = 500  # likewise
_SQUARED_VERTICES = 200  # likewise; twice as many cost four times as much, as any two edges may cross
_DASHES = 250  # likewise
_MAX_DASHES = 1_000_000  # browsers draw a stroke of more without any
_CROSSINGS = 7  # likewise: how often its outline crosses the whole drawing
_CROSSINGS_OF_VERTEX = 3  # at most
_VERTICES_OF_SHAPE = 4  # at least
_SURFACES = {"mask": 50, "pattern": 40, "radialGradient": 35, "linearGradient": 20}
"""Elements that cost as much as one of these on the whole area of the drawing."""
_CLIPPING = 10  # of its area, to clip with more than a plain shape
_SHADOW = 5  # of its area, a shadow of one element
_BLENDING = 15  # likewise
_RASTER = 10  # of its area, an embedded image wherever it is drawn
_SMALL_VIEW = 50  # units that are as wide as the drawing
_HTML_WEIGHT = 20  # an element of HTML within a drawing is laid out as a page is

_HTML = "http://www.w3.org/1999/xhtml"
_ANIMATIONS = {"animate", "animateColor", "animateMotion", "animateTransform", "set"}
_ENLARGING = {"scale", "skewX", "skewY"}
_ANIMATED_VALUES = ("from", "to", "by", "values")
_CLIPPED = TEXTS | {"use"}
_GRADIENTS = {"linearGradient", "radialGradient"}
_REPEATING = {"use", "pattern", "feImage", "textPath", "mpath", "filter", "mask", "tref"}  # by their `href`
_PAGES = {"iframe", "frame", "object", "embed", "portal"}
_PAINTS = {"fill", "stroke"}
_MARKERS = {"marker", "marker-start", "marker-mid", "marker-end"}
_REFERRING = _PAINTS | _MARKERS | {"filter", "mask", "clip-path", "cursor"}
_STYLING = {"stroke-dasharray", "stroke-width", "text-shadow", "mix-blend-mode"}
_FILTER_SETTINGS = {"stdDeviation", "numOctaves", "baseFrequency", "radius", "order", "kernelMatrix", "scale"}

_SIBLINGS = re.compile("~|:has|:nth")
_UNUSUAL = re.compile(r"[(\\]")


def check_svg(data: bytes, width: int, height: int) -> None:
    """Raise ValueError, in words for people, for a drawing of this size that is too expensive to draw."""
    _Estimate(max(width * height, MIN_AREA_PIXELS)).add(data, 0, min(width, height))


class _Estimate:
    """Running cost of a drawing and of the drawings embedded in it."""

    def __init__(self, area: int) -> None:
        self.area = area
        self._elements = 0
        self._cost = 0
        """Cost of the elements, in elements that cost little."""
        self._filter_pixels = 0
        self._raster_pixels = 0
        self._rasters: set[bytes] = set()
        self._share = 1

    def add(self, data: bytes, depth: int, side: float) -> tuple[int, int]:
        """Add a drawing, of this shorter side without a `viewBox`; returns its cost and the filters in it."""
        before = self._cost, self._filter_pixels
        document = _Document(self, depth, side)
        document.parse(data)
        document.expand()
        return self._cost - before[0], (self._filter_pixels - before[1]) // self.area

    def animate(self) -> None:
        """Note that something moves."""
        self._share = _ANIMATED_SHARE
        self.spend(0)

    @property
    def max_cost(self) -> int:
        """Elements that may be drawn."""
        return MAX_ELEMENTS // self._share

    def spend(self, cost: int, filters: int = 0, elements: int = 0) -> None:
        """Add the cost of elements and filters. Raises ValueError beyond the limits."""
        self._elements += elements
        self._cost += cost
        self._filter_pixels += filters * self.area
        animated = " that move" if self._share > 1 else ""
        if self._elements > (most := self.max_cost):
            raise refusal(f"more than {most:,} elements{animated}")
        if self._cost > most:
            raise refusal(f"it takes as long as more than {most:,} elements{animated}")
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
            return _RASTER, 0
        if depth >= _MAX_EMBEDDED_DEPTH:
            raise refusal("drawings within one another")
        return self.add(data, depth + 1, 0)

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
            if self._raster_pixels > MAX_PIXELS:
                raise refusal(f"images of more than {MAX_PIXELS // 1_000_000} million pixels within it")


class _Document:
    """A drawing that is read by a pull parser, and then expanded."""

    def __init__(self, estimate: _Estimate, depth: int, side: float) -> None:
        self._estimate = estimate
        self._embedded_depth = depth
        self._side = side
        """Shorter side of the drawing, in user units."""
        self._widest_stroke = 1.0
        self._root: Element | None = None
        self._stack: list[Element] = []
        self._styled: list[tuple[Element, str | None, list[str]]] = []
        self._by_id: dict[str, Element] = {}
        self._texts: list[str] = []
        self._sheets: list[str] = []
        self._selectors = 0
        self._steps = 0
        self._has_html = False
        self._styles: dict[str, list[Declaration]] = {}
        self._keeps_widths = False
        """Strokes and dashes may be measured in pixels."""
        self._is_small_view = False
        self._inherited: dict[Element, Inherited] = {}

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
        element = Element(tag, parent)
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
        element.note_tag()
        own_id = attributes.get("id")
        if own_id is not None:
            self._by_id.setdefault(own_id, element)
        self._styled.append((element, own_id, attributes.get("class", "").split()))
        self._estimate.spend(element.weight, elements=1)

    def _attribute(self, element: Element, name: str, value: str) -> None:
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
        elif name in _STYLING or (name in _REFERRING and _UNUSUAL.search(value)):
            self._declare(element, [declaration(name, value)])
        elif "url(" in value.lower():
            self._declare(element, [Declaration(name, value)])

    def _measure(self, element: Element, name: str, value: str) -> None:
        """Note the outline of an element, and what enlarges it."""
        if name in {"d", "points"}:
            outline = outline_of(value if name == "d" else f"M{value}")
            element.vertices, element.length, element.width, element.height = outline
            surplus = _surplus(element.vertices)
            if surplus > self._estimate.max_cost:
                raise refusal(f"a path of {element.vertices:,} vertices")
            element.weight += len(value) // _PATH_CHARACTERS + surplus
        elif name in LENGTHS:
            element.extend(name, size_of(value))
        elif name == "pathLength":
            element.length = max(element.length, size_of(value))
        elif name == "viewBox" and element.parent is not None:
            element.scale = UNKNOWN_SCALE  # of symbols, a `<use>` gives the size
        elif name == "viewBox":
            self._side = view_of(value) or self._side
            self._is_small_view = self._side < _SMALL_VIEW
        elif name.endswith("Units"):
            # Boxes of other shapes give its size.
            element.scale = UNKNOWN_SCALE if value.strip() == "objectBoundingBox" else element.scale
        elif name == "vector-effect":
            self._keeps_widths |= value.strip().lower() != "none"
        elif name in {"transform", "patternTransform"}:
            element.scale = element.scale.times(scale_of(value))

    def _html(self, element: Element, attributes: Mapping[str, str]) -> None:
        self._has_html = True
        element.weight = _HTML_WEIGHT
        if element.tag.lower() in _PAGES:
            raise refusal("pages within it")
        for name in ("colspan", "rowspan", "span"):
            span = attributes.get(name, "")
            if span and (len(span) > _MAX_SPAN_DIGITS or not span.isdecimal()):
                raise refusal("large tables within it")

    def _animation(self, element: Element, attributes: Mapping[str, str]) -> None:
        changed_element = element.parent or element
        parent = changed_element.tag
        changed = attributes.get("attributeName", "").strip()
        values = " ".join(attributes.get(name, "") for name in _ANIMATED_VALUES)
        if changed.rpartition(":")[2] in {"href", "style", "class"} or re.search(r"url|\\", values, re.IGNORECASE):
            raise refusal("references that change while it plays")
        if parent == "filter" or parent.startswith("fe") or changed in _FILTER_SETTINGS or "(" in values:
            raise refusal("filters that change while it plays")
        if changed == "stroke-dasharray":
            if "href" in {name.rpartition(" ")[2] for name in attributes}:
                raise refusal("dashes that change while it plays")
            for name in _ANIMATED_VALUES:
                for value in attributes.get(name, "").split(";"):
                    self._declare(changed_element, [declaration(changed, value)])
        elif changed in {"d", "points", "pathLength", *LENGTHS}:
            element.weight += _surplus(outline_of(f"M{values}").vertices)
            changed_element.forget_size()
        elif changed == "stroke-width":
            self._widest_stroke = UNKNOWN_LENGTH
        elif changed == "viewBox" or attributes.get("type", "") in _ENLARGING:
            changed_element.scale = UNKNOWN_SCALE
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
        elif element.tag in TEXTS or self._has_html:
            weight = len(text.strip()) // _TEXT_CHARACTERS
            element.weight += weight
            self._estimate.spend(weight)  # not elements

    def _embed(self, element: Element, address: str) -> None:
        elements, filters = self._estimate.embed(address, self._embedded_depth)
        element.weight += elements
        element.filters += filters

    def _declare(self, element: Element, found: Iterable[Declaration]) -> None:
        """Note what the declarations of a style refer to, and what they cost."""
        for each in found:
            name = each.name
            self._style(element, each)
            addresses = each.addresses()
            for address in addresses:
                if address[:5].lower() == "data:":
                    self._embed(element, address)
            ids = [address[1:] for address in addresses if address.startswith("#")]
            if name in _PAINTS:
                element.paints.update(ids)
            elif _is_marker(name):
                element.markers.update(ids)
            else:
                element.own += ids

    def _style(self, element: Element, style: Declaration) -> None:
        """Note what a declaration by itself costs."""
        name = style.name
        element.filters += style.passes()
        if dash := style.dash():
            element.dash = min(element.dash, dash)
        if name in {"transform", "vector-effect"}:
            self._measure(element, name, style.value)
        elif name == "stroke-width":
            self._widest_stroke = max(self._widest_stroke, size_of(style.value.partition("!")[0]))
        elif name == "mix-blend-mode":
            element.blends |= style.value.strip().lower() != "normal"
        elif name == "text-shadow":
            element.text_shadows = max(element.text_shadows, style.shadows())
        elif name == "box-shadow":
            element.shadows = max(element.shadows, style.shadows())
        elif name in {"width", "height"} and element.tag in SHAPES:
            element.forget_size()

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
        nothing: frozenset[Element] = frozenset()
        first = NOTHING if self._embedded_depth == 0 else NOTHING._replace(scale=UNKNOWN_SCALE)
        waiting = [] if self._root is None else [(self._root, first, nothing, 1)]
        while waiting:
            element, above, within, times = waiting.pop()
            # The elements of the document themselves were counted when they were read.
            filters = element.filters if within or not element.tag.startswith("fe") else 0
            inherited = above.with_those_of(element)
            cost = (element.weight if within else 0) + self._painting(element, inherited)
            self._estimate.spend(cost * times, filters * times, times if within else 0)
            waiting.extend((child, inherited, within, times) for child in element.children)
            referred = [(name, 1) for name in (*element.own, *element.hrefs)]
            if element.tag in SHAPES:
                referred += [(name, 1) for name in inherited.paints]
                referred += [(name, max(1, element.vertices)) for name in inherited.markers]
            for name, count in referred:
                target = self._by_id.get(name) or self._by_id.get(unquote(name))
                if target is None:
                    continue
                self._estimate.spend(self._surface(element, inherited, target) * times)
                if target.tag in _GRADIENTS:
                    continue
                if target in within:
                    raise refusal("references that form a cycle")
                if len(within) >= _MAX_REFERENCE_DEPTH:
                    raise refusal(f"more than {_MAX_REFERENCE_DEPTH} references within one another")
                # The target of a `<use>` inherits from the `<use>`, any other one from its own parents, but for scale.
                is_used = element.tag == "use" and name in element.hrefs
                at = inherited if is_used else self._inherited_by(target)._replace(scale=inherited.scale)
                waiting.append((target, at, within | {target}, times * count))

    def _painting(self, element: Element, inherited: Inherited) -> int:
        """Cost of an element where it is drawn, beside its weight."""
        cost = _SHADOW * element.shadows + _BLENDING * element.blends
        if element.tag in TEXTS or element.weight >= _HTML_WEIGHT:
            cost += _SHADOW * inherited.text_shadows
        if element.tag not in SHAPES:
            return cost
        if inherited.dash < math.inf:
            is_unknown = self._keeps_widths and (inherited.scale.length > 1 or self._is_small_view)
            dashes = _MAX_DASHES if is_unknown else min(element.length / inherited.dash, _MAX_DASHES)
            cost += int(dashes) // _DASHES
        # Edges are drawn row by row, as far as they are in the drawing.
        vertices = max(element.vertices, _VERTICES_OF_SHAPE)
        length = min(element.length, UNKNOWN_LENGTH * max(1.0, self._side)) * min(
            inherited.scale.length, UNKNOWN_LENGTH
        )
        crossings = min(length / max(self._side, 1e-9), _CROSSINGS_OF_VERTEX * vertices)
        return cost + max(0, int(crossings / _CROSSINGS) - _surplus(element.vertices))

    def _surface(self, element: Element, inherited: Inherited, target: Element) -> int:
        """Return the cost of applying a target to the area of an element, without drawing the target itself."""
        cost = _SURFACES.get(target.tag, 0)
        if target.tag == "clipPath":
            return _CLIPPING if target.own or any(each.own or each.tag in _CLIPPED for each in target.children) else 0
        if target.tag == "mask" or element.tag not in SHAPES:
            return cost
        stroke = self._widest_stroke
        area = (element.width + stroke) * (element.height + stroke) * inherited.scale.area
        return math.ceil(cost * min(1.0, area / max(self._side, 1e-9) ** 2))

    def _inherited_by(self, element: Element) -> Inherited:
        """Return the references that an element inherits from its parents."""
        found = self._inherited.get(element)
        if found is None:
            parent = element.parent
            found = NOTHING if parent is None else self._inherited_by(parent).with_those_of(parent)
            self._inherited[element] = found
        return found


def _surplus(vertices: int) -> int:
    """Return the cost of a path in excess of an element's."""
    return (vertices // _SQUARED_VERTICES) ** 2


def _primitive(tag: str, attributes: Mapping[str, str]) -> int:
    """How often a filter primitive computes each pixel, about."""

    def number(name: str, most: int) -> int:
        # An entry may be two numbers, for either axis.
        found = [float(each) for each in NUMBER.findall(attributes.get(name, ""))]
        return int(min(max(found, default=1), most))

    if tag.startswith("feFunc") or tag.endswith("Light"):
        return 0
    if tag == "feTurbulence":
        return 1 + max(0, number("numOctaves", 10))
    if tag == "feConvolveMatrix":
        return max(1, number("order", 100) ** 2)
    if tag == "feMorphology":
        return 1 + max(0, number("radius", 1_000) // 4)
    return 3 if tag in {"feGaussianBlur", "feDropShadow"} else 1


def _is_marker(name: str) -> bool:
    # A variable may be used for anything.
    return name in _MARKERS or name.startswith("--")
