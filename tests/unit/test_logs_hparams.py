"""Hyperparameters as each writer stores them, and the metrics that belong to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.logs.items import Items
from tbwidget.logs.kinds.hparams import Interval
from tbwidget.proto.summary_pb2 import Summary
from tests.support.eventfiles import NAME, event, numbers, simple, write
from tests.support.trials import said, started


def ended(status: str) -> Summary.Value:
    return said("session_end_info", {"sessionEndInfo": {"status": f"STATUS_{status}", "endTimeSecs": 9}})


def experiment(metrics: list[dict[str, str]], *hparams: dict[str, Any]) -> Summary.Value:
    infos = [{"name": name} for name in metrics]
    return said("experiment", {"experiment": {"hparamInfos": list(hparams), "metricInfos": infos}})


def test_a_grid_whose_experiment_stands_in_the_root(tmp_path: Path) -> None:
    declared = experiment(
        [{"tag": "accuracy"}, {"group": "validation", "tag": "loss"}, {"tag": "nowhere"}],
        {"name": "units", "displayName": "Units", "domainDiscrete": [16, 32]},
        {"name": "dropout", "description": "of all", "domainInterval": {"minValue": 0.1, "maxValue": 0.2}},
        {"name": "flag", "domainDiscrete": [True, False]},
    )
    write(tmp_path / NAME, event(1, 0, declared))
    for n in range(2):
        run = tmp_path / f"run-{n}"
        write(run / NAME, event(1, 0, started("abc", units=16, flag=1, name="adam", none=None)),
              event(2, 1, simple("accuracy", 0.25)), event(3, 2, simple("accuracy", n)))  # fmt: skip
        write(run / "validation" / NAME, event(1, 0, simple("loss", 7 + n)))
    logs = tbwidget.load(tmp_path)
    first, second = logs.hparams()
    assert (first.run, second.run) == ("run-0", "run-1")
    assert first.values == {"units": 16.0, "flag": True, "name": "adam", "none": None}
    assert first.values["flag"] is True
    assert second.metrics == {"accuracy": 1.0, "validation/loss": 8.0}
    assert [(trial.values, trial.metrics) for trial in logs.hparams(metrics=False)] == [
        (first.values, {}),
        (second.values, {}),
    ]
    assert (first.group, first.status, first.start_time, first.end_time) == ("abc", "UNKNOWN", 5, None)
    assert first.infos["units"].domain == (16, 32)
    assert first.infos["dropout"].domain == Interval(0.1, 0.2)
    assert (first.infos["units"].display_name, first.infos["dropout"].description) == ("Units", "of all")
    assert [info.name for info in first.metric_infos] == ["accuracy", "validation/loss", "nowhere"]
    table = logs.frame("hparams", runs=["run-1"])
    assert table["metric/validation/loss"].tolist() == [8]
    assert table["hparam/name"].tolist() == ["adam"]
    assert table["run"].tolist() == ["run-1"]
    with pytest.raises(ValueError, match="`tags` has no effect"):
        logs.frame("hparams", tags="accuracy")


def test_each_trial_declares_for_itself(tmp_path: Path) -> None:
    """So do torch and Lightning write, and torch turns booleans into numbers."""
    for n in range(2):
        declared = experiment(
            [{"tag": "acc"}], {"name": "flag", "type": "DATA_TYPE_BOOL"}, {"name": "lr", "type": "DATA_TYPE_FLOAT64"}
        )
        write(
            tmp_path / f"t{n}" / NAME,
            event(1, 0, declared),
            event(1, 0, started(flag=n, lr=n)),
            event(1, 0, ended("SUCCESS" if n else "FAILURE")),
            event(2, 0, simple("acc", 0.5), simple("other", 1)),
        )
    trials = tbwidget.load(tmp_path).hparams()
    assert [trial.values for trial in trials] == [{"flag": False, "lr": 0.0}, {"flag": True, "lr": 1.0}]
    assert [type(trial.values["lr"]) for trial in trials] == [float, float]
    assert [(trial.status, trial.end_time) for trial in trials] == [("FAILURE", 9), ("SUCCESS", 9)]
    assert [trial.metrics for trial in trials] == [{"acc": 0.5}] * 2
    assert trials[0].infos["flag"].type == "bool"


def test_without_declared_metrics_all_scalars_are_metrics(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1, 0, started(lr=1), simple("a", 1)))
    write(tmp_path / "t" / NAME, event(1, 0, started(lr=1), simple("b", 2)))
    write(tmp_path / "t" / "eval" / NAME, event(1, 0, simple("c", 3)))
    write(tmp_path / "tt" / NAME, event(1, 0, simple("d", 4)))
    root, trial = tbwidget.load(tmp_path).hparams()
    assert root.metrics == {"a": 1, "t/b": 2, "t/eval/c": 3, "tt/d": 4}
    assert trial.metrics == {"b": 2, "eval/c": 3}


def test_a_session_may_stand_in_several_files(tmp_path: Path) -> None:
    """Two writers, one of hyperparameters and one of metrics; a restart writes a third file."""
    logs = tbwidget.load(tmp_path)
    path = tmp_path / "a"
    first, second, third = (path / f"events.out.tfevents.{number}.host" for number in (1, 2, 3))
    write(first, event(1, 0, started("trial", lr=0.1, depth=2)))
    write(second, event(2, 0, simple("loss", 5)), event(3, 1, simple("loss", 4)))
    logs.refresh()
    (session,) = logs.hparams()
    assert (session.run, session.values, session.status) == ("a", {"lr": 0.1, "depth": 2}, "UNKNOWN")
    assert session.metrics == {"loss": 4}
    with first.open("ab") as file:
        file.write(event(4, 0, ended("FAILURE")))
    logs.refresh()
    assert [one.status for one in logs.hparams()] == ["FAILURE"]
    write(third, event(9, 0, started("trial", lr=0.2)), event(10, 2, simple("loss", 3)))
    logs.refresh()
    (session,) = logs.hparams()
    assert (session.values, session.metrics) == ({"lr": 0.2}, {"loss": 3}), "the last start counts"
    (fresh,) = tbwidget.load(tmp_path).hparams()
    assert fresh == session


def test_groups_that_lead_elsewhere(tmp_path: Path) -> None:
    names = [{"group": "../b", "tag": "x"}, {"group": "../../..", "tag": "y"}, {"group": ".", "tag": "z"}]
    write(tmp_path / "a" / NAME, event(1, 0, experiment(names), started(lr=1), simple("z", 3)))
    write(tmp_path / "b" / NAME, event(1, 0, simple("x", 1)))
    write(tmp_path / NAME, event(1, 0, simple("y", 2)))
    (trial,) = tbwidget.load(tmp_path).hparams()
    assert trial.metrics == {"../b/x": 1, "../../../y": 2, "./z": 3}


def test_directories_know_nothing_of_each_other(tmp_path: Path) -> None:
    """Declarations of one do not apply to runs of the other, and no group leads there."""
    names = [{"group": "../../b/x", "tag": "loss"}, {"group": "..", "tag": "loss"}]
    write(tmp_path / "a" / "x" / NAME, event(1, 0, experiment(names), started(lr=1), simple("loss", 1)))
    write(tmp_path / "a" / NAME, event(1, 0, simple("loss", 2)))
    write(tmp_path / "b" / "x" / NAME, event(1, 0, started(lr=2), simple("loss", 3), simple("other", 4)))
    first, second = tbwidget.load(tmp_path / "a", tmp_path / "b").hparams()
    assert (first.run, first.metrics) == ("a/x", {"../loss": 2})
    assert (second.run, second.metrics, second.metric_infos) == ("b/x", {"loss": 3, "other": 4}, ())


def test_values_that_are_no_messages_of_hyperparameters(tmp_path: Path) -> None:
    broken = said("session_start_info", {})
    broken.metadata.plugin_data.content = b"\xff\xff"
    write(tmp_path / "bad" / NAME, event(1, 0, broken))
    write(tmp_path / "good" / NAME, event(1, 0, started(deep=[[[{"a": [1, None]}]]])), event(1, 0, simple("s", 1)))
    write(tmp_path / "tensor" / NAME, event(1, 0, numbers("_hparams_/x", started(lr=1).metadata, 0)))
    logs = tbwidget.load(tmp_path)
    good, tensor = logs.hparams()
    assert good.values == {"deep": [[[{"a": [1.0, None]}]]]}
    assert tensor.values == {"lr": 1.0}
    assert [problem.path for problem in logs.problems] == [f"bad/{NAME}"]


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """One such name does not affect the others."""
    value = started("gXr", lr=1, kXy="vXl", deep={"kXy": ["vXl"]})
    content = value.metadata.plugin_data.content.replace(b"X", b"\xff")
    value.metadata.plugin_data.content = content
    write(tmp_path / NAME, event(1, 0, experiment([{"tag": "s"}], {"name": "lr", "displayName": "L"}), value))
    write(tmp_path / "again" / NAME, event(1, 0, experiment([]), value, simple("s", 1)))
    logs = tbwidget.load(tmp_path)
    first, _ = logs.hparams()
    assert first.values == {"lr": 1.0, "k\udcffy": "v\udcffl", "deep": {"k\udcffy": ["v\udcffl"]}}
    assert (first.group, first.infos["lr"].display_name, logs.problems) == ("g\udcffr", "L", [])
    assert logs.frame("hparams")["hparam/k\udcffy"].tolist() == ["v\udcffl"] * 2


def test_a_real_writer(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_hparams({"lr": 0.1, "flag": True, "kind": "sgd"}, {"acc": 0.75, "loss": 2}, name="trial")
    (trial,) = tbwidget.load(tmp_path).hparams()
    assert (trial.run, trial.status, trial.group) == ("trial", "SUCCESS", "")
    assert trial.values == {"lr": 0.1, "flag": True, "kind": "sgd"}
    assert trial.metrics == {"acc": 0.75, "loss": 2}


def test_a_trial_that_vanishes_meanwhile_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in ("a", "b"):
        write(tmp_path / run / NAME, event(1, 0, started(run, units=16)))
    logs = tbwidget.load(tmp_path)
    listed = logs.tags()
    (tmp_path / "a" / NAME).unlink()
    logs.refresh()
    monkeypatch.setattr(logs, "tags", lambda: listed)
    assert [trial.run for trial in logs.hparams()] == ["b"]


def test_hyperparameters_as_columns_of_other_tables(tmp_path: Path) -> None:
    for run, hparams in (("a", {"rate": 0.5, "name": "adam"}), ("b", {"rate": 2})):
        write(tmp_path / run / NAME, event(1, 0, started(**hparams)), event(2, 1, simple("loss", 1)))
    write(tmp_path / "a" / "validation" / NAME, event(1, 0, simple("loss", 3)), event(1, 1, simple("loss", 4)))
    write(tmp_path / "other" / NAME, event(1, 0, simple("loss", 5)))
    table = tbwidget.load(tmp_path).frame(hparams=True)
    assert list(table) == ["run", "tag", "step", "wall_time", "value", "hparam/name", "hparam/rate"]
    assert table["hparam/name"].tolist() == ["adam", "adam", "adam", None, None]
    assert table["hparam/rate"].fillna(-1).tolist() == [0.5, 0.5, 0.5, 2, -1]
    assert table.groupby("hparam/rate")["value"].mean().to_dict() == {0.5: 8 / 3, 2: 1}
    empty = tbwidget.load(tmp_path).frame("images", hparams=True)
    assert (len(empty), "hparam/rate" in empty) == (0, True)


def test_a_new_session_costs_no_reading_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(20):
        write(tmp_path / f"trial{n}" / NAME, event(1, 0, started(lr=n)))
    logs = tbwidget.load(tmp_path)
    assert len(logs.hparams(metrics=False)) == 20
    read: list[Items] = []
    values = Items.values

    def counted(items: Items, indices: Iterable[int] | None = None) -> Iterator[Summary.Value]:
        read.append(items)
        return values(items, indices)

    monkeypatch.setattr(Items, "values", counted)
    write(tmp_path / "trial20" / NAME, event(1, 0, started(lr=20)))
    with (tmp_path / "trial3" / NAME).open("ab") as file:
        file.write(event(9, 0, started(lr=0.5)))
    logs.refresh()
    found = {trial.run: trial.values["lr"] for trial in logs.hparams(metrics=False)}
    assert (len(found), found["trial20"], found["trial3"], found["trial4"]) == (21, 20, 0.5, 4)
    assert len(read) == 2
