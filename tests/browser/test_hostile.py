"""Names of tags and runs can contain anything: they are shown as text, and do nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.browser.page import PLOT
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

IMAGE = "<img src=x onerror='window.testInjected=1'>"

TAGS = [
    IMAGE,
    "<script>window.testInjected = 1</script>",
    "loss/<marquee onstart=window.testInjected=1>",
    "</title></style></textarea><iframe srcdoc='<script>parent.testInjected=1</script>'>",
    "\"double\" 'single' `back` \\ & &lt;b&gt; &amp;",
    "__proto__",
    "constructor/prototype",
    "group/__proto__",
    "toString",
    "long/" + "x" * 500,
    "損失/訓練 🔥 é e\u0301",
    "right to left \u202egnp.exe",
    "javascript:window.testInjected=1",
    "line\nbreak\ttab",
    " spaces  inside ",
    "///",
    "${window.testInjected=1} {{7*7}} %s",
]

RUNS = [
    IMAGE,
    "<script>window.testInjected=1<",
    "\"double\" 'single' `back` \\ &amp;",
    "__proto__",
    "constructor",
    "n" * 250,
    "損失 🔥 é",
    "line\nbreak",
    " space",
]

NO_UTF8 = b"bytes \xff\xfe"

SHOW = "import tbwidget\nboard = tbwidget.Dashboard('hostile-runs', height=6000)\nboard"


def test_hostile_names_are_text(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "hostile-runs"
    for run in (*RUNS, os.fsdecode(NO_UTF8)):
        events = [event(1.7e9 + i, i, simple(tag, i)) for number, tag in enumerate(TAGS) for i in range(number + 2)]
        write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("hostile.ipynb", [SHOW])
    notebook = open_notebook("hostile.ipynb")
    notebook.run_cell(0)
    for number, tag in enumerate(TAGS):
        notebook.scroll_to(tag)
        notebook.wait_for_last_steps({tag: str(number + 1)})
    # The list omits the middle of a long name.
    rows = "return [...document.querySelectorAll('.tbwidget-runs li label input')].map(box => box.ariaLabel)"
    runs = notebook.js(rows)
    assert sorted(runs) == sorted([*RUNS, "bytes \\udcff\\udcfe"])
    notebook.page.locator(".tbwidget-runs li").first.hover()
    chart = notebook.page.locator(f".tbwidget {PLOT}").first
    chart.scroll_into_view_if_needed()
    chart.hover()
    notebook.page.get_by_role("tooltip").wait_for()
    made = "return [...document.querySelectorAll('.tbwidget :is(img, script, marquee, iframe, b b)')].length"
    assert notebook.js(made) == 0
    assert notebook.js("return window.testInjected ?? null") is None
    assert notebook.errors == []
