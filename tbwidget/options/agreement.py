"""Options that Python and the browser agree about, though what the browser says may be heard late."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

import anywidget
import traitlets

from tbwidget.logs.unknown import closest, did_you_mean

_MAX_OF_FILE = 50_000  # characters; the notebook keeps them
_OF_BROWSER = frozenset({"_view_count", "_hovered"})


class SharedOptions(anywidget.AnyWidget):
    """A widget whose options may be made on either side; a wrong value raises `TraitError` in Python.

    The browser may choose while the kernel is busy; what Python sets until that is heard was set later, and holds. Both
    sides count how often Python has set an option, and the browser says which count it had seen when it chose.

    Several pages may show one widget. A `shared` option that one of them sets is sent to all, so the last choice that
    the kernel hears holds everywhere. Other options, such as the linked step, belong to each page.
    """

    _given = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Names of the options set in Python: what the page remembers of those does not count."""

    _from_file = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Names of the options that a file in the log directory set: what the page remembers of those counts more."""

    _of_file = traitlets.Dict().tag(sync=True)
    """The values that it gave them, as they travel; empty beyond `_MAX_OF_FILE` characters of JSON."""

    _file = traitlets.Unicode().tag(sync=True)
    """Name of that file, relative to the log directory; empty without one."""

    _set_count = traitlets.Dict().tag(sync=True)
    """How often each option was set in Python, by name."""

    _chosen_by = traitlets.Dict().tag(sync=True)
    """The page's choice that each option has its value from: none of those that Python set since."""

    _heard: dict[tuple[str, str], int]
    """Number of the last choice that was taken over, by option and page."""

    _set_by_file: str | None = None
    """The option that is just being set from the file."""

    _short_names: ClassVar[Mapping[str, str]] = {}
    """Further names of options: name -> option."""

    def setup_instance(*args: Any, **kwargs: Any) -> None:  # noqa: D102 (as traitlets has it)
        self = args[0]
        # Before all else: widgets whose making fails set traits too, when they are closed.
        self._lock = threading.RLock()
        self._heard = {}
        super(SharedOptions, self).setup_instance(*args[1:], **kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        options = self.class_trait_names(option=True)
        super().__init__(*args, _given=[name for name in options if name in kwargs], **kwargs)
        self.observe(self._note_given, options)

    def _note_given(self, change: Any) -> None:
        if change.name != self._set_by_file and not self.is_from_browser(change.name, change.new):
            self._add_given(change.name)

    def _add_given(self, name: str) -> None:
        if name not in self._given:
            self._given = [*self._given, name]

    def checked(self, name: str, value: Any) -> Any:
        """Return a value as the option would hold it. TraitError for a wrong one."""
        try:
            return self.traits()[name]._validate(self, value)  # noqa: SLF001 (traitlets has no other way without setting)
        except traitlets.TraitError as error:
            raise traitlets.TraitError(self._in_words(name, value, error)) from None

    def set_from_file(self, options: Mapping[str, Any], file: str = "") -> None:
        """Set options as a file in the log directory has them, but for those set in Python or in the browser.

        The values come from `checked`. May be called from any thread.
        """
        with self._lock, self.hold_sync():
            free = {name: value for name, value in options.items() if name not in {*self._given, *self._chosen_by}}
            self._from_file, self._file = list(free), file
            values = {name: self._as_json(name, value) for name, value in free.items()}
            self._of_file = values if len(json.dumps(values)) <= _MAX_OF_FILE else {}
            for name, value in free.items():
                self._set_by_file = name
                try:
                    super().__setattr__(name, value)
                finally:
                    self._set_by_file = None

    def is_from_browser(self, name: str | None, value: Any) -> bool:
        """Whether an option is just being taken over from the browser, as it was made there."""
        lock = getattr(self, "_property_lock", {})  # which ipywidgets fills meanwhile
        if name not in lock:
            return False
        return bool(json.loads(json.dumps(self._as_json(name, value))) == lock[name])

    def _as_json(self, name: str | None, value: Any) -> Any:
        return self.trait_metadata(name, "to_json", self._trait_to_json)(value, self)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; traits one after the other, whatever thread sets them."""
        if self.has_trait(name):
            with self._lock:
                try:
                    super().__setattr__(name, value)
                except traitlets.TraitError as error:
                    raise traitlets.TraitError(self._in_words(name, value, error)) from None
                if self.trait_metadata(name, "option"):
                    self._add_given(name)  # also where the value is the same as before
        elif name.startswith("_") or hasattr(type(self), name):
            super().__setattr__(name, value)
        else:
            options = sorted([*self.class_trait_names(option=True), *self._short_names])
            raise AttributeError(f"{type(self).__name__} has no option {name!r}: {hint(name, options)}")

    def _in_words(self, name: str, value: Any, error: traitlets.TraitError) -> str:
        """Describe a wrong value, with the option's short name where it has one."""
        shown = next((short for short, own in self._short_names.items() if own == name), name)
        trait = type(self).class_traits()[name]
        if isinstance(trait, traitlets.Enum):
            options = [option for option in trait.values or () if option is not None]
            if value not in options:
                listed = ", ".join(map(repr, [*options, None] if trait.allow_none else options))
                texts = [option for option in options if isinstance(option, str)]
                suggestion = did_you_mean(value, texts) if isinstance(value, str) else ""
                return f"{shown}: {value!r} is none of {listed}{suggestion}"
        return re.sub(rf"\b{re.escape(name)}\b", shown, str(error))

    def set_trait(self, name: str, value: Any) -> None:
        """Set a trait, also one that is read-only. May be called from any thread."""
        with self._lock:
            super().set_trait(name, value)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over options set in a page, but for those that Python made later; from any thread.

        `_chosen` says of each which count the page had seen, and names the choice; other names are ignored. All pages
        are told the new values. The page that chose knows its choice by that name, and keeps a later one.
        """
        if not isinstance(sync_data, dict):
            return
        if not _can_travel(sync_data.get("_chosen")):
            return
        with self._lock, self.hold_sync():
            choices = _choices(sync_data.get("_chosen"))
            taken = {name: value for name, value in sync_data.items() if self._may_be_set(name)}
            for name in taken.keys() & choices.keys():
                count, page, number = choices[name]
                if count < self._set_count.get(name, 0):
                    del taken[name]
                    self._states_to_send |= {name, "_set_count"}
                elif number <= self._heard.get((name, page), 0):
                    del taken[name]  # a page may repeat its last choice, even after another page has chosen
                else:
                    self._heard[name, page] = number
                    self._chosen_by = {**self._chosen_by, name: f"{page} {number}"}
            for name, value in taken.items():
                if _can_travel(value):  # else it is refused like a wrong one
                    with suppress(traitlets.TraitError):
                        super().set_state({name: value})
            self._states_to_send |= taken.keys() & choices.keys() & {*self.trait_names(shared=True)}

    def _may_be_set(self, name: str) -> bool:
        is_open = not name.startswith("_") or name in _OF_BROWSER
        return is_open and self.has_trait(name) and not getattr(type(self), name).read_only

    def observe(self, handler: Any, names: Any = traitlets.All, type: Any = "change") -> None:  # noqa: A002 (traitlets')
        """Call `handler` when an option changes; further names of options do as well."""
        super().observe(handler, self._own_names(names), type)

    def unobserve(self, handler: Any, names: Any = traitlets.All, type: Any = "change") -> None:  # noqa: A002 (likewise)
        """Call it no more."""
        super().unobserve(handler, self._own_names(names), type)

    def _own_names(self, names: Any) -> Any:
        if names is traitlets.All or names is None:
            return names
        return [self._short_names.get(name, name) for name in ([names] if isinstance(names, str) else names)]

    def notify_change(self, change: Any) -> None:
        """Send an option set in Python to the browser, with its count. May be called from any thread."""
        with self._lock:
            name = change["name"]
            is_option = self.trait_metadata(name, "option")
            if not is_option or name == self._set_by_file or self.is_from_browser(name, getattr(self, name)):
                super().notify_change(change)
                return
            with self.hold_sync():
                self._set_count = {**self._set_count, name: self._set_count.get(name, 0) + 1}
                self._chosen_by = {other: choice for other, choice in self._chosen_by.items() if other != name}
                super().notify_change(change)

    def repeat_options(self) -> None:
        """Send the options that were set once more: messages are lost where a cell prints too much."""
        with self._lock:
            of_page = {name for name in self._chosen_by if not self.trait_metadata(name, "shared")}
            names = {*self._set_count, *self._from_file, *self._chosen_by} - of_page
            self.send_state([*names, "_set_count", "_given", "_from_file", "_of_file", "_file", "_chosen_by"])


def _can_travel(value: Any) -> bool:
    """Whether a message can carry a value back: none can carry half of a surrogate pair, which JSON may hold."""
    try:
        json.dumps(value, ensure_ascii=False, default=repr).encode()
    except UnicodeEncodeError:
        return False
    return True


def _choices(message: object) -> dict[str, tuple[int, str, int]]:
    """Return what a page says of its choices, by option: Python's count that it knew, its id, the choice's number."""
    found = {}
    for name, one in message.items() if isinstance(message, dict) else ():
        match one:
            case [int(count), str(page), int(number)]:
                found[name] = count, page[:20], number
    return found


_OTHER_NAMES = {
    "run": "selected_runs",
    "runs": "selected_runs",
    "tag": "tag_filter",
    "tags": "tag_filter",
    "color": "run_colors",
    "colors": "run_colors",
}
"""Options by names that their own do not resemble."""


def hint(name: str, options: list[str]) -> str:
    """Suggest an option for an unknown name."""
    other = _OTHER_NAMES.get(name)
    close = other if other in options else closest(name, options)
    return f"did you mean {close!r}?" if close else f"the options are {', '.join(options)}."


_TYPES = {"step": int, "value": float, "left": float, "right": float, "group": str}


def point_from_json(message: Any) -> dict[str, Any] | None:
    """The point below the pointer, as the browser reports it; None where the pointer is on none.

    JSON does not have all of its numbers. Twin of js/src/options/hovered.ts.
    """
    if not isinstance(message, dict) or not isinstance(message.get("values"), dict) or "step" not in message:
        return None
    try:
        values = {str(run): float(value) for run, value in message["values"].items()}
        typed = {name: convert(message[name]) for name, convert in _TYPES.items() if name in message}
    except (TypeError, ValueError, OverflowError):
        return None
    return {**message, **typed, "values": values}
