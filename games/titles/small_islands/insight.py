"""How a program plays Small Islands: it chooses what would pay most now, and lands when that is many points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.small_islands import GAME, hints
from games.titles.small_islands.bonus import token, uses
from games.titles.small_islands.notation import GREY, OWN, Action, Choose, Explore, Land, Settle
from games.titles.small_islands.objectives import Objective, objective_of
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.promise import TOKEN_WORTH, promise, worth
from games.titles.small_islands.scoring import ports_around
from games.titles.small_islands.state import NAVIGATION, Cards, State, Table
from games.titles.small_islands.tiles import SHIPS
from games.titles.small_islands.view import View

_WORTH_LANDING = (8, 9, 10, 10)
"""Land when the objective would bring this many points, by round: a short first round leaves others behind."""
_PLACES = 40
"""How many uses of a token to consider."""
_SPARE = 4
"""Land at the latest when this many tiles are left, besides those for the rounds to come."""
_WORTH_TOKEN = (4.0, 3.5, 2.5, 1.0)
"""Use a token when it promises this many more points, by round: at the end one that is left is worth nothing."""
_PORTS = 2
"""Land with the ship of one's own colour where there are so many Ports."""

explain = hints.explain
EFFORT = Effort(iterations=1, horizon=0, slips=2.1)
"""No search: in measured matches one of 12 and of 16 futures won less often than the best placement of all."""
_CONSIDERED, _OTHERS = 4, 16
"""How many ways to place a tile are worth a thought, and about how many of the others stand for all of them."""
_SURE = 16.0
"""A lead of so many points at the beginning wins three times in four; less of one does in the last round."""
_PROMISE = 0.6
"""What share of its present promise an objective is sure to bring."""


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return what the policy does, then landing, then other placements, the best and some of all the others."""
    view = GAME.view_for(state, seat)
    if view.table.phase == "choose":
        return [(choice,) for choice in _choices(view, seat)]
    if view.table.phase != "explore":
        return [(policy(state, seat, chance),)]
    ranked = _ranked_placements(view, seat)
    first = _turn(view, seat, chance, ranked) or next(iter(GAME.legal_actions(state, seat)))
    landings = [_landing(view, seat)] if view.ships and view.berths else []
    others = ranked[_CONSIDERED :: 1 + len(ranked) // _OTHERS]
    return [(action,) for action in dict.fromkeys((first, *landings, *ranked[:_CONSIDERED], *others))]


def suppose(view: View, chance: Chance) -> State:
    """Return a state in which the others keep the objectives that promise them most."""
    state = GAME.imagine(view, chance)
    if view.table.phase != "explore":
        return state
    kept = [
        own if seat == view.viewer or not own else _better(view.table, seat, own, aside)
        for seat, (own, aside) in enumerate(zip(state.kept, state.aside, strict=True))
    ]
    return _with_kept(state, kept)


def _better(table: Table, seat: int, *pairs: Cards) -> Cards:
    return max(pairs, key=lambda cards: promise(table, seat, objective_of(cards)))


def _with_kept(state: State, kept: Sequence[Cards]) -> State:
    """Return the state with these cards kept, those they take the place of being put aside."""
    aside = [before if now != before else put for now, before, put in zip(kept, state.kept, state.aside, strict=True)]
    return replace(state, kept=tuple(kept), aside=tuple(aside))


def _ranked_placements(view: View, seat: Seat) -> list[Explore]:
    """Return every placement, those after which the objective promises most first."""
    table, objective = view.table, objective_of(view.kept)
    worth = {option: promise(with_tile(table, option, seat), seat, objective) for option in _placements(view)}
    return sorted(worth, key=lambda option: -worth[option])


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its points and by what its objective promises."""
    scores = GAME.standing(state)
    values = [score + _expected(state, each) for each, score in enumerate(scores)]
    others = [value for each, value in enumerate(values) if each != seat]
    return odds((values[seat] - max(others, default=0.0)) * (0.5 + state.table.round / SHIPS) / _SURE)


def _expected(state: State, seat: int) -> float:
    """Return what the objective of a seat will bring: after a landing what it is worth, before it can still change."""
    table, kept = state.table, state.kept[seat]
    if not kept or table.phase not in {"explore", "reward"}:
        return 0.0
    if table.phase == "explore":
        return _PROMISE * promise(table, seat, objective_of(kept))
    return 0.0 if table.revealed[seat] else worth(table, seat, objective_of(kept))


def policy(state: State, seat: Seat, chance: Chance) -> Action:
    """Choose what promises most now, place tiles and tokens so that it promises more, and land when it pays well."""
    view = GAME.view_for(state, seat)
    match view.table.phase:
        case "choose":
            return _choices(view, seat)[0]
        case "explore":
            ranked = _ranked_placements(view, seat)
            return _turn(view, seat, chance, ranked) or next(iter(GAME.legal_actions(state, seat)))
        case "reward":
            return _best_settlement(view, seat)
        case _:
            starts = tuple(GAME.legal_actions(state, seat))
            return starts[chance.below("start", len(starts))]


def _choices(view: View, seat: Seat) -> list[Choose]:
    """Return the ways to keep cards, those that promise most now first, each with the best of the others put aside."""
    ranked = sorted(product(*view.dealt), key=lambda cards: -promise(view.table, seat, objective_of(cards)))
    return [Choose(kept, next(cards for cards in ranked if _differ(cards, kept))) for kept in ranked]


def _differ(cards: Cards, others: Cards) -> bool:
    return all(one != other for one, other in zip(cards, others, strict=True))


def _turn(view: View, seat: Seat, chance: Chance, ranked: Sequence[Explore]) -> Action | None:
    """Land when that pays well, else take the best place; None when there is none."""
    table, objective = view.table, objective_of(view.kept)
    hurry = view.reserve < NAVIGATION * (SHIPS - table.round) + _SPARE or not table.tiles_up
    if view.ships and view.berths and (hurry or worth(table, seat, objective) >= _WORTH_LANDING[table.round - 1]):
        return _landing(view, seat)
    return _with_token(table, ranked[0], seat, objective, chance) if ranked else None


def _landing(view: View, seat: Seat) -> Land:
    """Land with one's own ship where there are most Ports, unless these are few and there is a grey one."""
    cell = max(view.berths, key=lambda berth: ports_around(view.table, berth))
    own = view.ships == (OWN,) or (OWN in view.ships and ports_around(view.table, cell) >= _PORTS)
    return Land(OWN if own else GREY, cell)


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
    """Add the best of some uses of a token, if it promises enough points more."""
    table = with_tile(table, option, seat)
    least, best = promise(table, seat, objective) + _WORTH_TOKEN[table.round - 1], option
    found = uses(table.board, table.tokens, table.tokens_left(seat))
    for use in chance.shuffle("tokens", found)[:_PLACES]:
        laid = replace(table, tokens=(*table.tokens, token(seat, use, table.board)))
        if (now := promise(laid, seat, objective)) >= least:
            least, best = now, Explore(option.slot, option.tile, option.cell, option.turn, use)
    return best


def _best_settlement(view: View, seat: Seat) -> Settle:
    """Place Houses on the islands that pay most, as many as there are."""
    fit = [p for p in view.prospects if p.refusal is None and (p.points or p.tokens)]
    fit.sort(key=lambda p: -(p.points + TOKEN_WORTH * (p.tokens > 0)))
    return Settle(tuple(p.sites[0] for p in fit[: view.table.houses_in_hand(seat)]))
