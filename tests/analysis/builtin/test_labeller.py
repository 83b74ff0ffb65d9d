"""The compiled sequence labeller and its trainer against a slow reading of the same model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metaphrase_training import train_labeller

from metaphrase._core.analysis import ModelError
from metaphrase._core.labelling import Labeller
from metaphrase.analysis.builtin.labeller import Chunker, EntityRecogniser
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.errors import InputError, OptionError, ResourceError
from oracle.labeller import OracleLabeller
from oracle.tagger import mend

Token = tuple[str, str, str]

TREEBANK: list[list[Token]] = [
    [("Mary", "NNP", "B-PER"), ("Smith", "NNP", "I-PER"), ("left", "VBD", "O"), (".", ".", "O")],
    [("In", "IN", "O"), ("New", "NNP", "B-LOC"), ("York", "NNP", "I-LOC"), (",", ",", "O")],
    [("John", "NNP", "B-PER"), ("saw", "VBD", "O"), ("Mary", "NNP", "B-PER")],
    [("Smith", "NNP", "B-PER"), ("New", "NNP", "B-LOC"), ("York", "NNP", "I-LOC")],
    [("the", "DT", "O"), ("New", "JJ", "O"), ("dogs", "NNS", "O"), ("of", "IN", "O")],
    [("Rome", "NNP", "B-LOC")],
]


def tiny_model(*, treebank: list[list[Token]] = TREEBANK, **options: object) -> bytes:
    tokens = [token for sentence in treebank for token in sentence]
    arguments: dict[str, object] = {
        "task": "entity",
        "runs": True,
        "forms": [t[0] for t in tokens],
        "tags": [t[1] for t in tokens],
        "labels": [t[2] for t in tokens],
        "offsets": np.cumsum([0, *map(len, treebank)], dtype=np.int64),
        "class_words": ["Mary", "John", "York"],
        "fine": np.array([1, 1, 2], dtype=np.int32),
        "coarse": np.array([1, 1, 2], dtype=np.int32),
        "usage_words": ["dogs", "mary", "new", "new york", "new york city", "rome"],
        "usage": np.array([0, 1 << 10 | 8, 64, 4100, 4, 7], dtype=np.int32),
        "capitals": np.array([1, 5, 0, 0, 0, 5], dtype=np.int32),
        "epochs": 40,
        "seed": 1,
        "rate": 0.5,
        "shrinkage": 0.001,
        "min_count": 1,
        "least_weight": 0.01,
    }
    return train_labeller(**{**arguments, **options})  # type: ignore[arg-type]


def batch(sentences: list[list[tuple[str, str]]]) -> Batch:
    """Of words and tags; as spans do not matter here, every text is its words with blanks."""
    rows = []
    for sentence in sentences:
        forms = tuple(form for form, _ in sentence)
        places = tuple(range(len(forms)))
        tags = tuple(tag for _, tag in sentence)
        rows.append(Sentence(" ".join(forms), forms, places, places, tag=tags))
    return Batch.pack(rows, ["form", "tag"])


def label(
    model: Labeller, sentences: list[list[tuple[str, str]]], threads: int = 1
) -> list[list[str]]:
    packed = batch(sentences)
    form, tag = packed.columns["form"], packed.columns["tag"]
    numbers = model.label(packed.offsets, form, tag, list(packed.strings), threads=threads)
    names = [model.labels[n] for n in numbers.tolist()]
    return [names[a:b] for a, b in pairwise(packed.offsets.tolist())]


TINY = tiny_model()
ORACLE = OracleLabeller(TINY)
CORE = Labeller(TINY)

WORDS = st.one_of(
    st.sampled_from(
        ["Mary", "Smith", "New", "York", "dogs", "mary", "THE", "Rome", ".", ",", "of", "1990s"]
    ),
    st.text(st.sampled_from("abcXYZ019.-'éÑжΩ"), min_size=1, max_size=7),
)
TAGS = st.sampled_from(["NNP", "NNPS", "VBD", "IN", "JJ", ".", "DT", "XX"])
TOKENS = st.tuples(WORDS, TAGS)


@pytest.mark.parametrize(
    "text",
    [
        "Mary/NNP Smith/NNP left/VBD New/NNP York/NNP",
        "new/JJ york/NN",
        "IN/NNP NEW/NNP YORK/NNP CITY/NNP",
        "new/JJ york/NN city/NN dogs/NNS",
        "Rome/NNP",
        "Łódź/NNP and/CC Москва/NNP",
        "a/XX b/?? c/",
    ],
)
def test_the_core_finds_the_best_of_all_paths(text: str) -> None:
    tokens = [(form, tag) for form, _, tag in (piece.rpartition("/") for piece in text.split())]
    forms, tags = [form for form, _ in tokens], [tag for _, tag in tokens]
    assert ORACLE.score(forms, tags, label(CORE, [tokens])[0]) == ORACLE.best_score(forms, tags)


@settings(max_examples=60)
@given(st.lists(TOKENS, min_size=1, max_size=5))
def test_no_path_of_any_sentence_is_better(tokens: list[tuple[str, str]]) -> None:
    forms, tags = [form for form, _ in tokens], [tag for _, tag in tokens]
    assert ORACLE.score(forms, tags, label(CORE, [tokens])[0]) == ORACLE.best_score(forms, tags)


@settings(max_examples=30)
@given(st.lists(TOKENS, min_size=1, max_size=3))
def test_runs_of_names_can_be_left_out(tokens: list[tuple[str, str]]) -> None:
    model = tiny_model(runs=False, epochs=3)
    forms, tags = [form for form, _ in tokens], [tag for _, tag in tokens]
    oracle = OracleLabeller(model)
    found = label(Labeller(model), [tokens])[0]
    assert oracle.score(forms, tags, found) == oracle.best_score(forms, tags)


def test_a_tiny_text_is_learnt_by_heart() -> None:
    sentences = [[(form, tag) for form, tag, _ in sentence] for sentence in TREEBANK]
    assert label(CORE, sentences) == [[t[2] for t in sentence] for sentence in TREEBANK]


def test_training_gives_the_same_bytes_every_time() -> None:
    assert tiny_model() == TINY
    assert tiny_model(seed=2) != TINY
    assert tiny_model(rounds=3) == tiny_model(rounds=3) != TINY


def test_training_on_a_model_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to train on"):
        tiny_model(treebank=[])
    with pytest.raises(ValueError, match="nothing to train on"):
        tiny_model(rounds=0)
    with pytest.raises(ValueError, match="differ in length"):
        tiny_model(labels=["O"])
    with pytest.raises(ValueError, match="offsets"):
        tiny_model(offsets=np.array([0, 99], dtype=np.int64))
    with pytest.raises(ValueError, match="every word with classes"):
        tiny_model(class_words=[])
    with pytest.raises(ValueError, match="every word with a usage"):
        tiny_model(usage_words=[])


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        (["I-PER", "O"], "not IOB2"),
        (["B-PER", "I-LOC"], "not IOB2|no label is O"),
        (["O", "PER"], "not IOB2"),
        (["B-PER", "I-PER"], "no label is O"),
    ],
)
def test_only_iob2_trains(labels: list[str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        tiny_model(treebank=[[(f"w{i}", "NN", name) for i, name in enumerate(labels)]])


def is_iob2(labels: list[str]) -> bool:
    return all(
        not after.startswith("I-") or before[2:] == after[2:]
        for before, after in pairwise(["O", *labels])
    )


@settings(max_examples=60)
@given(st.lists(st.lists(TOKENS, max_size=30), max_size=5))
def test_labels_are_iob2_and_depend_on_nothing_but_the_sentence(
    sentences: list[list[tuple[str, str]]],
) -> None:
    together = label(CORE, sentences)
    assert all(map(is_iob2, together))
    assert together == [label(CORE, [sentence])[0] for sentence in sentences]


def test_threads_leave_no_trace() -> None:
    sentences = [
        [(f"w{i % 91}", "NNP"), ("Smith", "NNP"), ("New", "JJ")] * (i % 5) for i in range(1500)
    ]
    assert label(CORE, sentences) == label(CORE, sentences, threads=3)


def test_a_long_sentence_is_labelled_like_a_short_one() -> None:
    sentence = [("Mary", "NNP"), ("left", "VBD"), (".", ".")]
    labels = label(CORE, [sentence * 40_000])[0]
    assert len(labels) == 120_000
    assert labels[60_000:60_003] == label(CORE, [sentence * 3])[0][3:6]
    assert len(label(CORE, [[("Smith", "NNP")] * 100_000])[0]) == 100_000


def test_nothing_is_too_strange() -> None:
    strange = [
        "",
        "\0",
        "a\0b",
        "x" * 100_000,
        "\U0010ffff",
        "👨‍👩‍👧‍👦",
        "שלום",
        "é" * 1000,
        " ",
        "New York",
    ]
    labels = label(
        CORE, [[(form, "NNP") for form in strange], [(form, form) for form in strange], []]
    )
    assert [len(row) for row in labels] == [len(strange), len(strange), 0]
    assert label(CORE, []) == []


@pytest.mark.parametrize("size", [0, 3, 15, 16, 100, len(TINY) // 2, len(TINY) - 1])
def test_a_truncated_model_is_refused(size: int) -> None:
    with pytest.raises(ResourceError, match="MP225"):
        EntityRecogniser(TINY[:size])


@pytest.mark.parametrize("at", [0, 4, 8, 16, len(TINY) - 1])
def test_a_damaged_model_is_refused(at: int) -> None:
    damaged = bytearray(TINY)
    damaged[at] ^= 0x40
    with pytest.raises(ResourceError, match="MP225"):
        EntityRecogniser(bytes(damaged))


def test_damage_behind_a_right_checksum_is_refused_or_harmless() -> None:
    for at in range(16, len(TINY), 5):
        damaged = bytearray(TINY)
        damaged[at] ^= 0xFF
        try:
            model = Labeller(mend(bytes(damaged)))
        except ModelError:
            continue
        label(model, [[("Mary", "NNP"), ("saw", "VBD"), ("New", "NNP"), ("York", "NNP")]])


def test_a_model_for_another_column_is_refused() -> None:
    with pytest.raises(ResourceError, match=r"MP225.*'entity', not 'chunk'"):
        Chunker(TINY)


def test_a_missing_model_is_named(tmp_path) -> None:
    with pytest.raises(ResourceError, match=r"MP211.*nothing\.bin"):
        Chunker.load(tmp_path / "nothing.bin")


def test_a_model_of_ones_own_is_loaded(tmp_path) -> None:
    (tmp_path / "own.bin").write_bytes(TINY)
    own = EntityRecogniser.load(tmp_path / "own.bin")
    assert own.names == ("LOC", "PER", "O")
    assert own.add_to(batch([[("Mary", "NNP"), ("left", "VBD")]]))[0].entity == ("PER", "O")


def test_forms_and_tags_are_needed() -> None:
    row = Sentence("Mary", ("Mary",), (0,), (4,))
    with pytest.raises(InputError, match=r"MP227.*'tag'"):
        EntityRecogniser(TINY).label(Batch.pack([row]))


def test_a_lone_surrogate_is_named() -> None:
    with pytest.raises(InputError, match=r"MP106.*surrogate"):
        EntityRecogniser(TINY).label(batch([[("a\ud800", "NN")]]))


@pytest.mark.parametrize(
    ("offsets", "cells"),
    [
        ([0, 9], [0, 0]),
        ([1, 2], [0, 0]),
        ([0, 2, 1, 2], [0, 0]),
        ([], [0, 0]),
        ([0, 2], [0, 5]),
        ([0, 2], [-1, 0]),
    ],
)
def test_arrays_that_do_not_fit_are_refused(offsets: list[int], cells: list[int]) -> None:
    column = np.array(cells, dtype=np.int32)
    wrong = Batch(["x"], np.array(offsets, np.int64), {"form": column, "tag": column}, ["x"])
    with pytest.raises(InputError, match="MP229"):
        EntityRecogniser(TINY).label(wrong)


def test_no_threads_are_refused() -> None:
    with pytest.raises(OptionError, match="MP519"):
        EntityRecogniser(TINY).label(batch([]), threads=0)
