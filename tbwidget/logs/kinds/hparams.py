"""Hyperparameters: what each trial was run with, and what came of it.

All of it stands in the metadata of values without content (tensorboard/plugins/hparams/plugin_data.proto): what an
experiment varies, and how each session of it began and ended. A session is a run; its metrics are scalars of that run
and of runs below it, as tensorboard/plugins/hparams/backend_context.py finds them. A run with a file hparams.yaml, as
Lightning writes it, is a session, too; what a summary says of a hyperparameter counts more than the file.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.message import DecodeError

from tbwidget.logs.kinds.declare import Files, FoundFile, Kind, WholeFile
from tbwidget.logs.natural import natural_key
from tbwidget.logs.plain_yaml import parse
from tbwidget.logs.sequences import readable, reported
from tbwidget.proto import plugins_pb2 as pb
from tbwidget.reasons import Reason
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import TensorError
from tbwidget.texts import decode_text

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

FILE_NAME = "hparams.yaml"
"""The file in which Lightning keeps the hyperparameters of a run."""

MAX_FILE_BYTES = 128_000
"""Bytes of such a file. Real ones have some hundred; the reader parses 0.5 MB a second while others wait."""

MAX_NAME_CHARACTERS = 2_000
"""Characters of a name in it, including the names of the mappings that it lies in."""

_TYPES = {
    pb.HParamInfo.DATA_TYPE_STRING: "string",
    pb.HParamInfo.DATA_TYPE_BOOL: "bool",
    pb.HParamInfo.DATA_TYPE_FLOAT64: "float",
}
_STATUS = {
    pb.SessionEndInfo.STATUS_SUCCESS: "SUCCESS",
    pb.SessionEndInfo.STATUS_FAILURE: "FAILURE",
    pb.SessionEndInfo.STATUS_RUNNING: "RUNNING",
}
_UNKNOWN = "UNKNOWN"


class Interval(NamedTuple):
    """Real numbers between two, both included."""

    min: float
    max: float


@dataclass(frozen=True, slots=True)
class HParamInfo:
    """An experiment's declaration about one hyperparameter."""

    type: str
    """"string", "bool" or "float"; empty if not declared."""
    display_name: str
    description: str
    domain: tuple[Any, ...] | Interval | None
    """All values it may take, or the interval that they lie in; None if not declared."""


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """An experiment's declaration about one metric: the scalar `tag` of the run `group` below each session's run."""

    group: str
    tag: str
    display_name: str
    description: str

    @property
    def name(self) -> str:
        """The key of its value in `HParams.metrics`."""
        return f"{self.group}/{self.tag}" if self.group else self.tag


@dataclass(frozen=True, slots=True)
class HParams:
    """One trial."""

    run: str
    values: dict[str, Any]
    """Hyperparameters by name: float, str or bool; a number whose declared type is bool comes out as bool."""
    metrics: dict[str, float]
    """The last value of each metric that there is: by tag, with the run below this one before it if it lies there."""
    status: str
    """SUCCESS, FAILURE, RUNNING, or UNKNOWN where the end was not written."""
    group: str
    """Trials of one group are repetitions; empty, as written, where each stands for itself."""
    start_time: float | None = None
    """Seconds since the epoch; None if not written, as the next."""
    end_time: float | None = None
    infos: dict[str, HParamInfo] = field(default_factory=dict, repr=False)
    """The experiment's declarations about its hyperparameters, by name."""
    metric_infos: tuple[MetricInfo, ...] = field(default=(), repr=False)
    """The metrics that the experiment declares."""
    from_file: frozenset[str] = field(default=frozenset(), repr=False)
    """Names of the hyperparameters that only a file hparams.yaml in the run's directory gives."""


@dataclass(slots=True)
class _Written:
    """Hyperparameters in one run: the last message of each type."""

    experiment: pb.Experiment | None = None
    session_start_info: pb.SessionStartInfo | None = None
    session_end_info: pb.SessionEndInfo | None = None
    file: Mapping[str, Any] | None = None


class HParamsReader:
    """Puts sessions together from what the runs of a log directory hold."""

    def __init__(
        self,
        last_scalar: Callable[[str, str], float | None],
        scalars: Mapping[str, Sequence[str]],
        directory_of: Callable[[str], str] = lambda _run: "",
    ) -> None:
        """Take how to ask for the last value of a scalar, which scalars each run has, and in which directory it is."""
        self._directory_of = directory_of
        self._written: dict[str, _Written] = {}
        self._last_scalar = last_scalar
        self._scalars = scalars
        self._first_experiments: dict[str, pb.Experiment] = {}  # by directory
        self._infos: dict[int, tuple[dict[str, HParamInfo], tuple[MetricInfo, ...]]] = {}  # by identity
        self._nothing = pb.Experiment()
        self._runs_below: dict[str, list[tuple[str, str]]] = {}  # with the path from the run to each

    def add(self, run: str, data: pb.HParamsPluginData) -> None:
        """Keep what a value of a run declares: an experiment, or the start or end of a session."""
        written = self._written.setdefault(run, _Written())
        what = data.WhichOneof("data")
        if what is not None:
            setattr(written, what, getattr(data, what))
        if what == "experiment":
            self._first_experiments.setdefault(self._directory_of(run), data.experiment)

    def add_file(self, run: str, values: Mapping[str, Any]) -> None:
        """Keep the hyperparameters that a file in the run's directory gives."""
        self._written.setdefault(run, _Written()).file = values

    def sessions(self, runs: Iterable[str]) -> list[HParams]:
        """The trials, in the order of the runs."""
        written = [(run, self._written[run]) for run in runs if run in self._written]
        return [
            self._session(run, one)
            for run, one in written
            if one.session_start_info is not None or one.file is not None
        ]

    def _session(self, run: str, written: _Written) -> HParams:
        end, file = written.session_end_info, written.file or {}
        infos, metric_infos = self._infos_of(self._experiment_of(run))
        start = written.session_start_info or pb.SessionStartInfo()
        said = _plain_fields(start.hparams)
        return HParams(
            run,
            {name: _typed(value, infos.get(name)) for name, value in sorted({**file, **said}.items())},
            self._metrics(run, metric_infos),
            _STATUS.get(end.status, _UNKNOWN) if end else _UNKNOWN,
            decode_text(start.group_name),
            start.start_time_secs or None,
            (end.end_time_secs or None) if end else None,
            infos,
            metric_infos,
            frozenset(file.keys() - said.keys()),
        )

    def _infos_of(self, experiment: pb.Experiment) -> tuple[dict[str, HParamInfo], tuple[MetricInfo, ...]]:
        """Declarations of an experiment, which its sessions share."""
        known = self._infos.get(id(experiment))
        if known is None:
            infos = {decode_text(info.name): _hparam_info(info) for info in experiment.hparam_infos}
            metric_infos = tuple(
                MetricInfo(*map(decode_text, (info.name.group, info.name.tag, info.display_name, info.description)))
                for info in experiment.metric_infos
            )
            known = self._infos[id(experiment)] = infos, metric_infos
        return known

    def _experiment_of(self, run: str) -> pb.Experiment:
        """Experiment declared by the run itself, by the nearest run above, or else first in its directory."""
        for place in upwards(run):
            written = self._written.get(place)
            if written and written.experiment is not None:
                return written.experiment
        return self._first_experiments.get(self._directory_of(run)) or self._nothing

    def _below(self, run: str) -> list[tuple[str, str]]:
        """The runs with scalars that are the given run or lie below it, and the path to each."""
        if not self._runs_below:
            for other in self._scalars:
                for above in upwards(other):
                    self._runs_below.setdefault(above, []).append((other, _path_from(above, other)))
        return self._runs_below.get(run, [])

    def _metrics(self, run: str, infos: Sequence[MetricInfo]) -> dict[str, float]:
        """The values of the declared metrics; of all scalars, if none are declared."""
        infos = infos or [
            MetricInfo(group, tag, "", "") for other, group in self._below(run) for tag in self._scalars[other]
        ]
        directory = self._directory_of(run)
        found = {info.name: self._last_scalar(joined_run(run, info.group, directory), info.tag) for info in infos}
        return {name: value for name, value in found.items() if value is not None}


def decoded(value: Summary.Value) -> pb.HParamsPluginData:
    """Return what a value declares. Raises TensorError if its metadata hold no hyperparameters."""
    try:
        return pb.HParamsPluginData.FromString(value.metadata.plugin_data.content)
    except DecodeError as error:
        raise TensorError(Reason("invalid-hparams")) from error


def plain(value: pb.Value) -> Any:
    """A google.protobuf.Value as None, float, str, bool, list or dict."""
    what = value.WhichOneof("kind")
    if what == "list_value":
        return [plain(each) for each in value.list_value.values]
    if what == "struct_value":
        return _plain_fields(value.struct_value.fields)
    if what == "string_value":
        return decode_text(value.string_value)
    return None if what in (None, "null_value") else getattr(value, what)


def _plain_fields(fields: Iterable[pb.Struct.Entry]) -> dict[str, Any]:
    return {decode_text(field.key): plain(field.value) for field in fields}


def _typed(value: Any, info: HParamInfo | None) -> Any:
    # torch.utils.tensorboard writes booleans as numbers, since they are instances of int.
    return bool(value) if info and info.type == "bool" and isinstance(value, float) else value


def _hparam_info(info: pb.HParamInfo) -> HParamInfo:
    domain: tuple[Any, ...] | Interval | None = None
    if info.HasField("domain_discrete"):
        domain = tuple(plain(value) for value in info.domain_discrete.values)
    elif info.HasField("domain_interval"):
        domain = Interval(info.domain_interval.min_value, info.domain_interval.max_value)
    kind = _TYPES.get(info.type, "")
    if not kind and isinstance(domain, tuple) and domain and all(isinstance(value, bool) for value in domain):
        kind = "bool"
    return HParamInfo(kind, decode_text(info.display_name), decode_text(info.description), domain)


def joined_run(run: str, group: str, directory: str) -> str:
    """The run that a group names below a run; `.` and `..` are as in paths, but lead out of no log directory."""
    parts: list[str] = []
    top = len(directory.split("/")) if directory else 0
    for part in f"{run}/{group}".split("/"):
        if part == "..":
            del parts[max(top, len(parts) - 1) :]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or "."


def metric_infos(sessions: Sequence[HParams], scalars: Mapping[str, Sequence[str]]) -> list[MetricInfo]:
    """Return the metrics of sessions, each once: those that are declared, else all `scalars` (run -> tags) of them.

    Declared metrics are in the order of their first declaration, others in natural order of their tags. A run belongs
    to the nearest session above it. Twin of `metricsIn` in js/src/panels/hparams/metrics.ts: a page without a kernel
    finds its answers only if both list the sources of a metric in the same order.
    """
    declared: dict[tuple[str, str], MetricInfo] = {}
    for one in sessions:
        for info in one.metric_infos:
            declared.setdefault((info.group, info.tag), info)
    if declared:
        return list(declared.values())
    runs = {session.run for session in sessions}
    groups: dict[str, dict[str, None]] = {}  # by tag
    for run, tags in scalars.items():
        session = next((above for above in upwards(run) if above in runs), None)
        if session is not None:
            for tag in tags:
                groups.setdefault(tag, {})[_path_from(session, run)] = None
    return [MetricInfo(group, tag, "", "") for tag in sorted(groups, key=natural_key) for group in groups[tag]]


def upwards(run: str) -> list[str]:
    """Return the run and those that it lies in, the nearest one first."""
    parts = run.split("/")
    found = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return found if run == "." else [*found, "."]


def _path_from(above: str, run: str) -> str:
    """The path to a run from one of `upwards`."""
    return run if above == "." and run != "." else run[len(above) + 1 :]


_Kept = dict[tuple[str, str], tuple[tuple[int, int], pb.HParamsPluginData]]
"""By run and tag: the revision and length of the series whose last value was read, and that value."""

# Values read, by source. A sweep grows by one session at a time, and the others need not be read again for that.
_kept: weakref.WeakKeyDictionary[LogSource, _Kept] = weakref.WeakKeyDictionary()


def _last(items: Items, kept: _Kept, key: tuple[str, str]) -> pb.HParamsPluginData | None:
    """Return the declaration in the last value of a tag; None where it cannot be read."""
    now = items.revision, len(items)
    if key in kept and kept[key][0] == now:
        return kept[key][1]
    for index, value in readable(items, range(len(items))[-1:]):  # none of a file's tag
        with suppress(ValueError), reported(items, index):
            kept[key] = now, decoded(value)
            return kept[key][1]
    return None


def hparams(source: LogSource, *, metrics: bool = True) -> list[HParams]:
    """Return all trials of all runs, in natural order of the runs.

    Without `metrics`, their metrics are empty, which is faster.

    Example:
        >>> {trial.run: trial.values["lr"] for trial in logs.hparams()}
    """

    def last_scalar(run: str, tag: str) -> float | None:
        try:
            value = source.scalars(run, tag).value
        except KeyError:
            return None
        return float(value[-1]) if len(value) else None

    listed = source.tags()
    scalars = listed.get("scalars", {}) if metrics else {}
    reader = HParamsReader(last_scalar if metrics else lambda _run, _tag: None, scalars, source.directory_of)
    kept = _kept.setdefault(source, {})
    for run, tags in listed.get(KIND.name, {}).items():
        for tag in tags:
            with suppress(KeyError):  # gone since it was listed
                if (data := _last(source.items(run, tag, KIND.name), kept, (run, tag))) is not None:
                    reader.add(run, data)
        with suppress(KeyError):
            for file in source.own_files(run):
                if isinstance(file, HParamsFile) and file.values:
                    reader.add_file(run, file.values)
    return reader.sessions(listed.get(KIND.name, {}))


class HParamsFile(WholeFile):
    """The hyperparameters in one file."""

    max_bytes = MAX_FILE_BYTES

    values: dict[str, Any]
    """By name: float, str, bool, None, or a list of these. Names of nested ones are joined by slashes."""

    def __init__(self, found: FoundFile) -> None:
        super().__init__(found)
        self._clear()

    @property
    def tags(self) -> list[str]:
        """The name of the file, if it holds hyperparameters."""
        return [FILE_NAME] if self.values else []

    def refresh(self) -> bool:
        """Read the file again if it was written again; True when something changed."""
        before = (self.values, self._error)
        return self._reread() and before != (self.values, self._error)

    def _clear(self) -> None:
        self.values = {}

    def _parse(self, content: bytes, size: int) -> None:
        if size > MAX_FILE_BYTES:
            raise ValueError(Reason("hparams-file-too-large", bytes=size, most=MAX_FILE_BYTES))
        self.values = dict(_leaves(parse(content), ""))


def _leaves(values: dict[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{above}{name}/")
        elif len(above) + len(name) > MAX_NAME_CHARACTERS:
            raise ValueError(Reason("yaml", detail=f"a name of more than {MAX_NAME_CHARACTERS} characters"))
        else:
            yield f"{above}{name}", str(value) if isinstance(value, dict) else value


KIND = Kind(
    "hparams",
    plugins=("hparams",),
    forms=forms.NUMERIC_TENSORS | forms.STRING_TENSORS | {forms.NOTHING},  # all of it stands in the metadata
    files=Files((FILE_NAME,), re.compile(f"/{re.escape(FILE_NAME)}$"), HParamsFile, plugin="hparams"),
)
