"""American spelling in all of this project: interface, API, documentation and code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OTHERS = re.compile(r"^(LICENSE|js/package-lock\.json|docs/images/.*|tests/data/.*|tests/unit/test_spelling\.py)$")
"""Texts of other authors, pictures, logs of real writers, and this module."""
# "normalise" is a scope of a graph in tests/data.
BRITISH = re.compile(
    r"""colour | grey | (?<![a-z])centre | [Cc]entred | neighbour | behaviour | favour | honour | artefact | catalogue
    | labelled(?!by) | labelling | travelled | travelling | modelled | modelling | signalling
    | \b(?:mis)?spelt\b | \blearnt\b | licence(?!"\})
    | (?!normalise["\]/])
      (?:normal|serial|recogn|summar|optim|quant|organ|initial|visual|synchron|minim|maxim)is(?:e[ds]?\b|ing|ation)
    | emphasis(?:e[ds]?\b|ing)""",
    re.VERBOSE | re.IGNORECASE,
)


def tracked() -> list[Path]:
    names = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    )
    return [ROOT / name for name in names if name and not OTHERS.match(name)]


def test_spelling_is_american() -> None:
    found = {}
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        try:
            text = path.read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            text = ""
        if words := {each[0] for each in BRITISH.finditer(f"{name}\n{text}")}:
            found[name] = sorted(words)
    assert found == {}


@pytest.mark.parametrize(
    "word", ["run_colour", "COLOURS", "greyed", "neighbours", "normalised", "Emphasised", "centre"]
)
def test_a_british_word_would_be_seen(word: str) -> None:
    assert BRITISH.search(word)


@pytest.mark.parametrize("word", ["aria-labelledby", '{"LICENSE", "LICENCE"}', "emphasis", "cancelled", "otherwise"])
def test_words_that_stay(word: str) -> None:
    assert not BRITISH.search(word)
