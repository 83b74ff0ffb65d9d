"""What each player adds, in the mean over the orders in which they may come."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.statistics.shapley import EXACT, coalitions, orders, shapley_values
from oracle import shapley as oracle


def game(players: int, seed: int) -> dict[int, float]:
    values = np.random.default_rng(seed).normal(size=1 << players)
    return dict(enumerate(values.tolist()))


@pytest.mark.parametrize("players", range(EXACT + 1))
@pytest.mark.parametrize("seed", range(5))
def test_few_players_come_in_all_orders(players: int, seed: int) -> None:
    worth = game(players, seed)
    assert sorted(coalitions(players)) == sorted(worth)
    assert shapley_values(players, worth) == pytest.approx(oracle.shapley_values(players, worth))


@pytest.mark.parametrize("players", [0, 1, 3, EXACT, EXACT + 1, 9, 13])
def test_values_add_up_to_what_all_add(players: int) -> None:
    worth = game(players, players)
    asked = {coalition: worth[coalition] for coalition in coalitions(players)}
    whole = worth[(1 << players) - 1] - worth[0]
    assert shapley_values(players, asked).sum() == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("players", [2, EXACT, EXACT + 1, 12, 60])
def test_who_always_adds_the_same_is_worth_that(players: int) -> None:
    own = np.arange(players) - 1.5
    worth = {
        chosen: float(sum(own[player] for player in range(players) if chosen >> player & 1))
        for chosen in coalitions(players)
    }
    assert shapley_values(players, worth) == pytest.approx(own)


@pytest.mark.parametrize("players", [EXACT + 1, 8, 20, 300])
def test_each_order_has_everybody_once_and_is_followed_by_its_reverse(players: int) -> None:
    found = orders(players)
    assert len(set(found)) == len(found) > 0
    assert all(sorted(order) == list(range(players)) for order in found)
    assert all(one == other[::-1] for one, other in zip(found[::2], found[1::2], strict=True))


@pytest.mark.parametrize("players", [EXACT + 1, 7, 20])
def test_two_who_only_add_together_share_it(players: int) -> None:
    """In antithetic orders each of two comes first equally often."""
    worth = {chosen: float(chosen & 3 == 3) for chosen in coalitions(players)}
    assert shapley_values(players, worth).tolist() == [0.5, 0.5, *[0.0] * (players - 2)]
