"""Edit machines learn from scores: what they learn, from what, and that nothing is left to chance."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError
from metaphrase.learning.checkpoint import Checkpoint
from metaphrase.learning.edit_machines.data import TrainingData, read_training_data
from metaphrase.learning.edit_machines.optimisers import OPTIMISERS
from metaphrase.learning.edit_machines.regression import Machine, Progress, frequent_parameters
from metaphrase.learning.edit_machines.training import (
    FitOptions,
    predictions,
    rescale,
    training_pairs,
    with_data_sources,
)
from metaphrase.learning.edit_machines.training import (
    train_edit_machine as train,
)
from metaphrase.learning.edit_machines.validation import (
    chosen_pairs,
    cross_validate,
    folds_by_group,
)
from metaphrase.learning.edit_machines.warning_signs import warning_signs
from metaphrase.matching.edit_machine import MachineOptions, arc_counts, log_sums
from metaphrase.matching.edit_pairs import EditPairs, feature_names
from metaphrase.trained.edit_features import parameter_names
from metaphrase.trained.edit_model import EditModel

PLAIN = EditModel(name="plain", weights={}, alpha=0.0, synonyms="none", paraphrases="none")
JUMPING = replace(PLAIN, name="jumping", machine=MachineOptions(max_jump=2))


@pytest.fixture
def data(judged: Path) -> TrainingData:
    return read_training_data([judged])


@pytest.fixture
def pairs(data: TrainingData) -> EditPairs:
    return training_pairs(PLAIN, data)


class TestRates:
    @pytest.mark.parametrize("jump_labels", [1, 3])
    def test_expected_counts_are_the_derivatives(self, pairs: EditPairs, jump_labels: int) -> None:
        few = chosen_pairs(pairs, np.arange(6))
        learnt = frequent_parameters(
            few,
            options=JUMPING.machine,
            jump_labels=jump_labels,
            start_features=True,
            cut_off=1,
        )
        machine = Machine(few, JUMPING.machine, jump_labels, learnt)
        weights = np.random.default_rng(3).normal(0, 0.5, len(learnt))
        values, jacobian = machine.jacobian(weights)
        assert values == pytest.approx(machine.values(weights), abs=1e-12)
        for place in range(len(learnt)):
            step = np.zeros(len(learnt))
            step[place] = 1e-5
            slope = (machine.values(weights + step) - machine.values(weights - step)) / 2e-5
            assert jacobian[:, place] == pytest.approx(slope, abs=1e-8)

    def test_empty_sentences_have_rate_0(self) -> None:
        none = np.zeros(1, np.int32)
        rows = np.zeros((0, 5), np.int32), np.zeros((0, 3), np.int32)
        offsets = np.zeros(2, np.int64)
        nothing = EditPairs(none, none, offsets, rows[0], offsets, rows[1])
        machine = Machine(nothing, PLAIN.machine, 1, np.arange(2))
        assert machine.values(np.array([3.0, 4.0])).tolist() == [0.0]

    def test_rare_features_are_dropped(self, pairs: EditPairs) -> None:
        arcs = dict(zip(feature_names(), arc_counts(pairs, options=PLAIN.machine), strict=True))
        names = np.array(parameter_names(1))
        for cut_off in (0, 5, 300):
            kept = frequent_parameters(
                pairs,
                options=PLAIN.machine,
                jump_labels=1,
                start_features=False,
                cut_off=cut_off,
            )
            wanted = {
                name
                for name, count in arcs.items()
                if count >= max(cut_off, 1) and not name.startswith("S|")
            }
            assert set(names[kept]) == wanted


class TestFit:
    def test_scores_are_learnt(self, data: TrainingData, pairs: EditPairs) -> None:
        model = train(PLAIN, pairs, data.targets, options=FitOptions(penalty=0.01))
        found = predictions(model, pairs)
        assert np.corrcoef(found, data.targets)[0, 1] > 0.95
        # Missing words cost more than additional ones in these data, as in the paper's.
        assert model.weights["U|delete"] < model.weights["U|insert"] < 0 < model.weights["U|word"]
        assert found.mean() == pytest.approx(data.targets.mean())

    def test_predictions_are_those_of_the_kernel(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        model = train(JUMPING, pairs, data.targets)
        sums = log_sums(pairs, model.vector(), options=model.machine)
        words = pairs.reference_lengths + pairs.hypothesis_lengths
        assert predictions(model, pairs) == pytest.approx(sums / words + model.alpha)

    def test_optimisers_agree(self, data: TrainingData, pairs: EditPairs) -> None:
        one, other = (
            train(JUMPING, pairs, data.targets, options=FitOptions(optimiser=name))
            for name in OPTIMISERS
        )
        assert one.training["objective"] == pytest.approx(other.training["objective"], rel=1e-8)
        assert one.vector() == pytest.approx(other.vector(), abs=1e-3)

    def test_threads_change_nothing(self, data: TrainingData) -> None:
        models = [
            train(JUMPING, training_pairs(JUMPING, data, threads=n), data.targets, threads=n)
            for n in (1, 2, 3)
        ]
        assert models[0].to_json() == models[1].to_json() == models[2].to_json()

    def test_jumps_are_told_apart_on_demand(self, data: TrainingData, pairs: EditPairs) -> None:
        tied = train(JUMPING, pairs, data.targets)
        apart = train(replace(JUMPING, jump_labels=3), pairs, data.targets)
        assert "U|jump" in tied.weights
        assert {"U|jump_forward", "U|jump_back", "U|jump_end"} <= set(apart.weights)

    def test_first_edits_have_weights_on_demand(self, data: TrainingData, pairs: EditPairs) -> None:
        assert not any(name.startswith("S|") for name in train(PLAIN, pairs, data.targets).weights)
        started = train(replace(PLAIN, start_features=True), pairs, data.targets)
        assert "S|word" in started.weights

    def test_the_model_tells_where_it_comes_from(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        model = with_data_sources(
            train(PLAIN, pairs, data.targets), data, command="metaphrase train pfsm"
        )
        training = json.loads(model.to_json())["training"]
        assert training["data"][0]["name"] == "scores.tsv"
        assert training["data"][0]["judgements"] == training["pairs"] == 40
        assert (training["lambda"], training["cut_off"], training["converged"]) == (5, 5, True)

    def test_data_without_a_frequent_feature(self, data: TrainingData, pairs: EditPairs) -> None:
        with pytest.raises(InputError, match="MP634"):
            train(PLAIN, pairs, data.targets, options=FitOptions(cut_off=1_000_000))

    def test_scores_of_another_order_of_magnitude(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        train(PLAIN, pairs, 100 * data.targets)
        with pytest.raises(InputError, match="MP637"):
            train(PLAIN, pairs, 1e9 * data.targets)
        with pytest.raises(InputError, match="MP637"):
            train(PLAIN, pairs, 2e4 * data.targets, options=FitOptions(penalty=1e-6))

    @pytest.mark.parametrize("score", [0.0, 0.1, -1e3])
    def test_scores_that_do_not_vary(self, pairs: EditPairs, score: float) -> None:
        with pytest.raises(InputError, match=r"MP630.*all 40 scores"):
            train(PLAIN, pairs, np.full(len(pairs), score))

    def test_no_scores_at_all(self, pairs: EditPairs) -> None:
        with pytest.raises(InputError, match="MP630"):
            train(PLAIN, chosen_pairs(pairs, np.arange(0)), np.zeros(0))

    def test_scores_far_from_0(self, data: TrainingData, pairs: EditPairs) -> None:
        with pytest.raises(InputError, match="MP637"):
            train(PLAIN, pairs, data.targets + 1e9)

    def test_options_are_called_as_the_command_calls_them(self) -> None:
        with pytest.raises(OptionError, match=r"MP633.*lambda"):
            FitOptions(penalty=0.0)
        with pytest.raises(OptionError, match=r"MP633.*iterations \("):
            FitOptions(most_iterations=0)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"penalty": 0.0},
            {"penalty": float("nan")},
            {"cut_off": -1},
            {"tolerance": 0.0},
            {"most_iterations": 0},
        ],
    )
    def test_options_out_of_range(self, wrong: dict[str, float]) -> None:
        with pytest.raises(OptionError, match="MP633"):
            FitOptions(**wrong)  # type: ignore[arg-type]


class InterruptionError(Exception):
    pass


class TestCheckpoint:
    @pytest.mark.parametrize("optimiser", OPTIMISERS)
    @pytest.mark.parametrize("after", [1, 3])
    def test_resumed_training_ends_with_the_same_model(
        self, data: TrainingData, pairs: EditPairs, tmp_path: Path, optimiser: str, after: int
    ) -> None:
        options = FitOptions(optimiser=optimiser)
        checkpoint = str(tmp_path / "checkpoint")

        def interrupt(progress: Progress) -> None:
            if progress.iteration == after:
                raise InterruptionError

        with pytest.raises(InterruptionError):
            train(
                JUMPING,
                pairs,
                data.targets,
                options=options,
                checkpoint=checkpoint,
                report=interrupt,
            )
        resumed = train(
            JUMPING,
            pairs,
            data.targets,
            options=options,
            checkpoint=checkpoint,
            resume=True,
            threads=2,
        )
        assert resumed.to_json() == train(JUMPING, pairs, data.targets, options=options).to_json()

    def test_more_iterations_go_on_where_fewer_stopped(
        self, data: TrainingData, pairs: EditPairs, tmp_path: Path
    ) -> None:
        checkpoint = str(tmp_path / "checkpoint")
        few = FitOptions(most_iterations=2)
        stopped = train(PLAIN, pairs, data.targets, options=few, checkpoint=checkpoint)
        assert not stopped.training["converged"]
        resumed = train(PLAIN, pairs, data.targets, checkpoint=checkpoint, resume=True)
        assert resumed == train(PLAIN, pairs, data.targets)

    def test_a_checkpoint_of_something_else_is_refused(
        self, data: TrainingData, pairs: EditPairs, tmp_path: Path
    ) -> None:
        checkpoint = str(tmp_path / "checkpoint")
        train(PLAIN, pairs, data.targets, checkpoint=checkpoint)

        def resume(
            model: EditModel = PLAIN,
            pairs: EditPairs = pairs,
            targets: object = data.targets,
            **options: object,
        ) -> None:
            train(
                model,
                pairs,
                targets,  # type: ignore[arg-type]
                options=FitOptions(**options),  # type: ignore[arg-type]
                checkpoint=checkpoint,
                resume=True,
            )

        resume()
        few = chosen_pairs(pairs, np.arange(39))
        for what, attempt in (
            ("data", lambda: resume(targets=data.targets + 1e-9)),
            ("data", lambda: resume(pairs=few, targets=data.targets[:39])),
            ("lambda", lambda: resume(penalty=4.0)),
            ("cut off", lambda: resume(cut_off=6)),
            ("optimiser", lambda: resume(optimiser="lbfgs")),
            ("machine", lambda: resume(model=JUMPING)),
            ("jump labels", lambda: resume(model=replace(PLAIN, jump_labels=3))),
            ("start features", lambda: resume(model=replace(PLAIN, start_features=True))),
        ):
            with pytest.raises(InputError, match=f"MP641.*other {what}"):
                attempt()

    def test_damage_is_noticed(self, tmp_path: Path) -> None:
        checkpoint = Checkpoint(tmp_path / "checkpoint", {"data": "d"})
        with pytest.raises(InputError, match="MP640"):
            checkpoint.load()
        checkpoint.save({"weights": [0.1, 1 / 3], "iterations": 3})
        assert checkpoint.load() == {"weights": [0.1, 1 / 3], "iterations": 3}
        content = Path(checkpoint.path).read_text()
        for damaged in (
            content[:-20],
            "",
            content.replace("0.1", "0.2"),
            content.replace('"version": 1', '"version": 2'),
            content + "\n",
            "[1, 2]",
        ):
            Path(checkpoint.path).write_text(damaged)
            with pytest.raises(InputError, match="MP640"):
                checkpoint.load()


class TestValidation:
    def test_held_out_pairs_do_not_train(self, data: TrainingData, pairs: EditPairs) -> None:
        folds = folds_by_group(data, "lp")
        options = FitOptions(penalty=0.1)
        validation = cross_validate(PLAIN, pairs, data.targets, folds, options=options)
        found = validation.parts
        assert [(one.group, one.pairs) for one in found] == [("fr-en", 20), ("de-en", 20)]
        rows, others = folds[0][1], folds[1][1]
        model = train(PLAIN, chosen_pairs(pairs, others), data.targets[others], options=options)
        predicted = predictions(model, chosen_pairs(pairs, rows))
        targets = data.targets[rows]
        assert found[0].pearson == pytest.approx(np.corrcoef(predicted, targets)[0, 1])
        assert found[0].mean_squared_error == pytest.approx(np.mean((predicted - targets) ** 2))
        assert found[0].spearman > 0.5
        error = (found[0].mean_squared_error + found[1].mean_squared_error) / 2
        assert validation.pooled.pairs == 40
        assert validation.pooled.mean_squared_error == pytest.approx(error)

    def test_chosen_pairs_are_those_of_the_rows(self, pairs: EditPairs) -> None:
        rows = np.array([7, 3, 3, 20])
        weights = np.random.default_rng(0).normal(size=len(feature_names()))
        whole = log_sums(pairs, weights, options=PLAIN.machine)
        assert (
            log_sums(chosen_pairs(pairs, rows), weights, options=PLAIN.machine).tolist()
            == whole[rows].tolist()
        )


class TestRescaling:
    def test_another_scale_is_met_by_slope_and_intercept(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        model = train(PLAIN, pairs, data.targets)
        known = predictions(model, pairs)
        other = replace(data, targets=50 + 20 * known)
        fitted = rescale(model, other)
        assert predictions(fitted, pairs) == pytest.approx(50 + 20 * known)
        assert fitted.weights == model.weights
        assert fitted.training["rescaled"][-1]["slope"] == pytest.approx(20)
        assert fitted.training["rescaled"][-1]["pearson"] == pytest.approx(1)

    @pytest.mark.parametrize("rule", ["best", "mean"])
    def test_several_references_count_as_the_model_says(
        self, score_table: Callable[..., Path], rule: str
    ) -> None:
        rows = [
            ("de-en", "a cat sat ||| the dog", "the cat sat", "1"),
            ("de-en", "some dogs ||| the dogs ran", "the dogs ran", "2"),
            ("de-en", "no", "yes", "0.5"),
        ]
        data = read_training_data([score_table(rows)], references="each")
        model = replace(PLAIN, references=rule, weights={"U|word": 1.0, "U|delete": -1.0})
        found = predictions(model, training_pairs(model, data))
        together = max if rule == "best" else (lambda numbers: sum(numbers) / len(numbers))
        several = [together(found[:2]), together(found[2:4]), found[4]]
        slope, intercept = np.polyfit(several, [1, 2, 0.5], 1)
        note = rescale(model, data).training["rescaled"][-1]
        assert note["slope"] == pytest.approx(slope)
        assert note["intercept"] == pytest.approx(intercept)
        assert note["judgements"] == 3

    def test_scores_that_fall_where_the_model_rises(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        model = train(PLAIN, pairs, data.targets)
        with pytest.raises(InputError, match=r"MP636.*does not rise"):
            rescale(model, replace(data, targets=-data.targets))

    @pytest.mark.parametrize("score", [0.0, 0.1, 1 / 3, 1e3])
    def test_scores_or_predictions_that_do_not_vary(
        self, data: TrainingData, pairs: EditPairs, score: float
    ) -> None:
        model = train(PLAIN, pairs, data.targets)
        with pytest.raises(InputError, match=r"MP636.*all 40 scores"):
            rescale(model, replace(data, targets=np.full(len(data), score)))
        same = replace(data, hypotheses=["the dog"] * 40, references=["the cat"] * 40)
        with pytest.raises(InputError, match=r"MP636.*all 40 predictions of plain"):
            rescale(model, same)

    @pytest.mark.parametrize("scores", [1e12, 1e7])
    def test_a_scale_that_no_model_may_have(
        self, data: TrainingData, pairs: EditPairs, scores: float
    ) -> None:
        model = train(PLAIN, pairs, data.targets)
        with pytest.raises(InputError, match=r"MP636.*too large"):
            rescale(model, replace(data, targets=scores * data.targets))

    def test_every_rescaling_is_told(self, data: TrainingData, pairs: EditPairs) -> None:
        model = train(PLAIN, pairs, data.targets)
        known = predictions(model, pairs)
        twice = rescale(
            rescale(model, replace(data, targets=2 * known)), replace(data, targets=6 * known)
        )
        slopes = [note["slope"] for note in twice.training["rescaled"]]
        assert slopes == pytest.approx([2, 3])
        assert twice.slope == pytest.approx(6)


class TestDoubts:
    def test_there_are_none_about_a_good_model(self, data: TrainingData, pairs: EditPairs) -> None:
        assert warning_signs(train(PLAIN, pairs, data.targets), data, pairs) == []

    def test_lower_scores_that_are_better(self, data: TrainingData, pairs: EditPairs) -> None:
        model = train(PLAIN, pairs, -data.targets, options=FitOptions(penalty=0.01))
        (sign,) = warning_signs(model, replace(data, targets=-data.targets), pairs)
        assert "prefers other words" in sign

    def test_fewer_pairs_than_weights(self, data: TrainingData, pairs: EditPairs) -> None:
        model = train(PLAIN, pairs, data.targets)
        few = replace(data, targets=data.targets[:5])
        (sign,) = warning_signs(model, few, chosen_pairs(pairs, np.arange(5)))
        assert "only 5 pairs" in sign

    def test_references_that_cannot_be_compared_with_themselves(
        self, data: TrainingData, pairs: EditPairs
    ) -> None:
        model = train(PLAIN, pairs, data.targets)
        endless = "dog " * 3_000
        assert warning_signs(model, replace(data, references=[endless] * len(data)), pairs) == []

    def test_nothing_learnt(self, data: TrainingData, pairs: EditPairs) -> None:
        model = train(PLAIN, pairs, data.targets)
        (sign,) = warning_signs(model, replace(data, targets=-data.targets), pairs)
        assert "nothing was learnt" in sign


def test_a_text_that_is_too_long_is_named_before_training(data: TrainingData) -> None:
    hypotheses = list(data.hypotheses)
    references = list(data.references)
    hypotheses[3] = " ".join(f"w{i}" for i in range(5000))
    references[3] = "x " * 5000
    long = replace(data, hypotheses=hypotheses, references=references)
    with pytest.raises(InputError, match=r"MP415.*the text 'w0 w1 .*5000 and 5000 words"):
        training_pairs(PLAIN, long)
