"""The control flow of while loops of TensorFlow 1: nodes that carry values from one iteration to the next.

A loop has five or six of them for each of its variables, so that they outnumber what it computes.
"""

from __future__ import annotations

import re

import numpy as np

from tbwidget.graph.arrays import Bools
from tbwidget.graph.parse import Nodes

_FRAME = re.compile(r"(Ref)?(Enter|Exit|NextIteration)|LoopCond")
_CARRYING = re.compile(r"(Ref)?(Enter|NextIteration)")
_CONDITION = re.compile(r"LoopCond")
_MERGE, _SWITCH, _IDENTITY = (re.compile(f"(Ref)?{op}") for op in ("Merge", "Switch", "Identity"))


def loop_control(nodes: Nodes) -> Bools:
    """Which nodes, missing ones too, do nothing but carry the variables of a loop from one iteration to the next.

    Conditions have merges and switches too, also around loops and inside them. A loop's merges read what it carries,
    and its switches read its condition.
    """
    frame = nodes.with_ops(_FRAME)
    if not frame.any():
        return frame
    merge = nodes.with_ops(_MERGE) & _reading(nodes, nodes.with_ops(_CARRYING))
    switch = nodes.with_ops(_SWITCH) & _reading(nodes, merge) & _reading(nodes, nodes.with_ops(_CONDITION))
    return frame | merge | switch | (nodes.with_ops(_IDENTITY) & _reading(nodes, switch))


def _reading(nodes: Nodes, read: Bools) -> Bools:
    """Nodes that read data of one of these."""
    found = np.zeros(len(read), np.bool_)
    found[nodes.target[read[nodes.source] & ~nodes.control]] = True
    return found
