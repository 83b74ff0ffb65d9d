"""A pretrained encoder computes what its definition says, to the last bit; no damage and no length passes."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from metaphrase._core import encoder as core
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.learning.pretrained_file import pretrained_content
from metaphrase.trained import pretrained_encoder
from metaphrase.trained.pretrained_encoder import (
    EncodedPieces,
    PretrainedEncoder,
    PretrainedShape,
    load_pretrained,
)
from oracle import pretrained as oracle

SMALL = PretrainedShape(width=32, layers=2, heads=2, inner=64, positions=16)
PIECES = (
    "[PAD] [UNK] [CLS] [SEP] the cat sat mat ca s ##t ##s ##at ##e e é h ##h . , ' ! 漢 字 ##字 a ##a "
    "ᄒ ##ᅡ ##ᆫ"
).split()
MARKS = (PIECES.index("[CLS]"), PIECES.index("[SEP]"))
MESSAGE = "MP69[12].*small\\.enc"


@dataclass(frozen=True)
class Model:
    """A file with all that it was made of."""

    shape: PretrainedShape
    arrays: dict[str, np.ndarray]

    def write(self, path: Path) -> PretrainedEncoder:
        path.write_bytes(content(self.shape, self.arrays))
        return PretrainedEncoder.open(path)

    def expected(
        self, text: str, network: type[oracle.WholeNumbers | oracle.InFloats] = oracle.WholeNumbers
    ) -> tuple[list[np.ndarray], np.ndarray]:
        pieces = [PIECES.index(piece.name) for piece in oracle.cut(text, PIECES)]
        return oracle.encode(network(self.arrays, self.shape), pieces, MARKS, self.shape.positions)


def content(
    shape: PretrainedShape, arrays: dict[str, np.ndarray], pieces: Sequence[str] = PIECES
) -> bytes:
    return pretrained_content(
        arrays, shape, pieces=pieces, licence="As free as air.", about="drawn"
    )


@cache
def small() -> Model:
    return Model(SMALL, oracle.random_weights(SMALL, pieces=len(PIECES)))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PretrainedEncoder:
    return small().write(tmp_path_factory.mktemp("encoder") / "small.enc")


def columns(found: EncodedPieces, k: int) -> list[np.ndarray]:
    rows = slice(found.offsets[k], found.offsets[k + 1])
    return [
        found.pieces[rows],
        found.first[rows],
        found.last[rows],
        found.vectors[:, rows],
        found.texts[k],
    ]


def assert_same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


letters = st.one_of(
    st.sampled_from("thecatsm .,'!éE\u0301\u200b\t漢字한ÀŁß-[]ſİΣ\u2028\x85\0\ufffd\ufeff"),
    st.characters(),
)
texts = st.one_of(
    st.text(letters, max_size=60),
    st.lists(
        st.sampled_from(["the", "cat", "scat", "Cats,", "é", "zebra", "漢字"]), max_size=40
    ).map(" ".join),
)
shapes = st.builds(
    lambda heads, head, inner, layers, positions: PretrainedShape(
        width=32 * heads * head // (2 if heads % 2 == 0 else 1),
        layers=layers,
        heads=heads,
        inner=32 * inner,
        positions=positions,
    ),
    heads=st.integers(1, 4),
    head=st.integers(1, 2),
    inner=st.integers(1, 5),
    layers=st.integers(1, 3),
    positions=st.integers(8, 40),
)


@given(text=texts)
@example(text="")
@example(text="Cats' cats\u0301 [CLS]漢字 zebra\u00a0한")
@example(text="cat" * 34)  # 102 letters
@example(text="a" * 100)
@settings(max_examples=300, deadline=None)
def test_pieces_are_cut_as_the_definition_says(encoder: PretrainedEncoder, text: str) -> None:
    found = encoder.encode([text])
    expected = oracle.cut(text, PIECES)
    assert [PIECES[piece] for piece in found.pieces] == [piece.name for piece in expected]
    assert found.first.tolist() == [piece.first for piece in expected]
    assert found.last.tolist() == [piece.last for piece in expected]


def test_known_words_are_cut_as_bert_cuts_them(encoder: PretrainedEncoder) -> None:
    found = encoder.encode(["The CATS\u2019 scáts."])
    assert [PIECES[piece] for piece in found.pieces] == [
        *("the", "cat", "##s", "[UNK]", "[UNK]", "."),
    ]
    assert list(zip(found.first.tolist(), found.last.tolist(), strict=True)) == [
        *((0, 3), (4, 7), (7, 8), (8, 9), (10, 15), (15, 16)),
    ]


@given(shape=shapes, seed=st.integers(0, 9), some=st.lists(texts, max_size=4))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_results_are_those_of_the_definition_to_the_last_bit(
    tmp_path: Path, shape: PretrainedShape, seed: int, some: list[str]
) -> None:
    model = Model(shape, oracle.random_weights(shape, seed, pieces=len(PIECES)))
    every = range(1, shape.layers + 1)
    found = model.write(tmp_path / "small.enc").encode(some, layers=every)
    assert len(found) == len(some)
    assert found.layers == tuple(every)
    for k, text in enumerate(some):
        layers, whole = model.expected(text)
        *_, vectors, of_text = columns(found, k)
        assert_same([*vectors, of_text], [*layers, whole])


@pytest.mark.parametrize("length", [0, 1, 13, 14, 15, 24, 25, 26, 127, 400])
def test_texts_longer_than_a_window_are_read_in_several(
    encoder: PretrainedEncoder, length: int
) -> None:
    chance = np.random.default_rng(length)
    text = " ".join(PIECES[k] for k in chance.integers(4, 8, length))
    found = encoder.encode([text], layers=[1, 2])
    layers, whole = small().expected(text)
    assert_same([*found.vectors, found.texts[0]], [*layers, whole])
    assert len(found.pieces) == length


def test_windows_cover_a_text_and_give_each_piece_room_on_both_sides() -> None:
    for pieces in range(200):
        found = oracle.windows(pieces, 34)
        assert [window.start for window in found[1:]] == [window.stop for window in found[:-1]]
        assert (found[0].start, found[-1].stop) == (0, pieces)
        for window in found:
            assert window.last - window.first == min(32, pieces)
            assert window.start == 0 or window.start - window.first >= 4
            assert window.stop == pieces or window.last - window.stop >= 4


@given(some=st.lists(texts, max_size=30), threads=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_neither_other_texts_nor_threads_nor_registers_change_a_bit(
    encoder: PretrainedEncoder, some: list[str], threads: int
) -> None:
    together = encoder.encode(some, layers=[1, 2], threads=threads)
    for k, text in enumerate(some):
        assert_same(columns(together, k), columns(encoder.encode([text], layers=[1, 2]), 0))
    for bits in (128, 256, 512):
        vectors, of_texts = encoder._core.encode(
            offsets=together.offsets,
            pieces=together.pieces,
            layers=np.array([1, 2], np.int32),
            threads=1,
            registers=bits,
        )
        assert_same([vectors, of_texts], [together.vectors, together.texts])


@pytest.mark.parametrize(
    "shape", [SMALL, PretrainedShape(width=96, layers=3, heads=3, inner=160, positions=64)]
)
def test_rounding_changes_little(tmp_path: Path, shape: PretrainedShape) -> None:
    model = Model(shape, oracle.random_weights(shape, 5, pieces=len(PIECES)))
    text = "The cat sat, the mats! scats 漢字 é" * 2
    found = model.write(tmp_path / "small.enc").encode([text])
    layers, whole = model.expected(text, oracle.InFloats)
    assert (found.vectors[0] * layers[-1]).sum(axis=1).min() > 0.995
    assert float(found.texts[0] @ whole) > 0.999


def test_gelu_is_near_the_true_one() -> None:
    x = np.linspace(-12, 12, 20001)
    true = x * oracle.normal_share(x)
    # The bound that src/core/encoder/rounding.hpp names.
    assert np.abs(oracle.gaussian(x.astype(np.float32)) - true).max() < 2e-4


def test_equal_texts_have_equal_rows(encoder: PretrainedEncoder) -> None:
    some = ["the cat", "", "sat", "the cat", "sat", ""]
    found = encoder.encode(some, layers=[1, 2])
    for k, text in enumerate(some):
        assert_same(columns(found, k), columns(encoder.encode([text], layers=[1, 2]), 0))


def test_vectors_have_length_1(encoder: PretrainedEncoder) -> None:
    found = encoder.encode(["The cat sat", "", "on the mat!"], layers=[1, 2])
    assert found.vectors.shape == (2, 7, 32)
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=2), 1, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.texts, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(found.of_layer(2), found.vectors[1])


def test_nothing_gives_nothing(encoder: PretrainedEncoder) -> None:
    found = encoder.encode([])
    assert (found.vectors.shape, found.texts.shape) == ((1, 0, 32), (0, 32))
    assert found.offsets.tolist() == [0]


def test_half_a_surrogate_pair_is_dropped(encoder: PretrainedEncoder) -> None:
    found = encoder.encode(["the \ud800cat"])
    assert [PIECES[piece] for piece in found.pieces] == ["the", "cat"]
    assert found.last.tolist() == [3, 8]


def test_each_piece_knows_its_word(encoder: PretrainedEncoder) -> None:
    batch = analysers.shared("builtin:en").analyse(["Cats can't.", "", "the  scats"], ["tag"])
    found = encoder.encode(batch)
    assert found.words is not None
    forms = [batch.strings[number] for number in batch.columns["form"].tolist()]
    named = [(PIECES[p], forms[w]) for p, w in zip(found.pieces, found.words, strict=True)]
    assert forms == ["Cats", "ca", "n't", ".", "the", "scats"]
    assert named == [
        *(
            ("cat", "Cats"),
            ("##s", "Cats"),
            ("[UNK]", "ca"),
            ("'", "n't"),
            ("[UNK]", "n't"),
            (".", "."),
        ),
        *(("the", "the"), ("[UNK]", "scats")),
    ]
    assert encoder.encode(batch.texts).words is None


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=6),
        min_size=1,
        max_size=4,
    ),
    st.data(),
)
@settings(max_examples=100, deadline=None)
def test_a_piece_goes_with_the_word_of_which_it_has_most_characters(
    gaps_and_sizes: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    sentences, spans = [], []
    for words in gaps_and_sizes:
        start, end, at = [], [], 0
        for gap, size in words:
            start.append(at + gap)
            at += gap + size
            end.append(at)
        sentences.append(Sentence("x" * at, ("x",) * len(words), tuple(start), tuple(end)))
        spans.append(
            data.draw(st.lists(st.tuples(st.integers(0, at + 3), st.integers(1, 6)), max_size=5))
        )
    batch = Batch.pack(sentences)
    offsets = np.cumsum([0, *map(len, spans)])
    first = np.array([place for some in spans for place, _ in some], np.int32)
    last = first + np.array([size for some in spans for _, size in some], np.int32)
    found = pretrained_encoder.words_of(batch, offsets, first, last)
    for k, sentence in enumerate(sentences):
        for piece in range(offsets[k], offsets[k + 1]):
            shared = [
                max(0, min(stop, int(last[piece])) - max(start, int(first[piece])))
                for start, stop in zip(sentence.start, sentence.end, strict=True)
            ]
            word = int(found[piece])
            if not shared:
                assert word == -1
            elif max(shared) > 0:
                assert shared[word - int(batch.offsets[k])] == max(shared)
            else:
                before = [i for i, start in enumerate(sentence.start) if start <= first[piece]]
                assert word == batch.offsets[k] + (before[-1] if before else 0)


def test_too_many_pieces_in_a_text_are_refused(
    encoder: PretrainedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"MP698.*Text 3 has 100,000 word pieces.*32,768"):
        encoder.encode(["", "", "," * 100_000])
    monkeypatch.setattr(pretrained_encoder, "MOST_PIECES", 20)
    assert len(encoder.encode(["," * 20]).pieces) == 20
    with pytest.raises(InputError, match="MP698"):
        encoder.encode(["," * 21])


def test_an_encoder_says_what_it_is(encoder: PretrainedEncoder) -> None:
    assert encoder.shape == SMALL
    assert (encoder.licence, encoder.about) == ("As free as air.", "drawn")
    assert (encoder.name, len(encoder.fingerprint)) == ("small", 12)
    assert repr(encoder) == "<PretrainedEncoder small.enc: 2 layers of 32>"
    again = pickle.loads(pickle.dumps(encoder))
    assert again.fingerprint == encoder.fingerprint
    assert_same([again.encode(["cat"]).texts], [encoder.encode(["cat"]).texts])


@pytest.mark.parametrize("some", ["cat", [1], 7, None, [["cat"]]])
def test_what_are_no_texts_is_refused(encoder: PretrainedEncoder, some: object) -> None:
    with pytest.raises(InputError, match="MP694"):
        encoder.encode(some)  # type: ignore[arg-type]


@pytest.mark.parametrize("layers", [[0], [3], [2, 1], [1, 1], [-1, 2]])
def test_layers_that_are_not_there_are_refused(
    encoder: PretrainedEncoder, layers: list[int]
) -> None:
    with pytest.raises(OptionError, match="MP697"):
        encoder.encode(["cat"], layers=layers)


def test_less_than_one_thread_is_refused(encoder: PretrainedEncoder) -> None:
    with pytest.raises(OptionError, match="MP519"):
        encoder.encode(["cat"], threads=0)


def test_damage_of_any_byte_is_found(encoder: PretrainedEncoder, tmp_path: Path) -> None:
    sound = encoder.path.read_bytes()
    for at in [*range(400), *range(400, len(sound), 997), len(sound) - 1]:
        broken = sound[:at] + bytes([sound[at] ^ 0x41]) + sound[at + 1 :]
        (tmp_path / "small.enc").write_bytes(broken)
        with pytest.raises(ResourceError, match=MESSAGE):
            PretrainedEncoder.open(tmp_path / "small.enc")


def test_a_file_that_was_cut_off_or_goes_on_is_damaged(
    encoder: PretrainedEncoder, tmp_path: Path
) -> None:
    sound = encoder.path.read_bytes()
    for size in [*range(200), *range(200, len(sound), 499)]:
        (tmp_path / "small.enc").write_bytes(sound[:size])
        with pytest.raises(ResourceError, match=MESSAGE):
            PretrainedEncoder.open(tmp_path / "small.enc")
    (tmp_path / "small.enc").write_bytes(sound + bytes(4))
    with pytest.raises(ResourceError, match=MESSAGE):
        PretrainedEncoder.open(tmp_path / "small.enc")


def test_damage_behind_a_right_checksum_is_found(
    encoder: PretrainedEncoder, tmp_path: Path
) -> None:
    body = encoder.path.read_bytes()[16:]
    sizes = struct.unpack("<8I", body[4:36])
    for place in range(8):
        # Other marks that are pieces would be another encoder.
        for size in (0, sizes[place] + 32, 1 << 31)[1 if place > 4 else 0 :]:
            other = struct.pack("<8I", *sizes[:place], size, *sizes[place + 1 :])
            (tmp_path / "small.enc").write_bytes(core.pretrained_file(body[:4] + other + body[36:]))
            with pytest.raises(ResourceError, match=MESSAGE):
                PretrainedEncoder.open(tmp_path / "small.enc")
    for number in (np.nan, np.inf, 1001.0):  # the last of the last norm
        broken = core.pretrained_file(body[:-4] + struct.pack("<f", number))
        (tmp_path / "small.enc").write_bytes(broken)
        with pytest.raises(ResourceError, match=r"MP692.*out of range"):
            PretrainedEncoder.open(tmp_path / "small.enc")


def test_other_files_and_no_files_are_named(encoder: PretrainedEncoder, tmp_path: Path) -> None:
    for path in (tmp_path / "small.enc", tmp_path):
        with pytest.raises(ResourceError, match="MP691"):
            PretrainedEncoder.open(path)
    of_another_kind = b"MPLM" + encoder.path.read_bytes()[4:]
    for other in (b"", b"MPPE", core.pretrained_file(bytes(100)), of_another_kind):
        (tmp_path / "small.enc").write_bytes(other)
        with pytest.raises(ResourceError, match=MESSAGE):
            PretrainedEncoder.open(tmp_path / "small.enc")
    with pytest.raises(ResourceError, match=r"MP692.*not a model of a pretrained encoder"):
        PretrainedEncoder.open(tmp_path / "small.enc")  # the last of them


@pytest.mark.parametrize(
    "sizes",
    [
        *({"width": width} for width in (0, 33, 48, 2048)),
        *({"heads": heads} for heads in (0, 3, 4)),
        *({"inner": inner} for inner in (100, 4096)),
        *({"layers": layers} for layers in (0, -1)),
        *({"positions": positions} for positions in (7, 5000)),
    ],
)
def test_sizes_that_kernels_cannot_compute_with_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(InputError, match="MP696"):
        content(replace(SMALL, **sizes), small().arrays)


def test_weights_that_do_not_fit_are_refused() -> None:
    sound = small().arrays
    for name, array in sound.items():
        without = {key: value for key, value in sound.items() if key != name}
        wrong = [without, sound | {name: array[1:]}, sound | {name: array * np.nan}]
        for given_arrays in (*wrong, sound | {name: np.full_like(array, 1e4)}):
            with pytest.raises(InputError, match=f"MP696.*{name}"):
                content(SMALL, given_arrays)
    rows = sound["embeddings.word_embeddings.weight"]
    with pytest.raises(InputError, match=r"MP696.*beyond measure"):  # a step of more than 1
        content(SMALL, sound | {"embeddings.word_embeddings.weight": rows * 500})
    for pieces, reason in (
        ([*PIECES[:-1], PIECES[-2]], "twice"),
        ([*PIECES[:-1], "x" * 256], "too long"),
        ([*PIECES[:-1], ""], "empty"),
        (["x", "y", *PIECES[2:]], r"no \[UNK\]"),
    ):
        with pytest.raises(InputError, match=f"MP696.*{reason}"):
            content(SMALL, sound, pieces)


def test_the_same_weights_make_the_same_bytes() -> None:
    again = oracle.random_weights(SMALL, pieces=len(PIECES))
    assert content(SMALL, small().arrays) == content(SMALL, again)


def test_only_languages_that_have_one_can_load_it() -> None:
    with pytest.raises(OptionError, match=r"MP697.*lang=fi"):
        load_pretrained("shipped", "fi")


def test_a_package_without_the_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrained_encoder, "shipped_file", tmp_path.joinpath)
    with pytest.raises(ResourceError, match=r"MP691.*english-minilm\.encoder"):
        load_pretrained("shipped", "en")


@pytest.fixture(scope="module")
def shipped() -> PretrainedEncoder:
    pytest.importorskip("metaphrase_encoder")
    return load_pretrained("shipped", "en")


def test_the_one_that_ships_cuts_text_as_its_makers_do(shipped: PretrainedEncoder) -> None:
    # The numbers are those of the library tokenizers 0.21.
    found = shipped.encode(["The café was closed, wasn't it?"])
    assert found.pieces.tolist() == [1996, 7668, 2001, 2701, 1010, 2347, 1005, 1056, 2009, 1029]
    assert found.first.tolist() == [0, 4, 9, 13, 19, 21, 25, 26, 28, 30]


def test_the_one_that_ships_likens_texts_of_like_meaning(shipped: PretrainedEncoder) -> None:
    cat, paraphrase, other = shipped.encode(
        ["The cat sat on the mat.", "A cat was sitting on a mat.", "Shares fell sharply on Monday."]
    ).texts
    assert float(cat @ paraphrase) > 0.85
    assert float(cat @ other) < 0.3
