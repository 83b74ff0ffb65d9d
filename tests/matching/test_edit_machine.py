"""The edit machine against METRICS 6: golden values, numbers of sequences, every sequence enumerated."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.edit_machine import (
    FEATURES,
    MachineOptions,
    arc_counts,
    best_edits,
    expected_counts,
    log_sums,
    windowed,
)
from metaphrase.matching.edit_pairs import EditPairs, feature_names
from oracle.edit_machine import FEATURE, Pair, enumerate_all, pack

# 70 cases with single and triple jump labels, from an enumeration of all sequences (METRICS 6.6).
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "ppda_cases.json").read_text("utf-8"))
PUNCTUATION, WORD, LEMMA = 0, 1, 2
STATE = {"Sword": "word", "Slemma": "lemma", "Insert": "insert", "Delete": "delete"}
JUMPS = {"JumpFwd": "jump_forward", "JumpBack": "jump_back", "JumpEnd": "jump_end"}


def compare(reference: str | list[str], hypothesis: str | list[str], max_block: int = 1) -> Pair:
    """Words that are equal, or equal but for their case; two equal words as a block."""
    label = {
        (i, j): WORD if r == s else LEMMA
        for i, r in enumerate(reference)
        for j, s in enumerate(hypothesis)
        if r.lower() == s.lower()
    }
    edges = [(i, j, 1, 1, q) for (i, j), q in label.items()]
    if max_block == 2:
        edges += [
            (i, j, 2, 2, WORD)
            for (i, j), q in label.items()
            if q == WORD and label.get((i + 1, j + 1)) == WORD
        ]
    return Pair(len(reference), len(hypothesis), tuple(sorted(edges)))


def places(name: str) -> list[int]:
    """The features that a name of the golden file stands for; one label for all jumps is three of ours."""
    states = {**{k: [v] for k, v in (STATE | JUMPS).items()}, "Jump": list(JUMPS.values())}
    kind, *parts = name.split("|")
    if kind == "U":
        return [FEATURE[f"U|{q}"] for q in states[parts[0]]]
    return [FEATURE[f"B|{p}|{q}"] for p in states[parts[0]] for q in states[parts[1]]]


def golden_weights(case: dict) -> np.ndarray:
    theta = np.zeros(FEATURES)
    single = case["labels"] == "single Jump"
    for name, weight in GOLDEN["theta_single" if single else "theta_three"].items():
        theta[places(name)] = weight
    return theta


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_golden_sums_and_expected_counts(case: dict) -> None:
    pairs = pack([compare(case["ref"], case["sys"], case["max_block"])])
    options = MachineOptions(max_jump=case["max_jump"])
    y, counts = expected_counts(pairs, golden_weights(case), options=options)
    assert y[0] == pytest.approx(case["y"], abs=1e-9)
    for name, expected in case["expected_counts"].items():
        kind = "B|" + name.replace(">", "|") if ">" in name else "U|" + name
        assert counts[0][places(kind)].sum() == pytest.approx(expected, abs=1e-9)
    number = log_sums(pairs, np.zeros(FEATURES), options=options)
    assert math.exp(number[0]) == pytest.approx(case["n_sequences"], rel=1e-12)


# The table of METRICS 6.6: reference, hypothesis, largest block, longest jump, number of sequences.
SEQUENCES = [
    *(("a", "a", b, d, 3) for b in (1, 2) for d in (0, 1, 2)),
    *(("a", "b", b, d, 2) for b in (1, 2) for d in (0, 1, 2)),
    *(("ab", "ab", 1, d, 11) for d in (0, 1, 2)),
    ("ab", "ab", 2, 0, 12),
    *(("ab", "ba", 1, d, n) for d, n in ((0, 8), (1, 10), (2, 10))),
    ("ab", "ba", 2, 0, 8),
    *(("abc", "abc", 1, d, 43) for d in (0, 1, 2)),
    ("abc", "abc", 2, 0, 49),
    *(("abc", "cab", 1, d, n) for d, n in ((0, 28), (1, 36), (2, 40))),
    ("abc", "cab", 2, 0, 29),
    *(("aa", "aa", 1, d, n) for d, n in ((0, 13), (1, 15), (2, 15))),
    ("aaa", "aaa", 1, 0, 63),
    ("aaa", "aaa", 1, 9, 111),
]


@pytest.mark.parametrize(("reference", "hypothesis", "max_block", "max_jump", "number"), SEQUENCES)
def test_without_weights_the_sum_counts_sequences(
    reference: str, hypothesis: str, max_block: int, max_jump: int, number: int
) -> None:
    pairs = pack([compare(reference, hypothesis, max_block)])
    y = log_sums(pairs, np.zeros(FEATURES), options=MachineOptions(max_jump=max_jump))
    assert math.exp(y[0]) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize(("length", "longest"), [(2, 5), (4, 10)])
def test_the_longest_sequence_grows_by_half_the_length(length: int, longest: int) -> None:
    # METRICS 6.4, after the paper's footnote 4: 4 -> 5 and 8 -> 10 edits.
    pair = compare("a" * length, "a" * length)
    found = enumerate_all(pair, np.zeros(FEATURES), MachineOptions(max_jump=length))
    assert found.longest == longest


def longest(pair: Pair, max_jump: int) -> float:
    """The number of edits of the longest sequence: the best one, where every edit scores 1."""
    each = np.array([name.startswith("U|") for name in feature_names()], dtype=np.float64)
    found = best_edits(pack([pair]), each, options=MachineOptions(max_jump=max_jump))
    return float(found.scores[0])


@pytest.mark.parametrize("length", [2, 4, 6, 8, 10, 20, 40])
def test_the_longest_sequence_of_equal_words_grows_by_half(length: int) -> None:
    # The paper's footnote 4: by 0.5 · max(|s|, |r|) at worst; METRICS 6.4 has the first four of these.
    pair = compare("a" * length, "a" * length)
    assert longest(pair, 0) == 2 * length
    assert longest(pair, length) == 2.5 * length


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(1, 8))
def test_no_sequence_grows_by_more_than_half(
    reference: str, hypothesis: str, max_jump: int
) -> None:
    # The paper's footnote 4.
    pair = compare(reference, hypothesis)
    without = len(reference) + len(hypothesis)
    assert longest(pair, 0) == without
    most = without + 0.5 * max(len(reference), len(hypothesis))
    assert without <= longest(pair, max_jump) <= most


def test_empty_sentences() -> None:
    theta = np.arange(FEATURES) / 100.0
    pairs = pack([Pair(0, 0), Pair(2, 0), Pair(0, 3)])
    y, counts = expected_counts(pairs, theta, options=MachineOptions(max_jump=2))
    u, b, s = (FEATURE[name] for name in ("U|delete", "B|delete|delete", "S|delete"))
    assert y[0] == 0.0
    assert not counts[0].any()
    assert y[1] == pytest.approx(2 * theta[u] + theta[b] + theta[s])
    assert counts[1].sum() == pytest.approx(4)
    assert counts[2][FEATURE["U|insert"]] == pytest.approx(3)
    best = best_edits(pairs, theta, options=MachineOptions(max_jump=2))
    assert best.offsets.tolist() == [0, 0, 2, 5]
    none = pack([])
    assert len(log_sums(none, theta, options=MachineOptions())) == 0
    assert best_edits(none, theta, options=MachineOptions()).offsets.tolist() == [0]


def test_a_window_is_flagged_where_a_side_is_long() -> None:
    pairs = pack([Pair(3, 3), Pair(4, 2), Pair(2, 5)])
    options = MachineOptions(max_jump=1, exact_length=3)
    assert windowed(pairs, options=options).tolist() == [False, True, True]
    assert not windowed(pairs, options=MachineOptions(exact_length=3)).any()


def damaged(**changes: object) -> EditPairs:
    good = pack([Pair(3, 3, ((0, 0, 1, 1, 1), (1, 1, 2, 2, 1)), {(1, 1): 0})])
    fields = {name: getattr(good, name) for name in EditPairs.__slots__}
    fields.update({name: np.asarray(value) for name, value in changes.items()})
    return EditPairs(**fields)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"reference_lengths": [-1]}, "MP410"),
        ({"reference_lengths": [2, 2]}, "MP410"),
        ({"substitution_offsets": [0, 1]}, "MP406"),
        ({"substitution_offsets": [2, 2]}, "MP406"),
        ({"dependency_offsets": [0, 1, 1]}, "MP410"),
        ({"substitutions": [[0, 0, 1, 1], [1, 1, 1, 1]]}, "MP410"),
        ({"substitutions": [0, 0, 1, 1, 1]}, "MP410"),
        ({"substitutions": [[0, 0, 1, 1, 1], [2, 2, 2, 1, 1]]}, "MP411"),
        ({"substitutions": [[0, 0, 1, 1, 1], [0, 0, 1, 1, 1]]}, "MP411"),
        ({"substitutions": [[0, 0, 1, 1, 1], [0, 0, 1, 3, 1]]}, "MP411"),
        ({"substitutions": [[0, 0, 1, 1, 1], [1, 0, 1, 1, 5]]}, "MP411"),
        ({"substitutions": [[0, -1, 1, 1, 1], [1, 0, 1, 1, 1]]}, "MP411"),
        ({"substitutions": [[0.5, 0, 1, 1, 1], [1, 0, 1, 1, 1]]}, "MP401"),
        ({"dependencies": [[0, 1, 0]]}, "MP412"),
        ({"dependencies": [[1, 3, 0]]}, "MP412"),
        ({"dependencies": [[1, 1, 3]]}, "MP412"),
        ({"dependencies": [[1, 1, 0], [1, 1, 1]], "dependency_offsets": [0, 2]}, "MP412"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changes: dict[str, object], code: str) -> None:
    with pytest.raises(InputError) as refusal:
        log_sums(damaged(**changes), np.zeros(FEATURES), options=MachineOptions())
    assert refusal.value.code == code


@pytest.mark.parametrize("weights", [np.zeros(3), np.full(FEATURES, np.nan)])
def test_weights_that_are_not_weights_are_refused(weights: np.ndarray) -> None:
    with pytest.raises(InputError, match="MP414"):
        log_sums(pack([Pair(1, 1)]), weights, options=MachineOptions())


@pytest.mark.parametrize(
    "option",
    [
        {"max_jump": -1},
        {"max_jump": True},
        {"edit_block": 3},
        {"jump_window": 0},
        {"exact_length": 1.5},
        {"jump_first": 1},
    ],
)
def test_options_out_of_range_are_refused(option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="MP413"):
        MachineOptions(**option)  # type: ignore[arg-type]


def test_arcs_are_counted_by_position_and_previous_state() -> None:
    # One word for one: start to each of three edits, and delete after insert, insert after delete.
    counts = arc_counts(pack([compare("a", "a")] * 2), options=MachineOptions(max_jump=1))
    fired = {name: n for name, n in zip(feature_names(), counts, strict=True) if n}
    assert fired == {
        "U|insert": 4,
        "U|delete": 4,
        "U|word": 2,
        "B|insert|delete": 2,
        "B|delete|insert": 2,
        "S|insert": 2,
        "S|delete": 2,
        "S|word": 2,
    }
