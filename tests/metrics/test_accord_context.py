"""accord with contextual embeddings: its penalties, and what if there is no encoder."""

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
from metaphrase.metrics.accord.metric import Accord
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
        _, aligned = metric.aligner.align(found)
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


def test_points_of_embeddings_are_explained(metric: Accord) -> None:
    shown = metric.explain("A cat sat quietly .", "The cat sat on a mat .")
    assert sum(shown.summands.values()) == pytest.approx(shown.score)
    assert "missing words, in context (layer 4)" in shown.summands


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
