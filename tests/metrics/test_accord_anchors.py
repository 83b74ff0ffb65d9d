"""What texts score that everybody can place: the same text, nothing, salad, loops, the opposite."""

from __future__ import annotations

import unicodedata
from statistics import fmean

import pytest

import metaphrase
from metaphrase.shipped import is_installed

#: Written for this test in the manner of news; each has a verb that can be negated and a number.
REFERENCES = (
    "The committee approved the budget for 2019 after a debate that lasted nearly 9 hours.",
    "Police said on Tuesday that 14 people were arrested near the old harbour of Rotterdam.",
    "The company sold 3,200 electric cars in May, which was more than in the whole of last year.",
    "About 450 residents left their homes because the river rose by 2 metres during the night.",
    "The minister visited the hospital in Lyon, where 27 patients are still being treated.",
    "Her second novel won 5 prizes and was translated into 18 languages within a few months.",
    "The team scored twice in the first 10 minutes and defended its lead until the end.",
    "Prices of wheat fell by 12 percent while farmers in the south waited for rain.",
)
NEGATED = tuple(
    text.replace(one, other)
    for text, one, other in zip(
        REFERENCES,
        ("approved", "were arrested", "sold", "left", "visited", "won", "scored", "fell"),
        (
            *("did not approve", "were not arrested", "did not sell", "did not leave"),
            *("did not visit", "did not win", "did not score", "did not fall"),
        ),
        strict=True,
    )
)
DIGITS = str.maketrans("0123456789", "4785692130")


@pytest.fixture(scope="module", params=["none", "shipped"], ids=["accord", "accord:context"])
def accord(request: pytest.FixtureRequest) -> metaphrase.Accord:
    if request.param == "shipped" and not is_installed("metaphrase_encoder"):
        pytest.skip("metaphrase-encoder is not installed")
    return metaphrase.Accord(encoder=request.param)


def mean_score(accord: metaphrase.Accord, hypotheses: list[str]) -> float:
    return fmean(accord.segment_scores(hypotheses, [list(REFERENCES)]))


def test_nothing_scores_0(accord: metaphrase.Accord) -> None:
    assert mean_score(accord, [""] * len(REFERENCES)) == 0.0


# The most that each may score on average is what docs/accord.md promises.
@pytest.mark.parametrize(
    ("most", "broken"),
    [
        (8, [*REFERENCES[1:], REFERENCES[0]]),
        (40, [f"{text} {text}" for text in REFERENCES]),
        (10, [" ".join([text] * 20) for text in REFERENCES]),
        (40, [" ".join(text.split()[: len(text.split()) // 2]) for text in REFERENCES]),
        (25, [" ".join(sorted(text.split(), key=lambda word: word[::-1])) for text in REFERENCES]),
        (25, [" ".join(text.split()[::-1]) for text in REFERENCES]),
        (70, list(NEGATED)),
        (60, [text.translate(DIGITS) for text in REFERENCES]),
    ],
    ids=[
        "another",
        "twice",
        "twenty times",
        "first half",
        "shuffled",
        "reversed",
        "negated",
        "digits",
    ],
)
def test_a_broken_reference_scores_little(
    accord: metaphrase.Accord, most: float, broken: list[str]
) -> None:
    assert mean_score(accord, broken) <= most


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("“Yes,” she said.", '"Yes," she said.'),
        ("It can’t be…", "It can't be..."),
        ("re\u00adport\u200b", "report"),
        (unicodedata.normalize("NFD", "Zoë Müller à Kraków"), "Zoë Müller à Kraków"),
        ("10\u00a0km – or more", "10 km - or more"),
    ],
)
def test_the_same_text_scores_100(
    accord: metaphrase.Accord, hypothesis: str, reference: str
) -> None:
    assert accord.sentence_score(hypothesis, [reference]).score == 100.0


def test_a_paraphrase_scores_above_the_opposite(accord: metaphrase.Accord) -> None:
    reference = "Turn on the light."
    paraphrase, opposite = accord.segment_scores(
        ["Switch on the light.", "Turn off the light."], [[reference] * 2]
    )
    assert paraphrase > opposite


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("No.", "Yes."), ("Turn off", "Turn on"), ("Close", "Open")]
)
def test_a_short_opposite_is_not_half_right(
    accord: metaphrase.Accord, hypothesis: str, reference: str
) -> None:
    # docs/accord.md, "Limits": the encoder of accord:context takes opposites for neighbours.
    most = 60.0 if accord.pretrained else 45.0
    assert accord.sentence_score(hypothesis, [reference]).score <= most


def test_a_reference_that_repeats_itself_scores_100(accord: metaphrase.Accord) -> None:
    poem = "Row, row, row your boat gently down the stream, merrily, merrily, merrily, merrily."
    assert accord.sentence_score(poem, [poem]).score == 100.0


def test_the_scale_has_no_step() -> None:
    """Equal steps of what is lost are small steps of the score."""
    import numpy as np

    from metaphrase.trained.accord_model import AccordModel

    for name in AccordModel.shipped():
        scores = AccordModel.find(name).scale.scores(np.linspace(0.0, 5.0, 2001))
        assert scores[0] == 100.0
        steps = -np.diff(scores)
        assert (steps >= 0).all()
        assert steps.max() < 0.5
