"""The languages of the shell, of exported files and of still pictures."""

from __future__ import annotations

import ast
import io
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import tbwidget
from tbwidget import doctor
from tbwidget.__main__ import main
from tbwidget.argument_parser import ERRORS, ArgumentParser
from tbwidget.export import preview as previews
from tbwidget.export.page import page
from tbwidget.export.preview import preview_bundle, summary
from tbwidget.language import counted, language_of, say_problem, shell_language, worded
from tbwidget.logs.kinds.registry import KINDS
from tbwidget.panels.registry import PANELS
from tbwidget.reasons import TEMPLATES, Reason, reason_in
from tbwidget.records.values.forms import FORMS
from tests.support.eventfiles import NAME, event, simple, write
from tests.unit.test_house import MODULES, PACKAGE

KOREAN = json.loads((PACKAGE / "texts_ko.json").read_text("utf-8"))
REASONS = json.loads((PACKAGE / "reasons_ko.json").read_text("utf-8"))


def fields(template: str) -> list[str]:
    return sorted(name.split("!")[0] for _, name, _, _ in string.Formatter().parse(template) if name)


def constants(node: ast.AST) -> Iterator[str]:
    """Return the possible texts of an expression that selects one of them."""
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def spoken(source: str) -> set[str]:
    """Return the English texts that `source` passes on for translation."""
    tree = ast.parse(source)
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        if node.func.id in ("say", "worded"):
            text = node.args[0]
            text = named.get(text.id, text) if isinstance(text, ast.Name) else text
            found.update(constants(text))
        elif node.func.id in ("say_count", "counted") and len(node.args) > 1:
            found.update(f"{{count}} {noun}" for noun in constants(node.args[1]))
    return found


COMPOSED = {
    *(kind.replace("_", " ") for kind in KINDS),
    *("reading", "stopped", "ready", "listing: 1 entry", "listing: {count:,} entries"),
    *(text for _, text in ERRORS),
    *("; the runs are {names}", "; the tags are {names}"),
}
"""Texts that are not translated unchanged: names of kinds and phases, and texts with a noun in them."""


def test_every_text_has_a_korean_one_and_no_other_is_there() -> None:
    found = {text for path in MODULES for text in spoken(path.read_text("utf-8"))}
    assert len(found) > 80
    assert sorted((found | COMPOSED) ^ set(KOREAN)) == []


def test_a_text_has_the_same_values_in_korean() -> None:
    assert [text for text, korean in KOREAN.items() if fields(text) != fields(korean)] == []
    assert [text for text, korean in KOREAN.items() if text == korean and text != "writer: {state}"] == []


def test_a_reason_has_the_same_arguments_in_korean() -> None:
    words = [*(f"kind:{kind}" for kind in KINDS), *(f"form:{form}" for form in FORMS)]
    assert sorted(REASONS) == sorted([*TEMPLATES, *words])
    assert [code for code, text in TEMPLATES.items() if fields(text) != fields(REASONS[code])] == []


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko"}, "ko"),
        ({"LANG": "kok_IN"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "C", "LC_ALL": "ko_KR"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": ""}, "ko"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ko@hangul"}, "ko"),
        ({"LANG": "ko-KR"}, "ko"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "ko"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LANGUAGE": "en_US:ko"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LANGUAGE": "fr:ko_KR:en"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LANGUAGE": ""}, "ko"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "ko"}, "en"),
        ({"LANGUAGE": "ko"}, "en"),
    ],
)
def test_the_locale_names_the_language(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert shell_language() == language


def test_texts_and_counts() -> None:
    assert worded("{size} fetched", "ko", size="3 MB") == "3 MB 받음"
    assert worded("{size} fetched", None, size="{}") == "{} fetched"
    assert [counted(1, "run", "en"), counted(2, "run", None), counted(2, "run", "ko")] == [
        "1 run",
        "2 runs",
        "실행 2개",
    ]
    assert [language_of({"language": each}) for each in ("ko", "en", "<x>", None, 3)] == ["ko", "en", None, None, None]


def test_a_reason_within_another_is_in_korean_too() -> None:
    inner = Reason("graph-damaged", bytes=1_200_000)
    assert reason_in(Reason("graph-problem", graph="g", problem=inner), "ko") == (
        "그래프 'g': protobuf 메시지가 아니라서 1.2 MB 건너뛰었습니다"
    )
    assert reason_in(Reason("damaged-record", bytes=12), "ko") == "손상된 레코드: 12 B만큼 건너뛰었습니다"
    failed = Reason("run-content-failed", kind="pr_curves", run="a", reason=inner)
    assert reason_in(failed, "ko").startswith("실행 'a', PR 곡선: protobuf")
    assert reason_in(inner, "en") == str(inner) == reason_in(inner, "xx")
    assert reason_in("as it is", "ko") == "as it is"


@pytest.fixture
def korean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for run in "a", "b":
        write(tmp_path / run / NAME, *(event(1, step, simple("loss", step)) for step in range(3)))
    return tmp_path


@pytest.mark.usefixtures("korean")
def test_the_shell_speaks_korean(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", str(runs)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "실행  종류     태그  점  마지막 스텝",
        "a     scalars  loss   3            2",
    ]
    assert main(["ls", str(runs), "--run", "c"]) == 2
    assert capsys.readouterr().err == "tbwidget: 존재하지 않는 실행입니다: 'c'. 있는 실행: 'a', 'b'\n"
    assert main(["ls", str(runs / "c")]) == 2
    assert capsys.readouterr().err == f"tbwidget: 존재하지 않는 로그 디렉터리입니다: {runs / 'c'}\n"
    assert f"{runs}: 실행 2개, 이벤트 파일 2개" in list(doctor.report([str(runs)]))
    assert say_problem("a", 3, Reason("unknown-shape")) == "a의 3바이트 위치: 형상을 알 수 없습니다"


@pytest.mark.usefixtures("korean")
def test_a_shell_that_cannot_show_korean_speaks_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "실행" / NAME, event(1, 0, simple("손실", 1)))
    shown = []
    for arguments in ([], ["ls", str(tmp_path)], ["doctor", str(tmp_path)]):
        with io.TextIOWrapper(io.BytesIO(), "ascii") as stream:
            monkeypatch.setattr("sys.stdout", stream)
            assert main(arguments) == 0
            stream.flush()
            shown.append(stream.buffer.getvalue().decode("ascii"))
    assert shown[0].startswith("usage: tbwidget")
    assert shown[1].startswith("run ")
    assert "손실".encode("unicode_escape").decode() in shown[1]
    assert "1 run, 1 event file" in shown[2]


@pytest.mark.usefixtures("korean")
def test_help_and_wrong_arguments_are_in_korean(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    text = capsys.readouterr().out
    assert text.startswith("사용법: tbwidget")
    assert [line for line in text.splitlines() if line and not re.search("[가-힣]", line)] == ["  COMMAND"]
    for arguments, said in (
        (["ls"], "필요한 인자가 없습니다: DIR"),
        (["ls", "x", "--nonsense"], "알 수 없는 인자입니다: --nonsense"),
        (["ls", "x", "--kind"], "--kind: 값이 하나 필요합니다"),
        (["html", "x", "-o", "y", "--max-bytes", "z"], "--max-bytes: 정수가 아닙니다: 'z'"),
        (["export", "x", "--kind", "z"], "--kind: 쓸 수 없는 값입니다: 'z'"),
        (["export", "x", "--json", "--csv"], "--csv: --json 옵션과 함께 쓸 수 없습니다"),
        (["html", "x", "-o", "y", "--panels"], "--panels: 값이 하나 이상 필요합니다"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert f"오류: {said}" in capsys.readouterr().err


@pytest.mark.usefixtures("korean")
def test_messages_of_argparse_without_a_translation_stay_english(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ArgumentParser(prog="x").error("something new")
    assert capsys.readouterr().err.endswith("x: 오류: something new\n")


def test_a_saved_page_has_the_language_of_its_board(runs: Path) -> None:
    with tbwidget.load(runs) as logs:
        words = summary(logs, "ko")
    assert words == "실행 2개 (a, b). 태그: 스칼라 1"
    html = page("logs", words, {"language": "ko"})
    assert '<html lang="ko">' in html
    assert "이 페이지의 차트는 스크립트가 그립니다" in html.encode().decode("ascii", "replace") or "&#" in html
    assert "<html>" in page("logs", "", {"language": None})
    assert "<html>" in page("logs", "", {"language": '"><script>'}), "the state may come from a notebook"
    assert '<html lang="en">' in page("logs", "", {"language": "en"})


def test_a_still_picture_has_the_language_of_its_board(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heads = []

    def drawn(_logs: object, head: str, *_: object) -> bytes:
        heads.append(head)
        return b""

    monkeypatch.setattr(previews, "preview", drawn)
    with tbwidget.load(runs) as logs:
        for there in (True, False):
            monkeypatch.setattr(previews, "can_write", lambda language, there=there: there or language == "en")
            bundle = preview_bundle(logs, "Dashboard", [], PANELS, language="ko")
            assert bundle["text/plain"].startswith("Dashboard: 실행 2개 (a, b). 태그: 스칼라 1, 20")
        assert preview_bundle(logs, "Dashboard", [], PANELS)["text/plain"].startswith("Dashboard: 2 runs (a, b)")
    assert [head[:6] for head in heads] == ["실행 2개 ", "2 runs", "2 runs"], "in English where no font has Hangul"
    assert previews.can_write("en")


def test_a_picture_is_drawn_with_any_fonts(runs: Path) -> None:
    with tbwidget.load(runs) as logs:
        png = previews.preview(logs, "실행 2개", language="ko")
    assert png is not None
    assert np.asarray(Image.open(io.BytesIO(png)).convert("L")).min() < 100
