"""Embeddings: vectors, what they stand for, and a picture of each, in files that the projector's configuration names.

The configuration lies in a run's directory, and makes it one. The formats follow
tensorboard/plugins/projector/projector_plugin.py. No file outside the log directory is opened, whatever the
configuration says.
"""

from __future__ import annotations

import importlib.util
import math
import re
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs import vectors_process
from tbwidget.logs.kinds.declare import Files, FoundFile, Kind, WholeFile
from tbwidget.logs.problems import Problem
from tbwidget.logs.vectors import (
    BinaryError,
    FirstLabels,
    Labels,
    NamedFile,
    ReaderEndedError,
    Vectors,
    is_binary,
    is_cut_off,
    parse_labels,
    read_checkpoint,
    read_table,
)
from tbwidget.proto.plugins_pb2 import EmbeddingInfo, ProjectorConfig
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.storage import LOCAL, Range

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from tbwidget.logs.source import LogSource
    from tbwidget.records.files.storage import OpenFile


_MAX_VECTORS, _MAX_METADATA, _MAX_SPRITE = 1 << 32, 1 << 26, 1 << 26  # bytes of a file
_MAX_CONFIG_BYTES = 1 << 20  # real ones have some hundred bytes an embedding
_MAX_REPORTED = 100  # problems of one configuration
_MAX_FOLLOWED = 3_000  # files that one configuration names; the status of one costs about 5 µs
_MAX_STATE_BYTES = 1 << 16  # of the file that names the latest checkpoint

PLUGIN = "projector"
_CONFIG = "projector_config.pbtxt"
_ASSETS = "plugins/org_tensorflow_tensorboard_projector"
"""Where plugin assets of a run lie; a configuration may be there instead."""

_PASSING = frozenset({"embedding-unreadable", "embedding-checkpoint"})
"""Reasons that may pass while no file changes."""

_NAME = re.compile(r"(.+):(-?\d{1,18})", re.DOTALL)
_LATEST_CHECKPOINT = re.compile(r'^\s*model_checkpoint_path:\s*"([^"\\]+)"', re.MULTILINE)


class EmbeddingError(ValueError):
    """A file of an embedding cannot be had. Names the configuration, and the file."""

    reason: Reason | None = None
    """The same with a stable code, without the name of the configuration."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """Small pictures in one large one, row by row, one for each vector."""

    data: bytes = field(repr=False)
    """The large picture, as written."""
    single_image_dim: tuple[int, ...]
    """Width and height of a small one in pixels."""


class ProjectorFile(WholeFile):
    """One configuration file and the embeddings that it names."""

    max_bytes = _MAX_CONFIG_BYTES

    def __init__(self, found: FoundFile) -> None:
        super().__init__(found)
        self.infos: list[EmbeddingInfo] = []
        self.checkpoint = ""
        """Path of the checkpoint that holds the tensors without a file of their own."""
        self._files: dict[str, NamedFile] = {}  # by their paths in the configuration
        self._reported: dict[tuple[str, Reason], None] = {}  # path and reason; a set that keeps its order
        self._told: list[tuple[str, Reason]] = []  # those that a refresh has told of

    @property
    def tags(self) -> list[str]:
        """Names of the embeddings."""
        return [_CONFIG] if self._error else [info.tensor_name for info in self.infos]

    @cached_property  # a configuration may name thousands
    def embeddings(self) -> list[Embedding]:
        """The embeddings; of those with one name the last. One without vectors where the file cannot be read."""
        if self._error:
            return [UnreadEmbeddings(self, self._error)]
        return [Embedding(self, info) for info in {info.tensor_name: info for info in self.infos}.values()]

    @cached_property
    def _by_tag(self) -> dict[str, list[Embedding]]:
        found: dict[str, list[Embedding]] = {}
        for embedding in self.embeddings:
            found.setdefault(embedding.tag, []).append(embedding)
        return found

    def tagged(self, tag: str) -> list[Embedding]:
        """Return the embeddings of one tag."""
        return self._by_tag.get(tag, [])

    def refresh(self) -> bool:
        """Read the file again if it was written again, and poll the files that it names; True if something changed."""
        is_changed = self._refresh_config()
        for path, file in self._files.items():
            status = None if file.target is None else self.found.storage.named_status(file.target)
            if self.found.storage.is_remote and file.status is None and (status is None or not file.is_awaited):
                # No walk has found it yet, or no reader has opened it.
                if status is not None:
                    file.opened(status)
            elif file.update(status):
                is_changed = True
                # A copy: other threads report meanwhile.
                self._reported = {key: None for key in list(self._reported) if key[0] != path}
        told, self._told = self._told, list(self._reported)
        return is_changed or told != self._told

    def _refresh_config(self) -> bool:
        before = self.infos, self._error
        if not self._reread():
            return False
        for name in ("embeddings", "_by_tag"):
            vars(self).pop(name, None)
        named = dict.fromkeys(path for info in self.infos for path in self.paths_of(info) if path)
        self._files = {
            path: self._files.get(path) or NamedFile(self.resolve(path)) for path in islice(named, _MAX_FOLLOWED)
        }
        return (self.infos, self._error) != before

    def _clear(self) -> None:
        self.infos, self._reported = [], {}

    def _parse(self, content: bytes, size: int) -> None:
        if size > self.max_bytes:
            raise ValueError(Reason("projector-config-too-large", bytes=size, most=self.max_bytes))
        from google.protobuf import text_format  # noqa: PLC0415 (rare)

        config = ProjectorConfig()
        try:
            text_format.Parse(content.decode("utf-8", "replace"), config, allow_unknown_field=True)
        except (text_format.ParseError, RecursionError) as error:
            raise ValueError(Reason("projector-config", detail=str(error))) from error
        for info in config.embeddings:
            info.tensor_name = info.tensor_name or info.tensor_path.rpartition("/")[2]
        self.checkpoint = config.model_checkpoint_path
        self.infos = [info for info in config.embeddings if info.tensor_name]

    def paths_of(self, info: EmbeddingInfo) -> list[str]:
        """The paths of an embedding's vectors, metadata and sprite in the configuration; "" for none.

        Vectors in a checkpoint are known by its index file, or by the state file that names the latest checkpoint.
        """
        is_asset = self.found.storage.parent(self.found.name).endswith(_ASSETS)
        state = "../../checkpoint" if is_asset else "checkpoint"
        vectors = info.tensor_path or (f"{self.checkpoint}.index" if self.checkpoint else state)
        return [vectors, info.metadata_path, info.sprite.image_path]

    def resolve(self, path: str) -> str | None:
        """Where a path of the configuration leads; None: out of the log directory.

        The directory of the configuration counts as part of it even where a link led there: that link is no path
        that the configuration names.
        """
        storage, config, _, root = self.found
        directory = storage.parent(config)
        return storage.resolve(directory, path, (root, directory))

    def is_outside(self, path: str) -> bool:
        """Whether a path of the configuration leads out of the log directory."""
        file = self._files.get(path)
        return (self.resolve(path) if file is None else file.target) is None

    def file(self, path: str) -> NamedFile:
        """A file that the configuration names, as of the last poll."""
        return self._files.get(path) or NamedFile(None)

    def report(self, path: str, reason: Reason) -> None:
        """Make a problem of a path that the configuration names, until one of both is written again."""
        if len(self._reported) < _MAX_REPORTED:
            self._reported[path, reason] = None

    def withdraw(self, path: str, embedding: str) -> None:
        """End the problems that a path could not be read for an embedding: now it could."""
        self._reported = {
            key: None
            for key in list(self._reported)
            if key[0] != path or key[1].code not in _PASSING or key[1].arguments["embedding"] != embedding
        }

    def problems(self) -> list[Problem]:
        """Problems with the configuration and the files that it names."""
        return super().problems() + [Problem(self.found.name, None, reason) for _, reason in list(self._reported)]


def split_name(name: str) -> tuple[str, int | None]:
    """Return the tag of an embedding, its name without the step, and the step; None: it does not end in one."""
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)


def _shape_text(shape: Sequence[int]) -> str:
    """Return a shape like "60 x 5", with at most four dimensions: a configuration may declare very many."""
    return " x ".join([*map(str, shape[:4]), *(["\N{HORIZONTAL ELLIPSIS}"] if len(shape) > 4 else [])])  # noqa: PLR2004


class Embedding:
    """One embedding; its files are read each time they are asked for.

    A file that the configuration names but that cannot be read, or lies outside the log directory, is a problem of the
    logs: the vectors raise EmbeddingError then; metadata and sprite are None.
    """

    tag: str
    """The name without its step: embeddings of one tag are the steps of one."""
    step: int | None
    """The step in which it was written; None where its name does not end in a colon and digits."""

    def __init__(self, file: ProjectorFile, info: EmbeddingInfo) -> None:
        """Take the configuration that names it, and what it says there."""
        self._file = file
        self._info = info
        self._set_name(info.tensor_name)
        self._paths = file.paths_of(info)
        for path in self._paths:
            if path and file.is_outside(path):
                self._failure("embedding-outside", path)

    def _set_name(self, name: str) -> None:
        self.name: str = name
        """As written, such as "default:00003"."""
        self.tag, self.step = split_name(name)

    @property
    def vectors(self) -> Vectors:
        """float32[n, d], read-only: tab-separated text, raw little-endian numbers of the shape that is given, or a
        tensor of a TensorFlow checkpoint, which TensorFlow reads, where it is installed.
        """  # noqa: D205 (one sentence)
        path = self.vectors_path
        try:
            vectors = self._vectors() if self._info.tensor_path else self._checkpoint()
        except ReaderEndedError as error:
            self._file.file(self._paths[0]).fail()
            raise self._failure("embedding-unreadable", path, detail=str(error)) from error
        self._file.withdraw(path, self.name)
        if (contradiction := self.shape_contradiction(vectors)) is not None:
            self._file.report(path, contradiction)
        vectors.flags.writeable = False
        return vectors

    def shape_contradiction(self, vectors: Vectors) -> Reason | None:
        """Return a reason with both shapes if the configuration declares another shape than the vectors have."""
        declared, found = tuple(self._info.tensor_shape), vectors.shape
        if not declared or declared == found or math.prod(declared) == vectors.size == 0:
            return None
        path = self.vectors_path
        shapes = {"found": _shape_text(found), "shape": _shape_text(declared)}
        return Reason("embedding-shape", embedding=self.name, path=path, config=_CONFIG, **shapes)

    @property
    def labels(self) -> Labels | None:
        """Labels of the vectors, with the names of columns; None if none are declared, or they cannot be read."""
        with suppress(EmbeddingError):
            found = self.first_labels(None, None)
            return None if found is None else found.labels
        return None

    def first_labels(self, most_rows: int | None, most_columns: int | None) -> FirstLabels | None:
        """Return the labels of the first vectors, at most `most_columns` cells of each; None if none are declared.

        A small file may have very many cells, which take a hundred times its size in memory. Raises EmbeddingError
        where the labels cannot be read.
        """
        path = self._info.metadata_path
        return parse_labels(self._read(path, _MAX_METADATA), most_rows, most_columns) if path else None

    @property
    def metadata(self) -> list[str] | list[tuple[str, ...]] | None:
        """Label of each vector: a str, or a tuple of them if there are several columns; None as for `labels`."""
        labels = self.labels
        return None if labels is None else labels.rows

    @property
    def sprite(self) -> Sprite | None:
        """A picture for each vector; None if there are none, or they cannot be read."""
        with suppress(EmbeddingError):
            return self.read_sprite()
        return None

    def read_sprite(self) -> Sprite | None:
        """Return a picture for each vector; None if there are none. Raises EmbeddingError if they cannot be read."""
        path = self.sprite_path
        return Sprite(self._read(path, _MAX_SPRITE), tuple(self._info.sprite.single_image_dim)) if path else None

    def report(self, path: str, reason: Reason) -> None:
        """Make a problem of one of its files, which could be read and not shown, until that is written again."""
        self._file.report(path, reason)

    @property
    def vectors_path(self) -> str:
        """Path of the vectors as the configuration has it, or of the checkpoint that holds them."""
        return self._info.tensor_path or self._file.checkpoint or self._paths[0]

    @property
    def metadata_path(self) -> str:
        """Path of the metadata as the configuration has it; "" where none are declared."""
        return self._info.metadata_path

    @property
    def sprite_path(self) -> str:
        """Path of the sprite as the configuration has it; "" where none is declared."""
        return self._info.sprite.image_path

    @property
    def wall_time(self) -> float:
        """When its vectors were written, by the time of their file, in seconds since the epoch; NaN: unknown."""
        status = self._file.file(self._paths[0]).status
        return status.modified_ns / 1e9 if status else math.nan

    @property
    def size(self) -> int:
        """Bytes of the file of its vectors, as of the last poll; 0 where that is unknown."""
        status = self._file.file(self._paths[0]).status
        return status.size if status else 0

    @property
    def metadata_size(self) -> int | None:
        """Bytes of the file of its metadata, as of the last poll; None where that is unknown."""
        status = self._file.file(self.metadata_path).status
        return status.size if status else None

    @property
    def revisions(self) -> tuple[Hashable, Hashable, Hashable]:
        """Revisions of vectors, metadata and sprite, which change when those are worth reading again."""
        info = self._info.SerializeToString()
        vectors, metadata, sprite = (self._file.file(path).version if path else 0 for path in self._paths)
        return (info, vectors), (info, metadata), (info, sprite)

    @property
    def waits(self) -> Reason | None:
        """Why its vectors are still being written, as far as their file tells; None: they are not."""
        path, file = self._paths[0], self._file.file(self._paths[0])
        if self._file.found.storage.is_remote or file.target is None:
            return None
        if file.status is None:
            return Reason("embedding-missing", embedding=self.name, path=path)
        if file.is_growing:
            return Reason("embedding-growing", embedding=self.name, path=path, bytes=file.status.size)
        if not self._info.tensor_path:
            return None
        is_settled, is_abandoned = file.is_settled, file.is_abandoned
        with suppress(OSError), closing(self._file.found.storage.open(file.target)) as opened:
            if self._is_partial(opened, is_settled=is_settled, is_abandoned=is_abandoned):
                file.is_awaited, file.is_rest_awaited = not is_settled, is_settled
                return Reason("embedding-partial", embedding=self.name, path=path, bytes=opened.status().size)
        return None

    def _is_partial(self, file: OpenFile, *, is_settled: bool, is_abandoned: bool) -> bool:
        size = file.status().size
        expected = math.prod(self._shape) * 4 if self._shape else 0
        if not size or (size < expected and is_binary(file)):
            return not is_settled
        if size == expected:
            return False
        is_cut = is_cut_off(file, size)
        return not is_settled if is_cut is None else is_cut and not is_abandoned

    def __repr__(self) -> str:
        """Name it; reads nothing."""
        return f"Embedding({self.name!r})"

    @property
    def _shape(self) -> Sequence[int] | None:
        shape = tuple(self._info.tensor_shape)
        return shape if len(shape) == 2 and min(shape) >= 0 else None  # noqa: PLR2004 (rows and columns)

    def _vectors(self) -> Vectors:
        path = self._info.tensor_path
        with closing(self._open(path, _MAX_VECTORS)) as file:
            try:
                size = file.status().size
                try:
                    return read_table(file, size)
                except ValueError as error:
                    if self._shape and math.prod(self._shape) * 4 == size:
                        if size > (most := vectors_process.MAX_NUMBERS * 4):
                            raise self._failure("embedding-too-large", path, bytes=size, most=most) from None
                        return np.frombuffer(file.read_at(0, size), "<f4").reshape(self._shape).copy()
                    raise self._unread_vectors(path, size, error) from error
            except OSError as error:
                raise self._failure("embedding-unreadable", path, detail=str(system_reason(error))) from error

    def _unread_vectors(self, path: str, size: int, error: ValueError) -> EmbeddingError:
        if not isinstance(error, BinaryError):
            return self._failure("embedding-vectors", path, detail=str(error))
        if self._shape is None:
            return self._failure("embedding-binary", path, config=_CONFIG)
        given = {"shape": _shape_text(self._shape), "expected": math.prod(self._shape) * 4}
        return self._failure("embedding-bytes", path, config=_CONFIG, bytes=size, **given)

    def _checkpoint(self) -> Vectors:
        """The tensor of the checkpoint. No file of it may lie outside the log directory."""
        prefix = self._file.checkpoint or self._latest_checkpoint()
        path = f"{prefix}.index"
        with closing(self._open(path, _MAX_VECTORS)):  # raises a clear error for a missing or misplaced file
            pass
        target = self._file.resolve(path)
        if target is None or self._file.found.storage.is_remote:
            raise self._failure("embedding-checkpoint", prefix, detail=Reason("checkpoint-remote"))
        self._check_shards(path, target)
        if importlib.util.find_spec("tensorflow") is None:
            raise self._failure(
                "embedding-checkpoint", prefix, detail=Reason("checkpoint-package", package="TensorFlow")
            )
        try:
            return read_checkpoint(target.removesuffix(".index"), self.name)
        except (OSError, ValueError) as error:
            raise self._failure("embedding-checkpoint", prefix, detail=str(error)) from error

    def _check_shards(self, path: str, target: str) -> None:
        """Raise EmbeddingError where a file that TensorFlow opens beside the index is outside the log directory."""
        storage = self._file.found.storage
        stem = f"{PurePath(target).stem}.data-"
        found = storage.scanner(storage.parent(target), lambda name: name.startswith(stem)).walk()
        for shard in found.files.values():
            if self._file.resolve(shard) is None:
                raise self._failure("embedding-outside", path)

    def _latest_checkpoint(self) -> str:
        """Path of the checkpoint that TensorFlow's state file names, relative to the configuration."""
        state = self._paths[0]
        found = _LATEST_CHECKPOINT.search(self._read(state, _MAX_STATE_BYTES).decode("utf-8", "replace"))
        if found is None:
            raise self._failure("embedding-checkpoint", state, detail=Reason("checkpoint-unnamed"))
        return f"{state.removesuffix('checkpoint')}{found[1]}" if not found[1].startswith("/") else found[1]

    def _read(self, path: str, most: int) -> bytes:
        with closing(self._open(path, most)) as file:
            try:
                return file.read_at(0, file.status().size)
            except OSError as error:
                raise self._failure("embedding-unreadable", path, detail=str(system_reason(error))) from error

    def _open(self, path: str, most: int) -> OpenFile:
        """Open a file. Raises EmbeddingError, also for one of more than `most` bytes."""
        target = self._file.resolve(path)
        if target is None:
            raise self._failure("embedding-outside", path)
        try:
            file = self._file.found.storage.open(target)
        except (OSError, ValueError) as error:  # ValueError: a path that no file system has
            self._file.file(path).missed()
            reason = system_reason(error) if isinstance(error, OSError) else reason_of(error)
            raise self._failure("embedding-unreadable", path, detail=str(reason)) from error
        status = file.status()
        self._file.file(path).opened(status)
        size = status.size
        if size > most:
            file.close()
            raise self._failure("embedding-too-large", path, bytes=size, most=most)
        return file

    def _failure(self, code: str, path: str, **given: Any) -> EmbeddingError:
        reason = Reason(code, embedding=self.name, path=path, **given)
        self._file.report(path, reason)
        error = EmbeddingError(f"{self._file.found.name}: {reason}")
        error.reason = reason
        return error


class UnreadEmbeddings(Embedding):
    """The embeddings of a configuration that cannot be read. Named after its file; its vectors raise EmbeddingError."""

    wall_time = math.nan
    size = 0
    metadata_size = None
    waits = None

    def __init__(self, file: ProjectorFile, reason: Reason) -> None:
        """Take the file, and why it cannot be read."""
        self._set_name(_CONFIG)
        self._file, self._info, self._paths = file, EmbeddingInfo(), ["", "", ""]
        self._reason = Reason("projector-config-unread", path=file.found.name, reason=reason)

    @property
    def revisions(self) -> tuple[Hashable, Hashable, Hashable]:
        """The same as long as the reason is."""
        return self._reason, 0, 0

    @property
    def vectors(self) -> Vectors:
        """None. Raises EmbeddingError."""
        error = EmbeddingError(str(self._reason))
        error.reason = self._reason
        raise error


class HeldEmbeddings:
    """Embeddings that a program holds, in place of a file."""

    found = FoundFile(LOCAL, "", "", "")

    def __init__(self, embeddings: list[Embedding]) -> None:
        self.embeddings = embeddings

    @property
    def tags(self) -> list[str]:
        """Names of the embeddings."""
        return [embedding.name for embedding in self.embeddings]

    def tagged(self, tag: str) -> list[Embedding]:
        """Return the embeddings of one tag."""
        return [embedding for embedding in self.embeddings if embedding.tag == tag]

    def ranges(self) -> list[Range]:
        """Return none: nothing is read."""
        return []

    def refresh(self) -> bool:
        """Return False: nothing changes."""
        return False

    def problems(self) -> list[Problem]:
        """Return none."""
        return []


def embeddings(source: LogSource, run: str) -> list[Embedding]:
    """Return the embeddings that the projector's configurations of a run name; their files are read when asked for.

    Raises:
        KeyError: The run does not exist.

    Example:
        >>> logs.embeddings("run1")[0].vectors.shape
    """
    return [embedding for file in _files(source, run) for embedding in file.embeddings]


def tagged_embeddings(source: LogSource, run: str, tag: str) -> list[Embedding]:
    """Return the embeddings of one tag. Raises KeyError if the run does not exist."""
    return [embedding for file in _files(source, run) for embedding in file.tagged(tag)]


def _files(source: LogSource, run: str) -> list[ProjectorFile | HeldEmbeddings]:
    return [file for file in source.own_files(run) if isinstance(file, ProjectorFile | HeldEmbeddings)]


KIND = Kind(
    "embeddings",
    files=Files(
        endings=(_CONFIG,),
        pattern=re.compile(f"/(?:{_ASSETS}/)?{re.escape(_CONFIG)}$"),
        read=ProjectorFile,
        plugin=PLUGIN,
        makes_run=True,
    ),
)
