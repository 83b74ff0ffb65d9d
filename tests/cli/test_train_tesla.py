"""``metaphrase train tesla`` from judgements to scores."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from cli.bundled import Fails, Prints
from metaphrase import Tesla
from metaphrase.cli import main
from metaphrase.extras import install_command
from metaphrase.learning.language_models.kneser_ney import estimate
from metaphrase.metrics.tesla.features import feature_names
from metaphrase.trained.tesla_model import TeslaModel
from oracle.small_tesla import LANGUAGE_MODEL, MODEL, TABLE, train

SHIPPED = Path(__file__).parents[2] / "packages/metaphrase-pivots/src/metaphrase_pivots/data"

# Each reference with translations from the best to the worst.
RANKED = (
    ("The government announced a plan.", "The government announced the plan.", "Plan announce."),
    ("The plan was new.", "The plan is new.", "Was the new."),
    ("Heavy rain fell on Tuesday.", "Strong rain fell on Tuesday.", "On fell the strong."),
    ("She said it on Tuesday.", "On Tuesday she said it.", "It said on."),
    ("The letter was new.", "The letter is new.", "Letter the letter."),
    ("The rain caused floods.", "The rain caused a flood.", "Flood it caused a."),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("train")
    train(path)
    rankings, scores = [], ["set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"]
    for number, (reference, *hypotheses) in enumerate(RANKED):
        items = [
            {"systems": [f"s{rank}"], "rank": rank, "hyp": text}
            for rank, text in enumerate(hypotheses, 1)
        ]
        row = {"set": "t", "lp": "de-en", "seg": number, "judge": "j", "source": "?"}
        rankings.append(json.dumps({**row, "ref": reference, "items": items}))
        for rank, text in enumerate(hypotheses, 1):
            cells = ["t", "de-en", f"s{rank}", "", str(number), "?", reference, text, str(-rank)]
            scores.append("\t".join(cells))
    (path / "ranks.jsonl").write_text("\n".join(rankings) + "\n")
    (path / "scores.tsv").write_text("\n".join(scores) + "\n")
    return path


def train_tesla(folder: Path, output: str, *arguments: str, data: str = "ranks.jsonl") -> list[str]:
    """The command, with the tables and language models in ``arguments`` and none of the package."""
    none = ["--pivots", "--language-models"]
    return [*train_with_package(folder, output, data=data), *none, *arguments]


def train_with_package(folder: Path, output: str, *, data: str = "ranks.jsonl") -> list[str]:
    return ["train", "tesla", "--data", str(folder / data), "-o", str(folder / output)]


def resources(folder: Path) -> Sequence[str]:
    return ["--pivots", str(folder / TABLE), "--language-models", str(folder / LANGUAGE_MODEL)]


def test_a_model_is_trained_on_rankings_and_scores_with_it(folder: Path, prints: Prints) -> None:
    command = train_tesla(folder, "ranked.json", *resources(folder), "--folds", "3")
    assert "13 weights from 6 pairs of 6 segments" in prints(*command)
    metric = Tesla(model=f"file:{folder / 'ranked.json'}")
    for reference, good, bad in RANKED:
        assert float(metric.sentence_score(good, [reference])) > float(
            metric.sentence_score(bad, [reference])
        )


def test_rankings_of_other_languages_are_left_out_and_counted(folder: Path, prints: Prints) -> None:
    assert "left out" not in prints(*train_tesla(folder, "words.json"))
    english = (folder / "ranks.jsonl").read_text()
    (folder / "both.jsonl").write_text(english + english.replace("de-en", "en-de"))
    said = prints(*train_tesla(folder, "words.json", data="both.jsonl"))
    assert "6 rankings of translations into other languages were left out" in said


def test_a_model_tells_where_it_comes_from(folder: Path) -> None:
    main(train_tesla(folder, "told.json", *resources(folder), "--licence", "CC0", "--name", "mine"))
    model = TeslaModel.load(folder / "told.json")
    assert (model.name, model.licence, model.lang) == ("mine", "CC0", "en")
    assert tuple(model.features) == feature_names(["de"], ["news"])
    assert model.training["method"] == "ranking SVM"
    assert model.training["data"][0]["name"] == "ranks.jsonl"
    assert model.training["command"] == (
        "metaphrase train tesla --data ranks.jsonl --pivots en-de.pivots "
        "--language-models news.lm --name mine --licence CC0 -o told.json"
    )
    assert str(folder) not in model.to_json()


def test_weights_are_learned_as_in_the_paper(folder: Path, prints: Prints) -> None:
    options = ["--as-given", "--loss", "hinge", "--lm-divisor", "n"]
    prints(*train_tesla(folder, "paper.json", *resources(folder), *options))
    prints(*train_tesla(folder, "ours.json", *resources(folder)))
    model, ours = (TeslaModel.load(folder / f"{name}.json") for name in ("paper", "ours"))
    assert model.training["method"] == "ranking SVM, hinge loss"
    assert f" {' '.join(options)} -o paper.json" in model.training["command"]
    assert (model.lm_divisor, ours.lm_divisor) == ("n", "n+1")
    metric = Tesla(model=f"file:{folder / 'paper.json'}", normalise=False)
    language_model = metric.features.language_models["news"]
    words = ["The", "plan", "was", "new", "."]
    found = sum(word.log10 for word in language_model.word_probabilities(words)) / len(words)
    explained = metric.explain("The plan was new.", "A plan was new.")
    assert explained.features[-1].value == pytest.approx(found)
    # A sentence without words has no probability a word: the feature is missing, and adds nothing.
    assert metric.explain("", "A plan was new.").features[-1].value is None


def test_training_twice_gives_the_same_bytes(folder: Path) -> None:
    contents = []
    for _ in range(2):
        main(train_tesla(folder, "again.json", *resources(folder)))
        contents.append((folder / "again.json").read_bytes())
    assert contents[0] == contents[1]


def test_a_model_is_trained_on_scores(folder: Path, prints: Prints) -> None:
    arguments = ["--absolute", "--standardise", *resources(folder)]
    command = train_tesla(folder, "scored.json", *arguments, data="scores.tsv")
    assert "12 scores of 6 segments; Pearson's r" in prints(*command)
    training = TeslaModel.load(folder / "scored.json").training
    assert (training["method"], training["standardised"]) == ("ridge regression", True)


def test_pivots_and_language_models_may_be_missing(folder: Path) -> None:
    assert main(train_tesla(folder, "words.json")) == 0
    metric = Tesla(model=f"file:{folder / 'words.json'}")
    assert metric.features.names == feature_names([], [])
    assert float(metric.sentence_score("a cat", ["a cat"]))


@pytest.mark.skipif(not SHIPPED.exists(), reason="a source distribution has no packages")
def test_nobody_need_name_what_the_package_has(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prints: Prints
) -> None:
    package = ModuleType("metaphrase_pivots")
    package.path = lambda name: SHIPPED / name  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", package)
    packaged = tmp_path / "packaged.json"  # where no table of that name lies beside it
    said = prints(*train_with_package(folder, str(packaged)))
    assert "en-de.pivots, en-fr.pivots, en-es.pivots, en-cs.pivots" in said
    assert "news.en.lm, europarl.en.lm of metaphrase-pivots were used" in said
    model = TeslaModel.load(packaged)
    assert tuple(model.features) == tuple(TeslaModel.find("en").features)
    assert "--language-models news.en.lm europarl.en.lm -o" in model.training["command"]
    assert float(Tesla(model=f"file:{packaged}").sentence_score("a", ["a"]))
    said = prints(*train_with_package(folder, "given.json"), *resources(folder))
    assert "metaphrase-pivots" not in said
    for lang, taken in (("de", "de-en.pivots, news.de.lm, europarl.de.lm of "), ("zh", "")):
        ranks = (folder / "ranks.jsonl").read_text().replace("de-en", f"en-{lang}")
        (folder / f"{lang}.jsonl").write_text(ranks)
        command = train_with_package(folder, f"{lang}.json", data=f"{lang}.jsonl")
        said = prints(*command, "--language", lang)
        assert (taken in said) if taken else ("metaphrase-pivots" not in said)


@pytest.mark.filterwarnings("always")
def test_without_the_package_it_says_how_to_install_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "metaphrase_pivots", None)
    assert main(train_with_package(folder, "words.json")) == 0
    said = capsys.readouterr().err
    assert "without --pivots and --language-models" in said
    assert install_command("pivots") in said
    assert main(train_tesla(folder, "words.json")) == 0
    assert not capsys.readouterr().err


def test_pivots_and_language_models_may_be_given_one_by_one(folder: Path) -> None:
    (folder / "europarl.lm").write_bytes((folder / LANGUAGE_MODEL).read_bytes())
    more = ["--language-models", str(folder / "europarl.lm")]
    assert main(train_tesla(folder, "both.json", *resources(folder), *more)) == 0
    model = TeslaModel.load(folder / "both.json")
    assert list(model.language_models) == ["news", "europarl"]
    assert main(train_tesla(folder, "pivot.json", *resources(folder), "--pivots")) == 0
    assert list(TeslaModel.load(folder / "pivot.json").pivots) == ["de"]


def test_files_of_one_name_are_refused(folder: Path, fails: Fails) -> None:
    # The model would look for both beside itself.
    other = folder / "other" / LANGUAGE_MODEL
    other.parent.mkdir(exist_ok=True)
    other.write_bytes((folder / TABLE).read_bytes())
    arguments = ["--pivots", str(other), "--language-models", str(folder / LANGUAGE_MODEL)]
    fails(2, ("MP815", "the same name"), *train_tesla(folder, "never.json", *arguments))


@pytest.mark.parametrize("name", ["a\nb.lm", "a\x1b[31m.lm", "a,b.lm", "a|b.lm", ".lm"])
def test_names_that_signatures_cannot_spell_are_refused(
    name: str, folder: Path, fails: Fails
) -> None:
    (folder / name).write_bytes((folder / LANGUAGE_MODEL).read_bytes())
    fails(2, "MP815", *train_tesla(folder, "never.json", "--language-models", str(folder / name)))
    if not name.isprintable():
        fails(2, "MP815", *train_tesla(folder, "never.json", "--name", name))


@pytest.mark.filterwarnings("always")
def test_a_language_model_of_unknown_words_is_doubted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    estimate([["the", "plan"]]).write_arpa(folder / "tokenised.arpa")
    arguments = ["--language-models", str(folder / "tokenised.arpa")]
    assert main(train_tesla(folder, "doubtful.json", *arguments)) == 0
    assert "tokenised.arpa does not say what its words are" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "data", "arguments"),
    [
        ("MP814", "scores.tsv", []),
        ("MP814", "ranks.jsonl", ["--absolute"]),
        ("MP814", "ranks.jsonl", ["--language", "de"]),
        ("MP815", "ranks.jsonl", ["--standardise"]),
        ("MP815", "scores.tsv", ["--absolute", "--loss", "hinge"]),
        ("MP815", "ranks.jsonl", ["--pivots", TABLE, TABLE]),
        ("MP815", "ranks.jsonl", ["--language-models", LANGUAGE_MODEL, LANGUAGE_MODEL]),
        ("MP815", "ranks.jsonl", ["--language", "de", "--pivots", TABLE]),
        ("MP815", "ranks.jsonl", ["--language", "de", "--language-models", LANGUAGE_MODEL]),
        ("MP661", "ranks.jsonl", ["--pivots", LANGUAGE_MODEL]),
        ("MP660", "ranks.jsonl", ["--pivots", "missing"]),
        ("MP813", "ranks.jsonl", ["--folds", "1"]),
        ("MP607", "ranks.jsonl", ["--pivots", MODEL]),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(
    code: str,
    data: str,
    arguments: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    fails: Fails,
) -> None:
    monkeypatch.chdir(folder)
    output = MODEL if code == "MP607" else "never.json"
    fails(None, code, *train_tesla(folder, output, *arguments, data=data))
    assert not (folder / "never.json").exists()
