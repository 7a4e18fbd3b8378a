"""Answers to requests for several things at once: as many as fit, each on its own.

The answer's value has an entry for each requested thing, in that order: `{"size": n}` or other fields, if its bytes are
among the data, which follow one another; `{"reason": text, …}` if it cannot be sent; or `{"later": true}` if the answer
was full before, so that the browser asks again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from tbwidget.reasons import Reason, plain_reason, reason_of
from tbwidget.wire.content import Answer, Refusal
from tbwidget.wire.message import wire_reason

T = TypeVar("T")

Entry: TypeAlias = tuple[dict[str, Any], bytes]
"""Fields of an entry, and its bytes."""

MAX_ENTRIES = 256
"""Upper bound for the things that are read for one answer, so that other requests get their turn."""


def sized(data: bytes) -> Entry:
    """Return the entry of bytes that describe themselves."""
    return {"size": len(data)}, data


def answer_list(
    requested: Sequence[T], encode: Callable[[T, int], Entry], is_cancelled: Callable[[], bool], max_bytes: int
) -> Answer:
    """Encode requested things until the answer has `max_bytes`; `encode` also takes the bytes that are left.

    Whatever `encode` raises becomes the reason of its entry alone. Raises Refusal once the request is canceled.
    """
    entries: list[dict[str, Any]] = []
    parts: list[bytes] = []
    left = max_bytes
    for number, one in enumerate(requested):
        if is_cancelled():
            raise Refusal(Reason("canceled"))
        if left <= 0 or number >= MAX_ENTRIES:
            entries.extend({"later": True} for _ in requested[number:])
            break
        try:
            entry, data = encode(one, left)
        except (KeyError, ValueError) as error:
            entries.append(wire_reason(plain_reason(error)))
        except Exception as error:  # noqa: BLE001 (one thing that cannot be read spoils no other)
            entries.append(wire_reason(reason_of(error)))
        else:
            entries.append(entry)
            parts.append(data)
            left -= len(data)
    return Answer(entries, b"".join(parts))
