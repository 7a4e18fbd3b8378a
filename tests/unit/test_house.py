"""The rules of the house that no linter knows: which room imports which, sizes, imports, pins, no hosts."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tbwidget"
ROOMS = ("proto", "graph", "records", "logs", "panels", "choices", "dashboard", "figure", "extension")  # left to right
MOST_LINES = 399
LAZY = ("PIL", "bqplot", "ml_dtypes", "networkx", "pandas")

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.stem.endswith("_pb2"))
SOURCES = sorted(
    path for path in (ROOT / "js").glob("src/**/*") if path.suffix in {".ts", ".tsx", ".js", ".mjs", ".css"}
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(source: str, module: Path) -> set[str]:
    """The full names of everything of this package that `source` imports, as the module at path `module`."""
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


def room_of(dotted: str) -> str | None:
    """The room that a full name leads into; None for tbwidget itself and its version."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else None


def wrong_imports(source: str, module: Path) -> list[str]:
    """What `source` imports from rooms to its right, or from tbwidget itself, which imports them all."""
    own = room_of(".".join(module.relative_to(ROOT).with_suffix("").parts))
    if own is None:
        return []
    left = ROOMS[: ROOMS.index(own) + 1]
    return sorted(
        name for name in imported(source, module) if room_of(name) not in left and "_version" not in name.split(".")
    )


def test_every_module_stands_in_a_room() -> None:
    outside = [name_of(path) for path in MODULES if path.relative_to(PACKAGE).with_suffix("").parts[0] not in ROOMS]
    assert outside == ["tbwidget/__init__.py", "tbwidget/_version.py"]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_room_imports_only_from_its_left(path: Path) -> None:
    assert wrong_imports(path.read_text("utf-8"), path) == []


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("from tbwidget.records import framing", []),
        ("from .natural import natural_key", []),
        ("from ..records.framing import frames", []),
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
# What each room of the face may import, without itself.
FACE = {
    "lib": set(),
    "wire": {"lib"},
    "charts": {"lib", "wire", "dashboard"},
    "dashboard": {"lib", "wire", "panels/registry"},
    "panels": {"lib", "wire", "charts", "dashboard"},
}


def room_of_face(path: Path) -> str:
    """The room that a file or an import without suffix of the face is in; of panels, each is one."""
    parts = path.relative_to(JS).parts
    return "/".join(parts[:2]) if parts[0] == "panels" else parts[0]


def wrong_face_imports(source: str, path: Path) -> list[str]:
    """What `source` imports that its room does not know."""
    own = room_of_face(path)
    found = re.findall(r'^(?:import|export|\}).*?"(\.[^"]*)"', source, re.MULTILINE)
    rooms = {name: room_of_face(Path(os.path.normpath(path.parent / name))) for name in found}
    return sorted(name for name, room in rooms.items() if room != own and room not in FACE[own.split("/")[0]])


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.suffix != ".css" and path.parent != JS and path.stem != "registry"],
    ids=name_of,
)
def test_no_panel_imports_from_another(path: Path) -> None:
    assert wrong_face_imports(path.read_text("utf-8"), path) == []


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ('import { a } from "../../charts/axis";\nimport "./own.css";\nimport uPlot from "uplot";', []),
        ('import { a } from "../scalars/curve";', ["../scalars/curve"]),
        ('import {\n  type A,\n  b,\n} from "../scalars/curve";', ["../scalars/curve"]),
        ('export { a } from "../scalars/curve";', ["../scalars/curve"]),
        ('import { panels } from "../registry";', ["../registry"]),
    ],
)
def test_the_rule_sees_an_import_from_another_panel(source: str, wrong: list[str]) -> None:
    assert wrong_face_imports(source, JS / "panels/histograms/card.tsx") == wrong


def test_there_is_something_to_measure() -> None:
    assert len(MODULES) > len(ROOMS)
    assert SOURCES


@pytest.mark.parametrize("path", [*MODULES, *SOURCES], ids=name_of)
def test_a_file_has_fewer_than_400_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = f"import sys, tbwidget; print(*sorted(set({LAZY!r}) & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == []


def versions(lines: list[str], operator: str) -> dict[str, str]:
    """The versions that requirements name on Python 3.11, by normalised name."""
    found: dict[str, str] = {}
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate({"python_version": "3.11"}):
            (specifier,) = requirement.specifier
            assert specifier.operator == operator, requirement
            found[canonicalize_name(requirement.name)] = specifier.version
    return found


def test_the_lowest_versions_tested_are_the_lower_bounds() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
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


@pytest.mark.parametrize("path", CONFIGURATION, ids=name_of)
def test_no_registry_is_named(path: Path) -> None:
    assert not HOST.search(path.read_text("utf-8"))


def test_the_lock_file_is_among_them() -> None:
    assert ROOT / "js/package-lock.json" in CONFIGURATION


@pytest.mark.parametrize(
    "line", ["registry=x", "@a:registry = x", '"resolved": "x"', "--index-url x", "x://registry.y", "x/simple/"]
)
def test_a_registry_would_be_seen(line: str) -> None:
    assert HOST.search(line)


def test_omitting_the_registry_is_no_naming() -> None:
    assert not HOST.search("omit-lockfile-registry-resolved=true")
