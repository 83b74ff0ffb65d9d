"""A damaged file either opens and answers, or is a ResourceError; it never ends the process."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from metaphrase.errors import ResourceError
from metaphrase.lexicon import WordNet
from metaphrase.matching.phrase_maps import word_similarity

# The header as src/core/lexicon/wordnet_file.hpp describes it.
VERSION, COUNTS, TOTALS, SIZE, TABLE, SECTIONS = 40, 44, 56, 72, 80, 12
HEADER = TABLE + 8 * SECTIONS
SENSES, PARTS, HYPERNYMS = 3, 4, 6

relaxed = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def content(small) -> bytes:
    return small[0].path.read_bytes()


@pytest.fixture(scope="module")
def attempt(tmp_path_factory):
    """Opens bytes as a WordNet and asks it everything; says whether it opened."""
    path = tmp_path_factory.mktemp("damaged") / "wordnet.bin"

    def attempt(damaged: bytes) -> bool:
        path.unlink(missing_ok=True)  # a new file: the old one may still be mapped
        path.write_bytes(damaged)
        try:
            wordnet = WordNet(path)
        except ResourceError as error:
            if error.code != "MP302":
                raise
            return False
        words = ["dog", "box", "huge", "off", "went"]
        for word in words:
            wordnet.synsets(word)
            for pos in "nvar":
                wordnet.morphy(word, pos)
        wordnet.synonym_graph(words)
        similar = word_similarity(words, wordnet).matrix(range(len(words)), range(len(words)))
        assert np.all((similar >= 0) & (similar <= 1))
        for synset in range(wordnet.synset_count):
            wordnet.lemmas(synset)
            wordnet.part_of_speech(synset)
            assert 0.0 <= wordnet.lin(synset, 0) <= 1.0
        return True

    return attempt


def section(content: bytes, number: int) -> tuple[int, int]:
    return struct.unpack_from("<2I", content, TABLE + 8 * number)


def replaced(content: bytes, position: int, new: bytes) -> bytes:
    return content[:position] + new + content[position + len(new) :]


def test_the_undamaged_file_opens(attempt, content):
    assert attempt(content)


@pytest.mark.parametrize("number", range(SECTIONS))
def test_a_file_cut_anywhere_in_a_section_is_refused(attempt, content, number):
    begin, length = section(content, number)
    for end in {begin, begin + length // 2, begin + length - 1}:
        assert not attempt(content[:end])


def test_a_file_cut_in_its_header_or_empty_is_refused(attempt, content):
    for end in range(HEADER):
        assert not attempt(content[:end])


def test_a_file_with_something_appended_is_refused(attempt, content):
    assert not attempt(content + b"\0")


@pytest.mark.parametrize("number", range(SECTIONS))
@pytest.mark.parametrize("value", [0, 1, HEADER - 1, 2**31, 2**32 - 1])
def test_a_section_that_claims_another_place_is_survived(attempt, content, number, value):
    attempt(replaced(content, TABLE + 8 * number, struct.pack("<I", value)))
    attempt(replaced(content, TABLE + 8 * number + 4, struct.pack("<I", value)))


@pytest.mark.parametrize("position", [0, VERSION, COUNTS, COUNTS + 4, COUNTS + 8, SIZE])
def test_wrong_magic_version_counts_and_size_are_refused(attempt, content, position):
    assert not attempt(replaced(content, position, bytes([content[position] ^ 0xFF])))


@pytest.mark.parametrize("number", [SENSES, HYPERNYMS])
def test_synsets_that_do_not_exist_are_refused(attempt, content, number):
    begin, _ = section(content, number)
    assert not attempt(replaced(content, begin, struct.pack("<I", 15)))


def test_an_unknown_part_of_speech_in_the_file_is_refused(attempt, content):
    begin, _ = section(content, PARTS)
    assert not attempt(replaced(content, begin, b"x"))


def test_hypernyms_in_a_circle_are_survived(attempt, content):
    begin, length = section(content, HYPERNYMS)
    # Every synset's hypernyms become number 5, including those of 5 itself.
    assert attempt(replaced(content, begin, struct.pack("<I", 5) * (length // 4)))


def test_one_lemma_repeated_for_ever_is_refused(builder, tmp_path):
    lengths = bytes(50_000)
    senses = {f"w{i}": () for i in range(len(lengths))}
    packed = builder.pack(builder.Source({}, senses, {}, {}, {"n": 0, "v": 0}))
    begin, length = section(packed, 1)
    empty = replaced(packed, begin, bytes(length))
    (tmp_path / "w.bin").write_bytes(replaced(empty, TABLE + 4, struct.pack("<I", 0)))
    with pytest.raises(ResourceError, match="not distinct"):
        WordNet(tmp_path / "w.bin")


@relaxed
@given(data=st.data())
def test_flipped_bytes_are_survived(attempt, content, data):
    damaged = bytearray(content)
    flips = st.tuples(st.integers(0, len(content) - 1), st.integers(1, 255))
    for position, bits in data.draw(st.lists(flips, min_size=1, max_size=6)):
        damaged[position] ^= bits
    attempt(bytes(damaged))


@relaxed
@given(position=st.integers(0, HEADER - 4), value=st.integers(0, 2**32 - 1))
@example(position=TABLE, value=2**32 - 4)
def test_a_header_with_any_number_in_it_is_survived(attempt, content, position, value):
    attempt(replaced(content, position, struct.pack("<I", value)))


@relaxed
@given(damaged=st.binary(max_size=400))
def test_noise_is_survived(attempt, damaged):
    attempt(damaged)


def test_verify_finds_every_flipped_byte(content, tmp_path):
    for position in range(8, len(content), 7):
        path = tmp_path / f"{position}.bin"
        path.write_bytes(replaced(content, position, bytes([content[position] ^ 1])))
        with pytest.raises(ResourceError, match="MP302"):
            WordNet(path).verify()
