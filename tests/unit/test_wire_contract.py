"""Kernel and page agree: constants, the order of names, and messages recorded here and read there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tbwidget.logs.alerts.rules import direction_of
from tbwidget.logs.kinds.registry import KINDS
from tbwidget.logs.natural import natural_key
from tbwidget.panels import hparams_best, registry
from tbwidget.panels.histograms import COARSE_STEPS
from tbwidget.panels.hparams_best import is_smaller_better
from tbwidget.panels.images import THUMBNAIL
from tbwidget.panels.scalars import COARSE_ROWS, FINE_ROWS, WHOLE_SERIES, fine_width
from tbwidget.wire.columns import ALIGNMENT
from tbwidget.wire.message import PROTOCOL
from tbwidget.wire.plan import HEARTBEAT, PAGE_BEHIND
from tbwidget.wire.snapshot import MAX_SAVED_CHARACTERS
from tests.support.recorded import recorded_messages

JS = Path(__file__).resolve().parents[2] / "js"


OURS = {
    "PROTOCOL": PROTOCOL,
    "WHOLE_SERIES": WHOLE_SERIES,
    "FINE_ROWS": FINE_ROWS,
    "COARSE_ROWS": COARSE_ROWS,
    "HEARTBEAT": HEARTBEAT,
    "PAGE_BEHIND": PAGE_BEHIND,
    "ALIGNMENT": ALIGNMENT,
    "MAX_SAVED_CHARACTERS": MAX_SAVED_CHARACTERS,
    "COARSE_STEPS": COARSE_STEPS,
    "THUMBNAIL": THUMBNAIL,
    "MAX_VALUES": hparams_best.MAX_VALUES,
}


def test_constants_agree() -> None:
    """Every number in the page that a comment marks as kept in step equals ours."""
    theirs: dict[str, float] = {}
    for path in sorted((JS / "src").rglob("*.ts")):
        found = re.findall(
            r"Keep in step with (\w+) in (\S+?)\. \*/\n(?:export )?const (\w+) = ([\d_.]+);",
            path.read_text(encoding="utf-8"),
        )
        for name, module, constant, number in found:
            assert name == constant
            assert re.search(rf"^{name} = ", (JS.parent / module).read_text(encoding="utf-8"), re.MULTILINE)
            theirs[name] = float(number.replace("_", ""))
    assert theirs == OURS


def kinds_drawn(panel: str) -> tuple[str, tuple[str, ...]]:
    """Name of the page's panel in this folder, and the kinds of its codecs."""
    module = JS / "src/panels" / panel / "panel.tsx"
    text = module.read_text(encoding="utf-8")
    declaration = text.partition("definePanel({")[2]
    imports = {
        name.split()[-1]: (name.split()[0], source)
        for names, source in re.findall(r'import \{([^{}]*)\} from "(\.\S+)";', text)
        for name in filter(str.strip, names.split(","))
    }
    (name,), (codecs,) = (
        re.findall(r'^  name: "(\w+)"', declaration, re.MULTILINE),
        re.findall(r"codecs: \[(.*?)\]", declaration),
    )
    kinds = []
    for codec in codecs.split(", "):
        declared, source = imports[codec]
        (kind,) = re.findall(
            rf'^export const {declared}\b.*?\bkind: "(\w+)"',
            (module.parent / f"{source}.ts").read_text("utf-8"),
            re.MULTILINE | re.DOTALL,
        )
        kinds.append(kind)
    return name, tuple(kinds)


def test_panels_agree() -> None:
    text = (JS / "src/panels/registry.ts").read_text(encoding="utf-8")
    (listed,) = re.findall(r"panels: Panel\[\] = \[(.*?)\]", text, re.DOTALL)
    theirs = [kinds_drawn(panel) for panel in re.findall(r"\w+", listed)]
    ours = [(panel.name, tuple(content.kind for content in panel.contents)) for panel in registry.PANELS]
    assert theirs == ours, "both registries list the same panels in one order, of the same kinds"
    names = re.search(r"kinds: \{(.*?)\}", (JS / "src/ui/texts.ts").read_text(encoding="utf-8"), re.DOTALL)
    assert names is not None
    assert re.findall(r"(\w+): ", names[1]) == list(KINDS)


def test_both_sides_know_how_fine_a_series_can_be() -> None:
    widths = json.loads((JS / "tests/fixtures/widths.json").read_text(encoding="utf-8"))
    assert [fine_width(total) for total, _ in widths] == [width for _, width in widths]


def test_the_messages_that_the_browser_is_tested_with_are_ours() -> None:
    stored = json.loads((JS / "tests/fixtures/messages.json").read_text(encoding="utf-8"))
    assert recorded_messages() == stored, "run `make generated`"


def test_both_sides_know_which_values_of_a_measure_are_best() -> None:
    names = json.loads((JS / "tests/fixtures/directions.json").read_text(encoding="utf-8"))
    assert [[name, direction_of(name), is_smaller_better(name)] for name, *_ in names] == names


def test_names_have_one_order() -> None:
    names = json.loads((JS / "tests/fixtures/natural.json").read_text(encoding="utf-8"))
    names_of_the_browser = list(names)
    names.reverse()
    assert sorted(names, key=natural_key) == names_of_the_browser
