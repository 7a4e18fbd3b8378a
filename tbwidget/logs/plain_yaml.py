"""YAML of untrusted files, as plain values.

Nothing in a file is executed or imported: an object of Python becomes a text. PyYAML's events are read one by one,
since its composer is recursive without a limit, and overflows the stack of the process on deep nesting.
"""

from __future__ import annotations

import math
import re
from typing import Any

from tbwidget.reasons import Reason
from tbwidget.texts import shorten

MAX_VALUES = 50_000
"""Names and values of a file, with what aliases repeat; a long text counts as several."""

MAX_DEPTH = 100
"""Containers within one another."""

MAX_MADE_CHARACTERS = 2_000
"""Characters of a text that is made of a list or a mapping, as of what an object of Python was made with."""

_MAX_MADE_NAME = 100  # characters of a name that is no text in the file
_COUNTED_CHARACTERS = 32  # of a text that counts as one value
_MAX_NUMBER_CHARACTERS = 100  # PyYAML takes the square of the length for a number
_EXACT_INTEGER = 2**53  # a larger number would be rounded
_YAML = "tag:yaml.org,2002:"
_CONTAINERS = frozenset({"map", "seq", "set", "omap", "pairs", "python/dict", "python/list", "python/tuple"})
_DECIMAL = re.compile(
    r"[-+]?((\.[0-9]{1,50}|[0-9]{1,50}\.[0-9]{0,50})[eE][-+]?[0-9]{1,3}|[0-9]{1,50}[eE]([-+][0-9]{1,3}|[0-9]{1,2}))"
)
"""A number with an exponent, as YAML 1.2 has it. For PyYAML, which reads YAML 1.1, 1e-5 without quotes is a text.

A hash may look like one: 12e4567 stays a text.
"""
_TEXTS = frozenset({"str", "python/str", "python/unicode"})


def parse(content: bytes) -> dict[str, Any]:
    """Return the mapping in a file: numbers are float, names str. Raises ValueError for a file of anything else."""
    import yaml  # noqa: PLC0415 (rare)

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # Bytes that are no UTF-8 stay visible, and cost no other value.
        found = _Builder(loader(content.decode("utf-8-sig", "backslashreplace"))).build()
    except yaml.YAMLError as error:
        mark, detail = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise ValueError(Reason("yaml", detail=f"{' '.join(detail.split())}{place}")) from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(Reason("yaml", detail=Reason("yaml-names")))  # noqa: TRY004 (of the file)
    return found


class _Builder:
    """Makes plain values of the events of one document."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._anchors: dict[str, tuple[Any, int]] = {}  # with the size of each

    def build(self) -> Any:
        """Return the value of the first document; None without one."""
        import yaml  # noqa: PLC0415 (rare)

        root = None
        try:
            while not isinstance(event := self._loader.get_event(), yaml.DocumentEndEvent | yaml.StreamEndEvent):
                if isinstance(event, yaml.NodeEvent):
                    root = self._node(event, 0)[0]
        finally:
            self._loader.dispose()
        return root

    def _node(self, event: Any, depth: int, *, is_key: bool = False) -> tuple[Any, int]:
        """Return the value that begins with an event, and how many values it counts as; an alias counts in full."""
        import yaml  # noqa: PLC0415 (rare)

        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise ValueError(Reason("yaml", detail=f"unknown alias {event.anchor}"))
            return self._anchors[event.anchor]
        if isinstance(event, yaml.ScalarEvent):
            tag = event.tag
            if tag is None or tag == "!":
                tag = self._loader.resolve(yaml.ScalarNode, event.value, event.implicit)
                # A key of a mapping stays as it is written.
                if event.tag is None and event.implicit[0] and not is_key and _DECIMAL.fullmatch(event.value):
                    tag = f"{_YAML}float"
            found = self._scalar(tag, event.value), 1 + len(event.value) // _COUNTED_CHARACTERS
        else:
            found = self._container(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = found
        return found

    def _container(self, start: Any, depth: int) -> tuple[Any, int]:
        """Return a list or a mapping, or a text that is made of it, and the values in it."""
        import yaml  # noqa: PLC0415 (rare)

        if depth >= MAX_DEPTH:
            raise ValueError(Reason("yaml", detail=f"more than {MAX_DEPTH} levels"))
        is_mapping = isinstance(start, yaml.MappingStartEvent)
        items: list[Any] = []  # of a mapping, keys and values by turns
        size = 1
        while not isinstance(event := self._loader.get_event(), yaml.CollectionEndEvent):
            item, of_item = self._node(event, depth + 1, is_key=is_mapping and len(items) % 2 == 0)
            items.append(item)
            size += of_item
            if size > MAX_VALUES:
                raise ValueError(Reason("yaml", detail=f"more than {MAX_VALUES} values"))
        value = (_mapping if is_mapping else _sequence)((start.tag or "!").removeprefix(_YAML), items)
        # Quotes within quotes double with each level, so a made text counts by its length.
        return value, size + (len(value) // _COUNTED_CHARACTERS if isinstance(value, str) else 0)

    def _scalar(self, tag: str, text: str) -> Any:
        """A number, truth value or None where the tag says so and the text is one; else the text."""
        import yaml  # noqa: PLC0415 (rare)

        kind = tag.removeprefix(_YAML)
        if kind in _TEXTS or len(text) > _MAX_NUMBER_CHARACTERS:
            return text
        kind = kind.removeprefix("python/")
        if kind in ("null", "none"):
            return None
        node = yaml.ScalarNode(tag, text)
        try:
            if kind == "bool":
                return bool(self._loader.construct_yaml_bool(node))
            if kind in ("int", "long"):
                number = self._loader.construct_yaml_int(node)
                return float(number) if abs(number) <= _EXACT_INTEGER else text
            if kind == "float":
                number = float(self._loader.construct_yaml_float(node))
                return text if math.isinf(number) and text[-1].isdigit() else number  # 1e999 is larger than all floats
        except (ValueError, KeyError, OverflowError, IndexError):
            return text
        return text if tag.startswith(_YAML) and not kind.partition(":")[2] else _as_text(tag, text)


def _sequence(tag: str, items: list[Any]) -> Any:
    return items if tag in ("!", *_CONTAINERS) else _as_text(tag, ", ".join(map(_text, items)))


def _mapping(tag: str, items: list[Any]) -> Any:
    value: dict[str, Any] = {}
    for key, held in zip(items[::2], items[1::2], strict=True):
        if key == "<<" and _is_merged(held):
            for one in held if isinstance(held, list) else [held]:
                value = {**one, **value}
        else:
            value[_name(key)] = held
    # A mapping with a tag of Python's is an object: its attributes are what people look for, or the items of a dict.
    found = value.get("dictitems") if tag.startswith("python/object") else None
    return found if isinstance(found, dict) else value


def _is_merged(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(one, dict) for one in value))


def _name(key: Any) -> str:
    return key if isinstance(key, str) else shorten(_text(key), _MAX_MADE_NAME)


def _text(value: Any) -> str:
    """As people write it: whole numbers without a fraction."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return shorten(str(value), MAX_MADE_CHARACTERS)


def _as_text(tag: str, text: str) -> str:
    """A value of an unknown tag: "torch.nn.ReLU", "pathlib.PosixPath(a, b)"."""
    kind, _, name = tag.removeprefix(_YAML).partition(":")
    if kind in ("python/name", "python/module"):
        return name
    return f"{name or kind}({shorten(text, MAX_MADE_CHARACTERS)})"
