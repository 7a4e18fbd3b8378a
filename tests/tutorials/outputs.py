"""Run the tutorials and write their outputs into the committed notebooks: `python -m tests.tutorials.outputs [NAME …]`.

A dashboard becomes the picture of it in the page, since the widget is not there where a notebook is only read.
Translated notebooks have no outputs.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
from typing import TYPE_CHECKING, Any

from PIL import Image

from tests.browser.chromium import Chromium
from tests.browser.conftest import ROOT
from tests.support.translations import originals
from tests.tutorials.lab import Ran, one_core_server, run_all

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "notebooks/tutorials"

_WIDGET = "application/vnd.jupyter.widget-view+json"


def write(path: Path, ran: Ran) -> None:
    """Write what the cells put out, with pictures in place of dashboards."""
    notebook = json.loads(path.read_text("utf-8"))
    outputs, pictures = ran.outputs(), ran.pictures()
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = number
        cell["outputs"] = [_still(output, pictures[cell["id"]]) for output in outputs[cell["id"]]]
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _still(output: dict[str, Any], pictures: list[bytes]) -> dict[str, Any]:
    """Return an output as it is committed; takes the next picture for a dashboard."""
    if "text" in output:
        return {**output, "text": _lines(output["text"])}
    data = {kind: value for kind, value in output["data"].items() if not kind.startswith("application/")}
    words = "".join(data.get("text/plain", ""))
    if _WIDGET not in output["data"]:
        data = {kind: _lines(value) if kind.startswith("text/") else value for kind, value in data.items()}
        return {**output, "data": data, "metadata": {}}
    # The summary is older than the picture: it says what the logs held when the cell ran.
    name = words.partition("): ")[0] + ")"
    data = {"image/png": base64.b64encode(_small(pictures.pop(0))).decode("ascii"), "text/plain": [name]}
    return {**output, "data": data, "metadata": {"image/png": {"alt": name}}}


def _lines(text: str | list[str]) -> list[str]:
    return "".join(text).splitlines(keepends=True)


def _small(png: bytes) -> bytes:
    """Return a PNG with a palette: a third of the bytes. This method keeps small dots of color."""
    image, content = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    image.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(content, "PNG", optimize=True)
    return content.getvalue()


def main() -> None:
    """Run those that the command line names, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=[path.stem for path in originals(FOLDER, "ipynb")])
    with Chromium() as chromium, one_core_server() as server:
        for name in parser.parse_args().names:
            path = FOLDER / f"{name}.ipynb"
            with run_all(server, chromium, path.name, json.loads(path.read_text("utf-8"))) as ran:
                write(path, ran)
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
