"""Pre-analysed sentences behind the interface of an analyser."""

import pytest

from metaphrase.analysis import Analyser, PreAnalysed, Sentence
from metaphrase.errors import InputError, OptionError


def word(text, lemma=None, tag=None):
    optional = {"lemma": lemma and (lemma,), "tag": tag and (tag,)}
    return Sentence(text, (text,), (0,), (len(text),), **optional)


def test_each_text_gets_its_sentence():
    analyser = PreAnalysed([word("a", "A"), word("b", "B")], "test")
    assert isinstance(analyser, Analyser)
    assert [row.lemma for row in analyser.analyse(["b", "a", "b"], ["lemma"])] == [
        ("B",),
        ("A",),
        ("B",),
    ]


def test_only_the_columns_asked_for_are_given():
    analyser = PreAnalysed([word("a", "A", "DT")], "test")
    assert list(analyser.analyse(["a"], ["tag"])) == [word("a", tag="DT")]


def test_of_two_analyses_the_first_counts():
    analyser = PreAnalysed([word("a", "first"), word("a", "second")], "test")
    assert analyser.analyse(["a"], ["lemma"])[0].lemma == ("first",)


def test_a_missing_text_is_named():
    with pytest.raises(InputError, match=r"MP280.*text 'c'.*'test'"):
        PreAnalysed([word("a")], "test").analyse(["a", "c"], [])


def test_a_missing_column_is_named():
    analyser = PreAnalysed([word("a", "A"), word("b")], "test")
    assert analyser.columns == {"form", "start", "end"}
    with pytest.raises(OptionError, match=r"MP252.*'test' cannot compute 'lemma'"):
        analyser.analyse(["a"], ["lemma"])


@pytest.mark.parametrize(
    ("column", "said", "unsaid"),
    [("chunk", "Chunk=", "NER="), ("entity", "NER=", "Chunk="), ("lemma", "Every word", "=")],
)
def test_where_a_file_has_a_missing_column_is_said(column, said, unsaid):
    with pytest.raises(OptionError, match="MP252") as error:
        PreAnalysed([word("a")], "conllu").analyse(["a"], [column])
    assert said in error.value.hint
    assert unsaid not in error.value.hint


def test_a_column_that_does_not_exist_is_named():
    with pytest.raises(OptionError, match=r"MP251.*'lemmma'"):
        PreAnalysed([word("a")], "test").analyse(["a"], ["lemmma"])


def test_an_empty_text_needs_no_analysis():
    analyser = PreAnalysed([word("a", "A"), Sentence("-", (), (), ())], "test")
    rows = list(analyser.analyse(["", " ", "-"], ["lemma"]))
    assert [(row.text, row.lemma) for row in rows] == [("", ()), (" ", ()), ("-", ())]


def test_the_fingerprint_is_that_of_the_content():
    rows = [word("a", "A"), word("b", "B")]
    first = PreAnalysed(rows, "one").fingerprint([])
    assert PreAnalysed(rows[::-1], "another").fingerprint([]) == first
    assert PreAnalysed([word("a", "A"), word("b", "C")], "one").fingerprint([]) != first


def test_a_normalised_text_finds_the_sentence_that_it_was():
    text = "He can’t co\xadoperate…"
    forms = ("He", "ca", "n’t", "co\xadoperate", "…")
    starts, ends = (0, 3, 5, 9, 19), (2, 5, 8, 19, 20)
    analyser = PreAnalysed([Sentence(text, forms, starts, ends, lemma=forms)], "test")
    (row,) = analyser.analyse(["He can't cooperate..."], ["lemma"])
    assert row.form == row.lemma == ("He", "ca", "n't", "cooperate", "...")
    assert [row.text[a:b] for a, b in zip(row.start, row.end, strict=True)] == list(row.form)
    assert analyser.analyse([text], ["lemma"])[0].form == forms
