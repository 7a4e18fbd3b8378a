"""Checksums of stretches of a file put together from those of its beginnings."""

from __future__ import annotations

import random
import struct
from contextlib import closing
from pathlib import Path

import pytest

from tbwidget.records import limits
from tbwidget.records.damage import resync
from tbwidget.records.damage.prefix_checksums import PrefixChecksums
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.storage import LOCAL, LocalFile
from tests.support.eventfiles import record
from tests.support.recordfiles import Kept, read, record_file


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHECKSUMMED_IN_VAIN", 0)
    monkeypatch.setattr(limits, "LONG_RECORD", 0)


@pytest.mark.usefixtures("impatient")
def test_as_if_the_record_were_read(tmp_path: Path) -> None:
    """Of any length, anywhere; true, changed, and cut."""
    chance = random.Random(1)
    sizes = [0, 1, 65_536, 131_072 - 16, *(chance.randrange(300_000) for _ in range(12))]
    path = tmp_path / "file"
    whole = bytearray(b"x" * 7)
    starts = []
    for size in sizes:
        starts.append(len(whole))
        whole += record(chance.randbytes(size))
    changed = starts[5] + 12 + sizes[5] // 2
    whole[changed] ^= 4
    path.write_bytes(whole[:-1])
    with closing(LOCAL.open(str(path))) as file:
        checked = PrefixChecksums()
        cases = list(zip(starts, sizes, strict=True))
        for start, size in [*cases, *chance.sample(cases, 9)]:
            expected = resync.data_is_valid(file, start, size)
            assert expected == (start not in (starts[5], starts[-1]))
            assert checked.is_valid(file, start, size) == expected
        assert not checked.is_valid(file, starts[0], 1 << 40)


def test_forged_records_that_reach_far_are_not_read_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that claims millions of bytes before each true record, and the bytes are there."""
    header = struct.pack("<Q", 3_000_000)
    header += struct.pack("<I", masked_checksum(header))
    true = [record(b"%020d" % n) for n in range(300)]
    path = tmp_path / "file"
    path.write_bytes(b"".join(header + each for each in true) + bytes(4_000_000))
    done = 0

    def counted(file: LocalFile, offset: int, size: int) -> bytes:
        nonlocal done
        done += size
        return read_at(file, offset, size)

    read_at = LocalFile.read_at
    monkeypatch.setattr(LocalFile, "read_at", counted)
    kept = Kept()
    read(record_file(path), kept)
    assert len(kept.records) == len(true)
    assert done < 200_000_000  # read to their ends they are 900 million
