"""How a log directory is asked for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.logs.accessors import Accessors
from tbwidget.logs.kinds.registry import SCALARS

if TYPE_CHECKING:
    import pandas as pd

    from tbwidget.logs.unknown import Names


class Tables(Accessors):
    """Gives what the accessors give as tables."""

    def frame(
        self,
        kind: str = SCALARS,
        *,
        runs: Names = None,
        tags: Names = None,
        superseded: bool = False,
        hparams: bool = False,
        times: bool = False,
    ) -> pd.DataFrame:
        """A table in long form: run, tag (categoricals), step, wall_time (s since the epoch), and what the kind has.

        | kind | a row | columns |
        |---|---|---|
        | scalars | a point | value |
        | histograms | a bucket | left, right, count |
        | images | a sample | sample, format, width, height, bytes |
        | audio | a sample | sample, sample_rate, content_type, label, bytes |
        | text | a string | element (place in the array), value |
        | pr_curves | a threshold | threshold, tp, fp, tn, fn, precision, recall |
        | tensors | an element | element, value; of those of rank 0 and 1 |
        | hparams | a trial | run, group, status, hparam/<name> ..., metric/<name> ... and nothing else |

        `runs` and `tags` choose some of them. A str is one exact name, a compiled `re.Pattern` is searched for in each
        name, and an iterable of both is their union. An unknown name raises KeyError; a pattern without a match gives
        an empty table. `superseded` keeps the points that a restart wrote again. `hparams` adds a column hparam/<name>
        for each hyperparameter of the run's trial; runs below a trial's belong to it. `times` turns wall_time into
        datetimes in UTC, to the microsecond; NaT for what is no time.

        ValueError for kinds without a table. What cannot be read is left out, and is among the problems.
        """
        from tbwidget.logs.frame import table  # noqa: PLC0415 (imports pandas)

        return table(self, kind, runs, tags, superseded=superseded, hparams=hparams, times=times)
