"""Configurations as runs log them, with the trees that PyYAML reads: js/tests/fixtures/yaml_texts.json.

make generated does: python -m tests.support.yaml_texts > js/tests/fixtures/yaml_texts.json
"""

from __future__ import annotations

import json
import sys
from typing import Any

import yaml

TEXTS = {
    "a comment above": "# config\nlr: 0.1\nopt: adam",
    "comments between": "lr: 0.1\n# the optimizer\n\n  # indented\nopt: adam\n#end",
    "comments behind values": "lr: 1e-3  # of the head\nopt: adam # or sgd\nname: a#b\nurl: http://x/#y",
    "signs of comments in quotes": (
        "a: \"x # y\" # z\nb: 'it''s # y' # z\nc: it's # z\nd: \"\\\" # y\" # \"z\"\ne: ''  # z"
    ),
    "a comment behind a key": "optimizer: # which\n  name: adam\nlist: # of\n- 1 # one\n- # none\n- 3",
    "a value that is a comment": "a: # nothing\nb: #1\nc: 2",
    "comments in lists of mappings": (
        "layers:\n# first\n- type: conv # 2d\n  # its size\n  size: 3\n\n- type: pool\nnext: 1"
    ),
    "comments in brackets": "a: [1, 'x # y', \"z # ]\"] # all\nb: {c: 'it''s', d: e's} # {\nc: []  # none",
    "a document's start": "---\na: 1\nb: 2",
    "a comment at a document's start": "# config\n--- # here\n# more\na: 1\nb: 2",
    "two documents": "a: 1\nb: 2\n---\nc: 3\nd: 4",
    "a document's end": "a: 1\nb: 2\n...",
    "a directive": "%YAML 1.1\n---\na: 1\nb: 2",
    "a literal block": "a: |\n  one\n    two\n\n  three # no comment\nb: 1",
    "blocks with a sign": "a: |-\n  one\nb: |+ # keep\n  two\n\nc: >-\n  three\n  four\nd: >+\n  five\n\n\n",
    "a folded block": "a: >\n  one\n  two\n\n  three\nb: 1",
    "blocks with a digit": "a: |2\n    one\n  two\nb: |1-\n  one\n two\nc: 1",
    "blocks at depth": (
        "a:\n  b: |\n    one\n   # less\n  c:\n  - |\n    two\n  - d: >\n      three\n    e: 1\n  - - |\n      four"
    ),
    "empty blocks": "a: |\nb: >-\n\nc: |\n  # text\nd: 1",
    "a block with markup": "prompt: |\n  # Title\n  - item\n  key: value\nb: 1",
    "less indented lines of a block": "a: |\n    one\n  two\nb: 1",
    "nested lists": "a:\n- - 1\n  - 2 # two\n-\n  - 3\nb: 1",
    "hydra": (
        "defaults:\n  - model: resnet  # override\n  - _self_\nmodel:\n"
        "  name: ${model}\n  depth: 50\nhydra.run.dir: ./x"
    ),
    "detectron": (
        "_BASE_: ../Base.yaml\nMODEL:\n  MASK_ON: True  # masks\n"
        "  RESNETS: {DEPTH: 50}\nSOLVER:\n  STEPS: (60000, 80000)"
    ),
    "quoted keys": "\"a b\": 1 # x\n'c': 2\nd: '2'",
    "long numbers": "a: 12345678901234567890\nb: 1.50\nc: .5e-3\nd: 0x1F\ne: 2024-01-01\nf: ~\ng: yes",
    "an anchor": "a: &x\n  b: 1\nc: *x",
    "a merge": "base: &b\n  x: 1\nuse:\n  <<: *b\n  y: 2",
    "aliases within aliases": "a: &a [x, x]\nb: &b {c: *a}\nc: [*a, *b]",
    "a list of mappings": "- name: a\n  lr: 1\n- name: b\n  lr: 2",
    "tags of scalars": "a: !!int 1\nb: !!float 2\nc: !!null\nd: !!seq [1]",
    "a tag of a program": "a: !point [1, 2]\nb: 1",
    "an object of Python": "!!python/object:argparse.Namespace\nlr: 0.1\nopt: adam",
    "a call of Python": "a: !!python/object/apply:os.system [echo]\nb: 1",
    "brackets over two lines": "a: [1,\n  2]\nb: 1",
    "quotes over two lines": 'a: "one\n  two"\nb: 1',
    "a value over two lines": "a: one\n  two\nb: 1",
    "a comment that ends a value": "a: one # x\n  two\nb: 1",
    "two indentations": "a:\n    b: 1\n  c: 2\nd: 3",
}
"""Each by its peculiarity."""


def tree_of(text: str) -> Any:
    """Read a text as one document: mappings as pairs, lists, and scalars; None if it is no single document.

    Scalars stay as they are written, those of quotes as JSON. Nothing is made of the nodes, so that a tag runs nothing;
    None where a safe loader knows no such tag.
    """
    try:
        return _plain(yaml.compose(text, yaml.SafeLoader))
    except yaml.YAMLError:
        return None


def _plain(node: Any) -> Any:
    if node.tag not in yaml.SafeLoader.yaml_constructors:
        raise yaml.YAMLError(node.tag)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {"pairs": [[key.value, _plain(value)] for key, value in node.value]}
    is_quoted = node.style in ("'", '"')
    return json.dumps(node.value, ensure_ascii=False) if is_quoted else node.value.rstrip("\n")


def trees() -> dict[str, dict[str, Any]]:
    """By name, each text and its tree."""
    return {name: {"text": text, "tree": tree_of(text)} for name, text in TEXTS.items()}


if __name__ == "__main__":
    json.dump(trees(), sys.stdout, indent=1)
    print()
