"""MaxSim: worked values, references, languages and options."""

from __future__ import annotations

import pytest

from metaphrase.errors import OptionError
from metaphrase.metrics import create
from metaphrase.metrics.maxsim.metric import MaxSim


def test_a_worked_example() -> None:
    # the/DT cat/NN sat/VBD and the/DT dog/NN sat/VBD; no synonyms. 1-grams: the, sat, and cat with dog ½ for
    # the tag: 2.5 of 3. 2-grams: "the cat" with "the dog" (1 + ½)/2, "cat sat" with "dog sat" likewise: 1.5
    # of 2. The 3-gram: (1 + ½ + 1)/3. Both sides are as long, so that F = P = R.
    value = MaxSim(synonyms="none").sentence_score("the cat sat", ["the dog sat"]).score
    assert value == pytest.approx((2.5 / 3 + 1.5 / 2 + 2.5 / 3) / 3)


def test_recall_weighs_more_than_precision() -> None:
    metric = MaxSim(synonyms="none")
    text, longer = "the old man sat down", "the old man sat down quietly yesterday"
    assert metric.sentence_score(longer, [text]).score > metric.sentence_score(text, [longer]).score


def test_several_references_count_by_their_mean() -> None:
    metric = MaxSim()
    references = ["A cat sat on the mat.", "The dog."]
    alone = [metric.sentence_score("The cat sat.", [text]).score for text in references]
    both = metric.sentence_score("The cat sat.", references).score
    assert both == pytest.approx(sum(alone) / 2)


def test_an_optimum_without_stages_is_at_least_as_high() -> None:
    pair = "A feline was sitting on a rug.", ["The cat sat on the carpet and the rug."]
    staged, optimal = (
        MaxSim(matching=m).sentence_score(*pair).score for m in ("staged", "optimal")
    )
    assert staged <= optimal + 1e-12


def test_synonyms_count() -> None:
    # "sofa" and "couch" share a synset of WordNet 3.0.
    pair = "He bought a sofa.", ["He bought a couch."]
    assert MaxSim(synonyms="none").sentence_score(*pair).score < 1.0
    assert MaxSim().sentence_score(*pair).score == pytest.approx(1.0)


def test_an_explanation_shows_what_each_stage_matched() -> None:
    # the/DT is equal in lemma and tag; dogs/NNS and dog/NN in the lemma alone; cat/NN and house/NN are left
    # with the same tag.
    found = MaxSim(synonyms="none").explain("the dogs saw the cat", "the dog saw the house")
    links = {
        (found.hypothesis[link.hypothesis[0]].form, found.reference[link.reference[0]].form): link
        for link in found.layer("ms1")
    }
    assert {pair: (link.kind, link.similarity) for pair, link in links.items()} == {
        ("the", "the"): ("lemma with tag", 1.0),
        ("dogs", "dog"): ("lemma", 1.0),
        ("saw", "saw"): ("lemma with tag", 1.0),
        ("cat", "house"): ("tag", 0.5),
    }
    assert [link.reference for link in found.layer("ms1") if link.hypothesis == (3,)] == [(3,)]
    assert found.leftovers == ()
    assert found.features[0].details == {"matched": 4.5, "hypothesis": 5.0, "reference": 5.0}


@pytest.mark.parametrize("matching", ["staged", "optimal"])
@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("A feline was sitting on a rug.", "The cat sat on the carpet and the rug."),
        ("He runs and runs, the runner ran.", "The runners run; a run was run by the runner."),
        ("", "..."),
        ("Yes", "No, no"),
    ],
)
def test_an_explanation_adds_up_to_the_score(
    matching: str, hypothesis: str, reference: str
) -> None:
    metric = MaxSim(matching=matching)
    found = metric.explain(hypothesis, reference)
    assert found.score == metric.sentence_score(hypothesis, [reference]).score
    values = [feature.value for feature in found.features if feature.value is not None]
    assert found.score == pytest.approx(sum(values) / max(len(values), 1))
    for feature in found.features:
        links = found.layer(feature.name)
        assert all(link.weight == pytest.approx(1.0) for link in links)  # one to one
        for side in ("hypothesis", "reference"):
            lost = [
                rest for rest in found.leftovers if (rest.layer, rest.side) == (feature.name, side)
            ]
            assert len(links) + len(lost) == feature.details[side]


def test_segments_without_words_score_0() -> None:
    assert MaxSim().sentence_score("", ["..."]).score == 0.0


def test_other_languages_are_matched_by_their_own_analysis() -> None:
    metric = create("maxsim", lang="fr")
    assert metric.sentence_score("Le chat dort.", ["Le chat dort."]).score == pytest.approx(1.0)
    with pytest.raises(OptionError, match="MP509"):
        create("maxsim", lang="fi")
    with pytest.raises(OptionError, match="MP520"):
        create("maxsim:analyser=builtin:de")
