"""accord with contextual embeddings: its penalties, what each word costs, and what if there is no encoder."""

from __future__ import annotations

import string
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings

from metaphrase import create, lexicon
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.learning.accord import Untrained
from metaphrase.learning.pretrained_file import pretrained_content
from metaphrase.metrics.accord.context import CONTEXT
from metaphrase.metrics.accord.features import FAMILIES, GROUPS
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.explanation import Feature
from metaphrase.trained import pretrained_encoder
from metaphrase.trained.accord_model import Scale
from metaphrase.trained.pretrained_encoder import PretrainedEncoder, PretrainedShape
from oracle import accord_context as oracle
from oracle import pretrained
from oracle.accord import rarity_of
from oracle.accord_cases import (
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    comparison,
    segment,
    small_accord,
)

PIECES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", "mat"),
    *string.ascii_lowercase,
    *(f"##{letter}" for letter in string.ascii_lowercase),
    *".,'!",
]
#: With so few positions most texts are read in several windows.
SHAPE = PretrainedShape(width=32, layers=6, heads=2, inner=64, positions=16)
SCALE = Scale(middle=3.0, steepness=2.0)
WEIGHTS = {"w1p": 0.5, "ar": 0.2, **{name: 0.1 + 0.01 * k for k, name in enumerate(CONTEXT)}}
OTHERS = "all others"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small one of random weights."""
    path = tmp_path_factory.mktemp("context") / "tiny.encoder"
    write(path, SHAPE)
    return f"file:{path}"


def write(path: Path, shape: PretrainedShape, seed: int = 2) -> None:
    arrays = pretrained.random_weights(shape, seed, pieces=len(PIECES))
    # Random layers would make all words alike.
    arrays["embeddings.word_embeddings.weight"] *= 10
    for name in arrays:
        if "output.dense" in name or name.endswith("LayerNorm.bias"):
            arrays[name] *= 0.3
    path.write_bytes(pretrained_content(arrays, shape, pieces=PIECES, licence="none"))


@pytest.fixture(scope="module")
def metric(encoder: str) -> Accord:
    """accord by this encoder, with weights for all penalties of contextual embeddings."""
    return small_accord(WEIGHTS, encoder=encoder, scale=SCALE)


def penalties(
    metric: Accord, hypotheses: Sequence[str], references: Sequence[str], threads: int = 1
) -> np.ndarray:
    found = comparison(metric, hypotheses, references)
    return metric.losses(found, 0, ["context"], threads=threads)


def test_every_penalty_belongs_to_one_category() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert {*CONTEXT} <= {*grouped}
    assert len(grouped) == len({*grouped}) == sum(map(len, FAMILIES.values()))


class TestPenalties:
    @pytest.mark.parametrize("pair", PAIRS)
    def test_they_are_what_the_definition_says(self, metric: Accord, pair: tuple[str, str]) -> None:
        self.check(metric, *pair)

    @settings(max_examples=60)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="the cat the cats", reference="cats the cat the")
    @example(hypothesis="The cat sat.", reference="the  cat sat .")
    @example(hypothesis="", reference="the cat")
    @example(hypothesis="\u0301", reference="\u200b\u0301 a")
    def test_of_any_texts(self, metric: Accord, hypothesis: str, reference: str) -> None:
        self.check(metric, hypothesis, reference)

    def test_of_texts_of_more_pieces_than_an_encoder_reads_at_once(self, metric: Accord) -> None:
        chance = np.random.default_rng(1)
        some = " ".join(HYPOTHESES + REFERENCES[:4]).split()
        texts = [" ".join(chance.choice(some, 130)) for _ in range(2)]
        model = PretrainedEncoder.open(metric.encoder.removeprefix("file:"))
        assert min(np.diff(model.cut(texts)[0])) > 512
        self.check(metric, *texts)
        assert metric.sentence_score(texts[0], [texts[0]]).score == 100.0

    @staticmethod
    def check(metric: Accord, hypothesis: str, reference: str) -> None:
        found = comparison(metric, [hypothesis], [reference])
        rows = found.analysed.hypotheses, found.analysed.references[0]
        source, model = lexicon.load_vectors("glove"), metric._encoder
        sides = []
        for row in rows:
            sentence = found.analysed.batch[int(row[0])]
            rarity = rarity_of([form.lower() for form in sentence.form], source)
            sides.append(oracle.read(sentence, model, rarity))
        _, aligned = metric.aligned(found, rows)
        pairs = list(zip(aligned.left.tolist(), aligned.right.tolist(), strict=True))
        expected = oracle.context_penalties(*sides, pairs)
        row = metric.losses(found, 0, ["context"])[0]
        assert dict(zip(CONTEXT, row.tolist(), strict=True)) == pytest.approx(
            expected, rel=1e-6, abs=5e-6
        )

    @settings(max_examples=60)
    @given(text=segment)
    @example(text="the the cat the the")
    @example(text="Cat the sat on.")
    def test_equal_texts_lose_nothing(self, metric: Accord, text: str) -> None:
        assert not penalties(metric, [text], [text]).any()
        assert metric.sentence_score(text, [text]).score == 100.0

    def test_no_penalty_is_negative(self, metric: Accord) -> None:
        every = [(one, other) for one in HYPOTHESES for other in REFERENCES]
        found = penalties(metric, *map(list, zip(*every, strict=True)))
        assert (found >= 0).all()
        assert found.any(axis=0).all()

    def test_without_words_all_is_lost_that_can_be(self, metric: Accord) -> None:
        for texts in (["", "The cat sat."], ["The cat sat.", ""]):
            row = penalties(metric, *([text] for text in texts))[0]
            found = dict(zip(CONTEXT, row.tolist(), strict=True))
            for layer in oracle.LAYERS:
                for name in ("p", "r", "p³", "r³", "p near", "sum", "worst r", "all p", "all r"):
                    assert found[f"x{layer} {name}"] == 1.0
                # Nothing is aligned whose contexts could differ.
                assert found[f"x{layer} moved"] == found[f"x{layer} moved sum"] == 0.0
                words = [4.0, 0.0] if texts[0] else [0.0, 4.0]
                assert [found[f"x{layer} all lost {side}"] for side in "pr"] == words

    def test_threads_and_neighbours_change_nothing(self, metric: Accord) -> None:
        together = penalties(metric, HYPOTHESES, REFERENCES, threads=2)
        alone = [penalties(metric, [one], [other]) for one, other in PAIRS]
        assert np.array_equal(together, np.concatenate(alone))
        again = penalties(metric, HYPOTHESES[::-1], REFERENCES[::-1], threads=3)
        assert np.array_equal(together, again[::-1])


class TestExplanation:
    @settings(max_examples=40)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="A cat sat on mats quietly .", reference="The cat sat down on a mat .")
    @example(hypothesis="", reference="A cat.")
    @example(hypothesis="A cat.", reference="")
    @example(hypothesis="", reference="")
    def test_words_add_up_to_the_penalties(
        self, metric: Accord, hypothesis: str, reference: str
    ) -> None:
        shown = metric.explain(hypothesis, reference)
        *groups, context = shown.features
        assert context.name == "of these, contextual embeddings"
        assert context.value == pytest.approx(sum(context.details.values()), abs=1e-8)
        assert all(points > 0 for points in context.details.values())
        points = {name: cost for one in groups for name, cost in one.details.items()}
        assert context.value == pytest.approx(sum(points.get(name, 0.0) for name in CONTEXT))
        assert sum(shown.parts.values()) == pytest.approx(shown.score)

    def test_words_of_both_sides_are_named(self, metric: Accord) -> None:
        found = metric.explain("A cat sat quietly .", "The cat sat on a mat .").features[-1].details
        assert {"hypothesis quietly (4)", "reference mat (6)"} <= found.keys()
        *named, rest = found.items()
        assert [*found.values()][:-1] == sorted((points for _, points in named), reverse=True)
        assert rest[0] == OTHERS

    def test_equal_texts_cost_nothing(self, metric: Accord) -> None:
        context = metric.explain("Cat the sat on.", "Cat the sat on.").features[-1]
        assert (context.value, context.details) == (0, {})

    @pytest.mark.parametrize("name", CONTEXT)
    def test_a_penalty_is_paid_by_words_that_add_to_it(self, encoder: str, name: str) -> None:
        context = explained(name, encoder)
        assert context.value > 0
        kind = name.split(" ", 1)[1]
        sides = {word.split()[0] for word in context.details}
        if kind in ("sum", "follows", "rises", "text"):
            assert sides == {"all"}  # others
        elif kind.startswith("moved"):
            assert sides == {"hypothesis", "reference"}
        else:
            assert sides == {"hypothesis" if "p" in kind else "reference"}
        if kind.startswith("worst"):
            assert len(context.details) == 1

    @pytest.mark.parametrize("layer", oracle.LAYERS)
    @pytest.mark.parametrize("side", "pr")
    @pytest.mark.parametrize(
        "kind", ["{}", "{}³", "{} near", "lost {}", "worst {}", "all {}", "all lost {}"]
    )
    def test_words_pay_for_what_they_add(
        self, encoder: str, kind: str, side: str, layer: int
    ) -> None:
        similar, rarity = similarities(encoder, layer)
        words, weights = (HYPOTHESIS, rarity[0]) if side == "p" else (REFERENCE, rarity[1])
        rows = similar if side == "p" else similar.T
        costs = [added(kind, word, rows[word].tolist(), weights[word]) for word in range(5)]
        if kind == "worst {}":
            costs = [float(cost == max(costs)) for cost in costs]
        context = explained(f"x{layer} {kind.format(side)}", encoder)
        assert paid(context, words) == shares(costs)

    def test_aligned_words_share_what_their_contexts_cost(self, encoder: str) -> None:
        similar, rarity = similarities(encoder, 6)
        context = explained("x6 moved", encoder)
        costs = [[0.0] * len(HYPOTHESIS), [0.0] * len(REFERENCE)]
        for i, j in ALIGNED:
            cost = (rarity[0][i] + rarity[1][j]) / 2 * (1 - similar[i, j])
            costs[0][i], costs[1][j] = cost, cost
        for side, words in zip(costs, (HYPOTHESIS, REFERENCE), strict=True):
            whole = sum(map(sum, costs))
            assert paid(context, words) == shares(side, whole)


HYPOTHESIS = ["Mats", "the", "cats", "sat", "on"]
REFERENCE = ["Hedgehogs", "sat", "the", "cats", "down"]
#: Equal words, by their places.
ALIGNED = [(1, 2), (2, 3), (3, 1)]


def added(kind: str, word: int, similar: Sequence[float], weight: float) -> float:
    """What a word adds to a penalty; both texts have five words."""
    if kind == "{} near":
        similar = [s * (1 - abs(word - other) / 10) for other, s in enumerate(similar)]
    best = max(similar)
    if kind == "worst {}":
        return weight - best
    if kind == "lost {}" and weight <= 0.7:
        return 0.0
    if kind.startswith("all"):
        return 1 - best
    return weight * (1 - best**3 if kind == "{}³" else 1 - best)


def explained(name: str, encoder: str) -> Feature:
    """What the words cost by a model of a single penalty."""
    metric = small_accord({name: 50.0}, encoder=encoder)
    texts = " ".join(HYPOTHESIS), " ".join(REFERENCE)
    context = metric.explain(*texts).features[-1]
    score = metric.sentence_score(texts[0], [texts[1]]).score
    assert context.value == pytest.approx(100.0 - score)
    return context


def similarities(encoder: str, layer: int) -> tuple[np.ndarray, list[list[float]]]:
    """How alike each two words are, and what the words of both sides weigh."""
    metric = Untrained(encoder=encoder)
    found = comparison(metric, [" ".join(HYPOTHESIS)], [" ".join(REFERENCE)])
    source, sides = lexicon.load_vectors("glove"), []
    for row, forms in zip(
        (found.analysed.hypotheses, found.analysed.references[0]),
        (HYPOTHESIS, REFERENCE),
        strict=True,
    ):
        sentence = found.analysed.batch[int(row[0])]
        assert [*sentence.form] == forms
        rarity = rarity_of([form.lower() for form in forms], source)
        sides.append(oracle.read(sentence, metric._encoder, rarity))
    one, other = (np.array(side.vectors[layer]) for side in sides)
    return one @ other.T, [list(side.rarity) for side in sides]


def paid(context: Feature, words: Sequence[str]) -> list[float]:
    """The share of the points that each of the words pays."""
    side = "hypothesis" if words is HYPOTHESIS else "reference"
    labels = [f"{side} {form} ({number})" for number, form in enumerate(words, 1)]
    assert context.value
    return [context.details.get(label, 0.0) / context.value for label in labels]


def shares(costs: Sequence[float], whole: float | None = None) -> object:
    """Words that pay less than 0.01 points are not named."""
    total = sum(costs) if whole is None else whole
    return pytest.approx([cost / total for cost in costs], abs=1e-3)


class TestEncoders:
    def test_the_signature_has_the_hash_of_the_encoder(self, metric: Accord) -> None:
        signature = str(metric.signature(1))
        assert f"|encoder:tiny@{metric._encoder.fingerprint}|" in signature
        assert "encoder" not in str(Accord().signature(1))

    def test_a_variant_asks_for_the_encoder_that_ships(self) -> None:
        assert create("accord:context") == Accord(encoder="shipped")
        assert Accord(encoder="shipped").label == "accord:context"
        assert "context" not in Untrained(lang="en").families
        assert "context" in Untrained(lang="en", encoder="shipped").families

    def test_a_model_without_their_penalties_goes_with_no_encoder(self) -> None:
        metric = small_accord({"w1p": 1.0}, encoder="file:missing")
        with pytest.raises(OptionError, match=r"MP845.*Leave out model or encoder"):
            metric.sentence_score("a", ["a"])

    def test_a_text_of_too_many_pieces_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "small.encoder"
        write(path, SHAPE, 2)
        metric = small_accord(WEIGHTS, encoder=f"file:{path}", scale=SCALE)
        monkeypatch.setattr(pretrained_encoder, "MOST_PIECES", 6)
        long = "a b c d e f g h"
        with pytest.raises(
            InputError, match=r"MP698.*segment 2 of hypotheses \('a b c d e f g h'\) has"
        ):
            metric.segment_scores(["a", long], [["a", "a"]])
        with pytest.raises(
            InputError, match=r"MP698.*reference 1 of segment 2 of hypotheses \('b'\) has"
        ):
            metric.segment_scores(["a", "b"], [["a", long]])

    def test_a_file_that_changed_is_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "changing.encoder"
        metric = small_accord(WEIGHTS, encoder=f"file:{path}", scale=SCALE)
        seen = set()
        for seed in (2, 3):
            other = tmp_path / "other"
            write(other, SHAPE, seed)
            other.replace(path)
            signature = str(metric.signature(1))
            seen.add((signature, metric.sentence_score(HYPOTHESES[0], REFERENCES[:1]).score))
        assert len(seen) == 2
        assert len({score for _, score in seen}) == 2

    def test_anyone_who_has_not_installed_it_is_told_how(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "metaphrase_encoder", None)
        metric = small_accord(WEIGHTS, encoder="shipped")
        with pytest.raises(ResourceError, match=r"MP970.*metaphrase-encoder.*not installed"):
            metric.sentence_score("a", ["b"])

    @pytest.mark.parametrize("name", ["klingon", "", "file", "Shipped"])
    def test_an_unknown_encoder_is_rejected(self, name: str) -> None:
        with pytest.raises(OptionError, match="MP697"):
            small_accord(WEIGHTS, encoder=name).sentence_score("a", ["b"])

    @pytest.mark.parametrize("lang", ["de", "zh"])
    def test_a_language_without_an_encoder_says_so(self, lang: str) -> None:
        with pytest.raises(
            ResourceError, match=rf"MP841.*has an encoder for English, not for .{lang}."
        ):
            Accord(lang=lang, encoder="shipped").sentence_score("a", ["b"])
        for encoder in ("shipped", "file:any.encoder"):
            metric = small_accord({"x text": 1.0}, lang=lang, encoder=encoder)
            with pytest.raises(OptionError, match=rf"MP845.*context.*lang={lang}"):
                metric.sentence_score("a", ["b"])

    def test_a_model_of_contextual_embeddings_needs_an_encoder(self) -> None:
        with pytest.raises(OptionError, match=r"MP845.*context.*encoder=none"):
            small_accord(WEIGHTS).sentence_score("a", ["b"])

    def test_an_encoder_of_too_few_layers_is_rejected(self, tmp_path: Path) -> None:
        path = tmp_path / "shallow.encoder"
        write(path, PretrainedShape(width=32, layers=5, heads=2, inner=64, positions=16))
        with pytest.raises(OptionError, match=r"MP697.*layers \(4, 6\).*1 to 5"):
            small_accord(WEIGHTS, encoder=f"file:{path}").sentence_score("a", ["b"])

    @pytest.mark.parametrize(("content", "code"), [(b"not an encoder", "MP692"), (None, "MP691")])
    def test_a_file_that_cannot_be_read_is_named(
        self, tmp_path: Path, content: bytes | None, code: str
    ) -> None:
        path = tmp_path / "broken.encoder"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ResourceError, match=code) as error:
            small_accord(WEIGHTS, encoder=f"file:{path}").sentence_score("a", ["b"])
        assert error.value.path is not None
        assert Path(error.value.path).name == "broken.encoder"
