"""Generate the reference of all options from their traits: docs/reference/options.md.

python tools/option_tables.py              writes it
python tools/option_tables.py --check      fails if it is not up to date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import traitlets

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tbwidget.dashboard import Dashboard, option_mixins  # noqa: E402 (found from here on)
from tbwidget.options.cards import CardOptions  # noqa: E402
from tbwidget.options.common import BoardOptions  # noqa: E402
from tbwidget.options.runs import RunTableOptions  # noqa: E402
from tbwidget.options.traits import options_of  # noqa: E402
from tbwidget.panels import registry  # noqa: E402
from tbwidget.panels.declare import Panel  # noqa: E402

TARGET = ROOT / "docs/reference/options.md"

INTRODUCTION = """# Options

Options are keywords of `show`, `Dashboard` and the views, and attributes that can be set at any time. The page
remembers the values that are set there, except for those marked "not remembered". A view also takes the options of its
panel by the short names in parentheses.
"""

HEADS = ("option", "effect", "type", "default")
"""Headings of the columns."""

_HELP = re.compile(r"(.*?)\s*Type: (.*?)\. Default: (.*)", re.DOTALL)


def options_page() -> str:
    """Return the reference of all options in Markdown."""
    board = [BoardOptions, RunTableOptions, CardOptions]
    declared = dict.fromkeys(mixin for panel in registry.PANELS for mixin in panel.options)
    shared = [mixin for mixin in declared if sum(mixin in panel.options for panel in registry.PANELS) > 1]
    parts = [INTRODUCTION, "## All dashboards\n", table(board)]
    parts += ["## Several panels\n", table(shared)]
    for panel in registry.PANELS:
        if own := [mixin for mixin in panel.options if mixin not in shared]:
            parts += [f"## {panel.view}\n", table(own, panel)]
    return "\n".join(parts)


def panel_options(name: str, heads: Iterable[str] = HEADS) -> str:
    """Return the table of a panel's options, including those shared with other panels."""
    panel = next(panel for panel in registry.PANELS if panel.name == name)
    common = option_mixins([])
    return table([mixin for mixin in option_mixins([panel]) if mixin not in common], panel, heads)


def table(mixins: Iterable[type[traitlets.HasTraits]], panel: Panel | None = None, heads: Iterable[str] = HEADS) -> str:
    """Return a table in Markdown of the options that these classes declare."""
    short = {option: name for name, option in panel.view_options.items()} if panel else {}
    traits = Dashboard.class_traits()
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---|"]
    for name, text in options_of(mixins).items():
        found = _HELP.fullmatch(text)
        if found is None:
            raise ValueError(f"the help of {name} does not give its type and default: {text}")
        effect, kind, default = (part.replace("|", "\\|").rstrip(".") for part in found.groups())
        names = f"`{name}`" + (f" (`{short[name]}`)" if name in short else "")
        kept = "" if traits[name].metadata["remembered"] else ". Not remembered"
        rows.append(f"| {names} | {effect}{kept} | {kind} | {default} |")
    return "\n".join(rows) + "\n"


def main(arguments: list[str]) -> int:
    """Write the reference, or check it."""
    text = options_page()
    if arguments == ["--check"]:
        if TARGET.read_text("utf-8") != text:
            print("docs/reference/options.md is out of date: make generated", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
