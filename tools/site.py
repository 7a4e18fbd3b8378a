"""Hooks of MkDocs that generate parts of the site from the code, when the site is built (`make docs`).

- The line `<!-- dashboard: NAME -->` becomes a live dashboard: a file that `export_html` makes of made-up logs.
- The line `<!-- options: PANEL -->` becomes the table of that panel's options, with types, defaults and ranges.
- Each notebook becomes a page with its outputs, next to the notebook itself. A translation has the original's outputs.
- reference/cli.md, changelog.md, security.md and contributing.md are added as files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown.extensions.toc import slugify_unicode

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from notebook_pages import as_page, with_outputs  # noqa: E402 (found from here on)
from option_tables import HEADS, panel_options  # noqa: E402 (found from here on)

import tbwidget  # noqa: E402
from tests.support import site_logs  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_PAGES = ROOT / "build" / "pages"
"""The folder that the site is built from."""

_LANGUAGE_OF_ADDRESS = (
    '<script>document.documentElement.lang = new URLSearchParams(location.search).get("lang") ?? "";</script>'
)
"""An embedded dashboard has the language of the page around it, which a page from a disk cannot ask for."""

MAX_EMBED_BYTES = 2_000_000
"""Size of one embedded dashboard. The largest has about 1.1 MB."""


class _Embed(NamedTuple):
    """A dashboard embedded in a page."""

    logs: str
    """A directory that `site_logs` writes."""
    panels: tuple[str, ...] | None
    height: int
    options: Mapping[str, Any] = MappingProxyType({})


EMBEDS = {
    "home": _Embed("runs", None, 560, {"smoothing": 0.6}),
    "scalars": _Embed("runs", ("scalars",), 560, {"smoothing": 0.6}),
    "custom_scalars": _Embed("layout", ("custom_scalars",), 480),
    "histograms": _Embed("runs", ("histograms", "distributions"), 560),
    "pr_curves": _Embed("runs", ("pr_curves",), 560),
    "hparams": _Embed("sweep", ("hparams",), 620, {"hparams_goal": "metric:val/accuracy"}),
    "images": _Embed("runs", ("images",), 480),
    "audio": _Embed("runs", ("audio",), 480),
    "text": _Embed("runs", ("text",), 480),
    "graphs": _Embed("runs", ("graphs",), 560),
    "projector": _Embed("shapes", ("projector",), 620, {"projector_color": "class"}),
    "meshes": _Embed("surface", ("meshes",), 520),
}

_FOR_USERS = {"dashboard.md", "tensorboard.md", "saving.md", "reading.md"}
_FOR_CONTRIBUTORS = {"contributing.md", "wire.md", "scheduling.md", "glossary.md", "changelog.md", "problems.md"}

_EMBED = re.compile(r"^<!-- dashboard: (\w+) -->$", re.MULTILINE)
_OPTIONS = re.compile(r"^<!-- options: (\w+) -->$", re.MULTILINE)
_TRANSLATION = re.compile(r"^\[(English|한국어)\]\((\w+)(?:\.ko)?\.md\)$", re.MULTILINE)
"""The line at the top of a page that links to the same page in the other language."""
_HEADING = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$|^##+ ([^\n]+)$", re.DOTALL | re.MULTILINE)
"""A heading, or a block of code, which may have lines that look like one."""
_KOREAN_HEADS = ("옵션", "설명", "형식", "기본값")
"""Korean headings of the option tables, whose other texts are in English."""
_PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*'
    r'<img src="([^"]+)"[^>]*alt="([^"]*)">\s*</picture>'
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Build the site from a copy of docs/ that also contains pages generated from the code and files outside docs/.

    The language plugin only reads pages from files. MkDocs builds once for each language; the copy is made once.
    """
    if Path(config.docs_dir) != _PAGES:
        shutil.rmtree(_PAGES, ignore_errors=True)
        shutil.copytree(config.docs_dir, _PAGES)
        _add_made()
        config.docs_dir = str(_PAGES)
    return config


def _add_made() -> None:
    def add(path: str | Path, content: str | bytes) -> None:
        target = _PAGES / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    for name, content in _embedded():
        add(f"embeds/{name}.html", content)
    add("reference/cli.md", _cli_page())
    add("changelog.md", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    add("security.md", (ROOT / "SECURITY.md").read_text("utf-8"))
    add("contributing.md", _moved((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    for notebook in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        place = notebook.relative_to(ROOT)
        add(place, notebook.read_bytes())
        name, _, language = notebook.stem.partition(".")
        cells = json.loads(notebook.read_text("utf-8"))
        if language:  # a translation is committed without outputs
            original = notebook.with_name(f"{name}.ipynb")
            cells = with_outputs(cells, json.loads(original.read_text("utf-8")))
        made = as_page(cells, name, language or "en")
        add(place.with_suffix(".md"), made.markdown)
        for file, picture in made.pictures.items():
            add(place.with_name(file), picture)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 (MkDocs' own)
    """Put dashboards, tables of options and pictures of both themes into a page."""
    page.meta["search"] = {"boost": _boost(page.file.src_uri.replace(".ko.md", ".md"))}
    up = "../" * page.file.src_uri.count("/")
    # Pages in another language are one folder deeper; embedded dashboards and pictures are not.
    root = "../" * page.file.dest_uri.count("/")
    folder = page.file.src_uri.rpartition("/")[0]
    is_korean = page.file.src_uri.endswith(".ko.md")
    other = f"{root}{'' if is_korean else 'ko/'}{folder and folder + '/'}"
    if is_korean:
        original = _PAGES / page.file.src_uri.replace(".ko.md", ".md")
        markdown = _with_places_of(markdown, original.read_text("utf-8"))
    markdown = _TRANSLATION.sub(rf'<a href="{other}\2.html">\1</a>', markdown)
    # In the checkout, a Korean page links to the Korean names of others. MkDocs finds them by their English names.
    markdown = re.sub(r"\]\(([\w./-]+)\.ko\.(md|ipynb)\b", r"](\1.\2", markdown)
    markdown = _EMBED.sub(lambda found: _frame(found[1], up, root, is_korean=is_korean), markdown)
    markdown = re.sub(r'<img src="([\w-]+\.png)"', rf'<img src="{root}{folder}/\1"', markdown)
    heads = _KOREAN_HEADS if is_korean else HEADS
    markdown = _OPTIONS.sub(lambda found: panel_options(found[1], heads), markdown)
    caption = r'<p class="tbwidget-caption">\3</p>'
    markdown = _PICTURE.sub(rf"![\3](\2#only-light)\n![\3](\1#only-dark)\n\n{caption}", markdown)
    # In the site, notebooks are pages. They and the texts of the checkout's root are next to docs/'s pages, not above.
    markdown = re.sub(rf"\]\({re.escape(up)}\.\./(notebooks/[\w/]+)\.ipynb\)", rf"]({up}\1.md)", markdown)
    return markdown.replace(f"]({up}../CONTRIBUTING.md", f"]({up}contributing.md")


def _with_places_of(markdown: str, original: str) -> str:
    """Return a translated page whose headings also have the anchors of the original's.

    Pages that are not translated link to those anchors.
    """
    names = [found[2] for found in _HEADING.finditer(original) if found[2]]
    if len(names) != sum(found[2] is not None for found in _HEADING.finditer(markdown)):
        return markdown  # a page without an original, such as the terms of a language
    places = iter(slugify_unicode(name, "-") for name in names)
    return _HEADING.sub(
        lambda found: f'{found[0]} <a id="{next(places)}"></a>' if found[2] else found[0],
        markdown,
    )


def _boost(path: str) -> float:
    """Return the weight of a page in search results: pages for users first, whole notebooks last."""
    if path.startswith("notebooks/") or path in _FOR_CONTRIBUTORS:
        return 0.3
    return 3 if path.startswith(("panels/", "recipes/")) or path in _FOR_USERS else 1


def _moved(text: str) -> str:
    """Return a text of the checkout's root with links relative to docs/."""
    return text.replace("](docs/", "](").replace("](CHANGELOG.md", "](changelog.md")


def _embedded() -> Iterable[tuple[str, str]]:
    """Yield each embedded dashboard's name and HTML."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        site_logs.write_all(here)
        for name, embed in EMBEDS.items():
            target = here / f"{name}.html"
            logs = here / embed.logs
            height = embed.height - 20
            tbwidget.export_html(
                logs, target, panels=embed.panels, max_bytes=MAX_EMBED_BYTES, height=height, **embed.options
            )
            # Before the page's policy, which allows no other script.
            yield name, target.read_text("utf-8").replace("<head>", f"<head>\n{_LANGUAGE_OF_ADDRESS}", 1)


def _frame(name: str, up: str, root: str, *, is_korean: bool) -> str:
    embed, source = EMBEDS[name], f"embeds/{name}.html?lang={'ko' if is_korean else 'en'}"
    title, below = f"A dashboard: {name}", f"This dashboard is live, without a kernel. [Open it alone]({up}{source})."
    if is_korean:
        title = f"대시보드: {name}"
        below = f"커널 없이 동작하는 대시보드입니다. [대시보드만 열기]({up}{source})."
    return (
        f'<iframe class="tbwidget-embed" src="{root}{source}" title="{title}" loading="lazy" '
        f'style="height: {embed.height}px"></iframe>\n\n{below}'
    )


def _cli_page() -> str:
    """Return the help of the command and of each subcommand."""
    head = _help()
    names = re.findall(r"^    (\w+) ", head, re.MULTILINE)
    parts = ["# Command line", "`tbwidget` is the same as `python -m tbwidget`.", f"```text\n{head}```"]
    for name in names:
        parts += [f"## tbwidget {name}", f"```text\n{_help(name)}```"]
    return "\n\n".join(parts) + "\n"


def _help(*arguments: str) -> str:
    command = [sys.executable, "-m", "tbwidget", *arguments, "--help"]
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
