"""Audio: clips are drawn and played while a cell runs, every step is reached, and clips that cannot play say why."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

import tbwidget
from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.sounds import tone, wav

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.AudioView({logs!r}, height=900)
board
"""

BEGIN = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.support.eventfiles import event, plugin, strings
from tests.support.sounds import tone, wav
path = Path("heard/run/events.out.tfevents.1")
path.parent.mkdir(parents=True)
step = 0
"""

STEP = """
clip = strings("voice", plugin("audio"), wav(tone(20, 4_000, 200 + 10 * step), 4_000))
with path.open("ab") as file:
    file.write(event(time.time(), step, clip))
step += 1
time.sleep(0.3)
"""

# Each clip is larger than the byte budget until the next is written.
MUCH = """
for tag in ("bell", "voice"):
    clip = strings(tag, plugin("audio"), wav(tone(12, 44_100, 200 + 10 * step), 44_100))
    with path.open("ab") as file:
        file.write(event(time.time(), step, clip))
step += 1
time.sleep(0.3)
"""

AUDIO = "const audio = document.querySelector('.tbwidget audio'); return [audio.paused, audio.currentTime];"

# Presses Play at the moment when a step arrives.
PLAY_WITH_THE_NEXT = """
new MutationObserver((_, watcher) => {
    watcher.disconnect();
    document.querySelector('.tbwidget-clip-play').click();
}).observe(document.querySelector('.tbwidget-card'), { subtree: true, attributeFilter: ['max'] });
"""


def clip_of(notebook: NotebookPage, tag: str, number: int = 0) -> Locator:
    return notebook.card(tag).locator(".tbwidget-clip").nth(number)


def wait_for_state(notebook: NotebookPage, tag: str, state: str) -> Locator:
    clip = clip_of(notebook, tag)
    clip.and_(notebook.page.locator(f"[data-state={state}]")).wait_for()
    return clip


def test_clips_come_and_play_while_a_cell_runs_and_every_step_is_reached(
    server: JupyterServer, open_notebook: Open
) -> None:
    train = BEGIN.format(root=str(ROOT)) + hold("heard", STEP) + "print(step)"
    server.write_notebook("heard.ipynb", [SHOW.format(logs="heard"), train])
    notebook = open_notebook("heard.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    clip = wait_for_state(notebook, "voice", "shown")
    first = int(clip.get_attribute("data-step") or "")
    notebook.wait(
        "const clip = document.querySelector('.tbwidget-clip');"
        "return clip.dataset.state === 'shown' && Number(clip.dataset.step) > arg",
        arg=first,
    )
    assert notebook.busy(1)
    # This slider moves as soon as a step is known.
    newest = notebook.own_step("voice")
    for _ in range(3):
        # Playing works whatever arrives meanwhile, also while the next clip is known but has not arrived.
        notebook.js(PLAY_WITH_THE_NEXT)
        notebook.wait(f"const [paused, time] = (() => {{{AUDIO}}})(); return !paused && time > 0.1")
        clip.get_by_role("button", name="Pause").click()
        clip.get_by_role("button", name="Play").wait_for()
    clip.get_by_role("button", name="Play").click()
    notebook.wait(f"const [paused, time] = (() => {{{AUDIO}}})(); return !paused && time > 0.1")
    heard = clip.get_attribute("data-step")
    # The clip that plays stays, though a newer one has arrived.
    notebook.wait(
        "const slider = document.querySelector('.tbwidget-card input[type=range]'); return Number(slider.max) > arg",
        arg=int(newest.get_attribute("max") or "") + 1,
    )
    assert notebook.busy(1)
    assert clip.get_attribute("data-step") == heard
    clip.get_by_role("button", name="Pause").click()
    notebook.wait("return Number(document.querySelector('.tbwidget-clip').dataset.step) > arg", arg=int(heard or ""))
    notebook.release("heard")
    last = int(notebook.end_of_cell(1)) - 1
    notebook.wait_for_state("idle", "live")
    newest.press("Home")
    for step in (0, 1, last):
        if step == 1:
            newest.press("ArrowRight")
        elif step == last:
            newest.press("End")
        clip.and_(notebook.page.locator(f"[data-step='{step}'][data-state=shown]")).wait_for()
        notebook.wait("return document.querySelector('.tbwidget-card').dataset.lastStep === arg", arg=str(step))
    assert notebook.errors == []


def test_the_newest_received_clip_is_shown_when_not_all_can_be_sent(server: JupyterServer, open_notebook: Open) -> None:
    train = BEGIN.format(root=str(ROOT)).replace("heard", "much") + hold("much", MUCH) + "print(step)"
    server.write_notebook("much.ipynb", [SHOW.format(logs="much"), train])
    notebook = open_notebook("much.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.mute()
    notebook.start_cell(1)
    step = -1
    for tag in 3 * ("bell", "voice"):
        notebook.wait(
            "const clip = document.querySelector(`.tbwidget-clip[data-tag=${arg[0]}]`);"
            "return clip?.dataset.state === 'shown' && Number(clip.dataset.step) > arg[1]",
            arg=[tag, step],
        )
        step = int(clip_of(notebook, tag).get_attribute("data-step") or "")
    assert notebook.busy(1)
    # Newer ones are known but have not arrived.
    notebook.own_step("voice")
    notebook.wait(
        "const slider = document.querySelector('.tbwidget-card[data-tag=voice] input[type=range]');"
        "return Number(slider.max) > Number(document.querySelector('.tbwidget-clip[data-tag=voice]').dataset.step)"
    )
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("much")
    last = int(notebook.end_of_cell(1)) - 1
    for tag in ("bell", "voice"):
        clip_of(notebook, tag).and_(notebook.page.locator(f"[data-step='{last}'][data-state=shown]")).wait_for()
    assert notebook.errors == []


def save_one(notebook: NotebookPage, clip: Locator, data: bytes) -> None:
    """Save a clip by its own button."""
    with notebook.page.expect_download() as saved:
        clip.get_by_role("button", name="Save").click()
    assert saved.value.path().read_bytes() == data
    assert saved.value.suggested_filename.endswith("_step0.wav")


def save_all(notebook: NotebookPage, folder: Path) -> None:
    """Save the shown clips of all cards in one zip."""
    notebook.page.locator(".tbwidget-toolbar").get_by_role("button", name="Save").click()
    with notebook.page.expect_download() as saved:
        notebook.page.get_by_role("button", name="Save as logged, in a zip").click()
    notebook.page.get_by_text("saved as logged").wait_for()
    with zipfile.ZipFile(saved.value.path()) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    with tbwidget.load(folder) as logs:
        clips = {tag: logs.audio("run", tag)[-1] for tag in logs.tags()["audio"]["run"]}
        assert sorted(found.values()) == sorted(clip.data for clip in clips.values())
        assert found["run_slow_step0.wav"] == clips["slow"].data
    notebook.page.keyboard.press("Escape")


def test_one_clip_plays_at_a_time_keys_seek_and_broken_clips_say_so(server: JupyterServer, open_notebook: Open) -> None:
    stereo = np.stack([tone(2), tone(2, pitch=880)], axis=1)
    sounds = {"double": wav(tone(2), kind="f8"), "none": b"nothing to hear", "torn": b"ID3" + bytes(500)}
    sounds["slow"] = wav(tone(2, 2_000), 2_000)
    # An encoding that only the browser can decode: its decoded samples are drawn.
    sounds["law"] = b"".join((wav(tone(2), kind="u1")[:20], b"\7", wav(tone(2), kind="u1")[21:]))
    # A clip that might become very large when it is decoded is not decoded to be drawn.
    sounds["packed"] = b"OggS" + bytes(500)
    large = wav(tone(30, 44_100), 44_100)
    said = b"<img src=x onerror=alert(1)> **loud**"
    write(
        server.root / "odd-clips" / "run" / NAME,
        event(1, 0, strings("stereo", plugin("audio"), wav(stereo), said, shape=(1, 2))),
        *(event(2, 0, strings(tag, plugin("audio"), data)) for tag, data in sounds.items()),
        *(event(step, step, strings("large", plugin("audio"), large)) for step in (1, 2)),
    )
    server.write_notebook("odd-clips.ipynb", [SHOW.format(logs="odd-clips")])
    notebook = open_notebook("odd-clips.ipynb")
    notebook.run_cell(0)
    broken = {"none": "not a known audio format (15 bytes)", "torn": "damaged, or an encoding"}
    for tag, text in (*broken.items(), ("double", "browsers do not play this WAV coding")):
        message = wait_for_state(notebook, tag, "broken").locator(".tbwidget-clip-message")
        assert text in message.inner_text()
        assert notebook.card(tag).get_attribute("data-last-step") == "0"
    packed = wait_for_state(notebook, "packed", "shown")
    packed.get_by_role("button", name="Play").click()
    packed.get_by_text("this browser cannot play it").wait_for()
    assert "2.00" in wait_for_state(notebook, "law", "shown").inner_text()
    slow, stereo_clip = wait_for_state(notebook, "slow", "shown"), wait_for_state(notebook, "stereo", "shown")
    assert "2,000 Hz, played at " in slow.inner_text()
    # A label is Markdown; none of it runs.
    assert "<img src=x onerror=alert(1)> loud" in stereo_clip.inner_text()
    stereo_clip.locator(".tbwidget-clip-label strong", has_text="loud").wait_for()
    assert notebook.page.locator(".tbwidget img").count() == 0
    # A converted clip is saved as it was written.
    for clip, data in ((slow, sounds["slow"]), (stereo_clip, wav(stereo))):
        save_one(notebook, clip, data)
    save_all(notebook, server.root / "odd-clips")
    slow.get_by_role("button", name="Play").click()
    slow.get_by_role("button", name="Pause").wait_for()
    stereo_clip.get_by_role("button", name="Play").click()
    stereo_clip.get_by_role("button", name="Pause").wait_for()
    slow.get_by_role("button", name="Play").wait_for()
    place = stereo_clip.get_by_role("slider")
    place.press("Space")
    stereo_clip.get_by_role("button", name="Play").wait_for()
    place.press("End")
    expect(place).to_have_attribute("aria-valuetext", "2.00\u202fs of 2.00\u202fs")
    place.press("ArrowLeft")
    place.press("PageDown")
    expect(place).to_have_attribute("aria-valuetext", "1.50\u202fs of 2.00\u202fs")
    place.press("Home")
    expect(place).to_have_attribute("aria-valuenow", "0")
    notebook.page.get_by_label("Spectrogram").check()
    notebook.wait(
        "const canvas = document.querySelector('[data-tag=stereo] canvas');"
        "return canvas.height > 100 && canvas.getContext('2d').getImageData(9, 90, 1, 1).data[3] === 255"
    )
    # A clip that is too large to be pushed is requested; while the kernel does not answer, the card says so.
    wait_for_state(notebook, "large", "shown")
    notebook.mute()
    notebook.own_step("large").press("Home")
    waiting = wait_for_state(notebook, "large", "waits")
    assert waiting.get_attribute("data-step") == "1"
    waiting.get_by_text("waiting for the kernel").wait_for()
    assert notebook.errors == []


def test_decoded_clips_are_drawn_and_keep_playing_while_their_card_is_pinned(
    server: JupyterServer, open_notebook: Open
) -> None:
    folder = ROOT / "tests" / "data" / "clips"
    sounds = {path.stem: path.read_bytes() for path in sorted(folder.iterdir())}
    sounds["long"] = wav(tone(60))
    events = (event(2, 0, strings(tag, plugin("audio"), data)) for tag, data in sounds.items())
    write(server.root / "coded-clips" / "run" / NAME, *events)
    server.write_notebook("coded-clips.ipynb", [SHOW.format(logs="coded-clips")])
    notebook = open_notebook("coded-clips.ipynb")
    notebook.run_cell(0)
    # The duration comes from decoding: the clips have not been played, and no writer recorded it.
    for tag in ("aac", "opus", "square", "vorbis"):
        assert ("0.5" if tag == "aac" else "0.50") in wait_for_state(notebook, tag, "shown").inner_text()
    playing = wait_for_state(notebook, "long", "shown")
    playing.get_by_role("button", name="Play").click()
    playing.get_by_role("button", name="Pause").wait_for()
    notebook.card("long").get_by_role("button", name="Pin").click()
    notebook.page.locator(".tbwidget-group", has_text="Pinned").locator("[data-tag=long].tbwidget-card").wait_for()
    notebook.sleep(0.2)
    assert not notebook.js(AUDIO)[0]
    assert notebook.errors == []


def test_a_long_compressed_clip_is_drawn_once_it_is_played(server: JupyterServer, open_notebook: Open) -> None:
    # 34 s of silence: longer than the limit for decoding unasked.
    data = 1_300 * (b"\xff\xfb\x90\xc4" + bytes(413))
    write(server.root / "long-clip" / "run" / NAME, event(2, 0, strings("long", plugin("audio"), data)))
    server.write_notebook("long-clip.ipynb", [SHOW.format(logs="long-clip")])
    notebook = open_notebook("long-clip.ipynb")
    notebook.run_cell(0)
    clip = wait_for_state(notebook, "long", "shown")
    drawn = "return document.querySelector('[data-tag=long] canvas').toDataURL()"
    empty = notebook.steady(drawn)
    clip.get_by_role("button", name="Play").click()
    notebook.wait(f"return (() => {{{drawn}}})() !== arg", arg=empty)
    clip.get_by_role("button", name="Pause").click()
    assert notebook.errors == []
