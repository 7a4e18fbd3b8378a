"""A dashboard as one file of HTML, which opens anywhere: no kernel, no network, and nothing in a log is markup.

Everything from a log is one block of base64, which the page's only script unpacks; the policy in the page forbids
every request and every other script. Twin of js/src/page.ts.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from html import escape
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from tbwidget.export.bundle import built, require_bundle
from tbwidget.language import language_of, worded
from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_TITLE_CHARACTERS = 200

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 12px; background: #fff; color: #212121; font: 14px/1.4 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { body:not(.light) { background: #121212; color: #e0e0e0; } }
:root:has(body.light) { color-scheme: light; }
:root:has(body.dark) { color-scheme: dark; }
body.dark { background: #121212; color: #e0e0e0; }
"""

_PAGE = """<!doctype html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="tbwidget">
<title>{title}</title>
<style>{style}</style>
</head>
<body{theme}>
<div id="tbwidget-page"><noscript>{noscript}</noscript></div>
<script type="text/plain" id="tbwidget-data">{data}</script>
<script>{host}</script>
</body>
</html>
"""


def page(title: str, summary: str, state: Mapping[str, Any], theme: Literal["light", "dark"] | None = None) -> str:
    """The page of a widget in this state, in ASCII; `summary` is what it says where no script runs.

    Without a language in the state, it has that of its reader's browser; without a `theme`, the one that its
    reader prefers.

    Raises FileNotFoundError where the browser's side was not built.
    """
    require_bundle()
    language = language_of(state)
    # Options that its readers set are remembered for this page alone.
    own = {**state, "_session": "page", "_board": uuid4().hex}
    content = {"script": built("dashboard.js"), "state": own}
    packed = gzip.compress(json.dumps(content).encode("ascii"), compresslevel=6)
    host = built("page.js")
    return _PAGE.format(
        policy=_policy(host),
        title=_text(f"{title[:_MAX_TITLE_CHARACTERS]} - tbwidget"),
        lang="" if language is None else f' lang="{language}"',
        noscript=_text(worded("{summary}: the charts in this page are drawn by a script.", language, summary=summary)),
        style=_STYLE,
        theme="" if theme is None else f' class="{theme}"',
        data=base64.b64encode(packed).decode("ascii"),
        host=host,
    )


def _policy(host: str) -> str:
    """Nothing may be requested. The widget is a module in a blob of the page's own, as are its workers and images."""
    rules = {
        "default-src": "'none'",
        "script-src": f"{_hash(host)} blob:",
        "worker-src": "blob:",
        "style-src": "'unsafe-inline'",  # charts and tables place things by it; it can request nothing
        "img-src": "data: blob:",
        "media-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{rule} {sources}" for rule, sources in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _text(text: str) -> str:
    """A text as HTML, on one line."""
    plain = "".join(character if character.isprintable() else " " for character in escape_surrogates(text))
    return escape(plain, quote=True).encode("ascii", "xmlcharrefreplace").decode("ascii")
