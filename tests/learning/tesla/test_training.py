"""Rankings become pairs in order, scores become targets, and both keep segments together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.learning.tesla.training import (
    TeslaTrainingData,
    learn_ranking,
    learn_scores,
    ordered_pairs,
    read_tesla_data,
    scored_texts,
)

HEADER = "set lp system doc seg source references hypothesis human".replace(" ", "\t")


def ranking(segment: int, ranks: dict[str, int], *, pair: str = "de-en", name: str = "s") -> str:
    items = [
        {"systems": [text[:1]], "rank": rank, "hyp": f"{text} {segment}"}
        for text, rank in ranks.items()
    ]
    row = {"set": name, "lp": pair, "doc": "", "seg": segment, "judge": "j", "source": "q"}
    return json.dumps({**row, "ref": f"r{segment}", "items": items})


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def texts(data: TeslaTrainingData) -> list[str]:
    return [text.hypothesis for judged in data.judgements for text in judged.texts]


def test_pairs_are_those_that_people_put_in_order(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl", ranking(1, {"a": 1, "b": 2, "c": 2}), ranking(2, {"a": 3, "b": 1})
    )
    data = read_tesla_data([path], lang="en")
    better, worse = ordered_pairs(data)
    said = texts(data)
    found = {(said[x], said[y]) for x, y in zip(better, worse, strict=True)}
    assert found == {("a 1", "b 1"), ("a 1", "c 1"), ("b 2", "a 2")}  # b and c are tied


def test_only_translations_into_the_language_count(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        ranking(1, {"a": 1, "b": 2}),
        ranking(1, {"x": 1, "y": 2}, pair="en-de"),
    )
    assert texts(read_tesla_data([path], lang="en")) == ["a 1", "b 1"]
    assert texts(read_tesla_data([path], lang="de")) == ["x 1", "y 1"]
    assert read_tesla_data([path], lang="de").left_out == 1
    with pytest.raises(InputError, match="MP814"):
        read_tesla_data([path], lang="fr")


def test_texts_of_several_files_are_numbered_through(tmp_path: Path) -> None:
    one = written(tmp_path / "a.jsonl", ranking(1, {"a": 1, "b": 2}))
    two = written(tmp_path / "b.jsonl", ranking(1, {"c": 2, "d": 1}, name="t"))
    data = read_tesla_data([one, two], lang="en")
    better, worse = ordered_pairs(data)
    assert [texts(data)[row] for row in (*better, *worse)] == ["a 1", "d 1", "b 1", "c 1"]
    assert [source.name for source in data.sources] == ["a.jsonl", "b.jsonl"]
    assert [source.judgements for source in data.sources] == [1, 1]


def test_segments_with_one_reference_are_one_whatever_their_data_set(tmp_path: Path) -> None:
    one = written(tmp_path / "a.jsonl", ranking(1, {"a": 1, "b": 2}))
    two = written(tmp_path / "b.jsonl", ranking(1, {"c": 2, "d": 1}, name="t"))
    assert len(set(read_tesla_data([one, two], lang="en").segments)) == 1


def test_judgements_given_twice_or_of_the_other_kind_are_refused(tmp_path: Path) -> None:
    ranks = written(tmp_path / "a.jsonl", ranking(1, {"a": 1, "b": 2}))
    row = "\t".join("s de-en a d 1 q r h 0.5".split())
    scores = written(tmp_path / "a.tsv", HEADER, row)
    for paths, absolute in (([ranks, ranks], False), ([scores], False), ([ranks], True)):
        with pytest.raises(InputError, match="MP814"):
            read_tesla_data(paths, lang="en", absolute=absolute)


def test_scores_are_targets_and_may_be_standardised(tmp_path: Path) -> None:
    rows = [
        "\t".join([name, "de-en", "a", "d", str(n), f"q{n}", f"r{n}", f"h{n}", str(scale * n)])
        for name, scale in (("s", 1), ("t", 100))
        for n in range(4)
    ]
    data = read_tesla_data([written(tmp_path / "a.tsv", HEADER, *rows)], lang="en", absolute=True)
    places, scores = scored_texts(data)
    assert scores.tolist() == [0, 1, 2, 3, 0, 100, 200, 300]
    assert [texts(data)[place] for place in places] == [f"h{n}" for n in range(4)] * 2
    _, standard = scored_texts(data, standardise=True)
    np.testing.assert_allclose(standard[:4], standard[4:])


def test_an_account_of_training_tells_data_and_accuracy(tmp_path: Path) -> None:
    lines = [ranking(n, {"a": 1, "b": 2}) for n in range(20)]
    data = read_tesla_data([written(tmp_path / "a.jsonl", *lines)], lang="en")
    features = np.array([[float(text[0] == "a"), 1.0] for text in texts(data)])
    fit, account = learn_ranking(data, features, folds=4)
    assert fit.weights[0] > 0 == fit.weights[1]
    assert (account["pairs"], account["segments"], account["accuracy"]) == (20, 20, 1.0)
    assert account["C"] == fit.regularisation
    assert account["data"][0]["name"] == "a.jsonl"
    assert account["folds"] == 4
    _, account = learn_ranking(data, features, folds=100_000)
    assert account["folds"] == 20  # a segment each
    json.dumps(account)


def test_ties_alone_teach_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "tied.jsonl", *(ranking(n, {"a": 1, "b": 1}) for n in range(3)))
    data = read_tesla_data([path], lang="en")
    with pytest.raises(InputError, match="MP811") as caught:
        learn_ranking(data, np.ones((len(texts(data)), 1)))
    assert caught.value.path == "tied.jsonl"
    assert caught.value.hint


def test_an_account_of_regression_tells_the_correlation(tmp_path: Path) -> None:
    rows = [
        "\t".join(["s", "de-en", "a", "d", str(n), "q", f"r{n}", f"h{n}", str(n)]) for n in range(9)
    ]
    data = read_tesla_data([written(tmp_path / "a.tsv", HEADER, *rows)], lang="en", absolute=True)
    features = np.array([[float(text[1:])] for text in texts(data)])
    _, account = learn_scores(data, features)
    assert account["measure"] == "Pearson's r"
    assert account["accuracy"] == pytest.approx(1.0)
    assert (account["scores"], account["standardised"]) == (9, False)
