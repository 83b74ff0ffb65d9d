"""What trains the parser: trees, gradients, vectors, and the learning itself."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from metaphrase_training import ParserTrainer, gradient_error, word_vectors

from metaphrase._core.analysis import ModelError
from metaphrase._core.parsing import Parser, maximum_tree
from oracle.parser import OracleParser, best_tree, checksum, is_tree, weight

#: Forms, tags, universal tags, heads and relations of sentences that order alone tells apart.
TREEBANK = [
    [
        ("The", "DT", "DET", 2, "det"),
        ("dog", "NN", "NOUN", 3, "nsubj"),
        ("saw", "VBD", "VERB", 0, "root"),
        ("the", "DT", "DET", 5, "det"),
        ("cat", "NN", "NOUN", 3, "obj"),
        (".", ".", "PUNCT", 3, "punct"),
    ],
    [
        ("Cats", "NNS", "NOUN", 2, "nsubj"),
        ("sleep", "VBP", "VERB", 0, "root"),
    ],
    [
        ("dogs", "NNS", "NOUN", 4, "nsubj:pass"),
        ("were", "VBD", "AUX", 4, "aux:pass"),
        ("not", "RB", "PART", 4, "advmod"),
        ("seen", "VBN", "VERB", 0, "root"),
        ("in", "IN", "ADP", 6, "case"),
        ("Paris", "NNP", "PROPN", 4, "obl"),
    ],
    [("Go", "VB", "VERB", 0, "root")],
]
TOKENS = [token for sentence in TREEBANK for token in sentence]
OFFSETS = np.cumsum([0, *map(len, TREEBANK)], dtype=np.int64)
SMALL = {"units": 32, "layers": 2, "arc": 16, "label": 16, "batch_tokens": 8}


def trainer(**changes: object) -> ParserTrainer:
    forms, tags, upos, heads, relations = (list(column) for column in zip(*TOKENS, strict=True))
    arguments: dict[str, object] = {
        "forms": forms,
        "tags": tags,
        "upos": upos,
        "heads": np.array(heads, dtype=np.int32),
        "relations": relations,
        "offsets": OFFSETS,
        "vector_words": ["dog", "cat", "mouse"],
        "vectors": np.linspace(-1, 1, 48, dtype=np.float32).reshape(3, 16),
        "options": SMALL,
    }
    return ParserTrainer(**{**arguments, **changes})


def trained(epochs: int = 60, **options: float) -> bytes:
    learner = trainer(options={**SMALL, **options})
    for _ in range(epochs):
        learner.epoch(0.01, 0.01)
    return learner.model()


def parse(model: bytes) -> tuple[list[int], list[str]]:
    strings = sorted({cell for token in TOKENS for cell in (*token[:3], token[4])})
    columns = [
        np.array([strings.index(token[i]) for token in TOKENS], dtype=np.int32) for i in range(3)
    ]
    parser = Parser(model)
    heads, relations = parser.parse(OFFSETS, *columns, strings, split=False)
    names = parser.relations
    return heads.tolist(), [names[i] for i in relations]


@given(
    st.integers(1, 5).flatmap(lambda n: arrays(np.int32, (n, n + 1), elements=st.integers(-9, 9)))
)
@settings(max_examples=150)
def test_the_maximum_tree_is_the_heaviest_of_all(scores: np.ndarray) -> None:
    heads = tuple(maximum_tree(scores).tolist())
    assert is_tree(heads)
    assert weight(scores, heads) == weight(scores, best_tree(scores))


@given(st.integers(6, 40).flatmap(lambda n: arrays(np.int32, (n, n + 1))))
@settings(max_examples=50)
def test_any_scores_give_a_tree(scores: np.ndarray) -> None:
    assert is_tree(tuple(maximum_tree(scores).tolist()))


def test_no_words_have_the_empty_tree() -> None:
    assert maximum_tree(np.zeros((0, 1), dtype=np.int32)).tolist() == []
    with pytest.raises(ValueError, match="score"):
        maximum_tree(np.zeros((2, 2), dtype=np.int32))


@pytest.mark.parametrize("seed", range(4))
def test_gradients_are_those_of_the_loss(seed: int) -> None:
    # Differences over a step of 1e-6 in double precision are good to about 1e-6.
    assert gradient_error(seed) < 1e-5


def test_a_tiny_treebank_is_learnt_by_heart() -> None:
    heads, relations = parse(trained())
    assert heads == [token[3] for token in TOKENS]
    assert relations == [token[4] for token in TOKENS]


def test_training_gives_the_same_bytes_every_time() -> None:
    noisy = {"noise_share": 0.5, "lower_share": 0.5, "dropout": 0.3}
    assert trained(3, **noisy) == trained(3, **noisy)
    assert trained(3, **noisy) != trained(3, **noisy, seed=2)


def test_the_loss_falls() -> None:
    # Nothing left out, so that losses of different passes can be compared.
    whole = {"dropout": 0.0, "unknown_words": 0.0, "blank_words": 0.0, "blank_tags": 0.0}
    learner = trainer(options={**SMALL, **whole})
    losses = [learner.epoch(0.01, 0.01) for _ in range(30)]
    assert losses[-1] < losses[0] / 4


def test_a_trained_model_is_read_alike_by_both_programs() -> None:
    model = trained(10)
    oracle = OracleParser(model)
    heads, relations = parse(model)
    first = 0
    for sentence in TREEBANK:
        last = first + len(sentence)
        forms, tags, upos = (list(column) for column in list(zip(*sentence, strict=True))[:3])
        expected = oracle.parse(forms, tags, upos, maximum_tree)
        assert list(zip(heads[first:last], relations[first:last], strict=True)) == expected
        first = last


def test_any_content_under_a_right_checksum_is_refused_or_gives_trees() -> None:
    model = trained(2)
    places = np.random.default_rng(1).integers(16, len(model), 300).tolist()
    # The front, where sizes and names are, is more likely to break something.
    for place in [*range(16, 120), *places]:
        content = bytearray(model)
        content[place] = 255 - content[place]
        content[8:16] = checksum(bytes(content[16:])).to_bytes(8, "little")
        try:
            heads, _ = parse(bytes(content))
        except ModelError:
            continue
        for first, last in pairwise(OFFSETS.tolist()):
            assert is_tree(tuple(heads[first:last]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tags": ["NN"]}, "differ in length"),
        ({"offsets": np.array([0, 3], dtype=np.int64)}, "offsets"),
        ({"heads": np.full(len(TOKENS), 9, dtype=np.int32)}, "outside its sentence"),
        ({"vector_words": ["dog"]}, "every vector"),
        ({"options": {"units": 100}}, "multiples of 16"),
        ({"options": {"unheard": 1}}, "no option unheard"),
        ({"options": {"dropout": 1.0}}, "dropout"),
    ],
)
def test_what_cannot_be_learnt_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        trainer(**changes)


def test_words_of_the_same_places_get_similar_vectors() -> None:
    # "a 0 b" and "a 1 b", "c 2 d" and "c 3 d": 0 and 1 are exchangeable, 0 and 2 are not.
    random = np.random.default_rng(1)
    words = random.integers(0, 4, 2000)
    frame = np.array([[4, 5], [4, 5], [6, 7], [6, 7]])[words]
    ends = np.full(len(words), -1)
    tokens = np.stack([frame[:, 0], words, frame[:, 1], ends], axis=1).ravel().astype(np.int32)
    options = {"words": 8, "size": 16, "window": 2, "negatives": 3, "epochs": 20, "rate": 0.05}
    rows = word_vectors(tokens, **options, seed=1).reshape(8, 16)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    similarity = rows @ rows.T
    assert min(similarity[0, 1], similarity[2, 3]) > max(similarity[0, 2], similarity[1, 3]) + 0.2
    assert (
        word_vectors(tokens, **options, seed=1) == word_vectors(tokens, **options, seed=1)
    ).all()


def test_a_token_that_is_no_word_is_refused() -> None:
    tokens = np.array([0, 5], dtype=np.int32)
    with pytest.raises(ValueError, match="word number"):
        word_vectors(tokens, words=5, size=8, window=1, negatives=1, epochs=1, rate=0.1, seed=1)
