"""pFSM and pPDA through their public interface: golden sums, references, long sentences, mistakes."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase import Corpus, Pfsm, Ppda, PpdaF, create, score
from metaphrase.errors import InputError, MetaphraseError, OptionError
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.metrics import Metric, compare
from metaphrase.metrics.edit_machines import metric as edit_machines
from metaphrase.report.dataset import build
from metaphrase.trained.edit_model import EditModel

GOLDEN = Path(__file__).parents[1] / "golden" / "ppda_cases.json"
STATES = {
    "Sword": "word",
    "Slemma": "lemma",
    "Insert": "insert",
    "Delete": "delete",
    "Jump": "jump",
    "JumpFwd": "jump_forward",
    "JumpBack": "jump_back",
    "JumpEnd": "jump_end",
}
MODEL = EditModel(
    name="small",
    weights={"U|word": 0.8, "U|insert": -0.6, "U|delete": -0.9, "U|jump": -0.4, "B|word|word": 0.4},
    alpha=0.25,
    machine=MachineOptions(max_jump=2),
    synonyms="none",
    paraphrases="none",
)


@pytest.fixture
def saved(tmp_path: Path) -> Any:
    """Writes a model and gives its name as an option."""

    def save(model: EditModel = MODEL, **changes: Any) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
        replace(model, **changes).save(path)
        return f"file:{path}"

    return save


def statistics(metric: Metric, hypothesis: str, *references: str) -> np.ndarray:
    corpus = Corpus({"a": [hypothesis]}, [[text] for text in references], empty_references="keep")
    (comparison,) = compare(corpus, metric)
    return metric.statistics(comparison)[0]


def golden_cases() -> list[Any]:
    golden = json.loads(GOLDEN.read_text())
    chosen = []
    for case in golden["cases"]:
        # Ours have blocks of stems as well, which the file's definition does not.
        spelling = {"".join(case[side]).lower() == "".join(case[side]) for side in ("ref", "sys")}
        if case["max_block"] == 1 or spelling == {True}:
            single = case["labels"] == "single Jump"
            weights = golden["theta_single" if single else "theta_three"]
            chosen.append(pytest.param(case, weights, id=f"{len(chosen)}"))
    return chosen


@pytest.mark.parametrize(("case", "theta"), golden_cases())
def test_scores_are_those_of_the_golden_file(
    case: dict[str, Any], theta: dict[str, float], saved: Any
) -> None:
    # METRICS 6.6: y of every case was found by enumerating all sequences of edits.
    model = EditModel(
        name="golden",
        weights={
            "|".join(STATES.get(part, part) for part in name.split("|")): weight
            for name, weight in theta.items()
        },
        alpha=0.125,
        slope=2.0,
        machine=MachineOptions(max_jump=case["max_jump"]),
        substitutions=SubstitutionOptions(max_block=case["max_block"], case_sensitive=True),
        synonyms="none",
        paraphrases="none",
        jump_labels=1 if case["labels"] == "single Jump" else 3,
    )
    metric = (Ppda if case["max_jump"] else Pfsm)(model=saved(model))
    row = statistics(metric, " ".join(case["sys"]), " ".join(case["ref"]))
    length = len(case["ref"]) + len(case["sys"])
    assert row[0] == pytest.approx(2 * case["y"] / max(length, 1) + 0.125, abs=1e-9)
    assert row[2] == pytest.approx(case["y"], abs=1e-9)
    assert tuple(row[3:5]) == (len(case["ref"]), len(case["sys"]))


class TestReferences:
    TEXTS = ("the cat sat", "a cat has sat", "dogs run")

    def test_the_best_counts_unless_the_mean_is_asked_for(self, saved: Any) -> None:
        model = saved()
        metric = Ppda(model=model)
        rows = [statistics(metric, "a cat sat", text) for text in self.TEXTS]
        single = [row[0] for row in rows]
        together = statistics(metric, "a cat sat", *self.TEXTS)
        np.testing.assert_array_equal(together, rows[int(np.argmax(single))])
        mean = statistics(Ppda(model=model, references="mean"), "a cat sat", *self.TEXTS)
        np.testing.assert_allclose(mean, np.mean(rows, axis=0), rtol=1e-12)

    def test_the_model_decides_if_the_option_does_not(self, saved: Any) -> None:
        model = saved(references="mean")
        rows = [statistics(Ppda(model=model), "a cat sat", text)[0] for text in self.TEXTS]
        assert statistics(Ppda(model=model), "a cat sat", *self.TEXTS)[0] == pytest.approx(
            np.mean(rows)
        )
        best = statistics(Ppda(model=model, references="best"), "a cat sat", *self.TEXTS)
        assert best[0] == max(rows)


class TestLongSentences:
    def long(self, saved: Any, **options: Any) -> Ppda:
        machine = MachineOptions(max_jump=2, exact_length=4, jump_window=2)
        return Ppda(model=saved(machine=machine), **options)

    def test_limited_jumps_are_told(self, saved: Any) -> None:
        metric = self.long(saved)
        corpus = [["a b c d e", "a b", "b a c"], [["b c d a e", "b a", "a b c d e"]]]
        with pytest.warns(UserWarning, match=r"^2 of 3 segments: more than 4 words .* 2 words"):
            values = metric.segment_scores(*corpus)
        assert len(values) == 3
        (comparison,) = compare(Corpus({"a": corpus[0]}, corpus[1]), metric)
        assert metric.statistics(comparison)[:, -1].tolist() == [1, 0, 1]

    def test_one_warning_counts_all_segments_of_all_systems_concerned(self, saved: Any) -> None:
        metric = self.long(saved)
        texts = ["a b c d e", "a b"] * 50
        short = ["a b"] * 100
        corpus = Corpus({"one": texts, "short": short, "two": texts}, [short])
        pieces = [corpus[:60], corpus[60:]]
        with pytest.warns(UserWarning, match="jumps") as told:
            score(pieces, [metric])
        (warning,) = told
        assert str(warning.message).startswith(
            f"{metric.label}, 2 of 3 systems: 100 of 200 segments: "
        )

    def test_a_system_that_is_concerned_alone_is_named(self, saved: Any) -> None:
        corpus = Corpus({"short": ["a b"], "long": ["a b c d e"]}, [["a b"]])
        metric = self.long(saved)
        with pytest.warns(UserWarning, match="^ppda:.*, long: 1 of 1 segments: "):
            scores = score(corpus, [metric], levels=["system", "segment"], keep_statistics=True)
        *_, note = build(corpus, scores, [metric]).overview["warnings"]
        assert note.startswith(f"{metric.label}, long: 1 of 1 segments: ")

    def test_a_segment_is_counted_once_for_several_references(self, saved: Any) -> None:
        metric = self.long(saved)
        for combined in ("best", "mean"):
            metric = self.long(saved, references=combined)
            with pytest.warns(UserWarning, match="^1 of 1 segments"):
                metric.sentence_score("a b", ["a b", "b a c d e"])

    def test_the_explanation_says_so(self, saved: Any) -> None:
        metric = self.long(saved)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (note,) = metric.explain("a b c d e", "b c d a e").notes
            assert "more than 4 words" in note
            assert metric.explain("a b", "b a").notes == ()

    def test_without_jumps_nothing_is_limited(self, saved: Any) -> None:
        metric = Pfsm(model=saved(machine=MachineOptions(max_jump=0, exact_length=4)))
        assert metric.sentence_score("a b c d e", ["b c d a e"]).score < 1.0

    def test_long_texts_are_scored(self, saved: Any) -> None:
        texts = ["the quick brown fox jumps over the lazy dog . " * 60]
        metric = Pfsm(model=saved(machine=MachineOptions()))
        assert np.isfinite(metric.corpus_score(texts, [texts]).score)

    def test_what_is_too_long_is_an_error_that_shows_it(self, saved: Any) -> None:
        metric = Pfsm(model=saved(machine=MachineOptions()))
        fault = r"MP551.*segment 1 of hypotheses \('a dog'\): a side has more than 10,000 words"
        with pytest.raises(InputError, match=fault):
            metric.sentence_score("a dog", ["cat " * 10_001])
        with pytest.raises(InputError, match="MP510"):
            metric.explain("a dog", "cat " * 1001)

    def test_what_is_too_repetitive_is_an_error_that_shows_it(self, saved: Any) -> None:
        metric = Pfsm(model=saved(machine=MachineOptions()))
        texts = ["a dog", "cat " * 6000, "a bird"]
        with pytest.raises(InputError, match=r"MP551.*segment 2 .*'cat cat .* substitutions"):
            metric.segment_scores(texts, [texts])

    def test_a_refusal_names_the_segment_of_the_whole_corpus_and_the_system(
        self, saved: Any
    ) -> None:
        metric = Pfsm(model=saved(machine=MachineOptions()))
        long = [f"w{i}" for i in range(5000)]
        corpus = Corpus(
            {"b": ["a dog", "a cat", " ".join(long)]}, [["a dog", "a cat", "x " * 5000]]
        )
        with pytest.raises(InputError, match=r"MP551.*segment 3 of b .*5000 and 5000 words"):
            score([corpus[:2], corpus[2:]], [metric])

    def test_repeated_words_are_scored_with_fewer_jumps(self) -> None:
        with pytest.warns(UserWarning, match="1 of 1 segments: .* repeated ones"):
            found = Ppda().sentence_score("dog " * 120, ["dog " * 110])
        assert np.isfinite(found.score)


class TestMistakes:
    @pytest.mark.parametrize(
        ("kind", "options", "code"),
        [
            (Ppda, {"lang": "de"}, "MP531"),
            (Ppda, {"model": "pbe"}, "MP625"),
            (Ppda, {"model": 3}, "MP506"),
            (Ppda, {"analyser": "builtin:de"}, "MP520"),
            (Pfsm, {"model": "ppda"}, "MP550"),
            (Ppda, {"model": "pfsm"}, "MP550"),
            (Ppda, {"model": "ppda+f"}, "MP550"),
            (PpdaF, {"model": "pfsm"}, "MP550"),
            (PpdaF, {"model": "ppda"}, "MP550"),
            (Ppda, {"model": "file:no/such/file.json"}, "MP620"),
        ],
    )
    def test_wrong_options_are_refused(
        self, kind: type[Metric], options: dict[str, Any], code: str
    ) -> None:
        with pytest.raises(MetaphraseError) as caught:
            kind(**options)
        assert caught.value.code == code

    def test_a_model_of_another_language_asks_for_it(self, saved: Any) -> None:
        model = saved(lang="de", analyser="builtin:de")
        assert Ppda(model=model, lang="de").analyser_name == "builtin:de"
        with pytest.raises(OptionError, match="MP531"):
            Ppda(model=model)

    def test_an_analyser_of_another_language_is_named(self, saved: Any) -> None:
        model = saved(analyser="builtin:de")
        with pytest.raises(OptionError, match=r"MP520.*'builtin:de', which the model") as caught:
            Ppda(model=model)
        assert "Train" in str(caught.value.hint)

    def test_a_damaged_model_is_a_coded_error(self, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        path.write_text(MODEL.to_json()[:200])
        with pytest.raises(MetaphraseError, match=r"MP62\d"):
            Ppda(model=f"file:{path}")


def test_the_three_differ_in_their_models_alone() -> None:
    for metric, jumps, dependencies in (
        (Pfsm(), False, False),
        (Ppda(), True, False),
        (PpdaF(), True, True),
    ):
        model = metric.edit_model
        assert metric.model == metric.name == model.name
        assert (model.machine.max_jump > 0) == jumps
        assert model.substitutions.dependencies == dependencies
        assert ({"head", "relation"} <= metric.columns) == dependencies
        assert (model.synonyms == "none") != dependencies


def test_the_command_line_spells_it(saved: Any) -> None:
    model = saved(synonyms="wordnet")
    metric = create(f"ppda+f:model={model}:references=mean")
    assert metric == PpdaF(model=model, references="mean")
    assert create(metric.specification) == metric


def test_the_signature_tells_the_model_and_what_it_reads(saved: Any) -> None:
    metrics = [
        Ppda(),
        Ppda(references="mean"),
        Ppda(model=saved()),
        Ppda(model=saved(alpha=0.5)),
        PpdaF(model=saved(synonyms="wordnet")),
        PpdaF(model=saved(synonyms="wordnet", paraphrases="paraphrases")),
        Ppda(model=saved(analyser="characters:presegmented")),
    ]
    signatures = [str(metric.signature(1)) for metric in metrics]
    assert len(set(signatures)) == len(metrics)
    assert f"model:small@{metrics[2].edit_model.fingerprint}" in signatures[2]
    assert "jump:2|block:2" in signatures[2]


def test_the_system_score_is_the_mean(saved: Any) -> None:
    metric = Ppda(model=saved())
    corpus = Corpus({"a": ["a b", "c", "d e f"]}, [["b a", "c d", "d e f"]])
    found = score(corpus, [metric], levels=["system", "segment"])
    segments = found.values(system="a", metric=metric.label, level="segment")
    assert found.values(system="a", metric=metric.label)[0] == pytest.approx(segments.mean())


def test_sentences_are_prepared_once_for_all_systems(
    saved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    prepare = edit_machines.edit_sentences

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        return prepare(*arguments, **options)

    monkeypatch.setattr(edit_machines, "edit_sentences", counted)
    systems = {name: [f"{name} cat sat", "the dog"] for name in "abc"}
    score(Corpus(systems, [["the cat", "a dog"]] * 2), [Ppda(model=saved())])
    assert len(calls) == 1


def test_two_empty_sides_score_alpha(saved: Any) -> None:
    row = statistics(Ppda(model=saved()), "", "")
    assert row.tolist() == [0.25, 1, 0, 0, 0, 0]


def test_scores_have_four_digits_in_tables(saved: Any) -> None:
    from metaphrase.report import score_view

    metric = Ppda(model=saved())
    scores = score(Corpus({"a": ["a cat sat"]}, [["the cat sat"]]), [metric])
    value = scores.values(system="a", metric=metric.label)[0]
    table = "\n".join(score_view(scores)[2].lines())  # type: ignore[union-attr]
    assert f"{value:.4f}" in table
