"""The document of checkpoints for a page."""

from __future__ import annotations

import ast
import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.panels import checkpoints
from tbwidget.panels.checkpoints import CONTENT
from tbwidget.records.files.storage import LocalStorage
from tbwidget.wire.channel import Channel
from tbwidget.wire.snapshot import snapshot
from tests.support.eventfiles import NAME, points, write
from tests.unit.test_logs_checkpoints import session_log, touch

ROOT = Path(__file__).parents[2]

LOSS = points("loss", [0, 1], 100)


def document(logs: tbwidget.LogDir, content: Any = CONTENT) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(content.read(logs, "", "").encode())
    return made


def test_one_document_has_each_checkpoint_once_with_its_runs(tmp_path: Path) -> None:
    for run in ("train", "validation"):
        write(tmp_path / run / NAME, LOSS)
    write(tmp_path / "train" / NAME, LOSS, session_log(3, b"/far/model.ckpt-3"))
    touch(tmp_path / "checkpoints" / "ckpt-2.index", tmp_path / "train" / "epoch=1-step=9.ckpt")
    os.utime(tmp_path / "checkpoints" / "ckpt-2.index", (5, 5))
    os.utime(tmp_path / "train" / "epoch=1-step=9.ckpt", (6, 6))
    logs = tbwidget.load(tmp_path)
    assert document(logs) == {
        "directories": [[tmp_path.name, str(tmp_path)]],
        "runs": ["train", "validation"],
        "owners": [[0, 1], [0]],
        "owner": [0, 1, 1],
        "directory": [0, -1, 0],
        "names": ["checkpoints/ckpt-2", "/far/model.ckpt-3", "train/epoch=1-step=9.ckpt"],
        "formats": ["tensorflow", "tensorflow", "lightning"],
        "steps": ["2", "3", "9"],
        "epochs": [None, None, 1],
        "times": [5.0, 50.0, 6.0],
        "left_out": 0,
    }


def test_no_file_is_asked_for_until_a_worker_makes_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "logs" / "run" / NAME, LOSS, session_log(3, b"/far/model.ckpt-3"))
    touch(tmp_path / "logs" / "run" / "ckpt-1.index", tmp_path / "apart" / "ckpt-2.index")
    (tmp_path / "logs" / "run" / "link").symlink_to(tmp_path / "apart")
    asked: list[str] = []
    with tbwidget.load(tmp_path / "logs", checkpoints={"later": tmp_path / "apart"}) as logs:

        def status(self: LocalStorage, path: str) -> Any:
            asked.append(path)
            return real(self, path)

        real = LocalStorage.status
        monkeypatch.setattr(LocalStorage, "status", status)
        first = CONTENT.read(logs, "", "")
        assert (CONTENT.in_background, asked) == (True, [])
        assert json.loads(first.encode())["names"] == ["run/ckpt-1", "/far/model.ckpt-3"]
        assert asked == [str(tmp_path / "logs" / "run" / "ckpt-1.index")]
        # The same checkpoints have the same revision.
        logs.refresh()
        assert CONTENT.read(logs, "", "").revision == first.revision
        write(tmp_path / "logs" / "later" / NAME, LOSS)
        logs.refresh()
        second = CONTENT.read(logs, "", "")
        assert second.revision != first.revision
        assert json.loads(second.encode())["names"] == ["run/ckpt-1", "ckpt-2", "/far/model.ckpt-3"]
        touch(tmp_path / "logs" / "run" / "ckpt-4.index")
        logs.refresh()
        assert CONTENT.read(logs, "", "").revision != second.revision


def test_hostile_names_are_ascii_on_the_wire(tmp_path: Path) -> None:
    write(tmp_path / NAME, LOSS)
    names = ["a\n'\"_1.pt", "<img src=x>_2.pt", "\u202e_3.pt", os.fsdecode(b"\xff_4.pt")]
    touch(*(tmp_path / name for name in names))
    data = CONTENT.read(tbwidget.load(tmp_path), "", "").encode()
    assert data.isascii()
    assert json.loads(data)["names"] == names


def test_the_first_steps_are_left_out_where_there_is_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / NAME, LOSS)
    touch(*(tmp_path / f"model_{step}.pt" for step in range(10, 15)))
    monkeypatch.setattr(checkpoints, "MAX_NAMES_BYTES", 2 * len(str(tmp_path / "model_10.pt")))
    sent = document(tbwidget.load(tmp_path))
    assert (sent["names"], sent["left_out"]) == (["model_13.pt", "model_14.pt"], 3)


def test_the_document_comes_and_goes_with_the_files(tmp_path: Path) -> None:
    write(tmp_path / "run" / NAME, LOSS)
    with tbwidget.load(tmp_path) as logs:
        channel = Channel(logs, [CONTENT])
        logs.source.subscribe(channel.notify)

        def sent() -> list[dict[str, Any]]:
            now, found = 0.0, []
            channel.receive({"type": "hello", "complete": True})
            for _ in range(50):
                message, wait = channel.next_message(now)
                now += max(wait, 0.1)
                if message is not None:
                    found += message.header["documents"]
            return found

        assert sent() == []
        touch(tmp_path / "run" / "ckpt-2.index")
        logs.refresh()
        assert any(entry["size"] > 0 for entry in sent())


def test_saved_pages_do_not_tell_where_the_logs_are(tmp_path: Path) -> None:
    root, apart = tmp_path / "secret" / "logs", tmp_path / "private" / "ckpts"
    write(root / "run" / NAME, LOSS, session_log(3, f"{tmp_path}/secret/model.ckpt-3".encode()))
    touch(root / "run" / "ckpt-1.index", apart / "ckpt-2.index")
    logs = tbwidget.load(root, checkpoints=apart)
    sent = document(logs, CONTENT.saved())
    assert sent["directories"] == [["logs", "logs"], ["ckpts", "ckpts"]]
    assert sent["names"] == ["run/ckpt-1", "ckpt-2", "model.ckpt-3"]
    text = json.dumps(snapshot(logs, [CONTENT]))
    for message in json.loads(text)["messages"]:
        text += base64.b64decode(message["buffer"]).decode("latin1")
    assert "ckpt-2" in text
    assert "secret" not in text
    assert "private" not in text
    assert str(tmp_path) in base64.b64decode(snapshot(logs, [CONTENT], paths=True)["messages"][0]["buffer"]).decode()


def test_python_reads_the_names_that_the_page_copies() -> None:
    stored = json.loads((ROOT / "js/tests/fixtures/literals.json").read_text("utf-8"))
    assert len(stored) > 10
    for pair in stored:
        assert ast.literal_eval(pair["literal"]) == pair["text"]
        assert ast.unparse(ast.parse(f"f({pair['literal']})")) == f"f({pair['text']!r})", (
            "one argument, and nothing else"
        )
