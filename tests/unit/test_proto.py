"""Our messages decode other writers' messages, coexist with them, and match the generator's output."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.resources import files

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

# Ours, TensorBoard's.
PAIRS = [
    ("event_pb2.Event", "event_pb2.Event"),
    ("summary_pb2.Summary", "summary_pb2.Summary"),
    ("summary_pb2.SummaryMetadata", "summary_pb2.SummaryMetadata"),
    ("summary_pb2.HistogramProto", "histogram_pb2.HistogramProto"),
    ("tensor_pb2.TensorProto", "tensor_pb2.TensorProto"),
    ("tensor_pb2.TensorShapeProto", "tensor_shape_pb2.TensorShapeProto"),
    ("graph_pb2.GraphDef", "graph_pb2.GraphDef"),
    ("graph_pb2.FunctionDefLibrary", "function_pb2.FunctionDefLibrary"),
    ("graph_pb2.MetaGraphDef", "meta_graph_pb2.MetaGraphDef"),
    ("run_metadata_pb2.RunMetadata", "config_pb2.RunMetadata"),
    ("plugins_pb2.HParamsPluginData", "tensorboard.plugins.hparams.plugin_data_pb2.HParamsPluginData"),
    ("plugins_pb2.Experiment", "tensorboard.plugins.hparams.api_pb2.Experiment"),
    ("plugins_pb2.Layout", "tensorboard.plugins.custom_scalar.layout_pb2.Layout"),
    ("plugins_pb2.ProjectorConfig", "tensorboard.plugins.projector.projector_config_pb2.ProjectorConfig"),
    ("plugins_pb2.PrCurvePluginData", "tensorboard.plugins.pr_curve.plugin_data_pb2.PrCurvePluginData"),
    ("plugins_pb2.MeshPluginData", "tensorboard.plugins.mesh.plugin_data_pb2.MeshPluginData"),
    ("plugins_pb2.ImagePluginData", "tensorboard.plugins.image.plugin_data_pb2.ImagePluginData"),
    ("plugins_pb2.AudioPluginData", "tensorboard.plugins.audio.plugin_data_pb2.AudioPluginData"),
]


def message(package: str, name: str) -> Descriptor:
    module, _, attribute = name.rpartition(".")
    full = module if module.startswith("tensorboard.") else f"{package}.{module}"
    descriptor: Descriptor = getattr(import_module(full), attribute).DESCRIPTOR
    return descriptor


def packed(field: FieldDescriptor) -> bool | None:
    return getattr(field, "is_packed", None)  # protobuf 4 does not say


def wire_type(field: FieldDescriptor) -> int:
    """Return the type on the wire: ours declare strings as bytes, because the bytes may be invalid text."""
    return FieldDescriptor.TYPE_BYTES if field.type == FieldDescriptor.TYPE_STRING else field.type


def compare(ours: Descriptor, theirs: Descriptor, done: set[str]) -> None:
    """Check that each of our fields has the number, wire type and label of theirs."""
    if ours.full_name in done or ours.full_name.startswith("google."):
        return
    done.add(ours.full_name)
    for field in ours.fields:
        other: FieldDescriptor | None = theirs.fields_by_number.get(field.number)
        assert other is not None, f"{field.full_name}: {theirs.full_name} has no field {field.number}"
        assert (field.name, wire_type(field), packed(field)) == (other.name, wire_type(other), packed(other)), (
            field.full_name
        )
        assert (field.containing_oneof is None) == (other.containing_oneof is None), field.full_name
        if field.message_type is not None and other.message_type is not None:
            compare(field.message_type, other.message_type, done)
        if field.enum_type is not None and other.enum_type is not None:
            known = {value.number: value.name for value in other.enum_type.values}
            for value in field.enum_type.values:
                assert known.get(value.number, value.name) == value.name, field.full_name


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_messages_match_tensorboards(ours: str, theirs: str) -> None:
    compare(message("tbwidget.proto", ours), message("tensorboard.compat.proto", theirs), set())


@pytest.mark.parametrize("first", ["tbwidget", "tensorboard"])
def test_imported_beside_tensorboard(first: str) -> None:
    """Import both in either order, in a new process: the descriptor pool accepts both."""
    imports = [
        "from tbwidget.proto import event_pb2, graph_pb2, plugins_pb2, run_metadata_pb2",
        "from tensorboard.compat.proto import config_pb2, event_pb2 as other, meta_graph_pb2",
    ]
    if first == "tensorboard":
        imports.reverse()
    program = "\n".join(imports) + "\nassert event_pb2.Event.DESCRIPTOR.full_name == 'tbwidget.Event'"
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=120)


def test_sources_are_part_of_the_package() -> None:
    names = {path.name for path in files("tbwidget.proto").iterdir()}
    for name in ("event", "graph", "plugins", "run_metadata", "summary", "tensor"):
        assert {f"{name}.proto", f"{name}_pb2.py", f"{name}_pb2.pyi"} <= names
