"""Cost of drawing an SVG, estimated before any browser draws it: an `<img>` that is being decoded cannot be stopped.

A few bytes can name very many elements: `<use>`, patterns, masks and markers repeat what they refer to, also within one
another. `check_svg` expands these references as a browser would, and stops at a limit, so that its own time is bounded.
Where it is unsure which elements a style concerns it assumes the most expensive case.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote, unquote_to_bytes
from xml.parsers import expat

from tbwidget.logs.image_header import ImageInfo, image_info
from tbwidget.logs.pixels import MOST_PIXELS, check_size

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
_MAX_SHADOWS = 8  # of one text
_MAX_INHERITED = 100  # references that one element inherits
_TEXT_CHARACTERS = 20  # that cost as much as an element
_PATH_CHARACTERS = 500  # likewise
_HTML_WEIGHT = 20  # an element of HTML within a drawing is laid out as a page is

_HTML = "http://www.w3.org/1999/xhtml"
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath", "tref"}
_TEXTS = {"text", "tspan", "textPath", "tref"}
_ANIMATIONS = {"animate", "animateColor", "animateMotion", "animateTransform", "set"}
_WITHOUT_COST = {"linearGradient", "radialGradient"}
_REPEATING = {"use", "pattern", "feImage", "textPath", "mpath", "filter", "mask", "tref"}  # by their `href`
_PAGES = {"iframe", "frame", "object", "embed", "portal"}
_PAINTS = {"fill", "stroke"}
_MARKERS = {"marker", "marker-start", "marker-mid", "marker-end"}
_FILTER_SETTINGS = {"stdDeviation", "numOctaves", "baseFrequency", "radius", "order", "kernelMatrix", "scale"}

_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))""", re.IGNORECASE)
_TOKEN = re.compile(r"""["']|/\*|url\(\s*""", re.IGNORECASE)
_STRING_ENDS = {quote: re.compile(rf"(?:[^{quote}\\\n]|\\.)*{quote}?", re.DOTALL) for quote in "\"'"}
_URL_END = re.compile(r"(?:[^)\\]|\\.)*\)?", re.DOTALL)
_MATTERS = re.compile(r"url|filter|shadow|image-set|element\(|grid|column|repeat\(|\\", re.IGNORECASE)
_WHOLE_URL = re.compile(r"""url\((?:\s*"[^"]*"\s*|\s*'[^']*'\s*|[^()"']*)\)""", re.IGNORECASE)
_BY_SCREEN = re.compile(r"image-set|element\(", re.IGNORECASE)
_GRID = re.compile(r"^(?:grid|column)|repeat\(", re.IGNORECASE)
_SIBLINGS = re.compile("~|:has|:nth")
_COMPOUND = re.compile(r"[\s>+~]+")
_GROUPS = re.compile(r"\[[^\[\]]*\]|::?[\w-]+(?:\([^()]*\))?")
_SIMPLE = re.compile(r"([#.])((?:[\w-]|[^\x00-\x7f])+)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*(?:[eE][-+]?\d[^a-zA-Z]*)*)")
_NUMBERS_OF_COMMAND = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 5}


def check_svg(data: bytes, width: int, height: int) -> None:
    """Raise ValueError, in words for people, for a drawing of this size that is too expensive to draw."""
    _Estimate(max(width * height, MIN_AREA_PIXELS)).add(data, 0)


class _TooExpensiveError(ValueError):
    """The drawing is not to be drawn; the message is for people."""


def _refuse(reason: str) -> _TooExpensiveError:
    return _TooExpensiveError(f"SVG too complex to draw: {reason}")


class _Element:
    """An element, and what it refers to."""

    __slots__ = ("children", "filters", "hrefs", "markers", "own", "paints", "parent", "tag", "vertices", "weight")

    def __init__(self, tag: str, parent: _Element | None) -> None:
        self.tag = tag
        self.parent = parent
        self.children: list[_Element] = []
        self.weight = 1
        self.filters = 0
        """Number of passes that its filters make over all pixels of the drawing."""
        self.vertices = 0
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

    def with_those_of(self, element: _Element) -> _Inherited:
        """Return what the elements within an element inherit."""
        if not element.paints and not element.markers:
            return self
        found = _Inherited(self.paints | element.paints, self.markers | element.markers)
        if len(found.paints) + len(found.markers) > _MAX_INHERITED:
            raise _refuse(f"more than {_MAX_INHERITED} references of one element")
        return found


_NOTHING = _Inherited(frozenset(), frozenset())


class _Rule(NamedTuple):
    """Declarations of a style sheet that refer to something, or filter."""

    key: str
    """"#id", ".class" or tag, one of which an element must have; "*" for any."""
    declarations: Mapping[str, str]


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
            raise _refuse(f"more than {most:,} elements{animated}")
        if self._filter_pixels > (most := MAX_FILTER_PIXELS // self._share):
            raise _refuse(f"filters of more than {most / 1e6:g} million pixels{animated}")

    def embed(self, address: str, depth: int) -> tuple[int, int]:
        """Count what a `data:` address holds; returns the elements and filters in it."""
        kind, _, content = address[5:].partition(",")
        mime = kind.lower()
        if "font" in mime or mime.startswith(("audio/", "video/")):
            return 0, 0
        if not (mime.startswith("image/") or "octet" in mime or mime in {"", ";base64"}):
            raise _refuse(f"{mime[:40]} within it")
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
            raise _refuse("drawings within one another")
        return self.add(data, depth + 1)

    def _add_raster(self, data: bytes, found: ImageInfo) -> None:
        if found.width is None or found.height is None:
            raise _refuse("an image within it that cannot be read")
        try:
            check_size(found.width, found.height, found.format)
        except ValueError as error:
            raise _refuse(f"an image within it of {error}") from error
        if data not in self._rasters:
            self._rasters.add(data)
            self._raster_pixels += found.width * found.height
            if self._raster_pixels > MOST_PIXELS:
                raise _refuse(f"images of more than {MOST_PIXELS // 1_000_000} million pixels within it")


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
        except _TooExpensiveError:
            raise
        except expat.ExpatError as error:
            raise ValueError(f"broken: no well-formed SVG ({expat.ErrorString(error.code)})") from error
        except (LookupError, ValueError) as error:
            raise ValueError("broken: an SVG in an unknown encoding") from error
        self._apply(rule for sheet in self._sheets for rule in self._rules(sheet))

    @staticmethod
    def _entity(_name: str, is_parameter: int, value: str | None, *_external: object) -> None:
        # Constants are common; entities within entities multiply.
        if is_parameter or (value is not None and (len(value) > _MAX_ENTITY_CHARACTERS or re.search("[&<%]", value))):
            raise _refuse("entities within entities")

    @staticmethod
    def _instruction(target: str, _data: str) -> None:
        if target.lower() == "xml-stylesheet":
            raise _refuse("a style sheet beside it")

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
            raise _refuse(f"more than {_MAX_DEPTH} elements within one another")
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
        own_id = attributes.get("id")
        if own_id is not None:
            self._by_id.setdefault(own_id, element)
        self._styled.append((element, own_id, attributes.get("class", "").split()))
        self._estimate.spend(element.weight)

    def _attribute(self, element: _Element, name: str, value: str) -> None:
        if name in {"d", "points"}:
            element.vertices = _vertices(value)
            element.weight += len(value) // _PATH_CHARACTERS
            return
        address = re.sub(r"[\t\r\n]", "", value).strip("\0 ")
        if address[:5].lower() == "data:":
            self._embed(element, address)
        elif name == "href":
            if element.tag in _REPEATING and address.startswith("#"):
                element.hrefs.append(address[1:])
        elif name == "srcset" and "data:" in value.lower():
            raise _refuse("images within it that depend on the screen")
        elif _MATTERS.search(f"{name}:{value}"):
            plain = _plain_css(value)
            if "\\" in value:
                self._declare(element, _any(plain))
            else:
                self._declare(element, _declarations(plain) if name == "style" else {name.lower(): plain})

    def _html(self, element: _Element, attributes: Mapping[str, str]) -> None:
        self._has_html = True
        element.weight = _HTML_WEIGHT
        if element.tag.lower() in _PAGES:
            raise _refuse("pages within it")
        for name in ("colspan", "rowspan", "span"):
            span = attributes.get(name, "")
            if span and (len(span) > _MAX_SPAN_DIGITS or not span.isdecimal()):
                raise _refuse("large tables within it")

    def _animation(self, element: _Element, attributes: Mapping[str, str]) -> None:
        parent = element.parent.tag if element.parent else ""
        changed = attributes.get("attributeName", "")
        values = " ".join(attributes.get(name, "") for name in ("from", "to", "by", "values"))
        if changed.rpartition(":")[2] in {"href", "style", "class"} or re.search(r"url|\\", values, re.IGNORECASE):
            raise _refuse("references that change while it plays")
        if parent == "filter" or parent.startswith("fe") or changed in _FILTER_SETTINGS or "(" in values:
            raise _refuse("filters that change while it plays")
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

    def _declare(self, element: _Element, declarations: Mapping[str, str]) -> None:
        """Note what the declarations of a style refer to."""
        for name, value in declarations.items():
            if name.endswith("shadow") and value.count(",") > _MAX_SHADOWS:
                raise _refuse("many shadows")
            if _BY_SCREEN.search(value):
                raise _refuse("images within it that depend on the screen")
            if self._has_html and _GRID.search(f"{name}:{value}"):
                raise _refuse("pages within it")
            if name.endswith("filter"):
                element.filters += _URL.sub("", value).count("(")
            addresses = _addresses(value)
            for address in addresses:
                if address[:5].lower() == "data:":
                    self._embed(element, address)
            held = element.paints if name in _PAINTS else element.markers if _is_marker(name) else element.own
            held.update(address[1:] for address in addresses if address.startswith("#"))

    def _rules(self, sheet: str) -> Iterator[_Rule]:
        plain = _plain_css(sheet)
        lower = plain.lower()
        if "@import" in lower and "data:" in lower:
            raise _refuse("style sheets within it")
        self._selectors += plain.count("{") + plain.count(",")
        self._steps = max(self._steps, len(self._styled) if _SIBLINGS.search(lower) else _ANCESTOR_STEPS)
        if self._selectors * len(self._styled) * self._steps > MAX_STYLE_STEPS:
            raise _refuse("style sheets of many selectors")
        if re.search(r"animation|@keyframes", lower):
            self._estimate.animate()
        # Where blocks cannot be told apart for certain, a declaration may concern any element.
        is_unsure = "\\" in sheet or "@keyframes" in lower or "@-" in lower
        rest = [plain]
        if not is_unsure:
            rest.clear()
            for selectors, body in _blocks(plain, rest):
                declarations = _declarations(body)
                if declarations and selectors.strip().lower() != "@font-face":
                    for selector in _GROUPS.sub("\0", _GROUPS.sub("\0", selectors)).split(","):
                        yield _Rule(_key(selector), declarations)
        left = " ".join(rest)
        if _MATTERS.search(left):
            yield _Rule("*", _any(left))

    def _apply(self, rules: Iterable[_Rule]) -> None:
        """Give elements what a style sheet declares for them."""
        by_key: dict[str, dict[str, list[str]]] = {}
        for key, declarations in rules:
            merged = by_key.setdefault(key, {})
            for name, value in declarations.items():
                merged.setdefault(name, []).append(value)
        joined = {key: {name: " ".join(all_) for name, all_ in merged.items()} for key, merged in by_key.items()}
        for element, own_id, classes in self._styled if joined else ():
            for key in ("*", element.tag, f"#{own_id}", *(f".{name}" for name in classes)):
                if key in joined:
                    # A long sheet that concerns all elements is too expensive by itself.
                    self._estimate.spend(sum(map(len, joined[key].values())) // _PATH_CHARACTERS)
                    self._declare(element, joined[key])

    def expand(self) -> None:
        """Count what references repeat. Raises ValueError beyond the limits, or where references form a cycle."""
        nothing: frozenset[_Element] = frozenset()
        waiting = [] if self._root is None else [(self._root, _NOTHING, nothing, 1)]
        while waiting:
            element, above, within, times = waiting.pop()
            # The elements of the document themselves were counted when they were read.
            filters = element.filters if within or not element.tag.startswith("fe") else 0
            self._estimate.spend(element.weight * times if within else 0, filters * times)
            inherited = above.with_those_of(element)
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
                    raise _refuse("references that form a cycle")
                if len(within) >= _MAX_REFERENCE_DEPTH:
                    raise _refuse(f"more than {_MAX_REFERENCE_DEPTH} references within one another")
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


def _vertices(value: str) -> int:
    """Upper bound for the vertices of a path or of a list of points."""
    if not re.search("[a-df-zA-DF-Z]", value):
        return len(_NUMBER.findall(value)) // 2 + 1
    count = 0
    for command, numbers in _COMMAND.findall(value):
        count += 1 + len(_NUMBER.findall(numbers)) // _NUMBERS_OF_COMMAND.get(command.lower(), 1)
    return count


def _plain_css(text: str) -> str:
    """CSS without comments; where there are escapes, without these and with its comments.

    An escape may hide where a comment begins, so what stands in one counts, too.
    """
    if "\\" in text:
        return _ESCAPE.sub(lambda found: _character(found.group(1)) if found.group(1) else found.group(2), text)
    parts, at = [], 0
    while (token := _TOKEN.search(text, at)) is not None:
        begin, end = token.span()
        parts.append(text[at:begin])
        if token.group() == "/*":
            close = text.find("*/", end)
            parts.append(" ")
            at = len(text) if close < 0 else close + 2
            continue
        if token.group() in _STRING_ENDS:
            end = _end_of(_STRING_ENDS[token.group()], text, end)
        elif text[end : end + 1] not in _STRING_ENDS:
            end = _end_of(_URL_END, text, end)
        # A brace within a string begins no block.
        parts.append(text[begin:end].replace("{", "%7B").replace("}", "%7D"))
        at = end
    return "".join([*parts, text[at:]])


def _end_of(expression: re.Pattern[str], text: str, at: int) -> int:
    found = expression.match(text, at)
    return found.end() if found else at


def _blocks(sheet: str, rest: list[str]) -> Iterator[tuple[str, str]]:
    """Give the selectors and declarations of the innermost blocks; `rest` gets what stands outside of them."""
    selectors: str | None = None
    before = ""
    for part in re.split("([{}])", sheet):
        if part == "{":
            rest.append(selectors or "")
            outside, _, selectors = before.rpartition(";")
            rest.append(outside)
            before = ""
        elif part == "}":
            if selectors is None:
                rest.append(before)
            else:
                yield selectors, before
            selectors, before = None, ""
        else:
            before = part
    rest += [selectors or "", before]


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number < 0x110000 else "\ufffd"  # noqa: PLR2004 (the end of Unicode)


def _any(css: str) -> dict[str, str]:
    """Declarations for CSS that cannot be parsed with certainty."""
    return {"--any": css, "filter": css if "filter" in css.lower() else ""}


def _declarations(body: str) -> dict[str, str]:
    """Declarations that refer to something, or cost much by themselves."""
    merged: dict[str, list[str]] = {}
    stashed: list[str] = []

    def stash(found: re.Match[str]) -> str:
        stashed.append(found.group())
        return f"\0{len(stashed) - 1}\0"

    # A semicolon within an address does not end a declaration.
    for part in _WHOLE_URL.sub(stash, body.replace("\0", "")).split(";"):
        name, _, value = part.partition(":")
        whole = re.sub("\0(\\d+)\0", lambda found: stashed[int(found.group(1))], value)
        if _MATTERS.search(f"{name}:{whole}"):
            merged.setdefault(name.strip().lower(), []).append(whole)
    if any("url(" in address[4:].lower() for address in stashed):
        return _any(body)
    return {key: " ".join(values) for key, values in merged.items()}


def _is_marker(name: str) -> bool:
    # A variable may be used for anything.
    return name in _MARKERS or name.startswith("--")


def _addresses(value: str) -> list[str]:
    found = ("".join(parts).strip() for parts in _URL.findall(value))
    return [re.sub(r"[\t\r\n]", "", each) for each in found]


def _key(selector: str) -> str:
    """Return an id, a class or a tag that every element matching the selector has."""
    if selector.lstrip().startswith("@"):
        return "*"
    last = ([part for part in _COMPOUND.split(selector.strip()) if part] or ["*"])[-1].rpartition("|")[2]
    plain = last.replace("\0", "")
    if simple := _SIMPLE.search(plain):
        return simple.group(1) + simple.group(2)
    return plain if re.fullmatch(r"[\w-]+", plain) else "*"
