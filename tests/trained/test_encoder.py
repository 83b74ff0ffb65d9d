"""The encoder computes what its definition says, to the last bit, however it is asked; no damage passes."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaphrase._core import encoder as core
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.packed_text import PackedText
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.learning.encoder_file import encoder_content
from metaphrase.lexicon import WordVectors
from metaphrase.lexicon.vector_table import VectorTable, quantised, write_table
from metaphrase.matching.soft_matches import WeightedVectors, soft_matches
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.trained.encoder import EncodedWords, Encoder, EncoderShape
from oracle.encoder import Types, WholeNumbers, encode_in_floats, random_weights, spell

SMALL = EncoderShape(width=32, layers=2, heads=2, inner=64, distance=3, size=10, dimension=5)
WORDS = ["the", "cat", "sat", "mat", "été", "漢字", "i̇"]
PIECES = ["", *"▁ ▁th ▁the e a at c t s ▁s ca é 字 l on".split()]
FACTOR = 8.0
MESSAGE = "MP69[12].*small\\.enc"


@cache
def word_vectors(dimension: int) -> WordVectors:
    rows = np.random.default_rng(dimension).normal(size=(len(WORDS), dimension))
    stream = BytesIO()
    write_table(WORDS, quantised(rows), stream)
    content = stream.getvalue()
    return WordVectors(VectorTable(content), name="tiny", origin=(word_vectors, (dimension,)))


@dataclass(frozen=True)
class Model:
    """A file with all that it was made of."""

    shape: EncoderShape
    arrays: dict[str, np.ndarray]

    def write(self, path: Path) -> Encoder:
        vectors = word_vectors(self.shape.dimension)
        content = encoder_content(
            self.arrays,
            self.shape,
            pieces=PIECES,
            vectors=vectors.fingerprint,
            licence="As free as air.",
            about="drawn",
            factor=FACTOR,
        )
        path.write_bytes(content)
        return Encoder.open(path, vectors=vectors)

    def types(self, sentence: Sequence[str]) -> Types:
        lower = [word.lower() for word in sentence]
        return Types(sentence, word_vectors(self.shape.dimension).vectors(lower))

    def expected(self, sentence: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if not sentence:
            return np.zeros((0, self.shape.size), np.float32), np.zeros(0), np.zeros(0)
        oracle = WholeNumbers(self.arrays, self.shape, PIECES, FACTOR)
        return oracle.encode(self.types(sentence), range(len(sentence)))

    def in_floats(self, sentence: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return encode_in_floats(
            self.arrays, self.shape, PIECES, FACTOR, self.types(sentence), range(len(sentence))
        )


@cache
def small() -> Model:
    return Model(SMALL, random_weights(SMALL, pieces=len(PIECES)))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return small().write(tmp_path_factory.mktemp("encoder") / "small.enc")


def columns(found: EncodedWords, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = slice(found.offsets[k], found.offsets[k + 1])
    return found.vectors[rows], found.importance[rows], found.oddness[rows]


def assert_same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def with_registers(encoder: Encoder, sentences: list[list[str]], bits: int) -> list[np.ndarray]:
    packed = PackedText.pack(sentences)
    lower = [form.lower() for form in packed.vocabulary]
    return list(
        encoder._core.encode(
            words=lower,
            vectors=encoder._vectors.vectors(lower),
            cases=np.zeros(len(lower), np.uint8),
            offsets=packed.offsets,
            types=packed.words,
            threads=1,
            registers=bits,
        )
    )


shapes = st.builds(
    lambda heads, head, inner, layers, distance, size, dimension: EncoderShape(
        width=32 * heads * head // (2 if heads % 2 == 0 else 1),
        layers=layers,
        heads=heads,
        inner=32 * inner,
        distance=distance,
        size=size,
        dimension=dimension,
    ),
    heads=st.integers(1, 4),
    head=st.integers(1, 2),
    inner=st.integers(1, 5),
    layers=st.integers(1, 3),
    distance=st.integers(1, 5),
    size=st.integers(1, 20),
    dimension=st.integers(1, 20),
)
words = st.one_of(
    st.sampled_from([*WORDS, "The", "CAT", "cAt", "scattered", "tatata" * 3, "", "\ud800", "Łódź"]),
    st.text(max_size=6),
)
sentences = st.lists(words, max_size=20)


@given(shape=shapes, seed=st.integers(0, 9), some=st.lists(sentences, max_size=4))
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_results_are_those_of_the_definition_to_the_last_bit(
    tmp_path: Path, shape: EncoderShape, seed: int, some: list[list[str]]
) -> None:
    model = Model(shape, random_weights(shape, seed, pieces=len(PIECES)))
    found = model.write(tmp_path / "small.enc").encode(some)
    assert len(found) == len(some)
    for k, sentence in enumerate(some):
        assert_same(columns(found, k), model.expected(sentence))


@pytest.mark.parametrize("length", [1, 2, 16, 17, 127, 128, 129, 700])
def test_sentences_of_any_length(encoder: Encoder, length: int) -> None:
    chance = np.random.default_rng(length)
    sentence = [WORDS[k] for k in chance.integers(0, len(WORDS), length)]
    found = encoder.encode([sentence])
    assert_same(columns(found, 0), small().expected(sentence))


@given(some=st.lists(sentences, max_size=40), threads=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_neither_the_batch_nor_threads_nor_registers_change_a_bit(
    encoder: Encoder, some: list[list[str]], threads: int
) -> None:
    together = encoder.encode(some, threads=threads)
    for k, sentence in enumerate(some):
        assert_same(columns(together, k), columns(encoder.encode([sentence]), 0))
    plain = with_registers(encoder, some, 128)
    for bits in (256, 512):
        assert_same(with_registers(encoder, some, bits), plain)


def test_vectors_have_length_1_and_importance_is_a_share(encoder: Encoder) -> None:
    found = encoder.encode([["The", "cat", "sat"], [], ["on", "the", "mat", "!"]])
    assert found.offsets.tolist() == [0, 3, 3, 7]
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-6)
    assert ((found.importance > 0) & (found.importance <= 1)).all()
    assert found.vectors.shape == (7, 10)


def test_importance_stays_above_0_and_at_most_1_whatever_the_weights(tmp_path: Path) -> None:
    for bias, expected in ((-1e5, np.exp(-64.0)), (1e5, 1.0)):
        given_arrays = dict(small().arrays)
        given_arrays["head.bias"] = np.full(SMALL.size + 2, bias)
        found = Model(SMALL, given_arrays).write(tmp_path / "odd.enc").encode([["cat"]])
        assert found.importance == pytest.approx([expected])
        assert found.importance[0] > 0


def test_a_word_depends_on_what_stands_around_it(encoder: Encoder) -> None:
    found = encoder.encode([["the", "cat", "sat"], ["sat", "the", "cat"], ["the", "cat", "mat"]])
    assert len({row.tobytes() for row in found.vectors}) == 9


def test_words_are_told_apart_by_vector_pieces_and_case(encoder: Encoder) -> None:
    found = encoder.encode([[word] for word in ("cat", "Cat", "CAT", "cAt", "mat", "scat", "zzz")])
    assert len({row.tobytes() for row in found.vectors}) == 7
    # No piece has any of these characters.
    unknown = encoder.encode([["zz"], ["xyz"]]).vectors
    np.testing.assert_array_equal(unknown[0], unknown[1])


def test_the_longest_piece_is_taken_first() -> None:
    assert [PIECES[k] for k in spell("thecats", PIECES)] == ["▁the", "ca", "t", "s"]
    assert len(spell("tatatatatatatat", PIECES)) == 6


@pytest.mark.parametrize(
    "shape",
    [
        SMALL,
        EncoderShape(width=128, layers=4, heads=2, inner=512, distance=32, size=64, dimension=100),
    ],
)
def test_rounding_leaves_what_was_trained_nearly_as_it_was(
    tmp_path: Path, shape: EncoderShape
) -> None:
    model = Model(shape, random_weights(shape, 5, pieces=len(PIECES)))
    sentence = ["The", "cat", "sat", "on", "the", "mat", "Łódź", "été", "zzz", "CAT"] * 3
    found = model.write(tmp_path / "small.enc").encode([sentence])
    vectors, importance, oddness = model.in_floats(sentence)
    assert (found.vectors * vectors).sum(axis=1).min() > 0.999
    np.testing.assert_allclose(found.importance, importance, atol=0.03)
    np.testing.assert_allclose(found.oddness, oddness, atol=0.1)


def test_all_ways_to_give_sentences_are_one(encoder: Encoder) -> None:
    batch = analysers.shared("builtin:en").analyse(["The cat sat.", "", "On the mat!"], ["tag"])
    forms = [list(sentence.form) for sentence in batch]
    expected = encoder.encode(batch)
    for other in (forms, PackedText.pack(forms), (tuple(words) for words in forms)):
        found = encoder.encode(other)
        assert_same(
            [found.offsets, found.vectors, found.importance, found.oddness],
            [expected.offsets, expected.vectors, expected.importance, expected.oddness],
        )
    assert encoder.encode([]).vectors.shape == (0, 10)


def test_words_of_two_sentences_are_compared_by_their_vectors(encoder: Encoder) -> None:
    found = encoder.encode([["the", "cat", "sat"], ["the", "cat", "sat"]])
    known = WeightedVectors(found.vectors, found.importance)
    rows = SymbolRows(np.arange(6), found.offsets)
    matches = soft_matches(rows, known, left=[0], right=[1])
    np.testing.assert_allclose(matches[0, :2], 1, atol=1e-6)


def test_an_encoder_says_what_it_is(encoder: Encoder) -> None:
    assert encoder.shape == SMALL
    assert (encoder.licence, encoder.about) == ("As free as air.", "drawn")
    assert len(encoder.fingerprint) == 12
    assert repr(encoder) == "<Encoder small.enc: 2 layers of 32>"
    again = pickle.loads(pickle.dumps(encoder))
    assert again.fingerprint == encoder.fingerprint
    assert_same([again.encode([["cat"]]).vectors], [encoder.encode([["cat"]]).vectors])


def test_an_encoder_goes_with_its_word_vectors(encoder: Encoder) -> None:
    with pytest.raises(ResourceError, match=r"MP693.*small\.enc.*glove-en"):
        Encoder.open(encoder.path)


@pytest.mark.parametrize(
    "sentences",
    [
        "cat",
        ["cat"],
        [["cat", 1]],
        7,
        [None],
        PackedText(np.array([0, 2]), np.array([0, 5], np.int32), ["a"]),
        PackedText(np.array([0, 2]), np.array([0], np.int32), ["a"]),
    ],
)
def test_what_are_no_sentences_is_refused(encoder: Encoder, sentences: object) -> None:
    with pytest.raises(InputError, match="MP694"):
        encoder.encode(sentences)  # type: ignore[arg-type]


def test_less_than_one_thread_is_refused(encoder: Encoder) -> None:
    with pytest.raises(OptionError, match="MP695"):
        encoder.encode([["cat"]], threads=0)


def test_damage_of_any_byte_is_found(encoder: Encoder, tmp_path: Path) -> None:
    sound = encoder.path.read_bytes()
    places = [*range(400), *range(400, len(sound), 997), len(sound) - 1]
    for at in places:
        broken = sound[:at] + bytes([sound[at] ^ 0x41]) + sound[at + 1 :]
        (tmp_path / "small.enc").write_bytes(broken)
        with pytest.raises(ResourceError, match=MESSAGE):
            Encoder.open(tmp_path / "small.enc", vectors=word_vectors(5))


def test_a_file_that_was_cut_off_or_goes_on_is_damaged(encoder: Encoder, tmp_path: Path) -> None:
    sound = encoder.path.read_bytes()
    for size in [*range(200), *range(200, len(sound), 499)]:
        (tmp_path / "small.enc").write_bytes(sound[:size])
        with pytest.raises(ResourceError, match=MESSAGE):
            Encoder.open(tmp_path / "small.enc", vectors=word_vectors(5))
    (tmp_path / "small.enc").write_bytes(sound + bytes(4))
    with pytest.raises(ResourceError, match=MESSAGE):
        Encoder.open(tmp_path / "small.enc", vectors=word_vectors(5))


def test_damage_behind_a_right_checksum_is_found(encoder: Encoder, tmp_path: Path) -> None:
    body = encoder.path.read_bytes()[16:]
    sizes = struct.unpack("<7I", body[4:32])
    for place in range(7):
        for size in (0, sizes[place] + 32, 1 << 31):
            other = struct.pack("<7I", *sizes[:place], size, *sizes[place + 1 :])
            (tmp_path / "small.enc").write_bytes(core.file(body[:4] + other + body[32:]))
            with pytest.raises(ResourceError, match=MESSAGE):
                Encoder.open(tmp_path / "small.enc", vectors=word_vectors(5))
    for number in (np.nan, np.inf, 1e7):  # the last of what is added to outputs
        (tmp_path / "small.enc").write_bytes(core.file(body[:-4] + struct.pack("<f", number)))
        with pytest.raises(ResourceError, match=r"MP692.*out of range"):
            Encoder.open(tmp_path / "small.enc", vectors=word_vectors(5))


def test_other_files_and_no_files_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "small.enc", tmp_path):
        with pytest.raises(ResourceError, match="MP691"):
            Encoder.open(path)
    for content in (b"", b"MPEN", b"MPLM" + bytes(100)):
        (tmp_path / "small.enc").write_bytes(content)
        with pytest.raises(ResourceError, match=MESSAGE):
            Encoder.open(tmp_path / "small.enc")


@pytest.mark.parametrize(
    "sizes",
    [
        {"width": 33},
        {"width": 48},
        {"width": 0},
        {"width": 2048},
        {"heads": 3},
        {"heads": 4},
        {"heads": 0},
        {"inner": 100},
        {"inner": 4096},
        {"layers": 0},
        {"layers": -1},
        {"distance": 0},
        {"size": 0},
        {"dimension": 0},
    ],
)
def test_sizes_that_kernels_cannot_compute_with_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(InputError, match="MP696"):
        content(replace(SMALL, **sizes), small().arrays)


def content(
    shape: EncoderShape, given_arrays: dict[str, np.ndarray], pieces: Sequence[str] = PIECES
) -> bytes:
    return encoder_content(given_arrays, shape, pieces=pieces, vectors="0" * 12, licence="")


def test_weights_that_do_not_fit_are_refused() -> None:
    sound = small().arrays
    for name, array in sound.items():
        without = {key: value for key, value in sound.items() if key != name}
        wrong = [without, sound | {name: array[1:]}, sound | {name: array * np.nan}]
        for given_arrays in (*wrong, sound | {name: np.full_like(array, 1e7)}):
            with pytest.raises(InputError, match=f"MP696.*{name}"):
                content(SMALL, given_arrays)
    repeated = [*PIECES[:-1], PIECES[1]]
    for pieces in (repeated, [*PIECES[:-1], "x" * 256]):
        with pytest.raises(InputError, match=r"MP696.*piece"):
            content(SMALL, sound, pieces)


def test_the_same_weights_make_the_same_bytes() -> None:
    assert content(SMALL, random_weights(SMALL, pieces=len(PIECES))) == content(
        SMALL, random_weights(SMALL, pieces=len(PIECES))
    )
