"""Texts: none runs or requests anything, whatever it contains; all can be reached, searched and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.longtexts import MARKDOWN_BOMBS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TEXT = plugin("text")
RUN = "<img src=http://evil.invalid/run onerror='window.testInjected=1'>"
EVIL = "http://evil.invalid"

HOSTILE = [
    "<script>window.testInjected = 1</script>",
    f"<img src={EVIL}/a.png onerror='window.testInjected=1'>",
    f"![picture]({EVIL}/b.png 'title')",
    f"![picture][p]\n\n[p]: {EVIL}/c.png",
    "[link](javascript:window.testInjected=1)",
    "[link](  jAvA\tscript:window.testInjected=1)",
    "[link](&#x6A;avascript:window.testInjected=1)",
    "[link](data:text/html,<script>parent.testInjected=1</script>)",
    "[link](//evil.invalid/d)",
    "<javascript:window.testInjected=1>",
    f'[link]({EVIL} "x\\" onmouseover=window.testInjected=1 y=\\"")',
    f"<iframe srcdoc='<script>parent.testInjected=1</script>' src={EVIL}/e></iframe>",
    f"<svg onload=window.testInjected=1><image href={EVIL}/f /><use href={EVIL}/g#x /></svg>",
    f"<style>@import '{EVIL}/h.css'; .tbwidget {{ color: rgb(1, 2, 3) !important }}</style>",
    f"<link rel=stylesheet href={EVIL}/i.css><link rel=prefetch href={EVIL}/j>",
    f"<base href={EVIL}/><meta http-equiv=refresh content='0;url={EVIL}/k'>",
    f"<table background={EVIL}/l><tr><td style='background:url({EVIL}/m)'>cell</table>",
    f"<video poster={EVIL}/n src={EVIL}/o autoplay></video><audio src={EVIL}/p autoplay></audio>",
    f"<form id=location action={EVIL}/q><input name=attributes autofocus onfocus=window.testInjected=1></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror=testInjected=1&gt;'>",
    "<details open ontoggle=window.testInjected=1><summary>x</summary></details>",
    '```" onload=window.testInjected=1\n<img src=x onerror=window.testInjected=1>\n```',
    "| <img src=x onerror=window.testInjected=1> | b |\n|:-:|\n| `<script>` |",
    f"| a |\n|---|\n| ![x]({EVIL}/r.png) |",
    "</div></article></section><h1 class=tbwidget style='position:fixed;inset:0'>over all</h1>",
    "\0 \x1b[31m \u202e \ufeff \ud7ff",
    "> " * 2_000 + "deep",
    "[" * 20_000,
    "a\n=\n" * 20_000,
    "constructor",
    "__proto__",
    "",
]

SHOW = """
import tbwidget
board = tbwidget.TextView({logs!r}, height={height})
board
"""

STATES = "return [...document.querySelectorAll('[data-panel=text] .tbwidget-text')].map(one => one.dataset.state)"

# All elements and attributes that a text may produce.
MADE = """
const allowed = new Set(('A BLOCKQUOTE BR CODE EM H1 H2 H3 H4 H5 H6 HR LI OL P PRE STRONG TABLE TBODY TD TH THEAD TR UL'
    + ' DIV MARK').split(' '));
const own = new Set(['markdown', 'written', 'text-table', 'quiet', 'slice'].map(name => `tbwidget-${name}`));
const wrong = [];
for (const body of document.querySelectorAll('.tbwidget-text-body > div:first-child')) {
    for (const one of body.querySelectorAll('*')) {
        if (!allowed.has(one.tagName)) wrong.push(one.tagName);
        for (const { name, value } of one.attributes) {
            const fits = name === 'class' ? own.has(value)
                : one.tagName === 'A' ? name === 'title' || (name === 'href' && /^(https?|mailto):/.test(value))
                    || (name === 'target' && value === '_blank') || (name === 'rel' && value === 'noopener noreferrer')
                    || name === 'tabindex'
                : name === 'align' || (name === 'aria-level' && /^H[1-6]$/.test(one.tagName));
            if (!fits) wrong.push(`${one.tagName} ${name}=${value}`);
        }
    }
}
return wrong;
"""


def logs_at(folder: Path, run: str, texts: dict[str, list[tuple[int, bytes]]]) -> None:
    """Write texts by tag, each with its step."""
    events = [
        event(1.7e9 + n, step, strings(tag, TEXT, text, shape=()))
        for tag, steps in texts.items()
        for n, (step, text) in enumerate(steps)
    ]
    write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def entry(notebook: NotebookPage, tag: str, step: int, run: str | None = None) -> Locator:
    """Find a text of a card."""
    of = "" if run is None else f'[data-run="{run}"]'
    return notebook.card(tag).locator(f'.tbwidget-text[data-step="{step}"]{of}')


def test_hostile_texts_run_nothing_and_request_nothing(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "hostile-texts"
    count = 1
    for run, longest in ((RUN, 1 << 20), ("other", 1_000)):
        # A long text pushes the others of its card out of the viewport.
        some = [(n, text.encode("utf-8", "surrogatepass")) for n, text in enumerate(HOSTILE) if len(text) <= longest]
        texts = {f"t{n:02}": [(n, text)] for n, text in some}
        count += len(some) + 2
        logs_at(folder, run.replace("/", "\u2215"), {**texts, RUN: [(1, b"\xff\xfe"), (2, b"[x](" + EVIL.encode())]})
    all_cells = [text.encode("utf-8", "surrogatepass") for text in HOSTILE[:24]]
    table = event(1.7e9, 7, strings("table", TEXT, *all_cells, shape=(2, 3, 4)))
    write(folder / "other" / f"{NAME}.2", table)
    server.write_notebook("hostile-texts.ipynb", [SHOW.format(logs="hostile-texts", height=40_000)])
    notebook = open_notebook("hostile-texts.ipynb")
    asked: list[str] = []
    notebook.page.context.on("request", lambda request: asked.append(request.url))
    ink = "return getComputedStyle(document.querySelector('.tbwidget')).color"
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    before = notebook.js(ink)
    for raw in (False, True, False):
        notebook.page.get_by_role("button", name="Raw" if raw else "Markdown", exact=True).click()
        found = notebook.steady(STATES)
        assert set(found) == {"shown"}
        assert len(found) == count
        assert notebook.js(MADE) == []
    links = (
        "return [...document.querySelectorAll('.tbwidget-text-body a[href]')].map(link => link.getAttribute('href'))"
    )
    assert set(notebook.js(links)) == {EVIL}
    # The search marks hits in text alone; and names are text where runs are chosen.
    notebook.page.get_by_role("searchbox", name="Search texts").fill("onerror=")
    notebook.wait("return document.querySelectorAll('.tbwidget-text-body mark').length >= 8")
    assert notebook.js(MADE) == []
    card = notebook.card("t00")
    card.locator(".tbwidget-text").first.hover()
    card.get_by_role("button", name="compare").first.click()
    card.get_by_text("No difference.").wait_for()
    assert card.get_by_role("combobox").count() == 2
    notebook.sleep(0.5)
    assert notebook.js(ink) == before
    assert notebook.js("return window.testInjected ?? null") is None
    made = "return document.querySelectorAll('.tbwidget :is(img, script, iframe, style, svg image)').length"
    assert notebook.js(made) == 0
    assert [url for url in asked if not url.startswith((server.url, "blob:", "data:"))] == []
    assert notebook.errors == []


WRITE = """
import time
from tensorboardX import SummaryWriter
import tbwidget
with SummaryWriter("many-texts") as writer:
    for step in range(120):
        writer.add_text("long", f"text {step}: " + f"{step} words and " * 8_000, step)
writer = SummaryWriter("many-texts/later")
board = tbwidget.TextView("many-texts")
board
"""

STEP = """
writer.add_text("live", f"word {count}", count)
writer.flush()
count += 1
time.sleep(0.2)
"""


def test_texts_are_live_and_every_step_can_be_reached(server: JupyterServer, open_notebook: Open) -> None:
    server.write_notebook("many-texts.ipynb", [WRITE, "count = 0\n" + hold("texts", STEP), "writer.close()"])
    notebook = open_notebook("many-texts.ipynb")
    notebook.run_cell(0)
    long, live = (f"{tag}/text_summary" for tag in ("long", "live"))
    newest = entry(notebook, long, 119)
    newest.locator("pre, p", has_text="text 119: ").wait_for()
    assert notebook.card(long).get_attribute("data-last-step") == "119"
    notebook.start_cell(1)
    seen: list[str] = []
    for _ in range(round(PATIENCE / 0.05)):
        said = notebook.js(
            f"return document.querySelector('[data-tag=\"{live}\"] .tbwidget-text-body')?.innerText ?? ''"
        )
        if said and said not in seen:
            seen.append(said)
        if len(seen) > 3:
            break
        notebook.sleep(0.05)
    assert [said.split()[0] for said in seen] == ["word"] * 4
    assert notebook.busy(1)
    notebook.release("texts")
    notebook.end_of_cell(1)
    # A text that was not pushed arrives when it is viewed.
    slider = notebook.page.get_by_role("slider")
    slider.press("Home")
    entry(notebook, long, 0).locator("pre, p", has_text="text 0: ").wait_for()
    assert entry(notebook, long, 0).get_attribute("data-state") == "shown"
    # The kernel searches texts that the page does not have.
    box = notebook.page.get_by_role("searchbox", name="Search texts")
    box.fill("TEXT 59:")
    notebook.wait("return document.querySelector('.tbwidget-text-search output')?.textContent === '1'")
    box.press("Enter")
    entry(notebook, long, 59).locator("mark", has_text="text 59:").wait_for()
    # It does not arrive while the kernel receives nothing, and the card says so.
    notebook.mute()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    entry(notebook, long, 2).get_by_text("waiting for the kernel").wait_for()
    assert entry(notebook, long, 2).get_attribute("data-state") == "waits"
    assert notebook.card(long).get_by_role("button", name="newer").count() == 1
    notebook.card(long).get_by_role("button", name="Latest").click()
    newest.locator("pre, p", has_text="text 119: ").wait_for()
    assert notebook.errors == []


def write_some(folder: Path) -> None:
    """Write texts of three runs: a story that changes, a needle in hay, a long one and a broken one."""
    story = [f"line {n}" for n in range(30)]
    changed = "\n".join([*story[:20], "line 20 has changed", *story[21:]])
    notes = [(10, "\n".join(story).encode()), (20, changed.encode()), (30, b"the *needle*, **NEEDLE** & `needle`")]
    logs_at(folder, "a", {"notes": notes, "many": [(n, b"hay" if n != 5 else b"a needle") for n in range(100)]})
    logs_at(folder, "b", {"notes": [(20, changed.encode())], "whole": [(1, b"start " + b"x" * 1_200_000 + b" end")]})
    # The checksum of a large record is verified when it is read.
    damaged = event(1.7e9, 1, strings("broken", TEXT, b"x" * 100_000)).replace(b"xxx", b"yyy", 1)
    write(folder / "c" / NAME, damaged, event(1.7e9, 2, strings("broken", TEXT, b"whole")))


def test_texts_are_searched_compared_and_shown_whole(server: JupyterServer, open_notebook: Open) -> None:
    write_some(server.root / "some-texts")
    cells = [SHOW.format(logs="some-texts", height=640), "print(board.text_raw, board.text_search)"]
    server.write_notebook("some-texts.ipynb", cells)
    notebook = open_notebook("some-texts.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    card = notebook.card("notes")
    entry(notebook, "notes", 30).locator("em", has_text="needle").wait_for()
    notebook.wait(
        "return [...document.querySelectorAll('[data-tag=notes] .tbwidget-text')]"
        ".map(one => one.dataset.run + one.dataset.step).join() === 'a30,a20,b20,a10'"
    )
    # A search marks all hits, and goes from text to text, also to one that is not in the page.
    box = notebook.page.get_by_role("searchbox", name="Search texts")
    box.fill("needle")
    assert notebook.steady("return document.querySelectorAll('[data-tag=notes] mark').length") == 3
    notebook.wait("return document.querySelector('.tbwidget-text-search output')?.textContent === '2'")
    assert entry(notebook, "many", 5).count() == 0
    box.press("Enter")
    marked = entry(notebook, "many", 5).locator("mark", has_text="needle")
    marked.wait_for()
    notebook.page.locator(".tbwidget-text-search output", has_text="1 of 2").wait_for()
    box.press("Shift+Enter")
    notebook.page.locator(".tbwidget-text-search output", has_text="2 of 2").wait_for()
    assert entry(notebook, "notes", 30).get_attribute("data-current") is not None
    notebook.page.get_by_role("button", name="Raw", exact=True).click()
    entry(notebook, "notes", 30).locator("pre", has_text="the *needle*, **NEEDLE** & `needle`").wait_for()
    notebook.wait_for_output(1, "True needle")
    # Compare a text with the one before it, then with another run's text.
    entry(notebook, "notes", 20, "a").hover()
    entry(notebook, "notes", 20, "a").get_by_role("button", name="compare").click()
    card.locator("ins", has_text="line 20 has changed").wait_for()
    assert card.locator("ins b").all_inner_texts() == [" has changed"]
    card.get_by_role("button", name="17 equal lines").click()
    expect(card.locator(".tbwidget-line")).to_have_count(31 - 6)
    card.get_by_role("combobox").first.select_option("b")
    card.get_by_text("No difference.").wait_for()
    card.get_by_role("button", name="done").click()
    notebook.scroll_to("broken")
    entry(notebook, "broken", 2).locator("pre", has_text="whole").wait_for()
    entry(notebook, "broken", 1).get_by_text("was cut or changed").wait_for()
    assert entry(notebook, "broken", 1).get_attribute("data-state") == "broken"
    # The beginning of a long text is shown, then all of it.
    notebook.scroll_to("whole")
    whole = notebook.card("whole")
    whole.locator("pre", has_text="start ").wait_for()
    length = "return document.querySelector('[data-panel=text][data-tag=whole] pre')?.textContent.length"
    assert notebook.js(length) == 100_000
    whole.get_by_role("button", name="Show all").click()
    notebook.wait(f"return (() => {{{length}}})() === arg", arg=len("start ") + 1_200_000 + len(" end"))
    assert notebook.errors == []


def test_hits_in_addresses_are_marked_at_their_links_and_hidden_ones_are_said(
    server: JupyterServer, open_notebook: Open
) -> None:
    linked = b"a [link](https://example.invalid/needle-here) and [another](https://example.invalid/ 'needle')"
    hidden = b"[needle]: https://example.invalid/\n\nnothing of it"
    texts = (event(1.7e9, n, strings("where", TEXT, text)) for n, text in ((1, linked), (2, hidden)))
    write(server.root / "found-texts" / "run" / NAME, *texts)
    server.write_notebook("found-texts.ipynb", [SHOW.format(logs="found-texts", height=640)])
    notebook = open_notebook("found-texts.ipynb")
    notebook.run_cell(0)
    notebook.page.get_by_role("searchbox", name="Search texts").fill("needle")
    entry(notebook, "where", 1).locator("a[href*=needle] mark", has_text="link").wait_for()
    entry(notebook, "where", 1).locator("a[title=needle] mark", has_text="another").wait_for()
    entry(notebook, "where", 2).get_by_text("not shown: switch to Raw").wait_for()
    assert entry(notebook, "where", 2).locator("mark").count() == 0
    notebook.page.get_by_role("button", name="Raw", exact=True).click()
    entry(notebook, "where", 2).locator("pre mark", has_text="needle").wait_for()
    assert entry(notebook, "where", 2).get_by_text("not shown: switch to Raw").count() == 0
    assert notebook.errors == []


# Notes, by tag, below texts that are shown as they were written.
WRITTEN = """
const notes = [...document.querySelectorAll('[data-panel=text] .tbwidget-text[data-state=shown] .tbwidget-text-notes')];
return Object.fromEntries(notes.map(note => [note.closest('.tbwidget-text').dataset.tag, note.textContent.trim()]));
"""


@pytest.mark.parametrize("workers", [True, False])
def test_markdown_that_would_freeze_the_page_is_shown_as_written(
    server: JupyterServer,
    open_notebook: Open,
    workers: bool,  # noqa: FBT001 (a parameter of the test)
) -> None:
    name = f"markdown-bombs-{workers}"
    # These two may be rendered within the deadline.
    wanted = [tag for tag in MARKDOWN_BOMBS if tag not in {"emphasis", "markup"}]
    bombs = {f"bomb: {tag}": MARKDOWN_BOMBS[tag].encode() for tag in wanted}
    harmless = f"**bold** &copy;\n\n| a |\n|---|\n| 1 |\n\n{'word ' * 1_000}".encode()
    logs_at(server.root / name, "run", {tag: [(1, text)] for tag, text in {**bombs, "harmless": harmless}.items()})
    # All texts that are looked at have a time together, which some of the bombs use up: another one comes after them.
    show = SHOW.replace("height=", "tag_filter='bomb', height=")
    server.write_notebook(f"{name}.ipynb", [show.format(logs=name, height=700)])
    notebook = open_notebook(f"{name}.ipynb", workers=workers)
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    for tag in bombs:
        notebook.scroll_to(tag)
        notebook.wait(f"return (() => {{{WRITTEN}}})()[arg] !== undefined", arg=tag)
        said = notebook.js(WRITTEN)
        assert said[tag] == "Too long or complex to be formatted: shown as logged."
        notebook.draw_frames()
    notebook.page.get_by_label("Filter tags").fill("harmless")
    shown = notebook.card("harmless").locator(".tbwidget-markdown")
    expect(shown.locator("td")).to_have_text("1")
    expect(shown.locator("p").first).to_have_text("bold \N{COPYRIGHT SIGN}")
    notebook.draw_frames()
    assert [error for error in notebook.errors if workers or "worker" not in error.lower()] == []


ARGS = """{
  "learning_rate": 1e-4, "big": 12345678901234567890, "__proto__": {"<img src=x onerror=window.testInjected=1>": true},
  "optimizer": {"name": "adam", "betas": {"first": 0.9, "second": {"deep": "NEEDLE"}}}
}"""


def test_data_are_trees_and_differences_a_table(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "data-texts"
    texts = {"args": ARGS.encode(), "deep": b"[" * 10_000, "prose": b"One *text*."}
    logs_at(folder, "one", {tag: [(0, text)] for tag, text in texts.items()})
    other = ARGS.replace("1e-4", "0.0001").replace('"name": "adam", ', "")
    logs_at(folder, "two", {"args": [(0, other.encode())], "prose": [(0, b"Other: a text.")]})
    server.write_notebook("data-texts.ipynb", [SHOW.format(logs="data-texts", height=800)])
    notebook = open_notebook("data-texts.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    tree = entry(notebook, "args", 0, "one").get_by_role("tree")
    items = tree.get_by_role("treeitem")
    for text in ("12345678901234567890", "1e-4", "__proto__", "<img src=x onerror=window.testInjected=1>"):
        expect(tree.get_by_text(text, exact=True)).to_be_visible()
    assert notebook.js("return window.testInjected ?? null") is None
    # Keys: to the last branch, into it, to its last entry, and open that.
    assert items.count() == 7
    items.first.focus()
    for key in ("End", "ArrowRight"):
        notebook.page.keyboard.press(key)
    expect(tree.get_by_text("first", exact=True)).to_be_visible()
    notebook.page.keyboard.press("ArrowLeft")
    expect(tree.get_by_text("first", exact=True)).to_be_hidden()
    expect(tree.get_by_text("NEEDLE")).to_be_hidden()
    notebook.page.get_by_role("searchbox", name="Search texts").fill("needle")
    expect(tree.locator("mark")).to_be_visible()
    expect(notebook.card("deep").get_by_text("Too long or complex")).to_be_visible()
    # The button appears where two runs have data.
    notebook.card("prose").hover()
    expect(notebook.card("prose").get_by_role("button", name="differences")).to_have_count(0)
    card = notebook.card("args")
    card.hover()
    card.get_by_role("button", name="differences").click()
    rows = card.locator("tbody tr")
    expect(rows).to_have_text(["learning_rate1e-40.0001", 'optimizer.name"adam"—'])
    card.get_by_text("4 equal entries hidden").wait_for()
    card.get_by_role("button", name="Show all").click()
    expect(rows).to_have_count(6)
    assert notebook.errors == []


YAML = b"# config\nlr: 0.1  # high\nprompt: |\n  one\n    two\n"


def test_comments_blocks_empty_data_and_what_is_not_understood(server: JupyterServer, open_notebook: Open) -> None:
    texts = {"yaml": YAML, "aliases": b"a: &x [1]\nb: *x", "tags": b"a: !x 1\nb: 2"}
    texts |= {"empty": b"{}", "empty list": b"[ ]"}
    logs_at(server.root / "yaml-texts", "one", {tag: [(0, text)] for tag, text in texts.items()})
    server.write_notebook("yaml-texts.ipynb", [SHOW.format(logs="yaml-texts", height=800)])
    notebook = open_notebook("yaml-texts.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    # Comments are left out, and the lines of a block are seen once it is opened.
    config = entry(notebook, "yaml", 0).get_by_role("tree")
    expect(config.get_by_role("treeitem")).to_have_text(["lr0.1", "promptone\n  two"])
    block = config.get_by_role("treeitem").last
    row = block.locator("div")
    height = row.evaluate("row => row.clientHeight")
    row.click()
    expect(block).to_have_attribute("aria-expanded", "true")
    assert row.evaluate("row => row.clientHeight") > 1.5 * height
    expect(entry(notebook, "aliases", 0).get_by_role("treeitem")).to_have_text(["a1", "1", "b1", "1"])
    # Markdown would join these lines.
    expect(notebook.card("tags").locator("pre")).to_have_text("a: !x 1\nb: 2")
    # A tree without a branch would show nothing.
    for tag, text in (("empty", "{}"), ("empty list", "[ ]")):
        expect(notebook.card(tag).get_by_text(text, exact=True)).to_be_visible()
        expect(notebook.card(tag).locator(".tbwidget-text-notes")).to_have_count(0)
    assert notebook.errors == []
