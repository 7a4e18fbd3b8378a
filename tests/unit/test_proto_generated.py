"""The committed messages equal the output of the pinned generator for the .proto files."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    importlib.util.find_spec("grpc_tools") is None,
    reason="the generator has no wheels for the newest Python; the run with the lowest dependencies has it",
)
def test_generated_code_is_fresh() -> None:
    command = [sys.executable, "-W", "ignore", str(ROOT / "tools/generate_protos.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
