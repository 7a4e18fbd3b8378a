"""Alerts: runs that need attention, found in the data read so far and in data that arrive.

    rules.py    `Alert`, the rules and their thresholds, the tags whose direction is known
    curve.py    one series: non-finite, diverged, plateau; reads each point once
    pauses.py   one run: how long its writer usually pauses, for stalled
    watch.py    evaluates series that changed, in a thread of its own; calls the user's functions

Alerts depend on the points alone, so a fresh reading finds those that a follower found. Stalled depends on the time,
too.
"""
