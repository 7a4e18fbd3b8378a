"""Rules of this project that no linter checks: which package imports which, sizes, imports, pins, no hosts."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

import networkx as nx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tbwidget.logs.kinds.registry import KINDS
from tbwidget.panels import registry

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tbwidget"
PACKAGE_ORDER = (
    "texts",
    "reasons",
    "language",
    "proto",
    "records",
    "graph",
    "media",
    "logs",
    "wire",
    "options",
    "panels",
    "export",
    "dashboard",
    "embeddingview",
    "graphview",
    "figures",
    "extension",
    "doctor",
    "argument_parser",
    "__main__",
)
"""Imports go from right to left."""
RECORDS_ORDER = ("limits", "indices", "files", "resync", "values", "large", "columnar", "")
"""Parts of records/; imports go from right to left. The last one is records/ itself: a file, a window, one event."""
MAX_LINES = 600
LAZY = {
    "IPython",
    "PIL",
    "anywidget",
    "bqplot",
    "fsspec",
    "ipywidgets",
    "ml_dtypes",
    "networkx",
    "pandas",
    "platformdirs",
    "tqdm",
    "traitlets",
    "yaml",
}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.stem.endswith("_pb2"))
SOURCES = sorted(
    path for path in (ROOT / "js").glob("src/**/*") if path.suffix in {".ts", ".tsx", ".js", ".mjs", ".css"}
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(source: str, module: Path) -> set[str]:
    """Return the full names in this package that `source` imports, as the module at path `module`."""
    package = module.relative_to(ROOT).parent.parts
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *(node.module.split(".") if node.module else ())))
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "tbwidget"}


def package_of(dotted: str) -> str | None:
    """Return the package or module of tbwidget in a full name; None for tbwidget itself and its version."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in PACKAGE_ORDER else None


def wrong_imports(source: str, module: Path) -> list[str]:
    """Return the imports of `source` from packages to its right, or from tbwidget itself, which imports them all."""
    own = package_of(".".join(module.relative_to(ROOT).with_suffix("").parts))
    if own is None:
        return []
    left = PACKAGE_ORDER[: PACKAGE_ORDER.index(own) + 1]
    return sorted(
        name for name in imported(source, module) if package_of(name) not in left and "_version" not in name.split(".")
    )


def test_a_kind_is_one_file_and_one_line_of_the_registry() -> None:
    files = {path.stem for path in (PACKAGE / "logs" / "kinds").glob("*.py")}
    assert files - {"__init__", "declare", "registry"} == set(KINDS)


def test_every_module_belongs_to_a_package() -> None:
    outside = [
        name_of(path) for path in MODULES if path.relative_to(PACKAGE).with_suffix("").parts[0] not in PACKAGE_ORDER
    ]
    assert outside == ["tbwidget/__init__.py", "tbwidget/_version.py"]


def offenders(paths: Iterable[Path], found: Callable[[str, Path], Sequence[object]]) -> dict[str, Sequence[object]]:
    """Return the offenses in each file that has some, by its name; `found` takes the file's text and path."""
    all_found = {name_of(path): found(path.read_text("utf-8"), path) for path in paths}
    return {name: wrong for name, wrong in all_found.items() if wrong}


def test_a_package_imports_only_from_those_above_it() -> None:
    assert offenders(MODULES, wrong_imports) == {}


def test_only_the_log_directory_imports_the_engine() -> None:
    inside = PACKAGE / "logs" / "engine"
    found = offenders(MODULES, lambda text, path: [name for name in imported(text, path) if ".logs.engine" in name])
    assert [name for name in found if not (ROOT / name).is_relative_to(inside)] == ["tbwidget/logs/logdir.py"]
    assert imported("from tbwidget.logs.engine import reader", PACKAGE / "wire/content.py") == {
        "tbwidget.logs.engine.reader"
    }


def test_counts_and_indices_may_have_more_bits_than_addresses() -> None:
    """Pyodide has 32-bit addresses: numpy refuses int64 there in these arguments, but not in brackets."""
    refusing = re.compile(r"np\.(?:repeat|bincount|take|put|choose)\(|\.reduceat\(")
    others = [path for path in MODULES if name_of(path) != "tbwidget/records/indices.py"]
    assert offenders(others, lambda text, _: refusing.findall(text)) == {}


def test_logs_are_read_through_the_storage_alone() -> None:
    """A direct read would use this machine for a log on another storage; flushing and the cache use our own files."""
    touching = re.compile(
        r"\bos\.(?:stat|lstat|scandir|walk|listdir|readlink|open|path\.(?:realpath|exists|isdir|isfile|getsize|getmtime))\b"
        r"|(?<!def )(?<![.\w])open\(|\.(?:read_bytes|read_text|is_dir|is_file|exists|iterdir|glob|rglob)\("
        r"|\.resolve\(\)"
    )
    names = ("records/files/scan", "records/files/storage", "logs/engine/flushing", "logs/cachefiles")
    own = {f"tbwidget/{name}.py" for name in names}
    packages = (PACKAGE / "records", PACKAGE / "logs")
    modules = {name_of(path): path for path in MODULES if any(path.is_relative_to(package) for package in packages)}
    assert offenders(modules.values(), lambda text, _: touching.findall(text)).keys() == own
    # `os.path` mistakes the "//" of a URL for a repeated slash.
    own.remove("tbwidget/logs/cachefiles.py")
    assert offenders(MODULES, lambda text, _: re.findall(r"\bos\.path\b", text)).keys() == own


def records_part(dotted: str) -> str:
    part = (*dotted.split("."), "", "")[2]
    return part if part in RECORDS_ORDER else ""


def wrong_records_imports(source: str, path: Path) -> list[str]:
    own = records_part(".".join(path.relative_to(ROOT).with_suffix("").parts))
    left = RECORDS_ORDER[: RECORDS_ORDER.index(own) + 1]
    names = {name for name in imported(source, path) if package_of(name) == "records"}
    return sorted(name for name in names if records_part(name) not in left)


def test_a_folder_of_the_reader_imports_only_from_those_above_it() -> None:
    modules = [path for path in MODULES if path.is_relative_to(PACKAGE / "records")]
    assert offenders(modules, wrong_records_imports) == {}


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("from tbwidget.records.files import framing", []),
        ("from .natural import natural_key", []),
        ("from ..records.files.framing import frames", []),
        ("import numpy as np\nfrom tbwidget._version import __version__", []),
        ("from tbwidget.dashboard import Dashboard", ["tbwidget.dashboard.Dashboard"]),
        ("from tbwidget import panels", ["tbwidget.panels"]),
        ("from ..panels import scalars", ["tbwidget.panels.scalars"]),
        ("from .. import panels", ["tbwidget.panels"]),
        ("def f():\n    import tbwidget.extension", ["tbwidget.extension"]),
        ("import tbwidget", ["tbwidget"]),
        ("from tbwidget import load", ["tbwidget.load"]),
    ],
)
def test_the_rule_sees_every_form_of_import(source: str, wrong: list[str]) -> None:
    assert wrong_imports(source, PACKAGE / "logs/logdir.py") == wrong


JS = ROOT / "js/src"
JS_ORDER = (
    "lib",
    "wire",
    "options",
    "charts",
    "ui",
    "lines",
    "histograms",
    "items",
    "panels",
    "dashboard",
    "jupyterlab",
    "",
)
"""Imports go from right to left; the last one is for the entry points."""
ORDINARY = {"text", "images", "audio", "graphs", "hparams", "meshes", "tensors", "embeddings"}
"""Kinds whose names are everyday words, or attributes of runs: only quoted ones count."""

SCRIPTS = [path for path in SOURCES if path.suffix in {".ts", ".tsx"}]
_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")


def js_imports(source: str, path: Path) -> dict[str, Path]:
    """Return the relative imports of the script at this path, types included, with the files they name."""
    return {name: Path(os.path.normpath(path.parent / name)) for name in _IMPORT.findall(source)}


def folder_of(path: Path) -> str:
    parts = path.relative_to(JS).parts
    return parts[0] if len(parts) > 1 else ""


def wrong_js_imports(source: str, path: Path) -> list[str]:
    """Return the imports of `source` from folders to its right, or from another panel than its own."""
    return sorted(name for name, found in js_imports(source, path).items() if not may_import(path, found))


def may_import(path: Path, found: Path) -> bool:
    if not found.is_relative_to(JS):
        return found.suffix == ".json"  # a table that Python reads, too
    own, other = folder_of(path), folder_of(found)
    if JS_ORDER.index(other) > JS_ORDER.index(own) or (own, other) == ("charts", "options"):
        return False
    if other != "panels":
        return True
    if found.stem == "registry":
        return own in ("dashboard", "")
    if found.name == "texts.ko":
        return own == ""  # korean.ts lists the tables of all folders
    if own != "panels":
        return False
    mine, theirs = path.relative_to(JS).parts, found.relative_to(JS).parts
    return mine[1:] == ("registry.ts",) or mine[1] == theirs[1]


def test_a_folder_of_the_browsers_imports_only_from_those_above_it() -> None:
    assert offenders(SCRIPTS, wrong_js_imports) == {}


@pytest.mark.parametrize(
    ("own", "source", "wrong"),
    [
        ("panels/b/card.tsx", 'import { a } from "../../charts/axis";\nimport "./own.css";\nimport "uplot";', []),
        ("panels/b/card.tsx", 'import { a } from "../a/curve";', ["../a/curve"]),
        ("panels/b/card.tsx", 'import {\n  type A,\n  b,\n} from "../a/curve";', ["../a/curve"]),
        ("panels/b/card.tsx", 'export { a } from "../a/curve";', ["../a/curve"]),
        ("panels/b/card.tsx", 'import { a } from "../a/inner/codec";', ["../a/inner/codec"]),
        ("panels/b/card.tsx", 'import { a } from "../../lines/codec";', []),
        ("panels/b/inner/card.tsx", 'import { a } from "../../a";\nimport { b } from "../b";', ["../../a"]),
        ("lines/card.tsx", 'import { a } from "../panels/a/codec";', ["../panels/a/codec"]),
        ("lines/card.tsx", 'import { a } from "../histograms/codec";', ["../histograms/codec"]),
        ("panels/b/card.tsx", 'import { panels } from "../registry";', ["../registry"]),
        ("panels/b/card.tsx", 'import { App } from "../../dashboard/app";', ["../../dashboard/app"]),
        ("panels/registry.ts", 'import { a } from "./a";\nimport { b } from "./b/panel";', []),
        ("dashboard/app.tsx", 'import { panels } from "../panels/registry";', []),
        ("korean.ts", 'import "./panels/a/texts.ko";\nimport "./panels/a/texts";', ["./panels/a/texts"]),
        ("dashboard/app.tsx", 'import { a } from "../panels/a/inner/codec";', ["../panels/a/inner/codec"]),
        ("index.ts", 'import { panels } from "./panels/registry";\nimport { App } from "./dashboard/app";', []),
        ("ui/view.ts", 'import type { Panel } from "../panels/registry";', ["../panels/registry"]),
        (
            "charts/axis.ts",
            'import { a } from "../lib/ticks";\nimport { b } from "../options/options";',
            ["../options/options"],
        ),
        ("wire/store.ts", 'const a = await import("../ui/view");', ["../ui/view"]),
        ("lib/a.ts", 'import table from "../../../tbwidget/options/run_colors.json";', []),
        ("lib/a.ts", 'import { a } from "../../tests/lib/a";', ["../../tests/lib/a"]),
    ],
)
def test_the_rule_sees_every_form_of_import_in_the_browsers_part(own: str, source: str, wrong: list[str]) -> None:
    assert wrong_js_imports(source, JS / own) == wrong


_BOUND_TEXT = re.compile(r"^(?:export )?const [^=\n]+ = (?:[^=>(\n]|\{\n)*\b\w+Texts\(\)", re.MULTILINE)


def test_no_text_is_read_while_scripts_are_evaluated() -> None:
    """The language is not known yet."""
    assert offenders(SCRIPTS, lambda text, _: _BOUND_TEXT.findall(text)) == {}
    assert _BOUND_TEXT.search("const A = { name: uiTexts().runs };")
    assert not _BOUND_TEXT.search("const name = () => uiTexts().runs;")


def test_the_scripts_that_contributors_read_of_exist() -> None:
    named = set(re.findall(r"`(?:js/src/)?([\w/]+/\w+\.tsx?)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    named = {path for path in named if "NAME" not in path}
    assert len(named) > 10
    assert sorted(name for name in named if not ((JS / name).exists() or (ROOT / name).exists())) == []


def python_file(dotted: str) -> Path | None:
    """Return the module of a full name, or the module from which a name in it is imported."""
    path = ROOT.joinpath(*dotted.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py", path.parent.with_suffix(".py"), path.parent / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def script_file(path: Path) -> Path | None:
    files = [path.with_name(path.name + end) for end in (".ts", ".tsx")] + [path / "index.ts", path / "index.tsx"]
    return next((file for file in files if file.is_file()), None)


def circles(imports: dict[Path, set[Path | None]]) -> list[list[str]]:
    """Return groups of modules that import each other, directly or indirectly."""
    graph: nx.DiGraph[Path] = nx.DiGraph()
    graph.add_edges_from((path, other) for path, others in imports.items() for other in others if other)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return sorted(sorted(map(name_of, each)) for each in nx.strongly_connected_components(graph) if len(each) > 1)


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Types count, too: types that two modules share belong in a third."""
    imports = {path: {python_file(name) for name in imported(path.read_text("utf-8"), path)} for path in MODULES}
    assert sum(map(len, imports.values())) > len(MODULES)
    assert circles(imports) == []


def test_no_script_imports_itself_by_way_of_others() -> None:
    imports = {
        path: {script_file(found) for found in js_imports(path.read_text("utf-8"), path).values()} for path in SCRIPTS
    }
    assert sum(map(len, imports.values())) > len(SCRIPTS)
    assert circles(imports) == []


def test_a_circle_would_be_seen() -> None:
    a, b, c, d = (JS / f"{name}.ts" for name in "abcd")
    assert circles({a: {b, a}, b: {c, d}, c: {a, None}, d: set()}) == [["js/src/a.ts", "js/src/b.ts", "js/src/c.ts"]]


def named(source: str, names: Iterable[str]) -> list[str]:
    """Return the panels and kinds that `source` names, as words or as parts of its names."""
    return [name for name in sorted(names) if re.search(_pattern_of(name), source)]


def _pattern_of(name: str) -> str:
    if name in ORDINARY:
        return rf"""["'`]{name}["'`]"""
    stem = name.removesuffix("s")
    return rf"(?<![A-Za-z]){stem}s?(?![a-z])|{stem.title()}s?(?![a-z])"


PANEL_NAMES = {panel.name for panel in registry.PANELS}


def test_the_wire_names_no_kind_and_no_panel() -> None:
    paths = [path for path in (*MODULES, *SOURCES) if path.parent.name == "wire"]
    paths = [path for path in paths if not path.is_relative_to(PACKAGE / "records")]
    assert offenders(paths, lambda text, _: named(text, PANEL_NAMES | set(KINDS))) == {}


def test_the_dashboard_names_no_panel() -> None:
    paths = [path for path in (*MODULES, *SOURCES) if path.parent.name == "dashboard"]
    assert offenders(paths, lambda text, _: named(text, PANEL_NAMES)) == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("the scalars of a run", ["scalars"]),
        ("class ScalarSeries:", ["scalars"]),
        ("read_histogram(tag)", ["histograms"]),
        ("runHistograms", ["histograms"]),
        ("scalarsView escalars", ["scalars"]),
        ("some text of images", []),
        ('kind == "images"', ["images"]),
    ],
)
def test_a_name_would_be_seen(source: str, found: list[str]) -> None:
    assert named(source, {"scalars", "histograms", "images", "text"}) == found


BARE_READ = re.compile(r"^ *(?:void [^=;]*|[\w#.?!]+)\.value;$", re.MULTILINE)
"""A statement that only reads a signal, to follow it, and drops its value; not the end of a longer statement."""


def test_a_signal_is_followed_by_using_its_value() -> None:
    """No other code would miss such a dependency, and the next reader of the data would forget it."""
    assert offenders(SCRIPTS, lambda text, _: BARE_READ.findall(text)) == {}


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("void now.value;", True),
        ("  void this.#seen.value;", True),
        ("  void store.series(scalars).tags.value;", True),
        ("  this.#seen.value;", True),
        ("  return this.#seen.value;", False),
        ("  const all = tags.value;", False),
        ("  }).value;", False),
        ("  void this.load();", False),
        ("  void work.then(() => (left.value = 0));", False),
    ],
)
def test_a_bare_read_would_be_seen(line: str, *, bare: bool) -> None:
    assert bool(BARE_READ.search(line)) is bare


def test_there_is_something_to_measure() -> None:
    assert len(MODULES) > len(PACKAGE_ORDER)
    assert SOURCES


def test_a_file_holds_one_concept_in_few_lines() -> None:
    assert offenders([*MODULES, *SOURCES], lambda text, _: text.splitlines()[MAX_LINES:]) == {}


def alone(selector: str) -> str | None:
    """Return the class that a selector names alone, below the root of the dashboard."""
    found = re.fullmatch(r"\.tbwidget \.([\w-]+)(?:::?[\w-]+)?", " ".join(selector.split()))
    return None if found is None else found[1]


def test_styles_of_a_panel_concern_nothing_else() -> None:
    """A class that a panel's styles name alone must not be styled by another folder or panel."""
    owners: dict[str, set[str]] = {}
    for path in sorted((ROOT / "js/src").rglob("*.css")):
        part, *inner = path.relative_to(ROOT / "js/src").parts
        owner = inner[0] if part == "panels" else "all"
        rules = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{}]+)\{", rules):
            for name in filter(None, map(alone, selectors.split(","))):
                owners.setdefault(name, set()).add(owner)
    assert len(owners) > 100
    assert {name: who for name, who in owners.items() if len(who) > 1} == {}


def test_browsers_that_know_no_content_with_a_text_to_read_aloud_have_one_without() -> None:
    found = 0
    for path in sorted((ROOT / "js/src").rglob("*.css")):
        styles = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for before, content in re.findall(r"(\S*;)\s*content: ([^;/]+) / [^;]+;", styles):
            assert before == content + ";", path
            found += 1
    assert found > 0


TOKENS = ROOT / "js/src/lib/tokens.ts"


def colors_in(text: str, *, styles: bool) -> list[str]:
    """Return the colors that a source of the browser's side writes itself, outside of comments."""
    code = re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", "", text, flags=re.DOTALL)
    quoted = code if styles else "\n".join(re.findall(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", code))
    functions = r"(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*[\d.][^)]*\)"
    found = re.findall(rf"#(?:[0-9a-fA-F]{{8}}|[0-9a-fA-F]{{6}}|[0-9a-fA-F]{{3,4}})\b|{functions}", quoted)
    named = (
        r"(?<=[:\s,(])(?:white|black|gray|red|green|blue|orange|yellow)(?=\s*[;,)])"
        if styles
        else r"^[\"'](?:white|black|gray)[\"']$"
    )
    found += re.findall(named, quoted, flags=re.MULTILINE)
    if not styles:
        triples = re.findall(r"\[(\d{1,3}), (\d{1,3}), (\d{1,3})\]", code)
        found += [", ".join(triple) for triple in triples if max(map(int, triple)) > 16]
        found += re.findall(r"oklchToHex\(\d[^)]*\)", code)
    return found


def test_the_scan_for_colors_finds_them() -> None:
    assert colors_in("a { color: #abc; background: rgb(1 2 3 / 4%); border: 1px solid white }", styles=True) == [
        "#abc",
        "rgb(1 2 3 / 4%)",
    ]
    assert colors_in("a { color: white; fill: none; /* #fff */ stroke: var(--x) }", styles=True) == ["white"]
    source = """draw("#1a2b3c", `rgb(${red} 1 2)`, 'rgb(1,2,3)'); this.#add(x); // "#fff"\nconst c = [255, 0, 0];"""
    assert colors_in(source, styles=False) == ["#1a2b3c", "rgb(1,2,3)", "255, 0, 0"]


def test_only_the_tokens_name_colors() -> None:
    sources = [
        path for path in (ROOT / "js/src").rglob("*.*") if path.suffix in {".ts", ".tsx", ".css"} and path != TOKENS
    ]
    found = {
        name_of(path): colors
        for path in sources
        if (colors := colors_in(path.read_text("utf-8"), styles=path.suffix == ".css"))
    }
    assert found == {}
    assert len(colors_in(TOKENS.read_text("utf-8"), styles=False)) > 30


def test_styles_use_tokens_that_exist() -> None:
    declared = set(re.findall(r'^  "?([a-z-]+)"?: \{', TOKENS.read_text("utf-8"), re.MULTILINE))
    sources = [path for path in (ROOT / "js/src").rglob("*.*") if path.suffix in {".ts", ".tsx", ".css"}]
    texts = [path.read_text("utf-8") for path in sources]
    # Properties that one element sets for others, such as the width of cards.
    declared |= {name for text in texts for name in re.findall(r"--tbwidget-([a-z-]+)[\"`]?\]?[:,]", text)}
    used = {name for text in texts for name in re.findall(r"var\(--tbwidget-([a-z-]+)", text)}
    assert len(used) > 25
    assert used - declared == set()


def test_a_module_has_a_docstring() -> None:
    assert [name_of(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def imports_of(module: str) -> set[str]:
    """Return the packages and modules that importing a module imports."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert imports_of("tbwidget") & LAZY == set()


def test_panels_need_no_widget_and_no_graph_before_there_is_one() -> None:
    assert imports_of("tbwidget.panels.registry") & {*LAZY, "tbwidget.graph.model"} == {"traitlets"}


def versions(lines: list[str], operator: str) -> dict[str, str]:
    """Return the versions in requirements for Python 3.11, by normalized name."""
    found: dict[str, str] = {}
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate({"python_version": "3.11"}):
            (specifier,) = requirement.specifier
            assert specifier.operator == operator, requirement
            found[canonicalize_name(requirement.name)] = specifier.version
    return found


def test_the_lowest_versions_tested_are_the_lower_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    # The libraries of projections are large, and have their own environment; Dask is a cluster's, and new there.
    others = chain.from_iterable(extra for name, extra in extras.items() if name not in ("projector", "dask"))
    declared = [*project["dependencies"], *others]
    lines = (ROOT / "tests/requirements/lowest.txt").read_text("utf-8").splitlines()
    pins = versions([line for line in lines if not line.startswith("#")], "==")
    assert pins == versions(declared, ">=")


CONFIGURATION = [
    path
    for pattern in ("*.toml", "*.cfg", "*.ini", "Makefile", ".ci/*", ".npmrc", "js/.npmrc", "js/*.json", "js/*.mjs")
    for path in sorted(ROOT.glob(pattern))
] + sorted((ROOT / "tests/requirements").iterdir())
HOST = re.compile(
    r"""^\s*(@[\w-]+:)?registry\s*=          # .npmrc
    | "resolved"\s*:                         # package-lock.json
    | //registry\.
    | (index-url|find-links|trusted-host)    # pip
    | /simple\b""",
    re.VERBOSE | re.MULTILINE,
)


def test_no_registry_is_named() -> None:
    assert offenders(CONFIGURATION, lambda text, _: HOST.findall(text)) == {}


def test_the_lock_file_is_among_them() -> None:
    assert ROOT / "js/package-lock.json" in CONFIGURATION


@pytest.mark.parametrize("lock", ["js/package-lock.json", "tests/hosts/js/package-lock.json"])
def test_every_package_of_a_lock_file_has_a_hash(lock: str) -> None:
    """Without a hash, `npm ci` would install anything that a registry sends, and bundle it."""
    packages = json.loads((ROOT / lock).read_text("utf-8"))["packages"]
    assert len(packages) > 50
    assert [name for name, package in packages.items() if name and not package.get("integrity")] == []


@pytest.mark.parametrize(
    "line", ["registry=x", "@a:registry = x", '"resolved": "x"', "--index-url x", "x://registry.y", "x/simple/"]
)
def test_a_registry_would_be_seen(line: str) -> None:
    assert HOST.search(line)


def test_omitting_the_registry_is_no_naming() -> None:
    assert not HOST.search("omit-lockfile-registry-resolved=true")
