"""Why something could not be read, shown or answered: the codes, and the English text of each.

A reason is a text with a stable code and arguments. Programs compare the code, and a page may say it in another
language. `docs/problems.md` lists the codes for users.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Self

from tbwidget.texts import format_size, shorten

_WHOLE = frozenset({"no-directory", "no-directory-near", "directory-is-file"})
"""Codes of errors that say which path is wrong. They stay in the kernel, so nothing bounds their length."""

TEMPLATES = {
    # Errors without a code of their own, such as other packages raise.
    "text": "{text}",
    "error": "{type}: {detail}",
    "error-without-text": "{type}",
    "system-error": "{detail}",
    # Directories.
    "missing-directory": "the directory {path} does not exist yet",
    "no-directory": "no such log directory: {path}",
    "no-directory-near": "no such log directory: {path}; did you mean {near:name}?",
    "directory-is-file": "{path} is a file: pass the directory that contains the event files",
    "not-a-regular-file": "not a regular file; not opened",
    "broken-link": "broken link ({detail})",
    "link-to-special-file": "link to something that is not a regular file; not opened",
    "too-many-entries": "more than {most:,} entries; the rest is skipped",
    "too-many-checkpoints": "more than {most:,} checkpoints; only the last ones by name are listed",
    "too-deep": "more than {most} levels deep; what lies below is skipped",
    # Remote storage.
    "storage-missing": "{path} does not exist",
    "storage-package": "reading {scheme}:// needs a package: {detail}",
    "storage-no-credentials": "no credentials for {path}: set them up as its client does, or pass storage_options",
    "storage-forbidden": "access to {path} was refused: check the credentials and their permissions",
    "storage-timeout": "{path} did not answer in time",
    "storage-unreachable": "no connection to {path}, or it broke off",
    "storage-failed": "{path} cannot be read: {detail}",
    "storage-file": "it is a file",
    "storage-truncated": "{got:size} arrived instead of {bytes:size}; the next poll asks again",
    "storage-no-size": "the storage does not tell the size of this file; not read",
    # Executors.
    "executor-failed": "the executor failed, so this process reads: {detail}",
    "executor-silent": "no task ended within {seconds:g} s",
    "executor-unreachable": "workers of the executor do not see {path}",
    # Records of event files.
    "damaged-record": "damaged record: {bytes:size} skipped",
    "more-damage": "{places:count more damaged place}",
    "cut-off": "the file ends inside a record, after {bytes:size} of it",
    "not-an-event": "this record is intact but holds no event",
    "malformed-event": "this record is intact but holds no event: {detail}",
    "undecodable-record": "this record cannot be decoded: {reason}",
    "more-unreadable": "{records:count more unreadable record}",
    # Values, read when they are asked for.
    "record-missing": "the file ends before this record",
    "record-replaced": "no record begins here any more",
    "record-changed": "this record of {bytes:size} was cut or changed",
    "record-not-event": "this record of {bytes:size} holds no event: {detail}",
    "value-replaced": "the value of step {step} was overwritten",
    "event-replaced": "the {what} was overwritten",
    "damaged-value": "{file} at byte {offset}: {reason}",
    "malformed-message": "malformed message: {detail}",
    "kind-mismatch": "tag {tag:name}: {form:article} does not fit its kind, {kind}",
    "scalar-mismatch": "tag {tag:name}: a number declared as a scalar does not fit its kind, {kind}",
    # Tensors.
    "strings-expected": "expected strings, found a tensor of {dtype}",
    "numbers-expected": "expected real numbers, found a tensor of {dtype}",
    "unsupported-dtype": "no array holds a tensor of {dtype}",
    "invalid-shape": "invalid shape: {detail}",
    "unknown-shape": "unknown shape",
    "too-many-repeats": "one value repeated for {elements} elements; at most {most} are read",
    "odd-complex": "{values:count value} for real and imaginary parts",
    "partial-element": "{bytes:count byte} do not hold a whole number of elements of {size}",
    "packed-strings": "strings packed into tensor_content have no known format",
    "shape-mismatch": "{values:count value} for {elements:count element}",
    "too-many-missing": "{values:count value} for {elements} elements; at most {most} are filled in",
    # Values of one kind.
    "tensor-expected": "expected a tensor, found a value of the older form",
    "bytes-expected": "expected serialized bytes, found no string",
    "audio-expected": "expected audio, found a tensor without strings",
    "images-expected": "expected images, found a tensor without strings",
    "layout-expected": "expected a chart layout, found no single string",
    "object-expected": "expected an object",
    "invalid-layout": "the string is not a chart layout",
    "histogram-shape": "expected a histogram of shape [k, 3], found shape {shape}",
    "histogram-lengths": "a histogram with {counts:count count} and {limits:count limit}",
    "mesh-shape": "expected a mesh of shape [b, n, 3], found shape {shape}",
    "invalid-scene": "the description of the scene is not JSON: {detail}",
    "mesh-vertices": "no vertices were written at this step",
    "mesh-too-large": "{vertices:,} vertices and {faces:,} faces take {bytes:size}; at most {most:size} are shown;"
    " {call} reads them",
    "mesh-samples": "meshes of this step left out: {samples:,}; at most {count:,} of {most:size} in total are shown",
    "mesh-places": "vertices without a finite place, not drawn: {vertices:,}",
    "mesh-batch": "faces or colors for another number of meshes than vertices of shape {vertices}: not drawn",
    "mesh-faces": "faces left out, because a corner is no vertex: {faces:,}",
    "mesh-colors": "{colors:,} colors for {vertices:,} vertices: not drawn",
    "mesh-color-range": "color values clipped to 0 to 255: {values:,}",
    "mesh-equal": "the vertices do not differ: {vertices:,}",
    "mesh-scene": "the scene is not an object: not drawn",
    "mesh-place": "{reason} ({file} at byte {offset})",
    "pr-curve-shape": "expected a PR curve of shape [6, t], found shape {shape}",
    "pr-curve-empty": "no thresholds",
    "pr-curve-not-finite": "values that are not finite",
    "pr-curve-out-of-range": "negative counts, or precision or recall outside 0 to 1",
    "invalid-hparams": "the metadata are not those of hyperparameters",
    "invalid-run-metadata": "the bytes are not the statistics of a step (RunMetadata)",
    # Graphs.
    "graph-damaged": "not a protobuf message; {bytes:size} skipped",
    "graph-node": "a node cannot be parsed; skipped",
    "graph-function": "a function cannot be parsed; skipped",
    "graph-statistics": "statistics of a node cannot be parsed; skipped",
    "graph-duplicate": "{count} nodes are named {name:name}; drawn as one",
    "graph-branches": "branches beyond {most:,} nodes, or {depth} levels deep, are left out",
    "keras-layer": "a layer in {scope} is not a layer; skipped",
    "keras-duplicate": "several layers are named {name:name}; drawn as one",
    "keras-json": "not the JSON of a Keras model: {detail}",
    "graph-place": "at byte {offset}: {problem}",
    "more-problems": "{problems:count more problem}",
    "graph-problem": "graph {graph:name}: {problem}",
    "graph-problems": "graph {graph:name}: {problem}, and {more} more",
    # Files of the projector.
    "yaml": "no YAML that can be read: {detail}",
    "yaml-names": "expected names and their values",
    "hparams-file-too-large": "hyperparameters of {bytes:size}; at most {most:size} are read",
    "projector-config": "not a projector configuration: {detail}",
    "projector-config-too-large": "a projector configuration of {bytes:size}; at most {most:size} are read",
    "projector-config-unread": "{path:name} cannot be read: {reason}",
    "embedding-outside": "embedding {embedding:name}: {path:name} is outside the log directory; not opened",
    "embedding-too-large": "embedding {embedding:name}: {path:name} has {bytes:size}; at most {most:size} are read",
    "embedding-vectors": "embedding {embedding:name}: {path:name} is not a table of numbers: {detail}",
    "embedding-binary": "embedding {embedding:name}: {path:name} is binary, and {config} does not give its tensor_shape"
    " of rows and columns",
    "embedding-bytes": "embedding {embedding:name}: {path:name} has {bytes:,} bytes; the float32 numbers of shape"
    " {shape} in {config} take {expected:,}",
    "embedding-shape": "embedding {embedding:name}: {path:name} has shape {found}; {config} says {shape}",
    "embedding-unreadable": "embedding {embedding:name}: {path:name} cannot be read: {detail}",
    "embedding-checkpoint": "embedding {embedding:name}: the checkpoint {path:name} cannot be read: {detail}",
    "checkpoint-remote": "only a local one can be read",
    "checkpoint-package": "{package} is not installed",
    "checkpoint-unnamed": "it names no checkpoint",
    "embedding-missing": "embedding {embedding:name}: {path:name} does not exist yet",
    "embedding-growing": "embedding {embedding:name}: {path:name} is being written, {bytes:size} so far",
    "embedding-partial": "embedding {embedding:name}: {path:name} ends inside a row, after {bytes:size}",
    "embedding-few": "embedding {embedding:name}: {path:name} has {points:count row}; a projection needs two",
    "embedding-equal": "embedding {embedding:name}: the rows of {path:name} do not differ",
    "embedding-not-finite": "embedding {embedding:name}: {path:name} has {points:count row} with a value that is not"
    " finite, not drawn",
    "embedding-rows": "embedding {embedding:name}: {path:name} has {rows:count row} for {points:count point}",
    "embedding-cells": "embedding {embedding:name}: {path:name} has rows with more or fewer cells than columns",
    "embedding-approximate": "embedding {embedding:name}: its principal components are approximate",
    "embedding-sprite": "embedding {embedding:name}: the sprite {path:name} cannot be shown: {detail}",
    "embedding-tiles": "images of {size} pixels are declared in one of {width} x {height}",
    # tbwidget.json.
    "options-outside": "a link that leads out of the log directory; not opened",
    "options-too-large": "more than {most:size}; not read",
    "options-encoding": "not UTF-8 text",
    "options-json": "not valid JSON: {detail}",
    "options-form": "not a profile: {detail}",
    "options-version": '"version" must be {version}',
    "unknown-option": "there is no option {option:name}: {hint}",
    "invalid-option": "option {option:name}: {detail}",
    # Images.
    "image-pixels": "{width} x {height} pixels: more than {most} million",
    "image-side": "{width} x {height} pixels: a side of more than {most}",
    "image-empty": "empty",
    "image-vector": "SVG is a vector format without pixels",
    "image-format": "not a known image format ({bytes:size})",
    "image-memory": "too large for the available memory",
    "image-broken": "broken: {detail}",
    "image-converted": "converted from {format}",
    "image-cmyk": "CMYK converted",
    "image-bits": "{bits} bit, shown from {low:.6g} to {high:.6g}",
    "image-float": "float, shown from {low:.6g} to {high:.6g}",
    "image-pages": "first of several pages",
    "image-frames": "first of {frames:,} frames",
    "svg-size": "SVG of {bytes:size}; at most {most:size} are shown",
    "svg-malformed": "broken: not a well-formed SVG ({detail})",
    "svg-complex": "SVG too complex to draw: {detail}",
    "svg-encoding": "broken: an SVG in an unknown encoding",
    # Audio.
    "audio-empty": "empty",
    "audio-format": "not a known audio format ({bytes:size})",
    "wav-expected": "not a WAV file, though it is declared as one",
    "wav-no-samples": "broken: a WAV file without samples",
    "wav-no-format": "broken: a WAV file that does not declare its sample format",
    "wav-header": "broken: {channels} channels, {rate} Hz, {frame} bytes a frame",
    "wav-coding": "browsers do not play this WAV coding (number {coding}, {width} bytes)",
    "wav-empty": "empty: no samples",
    "wav-rate": "browsers do not play {rate:,} Hz",
    "wav-long": "too long to convert for playback: {seconds:.4g} s",
    "audio-cut": "cut off: {there:.3g} s of {seconds:.3g} s are there",
    "audio-resampled": "{rate:,} Hz, played at {played:,} Hz",
    "audio-rates": "written as {rate:,.6g} Hz, {header:,} Hz by its header",
    # Alerts.
    "alert-non-finite": "the value is {value}",
    "alert-diverged": "diverged: from {best:.4g} at step {at} to {value:.4g}",
    "alert-plateau-steps": "no improvement on {best:g} in {steps:,} steps",
    "alert-plateau-minutes": "no improvement on {best:g} in {minutes:g} minutes",
    "alert-stalled": "stalled: no point for {seconds:,} s, usually one every {interval:.3g} s; no end was written",
    "alert-function-failed": "the function {function} of on_alert failed: {reason}",
    # Sending.
    "content-failed": "{kind} {tag:name} of run {run:name}: {reason}",
    "run-content-failed": "{kind} of run {run:name}: {reason}",
    "directory-content-failed": "{kind} of the log directory: {reason}",
    "slow-writer": "a flush takes {milliseconds} ms, so tbwidget no longer flushes this writer: its values appear when"
    " it writes them itself; `flush_secs=1` makes it do so every second",
    "hanging-writer": "a flush did not return within {seconds:g} s, so tbwidget no longer flushes this writer: its"
    " values appear if it writes them itself",
    "long-name": "a name of {bytes:,} bytes is not shown; the limit is {most:,}",
    "message-too-large": "{bytes:size} do not fit into a message",
    "index-row-too-large": "a row of the index takes {bytes:size}",
    # Requests of the page.
    "unknown-request": "unknown request",
    "too-many-values": "{values:,} values; at most {most:,} are sent at once",
    "malformed-request": "malformed request: {expected} expected",
    "too-many-requests": "too many requests",
    "canceled": "canceled",
    "answer-too-large": "the answer to {request} is too large",
    "too-large-to-send": "{bytes:size}: too large to send; {call} reads it",
    "graph-closed": "the log directory is not open any more",
    "no-such-node": "there is no such node in the graph",
    "no-such-embedding": "this embedding is gone",
    "series-gone": "this series is gone",
    "text-replaced": "this text has been replaced",
    "pr-curve-replaced": "this PR curve has been replaced",
    "image-gone": "this image is gone",
    "clip-gone": "this clip is gone",
    "projection-few": "{points:count point} with a place; {method} needs {least} at least",
    "projection-package": '{method} needs the package {package}: pip install "tbwidget[projector]"',
    "projection-unavailable": "{method} needs a process of its own, and none can be started here",
    "projection-failed": "{method} failed: {detail}",
    "process-killed": "its process was killed; perhaps the memory was not enough",
    "process-ended": "its process ended with status {status}",
    "no-such-point": "the embedding has no such point, or its values are not finite",
    "mesh-gone": "this mesh is gone",
    "invalid-pattern": "not a regular expression: {detail}",
    "slow-pattern": "not found within {seconds:g} s: the pattern takes too long",
    "browser-pattern": "only browsers understand this pattern",
    "patterns-unavailable": "patterns cannot be searched for here: {detail}",
}
"""Text by code. `{n:size}` is a size with its unit, `{n:count word}` a counted word, `{x:name}` a quoted name."""


class _Texts(Formatter):
    """Formats templates; see `TEMPLATES` for the formats beside Python's own."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "size":
            return format_size(value)
        if format_spec == "name":
            return shorten(repr(value))
        if format_spec == "article":
            return f"{'an' if value[:1] in 'aeiou' else 'a'} {value}"
        if format_spec.startswith("count "):
            return f"{value} {format_spec.removeprefix('count ')}{'' if value == 1 else 's'}"
        return str(super().format_field(value, format_spec))


class _Translated(_Texts):
    """Formats templates of another language, whose counts and names are part of the template."""

    def __init__(self, language: str) -> None:
        self._language = language

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        """Look up an argument; one that is a reason is worded, too, and so is a kind."""
        value, used = super().get_field(field_name, args, kwargs)
        value = _templates(self._language).get(f"{field_name}:{value}", value)
        code, arguments = kwargs.get(f"{field_name}_code"), kwargs.get(f"{field_name}_arguments")
        return (value if code is None else _in(self._language, code, arguments, value)), used

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value in its format; few bytes without an English word."""
        is_small = format_spec == "size" and value < 1000  # noqa: PLR2004 (a kilobyte)
        return f"{value} B" if is_small else super().format_field(value, format_spec)


_texts = _Texts()


class Reason(str):
    """A text in English that knows its code and its arguments, from which `TEMPLATES` makes it."""

    __slots__ = ("arguments", "code")

    code: str
    arguments: dict[str, Any]
    """Values for JSON. An inner reason, say `x`, adds `x_code` and `x_arguments`."""

    def __new__(cls, code: str, /, **arguments: Any) -> Self:
        """Make the text of a code. Long texts among the arguments are cut."""
        for name, value in list(arguments.items()):
            if isinstance(value, Reason):
                arguments |= {name: str(value), f"{name}_code": value.code, f"{name}_arguments": value.arguments}
            elif isinstance(value, str) and code not in _WHOLE:
                arguments[name] = shorten(value)
        made = super().__new__(cls, _texts.vformat(TEMPLATES[code], (), arguments))
        made.code, made.arguments = code, arguments
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Return what a copy is made of."""
        return (self.code,), self.arguments


def text_reason(text: str) -> Reason:
    """Return the text itself, if it is a reason, else one without a code of its own."""
    return text if isinstance(text, Reason) else Reason("text", text=text)


def reason_of(error: BaseException) -> Reason:
    """Return the reason that an error was raised with; of any other error its type and text."""
    if error.args and isinstance(error.args[0], Reason):
        return error.args[0]
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 (an error that cannot even say what it is)
        text = ""
    name = type(error).__name__
    return Reason("error", type=name, detail=text) if text else Reason("error-without-text", type=name)


def plain_reason(error: Exception) -> Reason:
    """Return the reason, or else the text alone, of an error that was raised with a text for people."""
    given = error.args[0] if error.args else ""
    is_text = isinstance(given, Reason) or (isinstance(given, str) and isinstance(error, KeyError))
    return text_reason(given if is_text else str(error))


def system_reason(error: OSError) -> Reason:
    """Return what the system says of a file that cannot be read."""
    if error.args and isinstance(error.args[0], Reason):
        return error.args[0]
    return Reason("system-error", detail=error.strerror or str(error))


def reason_in(text: str, language: str) -> str:
    """Return a reason in another language; as it is where that has no template of it, or the text is no reason."""
    return _in(language, text.code, text.arguments, text) if isinstance(text, Reason) else text


def _in(language: str, code: str, arguments: dict[str, Any], text: str) -> str:
    template = _templates(language).get(code)
    if template is None:
        return text
    try:
        return _Translated(language).vformat(template, (), arguments)
    except (LookupError, TypeError, ValueError):  # arguments of another version
        return text


@cache
def _templates(language: str) -> dict[str, str]:
    """By code, and words for values of arguments, as `kind:images`; pages read the same file. English has none."""
    path = Path(__file__).with_name(f"reasons_{language}.json")
    templates: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return templates
