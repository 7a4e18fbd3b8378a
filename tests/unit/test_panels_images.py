"""Images of real logs on the wire: pushed ones, late ones, requested ones, and their cost."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import tbwidget
from tbwidget.logs.items import Items
from tbwidget.logs.source import Changes
from tbwidget.panels import answer_list, images
from tbwidget.panels.images import PANEL, THUMBNAIL, ImagesContent, picture, pictures
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Answer, Refusal
from tests.support.eventfiles import NAME, event, name, plugin, strings, write
from tests.support.feeds import drain
from tests.support.page import Page, column
from tests.support.pictures import bomb, decoded, encoded, photo, taken_apart

KEY = ("images", ".", "i")
LATER = "events.out.tfevents.1800000000.host"


def png(shade: int) -> bytes:
    """Make a picture that differs between shades."""
    return encoded(Image.new("L", (8, 6), shade), "PNG")


def value(*samples: bytes, tag: str = "i") -> Summary.Value:
    return strings(tag, plugin("images"), b"8", b"6", *samples)


def v1(data: bytes) -> Summary.Value:
    image = Summary.Image(height=6, width=8, colorspace=1, encoded_image_string=data)
    return Summary.Value(tag=b"i", image=image)


class Live:
    """A log directory, and a page that receives its channel's messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = tbwidget.load(path)
        self.changes: list[Changes] = []
        self.logs.source.subscribe(self.changes.append)
        self.channel = Channel(self.logs, PANEL.contents)
        self.channel.receive({"type": "hello", "complete": True})
        self.page = Page()
        self.samples: dict[int, int] = {}
        self.now = 0.0
        self.run(3)

    def append(self, *events: bytes, file: str = NAME) -> None:
        """Write events, and take the channel's messages of the next half second."""
        with (self.path / file).open("ab") as stream:
            stream.write(b"".join(events))
        self.logs.refresh()
        while self.changes:
            self.channel.notify(self.changes.pop(0))
        self.run(0.5)

    def run(self, seconds: float) -> None:
        for _, message in drain(self.channel, self.now, self.now + seconds):
            self.page.take(message)
            for entry in message.header["items"]:
                ids, samples = column(message, entry["id"]), column(message, entry["sample"])
                self.samples.update(zip(map(int, ids), map(int, samples), strict=True))
        self.now += seconds

    @property
    def rows(self) -> list[tuple[int, int, bytes | None]]:
        """Return step, sample and image of each row in the page; None where the image was not sent."""
        found = []
        for step, number in self.page.indices[KEY].rows:
            blob = self.page.blobs.get((KEY, number))
            found.append((step, self.samples[number], None if blob is None else taken_apart(blob)[1]))
        return found


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    write(tmp_path / NAME, event(1.7e9, version="brain.Event:2"), *(event(1.7e9 + n, n, value(png(n))) for n in (1, 5)))
    made = Live(tmp_path)
    yield made
    made.channel.close()
    made.logs.close()


def test_all_rows_and_few_pictures_are_sent_unasked(live: Live) -> None:
    assert live.rows == [(1, 0, png(1)), (5, 0, png(5))]


def test_a_new_image_is_sent_with_the_next_message(live: Live) -> None:
    live.append(event(1.7e9 + 6, 6, value(png(6), png(7))))
    assert live.rows[2:] == [(6, 0, png(6)), (6, 1, png(7))]


def test_one_out_of_order_lands_in_its_place(live: Live) -> None:
    live.append(event(1.7e9 + 6, 3, value(png(3))))
    assert [step for step, _, _ in live.rows] == [1, 3, 5]
    assert live.rows[0] == (1, 0, png(1))
    assert live.rows[2] == (5, 0, png(5))
    assert live.rows[1][2] in {None, png(3)}


def test_a_step_that_is_written_twice_has_a_row_for_each(live: Live) -> None:
    live.append(event(1.7e9 + 6, 5, value(png(6))))
    assert live.rows == [(1, 0, png(1)), (5, 0, png(5)), (5, 0, png(6))]


def test_a_restart_supersedes(live: Live) -> None:
    live.append(event(1.8e9, 5, value(png(50))), event(1.8e9 + 1, 7, value(png(70))), file=LATER)
    assert live.rows == [(1, 0, png(1)), (5, 0, png(50)), (7, 0, png(70))]
    live.append(event(1.8e9 + 2, 6, value(png(60))), file=LATER)
    assert [step for step, _, _ in live.rows] == [1, 5, 6, 7]
    assert live.rows[3] == (7, 0, png(70))


def test_both_forms_of_images_are_sent_alike(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1.7e9, 1, v1(png(1))), event(1.7e9, 2, value(png(2))))
    assert Live(tmp_path).rows == [(1, 0, png(1)), (2, 0, png(2))]


def test_an_image_that_cannot_be_shown_has_a_reason_in_its_place(live: Live) -> None:
    live.append(event(1.7e9 + 6, 6, value(b"what", b"", bomb(16384), png(9))))
    reasons = {live.samples[number]: reason for (_, number), reason in live.page.unreadable.items()}
    assert reasons == {
        0: "not a known image format (4 bytes)",
        1: "empty",
        2: "16384 x 16384 pixels: more than 64 million",
    }
    assert live.rows[-1] == (6, 3, png(9))


def test_damaged_bytes_are_reported_with_their_place(live: Live) -> None:
    path = live.path / NAME
    data = path.read_bytes()
    path.write_bytes(data.replace(png(5), b"\0" * len(png(5))))
    answer = ask(live.logs, [[".", "i", "5", 0, 1.7e9 + 5]])
    assert NAME in answer.value[0]["reason"]


def ask(logs: Any, wanted: Sequence[Any], pixels: float | None = None, **args: Any) -> Answer:
    return pictures(logs, {"images": list(wanted), "pixels": pixels, **args}, lambda: False)


def parts(answer: Answer) -> list[bytes | None]:
    """Return the picture of each entry."""
    found: list[bytes | None] = []
    begin = 0
    for entry in answer.value:
        size = entry.get("size")
        found.append(None if size is None else answer.data[begin : begin + size])
        begin += size or 0
    assert begin == len(answer.data)
    return found


def test_every_step_of_every_tag_can_be_asked_for(tmp_path: Path) -> None:
    steps = [0, 7, 2**53 + 1, 2**63 - 1]
    tags = ["i", "j"]
    write(
        tmp_path / "a" / NAME,
        *(event(1.7e9 + n, step, value(png(n), png(99), tag=tag)) for n, step in enumerate(steps) for tag in tags),
    )
    logs = tbwidget.load(tmp_path)
    wanted = [["a", tag, str(step), s, 1.7e9 + n] for n, step in enumerate(steps) for tag in tags for s in (0, 1)]
    found = [taken_apart(part)[1] for part in parts(ask(logs, wanted)) if part is not None]
    assert found == [png(n if sample == 0 else 99) for n in range(4) for _ in tags for sample in (0, 1)]


def test_a_step_that_was_written_twice_is_selected_by_its_time(live: Live) -> None:
    live.append(event(1.7e9 + 60, 5, value(png(6))))
    wanted = [[".", "i", "5", 0, 1.7e9 + seconds] for seconds in (4.96, 60.04)]
    assert [taken_apart(part or b"")[1] for part in parts(ask(live.logs, wanted))] == [png(5), png(6)]


def test_sizes_are_those_that_are_asked_for(tmp_path: Path) -> None:
    data = encoded(photo(1600, 800), "PNG")
    write(tmp_path / NAME, event(1.7e9, 1, value(data)))
    logs = tbwidget.load(tmp_path)
    for pixels, width in ((320, 320), (999.5, 999), (5000, 1600), (1e300, 1600)):
        (part,) = parts(ask(logs, [[".", "i", "1", 0, 1.7e9]], pixels))
        assert decoded(taken_apart(part or b"")[1]).width == width
    (full,) = parts(ask(logs, [[".", "i", "1", 0, 1.7e9]]))
    assert taken_apart(full or b"")[1] == data


def test_any_bytes_are_given_as_written(tmp_path: Path) -> None:
    tiff = encoded(photo(30, 20), "TIFF")
    write(tmp_path / NAME, event(1.7e9, 1, value(tiff, b"what")))
    wanted = [[".", "i", "1", sample, 1.7e9] for sample in (0, 1)]
    found = [taken_apart(part or b"") for part in parts(ask(tbwidget.load(tmp_path), wanted, written=True))]
    assert [data for _, data in found] == [tiff, b"what"]
    assert [header["type"] for header, _ in found] == ["image/tiff", "application/octet-stream"]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ([".", "i", "4", 0, 1.7e9], "this image is gone"),
        ([".", "i", "5", 1, 1.7e9], "this image is gone"),
        ([".", "what", "5", 0, 1.7e9], "what"),
        (["what", "i", "5", 0, 1.7e9], "what"),
        ([".", "i", "five", 0, 1.7e9], "five"),
        ([".", "i", "9" * 30, 0, 1.7e9], "this image is gone"),
        ([".", "i", "9" * 9999, 0, 1.7e9], ""),
        ([".", "i", 5, 0, 1.7e9], "malformed request: run, tag"),
        ([".", "i", "5", 0], "malformed request: run, tag"),
        (None, "malformed request: run, tag"),
    ],
)
def test_a_missing_image_does_not_affect_others(live: Live, asked: Any, reason: str) -> None:
    there = [".", "i", "5", 0, 1.7e9 + 5]
    answer = ask(live.logs, [there, asked, there])
    assert reason in answer.value[1]["reason"]
    assert len(answer.value[1]["reason"]) <= 300
    assert [part is not None for part in parts(answer)] == [True, False, True]


@pytest.mark.parametrize(
    "args",
    [{}, {"images": "i"}, {"images": [], "pixels": 0}, {"images": [], "pixels": "9"}, {"images": [], "pixels": True}],
)
def test_nonsense_is_refused(live: Live, args: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="a list of images"):
        pictures(live.logs, args, lambda: False)


def test_an_invalid_time_finds_its_step(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(float("nan"), 1, value(png(1))))
    (part,) = parts(ask(tbwidget.load(tmp_path), [[".", "i", "1", 0, float("nan")]]))
    assert taken_apart(part or b"")[1] == png(1)


def test_names_that_are_no_utf8_are_found_by_their_names_in_the_browser(tmp_path: Path) -> None:
    tag = "i\udcff"
    write(tmp_path / "ü" / NAME, event(1.7e9, 1, Summary.Value.FromString(value(png(1), tag=tag).SerializeToString())))
    logs = tbwidget.load(tmp_path)
    assert logs.tags()["images"] == {"ü": [tag]}
    assert name(tag) == b"i\xff"
    (part,) = parts(ask(logs, [["ü", r"i\udcff", "1", 0, 1.7e9]]))
    assert part is not None


def test_a_large_answer_is_to_be_asked_for_again(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    one = [".", "i", "5", 0, 1.7e9 + 5]
    size = ask(live.logs, [one]).value[0]["size"]
    monkeypatch.setattr(images, "ANSWER_BYTES", 2 * size)
    assert ask(live.logs, [one] * 4).value == [{"size": size}] * 2 + [{"later": True}] * 2
    monkeypatch.setattr(images, "ANSWER_BYTES", 1)
    assert ask(live.logs, [one] * 2).value == [{"size": size}, {"later": True}], "one comes whatever its size"
    monkeypatch.setattr(answer_list, "MAX_ENTRIES", 0)
    assert ask(live.logs, [one] * 2).value == [{"later": True}] * 2


def test_a_canceled_answer_reads_no_more(live: Live, reads: list[int]) -> None:
    looks = iter([False, True])
    with pytest.raises(Refusal, match="canceled"):
        pictures(live.logs, {"images": [[".", "i", "5", 0, 1.7e9]] * 3}, lambda: next(looks))
    assert len(reads) == 1


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the numbers of the values that are read from here on."""
    found: list[int] = []
    read = Items.values

    def noted(items: Items, indices: Any = None) -> Any:
        found.extend(range(len(items)) if indices is None else indices)
        return read(items, indices)

    monkeypatch.setattr(Items, "values", noted)
    return found


def test_an_index_reads_no_images(live: Live, reads: list[int]) -> None:
    index = ImagesContent().read(live.logs, ".", "i")
    assert len(list(index.identity)) == len(index) == 2
    assert reads == []


def test_reading_images_keeps_none_of_them(live: Live) -> None:
    """A value is kept only until its last image was read: addresses keep no pixels."""
    live.append(event(1.7e9 + 6, 6, value(png(6), png(7))))
    index = ImagesContent().read(live.logs, ".", "i")
    for row, kept in ((0, False), (1, False), (2, True), (3, False)):
        ImagesContent().blob(index, row)
        assert (index._last is not None) == kept


def test_ten_thousand_images_cost_their_addresses(tmp_path: Path) -> None:
    count = 10_000
    image = png(1)
    write(tmp_path / NAME, *(event(1.7e9 + n, n, value(image)) for n in range(count)))
    tbwidget.load(tmp_path).images(".", "i")
    tracemalloc.start()
    try:
        logs = tbwidget.load(tmp_path)
        index = logs.images(".", "i")
        assert len(index) == count
        assert tracemalloc.get_traced_memory()[0] < 200 * count
    finally:
        tracemalloc.stop()


def test_slow_scaling_is_left_to_another_thread(tmp_path: Path) -> None:
    large = encoded(photo(1_300, 800), "PNG")
    write(tmp_path / NAME, event(1.7e9, 1, value(png(1), large, large[: len(large) // 2])))
    with tbwidget.load(tmp_path) as logs:
        index = ImagesContent().read(logs, ".", "i")
        small, later, broken = (ImagesContent().blob(index, row) for row in range(3))
        assert isinstance(small, bytes)
        assert callable(later)
        assert callable(broken)
        assert later() == picture(large, THUMBNAIL)
        with pytest.raises(Refusal, match="broken"):
            broken()


def test_an_empty_batch_is_no_failure_wherever_it_is_looked_at(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1, 1, value(), value(png(0), tag="j")))
    live = Live(tmp_path)
    view = {"type": "view", "view": "v", "kinds": ["images"], "tags": ["i", "j"], "want": [], "seq": live.page.seq}
    live.channel.receive(view)
    live.run(2)
    live.append(event(2, 2, value()))
    assert live.page.failed == {}
    assert live.rows == []
    # An image that follows is sent as usual.
    live.append(event(3, 3, value(png(9))))
    assert [(step, sample) for step, sample, image in live.rows if image is not None] == [(3, 0)]
