"""The compiled tagger, lemmatiser and trainer against a slow reading of the same model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metaphrase_training import train_analyser, word_classes

from metaphrase._core.analysis import ModelError
from metaphrase._core.analysis import TextAnalyser as Core
from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.errors import ResourceError
from metaphrase.shipped import shipped_file
from oracle.tagger import OracleTagger, mend

MODEL = shipped_file("english.bin").read_bytes()

TREEBANK = [
    [("The", "the", "DT", "DET"), ("dogs", "dog", "NNS", "NOUN"), ("bark", "bark", "VBP", "VERB")],
    [("The", "the", "DT", "DET"), ("bark", "bark", "NN", "NOUN"), ("is", "be", "VBZ", "AUX")],
    [
        ("Cats", "cat", "NNS", "NOUN"),
        ("hunted", "hunt", "VBD", "VERB"),
        ("mice", "mouse", "NNS", "NOUN"),
    ],
    [("Mary", "Mary", "NNP", "PROPN"), ("hoped", "hope", "VBD", "VERB"), (".", ".", ".", "PUNCT")],
    [("IBM", "IBM", "NNP", "PROPN"), ("is", "be", "VBZ", "AUX"), ("big", "big", "JJ", "ADJ")],
]


def tiny_model(**options: object) -> bytes:
    tokens = [token for sentence in TREEBANK for token in sentence]
    arguments: dict[str, object] = {
        "forms": [t[0] for t in tokens],
        "lemmas": [t[1] for t in tokens],
        "tags": [t[2] for t in tokens],
        "upos": [t[3] for t in tokens],
        "lemma_weights": np.ones(len(tokens), dtype=np.int32),
        "offsets": np.cumsum([0, *map(len, TREEBANK)], dtype=np.int64),
        "class_words": ["dogs", "cats", "the"],
        "fine": np.array([1, 1, 2], dtype=np.int32),
        "coarse": np.array([1, 1, 2], dtype=np.int32),
        "case_words": ["mary", "bark"],
        "capitals": np.array([6, 1], dtype=np.int32),
        "known_tags": ["VBD", "XX"],
        "known_forms": ["fled", "x"],
        "known_lemmas": ["flee", "y"],
        "epochs": 30,
        "seed": 1,
        "rate": 0.5,
        "rare_share": 0.0,
        "lower_share": 0.1,
        "title_share": 0.1,
        "join_share": 0.1,
        "min_updates": 1,
        "min_label_count": 1,
        "min_ambiguity_count": 2,
    }
    return train_analyser(**{**arguments, **options})


@pytest.fixture(scope="module")
def oracle() -> OracleTagger:
    return OracleTagger(MODEL)


def tag(model: Core, sentences: list[list[str]]) -> list[list[tuple[str, str]]]:
    offsets, columns, strings = model.analyse_tokens(
        sentences, lemma=False, tag=True, upos=True, threads=1
    )
    pairs = [(strings[t], strings[u]) for t, u in zip(columns["tag"], columns["upos"], strict=True)]
    return [pairs[a:b] for a, b in pairwise(offsets)]


CORE = Core(MODEL)


@pytest.mark.parametrize(
    "sentence",
    [
        "The quick brown fox jumps over the lazy dog .",
        "I saw her duck , but it was n't hers .",
        "In 1998 , IBM 's shares rose 3.5 % to $ 120.25 -- a record !",
        "Time flies like an arrow ; fruit flies like a banana .",
        "HE SAID NOTHING AND LEFT THE ROOM .",
        "Łódź and Москва are well - known cities , are n't they ?",
        "the the the THE The",
        ".",
    ],
)
def test_the_core_tags_as_the_oracle(oracle: OracleTagger, sentence: str) -> None:
    assert tag(CORE, [sentence.split()]) == [oracle.tag(sentence.split())]


WORDS = st.one_of(
    st.sampled_from(
        [
            "the",
            "a",
            "dog",
            "run",
            "runs",
            "running",
            "saw",
            "It",
            "'s",
            "n't",
            ".",
            ",",
            "?",
            "to",
            "that",
            "like",
            "1990s",
            "co-op",
            "U.S.",
            "--",
            "(",
            ")",
        ]
    ),
    st.text(st.sampled_from("abcdeXYZ019.-'éÑжΩ%_"), min_size=1, max_size=9),
)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=12))
def test_the_core_tags_any_words_as_the_oracle(oracle: OracleTagger, sentence: list[str]) -> None:
    assert tag(CORE, [sentence]) == [oracle.tag(sentence)]


def test_every_label_has_a_tag_and_a_universal_tag() -> None:
    assert ("NN", "NOUN") in CORE.labels
    assert all(tag and upos for tag, upos in CORE.labels)


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("went", "VBD", "go"),  # irregular
        ("hoping", "VBG", "hope"),
        ("hopping", "VBG", "hop"),
        ("cities", "NNS", "city"),
        ("children", "NNS", "child"),
        ("better", "JJR", "good"),
        ("better", "RBR", "well"),
        ("n't", "RB", "not"),
        ("’s", "POS", "'s"),
        ("Running", "VBG", "run"),  # capitals of a sentence's start go
        ("WALKED", "VBD", "walk"),
        ("Smith", "NNP", "Smith"),  # those of a name stay
        ("people", "NNS", "people"),  # EWT's lemma, where GUM has "person"
        ("blorbing", "VBG", "blorb"),  # never seen
        ("zorgs", "NNS", "zorg"),
    ],
)
def test_lemmas_follow_the_treebank(form: str, tag: str, lemma: str) -> None:
    assert CORE.lemmatise([form], [tag]) == [lemma]


def test_a_tag_decides_the_lemma() -> None:
    assert CORE.lemmatise(["saw", "saw"], ["VBD", "NN"]) == ["see", "saw"]


def test_training_on_a_tiny_treebank_learns_it_by_heart() -> None:
    model = Core(tiny_model())
    sentences = [[token[0] for token in sentence] for sentence in TREEBANK]
    assert tag(model, sentences) == [[(t[2], t[3]) for t in sentence] for sentence in TREEBANK]
    for sentence in TREEBANK:
        assert model.lemmatise([t[0] for t in sentence], [t[2] for t in sentence]) == [
            t[1] for t in sentence
        ]


def test_known_lemmas_speak_where_the_treebank_is_silent() -> None:
    assert Core(tiny_model()).lemmatise(["fled", "Fled"], ["VBD", "VBD"]) == ["flee", "flee"]


def test_training_gives_the_same_bytes_every_time() -> None:
    assert tiny_model() == tiny_model()
    assert tiny_model() != tiny_model(seed=2)


def test_the_oracle_agrees_on_a_tiny_model() -> None:
    model = tiny_model()
    sentences = [[token[0] for token in sentence] for sentence in TREEBANK]
    assert tag(Core(model), sentences) == [OracleTagger(model).tag(s) for s in sentences]


def test_columns_of_unequal_length_do_not_train() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        tiny_model(lemmas=["one"])
    with pytest.raises(ValueError, match="do not rise"):
        tiny_model(offsets=np.array([0, 99], dtype=np.int64))


@pytest.mark.parametrize("size", [0, 3, 15, 16, 100, len(MODEL) // 2, len(MODEL) - 1])
def test_a_truncated_model_is_refused(size: int) -> None:
    with pytest.raises(ResourceError, match="MP210"):
        BuiltinAnalyser(MODEL[:size])


@pytest.mark.parametrize("at", [0, 4, 8, 16, 1000, len(MODEL) - 1])
def test_a_damaged_model_is_refused(at: int) -> None:
    damaged = bytearray(MODEL)
    damaged[at] ^= 0x40
    with pytest.raises(ResourceError, match="MP210"):
        BuiltinAnalyser(bytes(damaged))


def test_damage_behind_a_right_checksum_is_refused_or_harmless() -> None:
    # The reader itself, with the checksum mended: any byte of a tiny model may be wrong.
    model = tiny_model()
    for at in range(16, len(model), 7):
        damaged = bytearray(model)
        damaged[at] ^= 0xFF
        try:
            core = Core(mend(bytes(damaged)))
        except ModelError:
            continue
        core.analyse_tokens(
            [["The", "dogs", "hoped", "."]], lemma=True, tag=True, upos=True, threads=1
        )


def test_words_in_like_places_share_a_class() -> None:
    # Determiner, noun, verb in every sentence: the three classes are those three kinds of word.
    kinds = {"determiner": range(2), "noun": range(2, 10), "verb": range(10, 16)}
    draw = np.random.default_rng(1)
    sentences = [[int(draw.choice(kind)) for kind in kinds.values()] for _ in range(400)]
    tokens = np.array([token for s in sentences for token in [*s, -1]], dtype=np.int32)
    classes = word_classes(tokens, words=16, classes=3, passes=20)
    assert [len({int(classes[w]) for w in kind}) for kind in kinds.values()] == [1, 1, 1]
    assert len(set(classes.tolist())) == 3
