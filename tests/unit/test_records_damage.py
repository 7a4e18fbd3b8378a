"""Records after damage are found, and a file read while it grows gives the result of one complete read."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.storage import LOCAL, LocalFile, NotAFileError
from tbwidget.records.recordfile import Damage
from tests.support.eventfiles import record
from tests.support.examples import examples
from tests.support.recordfiles import Kept, read, record_file, step


def cold(path: Path) -> tuple[list[bytes], list[Damage], Damage | None]:
    file, kept = record_file(path), Kept()
    read(file, kept)
    return kept.records, file.damage, file.tail


def body(n: int, size: int = 20) -> bytes:
    return (b"%06d" % n).ljust(size, b".")


RECORDS = [body(n) for n in range(6)]


def damaged(kind: str) -> bytes:  # noqa: C901 (a case a kind)
    """Make five good records, with damage before the fourth."""
    good = [record(data) for data in RECORDS]
    bad = bytearray(good[3])
    if kind == "data":
        bad[14] ^= 1
    elif kind == "data checksum":
        bad[-1] ^= 1
    elif kind == "length":
        bad[0] ^= 1
    elif kind == "length checksum":
        bad[9] ^= 1
    elif kind == "cut":
        del bad[20:]
    elif kind == "bytes missing in the data":
        del bad[15:18]
    elif kind == "bytes inserted in the data":
        bad[15:15] = b"xyz"
    elif kind == "a hole":
        bad[:] = bytes(len(bad) + 100)
    elif kind == "beyond the file":
        header = struct.pack("<Q", 10**6)
        bad[:] = header + struct.pack("<I", masked_checksum(header))
    elif kind == "unbelievable":
        header = struct.pack("<Q", 2**63 + 5)
        bad[:] = header + struct.pack("<I", masked_checksum(header))
    return b"".join([*good[:3], bytes(bad), *good[4:]])


KINDS = (
    "data",
    "data checksum",
    "length",
    "length checksum",
    "cut",
    "bytes missing in the data",
    "bytes inserted in the data",
    "a hole",
    "beyond the file",
    "unbelievable",
)


@pytest.mark.parametrize("kind", KINDS)
def test_reading_goes_on_behind_damage(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    content = damaged(kind)
    path.write_bytes(content)
    records, damage, tail = cold(path)
    assert records == [*RECORDS[:3], *RECORDS[4:]]
    assert [place.offset for place in damage] == [3 * 36]
    passed_over = len(content) - 5 * 36
    assert damage[0].reason.arguments["bytes"] == passed_over
    assert tail is None


def test_large_records_and_many_damaged_places(tmp_path: Path) -> None:
    """Windows end within records, and a record may be longer than a window."""
    path = tmp_path / "file"
    parts, kept = [], []
    for n in range(200):
        data = body(n, 3_000_000 if n % 50 == 7 else 20_000 + n)
        made = bytearray(record(data))
        if n % 9 == 4:
            made[15] ^= 0x40
        else:
            kept.append(data)
        parts.append(bytes(made))
    path.write_bytes(b"".join(parts))
    records, damage, tail = cold(path)
    assert records == kept
    assert len(damage) == sum(n % 9 == 4 for n in range(200))
    assert tail is None


def test_a_torn_end_waits_and_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "file"
    content = b"".join(record(data) for data in RECORDS)
    file, kept = record_file(path), Kept()
    for end in range(len(content) + 1):
        path.write_bytes(content[:end])  # the same inode, longer each time
        read(file, kept)
        assert kept.records == RECORDS[: end // 36]
        assert (file.damage, file.tail, file.torn) == ([], None, end % 36 > 0)
    assert kept.restarts == 0


def test_damage_at_the_end_is_reassessed_when_the_file_grows(tmp_path: Path) -> None:
    """A preallocated tail of zeros is damage until the writer fills it."""
    path = tmp_path / "file"
    content = b"".join(record(data) for data in RECORDS)
    path.write_bytes(content[:72] + bytes(len(content) - 72))
    file, kept = record_file(path), Kept()
    read(file, kept)
    assert (kept.records, file.tail) == (
        RECORDS[:2],
        Damage(72, Reason("damaged-record", bytes=len(content) - 72, cause="header")),
    )
    path.write_bytes(content)
    read(file, kept)
    assert (kept.records, file.damage, file.tail) == (RECORDS, [], None)


def test_a_hole_may_be_filled_later(tmp_path: Path) -> None:
    """Blocks of a file may arrive out of order."""
    path = tmp_path / "file"
    content = b"".join(record(data) for data in RECORDS)
    path.write_bytes(content[:72] + bytes(36) + content[108:])
    file, kept = record_file(path), Kept()
    read(file, kept)
    assert (len(kept.records), len(file.damage)) == (5, 1)
    path.write_bytes(content)
    read(file, kept)
    assert (kept.records, file.damage) == (RECORDS, [])


def test_records_written_behind_a_cut_one_are_records(tmp_path: Path) -> None:
    """They are found even if the incomplete record would have ended exactly where one of them ends."""
    path = tmp_path / "file"
    cut = record(bytes(72 + 4))[:20]  # 92 bytes would follow
    path.write_bytes(record(RECORDS[0]) + cut + record(RECORDS[1]) + record(RECORDS[2]) + record(RECORDS[3]))
    records, damage, _ = cold(path)
    assert records == RECORDS[:4]
    assert [place.reason for place in damage] == ["damaged record: 20 bytes skipped"]


def test_much_damage_is_counted_and_soon_passed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(b"?" + record(body(n)) for n in range(3000)))
    file, kept = record_file(path), Kept()
    read(file, kept)
    assert len(kept.records) == 3000
    assert (len(file.damage), file.more_damage) == (1000, 2000)


def test_an_unfinished_reading_continues(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(record(body(n, 30_000)) for n in range(200)))
    os.utime(path, (1e9, 1e9))
    file, kept = record_file(path), Kept()
    assert step(file, kept)
    assert not file.unchanged(LOCAL.status(str(path)))
    read(file, kept)
    assert len(kept.records) == 200
    assert file.unchanged(LOCAL.status(str(path)))


@pytest.mark.parametrize("change", ["cut", "replaced", "rewritten", "regrown"])
def test_a_replaced_file_is_read_from_its_start(tmp_path: Path, change: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(record(data) for data in RECORDS))
    file, kept = record_file(path), Kept()
    read(file, kept)
    new = [body(n + 100) for n in range(8 if change in ("replaced", "regrown") else 6)]
    if change == "cut":
        os.truncate(path, 72)
        new = RECORDS[:2]
    elif change == "replaced":
        other = tmp_path / "other"
        other.write_bytes(b"".join(record(data) for data in new))
        other.replace(path)
    else:
        path.write_bytes(b"".join(record(data) for data in new))
    assert not file.unchanged(LOCAL.status(str(path)))
    read(file, kept)
    assert (kept.records, kept.restarts) == (new, 1)


@pytest.mark.parametrize("device", [False, True])
def test_a_file_that_is_not_regular_is_never_opened(tmp_path: Path, device: bool) -> None:  # noqa: FBT001
    path = tmp_path / "file"
    if device:
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    with pytest.raises(NotAFileError):
        step(record_file(path), Kept())


def test_forged_headers_cost_little(tmp_path: Path) -> None:
    """Headers that each claim the rest of the file are not each verified to its end."""
    count, rest = 2000, 4_000_000
    path = tmp_path / "file"
    headers = []
    for n in range(count):
        header = struct.pack("<Q", rest + 12 * (count - n) - 100)
        headers.append(header + struct.pack("<I", masked_checksum(header)))
    path.write_bytes(b"x" + b"".join(headers) + bytes(rest))
    file = record_file(path)
    read(file, Kept())
    assert file.tail is not None


def test_forged_records_that_reach_far_are_not_read_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header before each valid record claims millions of bytes, and the file has them."""
    monkeypatch.setattr(limits, "SEARCH_BUDGET_BYTES", 100_000_000)
    header = struct.pack("<Q", 3_000_000)
    header += struct.pack("<I", masked_checksum(header))
    true = [body(n) for n in range(300)]
    path = tmp_path / "file"
    path.write_bytes(b"".join(header + record(each) for each in true) + bytes(4_000_000))
    done = 0

    def counted(file: LocalFile, offset: int, size: int) -> bytes:
        nonlocal done
        done += size
        return read_at(file, offset, size)

    read_at = LocalFile.read_at
    monkeypatch.setattr(LocalFile, "read_at", counted)
    assert cold(path)[0] == true
    assert done < 200_000_000  # reading each to its end would be 900 million


@st.composite
def schedules(draw: st.DrawFn) -> list[tuple[str, int, int]]:
    step = st.tuples(
        st.sampled_from(["append", "append", "append", "append garbage", "append claim", "flip", "cut", "rewrite"]),
        st.integers(0, 200),
        st.integers(0, 2**16),
    )
    return draw(st.lists(step, min_size=1, max_size=12))


@examples(150)
@given(schedule=schedules())
def test_growing_equals_cold(tmp_path_factory: pytest.TempPathFactory, schedule: list[tuple[str, int, int]]) -> None:
    """Any changes between polls give the same records as a cold read."""
    path = tmp_path_factory.mktemp("growing") / "file"
    path.write_bytes(b"")
    file, kept = record_file(path), Kept()
    for n, (action, size, place) in enumerate(schedule):
        content = path.read_bytes()
        if action == "append":
            made = b"".join(record(body(1000 * n + k)) for k in range(1 + size % 4))
            path.write_bytes(content + made[: len(made) - (place % 40 if size % 3 == 0 else 0)])
        elif action == "append garbage":
            path.write_bytes(content + bytes(size) if size % 2 else content + b"%d" % place)
        elif action == "append claim":
            header = struct.pack("<Q", size)
            path.write_bytes(content + header + struct.pack("<I", masked_checksum(header)))
        elif action == "flip" and len(content) > file.offset:
            # Only in the part not accepted yet: the accepted part is recognized by its last record alone.
            changed = bytearray(content)
            changed[file.offset + place % (len(content) - file.offset)] ^= 1 + size
            path.write_bytes(bytes(changed))
        elif action == "cut":
            path.write_bytes(content[: place % (len(content) + 1)])
        elif action == "rewrite":
            path.write_bytes(b"".join(record(body(5000 * n + k)) for k in range(size % 7)))
        if not file.unchanged(LOCAL.status(str(path))):
            read(file, kept)
        assert (kept.records, file.damage, file.tail) == cold(path)
