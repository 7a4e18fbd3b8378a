"""The build hook: bundles js/ into tbwidget/static/ and labextensions/ before anything is packed.

In a source tree the bundle is built for wheels, sdists and editable installs alike, unless it is up to date. An sdist
carries the bundle it was made with, which is used as it is: installing from one needs no Node and no network.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType


def _javascript(root: Path) -> ModuleType:
    """Return the module tools/javascript.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("javascript", root / "tools/javascript.py")
    if spec is None or spec.loader is None:
        raise ImportError("tools/javascript.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BundleHook(BuildHookInterface[Any]):
    """Builds the bundle, or checks that an sdist contains it."""

    def dependencies(self) -> list[str]:
        """Return the requirement for Node from PyPI, if Node is needed and not installed."""
        javascript = _javascript(Path(self.root))
        return [] if self._is_sdist or javascript.node_folder() else [javascript.NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the hook's signature)
        """Run before the files are collected."""
        root = Path(self.root)
        javascript = _javascript(root)
        if not self._is_sdist:
            try:
                javascript.bundle(root)
            except javascript.JavaScriptError as error:
                self.app.abort(f"tbwidget's bundle was not built: {error}")
        absent = [str(path) for path in javascript.missing(root)]
        if absent:
            self.app.abort(
                f"this source distribution was to carry {' and '.join(absent)}; build from a checkout instead"
            )

    @property
    def _is_sdist(self) -> bool:
        """Return whether the tree is an unpacked sdist: only those contain PKG-INFO."""
        return (Path(self.root) / "PKG-INFO").is_file()
