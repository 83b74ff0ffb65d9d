"""``pfsm:paper``, ``ppda:paper``, ``ppda+f:paper``: models trained as Wang & Manning (EMNLP 2012) say."""

from __future__ import annotations

import pytest

from metaphrase import create
from metaphrase.errors import MetaphraseError
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.metrics.edit_machines.metric import EditMachineMetric
from metaphrase.trained.edit_model import EditModel

NAMES = ("pfsm", "ppda", "ppda+f")
each_name = pytest.mark.parametrize("name", NAMES)
each_model = pytest.mark.parametrize("model", [*NAMES, *(f"{name}-paper" for name in NAMES)])


def paper(name: str) -> EditModel:
    metric = create(f"{name}:paper")
    assert isinstance(metric, EditMachineMetric)
    return metric.edit_model


@each_name
def test_training_is_that_of_the_paper(name: str) -> None:
    # Eq. 3 (METRICS 6.1): λ = 5, L-BFGS; features that occur fewer than five times are dropped.
    model = paper(name)
    training = model.training
    assert (training["lambda"], training["cut_off"], training["optimiser"]) == (5.0, 5, "lbfgs")
    assert training["converged"]
    assert training["standardised"] is False
    assert model.slope == 1.0


@each_name
def test_edits_are_those_of_the_paper(name: str) -> None:
    model = paper(name)
    # Porter's stemmer (1980); Porter2 is of 2001.
    assert model.substitutions.lemmas == "porter"
    # pFSM's row of the main results, 54.6 and 59.9, is the column n1 of Table 1 (n2: 54.8 and 59.8).
    # pPDA+f has paraphrases of two words, and with them blocks of two.
    assert model.substitutions.max_block == (2 if name == "ppda+f" else 1)
    # Main results: d = 5. All else about jumps is as METRICS 6.4 reads section 2.2.
    assert model.machine == MachineOptions(max_jump=0 if name == "pfsm" else 5)


@pytest.mark.parametrize(
    ("name", "states", "dependencies"), [("pfsm", 5, 0), ("ppda", 6, 0), ("ppda+f", 8, 3)]
)
def test_there_are_a_few_tens_of_features(name: str, states: int, dependencies: int) -> None:
    # "A few tens of features" (METRICS 6.3): a state, a pair of states, a dependency; ≤ 64 + 8 + 3.
    assert len(paper(name).weights) == states + states**2 + dependencies <= 64 + 8 + 3


@each_model
def test_a_deletion_costs_more_than_an_insertion(model: str) -> None:
    # What the paper's models learned (METRICS 6.7); a missing word is worse than one too many.
    weights = EditModel.shipped(model).weights
    assert weights["U|delete"] < weights["U|insert"] < 0
    # … and so it is with two of a kind in a row.
    pair = {edit: weights[f"B|{edit}|{edit}"] for edit in ("insert", "delete")}
    assert pair["delete"] < pair["insert"]


@each_name
def test_texts_are_compared_as_they_are(name: str) -> None:
    plain, typographic = 'It \'s a "test" .', "It ’s a “test” ."
    one, other = (
        metric.sentence_score(typographic, [plain]).score
        for metric in (create(f"{name}:paper"), create(f"{name}:paper:normalise=yes"))
    )
    assert one < other


@each_name
def test_stems_are_porters_first(name: str) -> None:
    # Porter (1980) takes -al and -ic off both; Porter2 excepts words in gener-.
    found, default = (
        [edit.state for edit in create(one).explain("a generic rule", "a general rule").edits]
        for one in (f"{name}:paper", name)
    )
    assert found == ["word", "lemma", "word"]
    assert "lemma" not in default


@each_name
def test_other_languages_are_refused(name: str) -> None:
    with pytest.raises(MetaphraseError, match=r"MP531.*-paper' is for 'en', not 'de'"):
        create(f"{name}:paper", lang="de")


def test_a_model_of_ones_own_may_replace_that_of_the_paper() -> None:
    assert create("ppda:paper:model=ppda").specification == "ppda:normalise=no"


def test_a_paper_model_is_of_one_metric() -> None:
    with pytest.raises(MetaphraseError, match="MP550"):
        create("ppda:model=pfsm-paper")
