"""Alerts: runs that need attention, found in what was read and while it grows.

    rules.py    `Alert`, the rules and their thresholds, the tags whose direction is known
    curve.py    one series: non-finite, diverged, plateau; reads each point once
    pauses.py   one run: how long its writer usually pauses, for stalled
    watch.py    evaluates series that changed, in a thread of its own; calls the user's functions

Alerts depend on the points alone, except for stalled, which depends on the time, too: what was followed has the alerts
of a fresh reading.
"""
