"""German compounds: the split with the largest geometric mean of frequencies (METRICS 3.1)."""

from __future__ import annotations

import gzip
import math
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase import analysis
from metaphrase.analysis.builtin.compounds import CompoundTable
from metaphrase.errors import ResourceError
from oracle.compounds import best_mean, mean_log_frequency

words = st.text("abs", min_size=1, max_size=5)
tables = st.dictionaries(words, st.integers(0, 50), max_size=12)


@given(tables, st.text("abs", min_size=1, max_size=10), st.integers(1, 3), st.booleans())
def test_no_split_has_a_larger_mean(
    counts: dict[str, int], word: str, shortest: int, links: bool
) -> None:
    linking = ["s", "bs"] if links else []
    table = CompoundTable(counts, shortest=shortest, linking=linking)
    parts = table.split(word)
    best = best_mean(word, counts, linking, shortest)
    assert "".join(parts) == word
    if best == -math.inf:
        assert parts == [word]
    elif len(word) >= 2 * shortest:
        assert mean_log_frequency(parts, counts, linking, shortest) == pytest.approx(
            best, abs=1e-12
        )


def test_a_frequent_whole_stays_whole() -> None:
    # √(90·90) = 90 < 100.
    assert CompoundTable({"haus": 90, "boot": 90, "hausboot": 100}).split("Hausboot") == [
        "Hausboot"
    ]


def test_frequent_parts_win_over_a_rare_whole() -> None:
    # √(90·90) = 90 > 5.
    assert CompoundTable({"haus": 90, "boot": 90, "hausboot": 5}).split("Hausboot") == [
        "Haus",
        "boot",
    ]


def test_a_linking_element_stays_with_the_part_before_it() -> None:
    table = CompoundTable({"arbeit": 50, "markt": 50})
    assert table.split("Arbeitsmarkt") == ["Arbeits", "markt"]
    assert CompoundTable({"arbeit": 50, "markt": 50}, linking=()).split("Arbeitsmarkt") == [
        "Arbeitsmarkt"
    ]


def test_a_word_beyond_all_measure_stays_whole() -> None:
    word = "haus" * 1000
    assert CompoundTable({"haus": 9}).split(word) == [word]


def test_parts_are_tokens_with_spans_inside_the_noun() -> None:
    text = "Die Bundestagswahl beschäftigt den Arbeitsmarkt."
    batch = analysis.load("builtin:de+compounds").analyse([text], ["lemma", "tag", "upos"])
    sentence = batch[0]
    assert [text[a:b] for a, b in zip(sentence.start, sentence.end, strict=True)] == list(
        sentence.form
    )
    assert sentence.form == (
        "Die",
        "Bundestags",
        "wahl",
        "beschäftigt",
        "den",
        "Arbeits",
        "markt",
        ".",
    )
    # Linking elements are no part of a lemma, and every part is tagged as the noun it is.
    assert sentence.column("lemma")[1:3] == ("Bundestag", "Wahl")
    assert sentence.column("lemma")[5:7] == ("Arbeit", "Markt")
    assert [sentence.column("tag")[i] for i in (1, 2, 5, 6)] == ["NN"] * 4


def test_tokens_do_not_depend_on_the_columns_asked_for() -> None:
    analyser = analysis.load("builtin:de+compounds")
    texts = ["Der Klimawandel ist ein Forschungsthema.", "Ja.", "", "Krankenhausverwaltung"]
    few, many = analyser.analyse(texts, []), analyser.analyse(texts, ["lemma", "tag", "upos"])
    assert [row.form for row in few] == [row.form for row in many]


def test_the_analyser_with_compounds_has_a_fingerprint_of_its_own_and_can_be_pickled() -> None:
    plain, split = analysis.load("builtin:de"), analysis.load("builtin:de+compounds")
    assert plain.fingerprint(["tag"]) != split.fingerprint(["tag"])
    assert pickle.loads(pickle.dumps(split)) is split


def test_a_damaged_table_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv.gz"
    tables = (
        b"",
        b"word\tmany",
        b"word",
        b"a\t1\tb",
        b"word\t-1",
        b"word\t2147483648",
        b"a\t" + b"9" * 5000,
    )
    for content in (b"", b"no gzip", *map(gzip.compress, tables)):
        path.write_bytes(content)
        with pytest.raises(ResourceError, match=r"MP238.*table\.tsv\.gz"):
            CompoundTable.read(path)
    with pytest.raises(ResourceError, match="MP238"):
        CompoundTable.read(tmp_path / "missing")


def test_sentences_with_compounds_do_not_depend_on_what_came_before() -> None:
    """The case of a text is judged by the parts as the tagger reads them, not by what memory held."""
    analyser = analysis.shared("builtin:de+compounds")
    nouns = ["Schnellverfahren", "Haushaltsausschuss", "Umweltministerium", "Arbeitsmarktpolitik"]
    verbs = ["übernehmen", "entscheiden", "verfahren", "ANTWORTEN"]
    sentences = [
        f"{first} im {noun} Sie {verb} {other} 5 ."
        for first in ("Heute", "und", "EU")
        for noun in nouns
        for verb in verbs
        for other in (*nouns, "das")
    ]
    columns = ("lemma", "tag")
    expected = dict(zip(sentences, analyser.analyse(sentences, columns), strict=True))
    for order in (sentences[::-1], sentences[1::2] + sentences[::2]):
        for threads in (1, 2):
            found = analyser.analyse(order, columns, threads=threads)
            assert [expected[text] for text in order] == list(found)
