"""accord with an encoder: words in context, what each of them costs, and what happens if there is none."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from metaphrase import create
from metaphrase.errors import OptionError, ResourceError
from metaphrase.learning.accord import Untrained
from metaphrase.learning.encoder_file import encoder_content
from metaphrase.lexicon import WordVectors
from metaphrase.metrics.accord.features import CONTEXT, CONTEXT_MEANS, FAMILIES, GROUPS
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel, Scale
from metaphrase.trained.encoder import EncoderShape, load_encoder
from oracle.accord_cases import HYPOTHESES, REFERENCES, comparison
from oracle.encoder import random_weights

PIECES = ["", "\u2581", *"abcdefghijklmnopqrstuvwxyz"]
SHAPE = EncoderShape(width=32, layers=1, heads=2, inner=32, distance=4, size=16)
SCALE = Scale(middle=3.0, steepness=2.0)
WEIGHTS = {"w1p": 0.5, "ar": 0.2, **{name: 0.1 + 0.1 * k for k, name in enumerate(CONTEXT)}}


@pytest.fixture(scope="module")
def metric(tmp_path_factory: pytest.TempPathFactory) -> Accord:
    """accord by a small encoder of random weights, and weights for everything in context."""
    folder = tmp_path_factory.mktemp("context")
    content = encoder_content(
        random_weights(SHAPE, pieces=len(PIECES)),
        SHAPE,
        pieces=PIECES,
        vectors=WordVectors.default().fingerprint,
        licence="none",
    )
    (folder / "tiny.encoder").write_bytes(content)
    model = AccordModel(name="contextual", lang="en", features=WEIGHTS, scale=SCALE)
    model.save(folder / "model.json")
    return Accord(model=f"file:{folder / 'model.json'}", encoder=f"file:{folder / 'tiny.encoder'}")


def test_every_loss_in_context_has_a_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert {*CONTEXT, *CONTEXT_MEANS} <= {*grouped}
    assert len(grouped) == len({*grouped}) == sum(map(len, FAMILIES.values()))


def test_equal_texts_lose_nothing(metric: Accord) -> None:
    found = comparison(metric, REFERENCES, REFERENCES)
    assert not metric.losses(found, 0, ["context"]).any()
    assert metric.sentence_score("The cat sat down.", ["The cat sat down."]).score == 100.0


def test_losses_are_those_of_words_one_by_one(metric: Accord) -> None:
    found = comparison(metric, HYPOTHESES, REFERENCES)
    losses = metric.losses(found, 0, ["context"])
    assert (losses >= 0).all()
    analysed, words = found.analysed, metric.context_words(found)
    encoded = metric._encoder.encode(analysed.batch)
    for row, sides in enumerate(zip(analysed.hypotheses, analysed.references[0], strict=True)):
        own, other = (range(*analysed.batch.offsets[side : side + 2].tolist()) for side in sides)
        doubts = lost = 0.0
        for i in own:
            near = [
                1.0 if i == j else float(encoded.vectors[i] @ encoded.vectors[j]) for j in other
            ]
            unlike = 1.0 - max([0.0, *near])
            doubts += unlike * min(math.log1p(math.exp(float(encoded.oddness[i]))), 8.0) / 8.0
            lost += unlike * float(words.weight[i]) * (words.weight[i] > 0.7)
        assert losses[row, CONTEXT.index("odd")] == pytest.approx(doubts, abs=1e-5)
        assert losses[row, CONTEXT.index("x lost p")] == pytest.approx(lost, abs=1e-5)


def test_the_words_cost_what_the_losses_do(metric: Accord) -> None:
    explanation = metric.explain("A cat sat on mats quietly .", "The cat sat down on a mat .")
    *groups, context = explanation.features
    assert context.name == "of these, words in context"
    assert context.value == pytest.approx(sum(context.details.values()))
    assert all(points > 0 for points in context.details.values())
    assert "hypothesis quietly (6)" in context.details
    assert any(name.startswith("reference ") for name in context.details)
    points = {name: cost for one in groups for name, cost in one.details.items()}
    assert context.value == pytest.approx(sum(points.get(name, 0.0) for name in CONTEXT))
    assert sum(explanation.parts.values()) == pytest.approx(explanation.score)


@pytest.fixture
def german(metric: Accord, tmp_path: Path) -> Accord:
    """The same encoder, and weights for everything that other languages have in context."""
    names = ("w1p", *CONTEXT, *CONTEXT_MEANS)
    weights = {name: 0.1 + 0.1 * k for k, name in enumerate(names)}
    model = AccordModel(name="contextual", lang="de", features=weights, scale=SCALE)
    model.save(tmp_path / "german.json")
    return Accord(lang="de", model=f"file:{tmp_path / 'german.json'}", encoder=metric.encoder)


def test_means_are_those_of_words_one_by_one(german: Accord) -> None:
    found = comparison(german, ["Ein Hund schläft hier"], ["Der Hund schlief"])
    losses = dict(
        zip(CONTEXT_MEANS, german.losses(found, 0, ["context means"])[0].tolist(), strict=True)
    )
    analysed = found.analysed
    encoded = german._encoder.encode(analysed.batch)
    rows = analysed.hypotheses[0], analysed.references[0][0]
    own, other = (slice(*analysed.batch.offsets[row : row + 2].tolist()) for row in rows)
    near = np.maximum(encoded.vectors[own] @ encoded.vectors[other].T, 0.0)
    # Words weigh what the encoder says: there are no word vectors of German.
    for side, place, best in (("p", own, near.max(1)), ("r", other, near.max(0))):
        weight = encoded.importance[place]
        for name, unlike in ((side, 1 - best), (f"{side}³", 1 - best**3)):
            expected = (weight * unlike).sum() / weight.sum()
            assert losses[f"x {name}"] == pytest.approx(expected, abs=1e-5)


def test_the_words_of_other_languages_cost_what_the_losses_do(german: Accord) -> None:
    explanation = german.explain("Ein Hund schläft hier .", "Der Hund schlief .")
    *groups, context = explanation.features
    assert context.name == "of these, words in context"
    points = {name: cost for one in groups for name, cost in one.details.items()}
    named = (*CONTEXT, *CONTEXT_MEANS)
    assert context.value == pytest.approx(sum(points.get(name, 0.0) for name in named))
    assert sum(explanation.parts.values()) == pytest.approx(explanation.score)
    signed = dict(german.signature(1).items)
    assert signed["encoder"] == f"tiny@{german._encoder.fingerprint}"
    assert "vectors" not in signed


def test_a_text_that_is_its_reference_has_no_odd_words(metric: Accord) -> None:
    context = metric.explain("Cat the sat on.", "Cat the sat on.").features[-1]
    assert (context.value, context.details) == (0, {})


@pytest.mark.parametrize("texts", [("", "A cat."), ("A cat.", ""), ("", "")])
def test_texts_without_words_are_explained(metric: Accord, texts: tuple[str, str]) -> None:
    explanation = metric.explain(*texts)
    assert sum(explanation.parts.values()) == pytest.approx(explanation.score)


def test_threads_and_neighbours_change_nothing(metric: Accord) -> None:
    together = metric.statistics(comparison(metric, HYPOTHESES, REFERENCES), threads=2)
    alone = [
        metric.statistics(comparison(metric, [hypothesis], [reference]))
        for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert np.array_equal(together, np.concatenate(alone))


def test_the_signature_has_the_hash_of_the_encoder(metric: Accord) -> None:
    signature = str(metric.signature(1))
    assert f"|encoder:tiny@{metric._encoder.fingerprint}|" in signature
    assert "encoder" not in str(Accord().signature(1))


def test_a_variant_asks_for_the_encoder_that_ships() -> None:
    assert create("accord:context") == Accord(encoder="shipped")
    assert Accord(encoder="shipped").label == "accord:context"
    assert "context" not in Untrained(lang="en").families
    assert "context" in Untrained(lang="en", encoder="shipped").families


def test_who_has_not_installed_it_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "metaphrase_encoder", None)
    with pytest.raises(ResourceError, match=r"MP970.*metaphrase-encoder.*not installed"):
        create("accord:context").sentence_score("a", ["b"])


def test_an_encoder_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionError, match="MP697"):
        Accord(encoder="klingon").sentence_score("a", ["b"])


def test_a_language_without_an_encoder_says_so() -> None:
    with pytest.raises(ResourceError, match=r"MP841.*zh\+context"):
        Accord(lang="zh", encoder="shipped").sentence_score("a", ["b"])
    with pytest.raises(OptionError, match=r"MP845.*context"):
        Accord(lang="zh", encoder="shipped", model="en+context").sentence_score("a", ["b"])
    with pytest.raises(OptionError, match=r"MP697.*zh"):
        load_encoder("shipped", "zh")


def test_an_encoder_that_is_none_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.encoder"
    path.write_bytes(b"no encoder at all")
    with pytest.raises(ResourceError, match=r"MP692.*") as error:
        Accord(encoder=f"file:{path}").sentence_score("a", ["b"])
    assert error.value.path is not None
    assert Path(error.value.path).name == "broken.encoder"
