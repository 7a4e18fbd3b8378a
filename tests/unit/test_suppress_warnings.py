"""Pillow's warnings about damaged images are silenced in every thread, and other warnings are not."""

from __future__ import annotations

import struct
import threading
import warnings

import pytest

from tbwidget.media.suppress_warnings import suppress_warnings
from tbwidget.panels.images import picture
from tests.support.pictures import decoded, encoded, photo


def warning_images() -> dict[str, bytes]:
    """Images that Pillow warns of."""
    moving = encoded(photo(8, 8), "PNG", save_all=True, append_images=[photo(8, 8, seed=1)])
    control = moving.index(b"acTL") - 4
    tags = encoded(photo(8, 8), "TIFF", tiffinfo={270: "made up", 305: "by hand"})
    return {
        "two controls": moving[:control] + 2 * moving[control : control + 20] + moving[control + 20 :],
        "tag beyond the file": tags.replace(struct.pack("<HHI", 305, 2, 8), struct.pack("<HHI", 305, 2, 1 << 20)),
    }


@pytest.mark.parametrize("name", warning_images())
def test_warnings_of_pillow_are_silenced_in_every_thread(name: str) -> None:
    data = warning_images()[name]
    with pytest.warns(UserWarning, match="APNG|Tag data|Truncated"):
        decoded(data)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        thread = threading.Thread(target=picture, args=(data, 320))
        thread.start()
        thread.join()
        picture(data, 320)
        assert said == []
        with suppress_warnings():
            other = threading.Thread(target=warnings.warn, args=("of another thread",))
            other.start()
            other.join()
            warnings.warn("of this one", stacklevel=1)
        warnings.warn("afterwards", stacklevel=1)
    assert [str(one.message) for one in said] == ["of another thread", "afterwards"]
