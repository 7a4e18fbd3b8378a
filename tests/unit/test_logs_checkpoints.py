"""Checkpoints by the names of their files: formats, steps, the runs that they belong to, and hostile directories."""

from __future__ import annotations

import json
import math
import os
import time
from pathlib import Path

import pytest

import tbwidget
from tbwidget.logs.checkpoints import CheckpointName, checkpoints_among
from tbwidget.logs.engine import checkpoint_files
from tbwidget.logs.roots import Root
from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.records import limits
from tbwidget.records.files.scan import Scan
from tests.support.eventfiles import NAME, points, record, write

CONTENT = points("loss", [0, 1], 100)


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(*names: str) -> list[tuple[str, str, int | None, int | None]]:
    return [(each.name, each.format, each.step, each.epoch) for each in checkpoints_among(names)]


def steps(logs: tbwidget.LogDir, run: str) -> list[int | None]:
    return [each.step for each in logs.checkpoints(run)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("model.ckpt-500.index", ("model.ckpt-500", "tensorflow", 500, None)),
        ("a/ckpt-3.index", ("a/ckpt-3", "tensorflow", 3, None)),
        ("cp-0010.ckpt.index", ("cp-0010.ckpt", "tensorflow", None, None)),
        ("cp-epoch0010.ckpt.index", ("cp-epoch0010.ckpt", "tensorflow", None, 10)),
        ("weights.05-0.32.keras", ("weights.05-0.32.keras", "keras", None, None)),
        ("model-epoch_05.weights.h5", ("model-epoch_05.weights.h5", "keras", None, 5)),
        ("step_200.keras", ("step_200.keras", "keras", 200, None)),
        ("epoch=3-step=500.ckpt", ("epoch=3-step=500.ckpt", "lightning", 500, 3)),
        ("epoch=3-step=500-v1.ckpt", ("epoch=3-step=500-v1.ckpt", "lightning", 500, 3)),
        ("epoch=02-val_loss=0.32.ckpt", ("epoch=02-val_loss=0.32.ckpt", "lightning", None, 2)),
        ("last.ckpt", ("last.ckpt", "lightning", None, None)),
        ("checkpoint-500/trainer_state.json", ("checkpoint-500", "huggingface", 500, None)),
        ("out/checkpoint-500/model.safetensors", ("out/checkpoint-500", "huggingface", 500, None)),
        ("model_500.pt", ("model_500.pt", "torch", 500, None)),
        ("500.pth", ("500.pth", "torch", 500, None)),
        ("ckpt.1000.pt", ("ckpt.1000.pt", "torch", 1000, None)),
        ("epoch_3.pth", ("epoch_3.pth", "torch", None, 3)),
        ("net_epoch3_iter_700.pth", ("net_epoch3_iter_700.pth", "torch", 700, 3)),
        ("rl_model_1000_steps.pt", ("rl_model_1000_steps.pt", "torch", 1000, None)),
        ("step-7.safetensors", ("step-7.safetensors", "safetensors", 7, None)),
        ("model_99999999999999999999.pt", None),
        ("model_9999999999999999999.pt", None),  # beyond int64
        ("model-0.32.pt", None),
        ("resnet50.pt", None),
        ("model.safetensors", None),
        ("model-00001-of-00002.safetensors", None),
        ("optimizer_500.pt", None),
        ("faiss.index", None),
        ("saved/variables/variables.index", None),
        ("checkpoint", None),
        ("config.json", None),
    ],
)
def test_formats_steps_and_epochs(name: str, expected: tuple[str, str, int | None, int | None] | None) -> None:
    assert found(name) == ([] if expected is None else [expected])


WRITTEN = {
    "tf.train.CheckpointManager": [("ckpt-3", "tensorflow", 3, None), ("ckpt-500", "tensorflow", 500, None)],
    "tf.compat.v1.train.MonitoredTrainingSession": [
        (f"model.ckpt-{step}", "tensorflow", step, None) for step in (0, 5, 10)
    ],
    "keras.callbacks.ModelCheckpoint": [
        ("best.keras", "keras", None, None),
        ("epoch_01.weights.h5", "keras", None, 1),
        ("epoch_02.weights.h5", "keras", None, 2),
        ("weights.01-3.93.keras", "keras", None, None),
        ("weights.02-3.62.keras", "keras", None, None),
    ],
    "lightning ModelCheckpoint": [
        ("lightning_logs/version_0/checkpoints/epoch=0-step=4.ckpt", "lightning", 4, 0),
        ("lightning_logs/version_0/checkpoints/epoch=1-step=8.ckpt", "lightning", 8, 1),
        ("lightning_logs/version_0/checkpoints/last.ckpt", "lightning", None, None),
    ],
    "transformers Trainer": [(f"checkpoint-{step}", "huggingface", step, None) for step in (2, 4)],
    "torch.save": [
        ("checkpoint_step1000.pth", "torch", 1000, None),
        ("epoch-3.pt", "torch", None, 3),
        ("model-step-700.safetensors", "safetensors", 700, None),
        ("model_500.pt", "torch", 500, None),
    ],
}
"""The checkpoints among the files that libraries wrote for tools/make_fixtures.py."""


def test_checkpoints_that_libraries_write() -> None:
    written = json.loads((Path(__file__).parents[1] / "data" / "checkpoints.json").read_text("utf-8"))
    assert {writer: found(*names) for writer, names in written.items()} == WRITTEN


def test_an_index_of_any_name_is_one_beside_its_data_or_a_state_file() -> None:
    assert found("best.index") == []
    assert found("best.index", "best.data-00000-of-00001") == [("best", "tensorflow", None, None)]
    assert found("a/best.index", "a/checkpoint") == [("a/best", "tensorflow", None, None)]
    assert found("a/best.index", "checkpoint") == []


def test_a_trainers_directory_with_any_contents_is_one_checkpoint() -> None:
    files = ["trainer_state.json", "config.json", "optimizer.pt", "rng_state_0.pth", "step_7/model_7.pt"]
    (only,) = checkpoints_among(f"checkpoint-500/{name}" for name in files)
    assert only == CheckpointName("checkpoint-500", "", "checkpoint-500/trainer_state.json", "huggingface", 500, None)


def test_paths_times_and_order(tmp_path: Path) -> None:
    write(tmp_path / "run" / NAME, CONTENT)
    touch(*(tmp_path / "run" / name for name in ("ckpt-10.index", "ckpt-9.index", "last.ckpt")))
    os.utime(tmp_path / "run" / "ckpt-9.index", (1e9, 1e9))
    with tbwidget.load(tmp_path) as logs:
        nine, ten, last = logs.checkpoints("run")
        assert (nine.path, nine.wall_time, nine.step) == (str(tmp_path / "run" / "ckpt-9"), 1e9, 9)
        assert (ten.step, last.step, last.format) == (10, None, "lightning")
        assert logs.tags().keys() == {"scalars"}
        with pytest.raises(KeyError, match="did you mean 'run'"):
            logs.checkpoints("runn")


def test_a_checkpoint_belongs_to_the_nearest_runs(tmp_path: Path) -> None:
    for run in ("a/train", "a/validation", "b/deep/er/run", "c"):
        write(tmp_path / run / NAME, CONTENT)
    touch(
        tmp_path / "a" / "checkpoints" / "ckpt-1.index",
        tmp_path / "a" / "train" / "weights" / "ckpt-2.index",
        tmp_path / "a" / "ckpt" / "validation" / "ckpt-3.index",
        tmp_path / "ckpt-4.index",
        tmp_path / "b" / "ckpt-5.index",
        tmp_path / "b" / "deep" / "ckpt-6.index",
        tmp_path / "checkpoints" / "c" / "ckpt-7.index",
    )
    touch(tmp_path.parent / "ckpt-8.index")
    logs = tbwidget.load(tmp_path)
    assert {run: steps(logs, run) for run in logs.runs} == {
        "a/train": [1, 2, 4],
        "a/validation": [1, 3, 4],
        "b/deep/er/run": [6],  # three levels below b
        "c": [4, 7],
    }


def test_several_log_directories_keep_apart(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write(tmp_path / name / "run" / NAME, CONTENT)
    touch(tmp_path / "x" / "ckpt-1.index", tmp_path / "y" / "run" / "ckpt-2.index", tmp_path / "ckpt-3.index")
    logs = tbwidget.load({"one": tmp_path / "x", "two": tmp_path / "y"})
    assert {run: steps(logs, run) for run in logs.runs} == {"one/run": [1], "two/run": [2]}


def test_links_lead_to_checkpoints_inside_alone(tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write(root / "run" / NAME, CONTENT)
    touch(tmp_path / "outside" / "ckpt-1.index", root / "kept" / "epoch=0-step=2.ckpt", tmp_path / "model_3.pt")
    (root / "run" / "out").symlink_to(tmp_path / "outside")
    (root / "run" / "model_3.pt").symlink_to(tmp_path / "model_3.pt")
    (root / "run" / "gone_4.pt").symlink_to("nowhere")
    logs = tbwidget.load(root)
    assert steps(logs, "run") == [2]
    assert logs.problems == []
    # A link to the log directory itself counts as the directory.
    (tmp_path / "alias").symlink_to(root)
    assert steps(tbwidget.load(tmp_path / "alias"), "run") == [2]


def test_pipes_and_directories_with_such_names_are_none(tmp_path: Path) -> None:
    write(tmp_path / NAME, CONTENT)
    os.mkfifo(tmp_path / "model_1.pt")
    (tmp_path / "model_2.pt").mkdir()
    (tmp_path / "checkpoint-3").mkdir()
    logs = tbwidget.load(tmp_path)
    assert (logs.checkpoints("."), logs.problems) == ([], [])


def test_hostile_names_are_names(tmp_path: Path) -> None:
    write(tmp_path / "run" / NAME, CONTENT)
    names = ["a\n'\"\\_1.pt", "<img src=x onerror=alert(1)>_2.pt", "\u202egnp_3.pt", os.fsdecode(b"\xff\xfe_4.pt")]
    touch(*(tmp_path / "run" / name for name in names))
    paths = [each.path for each in tbwidget.load(tmp_path).checkpoints("run")]
    assert paths == [f"{tmp_path}/run/{name}" for name in names]


def test_only_the_last_of_too_many_checkpoints_are_listed_with_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_files, "MAX_CHECKPOINTS", 3)
    write(tmp_path / NAME, CONTENT)
    touch(*(tmp_path / f"model_{step}.pt" for step in range(8, 13)))
    logs = tbwidget.load(tmp_path)
    assert steps(logs, ".") == [10, 11, 12]
    (problem,) = logs.problems
    assert (problem.code, problem.arguments) == ("too-many-checkpoints", {"most": 3})


def test_a_refresh_finds_new_ones_as_a_fresh_load_does_and_tells_of_the_runs(tmp_path: Path) -> None:
    for run in ("a", "b"):
        write(tmp_path / run / NAME, CONTENT)
    with tbwidget.load(tmp_path) as logs:
        changed: list[frozenset[tuple[str, str, str]]] = []
        logs.source.subscribe(lambda changes: changed.append(changes.series))
        touch(tmp_path / "a" / "ckpt-1.index")
        assert logs.refresh()
        assert changed == [{("checkpoints", "a", "")}]
        assert logs.source.runs_with_checkpoints() == ["a"]
        (tmp_path / "a" / "ckpt-1.index").unlink()
        assert logs.refresh()
        assert logs.checkpoints("a") == []
        assert logs.source.runs_with_checkpoints() == []
        assert not logs.refresh()


def test_directories_of_checkpoints_elsewhere(tmp_path: Path) -> None:
    root, apart = tmp_path / "logs", tmp_path / "apart"
    for run in ("train", "validation", "deep/er/test"):
        write(root / run / NAME, CONTENT)
    touch(apart / "ckpt-1.index", apart / "train" / "ckpt-2.index", apart / "x" / "test" / "ckpt-3.index")
    touch(root / "train" / "ckpt-9.index", tmp_path / "more" / "ckpt-4.index", tmp_path / "secret" / "ckpt-5.index")
    (apart / "link").symlink_to(tmp_path / "secret")
    every = {"deep/er/test": [1, 3], "train": [1, 2, 9], "validation": [1]}
    for given in (apart, str(apart), [apart]):
        logs = tbwidget.load(root, checkpoints=given)
        assert {run: steps(logs, run) for run in logs.runs} == every
    logs = tbwidget.load(root, checkpoints=[apart, tmp_path / "more"])
    assert steps(logs, "validation") == [1, 4]
    logs = tbwidget.load(root, checkpoints={"validation": apart, "gone": tmp_path / "more"})
    assert (steps(logs, "validation"), steps(logs, "train")) == ([1, 2, 3], [9])
    # A new checkpoint is found, and a directory that does not exist yet is polled.
    logs = tbwidget.load(root, checkpoints=tmp_path / "later")
    assert [problem.code for problem in logs.problems] == ["missing-directory"]
    touch(tmp_path / "later" / "ckpt-6.index")
    assert logs.refresh()
    assert (steps(logs, "validation"), logs.problems) == ([6], [])
    with pytest.raises(TypeError, match="must be a str"):
        tbwidget.load(root, checkpoints=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["beside", "apart", "folders"])
def test_the_cost_of_many_runs_with_many_checkpoints_is_linear(tmp_path: Path, place: str) -> None:
    count = 3000
    logs, apart = Root("", str(tmp_path / "logs")), Root("", str(tmp_path / "apart"))
    runs = [f"run{number}" for number in range(count)]
    folder = "ckpt/{}" if place == "folders" else "ckpt"
    names = dict.fromkeys(f"{folder.format(number)}/ckpt-{number}.index" for number in range(count))
    scan = Scan(dict.fromkeys(names, ""), [])
    directory = checkpoint_files.CheckpointDirectory(apart)
    if place != "beside":
        directory.named = checkpoint_files._named(apart, scan, apart.path)  # instead of creating thousands of files
    found = checkpoint_files.Checkpoints([directory])

    def take(names: list[str]) -> frozenset[tuple[str, str, str]] | None:
        beside = checkpoint_files.checkpoints_of(logs, scan if place == "beside" else Scan({}, []), names)
        return found.take(beside, names)

    begin = time.process_time()
    assert take(runs) == frozenset(("checkpoints", run, "") for run in runs)
    assert take(runs) is None
    assert len(take([*runs, "later"]) or ()) == count + 1
    assert sum(len(group.files) for group in found.listing.by_run["later"]) == count
    # Pair by pair, each call would take 9 million comparisons: 10 s and more.
    assert time.process_time() - begin < 3


def test_directories_that_overlap_give_each_checkpoint_once(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for run in ("a", "b"):
        write(root / run / NAME, CONTENT)
    touch(root / "ckpts" / "ckpt-1.index", root / "ckpts" / "x" / "ckpt-2.index", root / "a" / "ckpt-3.index")
    (tmp_path / "alias").symlink_to(root / "ckpts")
    inside, deeper = root / "ckpts", root / "ckpts" / "x"
    for given, of_a, of_b in (
        (None, [1, 2, 3], [1, 2]),
        (inside, [1, 2, 3], [1, 2]),
        ([inside, tmp_path / "alias", inside], [1, 2, 3], [1, 2]),
        ({"b": inside}, [3], [1, 2]),
        ({"b": tmp_path / "alias"}, [3], [1, 2]),
        ({"a": inside, "b": deeper}, [1, 3], [2]),
        ({"a": inside, "b": inside}, [1, 2, 3], [1, 2]),
    ):
        with tbwidget.load(root, checkpoints=given) as logs:
            assert (steps(logs, "a"), steps(logs, "b")) == (of_a, of_b)
            listed = [each.path for each, _ in logs.source.every_checkpoint()]
            assert len(listed) == len(set(listed)) == 3


def test_skipped_entries_of_a_checkpoint_directory_are_problems_with_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, apart = tmp_path / "logs", tmp_path / "apart"
    write(root / "run" / NAME, CONTENT)
    touch(apart / "a" / "b" / "c" / "ckpt-1.index", apart / "ckpt-2.index", apart / "ckpt-3.index")
    (apart / "gone_4.pt").symlink_to("nowhere")
    monkeypatch.setattr(limits, "MAX_DEPTH", 2)
    monkeypatch.setattr(checkpoint_files, "MAX_CHECKPOINTS", 1)
    logs = tbwidget.load(root, checkpoints=apart)
    assert steps(logs, "run") == [3]
    assert [(problem.path, problem.code) for problem in logs.problems] == [
        (str(apart), "too-many-checkpoints"),
        (f"{apart}/a/b", "too-deep"),
    ]


def session_log(step: int, path: bytes, wall_time: float = 50.0, status: int = SessionLog.CHECKPOINT) -> bytes:
    log = SessionLog(status=status, checkpoint_path=path)  # type: ignore[arg-type]
    return record(Event(wall_time=wall_time, step=step, session_log=log).SerializeToString())


def test_session_logs_name_checkpoints_as_text(tmp_path: Path) -> None:
    touch(tmp_path / "model.ckpt-7.index")
    write(
        tmp_path / NAME,
        CONTENT,
        session_log(7, b"/elsewhere/model.ckpt-7"),
        session_log(7, b"C:\\elsewhere\\model.ckpt"),
        session_log(9, b"/etc/../<b>\n\xff' model.ckpt-9"),
        session_log(9, b"/etc/../<b>\n\xff' model.ckpt-9", 60.0),
        session_log(10, b""),
        session_log(11, b"x" * 5000),
        session_log(12, b"stopped", status=SessionLog.STOP),
    )
    logs = tbwidget.load(tmp_path)
    seven, *nine = logs.checkpoints(".")
    assert (seven.path, seven.step) == (f"{tmp_path}/model.ckpt-7", 7)
    assert [(each.path, each.step, each.wall_time, each.format) for each in nine] == [
        ("/etc/../<b>\n\udcff' model.ckpt-9", 9, wall_time, "tensorflow") for wall_time in (50.0, 60.0)
    ]
    assert logs.tags() == {"scalars": {".": ["loss"]}}
    assert logs.problems == []


def test_session_logs_that_grow_and_come_from_the_cache(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, CONTENT, session_log(1, b"model.ckpt-1"))
    with tbwidget.load(tmp_path) as logs:
        changed: list[frozenset[tuple[str, str, str]]] = []
        logs.source.subscribe(lambda changes: changed.append(changes.series))
        path.write_bytes(path.read_bytes() + session_log(2, b"model.ckpt-2"))
        assert logs.refresh()
        assert changed == [{("checkpoints", ".", "")}]
        assert steps(logs, ".") == [1, 2]


def test_checkpoints_on_remote_storage_come_from_its_listing(tmp_path: Path) -> None:
    import fsspec  # noqa: PLC0415 (only here)

    memory = fsspec.filesystem("memory")
    base = f"/checkpoints-{tmp_path.name}"
    memory.pipe(f"{base}/run/{NAME}", CONTENT)
    memory.pipe(f"{base}/run/epoch=0-step=5.ckpt", b"")
    memory.pipe(f"{base}-apart/ckpt-6.index", b"")
    with tbwidget.load(f"memory:/{base}", checkpoints=f"memory:/{base}-apart") as logs:
        five, six = logs.checkpoints("run")
        assert (five.step, six.step) == (5, 6)
        assert (five.path, six.path) == (f"memory:/{base}/run/epoch=0-step=5.ckpt", f"memory:/{base}-apart/ckpt-6")
        assert not math.isnan(five.wall_time)


def test_logs_in_memory_have_none() -> None:
    from tbwidget.logs.inmemory import InMemoryEmbeddings  # noqa: PLC0415 (only here)

    source = InMemoryEmbeddings([])
    assert source.checkpoints(".") == []
    assert source.runs_with_checkpoints() == []
