"""Items that arrive faster than they may be sent: the newest of each tag in turn, those in a viewport first."""

from __future__ import annotations

from tbwidget.logs.source import Changes
from tbwidget.wire.channel import Channel
from tests.support.contents import Pictures, put_pictures
from tests.support.feeds import FakeSource
from tests.support.page import Page
from tests.unit.test_wire_items import KEY, channel_of, named, picture, show


def arrivals(logs: FakeSource, channel: Channel, tags: str, samples: int, size: int) -> list[tuple[str, str, int]]:
    """Give each tag five values a second for ten seconds; return tag, name and age in values of each received blob."""
    page, came = Page(), []
    show(page, channel, 0, 5)
    for turn in range(1, 51):
        for tag in tags:
            values = (picture(turn, size, f"{turn}/{sample}") for sample in range(samples))
            channel.notify(put_pictures(logs, "a", tag, *values))
        before = set(page.blobs)
        show(page, channel, 5 + turn / 5, 5.2 + turn / 5)
        names = {tag: {n: name for name, n in named(logs, page, ("pictures", "a", tag)).items()} for tag in tags}
        for key, number in [one for one in page.blobs if one not in before]:
            name = names[key[2]][number]
            came.append((key[2], name, turn - int(name.split("/")[0])))
    return came


def test_updates_that_exceed_the_rate_come_from_every_tag_in_turn_and_no_value_in_part() -> None:
    logs = FakeSource()
    for tag in "xyz":
        put_pictures(logs, "a", tag, picture(0, name="0/0"))
    came = arrivals(logs, channel_of(logs), "xyz", samples=2, size=150_000)
    assert [tag for tag, _, _ in came[:24]] == ["x", "x", "y", "y", "z", "z"] * 4
    assert [name[-2:] for _, name, _ in came[:24]] == ["/0", "/1"] * 12
    # A value was the newest when its sending began: each other tag takes 0.3 s until a tag's next turn.
    assert max(age for _, _, age in came[6:]) <= 3


def test_updates_that_exceed_the_rate_come_from_viewports_first_and_from_others_too() -> None:
    logs = FakeSource()
    for tag in "xyz":
        put_pictures(logs, "a", tag, picture(0, name="0/0"))
    channel = channel_of(logs)
    channel.receive({"type": "view", "view": "v", "kinds": ["pictures"], "tags": ["z"], "want": [], "seq": 1})
    came = arrivals(logs, channel, "xyz", samples=1, size=500_000)
    counts = {tag: sum(other == tag for other, _, _ in came) for tag in "xyz"}
    assert counts["z"] > 2 * (counts["x"] + counts["y"])
    assert counts["x"] > 0 < counts["y"]


def test_the_newest_value_of_one_step_comes_first() -> None:
    logs, page = FakeSource(), Page()
    index = logs.values.setdefault("pictures", {})["a", "x"] = Pictures([picture(0, name="first")])
    index.times = [0.0]
    channel = channel_of(logs)
    show(page, channel, 0, 5)
    index.rows += [picture(0, 400_000, f"again {i}") for i in range(8)]
    index.times = [0.0, *map(float, range(8))]
    channel.notify(Changes(frozenset({KEY}), catalog=False))
    show(page, channel, 5, 5.6)
    assert (KEY, named(logs, page)["again 7"]) in page.blobs
