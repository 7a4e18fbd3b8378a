"""How cards are sized and arranged: the options of every panel that shows cards by tag."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import traitlets

from tbwidget.options.patterns import pattern_error
from tbwidget.options.traits import option

VERSION = 1
"""Version of the form of layouts. Keep in step with js/src/lib/cardlayout.ts."""

MAX_SPAN = 12
"""Upper bound of the columns and rows of cards that one card takes."""


class CardLayout(traitlets.TraitType):  # type: ignore[type-arg]  # older traitlets take none
    """A layout of cards, as plain lists and dicts, which are copied when set."""

    info_text = "a layout: a dict with 'version' and 'sections', or None"

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return a copy: changing it in place would change the board without a word to the page."""
        return copy.deepcopy(super().get(obj, cls))

    def validate(self, _obj: Any, value: Any) -> Any:
        """Return a copy of the layout. Raises TraitError, which names the wrong part."""
        if value is not None:
            _check_layout(value)
        return copy.deepcopy(value)


_LAYOUT = {"version": object, "sections": list, "apart": list, "joined": list}
_SECTION = {"name": str, "open": bool, "prefix": str, "cards": list}
_CARD = {
    "tags": list,
    "pattern": str,
    "title": str,
    "width": object,
    "height": object,
    "apart": bool,
    "joined": bool,
}
_TYPE_NAMES = {list: "a list", str: "a str", bool: "True or False"}


def _wrong(message: str) -> traitlets.TraitError:
    return traitlets.TraitError(f"card_layout: {message}")


def _check_layout(layout: Any) -> None:
    _check_dict(layout, "", _LAYOUT, ("version", "sections"))
    if layout["version"] != VERSION or isinstance(layout["version"], bool):
        raise _wrong(f"'version' is {VERSION}, not {layout['version']!r}")
    for key in ("apart", "joined"):
        _check_tags(layout.get(key, []), f"[{key!r}]")
    names: dict[tuple[str, str], int] = {}
    for i, section in enumerate(layout["sections"]):
        where = f"sections[{i}]"
        _check_dict(section, where, _SECTION, ("name",))
        for j, card in enumerate(section.get("cards", [])):
            _check_card(card, f"{where}['cards'][{j}]")
        # The groups without a title have sections without a name, each with a prefix.
        part = section.get("prefix", "") if section["name"] == "" else ""
        if (first := names.setdefault((section["name"], part), i)) != i:
            raise _wrong(f"{where} has the same name as sections[{first}]: {section['name']!r}")


def _check_card(card: Any, where: str) -> None:
    _check_dict(card, where, _CARD)
    if ("tags" in card) == ("pattern" in card):
        raise _wrong(f"{where} has either 'tags' or 'pattern'")
    if "tags" in card:
        if not card["tags"]:
            raise _wrong(f"{where}['tags'] is a list of one str at least, not []")
        _check_tags(card["tags"], f"{where}['tags']")
    elif reason := pattern_error(card["pattern"]):
        raise _wrong(f"{where}['pattern'] {card['pattern']!r} is not a valid regular expression: {reason}")
    for key in ("width", "height"):
        size = card.get(key, 1)
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MAX_SPAN:
            raise _wrong(f"{where}[{key!r}] is an int from 1 to {MAX_SPAN}, not {size!r}")


def _check_tags(tags: list[Any], where: str) -> None:
    if not all(isinstance(tag, str) for tag in tags):
        raise _wrong(f"{where} is a list of str, not {tags!r}")
    if len(set(tags)) < len(tags):
        raise _wrong(f"{where} names a tag twice: {tags!r}")


def _check_dict(value: Any, where: str, types: Mapping[str, type], needed: tuple[str, ...] = ()) -> None:
    """Check that a value is a dict with values of these types; `where` it is, "" for the layout itself."""
    what = where or "a layout"
    if not isinstance(value, dict):
        raise _wrong(f"{what} is a dict, not {value!r}")
    if missing := [key for key in needed if key not in value]:
        raise _wrong(f"{what} has no {missing[0]!r}")
    for key, held in value.items():
        if key not in types:
            raise _wrong(f"{what} has {key!r}, which is none of {', '.join(map(repr, sorted(types)))}")
        if not isinstance(held, types[key]):
            raise _wrong(f"{where}[{key!r}] is {_TYPE_NAMES[types[key]]}, not {held!r}")


class CardOptions(traitlets.HasTraits):
    """The size and arrangement of cards."""

    card_width = option(
        traitlets.Int(270, min=160, max=2000),
        """Minimum width of a card in CSS pixels: there are as many columns as fit, and no more than cards. Type: int,
        160 to 2000. Default: 270.""",
    )
    card_height = option(
        traitlets.Int(None, min=120, max=2000, allow_none=True),
        """Height of a card in CSS pixels. Type: int, 120 to 2000, or None. Default: None, in proportion to
        `card_width`, and higher where one or two cards fill the panel.""",
    )
    card_layout = option(
        CardLayout(None, allow_none=True),
        """How cards are arranged. Type: dict, or None. Default: None, by the text before the first slash of their tags:
        rewards first, losses and scores next, learning rates, times and counters small and last. A layout is
        {"version": 1, "sections": [{"name": "losses", "open": True, "cards": [{"tags": ["loss/train", "loss/valid"],
        "title": "loss", "width": 2, "height": 1}, {"pattern": "grad.*norm"}]}]}: without "open", a section is open
        unless there are more than 60 cards. "width" and "height" count columns and rows; a card that is small by itself
        has its usual size with "height" 1; several tags share a card, and a pattern is a regular expression like
        `tag_filter`. Whether training, validation and test of one stem share a card is up to `join_splits` until a card
        of them has a "title", "joined": True, or "apart": True for a card of one. Lists "joined" and "apart" of tags in
        the layout itself do the same where no section has the card. Tags in no card follow at the end of the section
        named like the text before their first slash (or that has it as "prefix"), else in sections of their own; a
        section of one such tag has no title. Tags without a slash belong to the section "", or to three of that name,
        with the "prefix" "/headline", "/ordinary" or "/small". Keep one with
        `Path("cards.json").write_text(json.dumps(board.card_layout))`.""",
    )
