"""Series: siblings of one kind whose names are numbered one after the other, such as `relu_1` to `relu_7`.

Ops are grouped as TensorBoard does by default (tensorboard/plugins/graph/tf_graph_common/hierarchy.ts): the name is a
prefix without digits and a number, or no number at all, which counts as 0; a gap ends a series. Scopes, which it never
groups, make series where the last number in their names counts up and their structure is the same: `Block[0]` to
`Block[95]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MIN_GROUPED = 5
"""Series of fewer are found, but not grouped unless asked for."""

_OP = re.compile(r"(?P<prefix>\D*)(?P<number>[0-9]+)(?P<suffix>)")
_SCOPE = re.compile(r"(?P<prefix>.*?)(?P<number>[0-9]+)(?P<suffix>\D*)", re.DOTALL)
_MAX_DIGITS = 18
_GROUP_SUFFIX = "*"  # at the end of a name, says that its author numbered it


class Series(NamedTuple):
    """Siblings that are numbered one after the other."""

    name: str
    """Prefix, first and last number in brackets, suffix."""
    members: list[int]
    """By number."""

    @property
    def grouped(self) -> bool:
        """Whether it is long enough to be drawn as one unless asked otherwise."""
        return len(self.members) >= MIN_GROUPED


def find_series(members: Sequence[int], labels: Sequence[str], kinds: Sequence[int], *, scopes: bool) -> list[Series]:
    """Find the series among siblings with these labels and kinds, all of them ops or all of them scopes."""
    candidates: dict[tuple[int, str, str], list[tuple[int, int]]] = {}
    for member, label, kind in zip(members, labels, kinds, strict=True):
        prefix, number, suffix = _numbered(label, scopes=scopes)
        if number is not None:
            candidates.setdefault((kind, prefix, suffix), []).append((number, member))
    found = []
    for (_, prefix, suffix), numbered in candidates.items():
        numbered.sort()
        begin = 0
        for end in range(1, len(numbered) + 1):
            if end < len(numbered) and numbered[end][0] == numbered[end - 1][0] + 1:
                continue
            if end - begin > 1:
                name = f"{prefix}[{numbered[begin][0]}-{numbered[end - 1][0]}]{suffix}"
                found.append(Series(name, [member for _, member in numbered[begin:end]]))
            begin = end
    return found


def _numbered(label: str, *, scopes: bool) -> tuple[str, int | None, str]:
    match = (_SCOPE if scopes else _OP).fullmatch(label)
    if match is None:
        if scopes:
            return label, None, ""
        grouped = label.endswith(_GROUP_SUFFIX)
        return (label[:-1] if grouped else label), 0, (_GROUP_SUFFIX if grouped else "")
    if len(match["number"]) > _MAX_DIGITS:
        return label, None, ""
    return match["prefix"], int(match["number"]), match["suffix"]
