"""TESLA: the features of its parts, weighed by its model; resources are those the model was trained with."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from metaphrase import Corpus, Tesla, TeslaM, score
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.extras import install_command
from metaphrase.learning.phrases.pivot_table_file import Pruning
from metaphrase.learning.phrases.pivot_training import train_pivot_table
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.matching.pivot_bags import pivot_bags
from metaphrase.metrics import compare, create
from metaphrase.metrics.tesla.features import (
    TeslaFeatures,
    feature_group,
    feature_names,
    judged_features,
)
from metaphrase.metrics.tesla.resources import open_language_models, open_pivots
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.tesla_model import FeatureWeight, Resource, TeslaModel
from oracle.small_tesla import FEATURES, LANGUAGE_MODEL, MODEL, TABLE, small_tesla, train

# The data of the package that goes with the model.
SHIPPED = Path(__file__).parents[2] / "packages/metaphrase-pivots/src/metaphrase_pivots/data"
in_a_clone = pytest.mark.skipif(
    not SHIPPED.exists(), reason="a source distribution has no packages"
)
REFERENCE = "Heavy rain caused floods on Tuesday."
HYPOTHESIS = "The rain caused flooding on Tuesday, Querrien."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tesla")
    train(path)
    return path


def values(metric: Tesla, hypothesis: str, *references: str) -> np.ndarray:
    corpus = Corpus({"a": [hypothesis]}, [[text] for text in references], empty_references="keep")
    (comparison,) = compare(corpus, metric)
    return metric.features.values(comparison)


def test_into_english_with_four_pivots_and_two_models_there_are_32_features() -> None:
    # METRICS 3.6: 6 + 24 + 2.
    assert len(feature_names(["de", "fr", "es", "cs"], ["news", "europarl"])) == 32


def test_features_have_groups() -> None:
    groups = [feature_group(name) for name in FEATURES]
    assert groups == ["words"] * 6 + ["de"] * 6 + ["lm"]


def test_the_first_six_features_are_those_of_tesla_m() -> None:
    (comparison,) = compare(Corpus({"a": [HYPOTHESIS]}, [[REFERENCE]]), TeslaM())
    expected = TeslaM().f_values(comparison)
    np.testing.assert_array_equal(values(small_tesla(), HYPOTHESIS, REFERENCE)[..., :6], expected)


def test_pivot_features_are_f_values_of_what_pivot_bags_match(folder: Path) -> None:
    table = PivotTable(folder / TABLE)
    words = [
        "the rain caused flooding on tuesday querrien".split(),
        "heavy rain caused floods on tuesday".split(),
    ]
    bags = pivot_bags(table, words, [0], [1])
    expected = []
    for matched in (bags.matched_lemma[0], bags.matched_tag[0]):
        for s, x, y in zip(matched, bags.reference[0], bags.hypothesis[0], strict=True):
            precision, recall = s / y, s / x
            expected.append(precision * recall / (0.8 * precision + 0.2 * recall) if s > 0 else 0.0)
    found = values(small_tesla(), HYPOTHESIS, REFERENCE)[0, 0, 6:12]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found[0] > 0.3


def test_the_feature_of_a_language_model_is_the_log_probability_a_word(folder: Path) -> None:
    model = LanguageModel.load(folder / LANGUAGE_MODEL)
    words = "The rain caused flooding on Tuesday , Querrien .".split()
    found = sum(row.log10 for row in model.word_probabilities(words)) / (len(words) + 1)
    assert values(small_tesla(), HYPOTHESIS, REFERENCE)[0, 0, 12] == pytest.approx(found)


def test_the_score_is_linear_in_the_features() -> None:
    found = values(small_tesla(), HYPOTHESIS, REFERENCE)[0, 0]
    model = small_tesla().tesla_model
    expected = model.intercept + sum(
        one.weight * (value - one.mean) / one.scale
        for one, value in zip(model.features.values(), found, strict=True)
    )
    assert small_tesla().sentence_score(HYPOTHESIS, [REFERENCE]).score == pytest.approx(expected)


def test_two_empty_sentences_have_the_score_of_their_probability() -> None:
    found = values(small_tesla(), "", "")[0, 0]
    assert np.isnan(found[:12]).all()
    weight = small_tesla().tesla_model.features["lm.news"]
    expected = 0.25 + weight.weight * (found[12] - weight.mean) / weight.scale
    assert small_tesla().sentence_score("", [""]).score == pytest.approx(expected)


def test_with_several_references_scores_are_averaged() -> None:
    other = "The rain fell on Tuesday."
    scores = [
        small_tesla().sentence_score(HYPOTHESIS, references).score
        for references in ([REFERENCE], [other], [REFERENCE, other])
    ]
    assert scores[2] == pytest.approx((scores[0] + scores[1]) / 2, abs=1e-12)


def test_training_sees_several_references_as_scoring_does() -> None:
    metric, model = small_tesla(), small_tesla().tesla_model
    # Neither "It" nor the reference "Rain" has bigrams, and the other reference has.
    references = ("Rain", REFERENCE)
    judged = Judgements(
        name="set",
        language_pair="de-en",
        systems=("a",),
        segments=("1",),
        documents=None,
        texts=(JudgedText("It", references),),
        text_of=np.zeros((1, 1), np.int32),
        human=np.ones((1, 1)),
    )
    found = judged_features(metric.features, judged)
    assert found.shares[0].tolist() == [1, 0.5, 0.5] * 4 + [1]
    adds = model.contributions(found.values) * found.shares
    score = metric.sentence_score("It", list(references)).score
    assert model.intercept + adds.sum() == pytest.approx(score)


def test_every_features_sum_is_kept() -> None:
    (comparison,) = compare(Corpus({"a": [HYPOTHESIS, "It"]}, [[REFERENCE, "It"]]), small_tesla())
    rows = small_tesla().statistics(comparison)
    assert rows.shape == (2, 2 + 2 * len(FEATURES))
    kept = values(small_tesla(), HYPOTHESIS, REFERENCE)[0, 0]
    np.testing.assert_allclose(rows[0, 2 : 2 + len(FEATURES)], kept)
    # One word has no bigrams: they are neither in the sum nor counted.
    assert rows[1, 2 + len(FEATURES) :].tolist() == [1, 0, 0, 1, 0, 0] * 2 + [1]


def test_a_sentence_that_is_too_long_is_named_by_its_text() -> None:
    long = "rain " * 10_001
    for hypothesis, reference in (("a", long), (long, "a")):
        corpus = Corpus({"s": ["b", hypothesis]}, [["c", reference]])
        with pytest.raises(InputError, match=r"MP665.*a text has 10001 words.*'rain rain"):
            score(corpus, [small_tesla()])


def test_a_group_of_features_can_be_left_out(folder: Path) -> None:
    metric = small_tesla()
    rest = replace(metric, without=("words", "lm"))
    explained = metric.explain(HYPOTHESIS, REFERENCE)
    added = [one for one in explained.features if one.name.startswith(("de.", "average"))]
    score = rest.sentence_score(HYPOTHESIS, [REFERENCE]).score
    assert score == pytest.approx(sum(one.contribution for one in added))
    assert "without:lm,words" in str(rest.signature())
    with pytest.raises(OptionError, match="MP507"):
        replace(metric, without=("fr",))


def test_something_must_be_left_to_score_with() -> None:
    with pytest.raises(OptionError, match="MP507"):
        replace(small_tesla(), without=("lm", "de", "words"))


def test_an_empty_name_is_not_that_of_the_model_that_ships() -> None:
    with pytest.raises(ResourceError, match="MP801"):
        Tesla(model="")


def test_an_explanation_adds_up() -> None:
    explanation = small_tesla().explain(HYPOTHESIS, REFERENCE)
    *features, average = explanation.features
    assert [feature.name for feature in features] == list(FEATURES)
    assert average.contribution == 0.25
    assert sum(explanation.summands.values()) == pytest.approx(explanation.score)
    assert explanation.layer("ms1")


def test_what_each_feature_adds_can_be_computed_again() -> None:
    metric = replace(small_tesla(), without=("lm",))
    explanation = metric.explain(HYPOTHESIS, REFERENCE)
    *features, model, _ = explanation.features
    for feature in features:
        told = feature.details
        adds = told["weight"] * (feature.value - told["average"]) / told["scale"]
        assert feature.contribution == pytest.approx(adds), feature.name
    # What is left out weighs nothing and is no part of the score.
    assert (model.details["weight"], model.contribution) == (0, None)
    assert sum(explanation.summands.values()) == pytest.approx(explanation.score)


def test_an_explanation_tells_the_words_that_language_models_expect_least(folder: Path) -> None:
    explanation = small_tesla().explain(HYPOTHESIS, REFERENCE)
    model = LanguageModel.load(folder / LANGUAGE_MODEL)
    rows = model.word_probabilities([word.form for word in explanation.hypothesis])
    least = explanation.improbable_words
    assert [one.log10 for one in least] == sorted(row.log10 for row in rows)[:5]
    for one in least:
        assert (rows[one.word].log10, rows[one.word].order) == (one.log10, one.order)
    # Words that the model has never seen are among them.
    assert {"flooding", "Querrien"} <= {explanation.hypothesis[one.word].form for one in least}


def test_an_explanation_tells_phrases_and_what_they_are_read_as() -> None:
    explanation = small_tesla().explain(HYPOTHESIS, REFERENCE)
    for side in ("reference", "hypothesis"):
        phrases = [one for one in explanation.pivot_phrases if one.side == side]
        words = getattr(explanation, side)
        covered = [place for one in phrases for place in one.words]
        assert covered == [i for i, word in enumerate(words) if word.form not in ",."]
    unknown = {
        explanation.hypothesis[one.words[0]].form
        for one in explanation.pivot_phrases
        if one.side == "hypothesis" and not one.known
    }
    assert unknown == {"flooding", "Querrien"}
    readings = {
        " ".join(explanation.reference[place].form for place in one.words): dict(one.readings)
        for one in explanation.pivot_phrases
        if one.side == "reference"
    }
    # The only sentence with "heavy rain" has "starker Regen".
    assert list(readings["Heavy rain"]) == ["stark regen"]


def test_an_explanation_tells_the_heaviest_n_grams_in_common() -> None:
    matches = small_tesla().explain(HYPOTHESIS, REFERENCE).pivot_matches
    lemmas = [match for match in matches if match.kind == "lemma"]
    assert {"regen", "dienstag"} <= {match.ngram for match in lemmas}
    weights = [match.matched for match in lemmas]
    assert weights == sorted(weights, reverse=True)
    assert {match.kind for match in matches} == {"lemma", "tag"}


def test_a_model_of_another_language_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"MP531.*lang=en"):
        Tesla(lang="de", model=f"file:{folder / MODEL}")
    with pytest.raises(ResourceError, match="MP801"):
        Tesla(lang="xx")


def test_a_model_with_other_features_is_refused(folder: Path, tmp_path: Path) -> None:
    model = TeslaModel.load(folder / MODEL)
    for features in (
        {**model.features, "fr.lemma1": FeatureWeight(1.0, 0.0, 1.0)},
        dict(list(model.features.items())[1:]),
        dict(reversed(model.features.items())),
    ):
        replace(model, features=features).save(tmp_path / MODEL)
        with pytest.raises(ResourceError, match="MP806"):
            Tesla(model=f"file:{tmp_path / MODEL}")


def test_resources_are_found_beside_the_model_or_where_the_user_says(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", None)
    shutil.copy(folder / MODEL, tmp_path)
    lost = Tesla(model=f"file:{tmp_path / MODEL}")
    with pytest.raises(ResourceError, match=r"MP804.*resources="):
        lost.sentence_score("a", ["a"])
    with pytest.raises(ResourceError, match="MP804"):
        lost.signature()
    found = replace(lost, resources=str(folder))
    expected = small_tesla().sentence_score(HYPOTHESIS, [REFERENCE])
    assert found.sentence_score(HYPOTHESIS, [REFERENCE]).score == expected.score
    elsewhere = replace(small_tesla(), resources=str(tmp_path))
    with pytest.raises(ResourceError, match="MP804"):
        elsewhere.sentence_score("a", ["a"])
    nowhere = replace(small_tesla(), resources=str(tmp_path / "nowhere"))
    with pytest.raises(ResourceError, match=r"MP804.*no directory"):
        nowhere.sentence_score("a", ["a"])


def test_a_signature_needs_the_resources_also_under_optimisation(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / MODEL, tmp_path)
    asked = f"import metaphrase; metaphrase.Tesla(model='file:{MODEL}', resources='.').signature()"
    ran = subprocess.run(
        [sys.executable, "-O", "-c", asked], cwd=tmp_path, capture_output=True, text=True
    )
    assert "MP804" in ran.stderr


def test_resources_are_found_in_the_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folder / MODEL, tmp_path)
    package = ModuleType("metaphrase_pivots")
    package.path = lambda name: folder / name  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", package)
    metric = Tesla(model=f"file:{tmp_path / MODEL}")
    assert metric.features.names == FEATURES


def test_what_is_damaged_in_the_package_must_be_installed_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = TeslaModel.load(folder / MODEL)
    data = tmp_path / "data"
    data.mkdir()
    package = ModuleType("metaphrase_pivots")
    package.path = lambda name: data / name  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", package)
    model.save(tmp_path / MODEL)
    for content, code in ((b"", "MP661"), ((folder / TABLE).read_bytes(), "MP805")):
        (data / TABLE).write_bytes(content)
        other = {"de": Resource(TABLE, "000000000000")}
        replace(model, pivots=other).save(tmp_path / MODEL)
        with pytest.raises(ResourceError, match=f"{code}.*pip install --force-reinstall "):
            Tesla(model=f"file:{tmp_path / MODEL}").sentence_score("a", ["a"])


def test_other_content_than_that_of_training_is_refused(folder: Path, tmp_path: Path) -> None:
    model = train(tmp_path)
    fingerprint = replace(model.pivots["de"], fingerprint="000000000000")
    replace(model, pivots={"de": fingerprint}).save(tmp_path / MODEL)
    with pytest.raises(ResourceError, match="MP805"):
        Tesla(model=f"file:{tmp_path / MODEL}").sentence_score("a", ["a"])


def test_resources_of_other_languages_or_words_than_the_models_are_refused(folder: Path) -> None:
    model = TeslaModel.load(folder / MODEL)
    for changed in (
        replace(model, lang="de"),
        replace(model, analyser="builtin:fr"),
        replace(model, pivots={"fr": model.pivots["de"]}),
    ):
        with pytest.raises(ResourceError, match="MP805"):
            open_pivots(changed, name="changed", directory=str(folder))
    with pytest.raises(ResourceError, match="MP805"):
        open_language_models(
            replace(model, analyser="builtin:fr"), name="changed", directory=str(folder)
        )


@pytest.mark.parametrize(("name", "code"), [(TABLE, "MP661"), (LANGUAGE_MODEL, "MP685")])
def test_damaged_resources_are_refused(name: str, code: str, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    content = (folder / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(ResourceError, match=code):
        Tesla(model=f"file:{tmp_path / MODEL}").sentence_score("a", ["a"])


def test_without_pivots_and_language_models_there_are_tesla_ms_features() -> None:
    assert TeslaFeatures(TeslaM()).names == feature_names([], [])
    assert len(TeslaFeatures(TeslaM()).names) == 6


def test_into_german_compounds_are_cut_before_they_are_read_in_english(
    folder: Path, tmp_path: Path
) -> None:
    content, _ = train_pivot_table(
        folder / "text.de",
        folder / "text.en",
        target_language="de",
        pivot_language="en",
        pruning=Pruning(least_count=1, least_phrase_count=1, least_probability=0.0),
    )
    (tmp_path / "de-en.pivots").write_bytes(content)
    table = PivotTable(tmp_path / "de-en.pivots")
    TeslaModel(
        name="german",
        lang="de",
        analyser="builtin:de+compounds",
        synonyms="none",
        features=dict.fromkeys(feature_names(["en"], []), FeatureWeight(1.0, 0.5, 0.25)),
        pivots={"en": Resource("de-en.pivots", table.fingerprint)},
    ).save(tmp_path / "german.json")
    metric = Tesla(lang="de", model=f"file:{tmp_path / 'german.json'}")
    explanation = metric.explain("Der Regenplan war neu.", "Der Plan war neu.")
    readings = {
        explanation.hypothesis[one.words[-1]].form: one.readings
        for one in explanation.pivot_phrases
        if one.side == "hypothesis" and one.known
    }
    assert "Regen" in readings
    assert "rain" in " ".join(readings["Regen"])


@in_a_clone
@pytest.mark.parametrize(
    ("lang", "pivots", "reference", "good", "bad"),
    [
        (
            "en",
            ["de", "fr", "es", "cs"],
            "She bought the newspaper yesterday.",
            "She purchased the paper yesterday.",
            "He sold a newspaper tomorrow of it.",
        ),
        (
            "de",
            ["en"],
            "Der Ausschuss hat den Vorschlag gestern angenommen.",
            "Gestern hat der Ausschuss dem Vorschlag zugestimmt.",
            "Die Zeitung wird den Ausschuss morgen angenommen von.",
        ),
        (
            "fr",
            ["en"],
            "La commission a adopté la proposition hier.",
            "Hier, la commission a approuvé la proposition.",
            "Le journal va demain de la commission vendre.",
        ),
        (
            "es",
            ["en"],
            "La comisión aprobó la propuesta ayer.",
            "Ayer la comisión adoptó la propuesta.",
            "El periódico mañana de la comisión vender.",
        ),
        (
            "cs",
            ["en"],
            "Vláda včera schválila nový zákon.",
            "Včera vláda přijala nový zákon.",
            "Noviny zítra prodávat zákona z.",
        ),
    ],
    ids=["en", "de", "fr", "es", "cs"],
)
def test_what_ships_fits_together(
    lang: str, pivots: list[str], reference: str, good: str, bad: str
) -> None:
    metric = Tesla(lang=lang, resources=str(SHIPPED))
    assert list(metric.features.pivots) == pivots
    large = "extra" if lang == "cs" else "europarl"
    assert list(metric.features.language_models) == ["news", large]
    better, worse = (float(metric.sentence_score(text, [reference])) for text in (good, bad))
    assert better > worse


@in_a_clone
def test_the_papers_weights_are_of_the_same_features_and_of_other_scores() -> None:
    metric = create(f"tesla:paper:resources={SHIPPED}")
    ours = Tesla(resources=str(SHIPPED))
    assert isinstance(metric, Tesla)
    assert (metric.normalise, metric.features.lm_divisor) == (False, "n")
    assert metric.features.names == ours.features.names
    assert metric.tesla_model.training["data"] == ours.tesla_model.training["data"]
    assert "hinge" in metric.tesla_model.training["method"]
    reference, good, bad = (
        REFERENCE,
        "Heavy rain caused floods Tuesday.",
        "Caused on Tuesday heavy.",
    )
    assert float(metric.sentence_score(good, [reference])) > float(
        metric.sentence_score(bad, [reference])
    )
    signature = str(metric.signature(1))
    assert "|model:tesla-en-paper@" in signature
    assert "|norm:none|substituted:tagger,lemmatiser,function_tags,word aligner," in signature


def test_the_papers_weights_are_english() -> None:
    with pytest.raises(OptionError, match=r"MP531.*tesla:paper, is for English, not for 'de'"):
        create("tesla:paper", lang="de")


@in_a_clone
def test_the_package_has_what_the_models_need_and_nothing_else() -> None:
    models = map(TeslaModel.find, TeslaModel.shipped())
    needed = {
        one.file
        for model in models
        for one in (*model.pivots.values(), *model.language_models.values())
    }
    assert needed == {file.name for file in SHIPPED.iterdir()}


@in_a_clone
def test_the_package_is_small() -> None:
    english = [file for file in SHIPPED.iterdir() if re.match(r"en-|.*\.en\.", file.name)]
    everything = sum(file.stat().st_size for file in SHIPPED.iterdir())
    assert sum(file.stat().st_size for file in english) <= 20_000_000
    assert everything <= 35_000_000


@pytest.mark.parametrize("name", TeslaModel.shipped())
def test_a_model_that_ships_is_that_of_its_language(name: str) -> None:
    model = TeslaModel.find(name)
    lang = name.removesuffix("-paper")
    assert (model.name, model.lang) == (f"tesla-{name}", lang)
    assert Tesla(lang=lang).analyser_name == TeslaM(lang=lang).analyser_name
    # A score must not depend on the thesauri that a machine happens to have.
    assert model.synonyms == ("wordnet" if lang == "en" else "none")


def test_a_language_without_a_model_is_told_which_have_one() -> None:
    with pytest.raises(ResourceError, match=r"MP801.*There are: cs, de, en.* es, fr\."):
        Tesla(lang="it")


@in_a_clone
def test_the_package_carries_the_licence_of_metaphrase() -> None:
    package = SHIPPED.parents[2]
    assert 'license-files = ["LICENSE"]' in (package / "pyproject.toml").read_text("utf-8")
    licences = [path.read_bytes() for path in (package / "LICENSE", package.parents[1] / "LICENSE")]
    assert licences[0] == licences[1]


@pytest.mark.parametrize("lang", ["de", "en", "es", "fr"])  # Czech may want its analyser first
def test_without_the_package_the_error_says_how_to_install_it(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", None)
    with pytest.raises(ResourceError, match="MP804.*" + re.escape(install_command("pivots"))):
        Tesla(lang=lang).sentence_score("a", ["a"])
