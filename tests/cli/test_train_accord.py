"""``metaphrase train accord`` from judgements to scores, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cli.bundled import Fails, Prints
from metaphrase.cli import main
from metaphrase.learning.accord import Untrained, resumption
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel

HEADER = "set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"
Rows = list[list[str]]


@pytest.fixture
def rows(examples: Path) -> Rows:
    """The 60 scores of the bundled example: two language pairs, three systems, ten segments."""
    return [line.split("\t") for line in (examples / "judgements.tsv").read_text().splitlines()[1:]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes rows of scores, with another set or language pair if need be."""

    def written(rows: Rows, name: str = "scores.tsv", **columns: str) -> str:
        places = {column: HEADER.split("\t").index(column) for column in columns}
        lines = [HEADER]
        for row in rows:
            changed = list(row)
            for column, value in columns.items():
                changed[places[column]] = value
            lines.append("\t".join(changed))
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return str(tmp_path / name)

    return written


@pytest.fixture
def scores(rows: Rows, write: Callable[..., str]) -> str:
    return write(rows)


@pytest.fixture
def rankings(rows: Rows, tmp_path: Path) -> str:
    """The same judgements as rankings of another set."""
    segments: dict[tuple[str, str], Rows] = {}
    for row in rows:
        segments.setdefault((row[1], row[4]), []).append(row)
    lines = []
    for (pair, segment), items in segments.items():
        ordered = sorted(items, key=lambda row: -float(row[8]))
        record = {"set": "ranked", "lp": pair, "seg": segment, "judge": "j", "source": items[0][5]}
        record["ref"] = items[0][6]
        ranks = [
            {"systems": [row[2]], "rank": rank, "hyp": row[7]}
            for rank, row in enumerate(ordered, 1)
        ]
        lines.append(json.dumps({**record, "items": ranks}))
    path = tmp_path / "rankings.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "mine.json"


def train(output: Path, *arguments: str) -> list[str]:
    return ["train", "accord", "-o", str(output), "--data", *arguments]


quiet = pytest.mark.filterwarnings("ignore:there are .* judgements for")


@quiet
class TestLearning:
    def test_a_model_of_scores_scores(self, scores: str, output: Path, prints: Prints) -> None:
        said = prints(*train(output, scores, "--licence", "CC0"))
        assert "set      pair   judgements     held out  shipped   chrf" in said
        assert "example  de-en          30  r" in said
        assert f"{output}: " in said
        assert "weights from 60 judgements; 90% of segments are within ±" in said
        model = AccordModel.load(output)
        assert (model.name, model.lang, model.licence) == ("mine", "en", "CC0")
        assert model.interval is not None
        metric = Accord(model=f"file:{output}")
        good, bad = (
            float(metric.sentence_score(text, ["The library opens an hour later on Sundays."]))
            for text in (
                "The library opens one hour later on Sundays.",
                "The library an hour Sundays.",
            )
        )
        assert 100 > good > bad > 0

    def test_rankings_are_learnt_from(self, rankings: str, output: Path, prints: Prints) -> None:
        said = prints(*train(output, rankings))
        assert "ranked  de-en          30  τ" in said
        assert AccordModel.load(output).features

    def test_scores_and_rankings_are_learnt_from_at_once(
        self, scores: str, rankings: str, output: Path, prints: Prints
    ) -> None:
        said = prints(*train(output, scores, rankings))
        assert "example  de-en          30  r" in said
        assert "ranked   fr-en          30  τ" in said
        assert AccordModel.load(output).training["judgements"] == {
            "example de-en": 30,
            "example fr-en": 30,
            "ranked de-en": 30,
            "ranked fr-en": 30,
        }

    def test_sets_are_weighed(
        self, scores: str, rankings: str, rows: Rows, write: Callable[..., str], output: Path
    ) -> None:
        turned = [[*row[:8], str(-(float(row[8]) ** 3))] for row in rows if row[2] != "careful"]
        other = write(turned[:6] + rows[:27], "other.tsv", set="other")
        features = []
        for weights in ([], ["--weights", "other=1"], ["--weights", "other=20"]):
            assert main(train(output, scores, other, *weights)) == 0
            features.append(AccordModel.load(output).features)
        assert features[0] == features[1] != features[2]

    def test_a_model_tells_where_it_comes_from(self, scores: str, output: Path) -> None:
        assert main(train(output, scores, "--lambda", "0.1", "--weights", "example=2")) == 0
        training = AccordModel.load(output).training
        (source,) = training["data"]
        assert (source["name"], source["judgements"]) == ("scores.tsv", 60)
        assert training["options"] == {
            "penalty": 0.1,
            "weights": {"example": 2.0},
            "vectors": "glove",
        }
        assert set(training["agreement when left out"]["example"]) == {"de-en", "fr-en"}
        assert training["command"] == (
            "metaphrase train accord --data scores.tsv --weights example=2 --lambda 0.1 -o mine.json"
        )
        assert str(output.parent) not in output.read_text()

    def test_training_twice_gives_the_same_bytes(self, scores: str, output: Path) -> None:
        contents = []
        for threads in "12":
            assert main(train(output, scores, "--threads", threads)) == 0
            contents.append(output.read_bytes())
        assert contents[0] == contents[1]

    def test_judgements_of_other_languages_are_left_out_and_counted(
        self, scores: str, output: Path, prints: Prints
    ) -> None:
        assert "left out" not in prints(*train(output, scores))
        content = Path(scores).read_text()
        german = content.split("\n", 1)[1].replace("fr-en", "en-de").replace("de-en", "en-de")
        Path(scores).write_text(content + german)
        said = prints(*train(output, scores))
        assert "60 judgements of translations into other languages were left out" in said

    def test_cross_validation_alone_writes_nothing(
        self, scores: str, rankings: str, tmp_path: Path, prints: Prints
    ) -> None:
        before = sorted(tmp_path.iterdir())
        command = ["train", "accord", "--data", scores, rankings, "--cross-validate"]
        for by in ("set", "pair", "segment"):
            assert "held out" in prints(*command, "--folds-by", by)
        assert sorted(tmp_path.iterdir()) == before

    def test_a_language_without_analyser_learns_from_its_surface(
        self, rows: Rows, write: Callable[..., str], output: Path
    ) -> None:
        assert main(train(output, write(rows, lp="en-fi"), "--language", "fi")) == 0
        model = AccordModel.load(output)
        assert model.lang == "fi"
        metric = Accord(lang="fi", model=f"file:{output}")
        assert {*metric.asked} <= {"surface", "form", "facts", "denials", "spelling"}

    def test_vectors_of_ones_own(
        self, scores: str, output: Path, tmp_path: Path, prints: Prints
    ) -> None:
        (tmp_path / "own.txt").write_text("the 1 0\nlibrary 0 1\nhour 1 1\n")
        vectors = f"file:{tmp_path / 'own.txt'}"
        said = prints(*train(output, scores, "--vectors", vectors))
        assert f"-m accord:model=file:{output}:vectors={vectors}" in said
        assert "--vectors file:own.txt" in AccordModel.load(output).training["command"]

    def test_a_card_says_what_the_model_is(self, scores: str, output: Path, tmp_path: Path) -> None:
        card = tmp_path / "mine.md"
        assert main(train(output, scores, "--card", str(card), "--licence", "CC0")) == 0
        text = card.read_text()
        training = AccordModel.load(output).training
        for expected in (
            "# mine",
            "scores.tsv",
            "| example | de-en | 30 |",
            "CC0",
            training["command"],
        ):
            assert expected in text


@quiet
class TestAdapting:
    def test_the_user_is_told_whether_it_helped(
        self, scores: str, output: Path, prints: Prints
    ) -> None:
        said = prints(*train(output, scores, "--adapt"))
        assert "adapted  shipped  from scratch   chrf" in said
        assert "Where held out, the adapted model agrees with your judgements at r = 0." in said
        assert "Adapting helped." in said
        model = AccordModel.load(output)
        adapted = model.training["adapted"]
        assert adapted["from"] == "en"
        assert adapted["verdict"] == "adapting helped"
        assert adapted["fingerprint"] == AccordModel.find("en").fingerprint
        assert model.licence == AccordModel.find("en").licence
        assert "--adapt -o mine.json" in model.training["command"]

    def test_a_model_of_ones_own_is_adapted(
        self, scores: str, output: Path, tmp_path: Path, prints: Prints
    ) -> None:
        assert main(train(output, scores)) == 0
        again = tmp_path / "again.json"
        said = prints(*train(again, scores, "--adapt", f"file:{output}"))
        assert "mine has learnt from example: its figures there flatter it." in said
        assert "the given one at" in said
        assert AccordModel.load(again).training["adapted"]["sets"] == ["example"]
        assert "--adapt file:mine.json" in AccordModel.load(again).training["command"]

    def test_few_judgements_keep_the_interval(
        self, rows: Rows, write: Callable[..., str], output: Path, prints: Prints
    ) -> None:
        said = prints(*train(output, write(rows[:30]), "--adapt"))
        assert "With so few judgements, the interval stays that of the shipped one." in said
        model, shipped = AccordModel.load(output), AccordModel.find("en")
        assert (model.scale, model.interval) == (shipped.scale, shipped.interval)
        assert model.features != shipped.features

    def test_the_strength_may_be_given(self, scores: str, output: Path) -> None:
        assert main(train(output, scores, "--adapt", "en", "--lambda", "1000")) == 0
        model, shipped = AccordModel.load(output), AccordModel.find("en")
        assert model.training["options"]["penalty"] == 1000
        names = Untrained(lang="en").loss_names
        weights, before = (one.weights(names) for one in (model, shipped))
        cosine = weights @ before / np.linalg.norm(weights) / np.linalg.norm(before)
        assert cosine > 0.999


@quiet
class TestResuming:
    @pytest.fixture
    def checkpoint(
        self,
        scores: str,
        rankings: str,
        output: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> Path:
        """Of a training that was interrupted before the third set."""
        path, compute = output.with_name("checkpoint"), resumption.text_losses
        done: list[str] = []

        def interrupted(judged, *arguments, **options):  # type: ignore[no-untyped-def]
            if len(done) == 2:
                raise KeyboardInterrupt
            done.append(judged.name)
            return compute(judged, *arguments, **options)

        with monkeypatch.context() as context:
            context.setattr(resumption, "text_losses", interrupted)
            command = train(output, scores, rankings, "--checkpoint", str(path))
            assert main(command) == 130
        assert "To go on, give the same command with --resume." in capsys.readouterr().err
        assert not output.exists()
        return path

    def test_it_ends_with_the_same_model(
        self,
        scores: str,
        rankings: str,
        output: Path,
        checkpoint: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        command = train(output, scores, rankings)
        computed: list[str] = []
        compute = resumption.text_losses

        def counted(judged, *arguments, **options):  # type: ignore[no-untyped-def]
            computed.append(f"{judged.name} {judged.language_pair}")
            return compute(judged, *arguments, **options)

        with monkeypatch.context() as context:
            context.setattr(resumption, "text_losses", counted)
            assert main([*command, "--checkpoint", str(checkpoint), "--resume"]) == 0
        assert computed == ["ranked de-en", "ranked fr-en"]
        assert not checkpoint.exists()
        resumed = output.read_bytes()
        assert main(command) == 0
        assert output.read_bytes() == resumed

    def test_a_checkpoint_of_something_else_is_refused(
        self, scores: str, rankings: str, output: Path, checkpoint: Path, fails: Fails
    ) -> None:
        resume = ["--checkpoint", str(checkpoint), "--resume"]
        fails(1, ("MP641", "other data"), *train(output, scores, *resume))
        vectors = ["--vectors", "none"]
        fails(1, ("MP641", "other vectors"), *train(output, scores, rankings, *vectors, *resume))
        fails(1, "MP130", *train(output, scores, rankings, *resume[:2]))
        checkpoint.write_bytes(checkpoint.read_bytes()[:-9])
        fails(1, ("MP640", str(checkpoint)), *train(output, scores, rankings, *resume))
        assert not output.exists()


@quiet
class TestMistakes:
    @pytest.fixture(autouse=True)
    def nothing_is_written(self, output: Path) -> object:
        yield
        assert not output.exists()

    def test_one_judgement_only(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        data = write(rows[:1])
        for adapt in ([], ["--adapt"]):
            fails(1, ("MP844", data), *train(output, data, *adapt))

    def test_too_few_judgements(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        data = write(rows[:30])
        fails(1, ("MP846", data, "30 judgements", "--adapt"), *train(output, data))
        data = write(rows[:19])
        fails(1, ("MP846", data, "19 judgements"), *train(output, data, "--adapt"))

    def test_judgements_of_one_segment(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        texts = [[*row[:2], f"s{number}", *row[3:]] for number, row in enumerate(rows)]
        data = write(texts, lp="de-en", seg="1", source="same")
        for adapt in ([], ["--adapt"]):
            fails(1, ("MP844", data, "too few segments"), *train(output, data, *adapt))

    def test_constant_scores(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        data = write(rows, human="7")
        fails(1, ("MP844", data, "make no difference"), *train(output, data))

    def test_an_empty_reference(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        data = write([*rows[:-1], [*rows[-1][:6], "", *rows[-1][7:]]])
        fails(1, ("MP105", data), *train(output, data))

    def test_lower_scores_are_better(
        self, rows: Rows, write: Callable[..., str], output: Path, fails: Fails
    ) -> None:
        data = write([[*row[:8], str(-float(row[8]))] for row in rows])
        for adapt in ([], ["--adapt"]):
            words = ("MP844", data, "Higher scores must be better")
            fails(1, words, *train(output, data, *adapt))

    def test_no_judgement_of_the_language(self, scores: str, output: Path, fails: Fails) -> None:
        words = ("MP844", scores, "no judgements of translations into 'de'")
        fails(1, words, *train(output, scores, "--language", "de", "--vectors", "none"))

    def test_a_set_that_is_given_twice(self, scores: str, output: Path, fails: Fails) -> None:
        fails(1, ("MP844", "given twice"), *train(output, scores, scores))

    def test_a_row_that_is_none(self, scores: str, output: Path, fails: Fails) -> None:
        Path(scores).write_text(Path(scores).read_text() + "example\tde-en\n")
        fails(1, ("MP151", f"{scores}, line 62"), *train(output, scores))

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            ("3 2\nthe 1 0\nlibrary 0 1\n", "MP363"),
            ("the 1 0\nlibrary 0 1 1\n", "MP361"),
            ("the 1 0\nlibrary 0 x\n", "MP362"),
        ],
    )
    def test_damaged_vectors(
        self, content: str, code: str, scores: str, output: Path, tmp_path: Path, fails: Fails
    ) -> None:
        (tmp_path / "own.txt").write_text(content)
        vectors = ["--vectors", f"file:{tmp_path / 'own.txt'}"]
        fails(None, (code, "own.txt"), *train(output, scores, *vectors))

    @pytest.mark.parametrize(
        ("arguments", "code", "words"),
        [
            (["--vectors", "nonsense"], "MP360", "nonsense"),
            (["--vectors", "glove", "--language", "zh"], "MP642", "'zh'"),
            (["--weights", "unknown=2"], "MP642", "unknown"),
            (["--resume"], "MP642", "--checkpoint"),
            (["--adapt", "--folds-by", "set"], "MP642", "--folds-by"),
            (["--name", "a|b"], "MP642", "name"),
            (["--adapt", "unknown"], "MP841", "unknown"),
            (["--adapt", "file:missing.json"], "MP840", "missing.json"),
            (["--adapt", "--vectors", "none"], "MP842", "'v "),
        ],
    )
    def test_options_that_make_no_sense(
        self,
        arguments: list[str],
        code: str,
        words: str,
        scores: str,
        output: Path,
        fails: Fails,
    ) -> None:
        fails(None, (code, words), *train(output, scores, *arguments))

    @pytest.mark.parametrize("weights", ["example", "example=", "example=0", "=1", "example=nan"])
    def test_weights_that_are_none(
        self, weights: str, scores: str, output: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit, match="2"):
            main(train(output, scores, "--weights", weights))
        assert "--weights" in capsys.readouterr().err

    def test_a_file_must_be_named(self, scores: str, tmp_path: Path, fails: Fails) -> None:
        command = ["train", "accord", "--data", scores]
        fails(2, ("MP642", "-o"), *command)
        card = ["--cross-validate", "--card", str(tmp_path / "card.md")]
        fails(2, ("MP642", "--card"), *command, *card)

    @pytest.mark.parametrize(
        ("entry", "value", "code"),
        [
            ("version", 1, "MP843"),
            ("features", {"unheard of": 1.0}, "MP842"),
            ("features", {"chrf": -1.0}, "MP842"),
            ("scale", [[0, 100]], "MP842"),
        ],
    )
    def test_a_model_that_cannot_be_adapted(
        self, entry: str, value: object, code: str, scores: str, tmp_path: Path, fails: Fails
    ) -> None:
        model = json.loads(AccordModel.find("en").to_json()) | {entry: value}
        path = tmp_path / "damaged.json"
        path.write_text(json.dumps(model))
        command = train(tmp_path / "mine.json", scores, "--adapt", f"file:{path}")
        fails(3, (code, str(path)), *command)

    def test_the_output_is_an_input(self, scores: str, tmp_path: Path, fails: Fails) -> None:
        before = Path(scores).read_bytes()
        fails(2, "MP607", *train(Path(scores), scores))
        model = tmp_path / "adapted.json"
        model.write_text(AccordModel.find("en").to_json())
        fails(2, "MP607", *train(model, scores, "--adapt", f"file:{model}"))
        fails(2, "MP607", *train(tmp_path / "mine.json", scores, "--card", scores))
        fails(2, "MP607", *train(tmp_path / "mine.json", scores, "--checkpoint", scores))
        assert Path(scores).read_bytes() == before


@pytest.mark.filterwarnings("always")
def test_fewer_judgements_than_losses_are_warned_of(
    scores: str, output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(train(output, scores)) == 0
    err = capsys.readouterr().err
    assert err.count("warning") == 1
    assert "there are 60 judgements for" in err
    assert "--adapt the model that ships instead" in err
