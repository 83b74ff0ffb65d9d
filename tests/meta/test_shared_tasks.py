"""WMT's metrics tasks, computed again from a tree and compared with a slow twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from meta.task_trees import PAIRS_2023, PAIRS_2024, SYSTEMS, write_task_tree
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.mtme.tree import reference_files
from metaphrase.errors import InputError, OptionError
from metaphrase.meta import Measure
from metaphrase.meta.given_scores import given_scores
from metaphrase.meta.shared_tasks import NAMES, SharedTask, shared_task
from metaphrase.meta.task_data import TaskData
from metaphrase.meta.task_table import TaskTable, task_table
from metaphrase.report import task_view
from oracle import shared_task as oracle
from report.screen import on_screen


def _data(root: Path, shared: SharedTask) -> dict[str, TaskData]:
    data = {}
    for pair, rules in shared.pairs.items():
        mtme = read_mtme(root, language_pair=pair, references=[rules.reference])
        data[pair] = TaskData.of(mtme, rules, list(reference_files(root, pair)), {})
    return data


def _table(data: dict[str, TaskData], shared: SharedTask, resamples: int = 0) -> TaskTable:
    names = {name: name for one in data.values() for name, _ in one.metrics}
    return task_table(shared, data, names, name="test", resamples=resamples)


@pytest.fixture(scope="module")
def tree_2023(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_task_tree(tmp_path_factory.mktemp("t23"), PAIRS_2023)


@pytest.fixture(scope="module")
def tree_2024(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_task_tree(tmp_path_factory.mktemp("t24"), PAIRS_2024)


class TestDefinitions:
    def test_2023_has_ten_tasks_and_accuracy_weighs_as_much_as_three(self) -> None:
        # Freitag et al. 2023, Section 5: 10 tasks; mt-metrics-eval: weights [3, 1, 1, …] / 12.
        shared = shared_task("wmt23")
        assert len(shared.tasks) == 10
        assert shared.tasks[0].label == "all sys accuracy"
        assert shared.weights[0] == 3 / 12
        assert set(shared.weights[1:]) == {1 / 12}

    def test_2024_has_six_tasks_of_equal_weight(self) -> None:
        shared = shared_task("wmt24")
        assert [task.measure for task in shared.tasks] == ["spa", "acc-eq"] * 3
        assert set(shared.weights) == {1 / 6}
        assert list(shared.pairs) == ["en-de", "en-es", "ja-zh"]

    @pytest.mark.parametrize("name", NAMES)
    def test_weights_sum_to_one_and_baselines_are_primary(self, name: str) -> None:
        shared = shared_task(name)
        assert sum(shared.weights) == pytest.approx(1)
        assert shared.baselines < shared.primary
        assert shared.kind("BLEU") == "baseline"
        assert shared.kind("nobody's") == "contrastive"

    def test_some_pairs_of_a_task(self) -> None:
        shared = shared_task("wmt23", ["zh-en", "en-de"])
        assert shared.tasks[0].pairs == ("en-de", "zh-en")
        assert shared.weights[0] == 2 / 8

    def test_what_is_not_there_is_refused(self) -> None:
        with pytest.raises(OptionError, match="MP769"):
            shared_task("wmt19")
        with pytest.raises(OptionError, match="he-en, zh-en"):
            shared_task("wmt23", ["ja-zh"])


class TestWhatIsCompared:
    def test_the_reference_of_metrics_is_no_system_and_another_one_is(
        self, tree_2024: Path
    ) -> None:
        data = _data(tree_2024, shared_task("wmt24"))
        assert set(data["en-de"].candidates) == {*SYSTEMS, "refA"}  # without refB and MSLC
        assert set(data["en-es"].candidates) == set(SYSTEMS)

    def test_synthetic_references_are_left_out(self, tree_2023: Path) -> None:
        data = _data(tree_2023, shared_task("wmt23"))
        assert set(data["zh-en"].candidates) == set(SYSTEMS)
        assert set(data["he-en"].candidates) == {*SYSTEMS, "refA"}

    def test_people_must_have_scored_systems_and_segments(self, tmp_path: Path) -> None:
        root = write_task_tree(tmp_path)
        (root / "human-scores" / "en-es.mqm.sys.score").unlink()
        with pytest.raises(InputError, match=r"MP770.*en-es.mqm.sys.score"):
            _data(root, shared_task("wmt24"))

    def test_a_metric_that_lacks_a_pair_has_no_average(self, tmp_path: Path) -> None:
        root = write_task_tree(tmp_path)
        for path in (root / "metric-scores" / "ja-zh").glob("BLEU*"):
            path.unlink()
        shared = shared_task("wmt24")
        table = _table(_data(root, shared), shared)
        assert table.metrics[-1].name == "BLEU"
        assert np.isnan(table.average[-1])
        assert table.undefined() == ["BLEU: It has no scores of segments in ja-zh."]

    def test_a_metric_that_lacks_a_system_takes_no_part(self, tmp_path: Path) -> None:
        root = write_task_tree(tmp_path)
        path = root / "metric-scores" / "en-es" / "chrF-refA.seg.score"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith("sysC")))
        shared = shared_task("wmt24")
        reasons = _table(_data(root, shared), shared).undefined()
        assert reasons == ["chrF: It has no scores of sysC in en-es."]


class TestValues:
    def test_every_measure_of_2024(self, tree_2024: Path) -> None:
        shared = shared_task("wmt24")
        data = _data(tree_2024, shared)
        table = _table(data, shared)
        for number, metric in enumerate(table.metrics):
            expected = []
            for pair in shared.pairs:
                _, human = data[pair].judged("segment")
                scores = data[pair].scored(metric.name, "segment")
                known = ~np.isnan(human).any(axis=0)
                expected.append(oracle.soft_accuracy(scores[:, known], human[:, known]))
                expected.append(oracle.calibrated_accuracy(scores, human))
            found = [column.value[number] for column in table.columns]
            assert found == pytest.approx(expected, abs=1e-9)
            assert table.average[number] == pytest.approx(sum(expected) / 6)

    def test_every_measure_of_2023(self, tree_2023: Path) -> None:
        shared = shared_task("wmt23")
        data = _data(tree_2023, shared)
        table = _table(data, shared)
        for number, metric in enumerate(table.metrics):
            groups = []
            expected = []
            for one in data.values():
                _, human = one.judged("system")
                scores = one.scored(metric.name, "system")
                groups.append((scores[:, 0].tolist(), human[:, 0].tolist()))
                expected.append(np.corrcoef(scores[:, 0], human[:, 0])[0, 1])
                _, human = one.judged("segment")
                scores = one.scored(metric.name, "segment")
                known = ~np.isnan(human)
                expected.append(np.corrcoef(scores[known], human[known])[0, 1])
                expected.append(oracle.calibrated_accuracy(scores, human))
            expected.insert(0, oracle.accuracy(groups))
            found = [column.value[number] for column in table.columns]
            assert found == pytest.approx(expected, abs=1e-9)
            # Coefficients from -1 to 1 are brought to 0 to 1 before they are averaged.
            scaled = [
                (value + 1) / 2 if column.task.measure == "pearson" else value
                for value, column in zip(expected, table.columns, strict=True)
            ]
            average = sum(w * v for w, v in zip(shared.weights, scaled, strict=True))
            assert table.average[number] == pytest.approx(average)

    def test_meta_measures_single_columns_alike(self, tree_2024: Path) -> None:
        """``--measure soft-accuracy`` and ``acc-eq`` give what the task gives, where it takes all systems."""
        shared = shared_task("wmt24", ["en-es"])
        table = _table(_data(tree_2024, shared), shared)
        soft, paired = table.columns
        mtme = read_mtme(tree_2024, language_pair="en-es")
        judged = mtme.judgements("mqm")
        rows = [row for row, name in enumerate(judged.systems) if name != "MSLC"]
        some = replace(
            judged,
            systems=tuple(judged.systems[row] for row in rows),
            text_of=judged.text_of[rows],
            human=judged.human[rows],
        )
        for number, name in enumerate(metric.name for metric in table.metrics):
            given = f"{name.removesuffix('[noref]')}-{'src' if 'noref' in name else 'refA'}"
            scores = given_scores(mtme, given, some)
            assert scores is not None
            assert Measure(name="soft-accuracy")(scores, some) == pytest.approx(soft.value[number])
            by_segment = Measure(name="acc-eq", group_by="segment")
            assert by_segment(scores, some) == pytest.approx(paired.value[number])

    def test_metrics_stand_from_best_to_worst(self, tree_2024: Path) -> None:
        shared = shared_task("wmt24")
        table = _table(_data(tree_2024, shared), shared)
        assert table.average.tolist() == sorted(table.average, reverse=True)
        # The tree gives each metric so much noise.
        assert [metric.name for metric in table.metrics[:2]] == ["Mine", "YiSi-1"]
        assert table.metrics[0].kind == "contrastive"

    def test_soft_accuracy_uses_segments_that_all_systems_have(self, tmp_path: Path) -> None:
        root = write_task_tree(tmp_path)
        path = root / "human-scores" / "ja-zh.mqm.seg.score"
        lines = path.read_text().splitlines()
        lines[5] = f"{lines[5].split()[0]}\tNone"  # a segment of sysA that nobody judged
        path.write_text("".join(f"{line}\n" for line in lines))
        shared = shared_task("wmt24", ["ja-zh"])
        soft, paired = _table(_data(root, shared), shared).columns
        assert (soft.segments, paired.segments) == (9, 10)


class TestChance:
    def test_every_column_of_acc_eq_has_its_chance_level(self, tree_2023: Path) -> None:
        shared = shared_task("wmt23")
        data = _data(tree_2023, shared)
        table = _table(data, shared)
        for column in table.columns:
            if column.task.measure != "acc-eq":
                assert column.chance is None
                continue
            _, human = data[column.task.pairs[0]].judged("segment")
            constant = oracle.calibrated_accuracy(np.zeros_like(human), human)
            assert column.chance is not None
            assert column.chance.constant == pytest.approx(constant)
            assert column.chance.calibrated > constant
            assert column.value.min() >= constant

    def test_the_table_shows_it(self, tree_2024: Path) -> None:
        shared = shared_task("wmt24", ["en-es"])
        table = _table(_data(tree_2024, shared), shared)
        chance = table.columns[1].chance
        assert chance is not None
        rows = on_screen(task_view(table)).splitlines()
        random, constant = (
            next(row for row in rows if row.startswith(f"{kind} scores"))
            for kind in ("random", "constant")
        )
        assert random.split() == ["random", "scores", "chance", f"{chance.calibrated:.3f}"]
        assert constant.split() == ["constant", "scores", "chance", f"{chance.constant:.3f}"]
        first, second = table.to_dict()["tasks"]
        assert first["chance"] is None
        assert second["chance"]["constant"] == chance.constant


class TestClusters:
    def test_without_resamples_there_are_none(self, tree_2024: Path) -> None:
        shared = shared_task("wmt24")
        table = _table(_data(tree_2024, shared), shared)
        assert not table.cluster.any()

    @pytest.mark.parametrize("name", ["wmt23", "wmt24"])
    def test_equal_metrics_share_a_cluster_and_a_perfect_one_is_first(
        self, name: str, tmp_path: Path
    ) -> None:
        root = write_task_tree(tmp_path, PAIRS_2023 if name == "wmt23" else PAIRS_2024)
        for folder in (root / "metric-scores").iterdir():
            human = root / "human-scores"
            for path in list(folder.glob("BLEU-*")):
                (folder / path.name.replace("BLEU", "Twin")).write_bytes(path.read_bytes())
                level = path.name.split(".")[1]
                people = (human / f"{folder.name}.mqm.{level}.score").read_text()
                perfect = people.replace("None", "0")
                (folder / path.name.replace("BLEU", "Perfect")).write_text(perfect)
        shared = shared_task(name)
        table = _table(_data(root, shared), shared, resamples=200)
        rows = {metric.name: row for row, metric in enumerate(table.metrics)}
        assert table.average[rows["Perfect"]] == pytest.approx(1)
        assert table.cluster[rows["Perfect"]] == 1
        assert table.cluster[rows["Twin"]] == table.cluster[rows["BLEU"]]
        assert table.cluster[rows["BLEU"]] > 1
        for column in table.columns:
            assert column.cluster[rows["Twin"]] == column.cluster[rows["BLEU"]]

    def test_a_seed_reproduces_everything(self, tree_2024: Path) -> None:
        shared = shared_task("wmt24", ["en-es"])
        data = _data(tree_2024, shared)
        first, second = (_table(data, shared, resamples=100).to_dict() for _ in range(2))
        assert first == second
        assert first["tasks"][0]["clusters"][0] == 1
