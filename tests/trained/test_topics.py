"""Topics are the same whatever the order of documents, and documents about one thing share them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import OptionError, ResourceError
from metaphrase.trained import topics
from metaphrase.trained.topics import TopicModel, TopicOptions, find_topics

WORDS = ["goal", "match", "team", "vote", "party", "law", "unused", "rain", "storm", "wind"]
SPORT, POLITICS, WEATHER = [0, 1, 2], [3, 4, 5], [7, 8, 9]
QUICK = TopicOptions(topics=3, iterations=200, seed=7)


@pytest.fixture
def documents() -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [np.array(random.choice(kind, 30)) for kind in (SPORT, POLITICS, WEATHER) * 4]


def same(one: TopicModel, other: TopicModel) -> bool:
    return np.array_equal(one.topic_words, other.topic_words) and np.array_equal(
        one.document_topics, other.document_topics
    )


def test_documents_about_one_thing_share_a_topic(
    documents: list[np.ndarray], tmp_path: Path
) -> None:
    model = find_topics(documents, WORDS, options=QUICK, cache=tmp_path)
    main = model.document_topics.argmax(axis=1)
    assert np.array_equal(main[:9], main[3:])
    assert len(set(main[:3].tolist())) == 3
    sport = model.topic_words[main[0]]
    assert set(np.argsort(-sport)[:3].tolist()) == set(SPORT)


def test_probabilities_are_probabilities(documents: list[np.ndarray], tmp_path: Path) -> None:
    model = find_topics(documents, WORDS, options=QUICK, cache=tmp_path)
    np.testing.assert_allclose(model.topic_words.sum(axis=1), 1)
    np.testing.assert_allclose(model.document_topics.sum(axis=1), 1)
    assert not model.topic_words[:, WORDS.index("unused")].any()


def test_the_order_of_documents_and_words_does_not_matter(
    documents: list[np.ndarray], tmp_path: Path
) -> None:
    straight = find_topics(documents, WORDS, options=QUICK, cache=tmp_path / "a")
    shuffled = [document[::-1] for document in documents[::-1]]
    backwards = find_topics(shuffled, WORDS, options=QUICK, cache=tmp_path / "b")
    assert np.array_equal(backwards.document_topics[::-1], straight.document_topics)
    # Other words in the vocabulary, and other numbers for those that occur.
    more = ["zebra", *WORDS[::-1], "abacus"]
    renumbered = [len(WORDS) - document for document in documents]
    moved = find_topics(renumbered, more, options=QUICK, cache=tmp_path / "c")
    assert np.array_equal(moved.topic_words[:, 1:-1][:, ::-1], straight.topic_words)


def test_equal_documents_have_equal_topics(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 10, 40), rng.integers(0, 10, 40)
    model = find_topics([one, other, one[::-1], one], WORDS, options=QUICK, cache=tmp_path)
    assert np.array_equal(model.document_topics[0], model.document_topics[2])
    assert np.array_equal(model.document_topics[0], model.document_topics[3])


def test_empty_documents_and_no_documents_have_uniform_topics(tmp_path: Path) -> None:
    empty = np.zeros(0, dtype=np.int64)
    model = find_topics([empty, np.array([1, 1]), empty], WORDS, options=QUICK, cache=tmp_path)
    np.testing.assert_allclose(model.document_topics[[0, 2]], 1 / 3)
    nothing = find_topics([], WORDS, options=QUICK, cache=tmp_path)
    assert nothing.document_topics.shape == (0, 3)
    assert not nothing.topic_words.any()


def test_words_may_be_any_strings(tmp_path: Path) -> None:
    words = ["", " ", "a b", "🙂", "\ud800", "\t"]
    documents = [np.array([0, 1, 2]), np.array([3, 4, 5]), np.array([0, 5])]
    model = find_topics(documents, words, options=QUICK, cache=tmp_path)
    assert (model.topic_words > 0).all()


def test_another_seed_gives_other_topics(tmp_path: Path) -> None:
    documents = list(np.random.default_rng(2).integers(0, 10, (8, 20)))
    one = find_topics(documents, WORDS, options=QUICK, cache=tmp_path)
    other = find_topics(
        documents, WORDS, options=TopicOptions(topics=3, iterations=200), cache=tmp_path
    )
    assert not same(one, other)


class TestTheCache:
    """What was found is not sought again, and a damaged cache costs only time."""

    def test_a_second_search_samples_nothing(
        self, documents: list[np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[int] = []
        first = find_topics(documents, WORDS, options=QUICK, cache=tmp_path, progress=told.append)
        assert told == [50, 100, 150, 200]
        monkeypatch.setattr(topics, "_sample", None)
        again = find_topics(documents, WORDS, options=QUICK, cache=tmp_path, progress=told.append)
        assert same(first, again)
        assert len(told) == 4

    def test_damage_is_found_out(self, documents: list[np.ndarray], tmp_path: Path) -> None:
        first = find_topics(documents, WORDS, options=QUICK, cache=tmp_path)
        for damage in (b"", b"nonsense", bytes(200)):
            with sqlite3.connect(tmp_path / "topics.sqlite") as connection:
                connection.execute("UPDATE entry SET payload = ?", (damage,))
            connection.close()
            assert same(find_topics(documents, WORDS, options=QUICK, cache=tmp_path), first)

    def test_another_process_finds_the_same(
        self, documents: list[np.ndarray], tmp_path: Path
    ) -> None:
        """Sampled anew in another interpreter, with another hash seed and another cache."""
        model = find_topics(documents, WORDS, options=QUICK, cache=tmp_path / "here")
        program = f"""
import numpy as np
from pathlib import Path
from metaphrase.trained.topics import TopicOptions, find_topics
documents = {[d.tolist() for d in documents]}
options = TopicOptions(topics=3, iterations=200, seed=7)
model = find_topics([np.array(d) for d in documents], {WORDS}, options=options, cache=Path({str(tmp_path)!r}))
print(model.topic_words.tobytes().hex())
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout.decode().strip() == model.topic_words.tobytes().hex()


@pytest.mark.parametrize(
    "wrong",
    [
        {"topics": 0},
        {"topics": 2.0},
        {"topics": True},
        {"iterations": 0},
        {"seed": -1},
        {"beta": 0.0},
    ],
)
def test_senseless_options_are_coded_errors(wrong: dict) -> None:
    with pytest.raises(OptionError, match="MP564"):
        TopicOptions(**wrong)


def test_a_missing_sampler_is_named_with_the_command_that_installs_it(
    documents: list[np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tomotopy", None)
    with pytest.raises(ResourceError, match=r"MP970.*\[topics\]"):
        find_topics(documents, WORDS, options=QUICK, cache=tmp_path)
