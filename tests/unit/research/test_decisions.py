"""Matches in decisions: exactly what the rules allow can be said, each action in one way, and copies are apart."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import pairwise

import pytest

from games.engine.contract.playouts import Chooser, option_combinations, random_match
from games.engine.fair import FairChance
from games.engine.protocol import Options, Seat
from games.research.decisions import Match, language_of
from games.titles import games, title_of

SEED = bytes(range(32))
TOLD = [slug for slug in games() if title_of(slug).tensors]
SETTINGS = [(slug, seats) for slug in TOLD for seats in games()[slug].seats]


def options_of(slug: str, seats: int) -> Options:
    return option_combinations(games()[slug], seats)[-1]


def test_all_three_games_are_told_in_numbers() -> None:
    assert {"card-chess", "shifting-stones", "small-islands"} <= {*TOLD}
    with pytest.raises(LookupError, match="“chess”"):
        language_of("chess")


@pytest.mark.parametrize("slug", TOLD)
def test_no_word_occurs_twice(slug: str) -> None:
    words = language_of(slug).words
    assert len({*words}) == len(words)


@pytest.mark.parametrize(("slug", "seats"), SETTINGS)
def test_each_legal_action_has_its_own_spelling_and_none_begins_with_another(slug: str, seats: int) -> None:
    game, language = games()[slug], language_of(slug)
    for play in random_match(game, seats, options_of(slug, seats), SEED, Chooser(SEED)).sample()[::3]:
        for seat in play.to_move:
            legal = {*game.legal_actions(play.state, seat)}
            spelled = language.actions(play.state, seat)
            assert {*spelled.values()} == legal
            assert len(spelled) == len(legal)
            assert not any(later[: len(one)] == one for one, later in pairwise(sorted(spelled)))


@pytest.mark.parametrize(("slug", "seats"), SETTINGS)
def test_a_match_at_random_ends_and_every_view_has_as_many_numbers(slug: str, seats: int) -> None:
    match, chooser, lengths = Match(slug, seats, options_of(slug, seats), SEED), Chooser(SEED), set[int]()
    for number in range(10_000):
        deciding = match.deciding
        if not deciding:
            break
        if number % 20 == 0:
            seen = match.observed(deciding[0])
            lengths.add(len(seen))
            assert min(seen) >= 0
            assert max(seen) <= 1
        for seat in deciding:
            match.decide(seat, chooser.pick(match.choices(seat)))
    assert match.play.outcome is not None
    assert len(lengths) == 1
    if seats > 1:
        assert sum(match.returns) == pytest.approx(0)
        assert max(match.returns) > 0


@pytest.mark.parametrize("slug", TOLD)
def test_what_a_seat_sees_depends_on_its_view_alone(slug: str) -> None:
    game, tensors = games()[slug], title_of(slug).tensors
    assert tensors is not None
    for play in random_match(game, 2, options_of(slug, 2), SEED, Chooser(SEED)).sample()[::4]:
        view = game.view_for(play.state, Seat(1))
        imagined = game.imagine(view, FairChance(SEED, play.number))
        assert tensors.observed(game.view_for(imagined, Seat(1))) == tensors.observed(view)


def test_words_that_are_no_choice_say_themselves() -> None:
    match = Match("small-islands", 2, {}, SEED)
    while match.is_sealed:
        for seat in match.deciding:
            match.decide(seat, match.choices(seat)[0])
    words = match.language.words
    (seat,) = match.deciding
    assert [words[number] for number in match.choices(seat)] == ["explore"], "nobody can land yet"
    match.decide(seat, match.choices(seat)[0])
    assert match.said(seat) == (words.index("explore"),)
    assert len(match.choices(seat)) > 1


def test_nothing_else_can_be_said() -> None:
    match = Match("card-chess", 2, {}, SEED)
    choices = match.choices(Seat(0))
    other = next(number for number in range(len(match.language.words)) if number not in choices)
    with pytest.raises(ValueError, match="may not say"):
        match.decide(Seat(0), other)
    stones = Match("shifting-stones", 2, {}, SEED)
    with pytest.raises(ValueError, match="may not say"):
        stones.decide(Seat(1), stones.choices(Seat(0))[0])


def test_a_copy_and_a_pickle_go_their_own_way() -> None:
    match = Match("card-chess", 2, {}, SEED)
    match.decide(Seat(0), match.choices(Seat(0))[0])
    for other in (deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert other.said(Seat(0)) == match.said(Seat(0))
        other.decide(Seat(0), other.choices(Seat(0))[0])
        assert len(other.said(Seat(0))) == 2
        assert len(match.said(Seat(0))) == 1
