"""Awkward graphs as some logs have them: wide, deep, cyclic, incomplete, damaged, and with hostile names."""

from __future__ import annotations

from itertools import pairwise

from tests.support.graphs import definition, node

_BAD, _NO_UTF8 = "\x7f\x7f", b"\xff\xfe"
"""A placeholder for bytes, in messages that accept only text."""

EVIL = "http://evil.invalid"
"""An address to which no request may go."""

NAMES = (
    f"<img src={EVIL}/a onerror='window.testInjected=1'>",
    "<script>window.testInjected=1<",  # the slash of its end tag separates scopes
    "<style>*{display:none!important}</style>",
    f"<b style='position:fixed;inset:0;background:url({EVIL}/b)'>bold",
    f"x;background:url({EVIL}/c)}}*{{display:none",
    "constructor/__proto__/toString",
    "__proto__",
    '"] onmouseover=window.testInjected=1 x="',
    "\u202eleft\u202c/\0/\x1b[31m",
    "a//b/",
    "/",
    " ",
    "e\u0301",
    "\u00e9",
    _BAD,
    "^control",
    "x" * 5_000,
)
"""Names of nodes that try to inject code."""

FLAT = 8_000
DEEP = 60


def awkward_graphs() -> dict[str, bytes]:
    """GraphDefs by name."""
    flat = [node(f"flat_{number}", inputs=[f"flat_{number // 2}"] if number else []) for number in range(FLAT)]
    deep = [node("/".join(f"d{level}" for level in range(depth + 1)) + "/leaf") for depth in range(DEEP)]
    for before, after in pairwise(deep):
        after.input.append(before.name)
    circle = [
        node("loop/a", "Merge", ["loop/c", "outside/enter"]),
        node("loop/b", "Switch", ["loop/a"]),
        node("loop/c", "NextIteration", ["loop/b"]),
        node("loop/self", "Add", ["loop/self", "^loop/self", "loop/a"]),
        node("outside/enter", "Enter", ["outside/exit"]),
        node("outside/exit", "Exit", ["loop/b:1"]),
    ]
    holes = [
        node("a", inputs=["gone", "^gone/too:3", "b/missing:1", "scope/inner"]),
        node("b", inputs=["a"]),
        node("b", inputs=["a"]),
        node("", inputs=["a"]),
        node("scope", inputs=["scope/inner"]),
        node("scope/inner", inputs=["scope"]),
    ]
    names = [node(name, op=name[:200], inputs=NAMES[:3], device=name[:99]) for name in NAMES]
    whole = definition(*circle)
    return {
        "flat": definition(*flat),
        "deep": definition(*deep),
        "circle": whole,
        "holes": definition(*holes),
        "names": definition(*names).replace(_BAD.encode(), _NO_UTF8),
        "damaged": whole[:-20] + b"\xff\x00\x01",
        "none": b"\xff\x00\x01",
        "empty": b"",
    }
