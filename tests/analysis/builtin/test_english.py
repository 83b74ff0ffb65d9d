"""The built-in English analyser keeps the analyser's contract."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.sentence import COLUMNS, Batch
from metaphrase.errors import InputError, OptionError, ResourceError

ALL = ("lemma", "tag", "upos", "head", "relation", "chunk", "entity")
TEXTS = [
    "The children were running slowly to their mothers' houses.",
    "",
    "I don't think it's true! She has been to Paris, hasn't she?",
    "   ",
    "Prices rose 3.5% in the U.S. last year... 😀",
]


@pytest.fixture(scope="module")
def analyser() -> BuiltinAnalyser:
    return BuiltinAnalyser.shipped("en")


def same(one: Batch, other: Batch) -> bool:
    return (
        list(one.texts) == list(other.texts)
        and np.array_equal(one.offsets, other.offsets)
        and one.columns.keys() == other.columns.keys()
        and all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)
        and list(one.strings) == list(other.strings)
    )


def test_it_is_an_analyser(analyser: BuiltinAnalyser) -> None:
    assert isinstance(analyser, Analyser)
    assert analyser.name == "builtin:en"
    assert analyser.columns == set(COLUMNS)


def test_a_sentence_is_tagged_and_lemmatised(analyser: BuiltinAnalyser) -> None:
    sentence = analyser.analyse(TEXTS[:1], ALL)[0]
    assert sentence.tag == ("DT", "NNS", "VBD", "VBG", "RB", "IN", "PRP$", "NNS", "POS", "NNS", ".")
    assert sentence.upos == (
        *("DET", "NOUN", "AUX", "VERB", "ADV", "ADP", "PRON", "NOUN", "PART", "NOUN", "PUNCT"),
    )
    assert sentence.lemma == (
        *("the", "child", "be", "run", "slowly", "to", "their", "mother", "'s", "house", "."),
    )


def test_a_sentence_is_parsed_and_its_phrases_and_names_are_found(
    analyser: BuiltinAnalyser,
) -> None:
    sentence = analyser.analyse(["Mary Smith was seen in Paris."], ALL)[0]
    assert sentence.head == (4, 1, 4, 0, 6, 4, 4)
    assert sentence.relation == (
        *("nsubj:pass", "flat", "aux:pass", "root", "case", "obl", "punct"),
    )
    assert sentence.chunk == ("B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "B-NP", "O")
    assert sentence.entity == ("PERSON", "PERSON", "O", "O", "O", "LOCATION", "O")


def test_only_what_is_asked_is_given(analyser: BuiltinAnalyser) -> None:
    assert set(analyser.analyse(TEXTS, ()).columns) == {"form", "start", "end"}
    assert set(analyser.analyse(TEXTS, ["upos"]).columns) == {"form", "start", "end", "upos"}
    assert set(analyser.analyse(TEXTS, ["head"]).columns) == {"form", "start", "end", "head"}


def test_columns_do_not_depend_on_each_other(analyser: BuiltinAnalyser) -> None:
    whole = analyser.analyse(TEXTS, ALL)
    for name in ALL:
        alone = analyser.analyse(TEXTS, [name])
        assert [s.column(name) for s in alone] == [s.column(name) for s in whole]


def test_arrays_have_the_types_of_a_batch(analyser: BuiltinAnalyser) -> None:
    batch = analyser.analyse(TEXTS, ALL)
    assert batch.offsets.dtype == np.int64
    assert all(column.dtype == np.int32 for column in batch.columns.values())
    assert len(batch.strings) == len(set(batch.strings))
    assert all(len(column) == batch.offsets[-1] for column in batch.columns.values())


def test_empty_input_gives_an_empty_batch(analyser: BuiltinAnalyser) -> None:
    batch = analyser.analyse([], ALL)
    assert len(batch) == 0
    assert batch.offsets.tolist() == [0]
    assert [len(s) for s in analyser.analyse(["", " \n", ""], ALL)] == [0, 0, 0]


def test_threads_leave_no_trace(analyser: BuiltinAnalyser) -> None:
    texts = [f"{text} Number {i} walks {i % 7} times." for i in range(700) for text in TEXTS]
    assert same(analyser.analyse(texts, ALL), analyser.analyse(texts, ALL, threads=3))


def test_the_size_of_a_batch_leaves_no_trace(analyser: BuiltinAnalyser) -> None:
    together = list(analyser.analyse(TEXTS, ALL))
    alone = [analyser.analyse([text], ALL)[0] for text in TEXTS]
    assert together == alone


def test_a_full_cache_leaves_no_trace(analyser: BuiltinAnalyser) -> None:
    # More word types than the cache of a thread holds, in one text: it is emptied in the middle.
    words = [f"w{i:x}ing" for i in range(40_000)]
    fresh = pickle.loads(pickle.dumps(analyser))
    texts = [" ".join(["She", "likes", *words, "and", "dogs", "."]), *TEXTS]
    long, *short = fresh.analyse(texts, ALL)
    assert short == list(analyser.analyse(TEXTS, ALL))
    middle = words[20_000:20_010]
    assert long.lemma is not None
    assert long.form[20_002:20_012] == tuple(middle)
    assert len(long) == 40_005


def test_many_threads_of_python_may_share_one(analyser: BuiltinAnalyser) -> None:
    expected = analyser.analyse(TEXTS * 50, ALL)
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(lambda _: analyser.analyse(TEXTS * 50, ALL), range(12)))
    assert all(same(expected, batch) for batch in batches)


def test_it_travels_between_processes(analyser: BuiltinAnalyser) -> None:
    assert pickle.loads(pickle.dumps(analyser)) is analyser
    assert len(pickle.dumps(analyser)) < 200


def test_the_fingerprint_names_the_model(analyser: BuiltinAnalyser) -> None:
    assert analyser.fingerprint([]) == BuiltinAnalyser.shipped("en").fingerprint([])
    assert len(analyser.fingerprint([])) < 24


def test_the_fingerprint_of_tags_knows_nothing_of_the_parser(analyser: BuiltinAnalyser) -> None:
    tags = analyser.fingerprint(["tag", "lemma"])
    assert tags == analyser.fingerprint([])
    assert analyser.fingerprint(["tag", "head"]).startswith(tags + "+")
    assert len({analyser.fingerprint([name]) for name in ("tag", "head", "chunk", "entity")}) == 4
    assert analyser.fingerprint(["head"]) == analyser.fingerprint(["relation"])


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "word " * 10_000,
        "a\0b \0 c",
        "שלום עולם، مرحبا بالعالم",
        "é\N{COMBINING ACUTE ACCENT}" * 1000,
        "👨‍👩‍👧‍👦" * 500,
        "\N{RIGHT-TO-LEFT OVERRIDE}abc\N{POP DIRECTIONAL FORMATTING}",
        "\U0010ffff\ufffe\uffff",
    ],
    ids=["megabyte", "tokens", "nul", "rtl", "combining", "emoji", "controls", "noncharacters"],
)
def test_no_text_is_too_strange(analyser: BuiltinAnalyser, text: str) -> None:
    sentence = analyser.analyse([text], ALL)[0]
    assert "".join(sentence.form) == "".join(text.split())


def test_a_lone_surrogate_is_named(analyser: BuiltinAnalyser) -> None:
    with pytest.raises(InputError, match=r"MP106.*Text 1 .*character 4"):
        analyser.analyse(["fine", "not \ud800 fine"], ALL)


def test_a_text_must_be_a_string(analyser: BuiltinAnalyser) -> None:
    with pytest.raises(InputError, match=r"MP103.*Text 1 is a NoneType"):
        analyser.analyse(["fine", None], ALL)  # type: ignore[list-item]


def test_unknown_columns_and_thread_numbers_are_refused(analyser: BuiltinAnalyser) -> None:
    with pytest.raises(OptionError, match=r"MP251.*'heads'"):
        analyser.analyse(TEXTS, ["heads"])
    with pytest.raises(OptionError, match="MP519"):
        analyser.analyse(TEXTS, (), threads=0)


def test_a_missing_model_is_named(tmp_path) -> None:
    with pytest.raises(ResourceError, match=r"MP211.*nothing\.bin"):
        BuiltinAnalyser.load(tmp_path / "nothing.bin")
