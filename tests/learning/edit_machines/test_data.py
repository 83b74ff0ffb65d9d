"""Judged translations become rows with targets."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.learning.edit_machines.data import read_training_data
from metaphrase.learning.edit_machines.validation import folds_by_group

Table = Callable[..., Path]


def test_a_row_for_each_score(score_table: Table) -> None:
    rows = [("de-en", "a", "b", "1.5"), ("de-en", "c", "d", ""), ("fr-en", "e", "f", "-2")]
    data = read_training_data([score_table(rows)])
    assert list(data.hypotheses) == ["b", "f"]
    assert list(data.references) == ["a", "e"]
    assert data.targets.tolist() == [1.5, -2.0]
    assert list(data.language_pairs) == ["de-en", "fr-en"]


def test_of_several_references_the_first_or_each(score_table: Table) -> None:
    path = score_table([("de-en", "a ||| b", "h", "1"), ("de-en", "c", "h", "2")])
    assert list(read_training_data([path]).references) == ["a", "c"]
    each = read_training_data([path], references="each")
    assert list(each.references) == ["a", "b", "c"]
    assert each.targets.tolist() == [1, 1, 2]
    assert each.judgement.tolist() == [0, 0, 1]


def test_standardised_by_data_set_and_language_pair(score_table: Table) -> None:
    one = score_table(
        [("de-en", "a", "b", str(score)) for score in (0, 50, 100)]
        + [("fr-en", "a", "b", str(score)) for score in (7, 8, 9)],
    )
    other = score_table([("de-en", "a", "b", str(s)) for s in (1, 1)], "other", "t")
    data = read_training_data([one, other], standardise=True)
    # (0 - 50) / 50, with the sample's deviation; scores without a spread are all average.
    assert data.targets.tolist() == [-1, 0, 1, -1, 0, 1, 0, 0]


def test_a_file_is_known_by_its_judgements(score_table: Table, tmp_path: Path) -> None:
    rows = [("de-en", "a", "b", "1"), ("de-en", "c", "d", "2")]
    path = score_table(rows)
    packed = tmp_path / "packed.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    (source,) = read_training_data([path]).sources
    (same,) = read_training_data([packed]).sources
    assert (source.name, source.judgements) == ("scores.tsv", 2)
    assert same.fingerprint == source.fingerprint
    rows[1] = ("de-en", "c", "d", "3")
    (other,) = read_training_data([score_table(rows)]).sources
    assert other.fingerprint != source.fingerprint


def test_a_data_set_may_come_in_parts(score_table: Table) -> None:
    whole = [("de-en", "a", "b", "1"), ("de-en", "c", "d", "2"), ("de-en", "e", "f", "6")]
    one, other = score_table(whole[:2], "one"), score_table(whole[2:], "other")
    data = read_training_data([one, other], standardise=True)
    assert list(data.hypotheses) == ["b", "d", "f"]
    # One scale for both parts: the mean is 3.
    assert data.targets.tolist() == pytest.approx([-2 / 7**0.5, -1 / 7**0.5, 3 / 7**0.5])


def test_judgements_given_twice_are_named(score_table: Table) -> None:
    whole = [("de-en", "a", "b", "1"), ("de-en", "c", "d", "2")]
    paths = [score_table(whole, "one"), score_table(whole[:1], "other")]
    with pytest.raises(InputError, match=r"MP630.* 1 of 1 .*s de-en.* system 'x', segment '0'"):
        read_training_data(paths)


def test_what_cannot_be_learnt_from(score_table: Table, tmp_path: Path) -> None:
    few = score_table([("de-en", "a", "b", "1")], "few")
    with pytest.raises(InputError, match=r"MP630.*too few"):
        read_training_data([few])
    for rows, side in (
        ([("de-en", "a", "", "1"), ("de-en", "b", " ", "2")], "hypotheses"),
        ([("de-en", "", "a", "1"), ("de-en", "", "b", "2")], "references"),
    ):
        with pytest.raises(InputError, match=f"MP630.*All {side} are empty"):
            read_training_data([score_table(rows, "empty")])
    german = score_table([("en-de", "a", "b", "1"), ("en-de", "a", "c", "2")], "german")
    with pytest.raises(InputError, match=r"MP630.*into 'en'"):
        read_training_data([german])
    assert len(read_training_data([german], lang="de")) == 2
    ranking = {"set": "w", "lp": "de-en", "seg": 1, "judge": "j", "source": "", "ref": "r"}
    items = [{"systems": [s], "rank": r, "hyp": s} for s, r in (("a", 1), ("b", 2))]
    path = tmp_path / "rankings.jsonl"
    path.write_text(json.dumps(ranking | {"items": items}) + "\n")
    with pytest.raises(InputError, match=r"MP630.*rankings"):
        read_training_data([path])


class TestFolds:
    def test_round_robin_holds_each_language_pair_out(self, judged: Path) -> None:
        folds = folds_by_group(read_training_data([judged]), "lp")
        assert [name for name, _ in folds] == ["fr-en", "de-en"]
        assert [len(rows) for _, rows in folds] == [20, 20]

    def test_a_sentence_is_never_on_both_sides(self, judged: Path) -> None:
        data = read_training_data([judged])
        folds = folds_by_group(data, "segment", 4)
        assert [name for name, _ in folds] == ["fold 1", "fold 2", "fold 3", "fold 4"]
        together = np.concatenate([rows for _, rows in folds])
        assert sorted(together.tolist()) == list(range(len(data)))
        references = [{data.references[row] for row in rows} for _, rows in folds]
        assert sum(map(len, references)) == len(set.union(*references))

    def test_segments_are_put_together_to_ten(self, score_table: Table) -> None:
        rows = [("de-en", f"reference {n}", "h", str(n)) for n in range(25)]
        folds = folds_by_group(read_training_data([score_table(rows)]), "segment")
        assert sorted(len(rows) for _, rows in folds) == [2] * 5 + [3] * 5

    def test_no_more_folds_than_groups(self, judged: Path) -> None:
        assert len(folds_by_group(read_training_data([judged]), "lp", 10)) == 2

    def test_a_single_group_cannot_be_held_out(self, judged: Path) -> None:
        with pytest.raises(InputError, match="MP635"):
            folds_by_group(read_training_data([judged]), "set")
