"""A JupyterLab or Notebook 7 server on loopback that writes only into its own directory."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

KERNEL = "tests"
"""Name of the kernel that runs this interpreter's environment."""

KERNEL6 = "kernel6"
"""Name of the kernel of an environment with ipykernel 6, made by tools/environments.py."""

ROOT = Path(__file__).resolve().parents[2]

_KERNELS = {KERNEL: sys.executable, KERNEL6: str(ROOT / ".environments/kernel6/bin/python")}

_APPLICATIONS = {"lab": "jupyterlab.labapp", "notebook": "notebook.app"}

# If jsonschema's grammar of addresses is installed, importing it compiles that for a second: no schema here needs it.
_START = "import sys; sys.modules['rfc3987_syntax'] = None; from {} import main; main()"

_UNUSED = (
    *("audio", "csvviewer", "debugger", "extensionmanager", "help", "htmlviewer", "hub", "imageviewer", "inspector"),
    *("json", "logconsole", "mermaid", "pdf", "pluginmanager", "settingeditor", "terminal", "vega5", "video"),
)
"""Parts of JupyterLab that no other part and no notebook of a test requires: without them it loads sooner."""

START_TIMEOUT = 90.0
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


class JupyterServer:
    """Starts a server and its kernels; ends them by the ids of the processes that it started.

    `labextension` adds our extension of JupyterLab: `True` takes it from the checkout, a path from another version that
    is installed below this prefix. Kernels import from the folder `kernel_path` before all others. `root` is an empty
    directory for the notebooks, which the caller removes; by default it is one of the server's own.
    """

    def __init__(
        self,
        app: Literal["lab", "notebook"] = "lab",
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        labextension: bool | Path = False,
        kernel_path: Path | None = None,
        root: Path | None = None,
    ) -> None:
        self.app, self._labextension, self._kernel_path = app, labextension, kernel_path
        # No news and no updates: the tests do not use the internet.
        self.settings: dict[str, Mapping[str, Any]] = {
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
            **(settings or {}),
        }
        self.home = Path(tempfile.mkdtemp(prefix="tbwidget-jupyter-"))
        self.root = root or self.home / "root"
        self.port, self.token = 0, uuid.uuid4().hex
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the server's address, with a slash at the end."""
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> Self:
        """Start the server; returns once it answers."""
        try:
            self._prepare()
            self._start_somewhere()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server."""
        self.stop()

    def write_notebook(self, name: str, cells: Sequence[str], kernel: str = KERNEL) -> Path:
        """Write a notebook of code cells into the server's root."""
        made: list[dict[str, Any]] = [
            {
                "cell_type": "code",
                "id": f"cell-{i}",
                "metadata": {},
                "source": s,
                "outputs": [],
                "execution_count": None,
            }
            for i, s in enumerate(cells)
        ]
        return self.add_notebook(name, {"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}, kernel)

    def add_notebook(self, name: str, notebook: Mapping[str, Any], kernel: str = KERNEL) -> Path:
        """Put a notebook for one of the kernels into the server's root."""
        spec = {"name": kernel, "display_name": kernel, "language": "python"}
        changed = {**notebook, "metadata": {**notebook["metadata"], "kernelspec": spec}}
        path = self.root / name
        path.write_text(json.dumps(changed), encoding="utf-8")
        return path

    def api(self, path: str, method: str = "GET") -> Any:
        """Call the server's REST interface."""
        request = urllib.request.Request(
            self.url + path, method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=20) as response:
            data = response.read()
        return json.loads(data) if data else None

    def log(self) -> str:
        """Return the server's log so far."""
        path = self.home / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def _prepare(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        for name, python in _KERNELS.items():
            self._write_kernel(name, python)
        self._write_settings()

    def _start_somewhere(self) -> None:
        """Start on a free port, and try another one if a process has taken it by then."""
        for last in (False, False, True):
            try:
                self._start()
            except RuntimeError:
                if last:
                    raise
            else:
                return

    def _start(self) -> None:
        self.port = _free_port()
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        env = {**os.environ, **{name: str(self.home / folder) for name, folder in folders.items()}}
        env.pop("JUPYTER_PATH", None)
        if self._labextension:
            # The folder that contains labextensions/.
            folder = self._labextension / "share/jupyter" if isinstance(self._labextension, Path) else ROOT
            env["JUPYTER_PATH"] = str(folder)
        env["OPENBLAS_NUM_THREADS"] = "1"  # a cell on one core, the browser on the other
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # each kernel would compile the whole package
        application = "LabApp" if self.app == "lab" else "JupyterNotebookApp"
        command = [
            *(sys.executable, "-c", _START.format(_APPLICATIONS[self.app]), "--no-browser", "--allow-root"),
            *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0"),
            *(f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}"),
            f"--{application}.expose_app_in_browser=True",
        ]
        self._log = (self.home / "server.log").open("wb")
        self._process = subprocess.Popen(
            command,
            env=env,
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - no threads yet
        )
        self._wait_for_answer(self._process)

    def _wait_for_answer(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended:\n{self.log()[-3000:]}")
            try:
                self.api("api/status")
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise TimeoutError(f"the server did not answer:\n{self.log()[-3000:]}")

    def _write_kernel(self, name: str, python: str) -> None:
        folder = self.home / "data" / "kernels" / name
        folder.mkdir(parents=True)
        argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec: dict[str, Any] = {"argv": argv, "display_name": name, "language": "python"}
        if self._kernel_path is not None:
            spec["env"] = {"PYTHONPATH": str(self._kernel_path)}
        (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")

    def _write_settings(self) -> None:
        for plugin, values in self.settings.items():
            package, name = plugin.split(":")
            path = self.home / "settings" / package / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values), encoding="utf-8")
        path = self.home / "config" / "labconfig" / "page_config.json"
        path.parent.mkdir(parents=True)
        disabled = {f"@jupyterlab/{name}-extension": True for name in (_UNUSED if self.app == "lab" else ())}
        if not self._labextension:
            disabled["tbwidget"] = True  # the environment has an older copy, from when it was made
        path.write_text(json.dumps({"disabledExtensions": disabled}), encoding="utf-8")

    def stop(self) -> None:
        """End kernels and server, and remove the files they wrote."""
        process = self._process
        if process is not None and process.poll() is None:
            self.end_kernels()
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)
        if self._log is not None:
            self._log.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def end_kernels(self, notebook: str | None = None) -> None:
        """End the kernel of a notebook, or all kernels."""
        with contextlib.suppress(OSError):  # it is about to end anyway
            for session in self.api("api/sessions"):
                if notebook in (None, session["path"]):
                    self.api(f"api/sessions/{session['id']}", "DELETE")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _end_with_parent() -> None:
    """Run in the child: ends the server with a test run that is killed."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
