"""The contract of chance, to the letter."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from games.engine.fair import ChanceError, FairChance, Stream, commitment, final_seed, order_of_seats

SERVER_SEED = bytes(range(32))
SEED = final_seed(SERVER_SEED, [b"alice", b"bob"])


def test_commitment_is_the_published_vector() -> None:
    assert commitment(SERVER_SEED) == "687fccbe1682747a8c45dc54adfbfb75cb9d93ad6489317c8c554251e011fb2d"


@pytest.mark.parametrize(
    ("nonces", "expected"),
    [
        ([b"alice", b"bob"], "c19b7bc318ec76217131807966d3eff641c31452fa5a62186188d23391a64ad3"),
        ([b"alice", b""], "9a1cb5f1eb9d50d187af94dfe3c213acf0665167166bb32af8b4e1a1dc6fe98a"),
    ],
)
def test_final_seed_is_the_published_vector(nonces: list[bytes], expected: str) -> None:
    assert final_seed(SERVER_SEED, nonces).hex() == expected


def test_streams_are_the_published_vectors() -> None:
    stream = Stream(SEED, "0:deck")
    assert [stream.u32() for _ in range(4)] == [31791483, 1293567410, 4117637791, 3332722432]
    assert Stream(SEED, "0:deck").shuffle(range(10)) == (6, 0, 8, 1, 5, 9, 4, 7, 2, 3)
    assert Stream(SEED, "deck:0").shuffle(range(10)) == (5, 0, 8, 9, 3, 1, 7, 4, 6, 2)


def test_blocks_are_hmacs_of_label_and_index() -> None:
    stream = Stream(SEED, "17:reshuffle")
    numbers = [stream.u32() for _ in range(24)]
    blocks = b"".join(
        hmac.new(SEED, b"17:reshuffle\0" + i.to_bytes(8, "big"), hashlib.sha256).digest() for i in range(3)
    )
    assert b"".join(n.to_bytes(4, "big") for n in numbers) == blocks


def test_below_rejects_what_would_favour_low_numbers() -> None:
    n = 3_000_000_000  # numbers from n up are 30 % of all and must be thrown away
    raw, drawn = Stream(SEED, "x"), Stream(SEED, "x")
    kept = [x for x in (raw.u32() for _ in range(200)) if x < n]
    assert [drawn.below(n) for _ in range(len(kept))] == kept
    assert len(kept) < 200


def test_below_rejects_the_very_first_number_it_must() -> None:
    numbers = Stream(SEED, "x")
    n = next(x for x in (numbers.u32() for _ in range(200)) if x >= 2**31)  # so n itself is thrown away, and all above
    raw, drawn = Stream(SEED, "x"), Stream(SEED, "x")
    kept = [x for x in (raw.u32() for _ in range(200)) if x < n]
    assert [drawn.below(n) for _ in range(len(kept))] == kept


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_what_it_cannot_draw(n: int) -> None:
    with pytest.raises(ValueError, match="Cannot draw"):
        Stream(SEED, "x").below(n)


def test_below_takes_the_whole_range() -> None:
    assert Stream(SEED, "0:deck").below(2**32) == 31791483
    assert Stream(SEED, "0:deck").below(1) == 0


@given(st.lists(st.integers(), max_size=30), st.integers(0, 10**6))
def test_shuffle_keeps_every_item(items: list[int], number: int) -> None:
    assert Counter(FairChance(SEED, number).shuffle("x", items)) == Counter(items)


def test_every_order_is_about_equally_likely() -> None:
    orders = Counter(FairChance(SEED, number).shuffle("x", "abc") for number in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_chance_draws_from_the_label_of_its_action() -> None:
    assert FairChance(SEED, 0).shuffle("deck", range(10)) == (6, 0, 8, 1, 5, 9, 4, 7, 2, 3)
    stream = Stream(SEED, "17:die")
    assert FairChance(SEED, 17).many_below("die", 6, 20) == tuple(stream.below(6) for _ in range(20))
    assert FairChance(SEED, 17).below("die", 6) == Stream(SEED, "17:die").below(6)


def test_the_order_of_questions_plays_no_part() -> None:
    one, other = FairChance(SEED, 3), FairChance(SEED, 3)
    first = (one.below("a", 1000), one.below("b", 1000))
    second = (other.below("b", 1000), other.below("a", 1000))
    assert first == second[::-1]


def test_the_same_purpose_twice_is_a_mistake() -> None:
    chance = FairChance(SEED, 3)
    chance.below("die", 6)
    with pytest.raises(ChanceError, match="3:die"):
        chance.shuffle("die", "ab")


def test_chance_knows_whether_it_was_used() -> None:
    chance = FairChance(SEED, 3)
    assert (chance.used, chance.labels) == (False, ())
    chance.many_below("die", 6, 2)
    assert (chance.used, chance.labels) == (True, ("3:die",))


def test_draws_can_be_repeated_from_what_is_kept_of_them() -> None:
    chance = FairChance(SEED, 3)
    dice = chance.many_below("die", 6, 2)
    cards = chance.shuffle("deck", "abcdefgh")
    die, deck = chance.draws
    assert (die.label, die.kind, die.n, die.result, die.values) == ("3:die", "below", 6, dice, dice)
    assert (deck.label, deck.kind, deck.n, deck.values) == ("3:deck", "shuffle", 8, cards)
    assert deck.result == Stream(SEED, "3:deck").shuffle(range(8))
    assert tuple("abcdefgh"[index] for index in deck.result) == cards


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_server_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed)
    with pytest.raises(ValueError, match="32 bytes"):
        final_seed(seed, [])


def test_the_longest_nonce_counts_to_its_last_byte() -> None:
    longest = bytes(65_535)
    assert final_seed(SERVER_SEED, [longest]) != final_seed(SERVER_SEED, [longest[:-1] + b"x"])


def test_nonces_cannot_run_into_each_other() -> None:
    splits = [[b"ab", b"c"], [b"a", b"bc"], [b"", b"abc"], [b"abc", b""], [b"abc"]]
    assert len({final_seed(SERVER_SEED, nonces) for nonces in splits}) == len(splits)
    with pytest.raises(ValueError, match="Nonce 1"):
        final_seed(SERVER_SEED, [b"", bytes(65_536)])


def test_the_order_of_seats_is_the_shuffle_of_its_label() -> None:
    assert order_of_seats(SEED, 5) == Stream(SEED, "0:seats").shuffle(range(5)) == (3, 0, 2, 1, 4)


def test_no_game_draws_the_seats() -> None:
    with pytest.raises(ChanceError, match="belongs to the match"):
        FairChance(SEED, 0).shuffle("seats", "ab")
    assert FairChance(SEED, 1).shuffle("seats", "ab")
