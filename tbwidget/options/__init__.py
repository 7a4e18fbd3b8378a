"""The user's options: traits that every dashboard or several panels have.

An option is a trait made by `option`; a panel declares its own in a mixin class, see `tbwidget.panels.declare`. How
Python and the browser agree on them is in `agreement`, which is not imported here: declaring takes no widget.
"""

from tbwidget.options.cards import CardOptions
from tbwidget.options.common import BoardOptions, LogValueOptions, OverlayRunsOptions, TimeAxisOptions
from tbwidget.options.runs import RunTableOptions
from tbwidget.options.traits import option, options_of

__all__ = [
    "BoardOptions",
    "CardOptions",
    "LogValueOptions",
    "OverlayRunsOptions",
    "RunTableOptions",
    "TimeAxisOptions",
    "option",
    "options_of",
]
