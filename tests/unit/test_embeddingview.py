"""Embeddings without a log: arrays, their metadata and their images."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import tbwidget
from tbwidget import embeddingview
from tbwidget.embeddingview import embedding_view
from tbwidget.logs.kinds.embeddings import Embedding, Sprite
from tbwidget.panels.projector import PANEL, EmbeddingsContent
from tests.support.embeddings import unpacked

VECTORS = np.arange(12).reshape(4, 3)


@pytest.fixture
def shown() -> Iterator[Any]:
    """Return a function that shows an embedding, and returns it as the widget's logs contain it."""
    opened = []

    def show(*args: Any, **options: Any) -> Embedding:
        opened.append(embedding_view(*args, **options))
        (embedding,) = opened[-1]._logs.embeddings(".")
        return embedding

    yield show
    for view in opened:
        view.close()


def tiles(sprite: Sprite, count: int) -> list[np.ndarray]:
    sheet = np.asarray(Image.open(io.BytesIO(sprite.data)))
    width, height = sprite.single_image_dim
    columns = sheet.shape[1] // width
    places = [divmod(number, columns) for number in range(count)]
    return [sheet[row * height : (row + 1) * height, column * width : (column + 1) * width] for row, column in places]


def test_an_array_is_drawn_with_the_options_of_the_view(shown: Any) -> None:
    view = embedding_view(VECTORS, dimensions=3, method="pca")
    try:
        assert (view.panel, view.dimensions, view._logs.source.title) == ("projector", 3, "embedding")
        assert view._logs.tags() == {"embeddings": {".": ["embedding"]}}
        assert view._logs.metadata(".", "embedding").plugin == "projector"
    finally:
        view.close()
    embedding = shown(VECTORS.tolist())
    np.testing.assert_array_equal(embedding.vectors, VECTORS.astype(np.float32))
    assert embedding.vectors.dtype == np.float32
    assert (embedding.labels, embedding.sprite, embedding.step, embedding.waits) == (None, None, None, None)
    with pytest.raises(TypeError, match="no option 'shade'"):
        embedding_view(VECTORS, shade="a")


def test_the_array_may_be_changed_afterwards(shown: Any) -> None:
    given = VECTORS.astype(np.float32)
    embedding = shown(given)
    given[:] = 0
    assert embedding.vectors[3, 2] == 11


@pytest.mark.parametrize(
    ("metadata", "columns", "rows"),
    [
        (["a", "b", "c", None], (), ["a", "b", "c", ""]),
        (np.array([1, 2, 3, 4]), (), ["1", "2", "3", "4"]),
        (pd.Series([0.1, 2, 3, np.nan], name="loss"), ("loss",), [("0.1",), ("2.0",), ("3.0",), ("",)]),
        ({"k": [1, 2, 3, 4], "ok": [True] * 4}, ("k", "ok"), [(str(k), "True") for k in (1, 2, 3, 4)]),
        ([("a", 1)] * 4, ("column 0", "column 1"), [("a", "1")] * 4),
        (np.eye(4, 2), ("column 0", "column 1"), [("1.0", "0.0"), ("0.0", "1.0"), ("0.0", "0.0"), ("0.0", "0.0")]),
        (
            pd.DataFrame([["x", pd.NA, 1]] * 4, columns=["a", "b", "a"]),
            ("a", "b", "a (2)"),
            [("x", "", "1")] * 4,
        ),
    ],
)  # fmt: skip
def test_metadata(shown: Any, metadata: Any, columns: tuple[str, ...], rows: list[Any]) -> None:
    labels = shown(VECTORS, metadata).labels
    assert (labels.columns, labels.rows) == (columns, rows)


def test_images_become_a_sprite(shown: Any) -> None:
    random = np.random.default_rng(0)
    gray = random.integers(0, 256, (4, 5, 6), np.uint8)
    for given, expected in (
        (gray, gray),
        (gray / 255, gray),
        (gray[..., np.newaxis], gray),
        (gray[:, np.newaxis], gray),
        (gray > 100, (gray > 100) * 255),
        (np.stack([gray] * 3, axis=-1), np.stack([gray] * 3, axis=-1)),
        (np.stack([gray] * 3, axis=1), np.stack([gray] * 3, axis=-1)),
        (np.stack([gray] * 4, axis=-1).astype(int), np.stack([gray] * 4, axis=-1)),
    ):
        sprite = shown(VECTORS, images=given).sprite
        assert sprite.single_image_dim == (6, 5)
        np.testing.assert_array_equal(tiles(sprite, 4), expected)


def test_few_sprites_are_compressed_until_one_fits(shown: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compressing all images repeatedly would keep the cell waiting."""
    pixels: list[int] = []
    save = Image.Image.save

    def counted(self: Image.Image, *args: Any, **options: Any) -> None:
        pixels.append(self.width * self.height)
        save(self, *args, **options)

    monkeypatch.setattr(Image.Image, "save", counted)
    noise = np.random.default_rng(0).integers(0, 256, (1600, 32, 32), np.uint8)
    monkeypatch.setattr(embeddingview, "MAX_SPRITE_BYTES", 1600 * 8 * 8)
    sprite = shown(np.ones((1600, 2), np.float32), images=noise).sprite
    assert len(sprite.data) <= 1600 * 8 * 8
    assert 8 <= sprite.single_image_dim[0] <= 10
    assert sum(pixels) < 1600 * 32 * 32


def test_images_that_do_not_fit_are_made_smaller(shown: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gray = np.repeat(np.repeat(np.arange(16, dtype=np.uint8).reshape(4, 2, 2) * 10, 4, axis=1), 4, axis=2)
    monkeypatch.setattr(embeddingview, "MAX_SPRITE_SIDE", 8)
    sprite = shown(VECTORS, images=gray).sprite
    assert sprite.single_image_dim == (4, 4)
    np.testing.assert_array_equal(tiles(sprite, 4), gray[:, ::2, ::2])
    monkeypatch.undo()
    noise = np.random.default_rng(0).integers(0, 256, (4, 40, 40), np.uint8)
    monkeypatch.setattr(embeddingview, "MAX_SPRITE_BYTES", 2_000)
    sprite = shown(VECTORS, images=noise).sprite
    assert len(sprite.data) <= 2_000
    assert sprite.single_image_dim[0] < 40


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (([1, 2, 3],), ValueError, r"shape \[n, d\], not \[3\]"),
        (([["a", "b"]],), TypeError, "vectors are numbers"),
        ((VECTORS, ["a"]), ValueError, "have 1 values for 4 vectors"),
        ((VECTORS, {"k": [1]}), ValueError, "of 'k' have 1 values for 4 vectors"),
        ((VECTORS, "abcd"), TypeError, "metadata are a list"),
        ((VECTORS, [(1, 2), (1,)] * 2), ValueError, "different lengths"),
        ((VECTORS, None, np.zeros((3, 2, 2))), ValueError, "3 images for 4 vectors"),
        ((VECTORS, None, np.zeros((4, 2))), ValueError, "images have shape"),
        ((VECTORS, None, np.full((4, 2, 2), "a")), TypeError, "images are numbers"),
    ],
)
def test_arguments_that_do_not_match_are_refused(arguments: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        embedding_view(*arguments)


def test_data_on_the_wire() -> None:
    view = embedding_view(VECTORS, ["a", "b", "a", "b"], np.zeros((4, 2, 2)))
    try:
        for content in PANEL.contents:
            assert isinstance(content, EmbeddingsContent)
            index = content.read(view._logs, ".", "embedding")
            header, _ = unpacked(content.blob(index, 0)())
            assert header["count" if content.kind == "embedding_sprites" else "points"] == 4
    finally:
        view.close()


def test_it_is_public() -> None:
    assert "show_embedding" in tbwidget.__all__
    assert "vectors" in str(tbwidget.show_embedding.__doc__)
