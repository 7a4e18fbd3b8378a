"""The order and size of cards: one function of the names of tags. Twin of js/src/lib/tagorder.ts.

Rewards come first, because the losses of an agent say little; then losses and scores, among the groups and within
each. What only tells how a run goes on, such as its learning rate, its speed or a counter, comes last and is small.
All others stand between, in natural order. No title holds tags without a slash together: those that come first, those
between and the small ones are three groups. Training and validation of one stem ("loss" for "train_loss" and
"loss/validation") share a card. The number of values does not count: every tag begins with one value, and a small
card would have to grow when the second one comes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pkgutil import get_data
from typing import NamedTuple

from tbwidget.logs.natural import natural_key

_WORDS: dict[str, str] = {
    word: kind
    for kind, words in json.loads(get_data("tbwidget.logs", "tag_words.json") or "{}").items()
    for word in words.split()
}
"""The kind of each word that says something. The page reads the same file."""

_SPLITS = ("train", "validation", "test")
_KINDS = (*_SPLITS, "loss", "score", "plain", "counter", "aside", "small", "learning", "rate", "unit", "reward", "echo")
_LOSS, _SCORE, _, _COUNTER, _ASIDE, _SMALL, _LEARNING, _RATE, _UNIT, _REWARD, _ECHO = (1 << i for i in range(3, 14))
_MEASURES, _SMALLS, _LEARNING_RATE = _LOSS | _SCORE | _REWARD, _SMALL | _UNIT, _LEARNING | _RATE
_PART = 1 << 14
"""A word that may say that the tag is only a part of a loss or score, such as that of an actor."""
_BITS = {kind: 1 << i | (_PART if kind in ("learning", "rate") else 0) for i, kind in enumerate(_KINDS)}

REWARD = 0
"""The rank of rewards that are no parts of one."""
_WHOLE_SCORE, _PART_OF_SCORE = 2, 4
MEASURE = 4
"""The largest rank of rewards, losses and scores."""
_HELD_OUT, _OTHER = 5, 6
SMALL = 7
"""The rank of tags whose cards are small."""

MAX_JOINED_TAGS = 4
"""Upper bound for the tags that share a card by themselves."""

# ASCII alone, which both languages take alike, whichever Unicode they know.
_SEPARATORS = re.compile(r"([/_.\- ():,|\[\]=@#]+)")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_DIGITS = "0123456789"


class TagPlace(NamedTuple):
    """Where the card of a tag stands; a function of its name alone, so that it stays whichever tags come."""

    group: str
    """The text before its first slash; in `train/loss` and other rewards, losses and scores, the text of its stem.

    Without such a text: "/headline", "/ordinary" or "/small".
    """
    rank: int
    stem: str
    """The name without its word for training, validation or test; the name itself without exactly one such word. A last
    word "epoch" is left out as well."""
    split: str
    """That word in lower case; empty without exactly one."""
    turn: int
    """Among the tags of one stem: training, validation, test."""


class Card(NamedTuple):
    """A card of the default arrangement."""

    tags: tuple[str, ...]
    is_small: bool


class Group(NamedTuple):
    """The cards of one section."""

    name: str
    cards: tuple[Card, ...]


@lru_cache(1 << 15)  # runs have the same tags, as a rule
def place_of(tag: str) -> TagPlace:
    """Return the place of a tag."""
    parts = _SEPARATORS.split(tag)
    found = said = last = 0
    splits = -1
    for i in range(0, len(parts), 2):
        bits = _word(parts[i])
        said |= bits
        if parts[i]:
            last = bits
        if bits & 7:
            found += 1
            splits = i
    slash = tag.find("/")
    first = tag[:slash] if slash > 0 else ""
    stem, split, turn = tag, "", 0
    if found == 1:
        left = [*parts[:splits], *parts[splits + 2 :]] if splits == 0 else [*parts[: splits - 1], *parts[splits + 1 :]]
        # Lightning writes "train_loss_epoch", and "val_loss" for as many epochs.
        while len(left) > 1 and (left[-1] == "" or (left[2:] and left[-1] == "epoch")):
            del left[-2:]
        if without := "".join(left):
            stem, split = without, parts[splits].translate(_LOWER)
            turn = _SPLITS.index(_WORDS[split])
    rank = _rank(said, _word(first), last)
    if rank <= MEASURE and splits == 0 and split and slash == len(split):
        return TagPlace(stem[: max(0, stem.find("/"))] or _untitled(rank), rank, stem, split, turn)
    if rank == _OTHER and slash > 0 and _word(first) & 6:
        rank = _HELD_OUT
    return TagPlace(first or _untitled(rank), rank, stem, split, turn)


@lru_cache(1 << 16)  # as pages and panels ask for the same tags again; the texts are those of `natural_key`
def sort_key(tag: str) -> tuple[int, str, int, str]:
    """Return the key that sorts the tags of one group; those that share a card follow one another."""
    place = place_of(tag)
    return place.rank, natural_key(place.stem), place.turn, natural_key(tag)


def arrange(tags: Iterable[str]) -> list[Group]:
    """Return all cards, in their groups; groups in the order of their best cards."""
    groups: dict[str, list[str]] = {}
    for tag in tags:
        groups.setdefault(place_of(tag).group, []).append(tag)
    best = {name: min(place_of(tag).rank for tag in members) for name, members in groups.items()}
    order = sorted(groups, key=lambda name: group_key(name, best[name]))
    return [Group(name, tuple(_cards(groups[name]))) for name in order]


def group_key(name: str, rank: int) -> tuple[int, bool, str]:
    """Return the key that sorts a group whose best card has this rank.

    Those without a title come before others: their scores, too, before losses. With a reward they come behind others,
    since they have losses as well, such as `train/loss`.
    """
    is_untitled = name.startswith("/")
    if is_untitled and rank in (_WHOLE_SCORE, _PART_OF_SCORE):
        rank -= 1
    return rank, is_untitled == (rank == REWARD), natural_key(name)


def in_order(tags: Iterable[str]) -> list[str]:
    """Return tags in the order of their cards."""
    return [tag for group in arrange(tags) for card in group.cards for tag in card.tags]


def _cards(tags: list[str]) -> Iterable[Card]:
    by_stem: dict[tuple[int, str], list[str]] = {}
    for tag in sorted(tags, key=sort_key):
        place = place_of(tag)
        by_stem.setdefault((place.rank, place.stem), []).append(tag)
    for (rank, _), members in by_stem.items():
        is_small = rank == SMALL
        splits = {place_of(tag).split for tag in members}
        if not is_small and len(splits) == len(members) <= MAX_JOINED_TAGS:
            yield Card(tuple(members), is_small)
        else:
            yield from (Card((tag,), is_small) for tag in members)


def _untitled(rank: int) -> str:
    """Return the group of a tag of this rank without a text before a slash."""
    return "/headline" if rank <= MEASURE else "/small" if rank == SMALL else "/ordinary"


def _rank(said: int, first: int, last: int) -> int:
    """Return the rank of a tag by what its words say, the text before its first slash, and its last word."""
    measures = said & _MEASURES
    if said & _ECHO and not measures:  # "hp/acc" is a score, beside a value of a hyperparameter such as "hp/lr"
        return SMALL
    if said & _SMALLS or said & _LEARNING_RATE == _LEARNING_RATE:
        # "time/loss" and "loss_per_second" are no losses; "time_loss" and "loss/gpu0" are parts of one.
        if not measures or _is_small(first, _SMALLS) or _is_small(last, _UNIT):
            return SMALL
        said |= _PART
    if measures and not said & _ASIDE:
        if measures == _REWARD and not said & _PART:
            return REWARD
        is_part = said & _PART or (measures & _LOSS and measures != _LOSS)
        return (1 if said & _LOSS else 2) + (2 if is_part else 0)
    return SMALL if said & _COUNTER and not said & (_PART | _ASIDE) else _OTHER


def _is_small(bits: int, kinds: int) -> bool:
    """Whether a word is of some kinds and no loss or score, as "timeLoss" is."""
    return bits & kinds != 0 and not bits & _MEASURES


@lru_cache(1 << 15)  # tags are made of the same words, as a rule
def _word(word: str) -> int:
    """Return what a word says, as bits."""
    lower = word.translate(_LOWER)
    kind = _WORDS.get(lower)
    if kind is None:
        lower = lower.rstrip(_DIGITS)
        if lower == "":
            return 0
        kind = _WORDS.get(lower)
        # "val2" is no "val": several of them would be taken for one.
        if kind in _SPLITS:
            return _BITS["plain"]
    if kind is not None:
        return _BITS[kind]
    humps = _HUMPS.split(word)
    if len(humps) > 1:
        said = 0
        for hump in humps:
            said |= _word(hump)
        return said & ~7  # the words of a stem are apart
    return _PART | (_LOSS if lower.endswith(("loss", "losses")) else 0)
