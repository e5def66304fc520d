"""Chances: the model, its fitting and its calibration, against figures worked out by hand."""

from __future__ import annotations

from math import log

import pytest

from games.engine.chances import Claim, Example, bands, brier, chances, changes, fit, knowing_nothing, shares, softmax

SURE, WRONG = Claim((0.8, 0.2), (1.0, 0.0)), Claim((0.8, 0.2), (0.0, 1.0))


def test_scores_become_chances_by_their_exponentials() -> None:
    assert softmax([log(3), 0.0]) == pytest.approx([0.75, 0.25])
    assert softmax([log(3), 0.0, log(4)]) == pytest.approx([3 / 8, 1 / 8, 4 / 8])
    assert softmax([log(3)]) == pytest.approx([0.75])
    assert softmax([1_000.0, -1_000.0]) == [1.0, 0.0]
    assert chances([{"points": 2, "cards": 1}, {"points": 0, "cards": 9}], {"points": log(3)}) == pytest.approx(
        [0.9, 0.1]
    )


def test_a_first_place_is_shared_by_all_who_are_first() -> None:
    assert (shares((2, 1)), shares((1, 1)), shares((1, 3, 1, 4))) == ([0.0, 1.0], [0.5, 0.5], [0.5, 0.0, 0.5, 0.0])
    assert (shares((1,)), shares((2,))) == ([1.0], [0.0])


@pytest.mark.parametrize(
    ("results", "weight"),
    [
        ([(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)], log(3)),
        ([(1.0, 0.0), (0.5, 0.5)], log(3)),
        ([(0.5, 0.5)], 0.0),
        ([(0.0, 1.0), (0.0, 1.0), (1.0, 0.0)], -log(2)),
        ([(1.0,), (1.0,), (1.0,), (0.0,)], log(3)),
    ],
    ids=["three of four", "a tie counts half", "nothing but ties", "one of three", "alone"],
)
def test_who_leads_and_wins_three_of_four_is_said_to_win_three_of_four(
    results: list[tuple[float, ...]], weight: float
) -> None:
    leading = [{"lead": 1.0}, {"lead": 0.0}]
    examples = [Example(leading[: len(result)], result) for result in results]
    assert fit(examples, caution=0.0) == {"lead": pytest.approx(weight)}
    assert abs(fit(examples)["lead"]) <= abs(weight)


def test_weights_are_found_for_several_features_that_go_together() -> None:
    def seats(points: float, cards: float) -> list[dict[str, float]]:
        return [{"points": points, "cards": cards}, {"points": 0.0, "cards": 0.0}, {"points": 1.0, "cards": 2.0}]

    true = {"points": 0.7, "cards": -0.4}
    positions = [seats(points, cards) for points in (0.0, 1.0, 3.0) for cards in (0.0, 2.0, 5.0)]
    found = fit([Example(position, chances(position, true)) for position in positions], caution=0.0)
    assert found == pytest.approx(true, abs=1e-6)


def test_the_score_of_brier_is_the_mean_squared_difference() -> None:
    assert brier([SURE]) == pytest.approx(0.04)
    assert brier([SURE, WRONG]) == pytest.approx((0.04 + 0.64) / 2)
    assert brier([Claim((0.5, 0.3, 0.2), (0.0, 1.0, 0.0))]) == pytest.approx((0.25 + 0.49 + 0.04) / 3)
    assert brier(knowing_nothing([SURE, WRONG])) == pytest.approx(0.25)
    assert brier(knowing_nothing([Claim((0.9,), (1.0,))])) == pytest.approx(0.25)
    assert brier(knowing_nothing([Claim((1, 0, 0, 0, 0), (1, 0, 0, 0, 0))])) == pytest.approx(0.16)


def test_bands_compare_what_was_said_with_what_happened() -> None:
    found = bands([SURE, SURE, SURE, WRONG, Claim((0.85, 0.15), (1.0, 0.0)), Claim((1.0, 0.0), (1.0, 0.0))])
    assert list(found) == [0, 1, 2, 8, 9]
    assert tuple(found[8]) == pytest.approx(((4 * 0.8 + 0.85) / 5, 0.8, 5))
    assert tuple(found[2]) == pytest.approx((0.2, 0.25, 4))
    assert (tuple(found[0]), tuple(found[9])) == ((0.0, 0.0, 1), (1.0, 1.0, 1))


def test_a_turn_changes_the_chance_of_its_seat_from_its_first_action_to_its_last() -> None:
    said = [(0.5, 0.5), (0.6, 0.4), (0.4, 0.6), (0.7, 0.3), (0.2, 0.8), (0.0, 1.0)]
    assert changes(said, [0, 0, 1, 0, 1]) == pytest.approx([-0.1, -0.3, -0.5, 0.2])
