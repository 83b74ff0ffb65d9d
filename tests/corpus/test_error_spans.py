"""Error spans as JSON Lines: what is read, what is written, and which file is one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.judged.error_spans import read_error_spans, write_error_spans
from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
from metaphrase.corpus.opening.ratings import read_ratings, says_who_judged
from metaphrase.corpus.ratings import MarkedError

CAT = {
    "set": "news",
    "lp": "de-en",
    "system": "A",
    "doc": "d",
    "seg": "1",
    "source": "Die Katze schläft.",
    "references": ["The cat sleeps.", "The cat is asleep."],
    "hypothesis": "The dog sleeps.",
    "ratings": [
        {
            "rater": "ann",
            "score": 40,
            "spans": [
                {
                    "side": "target",
                    "start": 4,
                    "end": 7,
                    "severity": "major",
                    "category": "Accuracy/Mistranslation",
                    "points": 12.5,
                    "correction": "cat",
                },
                {"side": "none", "severity": "minor"},
                {"side": "source", "start": 0, "end": 3, "severity": "Critical"},
            ],
        },
        {"rater": "bob", "score": 90, "spans": []},
    ],
}


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def test_spans_are_characters_of_the_hypothesis(tmp_path: Path) -> None:
    (found,) = read_error_spans(written(tmp_path / "a.jsonl", CAT))
    (item,) = found.items.values()
    assert (found.name, found.language_pair, found.protocol) == ("news", "de-en", "esa")
    assert (item.system, item.document, item.segment) == ("A", "d", "1")
    assert item.references == ("The cat sleeps.", "The cat is asleep.")
    ann, bob = found.ratings
    assert ann.errors == (
        MarkedError("major", "Accuracy/Mistranslation", (4, 7), 12.5, "cat"),
        MarkedError("minor"),
        MarkedError("critical"),
    )
    assert (ann.judge, ann.score, ann.line) == ("ann", 40.0, 1)
    assert item.hypothesis[4:7] == "dog"
    assert (bob.errors, bob.score) == ((), 90.0)


def test_most_of_a_line_may_be_missing(tmp_path: Path) -> None:
    row = {"system": "A", "seg": 7, "hypothesis": "a", "ratings": [{"spans": []}]}
    (found,) = read_error_spans(written(tmp_path / "mine.spans.jsonl", row))
    assert (found.name, found.language_pair, found.protocol) == ("mine", "", "mqm")
    assert [item.segment for item in found.items.values()] == ["7"]


def test_data_sets_and_pairs_are_apart_and_raters_may_stand_in_lines_of_their_own(
    tmp_path: Path,
) -> None:
    one, other = ({**CAT, "ratings": [rating]} for rating in CAT["ratings"])  # type: ignore[attr-defined]
    path = written(tmp_path / "a.jsonl", one, {**CAT, "lp": "fr-en"}, other)
    german, french = read_error_spans(path)
    assert (len(german.items), german.judges) == (1, ("ann", "bob"))
    assert french.language_pair == "fr-en"


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", CAT, {**CAT, "lp": "fr-en", "seg": "zwei\n"})
    found = read_error_spans(path)
    again = tmp_path / "b.jsonl"
    write_error_spans(found, again)
    for one, other in zip(found, read_error_spans(again), strict=True):
        assert (one.name, one.language_pair, one.protocol) == (
            other.name,
            other.language_pair,
            other.protocol,
        )
        assert dict(one.items) == dict(other.items)
        assert one.ratings == other.ratings


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a"])
def test_it_is_recognised_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    data = (json.dumps(CAT) + "\n").encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    found = format_of(path)
    assert found is not None
    assert found.name == "error-spans"
    assert says_who_judged(str(path))
    (ratings,) = read_ratings([str(path)])
    assert len(ratings.ratings) == 2


def test_scores_are_judgements(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", CAT)
    ((judged,), _) = read_judgement_files(JudgementFiles(judgements=[str(path)]))
    assert judged.human.tolist() == [[65.0]]
