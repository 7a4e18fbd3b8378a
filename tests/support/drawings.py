"""SVGs that repeat very many elements in few bytes, and ordinary ones."""

from __future__ import annotations

import base64

from tests.support.pictures import png

PATH = "M0 0" + "h1" * 100_000
_BEGIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="100" height="100" viewBox="0 0 100 100">'
)
_XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'


def svg(body: str, begin: str = "") -> bytes:
    """Give a drawing of 100 by 100 pixels."""
    return f"{begin}{_BEGIN}{body}</svg>".encode()


def _levels(depth: int, times: int = 10, reference: str = "href") -> str:
    groups = (
        f'<g id="l{n}">' + f'<use {reference}="#l{n - 1}" x="{n}"/>' * times + "</g>" for n in range(1, depth + 1)
    )
    return '<defs><g id="l0"><rect width="1" height="1"/></g>' + "".join(groups) + "</defs>"


def uses(depth: int, times: int = 10, reference: str = "xlink:href") -> bytes:
    """Give groups that use one another: `times` ** `depth` rectangles."""
    return svg(_levels(depth, times, reference) + f'<use {reference}="#l{depth}"/>')


def chain(tag: str, prop: str, depth: int, how: str = "attribute") -> bytes:
    """Give patterns, masks, clip paths or markers that refer to one another, ten times each."""

    def refer(level: int) -> str:
        ways = {
            "attribute": f'{prop}="url(#p{level})"',
            "style": f"style=\"{prop}: url('#p{level}')\"",
            "sheet": f'class="c{level}"',
        }
        return ways[how]

    begin = f'<{tag} id="p%d" width="99" height="99" {tag}Units="userSpaceOnUse" markerWidth="9" markerHeight="9">'
    rules = "".join(f'g .c{level}:not(.x) {{ {prop}: url("#p{level}") }}' for level in range(depth + 1))
    levels = [begin % 0 + f'<rect width="5" height="5"/></{tag}>']
    levels += [
        begin % level + f'<path d="M0 0h9v9h1v1" {refer(level - 1)}/>' * 10 + f"</{tag}>"
        for level in range(1, depth + 1)
    ]
    sheet = f"<style>/* {{ */ {rules}</style>" if how == "sheet" else ""
    return svg(f'{sheet}<defs>{"".join(levels)}</defs><g><path d="M0 0h99v99h-99v-99" {refer(depth)}/></g>')


def address(data: bytes, mime: str = "image/svg+xml") -> str:
    """Give bytes as a `data:` address."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _body(drawing: bytes) -> str:
    return drawing.decode().partition(_BEGIN)[2].removesuffix("</svg>")


_MARKER = '<marker id="m"><rect width="1" height="1"/></marker>'
_PATTERNS = _body(chain("pattern", "fill", 6)).partition("<g>")[0]

BOMBS: dict[str, bytes] = {
    "use": uses(6),
    "use without xlink": uses(6, reference="href"),
    "patterns": chain("pattern", "fill", 8),
    "patterns by style": chain("pattern", "fill", 8, "style"),
    "patterns by sheet": chain("pattern", "fill", 8, "sheet"),
    "masks": chain("mask", "mask", 8),
    "masks by sheet": chain("mask", "mask", 8, "sheet"),
    "clip paths": chain("clipPath", "clip-path", 8),
    "markers": chain("marker", "marker-mid", 6),
    "markers along a path": svg(f'{_MARKER}<g marker-mid="url(#m)"><path d="{PATH}"/></g>'),
    "markers by sheet": svg(f'<style>g{{marker:url(#m)}}</style>{_MARKER}<g><path d="{PATH}"/></g>'),
    "a variable": svg(f'{_PATTERNS}<g style="--p: url(#p6)"><rect style="fill: var(--p)"/></g>'),
    "escapes": svg(f"<style>rect {{ fi\\6cl: u\\72l(#\\70 6) }}</style>{_PATTERNS}<rect/>"),
    "comments": svg(f'<style>i{{x:"/*"}} rect{{fill:url(#p6)}} i{{x:"*/"}}</style>{_PATTERNS}<rect/>'),
    "key frames": svg(
        f"<style>@keyframes k {{from {{fill:url(#p6)}}}} rect {{animation:k 1s}}</style>{_PATTERNS}<rect/>"
    ),
    "a default attribute": svg(f"{_PATTERNS}<rect/>", '<!DOCTYPE svg [<!ATTLIST rect fill CDATA "url(#p6)">]>'),
    "entities": svg("&b;", '<!DOCTYPE svg [<!ENTITY a "<rect/><rect/>"><!ENTITY b "&a;&a;">]>'),
    "spans": svg(f"<text>{'<tspan/>' * 25_000}</text>"),
    "a long text": svg(f'<defs><text id="t">{"x" * 100_000}</text></defs>' + '<use href="#t"/>' * 50),
    "a long path": svg(f'<defs><path id="t" d="{PATH}"/></defs>' + '<use href="#t"/>' * 500),
    "an animated reference": svg(f'{_levels(6)}<use href="#l0"><set attributeName="href" to="#l6" begin="1s"/></use>'),
    "many that move": svg('<rect><animate attributeName="x" to="9" dur="1s"/></rect>' * 1_500),
    "two that use one another": svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    "one that uses itself": svg('<g id="a"><use href="#a"/></g>'),
    "a drawing within": svg(f'<image href="{address(uses(6))}"/>'),
    "drawings within": svg(f'<g id="i"><image href="{address(uses(3, 5))}"/></g>' + '<use href="#i"/>' * 200),
    "a drawing in a sheet": svg(f"<style>rect{{mask-image:url({address(uses(6))})}}</style><rect/>"),
    "an image within": svg(f'<image href="{address(png(30_000, 30_000, b""), "image/png")}"/>'),
    "a sheet within": svg("<style>@import url(data:text/css,rect%7Bfill:url(%23p)%7D);</style>"),
    "turbulence": svg('<filter id="f">' + '<feTurbulence numOctaves="9"/>' * 99 + '</filter><rect filter="url(#f)"/>'),
    "many filters": svg('<filter id="f"><feGaussianBlur/></filter>' + '<rect filter="url(#f)"/>' * 1_000),
    "a filter by style": svg(f'<rect style="filter: {"blur(9px) " * 2_000}"/>'),
    "a page within": svg(f'<foreignObject><iframe {_XHTML} srcdoc="x"/></foreignObject>'),
    "a table within": svg(f'<foreignObject><table {_XHTML}><td rowspan="65534"/></table></foreignObject>'),
    "selectors": svg(
        "".join(f"<style>g *:nth-child({n}n) ~ * ~ * ~ rect {{fill: red}}</style>" for n in range(1, 2_000))
        + f"<g>{'<rect/>' * 6_000}</g>"
    ),
    "elements within one another": svg("<g>" * 3_000 + "</g>" * 3_000),
}

_GLYPHS = "".join(f'<path id="glyph-{n:x}" d="M 1959 3097 Q 1497 3097 1228 {n} L 32 9 z"/>' for n in range(60))
_POINTS = " L ".join(f"{n / 10} {n % 200}" for n in range(3_000))
_DOCTYPE = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'

ORDINARY: dict[str, bytes] = {
    # As matplotlib writes a scatter plot, with a line and with labels as glyphs.
    "plot": svg(
        "<defs><style>*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>"
        f'<defs><path id="m1" d="M 0 3 C 0.8 3 1.6 2.7 2.1 2.1 z"/>{_GLYPHS}</defs>'
        + "".join(
            f'<g clip-path="url(#p1)"><use xlink:href="#m1" x="{n / 20}" y="{n % 90}" style="fill: #1f77b4"/></g>'
            f'<g><use xlink:href="#glyph-{n % 60:x}" transform="translate({n % 90} 0)"/></g>'
            for n in range(1_200)
        )
        + f'<path d="M {_POINTS}" clip-path="url(#p1)" style="fill: none; stroke-dasharray: 3.7,1.6; stroke: red"/>'
        '<defs><clipPath id="p1"><rect width="90" height="90"/></clipPath></defs>',
        f'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n{_DOCTYPE}\n',
    ),
    # As Graphviz writes a graph.
    "graph": svg(
        "".join(
            f'<g id="node{n}" class="node"><title>{n}</title><a xlink:href="#x"><ellipse cx="{n}" rx="27" ry="18"/>'
            f'<text text-anchor="middle">label of {n}</text></a></g>'
            for n in range(800)
        )
    ),
    # With constants, as drawing programs write them.
    "constants": svg(
        '<style>.a{clip-path:url("#c");fill:#fff}</style><clipPath id="c"><rect/></clipPath><g class="a">&x;</g>',
        '<!DOCTYPE svg [<!ENTITY x "text"><!ENTITY ns "http://www.w3.org/2000/svg">]>',
    ),
    "hatches": svg(
        '<defs><pattern id="h" width="72" height="72"><rect width="73" height="73"/><path d="M 0 0 L 72 72"/></pattern>'
        '<linearGradient id="g"><stop offset="0"/></linearGradient></defs>'
        + '<rect width="5" height="5" style="fill: url(#h)"/><rect fill="url(#g)"/>'
        * 400
    ),
    "shadows": svg(
        '<filter id="s"><feGaussianBlur stdDeviation="2"/><feMerge><feMergeNode/><feMergeNode/></feMerge></filter>'
        + '<rect filter="url(#s)"/>' * 10
    ),
    "spinner": svg('<circle r="9"><animateTransform attributeName="transform" type="rotate" to="360"/></circle>'),
    "image": svg(f'<image href="{address(png(9, 9, bytes(90)), "image/png")}" width="9" height="9"/>'),
    "long path": svg(f'<path d="{PATH}" stroke="red"/>'),
    "label": svg(f'<foreignObject><div {_XHTML} style="display: inline-block"><p>label</p></div></foreignObject>'),
}
