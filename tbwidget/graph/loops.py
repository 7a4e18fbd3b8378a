"""The control flow of while loops of TensorFlow 1: nodes that carry values from one iteration to the next.

A loop has five or six of them for each of its variables, so that they outnumber what it computes.
"""

from __future__ import annotations

import re

import numpy as np

from tbwidget.graph.arrays import Bools
from tbwidget.graph.parse import Nodes

_FRAME = re.compile(r"(Ref)?(Enter|Exit|NextIteration)|LoopCond")
_BEHIND = (re.compile(r"(Ref)?Merge"), re.compile(r"(Ref)?Switch"), re.compile(r"(Ref)?Identity"))
"""Ops that belong to a loop if they read a node of the one before, the first if they read one of `_FRAME`.

Conditions have such nodes too.
"""


def loop_control(nodes: Nodes) -> Bools:
    """Which nodes, missing ones too, do nothing but carry the variables of a loop from one iteration to the next."""
    behind = nodes.with_ops(_FRAME)
    found = behind.copy()
    if behind.any():
        for ops in _BEHIND:
            reading = np.zeros(len(found), np.bool_)
            reading[nodes.target[behind[nodes.source] & ~nodes.control]] = True
            behind = reading & nodes.with_ops(ops)
            found |= behind
    return found
