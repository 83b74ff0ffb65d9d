"""A trie finds the phrases of its table in sentences, whether it is made anew or read from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from metaphrase._core import meteor as core
from metaphrase.lexicon import ParaphraseTable, phrase_trie
from metaphrase.lexicon.paraphrases import compile_pairs

PHRASES = ["take place", "a b", "a b f g", "b c d e", "m", "m n", "m\x01", "m\x01 n", "été"]
#: Two spaces have an empty word between them, which no sentence has.
PAIRS = [(phrase, "occur", 0.5) for phrase in [*PHRASES, "b  c"]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(phrase_trie, "_LARGE", 0)
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ParaphraseTable:
    path = tmp_path_factory.mktemp("table") / "table.bin"
    path.write_bytes(compile_pairs(PAIRS))
    return ParaphraseTable(path)


def matched(
    table: ParaphraseTable, trie: core.PhraseTrie, left: list[str], right: list[str]
) -> int:
    """How many words of the hypothesis are matched, with nothing but the table to match different words."""
    sentences = core.Sentences([" ".join(left), " ".join(right)])
    matcher = core.Matcher(
        sentences,
        stems=None,
        function=bytes(len(sentences.vocabulary)),
        characters=False,
        wordnet=None,
        synset_numbers=None,
        table=table._core,
        phrases=trie,
    )
    rows = np.array([[0], [1]], dtype=np.int32)
    return int(matcher.statistics(*rows, threads=1)[0, 21])


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_found_among_other_words(table: ParaphraseTable, phrase: str) -> None:
    trie = core.PhraseTrie(table._core, None)
    words = phrase.split(" ")
    assert matched(table, trie, ["x", *words, "x"], ["occur"]) == len(words)


@pytest.mark.parametrize(
    "words", ["take", "place take", "c d", "b c d", "m\x01n", "ete", "b c", "x"]
)
def test_a_part_of_a_phrase_is_not_found(table: ParaphraseTable, words: str) -> None:
    trie = core.PhraseTrie(table._core, None)
    assert matched(table, trie, words.split(" "), ["occur"]) == 0


def test_a_trie_is_compiled_once_and_again_when_it_is_damaged(
    table: ParaphraseTable, cache: Path
) -> None:
    phrase_trie.phrase_trie.cache_clear()
    first = phrase_trie.phrase_trie(table)
    [compiled] = (cache / "lexicon").iterdir()
    content = compiled.read_bytes()
    assert content == core.phrase_trie_file(table._core)
    compiled.write_bytes(content[:-1])
    phrase_trie.phrase_trie.cache_clear()
    second = phrase_trie.phrase_trie(table)
    assert compiled.read_bytes() == content
    for trie in (first, second):
        assert matched(table, trie, ["take", "place"], ["occur"]) == 2


def test_every_damaged_byte_of_a_trie_is_noticed(
    table: ParaphraseTable, damaged: Callable[[bytes], Iterator[Path]]
) -> None:
    for path in damaged(core.phrase_trie_file(table._core)):
        with pytest.raises(ValueError, match=r"[a-z]"):
            core.PhraseTrie(table._core, bytes(path))


def test_a_trie_belongs_to_its_table(table: ParaphraseTable, tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(compile_pairs([("a", "b", 0.5)]))
    other = ParaphraseTable(path)
    with pytest.raises(ValueError, match="own trie"):
        matched(table, core.PhraseTrie(other._core, None), ["a"], ["b"])
    path.write_bytes(core.phrase_trie_file(other._core))
    with pytest.raises(ValueError, match="another table"):
        core.PhraseTrie(table._core, bytes(path))


def test_an_empty_table_has_no_phrases(tmp_path: Path) -> None:
    path = tmp_path / "empty.bin"
    path.write_bytes(compile_pairs([]))
    empty = ParaphraseTable(path)
    assert matched(empty, core.PhraseTrie(empty._core, None), ["a"], ["b"]) == 0
