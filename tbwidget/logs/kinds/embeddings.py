"""Embeddings: vectors, what they stand for, and a picture of each, in files that the projector's configuration names.

The formats are those of tensorboard/plugins/projector/projector_plugin.py. No file outside the log directory is opened,
whatever the configuration says.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs.kinds.declare import Kind
from tbwidget.logs.projector import ProjectorFile
from tbwidget.proto.plugins_pb2 import EmbeddingInfo
from tbwidget.reasons import Reason, reason_of, system_reason

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource


_MOST_VECTORS, _MOST_METADATA, _MOST_SPRITE = 1 << 30, 1 << 26, 1 << 26  # bytes of a file
_LONGEST_LINE = 1 << 22  # bytes

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


class Embedding:
    """One embedding; its files are read when asked for, each time anew.

    A file that the configuration names but that cannot be read, or lies outside the log directory, is a problem of the
    logs: the vectors raise EmbeddingError then; metadata and sprite are None.
    """

    def __init__(self, file: ProjectorFile, info: EmbeddingInfo, root: str) -> None:
        """Take the configuration that names it, what it says there, and the log directory."""
        self._file = file
        self._info = info
        self._root = root
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
            with closing(self._file.storage.open(target)) as file:
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
        places = [os.path.realpath(self._root), os.path.realpath(os.path.dirname(self._file.path))]
        try:
            named = os.path.join(places[1], path)
            # Only to look where a path like //host/share leads would ask that host, on Windows.
            drives = [os.path.splitdrive(place)[0] for place in places]
            target = os.path.realpath(named) if os.path.splitdrive(named)[0] in drives else ""
            if target and any(os.path.commonpath((place, target)) == place for place in places):
                return target
        except ValueError:
            pass  # a zero byte, or another drive
        self._failure("embedding-outside", path)
        return None

    def _failure(self, code: str, path: str, **given: Any) -> EmbeddingError:
        reason = Reason(code, embedding=self.name, path=path, **given)
        self._file.report(reason)
        return EmbeddingError(f"{self._file.name}: {reason}")


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
    root, files = source.projector(run)
    return [Embedding(file, info, root) for file in files for info in file.embeddings]


KIND = Kind("embeddings")  # files of the projector name them: no value of a summary is one
