"""The records of one file decoded, window by window; those whose decoding raises are passed over, one by one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.columnar.groups import Int64s
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import FileState, decode
from tbwidget.records.files.framing import Buffer, Frames
from tbwidget.records.files.wire import MalformedMessageError
from tbwidget.records.large.contents import parse_large_record
from tbwidget.records.large.record import LargeRecord
from tbwidget.records.values.batch import Batch


class Window(NamedTuple):
    """Records that follow each other."""

    batch: Batch
    """Contents of the records, which it counts from the first of these."""
    offsets: Int64s
    """Where each begins in the file."""
    error: Exception | None = None
    """Error that decoding raised: the window is one record then, which was skipped, and the batch is empty."""


class Decoder:
    """Decodes the records of one file, in their order."""

    def __init__(self, table: LayoutTable) -> None:
        self._table = table
        self._state = FileState()
        self._failed = 0  # records passed over because decoding them raised

    def decode(self, data: Buffer, frames: Frames, base: int) -> list[Window]:
        """Records framed in `data`, which begins at `base` in the file, up to the first that is damaged.

        Where decoding raises, the records that are to blame are found by halving. Raises what it raised where these are
        too many.
        """
        try:
            batch = decode(data, frames, self._table, self._state)
        except Exception as error:  # noqa: BLE001 (one record never keeps the others from being read)
            # Reset both caches: they may list entries that were just discarded.
            self._table.forget()
            self._state = FileState()
            count = len(frames.starts)
            if count == 1:
                return [self._passed_over(error, base + frames.starts)]
            windows = self.decode(data, _part(frames, 0, count // 2), base)
            taken = sum(window.batch.records for window in windows)
            return windows if taken < count // 2 else windows + self.decode(data, _part(frames, taken, count), base)
        return [Window(batch, base + frames.starts)]

    def decode_large(self, record: LargeRecord) -> Window | None:
        """One large record; None if its data checksum does not hold.

        That is looked at only where the record holds numbers, or makes no sense.
        """
        offsets = np.array([record.offset])
        try:
            batch = parse_large_record(record, self._table.tags)
        except MalformedMessageError as error:
            batch = Batch(1, unreadable=[(0, Reason("malformed-event", detail=error.detail))])
        except OSError:
            raise  # a problem of the file, which may pass
        except Exception as error:  # noqa: BLE001 (one record never keeps the others from being read)
            return self._passed_over(error, offsets)
        is_checked = len(batch.value) or len(batch.restart) or batch.unreadable
        return None if is_checked and not record.is_valid() else Window(batch, offsets)

    def _passed_over(self, error: Exception, offsets: Int64s) -> Window:
        self._failed += 1
        if self._failed > limits.MAX_FAILED_RECORDS:
            raise error
        return Window(Batch(1), offsets, error)


def _part(frames: Frames, first: int, end: int) -> Frames:
    """Some of the records, which follow each other."""
    behind = frames.end if end == len(frames.starts) else int(frames.starts[end])
    return Frames(frames.starts[first:end], frames.lengths[first:end], behind, damaged=False)
