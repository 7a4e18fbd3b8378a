"""Generate tbwidget/proto/*_pb2.py and .pyi from the .proto files next to them.

    python tools/generate_protos.py           write them
    python tools/generate_protos.py --check   exit 1, naming each file that differs

The generator is grpcio-tools 1.62.3, whose output loads on every protobuf runtime from 4.25 on; code of newer
generators is refused by older runtimes.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.resources
import sys
import tempfile
from pathlib import Path

GENERATOR = "1.62.3"
ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path("tbwidget/proto")


def generate(out: Path) -> None:
    """Write the generated modules below `out`, in the folders of the package."""
    found = importlib.metadata.version("grpcio-tools")
    if found != GENERATOR:
        sys.exit(f"grpcio-tools {GENERATOR} is needed (found {found}): newer output does not load on protobuf 4.25")
    from grpc_tools import protoc  # noqa: PLC0415 (the error above comes first)

    well_known = importlib.resources.files("grpc_tools") / "_proto"
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / FOLDER).glob("*.proto"))
    arguments = ["protoc", f"-I{ROOT}", f"-I{well_known}", f"--python_out={out}", f"--pyi_out={out}", *sources]
    status = protoc.main(arguments)
    if status:
        sys.exit(status)


def check() -> list[str]:
    """Return the names of files in the tree that differ from the generator's output."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = {path.name: path.read_bytes() for path in (Path(folder) / FOLDER).iterdir()}
    kept = {path.name: path.read_bytes() for path in (ROOT / FOLDER).glob("*_pb2.py*")}
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def main() -> None:
    """Write or check, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if not parser.parse_args().check:
        generate(ROOT)
        return
    different = check()
    if different:
        sys.exit(f"not what tools/generate_protos.py writes: {', '.join(different)}")


if __name__ == "__main__":
    main()
