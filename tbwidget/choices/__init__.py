"""The user's choices: traits that every dashboard or several panels have.

A choice is a trait made by `choice`; a panel declares its own in a mixin class, see `tbwidget.panels.declare`. How
Python and the browser agree on them is in `agreement`, which is not imported here: declaring takes no widget.
"""

from tbwidget.choices.cards import CardChoices
from tbwidget.choices.common import BoardChoices, LogValueChoices, OverlayRunsChoices, TimeAxisChoices
from tbwidget.choices.runs import RunTableChoices
from tbwidget.choices.traits import choice, choices_of

__all__ = [
    "BoardChoices",
    "CardChoices",
    "LogValueChoices",
    "OverlayRunsChoices",
    "RunTableChoices",
    "TimeAxisChoices",
    "choice",
    "choices_of",
]
