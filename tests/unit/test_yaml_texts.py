"""The page's reader of YAML is compared with PyYAML."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.yaml_texts import trees

FIXTURE = Path(__file__).resolve().parents[2] / "js/tests/fixtures/yaml_texts.json"


def test_the_page_is_tested_with_what_pyyaml_reads() -> None:
    assert json.loads(FIXTURE.read_text("utf-8")) == trees(), "run `make generated`"
