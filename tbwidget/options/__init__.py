"""The user's options: traits that every dashboard or several panels have.

    traits.py           `option`, which makes a trait one; traits of steps, numbers, patterns and groupings
    common.py           options that every dashboard has, and mixins for several panels
    runs.py             options of the list of runs; colors.py: reads the colors of runs
    cards.py            size and arrangement of cards; what is wrong with a layout
    agreement.py        how Python and the pages agree on options, and on the point below the pointer
    patterns.py         regular expressions of JavaScript, as far as Python can judge them

An option is declared in Python alone, with its default and range, in a mixin class such as these; a panel's are in
panels/<name>.py, see `tbwidget.panels.declare`. js/tests/fixtures/options.json holds all of them as Python declares
them, and the page's own tables are tested against it.
"""
