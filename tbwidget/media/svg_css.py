"""CSS of SVGs, as far as the cost of drawing depends on it.

Properties, functions and at-rules that cost little are listed; whatever is not listed is refused, and so is what could
be parsed in two ways. No style can thus cost more than is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tbwidget.reasons import Reason

MAX_SHADOWS = 8
"""Shadows of one text or box."""

_MAX_VARIABLE_CHARACTERS = 200
_BLUR_PASSES = 3  # as of `feGaussianBlur`

# Properties of SVG, text, boxes of HTML and motion (which is counted where it is declared), with prefixes.
_KNOWN_PROPERTIES = """
alignment-baseline baseline-shift block-progression clip clip-path clip-rule color color-interpolation
color-interpolation-filters color-profile color-rendering color-scheme cursor direction display dominant-baseline
enable-background fill fill-opacity fill-rule filter flood-color flood-opacity forced-color-adjust
glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
lighting-color marker marker-end marker-mid marker-start mask mask-clip mask-composite mask-image mask-mode
mask-origin mask-position mask-repeat mask-size mask-type mix-blend-mode object-fit object-position opacity overflow
paint-order pointer-events shape-inside shape-margin shape-padding shape-rendering shape-subtract solid-color
solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashadjust stroke-dashcorner stroke-dashoffset
stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width transform transform-box transform-origin
vector-effect visibility
font font-display font-family font-feature-settings font-kerning font-optical-sizing font-size font-size-adjust
font-stretch font-style font-synthesis font-variant font-variant-alternates font-variant-caps font-variant-east-asian
font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-weight hyphens
inline-size line-height src tab-size text-align text-align-last text-anchor text-decoration text-decoration-color
text-decoration-line text-decoration-skip-ink text-decoration-fill text-decoration-stroke text-decoration-style
text-decoration-thickness text-indent text-orientation text-overflow text-rendering text-shadow text-transform
text-underline-offset text-wrap unicode-bidi unicode-range vertical-align white-space white-space-collapse word-break
word-spacing word-wrap overflow-wrap writing-mode orphans widows text-wrap-mode text-wrap-style
accent-color align-content align-items align-self appearance background background-attachment background-clip
background-color background-image
background-origin background-position background-repeat background-size border border-bottom border-bottom-color
border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse
border-color border-left border-left-color border-left-style border-left-width border-radius border-right
border-right-color border-right-style border-right-width border-spacing border-style border-top border-top-color
border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom box-shadow
box-sizing clear flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float gap height
justify-content justify-items justify-self left list-style list-style-position list-style-type margin margin-bottom
margin-left margin-right margin-top max-height max-width min-height min-width order outline outline-color
outline-offset outline-style outline-width overflow-x overflow-y padding padding-bottom padding-left padding-right
padding-top page-break-inside position right row-gap table-layout top user-select width z-index border-image
caret-color scrollbar-color
animation animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count
animation-name animation-play-state animation-timing-function transition transition-delay transition-duration
transition-property transition-timing-function
-webkit-filter -webkit-font-smoothing -webkit-text-size-adjust -webkit-user-select -moz-osx-font-smoothing
-moz-user-select -webkit-print-color-adjust -webkit-tap-highlight-color -webkit-line-clamp -webkit-box-orient
-webkit-text-fill-color -webkit-text-stroke-color -webkit-text-stroke-width -webkit-box-sizing -moz-box-sizing
"""
_PROPERTIES = frozenset(_KNOWN_PROPERTIES.split())
_IGNORED_PREFIXES = ("-inkscape-", "inkscape-", "-ms-", "-o-", "mso-")  # no browser knows any of these
_KNOWN_FUNCTIONS = """
attr calc clamp color color-mix cubic-bezier env format hsl hsla hwb lab lch light-dark local matrix max min oklab
oklch rgb rgba rotate scale scalex scaley skew skewx skewy steps tech translate translatex translatey url var
"""
_FUNCTIONS = frozenset(_KNOWN_FUNCTIONS.split())
_FILTER_FUNCTIONS = {
    **dict.fromkeys(("brightness", "contrast", "grayscale", "hue-rotate", "invert", "opacity", "saturate", "sepia"), 1),
    **dict.fromkeys(("blur", "drop-shadow"), _BLUR_PASSES),
}
_CLIP_FUNCTIONS = {"circle", "ellipse", "inset"}
_SUBSTITUTIONS = {"attr", "env", "var"}
_COUNTED = re.compile(r"filter$|shadow$|^mask|^clip-path$|^marker|^stroke-dasharray$")
_MEASURED = {
    *("stroke-dasharray", "stroke-width", "vector-effect", "transform", "width", "height"),
    *("text-shadow", "box-shadow", "mix-blend-mode"),
}
_GROUPS_OF_RULES = {"@media", "@supports"}
_STATEMENTS = {"@charset", "@import", "@namespace"}
_KEYFRAMES = re.compile(r"@(?:-\w+-)?keyframes$")

_TOKEN = re.compile(r"""["']|/\*|url\(\s*""", re.IGNORECASE)
_STRING_ENDS = {quote: re.compile(rf"(?:[^{quote}\\\n]|\\.)*{quote}?", re.DOTALL) for quote in "\"'"}
_URL_END = re.compile(r"(?:[^)\\]|\\.)*\)?", re.DOTALL)
_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))""", re.IGNORECASE)
_BRACKET = re.compile(r"[()\[\]]")
_CLOSED_BY = {"(": ")", "[": "]"}
_ARGUMENTS = re.compile(r"\([^()]*\)")
_FUNCTION = re.compile(r"(?<![\w-])([\w-]*)\(")
_DASH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:%|[a-z]+)?", re.IGNORECASE)
_COMPOUND = re.compile(r"[\s>+~]+")
_GROUPS = re.compile(r"\[[^\[\]]*\]|::?[\w-]+(?:\([^()]*\))?")
_SIMPLE = re.compile(r"([#.])((?:[\w-]|[^\x00-\x7f])+)")

_HIDDEN = "\"'\\{}()[];:,&@/!"
_HIDE = {ord(character): 0xE000 + ord(character) for character in _HIDDEN}
_IN_USE = re.compile("[\ue000-\ue07f]")
_SHOW = {code: character for character, code in _HIDE.items()}


class TooExpensiveError(ValueError):
    """The drawing is not to be drawn; the message is for people."""


def refusal(reason: str) -> TooExpensiveError:
    """Return what to raise for a drawing that is not to be drawn for this reason."""
    return TooExpensiveError(Reason("svg-complex", detail=reason))


class Declaration(NamedTuple):
    """A property and its value, both found to be harmless but for what the other methods count."""

    name: str
    value: str

    def passes(self) -> int:
        """Count the passes that the functions of a filter make over all pixels."""
        if not self.name.endswith("filter"):
            return 0
        return sum(_FILTER_FUNCTIONS.get(name.lower(), 0) for name in _FUNCTION.findall(self.value))

    def shadows(self) -> int:
        """Count the shadows of a text or box."""
        plain = _ARGUMENTS.sub("", self.value)
        return 0 if plain.strip().lower() in {"", "none"} else 1 + plain.count(",")

    def matters(self) -> bool:
        """Whether it is to be counted."""
        return self.name in _MEASURED or "url(" in self.value.lower() or self.passes() > 0

    def addresses(self) -> list[str]:
        """Give what `url()` refers to."""
        found = ("".join(parts).translate(_SHOW).strip() for parts in _URL.findall(self.value))
        return [re.sub(r"[\t\n]", "", each) for each in found]

    def dash(self) -> float | None:
        """Give the length after which the dashes of a stroke repeat, in user units."""
        if self.name != "stroke-dasharray":
            return None
        total = 0.0
        for part in re.split(r"[\s,]+", self.value.partition("!")[0].strip()):
            if found := _DASH.fullmatch(part):
                total += abs(float(found.group(1)))
            elif part and not part.isalpha():
                raise refusal("dashes of unknown length")
        return total or None


class Rule(NamedTuple):
    """Declarations of a style sheet."""

    key: str
    """"#id", ".class" or tag; an element must have one of them; "*" for any."""
    declarations: list[Declaration]


def declarations(body: str) -> list[Declaration]:
    """Give the declarations of a `style` attribute. Raises TooExpensiveError for rules that may be expensive."""
    plain = _plain(body)
    if "{" in plain or "}" in plain:
        raise refusal("blocks within a style")
    return _declarations(plain)


def declaration(name: str, value: str) -> Declaration:
    """Give the declaration that an attribute stands for. Raises TooExpensiveError like `declarations`."""
    return _checked(name, _plain(value))


def rules(sheet: str) -> Iterator[Rule]:
    """Give the rules of a style sheet. Raises TooExpensiveError like `declarations`."""
    plain = _plain(sheet)
    if "@import" in plain.lower() and ("data:" in sheet.lower() or "\\" in sheet):
        raise refusal("style sheets within it")
    # Kinds of the blocks around the current text: groups of rules, key frames, or declarations of these selectors.
    within: list[str] = []
    before = ""
    for part in (*re.split("([{}])", plain), *("}" * plain.count("{"))):  # open blocks end with the sheet
        if part == "{":
            *statements, prelude = before.split(";")
            _check_statements(statements)
            within.append(_block(prelude.strip(), within[-1] if within else ""))
            before = ""
        elif part == "}":
            kind = within.pop() if within else ""
            if kind == "@font-face":
                # Its glyphs may have any number of vertices and layers.
                if any(
                    address[:5].lower() == "data:" for each in _declarations(before) for address in each.addresses()
                ):
                    raise refusal("a font within it")
            elif kind and not kind.startswith("@"):
                yield from _rules_of(kind, before)
            else:
                _check_statements(before.split(";"))
            before = ""
        else:
            before = part


def _block(prelude: str, outer: str) -> str:
    """Return what a block is: the name of an at-rule, or selectors."""
    is_frame = _KEYFRAMES.match(outer) is not None
    if "&" in prelude or (outer and not is_frame and outer not in _GROUPS_OF_RULES):
        raise refusal("style rules within one another")
    _check_brackets(prelude)
    if not prelude.startswith("@"):
        return "*" if is_frame else prelude or "*"
    name = re.split(r"[\s(]", prelude.lower(), maxsplit=1)[0]
    if is_frame or not (name in _GROUPS_OF_RULES or name == "@font-face" or _KEYFRAMES.match(name)):
        raise refusal(f"{name[:20]} in its style")
    return name


def _rules_of(selectors: str, body: str) -> Iterator[Rule]:
    if found := _declarations(body):
        for selector in _GROUPS.sub("\0", _GROUPS.sub("\0", selectors)).split(","):
            yield Rule(_key(selector), found)


def _check_statements(statements: list[str]) -> None:
    for statement in statements:
        _check_brackets(statement)
        text = statement.strip().lower()
        if text.startswith("@") and text.split()[0] not in _STATEMENTS:
            raise refusal(f"{text.split()[0][:20]} in its style")


def _check_brackets(text: str) -> None:
    """Refuse brackets that do not match: what follows would mean something else than it seems."""
    open_ones: list[str] = []
    for bracket in _BRACKET.findall(text):
        if bracket in _CLOSED_BY:
            open_ones.append(_CLOSED_BY[bracket])
        elif not open_ones or open_ones.pop() != bracket:
            raise refusal("brackets in its style that do not match")
    if open_ones:
        raise refusal("brackets in its style that do not match")


def _declarations(body: str) -> list[Declaration]:
    found = []
    for part in body.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found.append(_checked(name.strip(), value.strip()))
        else:
            _check_brackets(part)
    return found


def _checked(name: str, value: str) -> Declaration:
    """Return a declaration whose cost is small, or is counted."""
    name = name if name.startswith("--") else name.lower()
    is_variable = name.startswith("--")
    _check_brackets(value)
    if name not in _PROPERTIES and not is_variable and not name.startswith(_IGNORED_PREFIXES):
        raise refusal(f"{name[:30]} in its style")
    functions = [found.lower() for found in _FUNCTION.findall(value)]
    allowed = _FUNCTIONS
    if name.endswith("filter"):
        allowed = allowed | _FILTER_FUNCTIONS.keys()
    elif name == "clip-path":
        allowed = allowed | _CLIP_FUNCTIONS
    for function in functions:
        if function and function not in allowed:
            raise refusal(f"{function[:30]}() in its style")
        if function in _SUBSTITUTIONS and _COUNTED.search(name):
            raise refusal(f"{function}() as its {name[:30]}")
    # Variables of variables multiply.
    if is_variable and (len(value) > _MAX_VARIABLE_CHARACTERS or functions.count("var") > 1):
        raise refusal("long variables in its style")
    if name.endswith("shadow") and _ARGUMENTS.sub("", value).count(",") > MAX_SHADOWS:
        raise refusal("many shadows")
    return Declaration(name, value)


def _plain(text: str) -> str:
    """CSS without comments; characters in strings and addresses that mean something elsewhere are hidden."""
    text = re.sub(r"\r\n?|\f", "\n", text)
    if _IN_USE.search(text):
        raise refusal("characters for private use in its style")
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
            at = _end_of(_STRING_ENDS[token.group()], text, end)
            quote = token.group()
            parts.append(quote + text[end:at].removesuffix(quote).translate(_HIDE) + quote)
            continue
        parts.append("url(")
        at = end
        if text[end : end + 1] not in _STRING_ENDS:
            at = _end_of(_URL_END, text, end)
            parts.append(text[end:at].removesuffix(")").translate(_HIDE) + ")")
    plain = "".join([*parts, text[at:]])
    if "\\" in plain or any("\\".translate(_HIDE) in "".join(found) for found in _URL.findall(plain)):
        raise refusal("escapes in its style")
    return plain


def _end_of(expression: re.Pattern[str], text: str, at: int) -> int:
    found = expression.match(text, at)
    return found.end() if found else at


def _key(selector: str) -> str:
    """Return an id, a class or a tag that every element matching the selector has."""
    last = ([part for part in _COMPOUND.split(selector.strip()) if part] or ["*"])[-1].rpartition("|")[2]
    plain = last.replace("\0", "")
    if "(" in selector or ")" in selector:
        return "*"
    if simple := _SIMPLE.search(plain):
        return simple.group(1) + simple.group(2)
    return plain if re.fullmatch(r"[\w-]+", plain) else "*"
