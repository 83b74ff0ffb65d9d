"""Candidates in files: the same sentences from every format, and every slip named by file and line."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus.formats.candidates import open_candidates
from metaphrase.corpus.formats.candidates.rows import CandidateRow, put_together
from metaphrase.errors import InputError, MetaphraseError, OptionError

SENTENCES = [["a cat", "the cat", "a cat"], ["he ran", ""]]
LOGARITHMS = [[-1.0, -2.5, -3.0], [-0.5, -4.0]]
#: Writes a file, and says what it is called.
Writes = Callable[[str, str], str]


@pytest.fixture
def writes(tmp_path: Path) -> Writes:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(path)

    return write


def refused(code: str, words: str, line: int | None, path: str, **options: object) -> None:
    with pytest.raises(MetaphraseError) as error:
        list(open_candidates([path], **options))  # type: ignore[arg-type]
    found = error.value
    assert (found.code, found.path, found.line) == (code, path, line), str(found)
    assert words in str(found)


def rows() -> Iterator[tuple[int, str, float]]:
    for number, (texts, logarithms) in enumerate(zip(SENTENCES, LOGARITHMS, strict=True)):
        yield from ((number, text, value) for text, value in zip(texts, logarithms, strict=True))


FILES = {
    "rows.tsv": "id\ttext\tlogprob\n" + "".join(f"{i}\t{t}\t{p}\n" for i, t, p in rows()),
    "odd.tsv": "p\tmt\tseg\n" + "".join(f"{p}\t{t}\t{i}\n" for i, t, p in rows()),
    "rows.jsonl": "".join(
        json.dumps({"id": i, "text": t, "logprob": p, "rank": 1}) + "\n" for i, t, p in rows()
    ),
    "sentences.jsonl.gz": "".join(
        json.dumps({"id": str(i), "candidates": texts, "logprobs": logarithms}) + "\n"
        for i, (texts, logarithms) in enumerate(zip(SENTENCES, LOGARITHMS, strict=True))
    ),
    "moses.txt": "".join(f"{i} ||| {t} ||| LM= -1 ||| {p}\n" for i, t, p in rows()),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_has_the_same_sentences(name: str, writes: Writes) -> None:
    columns = {"text": "mt", "logprob": "p"} if name == "odd.tsv" else {}
    found = list(open_candidates([writes(name, FILES[name])], columns=columns))
    assert [list(one.texts) for one in found] == SENTENCES
    assert [one.weights for one in found] == LOGARITHMS
    assert [one.name for one in found] == ["0", "1"]
    assert all(one.are_logarithms for one in found)


def test_lines_are_so_many_at_a_time(writes: Writes) -> None:
    path = writes("c.txt", "a\nb\nc\nd\n")
    found = list(open_candidates([path], per_sentence=2))
    assert [(list(one.texts), one.line) for one in found] == [(["a", "b"], 1), (["c", "d"], 3)]


def test_files_of_systems_are_side_by_side(writes: Writes) -> None:
    paths = [writes(name, text) for name, text in (("a", "a1\na2\n"), ("b.gz", "b1\nb2\n"))]
    assert [list(one.texts) for one in open_candidates(paths)] == [["a1", "b1"], ["a2", "b2"]]


def test_rows_without_ids_are_so_many_at_a_time(writes: Writes) -> None:
    path = writes("c.tsv", "text\tprob\na\t1\nb\t2\n")
    (found,) = open_candidates([path], per_sentence=2)
    assert found.weights == [1.0, 2.0]
    assert not found.are_logarithms


def test_a_sentence_may_bring_all_that_there_is(writes: Writes) -> None:
    sentence = {
        "candidates": ["a\tb", "c\nd"],
        "samples": ["e"],
        "weights": [2],
        "references": ["r", "s"],
        "source": "q",
    }
    (found,) = open_candidates([writes("c.jsonl", json.dumps(sentence) + "\n")])
    assert (list(found.texts), list(found.samples or ())) == (["a\tb", "c\nd"], ["e"])
    assert (list(found.references), found.source, found.weights) == (["r", "s"], "q", [2.0])


def test_the_probability_of_nothing_is_a_number(writes: Writes) -> None:
    (found,) = open_candidates([writes("c.tsv", "id\ttext\tlogprob\n1\ta\t-inf\n1\tb\t-1\n")])
    assert found.weights == [-math.inf, -1.0]


@pytest.mark.parametrize(
    ("name", "text", "code", "words", "line"),
    [
        ("c.tsv", "id\ttext\n1\ta\n2\tb\n1\tc\n", "MP856", "'1' comes again", 4),
        ("c.tsv", "id\ttext\tlogprob\n1\ta\tnan\n", "MP857", "'nan'", 2),
        ("c.tsv", "id\ttext\tlogprob\n1\ta\t\n", "MP857", "''", 2),
        ("c.tsv", "id\ttext\tweight\n1\ta\t-1\n", "MP857", "at least 0", 2),
        ("c.tsv", "id\ttext\tlogprob\tweight\n1\ta\t-1\t1\n", "MP857", "both", 1),
        ("c.tsv", "id\ttext\tcandidate\n1\ta\tb\n", "MP858", "Both 'text'", 1),
        ("c.tsv", "id\ttext\tlogprobb\n1\ta\t1\n", "MP858", "'logprob'", 1),
        ("c.tsv", "id\ttext\n \ta\n", "MP858", "empty", 2),
        ("c.tsv", "id\ttext\n1\ta\tb\n", "MP141", "3 cells", 2),
        ("c.tsv", "id\ttext\tsource\n1\ta\tx\n1\tb\ty\n", "MP145", "line 2", 3),
        ("c.tsv", "id\ttext\n", "MP850", "no candidate", 1),
        ("c.jsonl", '{"id": 1, "text": "a"}\n{"id": 1}\n', "MP858", "called like", 2),
        ("c.jsonl", '{"id": 1, "text": "a"}\n{"text": "a"}\n', "MP858", "id", 2),
        ("c.jsonl", '{"id": 1, "texst": "a"}\n', "MP858", "mean 'text'", 1),
        ("c.jsonl", '{"id": 1, "mt": "a"}\n', "MP858", "--columns text", 1),
        ("c.jsonl", '{"id": true, "text": "a"}\n', "MP103", "bool", 1),
        ("c.jsonl", '{"id": 1, "text": 2}\n', "MP103", "int", 1),
        ("c.jsonl", '{"candidates": "a"}\n', "MP107", "not a list", 1),
        ("c.jsonl", '{"candidates": ["a", null]}\n', "MP103", "NoneType", 1),
        ("c.jsonl", '{"candidates": ["a"], "logprobs": [NaN]}\n', "MP857", "nan", 1),
        ("c.jsonl", '{"candidates": ["a"], "logprobs": -1}\n', "MP857", "not a list", 1),
        ("c.jsonl", '{"candidates": ["a"], "logprob": -1}\n', "MP858", "'logprob'", 1),
        ("c.jsonl", '{"candidates": ["a"]}\n\n', "MP142", "JSON", 2),
        ("c.txt", "0 ||| a ||| f ||| -1\n0 ||| b\n", "MP858", "score", 2),
        ("c.txt", "0 ||| a ||| f ||| x\n", "MP857", "'x'", 1),
        ("c.txt", "0 ||| a\n1 ||| a\n0 ||| a\n", "MP856", "'0'", 3),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(
    name: str, text: str, code: str, words: str, line: int, writes: Writes
) -> None:
    refused(code, words, line, writes(name, text))


def test_nobody_guesses_how_many_candidates_there_are(writes: Writes) -> None:
    path = writes("c.txt", "a\nb\nc\n")
    refused("MP854", "did you forget --per-sentence?", None, path)
    refused("MP854", "has 1 candidates, not 2", 3, path, per_sentence=2)
    refused("MP854", "has 2", 2, writes("c.tsv", "id\ttext\n1\ta\n1\tb\n"), per_sentence=3)


def test_files_that_do_not_go_together_are_refused(writes: Writes) -> None:
    one, two = writes("a.txt", "a\nb\n"), writes("b.txt", "a\n")
    with pytest.raises(InputError, match=r"MP855.*a\.txt has 2.*b\.txt has 1"):
        list(open_candidates([one, two]))
    with pytest.raises(InputError, match=r"MP855.*jsonl"):
        open_candidates([one, writes("c.jsonl", '{"candidates": []}\n')])
    with pytest.raises(OptionError, match=r"MP854.*one file"):
        open_candidates([one, one], per_sentence=2)
    with pytest.raises(OptionError, match="MP109"):
        open_candidates([one], columns={"nonsense": "x"})


def test_other_formats_are_not_read_as_text(writes: Writes) -> None:
    path = writes("c.html", "<!DOCTYPE html>\n<html></html>\n")
    refused("MP609", "--from plain", None, path, per_sentence=1)
    assert len(list(open_candidates([path], per_sentence=1, file_format="plain"))) == 2


_LINES = st.lists(
    st.one_of(
        st.text(alphabet='01ab{}[]":,\t| -.\ud800é', max_size=20),
        st.sampled_from(["id\ttext\tlogprob", "1\ta\t-1", "0 ||| a ||| f ||| -1", "", "a"]),
        st.sampled_from(['{"id": 1, "text": "a"}', '{"texts": ["a"]}', '{"texts": [1e999]}']),
    ),
    max_size=6,
)


@given(_LINES, st.none() | st.integers(1, 3), st.sampled_from([None, "plain", "jsonl", "tsv"]))
def test_whatever_a_file_has_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    per_sentence: int | None,
    file_format: str | None,
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.txt"
    path.write_bytes("\n".join(texts).encode(errors="surrogatepass"))
    with suppress(MetaphraseError):
        assert list(
            open_candidates([str(path)], per_sentence=per_sentence, file_format=file_format)
        )


@given(st.lists(st.sampled_from(["1", "2", "3", "4", "01", "x", "y"]), min_size=1, max_size=12))
def test_an_id_that_comes_again_is_always_noticed(names: list[str]) -> None:
    """Whether ids count up, which takes no memory, or not."""
    together = [name for i, name in enumerate(names) if i == 0 or names[i - 1] != name]
    given_rows = (CandidateRow(line=i, text="t", name=name) for i, name in enumerate(names, 1))
    sentences = put_together(given_rows, "f", None, logarithms=False)
    if len(set(together)) == len(together):
        assert [one.name for one in sentences] == together
        return
    with pytest.raises(InputError, match="MP856"):
        list(sentences)
