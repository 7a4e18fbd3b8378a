"""The virtual environments of the Makefile's targets.

    python tools/environments.py NAME     make .environments/NAME, unless it is up to date

`newest` has everything on the newest Python found, `lowest` the lower bounds of all dependencies on the lowest; `demo`,
`docs`, `bench`, `fuzz`, `hosts`, `projections` and `stores` are for those targets, `kernel6` is an older kernel for the
browser tests. The supported Pythons are those in pyproject.toml's classifiers; they are searched on PATH and in pyenv.
An environment is recreated when its requirements have changed; otherwise nothing runs. Several may be made at once.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import javascript

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".environments"
LOWEST = Path("tests/requirements/lowest.txt")
PIP = "pip>=25.1"  # the first to know dependency groups
UV = "uv>=0.8"


class Environment(NamedTuple):
    """The contents of an environment, in addition to the package itself (editable, with its dependencies)."""

    groups: tuple[str, ...]
    lowest: bool = False
    heavy: bool = False
    """Its libraries are large. pip's settings on a machine may name smaller builds, and uv does not read them.

    Wheels for new Pythons appear late, so it is made with the lowest supported one.
    """


ENVIRONMENTS = {
    "lowest": Environment(("test", "proto"), lowest=True),
    "newest": Environment(("dev",)),
    "demo": Environment(("demo",)),
    "docs": Environment(("docs",)),
    "bench": Environment(("bench",)),
    "fuzz": Environment(("fuzz",)),
    "hosts": Environment(("hosts",)),
    "kernel6": Environment(("kernel6",)),
    "projections": Environment(("projections",)),
    "stores": Environment(("emulators",)),
    "writers": Environment(("writers",), heavy=True),
}


class Interpreter(NamedTuple):
    """A working Python that can make virtual environments."""

    version: tuple[int, int, int]
    path: str

    def __str__(self) -> str:
        return f"Python {'.'.join(map(str, self.version))}"


def probe(program: str) -> Interpreter | None:
    """Return the interpreter of `program`, or None if it does not run or lacks venv (as Debian's may)."""
    code = "import ensurepip, sys, venv; print(*sys.version_info[:3], sys.executable)"
    try:
        said = subprocess.run([program, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.fullmatch(r"(\d+) (\d+) (\d+) (.+)\n", said.stdout)
    return Interpreter((int(found[1]), int(found[2]), int(found[3])), found[4]) if found else None


def candidates(minors: list[int]) -> Iterator[str]:
    """Yield programs that may be one of the Pythons 3.`minors`."""
    yield sys.executable
    names = [f"python3.{minor}" for minor in minors] + ["python3", "python"]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in names:
            program = shutil.which(name, path=folder)
            # A shim of pyenv is a script that runs another Python; the code below lists those.
            if program and not Path(program).read_bytes().startswith(b"#!"):
                yield program
    for root in (os.environ.get("PYENV_ROOT"), Path.home() / ".pyenv"):
        if root:
            yield from map(str, sorted(Path(root).glob("versions/3.*/bin/python3")))


def interpreters() -> list[Interpreter]:
    """Return one interpreter for each supported Python found, lowest first; otherwise the running one."""
    classifiers = "\n".join(project()["project"]["classifiers"])
    minors = [int(minor) for minor in re.findall(r":: 3\.(\d+)$", classifiers, re.MULTILINE)]
    found: dict[tuple[int, int], Interpreter] = {}
    seen: set[Path] = set()
    for program in candidates(minors):
        real = Path(program).resolve()
        if real in seen:
            continue
        seen.add(real)
        interpreter = probe(program)
        if interpreter and interpreter.version[0] == 3 and interpreter.version[1] in minors:  # noqa: PLR2004
            found.setdefault(interpreter.version[:2], interpreter)
    if found:
        return [found[version] for version in sorted(found)]
    running = probe(sys.executable)
    if running is None:
        sys.exit("error: this Python cannot make virtual environments (Debian: apt-get install python3-venv)")
    print(f"note: none of Python 3.{minors} is found; trying {running}", file=sys.stderr)
    return [running]


def project() -> dict[str, dict[str, list[str]]]:
    """Return the contents of pyproject.toml."""
    import tomllib  # noqa: PLC0415 (older Pythons get as far as saying what is wrong)

    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def requirements(environment: Environment) -> list[str]:
    """Return arguments of `pip install`, also for uv, for everything except the package itself."""
    arguments = list(project()["project"]["dependencies"])
    for group in environment.groups:
        arguments += ["--group", f"{ROOT / 'pyproject.toml'}:{group}"]
    if environment.lowest:
        return [*arguments, "--requirement", str(ROOT / LOWEST)]
    # The other environments build the bundle when js/ changes.
    return arguments if javascript.node_folder() else [*arguments, javascript.NODE_WHEEL]


def stamp(environment: Environment, interpreter: Interpreter) -> str:
    """Return a word that changes when the environment must be recreated."""
    contents = project()
    parts = [requirements(environment), interpreter, PIP, contents["build-system"], contents["dependency-groups"]]
    if environment.lowest:
        parts.append((ROOT / LOWEST).read_text())
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def up_to_date(name: str, interpreter: Interpreter) -> bool:
    """Return whether the environment was made with this Python and these requirements."""
    mark = FOLDER / name / ".stamp"
    made = mark.is_file() and (FOLDER / name / "bin/python").exists()
    return made and mark.read_text() == stamp(ENVIRONMENTS[name], interpreter)


def make(name: str, interpreter: Interpreter) -> bool:
    """Make the environment; returns False if this Python cannot have all its requirements."""
    folder = FOLDER / name
    print(f"Setting up {folder.relative_to(ROOT)} on {interpreter} …", file=sys.stderr, flush=True)
    python = str(folder / "bin/python")
    environment = ENVIRONMENTS[name]
    dependencies = requirements(environment)
    run([interpreter.path, "-m", "venv", "--clear", str(folder)])
    pip = [python, "-m", "pip", "install", "-qq"]
    with only_one():
        uv = find_uv(interpreter)
    installs = pip if uv is None else [uv, "pip", "install", "--quiet", "--python", python]
    if uv is None or environment.heavy or not succeeds([*installs, *dependencies]):
        # pip may find a package index that uv does not, because uv does not read pip's settings.
        installs = pip
        run([*pip, "--upgrade", PIP])
        if not succeeds([*pip, *dependencies]):
            return False
    with only_one():
        run([*installs, "--no-deps", "--editable", str(ROOT)])
    (folder / ".stamp").write_text(stamp(ENVIRONMENTS[name], interpreter))
    return True


def find_uv(interpreter: Interpreter) -> str | None:
    """Return the path of uv, which takes a tenth of pip's time; None if it cannot be installed."""
    uv = FOLDER / "uv/bin/uv"
    if not uv.exists():
        run([interpreter.path, "-m", "venv", "--clear", str(FOLDER / "uv")])
        succeeds([str(FOLDER / "uv/bin/python"), "-m", "pip", "install", "-qq", UV])
    return str(uv) if uv.exists() else None


@contextmanager
def only_one() -> Iterator[None]:
    """Wait until no other process builds here: the package's build installs npm packages and bundles in one place."""
    with (FOLDER / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def succeeds(command: list[str]) -> bool:
    """Return whether a command succeeds; it prints to the terminal."""
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode == 0


def run(command: list[str]) -> None:
    """Run a command that must succeed; it prints to the terminal."""
    if not succeeds(command):
        sys.exit(f"error: `{' '.join(command)}` failed")


def main() -> None:
    """Make the environment that the command line names."""
    if sys.version_info < (3, 11):  # noqa: UP036 (run by whatever `python3` is)
        sys.exit(
            f"error: Python 3.11 or later is needed, this is {sys.version.split()[0]}: make PYTHON=/path/to/python3"
        )
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", choices=ENVIRONMENTS)
    name = parser.parse_args().name
    found = interpreters()
    if not (ENVIRONMENTS[name].lowest or ENVIRONMENTS[name].heavy):
        found.reverse()
    # A new Python may appear before the wheels for it: then the next one is tried.
    if not any(up_to_date(name, interpreter) for interpreter in found) and not any(
        make(name, interpreter) for interpreter in found
    ):
        sys.exit(f"error: .environments/{name} could not be set up")


if __name__ == "__main__":
    main()
