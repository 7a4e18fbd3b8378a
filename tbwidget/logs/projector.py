"""The projector's configuration, which lies in a run's directory: which embeddings there are."""

from __future__ import annotations

from contextlib import closing

from tbwidget.logs.problems import Problem
from tbwidget.proto.plugins_pb2 import EmbeddingInfo, ProjectorConfig
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.storage import Range, Status, Storage

CONFIG = "projector_config.pbtxt"
ASSETS = "plugins/org_tensorflow_tensorboard_projector"
"""Where plugin assets of a run lie; a configuration may be there instead."""

_LARGEST = 1 << 20  # bytes; real ones have some hundred bytes an embedding
_MOST_REPORTED = 100  # problems


class ProjectorFile:
    """One configuration file and the embeddings that it names."""

    def __init__(self, storage: Storage, path: str, name: str) -> None:
        self.storage = storage
        self.path = path
        self.name = name
        """Relative to the log directory."""
        self.embeddings: list[EmbeddingInfo] = []
        """Those whose vectors lie in a file of their own."""
        self._error: Reason | None = None
        self._status: Status | None = None
        self._reported: dict[Reason, None] = {}  # a set that keeps its order

    @property
    def tensors(self) -> list[str]:
        """Names of the embeddings."""
        return [info.tensor_name for info in self.embeddings]

    def ranges(self) -> list[Range]:
        """The bytes that `refresh` reads now."""
        try:
            status = self.storage.status(self.path)
        except OSError:
            return []
        return [] if status == self._status else [Range(self.path, 0, min(status.size, _LARGEST))]

    def refresh(self) -> bool:
        """Read the file again if it was written again; True when something changed."""
        before = ([info.SerializeToString() for info in self.embeddings], self._error)
        try:
            status = self.storage.status(self.path)
            if status == self._status:
                return False
            self._error, self._reported = None, {}
            self.embeddings = self._parse(self._content())
            self._status = status  # not after an error of the file system, which may pass
        except FileNotFoundError:
            self.embeddings, self._error, self._status, self._reported = [], None, None, {}
        except OSError as error:
            self._error = system_reason(error)
        except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
            self._error = reason_of(error)
        return before != ([info.SerializeToString() for info in self.embeddings], self._error)

    def _content(self) -> bytes:
        with closing(self.storage.open(self.path, fetched=True)) as file:
            return file.read_at(0, _LARGEST)

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
        if len(self._reported) < _MOST_REPORTED:
            self._reported[reason] = None

    def problems(self) -> list[Problem]:
        """What could not be read."""
        reasons = [*([self._error] if self._error else []), *self._reported]
        return [Problem(self.name, None, reason) for reason in reasons]
