"""Reasons of failures to read, show or answer: texts made of codes and arguments."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import re
from pathlib import Path

import pytest

import tbwidget
from tbwidget.reasons import TEMPLATES, Reason, plain_reason, reason_of, text_reason
from tbwidget.texts import format_size
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.reasons import templates
from tests.unit.test_house import MODULES, ROOT

NESTED = Reason(
    "content-failed", kind="scalars", tag="t'", run="a", reason=Reason("error", type="OSError", detail="no")
)


def test_the_text_is_made_of_code_and_arguments() -> None:
    made = Reason("damaged-record", bytes=36_493, cause="header")
    assert (made, made.code, made.arguments) == (
        "damaged record: 36 kB skipped",
        "damaged-record",
        {"bytes": 36_493, "cause": "header"},
    )
    assert Reason(made.code, **made.arguments) == made
    assert Reason("more-damage", places=1) == "1 more damaged place"
    assert (
        Reason("kind-mismatch", tag="t", form="image", kind="text") == "tag 't': an image does not fit its kind, text"
    )
    with pytest.raises(KeyError):
        Reason("no-such-code")


def test_a_reason_within_another_keeps_its_code() -> None:
    assert str(NESTED) == "scalars \"t'\" of run 'a': OSError: no"
    assert NESTED.arguments["reason_code"] == "error"
    assert NESTED.arguments["reason_arguments"] == {"type": "OSError", "detail": "no"}
    for same in (copy.deepcopy(NESTED), pickle.loads(pickle.dumps(NESTED))):  # noqa: S301 (its own)
        assert (same, same.code, same.arguments) == (NESTED, NESTED.code, NESTED.arguments)
    assert json.loads(json.dumps(NESTED.arguments)) == NESTED.arguments


def test_long_texts_are_cut() -> None:
    assert len(Reason("text", text="x" * 10_000)) < 250


def test_the_path_of_a_missing_directory_is_whole(tmp_path: Path) -> None:
    missing = tmp_path / ("x" * 200) / ("y" * 200) / "runs"
    with pytest.raises(FileNotFoundError, match=r"/x+/y+/runs$") as raised:
        tbwidget.load(missing)
    assert str(raised.value) == f"no such log directory: {missing}"


def test_the_reason_of_an_error() -> None:
    inner = Reason("unknown-shape")
    assert reason_of(ValueError(inner)) is inner
    assert reason_of(MemoryError()) == "MemoryError"
    assert reason_of(KeyError("x")) == "KeyError: 'x'"
    assert plain_reason(KeyError("no run 'x'")) == "no run 'x'"
    assert plain_reason(ValueError(inner)) is inner
    assert (text_reason("why").code, text_reason(inner).code) == ("text", "unknown-shape")

    class SilentError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert reason_of(SilentError()) == "SilentError"


@pytest.mark.parametrize(
    ("size", "text"),
    [
        *((0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (36_493, "36 kB"), (999_700, "1.0 MB")),
        *((1_250_000, "1.2 MB"), (20_000_000, "20 MB"), (3_100_000_000, "3.1 GB"), (5 * 10**12, "5.0 TB")),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert format_size(size) == text


def test_each_code_is_used_and_each_that_is_used_has_a_text() -> None:
    used = {"content-failed", "run-content-failed", "directory-content-failed"}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in {"Reason", "_failure"}:
                    used.add(str(node.args[0].value))
    assert used - set(TEMPLATES) == set(), "give each a text in tbwidget/reasons.py and in docs/problems.md"
    assert set(TEMPLATES) - used == set(), "nothing says these any more"


def test_the_documentation_lists_every_code_with_its_text() -> None:
    text = (ROOT / "docs" / "problems.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", text, re.MULTILINE))
    assert listed == TEMPLATES, "docs/problems.md has a line for each line of tbwidget/reasons.py, with its text"


def test_the_text_of_a_problem(tmp_path: Path) -> None:
    path = tmp_path / NAME
    write(path, *(event(1, step, simple("loss", 1)) for step in range(9)))
    data = bytearray(path.read_bytes())
    data[60] ^= 1
    path.write_bytes(data)
    with tbwidget.load(tmp_path) as logs:
        (problem,) = logs.problems
    assert problem.code == "damaged-record"
    assert Reason(problem.code, **problem.arguments) == problem.message
    assert problem.place == f"{NAME} at byte {problem.offset}"
    assert str(problem) == f"{problem.place}: {problem.message}"
    assert tuple(problem) == (problem.path, problem.offset, problem.message)


def test_the_page_is_tested_with_these_templates() -> None:
    stored = json.loads((ROOT / "js/tests/fixtures/reasons.json").read_text("utf-8"))
    assert stored == templates(), "run `make generated`"
