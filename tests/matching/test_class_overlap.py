"""The closed form equals the linear program where similarity is membership in one class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError
from metaphrase.matching import class_overlap, class_overlap_batch, transport

BAGS = st.lists(
    st.tuples(st.integers(-2, 2), st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])), max_size=6
)


def classes_and_weights(bag):
    return [member for member, _ in bag], [weight for _, weight in bag]


@given(BAGS, BAGS)
def test_it_is_the_optimum_of_the_transportation_problem(left, right):
    left_classes, left_weights = classes_and_weights(left)
    right_classes, right_weights = classes_and_weights(right)
    same = np.equal.outer(left_classes, right_classes).astype(float)
    overlap = class_overlap(left_classes, left_weights, right_classes, right_weights)
    plan = transport(same.reshape(len(left), len(right)), left_weights, right_weights)
    assert overlap == pytest.approx(plan.value, abs=1e-12)


@given(st.lists(st.tuples(BAGS, BAGS), max_size=5))
def test_a_batch_is_its_pairs_one_by_one(pairs):
    arguments = []
    for side in (0, 1):
        bags = [pair[side] for pair in pairs]
        arguments += classes_and_weights([entry for bag in bags for entry in bag])
        arguments.append(np.cumsum([0, *map(len, bags)]))
    expected = [
        class_overlap(*classes_and_weights(left), *classes_and_weights(right))
        for left, right in pairs
    ]
    assert class_overlap_batch(*arguments) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("MP401", ([0.5], [1.0], [0, 1], [], [], [0, 0])),
        ("MP402", ([1], [-1.0], [0, 1], [], [], [0, 0])),
        ("MP402", ([1], [float("nan")], [0, 1], [], [], [0, 0])),
        ("MP406", ([1], [1.0, 2.0], [0, 1], [], [], [0, 0])),
        ("MP406", ([1], [1.0], [0, 2], [], [], [0, 0])),
        ("MP406", ([1], [1.0], [0, 1], [], [], [0, 0, 0])),
    ],
)
def test_bad_input_is_refused_with_a_code(code, arguments):
    with pytest.raises(InputError) as caught:
        class_overlap_batch(*arguments)
    assert caught.value.code == code
