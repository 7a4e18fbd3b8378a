"""Trials of hyperparameters, as writers store them."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import ParseDict
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from tbwidget.proto.summary_pb2 import Summary
from tests.support.eventfiles import plugin


def said(tag: str, message: dict[str, Any]) -> Summary.Value:
    """Make a value without content whose metadata contain a message, as writers do."""
    metadata = plugin("hparams")
    metadata.plugin_data.content = ParseDict(message, HParamsPluginData()).SerializeToString()
    return Summary.Value(tag=f"_hparams_/{tag}".encode(), metadata=metadata)


def started(group: str = "", /, **hparams: Any) -> Summary.Value:
    return said(
        "session_start_info", {"sessionStartInfo": {"hparams": hparams, "groupName": group, "startTimeSecs": 5}}
    )


def ended(status: str = "STATUS_SUCCESS", seconds: float = 9) -> Summary.Value:
    return said("session_end_info", {"sessionEndInfo": {"status": status, "endTimeSecs": seconds}})


def experiment(hparams: list[dict[str, Any]] | None = None, metrics: list[dict[str, Any]] | None = None) -> Any:
    return said("experiment", {"experiment": {"hparamInfos": hparams or [], "metricInfos": metrics or []}})
