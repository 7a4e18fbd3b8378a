"""Embeddings: vectors, what they stand for, and a picture of each, in files that the projector's configuration names.

The configuration lies in a run's directory, and makes it one. The formats are those of
tensorboard/plugins/projector/projector_plugin.py. No file outside the log directory is opened, whatever the
configuration says.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs.kinds.declare import Files, FoundFile, Kind
from tbwidget.logs.problems import Problem
from tbwidget.proto.plugins_pb2 import EmbeddingInfo, ProjectorConfig
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.refusals import UnavailableError
from tbwidget.records.files.storage import Range, Status

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource


_MOST_VECTORS, _MOST_METADATA, _MOST_SPRITE = 1 << 30, 1 << 26, 1 << 26  # bytes of a file
_LONGEST_LINE = 1 << 22  # bytes
_MAX_CONFIG_BYTES = 1 << 20  # real ones have some hundred bytes an embedding
_MAX_REPORTED = 100  # problems of one configuration

_CONFIG = "projector_config.pbtxt"
_ASSETS = "plugins/org_tensorflow_tensorboard_projector"
"""Where plugin assets of a run lie; a configuration may be there instead."""

Vectors = npt.NDArray[np.float32]


class EmbeddingError(ValueError):
    """A file of an embedding cannot be had. Names the configuration, and the file."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """Small pictures in one large one, row by row, one for each vector."""

    data: bytes = field(repr=False)
    """The large picture, as written."""
    single_image_dim: tuple[int, ...]
    """Width and height of a small one in pixels."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What n vectors stand for."""

    columns: tuple[str, ...]
    """Names of the columns; empty if there is no header, which only several columns have."""
    rows: list[str] | list[tuple[str, ...]] = field(repr=False)
    """One a vector; tuples if there are several columns."""


class ProjectorFile:
    """One configuration file and the embeddings that it names."""

    def __init__(self, found: FoundFile) -> None:
        self.found = found
        self.embeddings: list[EmbeddingInfo] = []
        """Those whose vectors lie in a file of their own."""
        self._error: Reason | None = None
        self._status: Status | None = None
        self._reported: dict[Reason, None] = {}  # a set that keeps its order

    @property
    def tags(self) -> list[str]:
        """Names of the embeddings."""
        return [info.tensor_name for info in self.embeddings]

    def ranges(self) -> list[Range]:
        """The bytes that `refresh` reads now."""
        try:
            status = self.found.storage.status(self.found.path)
        except OSError:
            return []
        return [] if status == self._status else [Range(self.found.path, 0, min(status.size, _MAX_CONFIG_BYTES))]

    def refresh(self) -> bool:
        """Read the file again if it was written again; True when something changed."""
        before = ([info.SerializeToString() for info in self.embeddings], self._error)
        try:
            status = self.found.storage.status(self.found.path)
            if status == self._status:
                return False
            content = self._content()
            self._error, self._reported = None, {}
            self.embeddings = self._parse(content)
            self._status = status  # not after an error of the file system, which may pass
        except UnavailableError:
            return False  # a problem of all files there
        except FileNotFoundError:
            self.embeddings, self._error, self._status, self._reported = [], None, None, {}
        except OSError as error:
            self._error = system_reason(error)
        except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
            self._error = reason_of(error)
        return before != ([info.SerializeToString() for info in self.embeddings], self._error)

    def _content(self) -> bytes:
        with closing(self.found.storage.open(self.found.path, fetched=True)) as file:
            return file.read_at(0, _MAX_CONFIG_BYTES)

    def _parse(self, content: bytes) -> list[EmbeddingInfo]:
        from google.protobuf import text_format  # noqa: PLC0415 (rare)

        config = ProjectorConfig()
        try:
            text_format.Parse(content.decode("utf-8", "replace"), config, allow_unknown_field=True)
        except (text_format.ParseError, RecursionError) as error:
            self._error = Reason("projector-config", detail=str(error))
            return []
        return [info for info in config.embeddings if info.tensor_path]

    def report(self, reason: Reason) -> None:
        """Make a problem of something that the configuration names, until it is written again."""
        if len(self._reported) < _MAX_REPORTED:
            self._reported[reason] = None

    def problems(self) -> list[Problem]:
        """What could not be read."""
        reasons = [*([self._error] if self._error else []), *self._reported]
        return [Problem(self.found.name, None, reason) for reason in reasons]


class Embedding:
    """One embedding; its files are read when asked for, each time anew.

    A file that the configuration names but that cannot be read, or lies outside the log directory, is a problem of the
    logs: the vectors raise EmbeddingError then; metadata and sprite are None.
    """

    def __init__(self, file: ProjectorFile, info: EmbeddingInfo) -> None:
        """Take the configuration that names it, and what it says there."""
        self._file = file
        self._info = info
        self.name: str = info.tensor_name
        for path in (info.tensor_path, info.metadata_path, info.sprite.image_path):
            if path:
                self._path(path)

    @property
    def vectors(self) -> Vectors:
        """float32[n, d], read-only: tab-separated text, or raw little-endian numbers of the shape that is given."""
        vectors = self._vectors(self._read(self._info.tensor_path, _MOST_VECTORS))
        vectors.flags.writeable = False
        return vectors

    @property
    def labels(self) -> Labels | None:
        """What the vectors stand for, with the names of columns; None if none are declared, or they cannot be read."""
        path = self._info.metadata_path
        try:
            return _labels(self._read(path, _MOST_METADATA)) if path else None
        except EmbeddingError:
            return None

    @property
    def metadata(self) -> list[str] | list[tuple[str, ...]] | None:
        """What each vector stands for: a str, or a tuple of them if there are several columns; None as for `labels`."""
        labels = self.labels
        return None if labels is None else labels.rows

    @property
    def sprite(self) -> Sprite | None:
        """A picture for each vector; None if there are none, or they cannot be read."""
        path = self._info.sprite.image_path
        try:
            data = self._read(path, _MOST_SPRITE) if path else None
        except EmbeddingError:
            return None
        return None if data is None else Sprite(data, tuple(self._info.sprite.single_image_dim))

    def __repr__(self) -> str:
        """Name it; reads nothing."""
        return f"Embedding({self.name!r})"

    def _vectors(self, data: bytes) -> Vectors:
        shape = tuple(self._info.tensor_shape)
        try:
            return _table(data)
        except ValueError as error:
            if len(shape) == 2 and math.prod(shape) * 4 == len(data):  # noqa: PLR2004 (rows and columns; float32)
                return np.frombuffer(data, "<f4").reshape(shape).copy()
            given = {"shape": list(shape), "detail": str(error)}
            raise self._failure("embedding-vectors", self._info.tensor_path, **given) from error

    def _read(self, path: str, most: int) -> bytes:
        target = self._path(path)
        if target is None:
            raise self._failure("embedding-outside", path)
        try:
            with closing(self._file.found.storage.open(target)) as file:
                size = file.status().size
                if size > most:
                    raise self._failure("embedding-too-large", path, bytes=size, most=most)
                return file.read_at(0, size)
        except (OSError, ValueError) as error:  # ValueError: a path that no file system has
            if isinstance(error, EmbeddingError):
                raise
            reason = system_reason(error) if isinstance(error, OSError) else reason_of(error)
            raise self._failure("embedding-unreadable", path, detail=str(reason)) from error

    def _path(self, path: str) -> str | None:
        """Where a path of the configuration leads, if not out of the log directory: that is a problem at once.

        The directory of the configuration counts as part of it even where a link led there: that link is no path
        that the configuration names.
        """
        storage, config, _, root = self._file.found
        directory = storage.parent(config)
        target = storage.resolve(directory, path, (root, directory))
        if target is None:
            self._failure("embedding-outside", path)
        return target

    def _failure(self, code: str, path: str, **given: Any) -> EmbeddingError:
        reason = Reason(code, embedding=self.name, path=path, **given)
        self._file.report(reason)
        return EmbeddingError(f"{self._file.found.name}: {reason}")


def _table(data: bytes) -> Vectors:
    if not data.strip():
        return np.empty((0, 0), np.float32)
    if b"\0" in data[:4096]:
        raise ValueError("a zero byte")
    return np.loadtxt(_lines(data), np.float32, comments=None, delimiter="\t", ndmin=2)


def _lines(data: bytes) -> Iterator[str]:
    for line in io.BytesIO(data):
        if len(line) > _LONGEST_LINE:  # numpy would take many times as much to split it
            raise ValueError(f"a line of {len(line)} bytes")
        yield line.rstrip(b"\r\n").decode("utf-8")


def _labels(data: bytes) -> Labels:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    lines = [line.removesuffix("\r") for line in lines]
    if lines and not lines[-1]:
        lines.pop()
    if not lines or "\t" not in lines[0]:
        return Labels((), lines)
    header, *rows = [tuple(line.split("\t")) for line in lines]
    return Labels(header, rows)


def embeddings(source: LogSource, run: str) -> list[Embedding]:
    """Return the embeddings that the projector's configurations of a run name; their files are read when asked for.

    Raises:
        KeyError: The run does not exist.

    Example:
        >>> logs.embeddings("run1")[0].vectors.shape
    """
    files = [file for file in source.own_files(run) if isinstance(file, ProjectorFile)]
    return [Embedding(file, info) for file in files for info in file.embeddings]


KIND = Kind(
    "embeddings",
    files=Files(
        endings=(_CONFIG,),
        pattern=re.compile(f"/(?:{_ASSETS}/)?{re.escape(_CONFIG)}$"),
        read=ProjectorFile,
        plugin="projector",
        makes_run=True,
    ),
)
