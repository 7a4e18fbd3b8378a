"""Checksums of single pieces of bytes and of many rows agree, and with the published value."""

from __future__ import annotations

import struct

import google_crc32c
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.records.files.checksums import contributions, length_checksums, masked_checksum, unmask


def test_known_value() -> None:
    # RFC 3720, B.4: CRC-32C of 32 zero bytes.
    assert unmask(np.array([masked_checksum(bytes(32))], np.uint32))[0] == 0x8A9136AA


@given(st.binary())
def test_unmask_undoes_the_mask(data: bytes) -> None:
    assert unmask(np.array([masked_checksum(data)], np.uint32))[0] == google_crc32c.value(data)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_length_checksums(lengths: list[int]) -> None:
    expected = [masked_checksum(struct.pack("<q", length)) for length in lengths]
    assert length_checksums(np.array(lengths, np.int64)).tolist() == expected


@given(st.binary(min_size=1, max_size=300), st.data())
def test_contributions_add_up(record: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(record) - 1))
    byte = data.draw(st.integers(0, 255))
    other = record[:place] + bytes([byte]) + record[place + 1 :]
    table = contributions(len(record))[len(record) - 1 - place]
    change = int(table[record[place]] ^ table[byte])
    assert google_crc32c.value(other) == google_crc32c.value(record) ^ change
