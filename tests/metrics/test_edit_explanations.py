"""The best edit sequence explains the score: every word is in it once, and its parts add up."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Pfsm, Ppda, PpdaF
from metaphrase.cli import main
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.metrics import Explanation, Metric
from metaphrase.trained.edit_features import parameter_names
from metaphrase.trained.edit_model import EditModel
from report.written_pages import shown

PAIRS = [
    (
        "On Tuesday the government has announced a plan.",
        "The government announced a new plan on Tuesday.",
    ),
    ("Strong rain caused a flood in villages.", "Heavy rain caused floods in several villages."),
    ("He reads the book.", "He read the book."),
    ("", "Nothing was said."),
    ("", ""),
    ("one two three", "four five"),
]
vocabulary = "the cat cats sat on a mat . , dogs running run U.S. reads books the".split()
sentence = st.lists(st.sampled_from(vocabulary), max_size=8).map(" ".join)


@pytest.fixture(scope="module", params=[100, 3], ids=["exact", "windowed"])
def random_model(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> str:
    """All features of the machine have a weight, so that none can be forgotten."""
    draw = Random(6)
    names = parameter_names(3)
    model = EditModel(
        name="random",
        weights={name: draw.uniform(-0.5, 0.5) for name in names},
        alpha=-0.3,
        slope=1.7,
        machine=MachineOptions(max_jump=3, edit_block=2, exact_length=request.param, jump_window=2),
        substitutions=SubstitutionOptions(overlapping=True, dependencies=True),
        jump_labels=3,
        start_features=True,
    )
    path = tmp_path_factory.mktemp("model") / "random.json"
    model.save(path)
    return f"file:{path}"


def check(metric: Metric, explanation: Explanation) -> None:
    """Everything that must hold of an explanation by edits."""
    edits, others, alpha = (feature.value for feature in explanation.features)
    assert edits is not None
    assert others is not None
    assert others >= -1e-12
    assert sum(edit.contribution for edit in explanation.edits) == pytest.approx(edits, abs=1e-9)
    assert edits + others + alpha == pytest.approx(explanation.score, abs=1e-9)
    for side in ("reference", "hypothesis"):
        read = sorted(i for edit in explanation.edits for i in getattr(edit, side))
        assert read == list(range(len(getattr(explanation, side))))
        linked = [i for link in explanation.links for i in getattr(link, side)]
        lost = [i for rest in explanation.leftovers if rest.side == side for i in rest.words]
        assert sorted(linked + lost) == read
    follow_positions(explanation)


def follow_positions(explanation: Explanation) -> None:
    """Each edit begins where the one before ended; jumps come in threes and stay on one side."""
    at = {"reference": 0, "hypothesis": 0}
    jumps = []
    for edit in explanation.edits:
        if edit.jump is not None:
            assert edit.jump.start == at[edit.jump.side]
            at[edit.jump.side] = edit.jump.target
            jumps.append((edit.state, edit.jump.side))
        for side in at:
            places = getattr(edit, side)
            assert not places or places[0] == at[side]
            at[side] += len(places)
    for k in range(0, len(jumps), 3):
        states, sides = zip(*jumps[k : k + 3], strict=True)
        assert states == ("jump_forward", "jump_back", "jump_end")
        assert len(set(sides)) == 1
    assert at == {side: len(getattr(explanation, side)) for side in at}


@pytest.mark.parametrize("kind", [Pfsm, Ppda, PpdaF])
def test_contributions_add_up_to_the_score(kind: type[Metric]) -> None:
    metric = kind()
    for hypothesis, reference in PAIRS:
        explanation = metric.explain(hypothesis, reference)
        check(metric, explanation)
        assert (explanation.hypothesis_text, explanation.reference_text) == (hypothesis, reference)


@settings(max_examples=60)
@given(hypothesis=sentence, reference=sentence)
def test_they_add_up_whatever_the_weights(
    random_model: str, hypothesis: str, reference: str
) -> None:
    metric = PpdaF(model=random_model)
    check(metric, metric.explain(hypothesis, reference))


class TestWhatIsDrawn:
    @pytest.fixture
    def swapping(self, tmp_path: Path) -> str:
        """Jumps are cheap in this model, and subjects and objects are worth much."""
        weights = {"U|word": 1.0, "U|insert": -3.0, "U|delete": -3.0, "U|jump": -0.1}
        weights |= {"D|subject": 2.0, "D|object": 2.0, "D|predicative": 2.0}
        options = SubstitutionOptions(max_block=1, dependencies=True)
        model = EditModel(
            name="swapping",
            weights=weights,
            alpha=0.0,
            machine=MachineOptions(max_jump=5),
            substitutions=options,
        )
        model.save(tmp_path / "model.json")
        return f"file:{tmp_path / 'model.json'}"

    def test_stretches_that_change_places_are_three_jumps(self, swapping: str) -> None:
        explanation = PpdaF(model=swapping).explain("c d a b", "a b c d")
        states = [edit.state for edit in explanation.edits]
        assert sorted(states) == sorted(
            ["jump_forward", "word", "word", "jump_back", "word", "word", "jump_end"]
        )
        assert not explanation.leftovers

    def test_a_shared_dependency_belongs_to_the_second_of_its_words(self, swapping: str) -> None:
        explanation = PpdaF(model=swapping).explain("He reads books", "He reads books")
        found = {
            explanation.reference[edit.reference[0]].form: edit.dependencies
            for edit in explanation.edits
        }
        assert found == {"He": (), "reads": ("subject",), "books": ("object",)}

    def test_the_command_draws_every_format(
        self, swapping: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["explain", "-m", f"ppda+f:model={swapping}", "--reference", "a b c d"]
        command += ["--hypothesis", "c d a b"]
        outputs = {}
        for form in ("text", "json", "html"):
            assert main([*command, "--format", form, "--details"]) == 0
            outputs[form] = capsys.readouterr().out
        assert "╭" in outputs["text"]
        assert max(map(len, outputs["text"].splitlines())) <= 80
        (record,) = json.loads(outputs["json"])
        assert len(record["edits"]) == 7
        ((_, embedded),) = shown(outputs["html"])
        assert embedded["edits"] == record["edits"]


def test_a_block_is_one_link(tmp_path: Path) -> None:
    model = EditModel(
        name="blocks",
        weights={"U|word": -1.0, "U|insert": -2.0, "U|delete": -2.0},
        alpha=0.0,
        synonyms="none",
        paraphrases="none",
    )
    model.save(tmp_path / "model.json")
    explanation = Pfsm(model=f"file:{tmp_path / 'model.json'}").explain("a b c", "a b c")
    # Two substitutions are cheaper than three.
    assert sorted(len(link.reference) for link in explanation.links) == [1, 2]
