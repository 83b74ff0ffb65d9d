"""``metaphrase train`` from a table of scores to a model that scores."""

from __future__ import annotations

import json
from dataclasses import fields
from math import nan
from pathlib import Path

import pytest

from cli.bundled import Fails, Prints
from metaphrase.cli import build_parser, main
from metaphrase.cli.train.options import MACHINE, SUBSTITUTIONS
from metaphrase.learning.checkpoint import Checkpoint
from metaphrase.learning.edit_machines import training as edit_training
from metaphrase.learning.edit_machines.optimisers import MOST_ITERATIONS
from metaphrase.learning.edit_machines.training import FitOptions
from metaphrase.learning.edit_machines.validation import HeldOut, Validation
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.report.terminal.validation_view import validation_json
from metaphrase.trained.edit_model import EditModel


@pytest.fixture
def scores(tmp_path: Path, examples: Path) -> str:
    """Two systems, twelve segments of two language pairs; people prefer the fluent one."""
    names = ("reference.txt", "system-a.txt", "system-b.txt")
    texts = [(examples / name).read_text().splitlines() for name in names]
    lines = ["set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"]
    for number, (reference, fluent, clumsy) in enumerate(zip(*texts, strict=True)):
        pair = "de-en" if number % 2 else "fr-en"
        for system, text, score in (("a", fluent, 80 + number), ("b", clumsy, 40 - number)):
            row = ("set", pair, system, "d", str(number), "s", reference, text, str(score))
            lines.append("\t".join(row))
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


class TestTraining:
    @pytest.mark.filterwarnings("always")
    def test_a_model_file(
        self, scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "mine.json"
        command = ["train", "ppda", "--data", scores, "-o", str(path), "--max-jump", "2"]
        more = ["--no-jump-first", "--lambda", "2", "--licence", "CC0", "--standardise"]
        assert main([*command, *more]) == 0
        captured = capsys.readouterr()
        assert captured.out.startswith(f"{path}: ")
        assert "warning: there are 36 weights, but only 24 pairs" in captured.err
        model = EditModel.load(path)
        assert (model.name, model.licence) == ("mine", "CC0")
        assert model.machine == MachineOptions(max_jump=2, jump_first=False)
        assert model.training["command"] == (
            "metaphrase train ppda --data scores.tsv --standardise --max-jump 2 --no-jump-first "
            "--lambda 2.0 --licence CC0 -o mine.json"
        )

    def test_the_model_on_the_screen(self, scores: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["train", "pfsm", "--data", scores]) == 0
        captured = capsys.readouterr()
        model = EditModel.from_json(captured.out)
        assert captured.err == ""
        assert (model.name, model.synonyms, model.machine.max_jump) == ("pfsm", "none", 0)

    def test_presets_are_the_published_machines(self) -> None:
        parser = build_parser()
        for name, jump, synonyms, dependencies in (
            ("pfsm", 0, "none", False),
            ("ppda", 5, "none", False),
            ("ppda+f", 5, "wordnet", True),
        ):
            options = parser.parse_args(["train", name, "--data", "x"])
            found = options.max_jump, options.synonyms, options.dependencies
            assert found == (jump, synonyms, dependencies)
            assert options.iterations == MOST_ITERATIONS
            assert (options.penalty, options.cut_off) == (FitOptions().penalty, 5)

    @pytest.mark.parametrize(
        ("flags", "options"), [(MACHINE, MachineOptions), (SUBSTITUTIONS, SubstitutionOptions)]
    )
    def test_every_option_has_a_flag(
        self, flags: dict[str, tuple[object, str]], options: type
    ) -> None:
        assert {name: default for name, (default, _) in flags.items()} == {
            field.name: field.default for field in fields(options)
        }

    @pytest.mark.filterwarnings("always")
    def test_stopping_early_is_said(
        self, scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path, checkpoint = str(tmp_path / "model.json"), str(tmp_path / "checkpoint")
        command = ["train", "pfsm", "--data", scores, "-o", path, "--checkpoint", checkpoint]
        assert main([*command, "--iterations", "1"]) == 0
        assert "before the minimum" in capsys.readouterr().err
        assert Path(checkpoint).exists()
        assert main([*command, "--resume"]) == 0
        assert capsys.readouterr().err == ""
        assert not Path(checkpoint).exists()
        # Of the same name, which the model keeps.
        other = tmp_path / "whole" / "model.json"
        other.parent.mkdir()
        assert main(["train", "pfsm", "--data", scores, "-o", str(other)]) == 0
        resumed, whole = EditModel.load(path), EditModel.load(other)
        assert resumed.weights == whole.weights
        assert resumed.training == whole.training

    @pytest.mark.filterwarnings("always")
    def test_limited_jumps_are_said(
        self, scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "model.json"
        command = ["train", "ppda", "--data", scores, "-o", str(path), "--max-jump", "2"]
        assert main([*command, "--exact-length", "1", "--jump-window", "3"]) == 0
        assert "24 of 24 pairs" in capsys.readouterr().err
        assert EditModel.load(path).training["pairs_with_a_jump_window"] == 24


class TestInterruption:
    def test_the_checkpoint_stays_and_training_goes_on(
        self,
        scores: str,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path, checkpoint = tmp_path / "model.json", str(tmp_path / "checkpoint")
        command = ["train", "pfsm", "--data", scores, "-o", str(path), "--checkpoint", checkpoint]
        save = Checkpoint.save

        def interrupted(self: Checkpoint, state: dict[str, object]) -> None:
            save(self, state)
            if state["iterations"] == 2:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", interrupted)
            assert main(command) == 130
        assert "--resume" in capsys.readouterr().err
        assert not path.exists()
        assert main([*command, "--resume"]) == 0
        assert EditModel.load(path).training["converged"]

    def test_without_a_checkpoint(
        self,
        scores: str,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(edit_training, "minimise", interrupted)
        assert main(["train", "pfsm", "--data", scores]) == 130
        assert capsys.readouterr().err == "metaphrase: interrupted\n"


class TestCrossValidation:
    def test_round_robin(self, scores: str, prints: Prints) -> None:
        lines = prints("train", "pfsm", "--data", scores, "--cross-validate", "lp").splitlines()
        assert lines[0].split() == "held out pairs Pearson Spearman mean squared error".split()
        assert [line.split()[0] for line in lines[1:]] == ["fr-en", "de-en", "mean", "all,"]
        assert lines[-1].split()[2] == "24"

    def test_folds_of_segments_and_a_model(
        self, scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "model.json"
        command = ["train", "pfsm", "--data", scores, "--cross-validate", "segment"]
        assert main([*command, "--folds", "3", "--format", "json", "-o", str(path)]) == 0
        captured = capsys.readouterr()
        found = json.loads(captured.out)
        assert captured.err.startswith(f"{path}: ")
        assert found["pooled"]["pairs"] == 24
        assert [one["pairs"] for one in found["held_out"]] == [8, 8, 8]
        assert EditModel.load(path).training["pairs"] == 24

    def test_a_mean_is_that_of_all_parts(self) -> None:
        parts = (HeldOut("a", 1, nan, nan, 1.0), HeldOut("b", 2, 0.5, 0.5, 3.0))
        found = json.loads(validation_json(Validation(parts, HeldOut("all", 3, 0.4, 0.3, 2.0))))
        assert found["mean"] == {"pearson": None, "spearman": None, "mean_squared_error": 2.0}


class TestRescaling:
    def test_a_trained_model_on_another_scale(
        self, scores: str, tmp_path: Path, prints: Prints
    ) -> None:
        one, other = tmp_path / "one.json", tmp_path / "other.json"
        assert main(["train", "pfsm", "--data", scores, "--standardise", "-o", str(one)]) == 0
        assert "Pearson's r" in prints(
            "train", "rescale", f"file:{one}", "--data", scores, "-o", str(other)
        )
        before, after = EditModel.load(one), EditModel.load(other)
        assert after.weights == before.weights
        assert after.slope > 1
        assert after.name == "other"


class TestMistakes:
    @pytest.mark.parametrize(
        ("more", "exit_code", "code"),
        [
            (["--resume"], 2, "MP642"),
            (["--folds", "2"], 2, "MP642"),
            (["--format", "json"], 2, "MP642"),
            (["--max-jump", "3"], 2, "MP642"),
            (["--analyser", "builtin:de"], 2, "MP642"),
            (["--jump-labels", "3"], 2, "MP642"),
            (["--no-jump-first"], 2, "MP642"),
            (["--jump-window", "7"], 2, "MP642"),
            (["--no-same-direction"], 2, "MP642"),
            (["--name", ""], 2, "MP623"),
            (["--name", "a\udcff"], 2, "MP623"),
            (["--licence", "a\udcff"], 2, "MP623"),
            (["--folds", "1", "--cross-validate", "lp"], 2, "MP642"),
            (["--cross-validate", "lp", "--checkpoint", "c"], 2, "MP642"),
            (["--cross-validate", "set"], 1, "MP635"),
            (["--lambda", "0"], 2, "MP633"),
            (["--lambda", "nan"], 2, "MP633"),
            (["--cut-off", "9999999"], 1, "MP634"),
            (["--max-block", "3"], 2, "MP404"),
            (["--edit-block", "0"], 2, "MP413"),
            (["--language", "de"], 1, "MP630"),
            (["--language", "de", "--lemmas", "porter"], 2, "MP642"),
            (["--synonyms", "telepathy"], 2, "MP310"),
            (["-o", "/nowhere/at/all.json"], 1, "MP132"),
            (["--checkpoint", "/nowhere/at/all"], 1, "MP132"),
        ],
    )
    def test_options(
        self, scores: str, fails: Fails, more: list[str], exit_code: int, code: str
    ) -> None:
        fails(exit_code, code, "train", "pfsm", "--data", scores, *more)

    def test_a_machine_that_jumps_has_jumps(self, scores: str, fails: Fails) -> None:
        fails(2, "MP642", "train", "ppda", "--data", scores, "--max-jump", "0")

    def test_a_name_is_refused_before_the_work(
        self, scores: str, fails: Fails, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(edit_training, "training_pairs", None)
        for kind in (["pfsm"], ["rescale", "pfsm"]):
            for option in ("--name", "--licence"):
                fails(2, "MP623", "train", *kind, "--data", scores, option, "a\udcff")

    def test_data_whose_name_is_not_utf_8(self, scores: str, tmp_path: Path) -> None:
        strange, path = tmp_path / "a\udcff.tsv", tmp_path / "model.json"
        Path(scores).rename(strange)
        assert main(["train", "pfsm", "--data", str(strange), "-o", str(path)]) == 0
        training = EditModel.load(path).training
        output = str(tmp_path / "b\udcff.json")
        assert main(["train", "pfsm", "--data", str(strange), "-o", output, "--name", "b"]) == 0
        assert training["data"][0]["name"] == "a\ufffd.tsv"
        assert "a\ufffd.tsv" in training["command"]

    def test_files(self, scores: str, tmp_path: Path, fails: Fails, examples: Path) -> None:
        checkpoint = tmp_path / "checkpoint"
        command = ["train", "pfsm", "--data", scores]
        fails(2, "MP607", *command, "-o", scores)
        fails(2, "MP607", *command, "--checkpoint", scores)
        fails(1, "MP640", *command, "--checkpoint", str(checkpoint), "--resume")
        checkpoint.write_text("something of the user's")
        fails(1, "MP130", *command, "--checkpoint", str(checkpoint))
        fails(1, "MP640", *command, "--checkpoint", str(checkpoint), "--resume")
        assert checkpoint.read_text() == "something of the user's"
        fails(1, "MP150", "train", "pfsm", "--data", str(examples / "reference.txt"))
        fails(3, "MP625", "train", "rescale", "tango", "--data", scores)
