"""Places are those of a competition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.engine.protocol import ranks


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((), ()), ((5,), (1,)), ((1, 2), (2, 1)), ((4, 4, 4), (1, 1, 1)), ((9, 1, 9, 1, 5), (1, 4, 1, 4, 3))],
)
def test_equal_keys_share_a_place_and_the_next_one_is_left_out(scores: Sequence[int], expected: Sequence[int]) -> None:
    assert ranks(-score for score in scores) == expected
