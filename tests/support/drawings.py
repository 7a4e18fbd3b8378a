"""SVGs that repeat millions of elements in few bytes, and ordinary ones."""

from __future__ import annotations

import base64

from tests.support.pictures import png

PATH = "M0 0" + "h1" * 20_000
_BEGIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="100" height="100" viewBox="0 0 100 100">'
)
_XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'


def svg(body: str, begin: str = "") -> bytes:
    """Return a drawing of 100 by 100 pixels."""
    return f"{begin}{_BEGIN}{body}</svg>".encode()


def _levels(depth: int, times: int = 10, reference: str = "href") -> str:
    groups = (
        f'<g id="l{n}">' + f'<use {reference}="#l{n - 1}" x="{n}"/>' * times + "</g>" for n in range(1, depth + 1)
    )
    return '<defs><g id="l0"><rect width="1" height="1"/></g>' + "".join(groups) + "</defs>"


def uses(depth: int, times: int = 10, reference: str = "xlink:href") -> bytes:
    """Return groups that use one another: `times` ** `depth` rectangles."""
    return svg(_levels(depth, times, reference) + f'<use {reference}="#l{depth}"/>')


def chain(tag: str, prop: str, depth: int, how: str = "attribute") -> bytes:
    """Return patterns, masks, clip paths or markers that refer to one another, ten times each."""

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
    """Return bytes as a `data:` address."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _body(drawing: bytes) -> str:
    return drawing.decode().partition(_BEGIN)[2].removesuffix("</svg>")


_MARKER = '<marker id="m"><rect width="1" height="1"/></marker>'
_PATTERNS = _body(chain("pattern", "fill", 6)).partition("<g>")[0]

_ZIGZAG = "M" + " ".join(f"{7919 * n % 320} {n % 2 * 320}" for n in range(20_000))
_SHORT_ZIGZAG = "M" + " ".join(f"{7919 * n % 320} {n % 2 * 320}" for n in range(196))
_FULL = '<rect width="100" height="100"'
_DILATE = '<feMorphology operator="dilate" radius="3000"/>'
_CIRCLE = '<circle id="c" cx="50" cy="50" r="45" fill="none" stroke="red" %s/>' + '<use href="#c"/>' * 6_000


def _styled(rules: str, body: str = "<rect/>", times: int = 100) -> bytes:
    return svg(f"<style>{rules}</style>{body * times}")


def _foreign(style: str, name: str = f"div {_XHTML}") -> bytes:
    return svg(
        f'<foreignObject width="99" height="99"><{name} style="{style}">x</{name.partition(" ")[0]}></foreignObject>'
    )


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
    "comments": svg(f'<style>i{{font:"/*"}} rect{{fill:url(#p6)}} i{{font:"*/"}}</style>{_PATTERNS}<rect/>'),
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
    "rules within one another": _styled("rect{" + ":is(&amp;,&amp;){" * 40 + "fill:red" + "}" * 41),
    "rules within one another without an ampersand": _styled("rect{" + ":is(*,*){" * 40 + "fill:red" + "}" * 41),
    "rules within one another in a medium": _styled("@media all{g{@media all{" + "i{}" * 9 + "}}}"),
    "a rule behind braces in a string": _styled("g{font-family:'}i{'} rect{filter:blur(9px)}"),
    "a filter by a variable": _styled(f":root{{--f:{'blur(9px) ' * 5_000}}} rect{{filter:var(--f)}}"),
    "a filter by a variable of a style": svg(
        '<g style="--f:blur(9px)">' + '<rect style="filter:var(--f)"/>' * 100 + "</g>"
    ),
    "a filter by an attribute and a variable": svg('<g style="--f:url(#f)"><rect filter="var(--f)"/></g>'),
    "a shadow by a variable": _styled(":root{--s:0 0 9px red} text{text-shadow:var(--s)}"),
    "a mask by a variable": svg(f'{_PATTERNS}<g style="--m:url(#p6)"><g mask="var(--m)"><rect/></g></g>'),
    "blurs by sheet": _styled("rect{filter:blur(9px)}"),
    "drop shadows": _styled("rect{filter:drop-shadow(0 0 9px red)}"),
    "variables of variables": _styled(
        ":root{--a0:red;" + "".join(f"--a{n}:var(--a{n - 1})var(--a{n - 1});" for n in range(1, 20)) + "}"
    ),
    "dashes": svg(_CIRCLE % 'stroke-dasharray=".002"'),
    "dashes by style": svg(_CIRCLE % 'style="stroke-dasharray:.002"'),
    "dashes by sheet": svg("<style>*{stroke-dasharray:.002}</style>" + _CIRCLE % ""),
    "dashes by an element around": svg(f'<g stroke-dasharray=".002">{_CIRCLE % ""}</g>'),
    "dashes by a variable": svg('<g style="--d:.002">' + _CIRCLE % 'style="stroke-dasharray:var(--d)"' + "</g>"),
    "dashes by calc": svg(_CIRCLE % 'style="stroke-dasharray:calc(.002px)"'),
    "dashes by the length of a path": svg(_CIRCLE % 'pathLength="1e6" stroke-dasharray="1"'),
    "dashes that move": svg(
        '<circle id="c" r="45"><animate attributeName="stroke-dasharray" from=".002" to="9" dur="1s"/></circle>'
        + '<use href="#c"/>' * 900
    ),
    "dashes in a large view": svg(
        '<svg viewBox="0 0 1e6 1e6">' + '<circle r="4e5" stroke="red" stroke-dasharray="5"/>' * 99 + "</svg>"
    ),
    "dashes of an enlarged path": svg(
        '<g transform="scale(1e5)"><path id="p" d="M0 0h1" stroke-dasharray="1" vector-effect="non-scaling-stroke"/>'
        + '<use href="#p"/>' * 100
        + "</g>"
    ),
    "dashes of smooth curves": svg(
        f'<path id="p" d="M0 0Q1e5 0 0 1{"T0 0" * 30}" stroke="red" stroke-dasharray="1"/>' + '<use href="#p"/>' * 300
    ),
    "dashes of closed paths": svg(
        f'<path id="p" d="M99 99{"L0 0z" * 99}" stroke="red" stroke-dasharray=".1"/>' + '<use href="#p"/>' * 300
    ),
    "dashes of texts": svg('<text font-size="300" stroke="red" stroke-dasharray=".01">MMMM</text>' * 20),
    "a zigzag": svg(f'<path id="z" d="{_ZIGZAG}"/>' + '<use href="#z"/>' * 60),
    "a polygon": svg(f'<polygon id="z" points="{_ZIGZAG[1:]}"/>' + '<use href="#z"/>' * 60),
    "a zigzag by sheet": _styled(f"path{{d:path('{_ZIGZAG}')}}", "<path/>", 60),
    "columns": _foreign("columns:1000000;height:1px"),
    "a grid": _foreign("display:grid;grid-template-columns:repeat(9999999,1px)", 'x xmlns="urn:x"'),
    "reflections": _foreign("-webkit-box-reflect:below"),
    "a gradient of tiles": _foreign("background:conic-gradient(red,blue) 0 0/.01px .01px"),
    "a filter of what is behind": _foreign("backdrop-filter:blur(9px)"),
    "a layer": _styled("@layer a{rect{fill:red}}"),
    "a string that ends with its line": _styled("i{font-family:'a\n} rect{filter:blur(9px)} i{font-family:'}"),
    "elements within one another": svg("<g>" * 3_000 + "</g>" * 3_000),
    "one filter many times": svg(f'<filter id="f"><feGaussianBlur/></filter><rect filter="{"url(#f) " * 3_000}"/>'),
    "one mask many times": svg(f'<mask id="m"/><rect style="mask:{",".join(["url(#m)"] * 3_000)}"/>'),
    "masks of everything": svg(f'<mask id="m">{_FULL}/></mask>' + f'{_FULL} mask="url(#m)"/>' * 900),
    "patterns of everything": svg(f'<pattern id="p">{_FULL}/></pattern>' + f'{_FULL} fill="url(#p)"/>' * 900),
    "gradients of everything": svg(f'<radialGradient id="g"/><g fill="url(#g)">{f"{_FULL}/>" * 900}</g>'),
    "gradients of enlarged shapes": svg(
        '<radialGradient id="g"/><g transform="rotate(9)scale(99)">'
        + '<path d="M0 0h1v1z" fill="url(#g)"/>' * 900
        + "</g>"
    ),
    "gradients of shapes enlarged by calc": svg(
        '<radialGradient id="g"/><g style="transform:scale(calc(99*99))">'
        + '<path d="M0 0h1v1z" fill="url(#g)"/>' * 900
        + "</g>"
    ),
    "gradients of thick lines": svg('<linearGradient id="g"/>' + '<path stroke="url(#g)" stroke-width="99"/>' * 1_800),
    "clips by texts": svg('<clipPath id="c"><text>x</text></clipPath>' + '<rect clip-path="url(#c)"/>' * 1_800),
    "zigzags": svg(f'<path id="z" d="{_SHORT_ZIGZAG}"/>' + '<use href="#z"/>' * 900),
    "enlarged zigzags": svg(
        f'<symbol id="z" viewBox="0 0 320 320"><path d="{_SHORT_ZIGZAG}"/></symbol>' + '<use href="#z"/>' * 900
    ),
    "shadows of texts": svg(f'<g style="text-shadow:{",".join(["0 0 9px red"] * 8)}">{"<text>x</text>" * 900}</g>'),
    "shadows of boxes": svg(
        f"<foreignObject><div {_XHTML}>"
        + f'<b style="box-shadow:{",".join(["0 0 9px"] * 8)}"/>' * 400
        + "</div></foreignObject>"
    ),
    "blending": svg('<g style="mix-blend-mode:luminosity"><rect/></g>' * 1_800),
    "one image very often": svg(
        f'<image id="i" href="{address(png(9, 9, bytes(90)), "image/png")}"/>' + '<use href="#i"/>' * 2_000
    ),
    "dilation": svg(f'<filter id="f">{_DILATE * 5}</filter><rect filter="url(#f)"/>'),
    "a font": _styled(f"@font-face{{src:url({address(b'x', 'font/woff2')})}}"),
}

_GLYPHS = "".join(f'<path id="glyph-{n:x}" d="M 1959 3097 Q 1497 3097 1228 {n} L 32 9 z"/>' for n in range(60))
_POINTS = " L ".join(f"{n / 10} {n % 200}" for n in range(3_000))
_NOISE = "M " + " L ".join(f"{n / 200} {7919 * n % 997 / 10}" for n in range(15_000))
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
    # As drawing programs write illustrations: many small shapes with gradients, enlarged a little.
    "illustration": svg(
        '<radialGradient id="g"><stop/></radialGradient><g transform="matrix(1.25 0 0 1.25 9 9)">'
        + "".join(
            f'<path fill="url(#g)" transform="rotate({n})" d="M{n % 90} {n % 80}a3 3 0 0 0 6 0a3 3 0 0 0-6 0z"/>'
            for n in range(1_500)
        )
        + "</g>"
    ),
    "shadows": svg(
        '<filter id="s"><feGaussianBlur stdDeviation="2"/><feMerge><feMergeNode/><feMergeNode/></feMerge></filter>'
        + '<rect filter="url(#s)"/>' * 10
    ),
    "spinner": svg('<circle r="9"><animateTransform attributeName="transform" type="rotate" to="360"/></circle>'),
    "image": svg(f'<image href="{address(png(9, 9, bytes(90)), "image/png")}" width="9" height="9"/>'),
    # A line of thousands of points, and an area between two curves.
    "long path": svg(f'<path d="{_NOISE}" style="fill: none; stroke: #1f77b4; stroke-dasharray: 3.7,1.6"/>'),
    "area": svg(f'<path d="M {_POINTS} z" style="fill: #1f77b4; fill-opacity: 0.3"/>' * 3),
    "contours": svg("".join(f'<path d="M {_POINTS[:4_000]} z" fill="#{n}{n}0"/>' for n in range(10, 60))),
    # With styles as Inkscape, Illustrator, plotly, draw.io and Mermaid write them.
    "inkscape": svg(
        '<path style="color:#000;display:inline;overflow:visible;visibility:visible;opacity:1;fill:#d40000;stroke:none;'
        "stroke-width:1.5px;stroke-linecap:butt;stroke-linejoin:miter;stroke-miterlimit:4;stroke-dasharray:none;"
        "stroke-dashoffset:0;stroke-opacity:1;marker:none;enable-background:accumulate;paint-order:stroke fill markers;"
        "mix-blend-mode:multiply;isolation:auto;-inkscape-stroke:none;vector-effect:none;white-space:pre;"
        "-inkscape-font-specification:'DejaVu Sans, Bold';solid-color:#000000;shape-inside:url(#r);"
        'letter-spacing:0px" d="M0 0h9"/>'
        * 50
        + '<path transform="matrix(1.25,0,0,-1.25,0,9)" style="filter:url(#b);stroke:#000;stroke-dasharray:0.5, 1.5" '
        'd="M0 0c9 9 9 9 90 9z"/><filter id="b"><feGaussianBlur/></filter>'
    ),
    "illustrator": svg(
        "<style type=\"text/css\"><![CDATA[ <!-- @import url('https://example.org/a.css'); "
        ".st0{fill:url(#SVGID_1_);stroke:#000;stroke-miterlimit:10;enable-background:new;} "
        ".st1{font-family:'MyriadPro-Regular';font-size:12px;} @media print { .st1 { display: none; } } --> ]]></style>"
        '<linearGradient id="SVGID_1_"><stop offset="0" style="stop-color:#FFF;stop-opacity:.5"/></linearGradient>'
        + '<rect class="st0" width="9" height="9"/>'
        * 50
    ),
    "plotly": svg(
        '<rect style="fill: rgb(255, 255, 255); fill-opacity: 1;" width="99" height="99"/>'
        + "".join(
            '<g class="trace scatter" style="stroke-miterlimit: 2; opacity: 1;"><path class="js-line" '
            f'style="vector-effect: none; fill: none; stroke-dasharray: 9px, 9px; stroke: rgb(99, 110, {n}); '
            f'stroke-width: 2px;" d="M {_POINTS}"/></g>'
            for n in range(3)
        )
        + "<text style=\"font-family: 'Open Sans', verdana; text-anchor: middle; white-space: pre; cursor: pointer; "
        'pointer-events: all; user-select: none">x</text>' * 50
    ),
    "draw.io": svg(
        '<g stroke-dasharray="3 3"><rect width="80" height="40" pointer-events="all" '
        'style="fill: light-dark(#ffffff, var(--ge-dark-color, #121212)); stroke: light-dark(rgb(0, 0, 0), white);"/>'
        '<path d="M 9 9 L 99 9" style="color-scheme: light dark"/></g>'
        '<g><switch><foreignObject style="overflow: visible; '
        f'text-align: left;" width="100%" height="100%"><div {_XHTML} style="display: flex; '
        "align-items: unsafe center; justify-content: unsafe center; width: 78px; height: 1px; padding-top: 30px; "
        'box-sizing: border-box; word-wrap: normal; line-height: 1.2">'
        '<b style="orphans: 2; widows: 2">x</b></div></foreignObject></switch></g>' * 40
    ),
    "mermaid": svg(
        '<style>#m{font-family:"trebuchet ms",sans-serif;font-size:16px;fill:#333;}@keyframes edge-animation-frame{'
        "from{stroke-dashoffset:0;}}@keyframes dash{to{stroke-dashoffset:0;}}#m .edge{stroke-dasharray:9,5!important;"
        "animation:dash 50s linear infinite;stroke-linecap:round;}#m .label text,#m span{fill:#333;color:#333;}"
        "#m .node{filter:drop-shadow(1px 2px 2px rgba(185,185,185,1));}#m :root{--mermaid-font-family:arial;}</style>"
        '<g id="m"><path class="edge" d="M0 0L9 9C9 9 10 10 99 9"/><g class="node"><rect width="9" height="9"/></g></g>'
    ),
    "label": svg(f'<foreignObject><div {_XHTML} style="display: inline-block"><p>label</p></div></foreignObject>'),
}
