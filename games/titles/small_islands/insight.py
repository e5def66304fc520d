"""How a program plays Small Islands: it chooses what would pay most now, and lands when that is many points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.bonus import token, uses
from games.titles.small_islands.notation import Action, Choose, Explore, Land, Settle
from games.titles.small_islands.objectives import Objective, objective_of
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.reward import prospects
from games.titles.small_islands.state import NAVIGATION, State, Table
from games.titles.small_islands.tiles import SHIPS
from games.titles.small_islands.view import View

_TOKEN_WORTH = 5.5
"""What a discovery token is worth on average when two are drawn."""
_WORTH_LANDING = 9
"""Land when the objective would bring this many points."""
_PLACES = 40
"""How many places to consider for a tile, and for a token."""
_SPARE = 4
"""Land at the latest when this many tiles are left, besides those for the rounds to come."""
_WORTH_TOKEN = 4
"""Use a token when it brings this many more points."""

EFFORT = Effort(iterations=60, horizon=2)
_CONSIDERED = 6
"""How many ways to place a tile are worth a thought."""
_SURE = 16.0
"""A lead of so many points at the beginning wins three times in four; less of one does in the last round."""
_PROMISE = 0.5
"""What share of its present worth an objective is sure to bring."""


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return what the policy does, then the best of some other placements, and landing."""
    first = policy(state, seat, chance)
    view = GAME.view_for(state, seat)
    if view.table.phase != "explore":
        return [(first,)]
    landings = [Land(view.ships[-1], berth) for berth in view.berths[:1]] if view.ships else []
    placements = _ranked_placements(view, seat, chance)[:_CONSIDERED]
    return [(action,) for action in dict.fromkeys((first, *landings, *placements))]


def _ranked_placements(view: View, seat: Seat, chance: Chance) -> list[Explore]:
    """Return some placements, those after which the objective would pay most first."""
    table, objective = view.table, objective_of(view.kept)
    options = chance.shuffle("considered", list(_placements(view)))[:_PLACES]
    return sorted(options, key=lambda option: -_worth(with_tile(table, option, seat), seat, objective))


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its points and by what its objective would bring."""
    scores = GAME.standing(state)
    values = [score + _PROMISE * _expected(state, Seat(each)) for each, score in enumerate(scores)]
    others = [value for each, value in enumerate(values) if each != seat]
    table = GAME.view_for(state, seat).table
    return odds((values[seat] - max(others, default=0.0)) * (0.5 + table.round / SHIPS) / _SURE)


def _expected(state: State, seat: Seat) -> float:
    view = GAME.view_for(state, seat)
    return _worth(view.table, seat, objective_of(view.kept)) if view.kept and view.table.phase == "explore" else 0.0


def policy(state: State, seat: Seat, chance: Chance) -> Action:
    """Choose what would pay most now, place tiles and tokens so that it pays more, and land when it pays well."""
    view = GAME.view_for(state, seat)
    match view.table.phase:
        case "choose":
            return _best_choice(view, seat)
        case "explore":
            return _best_turn(view, seat, chance) or next(iter(GAME.legal_actions(state, seat)))
        case "reward":
            return _best_settlement(view, seat)
        case _:
            starts = tuple(GAME.legal_actions(state, seat))
            return starts[chance.below("start", len(starts))]


def _worth(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now."""
    found = sorted((p.points + _TOKEN_WORTH * (p.tokens > 0) for p in prospects(table, seat, objective)), reverse=True)
    return sum(found[: table.houses_in_hand(seat)])


def _best_choice(view: View, seat: Seat) -> Choose:
    """Keep the cards that would pay most now, and put the best of the others aside."""
    ranked = sorted(product(*view.dealt), key=lambda cards: -_worth(view.table, seat, objective_of(cards)))
    kept = ranked[0]
    others = (cards for cards in ranked if all(one != other for one, other in zip(cards, kept, strict=True)))
    return Choose(kept, next(others))


def _best_turn(view: View, seat: Seat, chance: Chance) -> Action | None:
    """Land when that pays well, else take the best of some places; None when there is none."""
    table, objective = view.table, objective_of(view.kept)
    now = _worth(table, seat, objective)
    hurry = view.reserve < NAVIGATION * (SHIPS - table.round) + _SPARE or not table.tiles_up
    if view.ships and view.berths and (now >= _WORTH_LANDING or hurry):
        return Land(view.ships[-1], view.berths[chance.below("berth", len(view.berths))])
    options = chance.shuffle("places", list(_placements(view)))[:_PLACES]
    best = max(options, key=lambda option: _worth(with_tile(table, option, seat), seat, objective), default=None)
    return best and _with_token(table, best, seat, objective, chance)


def _placements(view: View) -> Iterator[Explore]:
    """Yield every way to place a tile, each from one slot."""
    if not view.table.tiles_up:
        return
    row = {tile: slot for slot, tile in enumerate(view.table.row, start=1) if tile is not None}
    for tile, spots in view.spots.items():
        slot = row.get(tile, min(row.values()))
        yield from (Explore(slot, tile, cell, turn) for cell, turn in spots)


def with_tile(table: Table, option: Explore, seat: int) -> Table:
    """Return the table after a tile has been placed."""
    return replace(table, board=(*table.board, Placed(str(option.tile), option.cell, option.turn, seat)))


def _with_token(table: Table, option: Explore, seat: int, objective: Objective, chance: Chance) -> Explore:
    """Add the best of some uses of a token, if it brings enough points more."""
    table = with_tile(table, option, seat)
    now, best = _worth(table, seat, objective), option
    found = uses(table.board, table.tokens, table.tokens_left(seat))
    for use in chance.shuffle("tokens", found)[:_PLACES]:
        laid = replace(table, tokens=(*table.tokens, token(seat, use, table.board)))
        if _worth(laid, seat, objective) >= now + _WORTH_TOKEN:
            now, best = _worth(laid, seat, objective), Explore(option.slot, option.tile, option.cell, option.turn, use)
    return best


def _best_settlement(view: View, seat: Seat) -> Settle:
    """Place Houses on the islands that pay most, as many as there are."""
    fit = [p for p in view.prospects if p.refusal is None and (p.points or p.tokens)]
    fit.sort(key=lambda p: -(p.points + _TOKEN_WORTH * (p.tokens > 0)))
    return Settle(tuple(p.sites[0] for p in fit[: view.table.houses_in_hand(seat)]))
