"""Blunders planted in matches between bots, ten for each game: the review names them all.

Each kind says what a blunder looks like in what its player sees. Not every such action loses chances: those that are
planted do, as shows when the match is played on from there in imagined worlds, once with the blunder and once without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from statistics import fmean
from typing import Any, NamedTuple

import pytest

from games.engine import runner
from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import Seat
from games.review.found import in_points
from games.review.judge import WHOLE, AnyPlay, Change, Decision, Judge, decisions, takes_turns, telling
from games.titles import Title, titles
from games.titles.card_chess.insight import promising
from games.titles.card_chess.rules.capture import refusal
from games.titles.card_chess.rules.deck import CARDS, Play
from games.titles.card_chess.rules.view import View as Chess
from games.titles.shifting_stones.rules.notation import END, SKIP, Flip, Score
from games.titles.shifting_stones.rules.patterns import POINTS, grid_bits, lies_on
from games.titles.shifting_stones.rules.view import View as Stones
from games.titles.small_islands.insight import placements, promise, with_tile
from games.titles.small_islands.rules.components import objective_of
from games.titles.small_islands.rules.notation import Settle
from games.titles.small_islands.rules.view import View as Islands

MENTIONED = 3
"""From how many points of chance on a review mentions a decision."""
WORLDS = {"shifting-stones": 24, "card-chess": 24, "small-islands": 6}
"""In how many worlds a match is played on, with the blunder and without."""
LOST = 0.1
"""By how much it makes its player less likely to end first, at least."""

# --- kinds of blunders: what is done, by the view of who is to move; None where there is no occasion ------------------


def lying(view: Stones) -> list[int]:
    """Return the cards in hand that could be scored at once, the best first."""
    bits = grid_bits(view.grid)
    return sorted((card for card in view.hand if lies_on(card, bits)), key=lambda card: -POINTS[card])


def ends_without_scoring(view: Stones) -> Plan | None:
    return (END,) if lying(view) else None


def skips_without_scoring(view: Stones) -> Plan | None:
    return (SKIP,) if lying(view) else None


def pays_with_what_it_could_score(view: Stones) -> Plan | None:
    return (Flip(lying(view)[0], 4), END) if lying(view) else None


def throws_its_hand_away(view: Stones) -> Plan | None:
    return tuple(Flip(card, cell) for cell, card in enumerate(view.hand))


def overlooks_its_best_card(view: Stones) -> Plan | None:
    """Make the moves of the best turn, and forget to score what they were made for."""
    stones = titles()["shifting-stones"]
    state = stones.game.imagine(view, Dice(1))
    turn = stones.insight.candidates(state, Seat(view.mover), Dice(1))[0]
    scores = sorted((each for each in turn if isinstance(each, Score)), key=lambda each: -POINTS[each.card])
    left = tuple(each for each in turn if each not in scores[:1])
    if not scores:
        return None
    return left if END in left else (*left, END)


def captures(view: Chess, play: Play) -> int:
    pairs = zip(play.cards, view.table, strict=True)
    return sum(refusal(card, target, view.rulings) is None for card, target in pairs)


def ranked(view: Chess) -> list[Play]:
    """Return all plays, what promises most first."""
    return [each.play for each in promising(view.hand, view.table, view.rulings, view.seats)]


def gives_its_best_away(view: Chess) -> Plan | None:
    """Lay a king or a queen where it captures nothing: the play of all that promises least."""
    worst = ranked(view)[-1]
    vain = (card for card, target in zip(worst.cards, view.table, strict=True) if refusal(card, target, view.rulings))
    return (worst,) if any(CARDS[card].piece in {"king", "queen"} for card in vain) else None


def captures_nothing(view: Chess) -> Plan | None:
    plays = ranked(view)
    vain = [play for play in plays if not captures(view, play)]
    return (vain[-1],) if vain and captures(view, plays[0]) > 1 else None


def keeps_its_best_card(view: Chess) -> Plan | None:
    """Keep in the last turn, after which cards in hand are worth nothing, what could capture."""
    best = max(view.hand, key=lambda card: CARDS[card].points)
    without = [play for play in ranked(view) if best not in play.cards]
    return (without[-1],) if view.is_last_turn and without else None


def settles_nowhere(view: Islands) -> Plan | None:
    return (Settle(()),) if any(each.points for each in view.prospects) else None


def settles_where_least_is_paid(view: Islands) -> Plan | None:
    paid = [each for each in view.prospects if each.refusal is None and each.points]
    return (Settle((min(paid, key=lambda each: each.points).sites[0],)),) if len(paid) > 1 else None


def places_a_tile_where_it_harms(view: Islands) -> Plan | None:
    """Place the tile after which the objective promises least."""
    seat = Seat(view.viewer or 0)
    objective = objective_of(view.kept)
    return (min(placements(view), key=lambda option: promise(with_tile(view.table, option, seat), seat, objective)),)


# --- matches in which they are planted --------------------------------------------------------------------------------


class Planted(NamedTuple):
    """A blunder in a match: of what kind, in which deal, and after how many actions."""

    game: str
    kind: Callable[[Any], Plan | None]
    deal: int
    after: int

    def __str__(self) -> str:
        return f"{self.kind.__name__}-{self.deal}-{self.after}"

    @property
    def title(self) -> Title:
        return titles()[self.game]

    @property
    def seed(self) -> bytes:
        return sha256(f"{self.game} {self.deal}".encode()).digest()


PLANTED = (
    Planted("shifting-stones", ends_without_scoring, 2, 0),
    Planted("shifting-stones", ends_without_scoring, 7, 34),
    Planted("shifting-stones", skips_without_scoring, 5, 36),
    Planted("shifting-stones", skips_without_scoring, 6, 45),
    Planted("shifting-stones", pays_with_what_it_could_score, 1, 25),
    Planted("shifting-stones", pays_with_what_it_could_score, 4, 4),
    Planted("shifting-stones", throws_its_hand_away, 2, 32),
    Planted("shifting-stones", overlooks_its_best_card, 18, 48),
    Planted("shifting-stones", overlooks_its_best_card, 26, 44),
    Planted("shifting-stones", overlooks_its_best_card, 41, 3),
    Planted("card-chess", gives_its_best_away, 2, 30),
    Planted("card-chess", gives_its_best_away, 8, 17),
    Planted("card-chess", gives_its_best_away, 10, 13),
    Planted("card-chess", gives_its_best_away, 17, 52),
    Planted("card-chess", captures_nothing, 107, 53),
    Planted("card-chess", captures_nothing, 110, 31),
    Planted("card-chess", captures_nothing, 114, 46),
    Planted("card-chess", keeps_its_best_card, 14, 10),
    Planted("card-chess", keeps_its_best_card, 237, 52),
    Planted("card-chess", keeps_its_best_card, 243, 43),
    Planted("small-islands", settles_nowhere, 0, 55),
    Planted("small-islands", settles_nowhere, 3, 49),
    Planted("small-islands", settles_nowhere, 4, 51),
    Planted("small-islands", settles_nowhere, 6, 44),
    Planted("small-islands", settles_nowhere, 7, 65),
    Planted("small-islands", settles_where_least_is_paid, 1, 44),
    Planted("small-islands", settles_where_least_is_paid, 4, 52),
    Planted("small-islands", settles_where_least_is_paid, 6, 44),
    Planted("small-islands", settles_where_least_is_paid, 9, 49),
    Planted("small-islands", places_a_tile_where_it_harms, 20, 39),
)


def match_with(planted: Planted) -> list[AnyPlay]:
    """Return a match of two in which both do what the policy says, but for the blunder."""
    title, plan = planted.title, None
    plays: list[AnyPlay] = [runner.begin(title.game, 2, {}, planted.seed)]
    while plays[-1].outcome is None:
        before = plays[-1]
        seat = min(before.to_move)
        if before.number == planted.after:
            plan = planted.kind(title.game.view_for(before.state, seat))
            assert plan is not None, "There is no occasion for this blunder."
        step = before.number - planted.after
        if plan and 0 <= step < len(plan):
            action = plan[step]
        else:
            action = title.insight.policy(before.state, seat, Dice(before.number))
        plays.append(runner.act(title.game, before.position, seat, action, planted.seed))
    return plays


def played_on(title: Title, before: AnyPlay, seat: Seat, plan: Plan, world: int) -> float:
    """Return which share of the first place a seat has at the end of a match in an imagined world.

    Args:
        title: of the game.
        before: the position in which the seat decides.
        seat: whose plan is carried out first; everything after it, and what others do, is left to the policy.
        plan: empty, to leave that to the policy too.
        world: its number.
    """
    game, policy, dice = title.game, title.insight.policy, Dice(world)
    state = game.imagine(game.view_for(before.state, seat), dice)
    for action in plan:
        state = game.apply(state, seat, action, dice).state
    while (outcome := game.outcome(state)) is None:
        mover = min(game.to_move(state))
        state = game.apply(state, mover, policy(state, mover, dice), dice).state
    return (outcome.places[seat] == 1) / outcome.places.count(1)


def lost(title: Title, before: AnyPlay, seat: Seat, plan: Plan, worlds: int) -> float:
    """Return how much likelier a seat ends first if it leaves its decision to the policy."""
    return fmean(
        played_on(title, before, seat, (), world) - played_on(title, before, seat, plan, world)
        for world in range(worlds)
    )


def judged(judge: Judge, plays: Sequence[AnyPlay], decision: Decision) -> list[Change]:
    """Return what each action changed: those of a decision as a review finds it, any other as if all had been lost.

    So the decision is told for what it cost, not for its place among all; and little of the match has to be judged.
    """
    changes = [Change((0, 0), {Seat(0): (-WHOLE, WHOLE), Seat(1): (WHOLE, -WHOLE)})] * len(plays)
    for number in range(decision.first, decision.after + 1):
        _, changes[number] = judge.position(plays, number, (0, 0))
    return changes


def planted_in(planted: Planted, plays: Sequence[AnyPlay]) -> tuple[Decision, Sequence[Decision], Plan]:
    """Return the decision that is the blunder, all decisions of the match, and what was done."""
    title = planted.title
    decided = decisions(plays, takes_turns(title.insight, plays[0]))
    (found,) = (each for each in decided if each.first == planted.after + 1)
    return found, decided, tuple(title.game.parse(play.text) for play in plays[found.first : found.last + 1])


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_a_planted_blunder_is_named(planted: Planted) -> None:
    title, plays = planted.title, match_with(planted)
    blunder, decided, plan = planted_in(planted, plays)
    before = plays[blunder.begun]
    assert lost(title, before, blunder.seat, plan, WORLDS[planted.game]) >= LOST
    judge = Judge(title.game, title.insight, planted.seed)
    assert blunder in telling(decided, judged(judge, plays, blunder))
    better, cost = judge.weigh(before, blunder.seat, plan)
    assert in_points(cost) >= MENTIONED
    assert better != plan
