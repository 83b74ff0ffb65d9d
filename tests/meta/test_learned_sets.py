"""Metrics that have learned from the test set they are measured on are marked."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import metaphrase
from metaphrase.corpus.judgements import Judgements
from metaphrase.learning.edit_machines.data import read_training_data
from metaphrase.learning.judged_sets import read_judged_sets
from metaphrase.meta import AgreementTable, agreement_table, read_judgements
from metaphrase.meta.learned_sets import LearnedSets
from metaphrase.metrics.base import Metric
from metaphrase.metrics.sacrebleu_metrics import Chrf
from metaphrase.report import agreement_json, agreement_view
from metaphrase.trained.edit_model import EditModel

HEADER = "set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman\n"


def shown(table: AgreementTable) -> str:
    screen = StringIO()
    Console(file=screen, width=200).print(*agreement_view(table), sep="\n")
    return screen.getvalue()


@dataclass(frozen=True)
class TinyModel:
    training: dict[str, Any]
    lang: str = "en"


def tiny(model: TinyModel) -> Metric:
    """A metric whose model says what a test says."""

    class Tiny(Chrf):
        trained = model

    return Tiny()


@pytest.fixture
def judged(tmp_path: Path) -> list[Judgements]:
    path = tmp_path / "mine.tsv"
    rows = [
        f"wmt99\t{pair}-en\ts{system}\td\t{segment}\tq\ta cat sat {segment}\t"
        f"a {word} sat\t{system}.{segment}\n"
        for pair in ("cs", "de")
        for system, word in enumerate(("cat", "dog"))
        for segment in range(3)
    ]
    path.write_text(HEADER + "".join(rows), "utf-8")
    return list(read_judgements(path).values())


def marks(training: dict[str, Any], judged: list[Judgements], lang: str = "en") -> list[bool]:
    metric = tiny(TinyModel(training, lang))
    return [LearnedSets(judged).taught(metric, one) for one in judged]


def renamed(judged: list[Judgements]) -> list[Judgements]:
    return [replace(one, name="other") for one in judged]


@pytest.mark.parametrize(
    ("training", "expected"),
    [
        ({}, [False, False]),
        ({"judgements": {"wmt99 cs-en": 3}}, [True, False]),
        ({"judgements": {"wmt99 ces-eng_Latn": 3, "wmt98 de-en": 1}}, [True, False]),
        ({"judgements": {"wmt99 en-cs": 3, "wmt9 cs-en": 1}}, [False, False]),
        ({"judgements": 7, "data": 7, "adapted": 7}, [False, False]),
        ({"data": [{"name": "wmt99.en.tsv.gz"}]}, [True, True]),
        ({"data": [{"name": "wmt98.en.tsv.gz"}, "?"]}, [False, False]),
        ({"judgements": {}, "adapted": {"sets": ["wmt99"]}}, [True, True]),
    ],
)
def test_test_sets_are_found_by_name(
    training: dict[str, Any], expected: list[bool], judged: list[Judgements]
) -> None:
    assert marks(training, judged) == expected


def test_a_file_without_language_pairs_is_of_the_language_of_the_model(
    judged: list[Judgements],
) -> None:
    assert marks({"data": [{"name": "wmt99.tsv"}]}, judged, "de") == [False, False]
    assert marks({"data": [{"name": "wmt99.tsv"}]}, judged, "eng") == [True, True]


def test_parts_by_domain_are_those_of_their_set(judged: list[Judgements]) -> None:
    training = {"judgements": {"wmt99 cs-en": 3}}
    by_domain = [
        part
        for one in judged
        for part in replace(one, domains=("news",) * len(one.segments)).by_domain().values()
    ]
    assert [one.name for one in by_domain] == ["wmt99 news"] * 2
    assert marks(training, by_domain) == [True, False]


def test_texts_are_found_under_another_name(judged: list[Judgements], tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    for sources in (
        read_judged_sets([path], lang="en", code="MP844").sources,
        read_training_data([path]).sources,
    ):
        training = {"data": [{"name": "x.tsv", "fingerprint": sources[0].fingerprint}]}
        assert marks(training, renamed(judged)) == [True, True]
        # The fingerprint is of all judgements of the file: of some of them nothing is known.
        assert marks(training, renamed(judged)[:1]) == [False]


def test_metrics_without_a_model_are_never_marked(judged: list[Judgements]) -> None:
    assert not LearnedSets(judged).taught(metaphrase.create("chrf"), judged[0])


def test_shipped_models_say_what_they_have_learned_from(judged: list[Judgements]) -> None:
    sets = [replace(one, name=name) for name in ("daseg15", "daseg17") for one in judged[:1]]
    # Their cards: direct assessments of 2015 and 2016.
    assert [LearnedSets().taught(metaphrase.create("ppda"), one) for one in sets] == [True, False]


def test_values_are_marked_wherever_they_stand(judged: list[Judgements], tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    model = EditModel.find("pfsm")
    path.write_bytes(replace(model, training={"judgements": {"wmt99 cs-en": 6}}).to_json().encode())
    names = [f"pfsm:model=file:{path}", "chrf"]
    table = agreement_table(judged, names, resamples=0, check_language=False)
    assert [column.learned for column in table.columns] == [(True, False), (False, False)]
    assert table.learned() == [f"{names[0]} on wmt99 (cs-en)"]
    text = shown(table)
    rows = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert rows[names[0]].count("†") == 2  # the value and the mean
    assert "†" not in rows["chrf"]
    assert "†: trained on this set: " in text
    assert "†" in table._repr_html_()
    columns = json.loads(agreement_json(table))["columns"]
    assert [one["learned_from_this_set"] for one in columns] == [[True, False], [False, False]]


def test_nothing_is_said_where_nothing_was_learned(judged: list[Judgements]) -> None:
    table = agreement_table(judged, ["chrf"], resamples=0, check_language=False)
    assert table.learned() == []
    assert "†" not in shown(table)
