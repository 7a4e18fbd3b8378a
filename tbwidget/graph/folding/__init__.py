"""Wide scopes made small: what repeats becomes one stack, names that share a layer's name one scope."""

from __future__ import annotations

from tbwidget.graph.folding.fold import Fold, Kind, fold_scope, is_plain, plain_fold

__all__ = ["Fold", "Kind", "fold_scope", "is_plain", "plain_fold"]
