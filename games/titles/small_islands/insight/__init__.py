"""How a program plays Small Islands: it chooses what would pay most now, and lands when that is many points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import ceil, sqrt
from operator import eq, itemgetter
from typing import Final

from games.engine import chances as model
from games.engine.chances import Features, Weights
from games.engine.dice import Dice
from games.engine.insight import Considered, Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.insight.course import WORTH_LANDING, hurry
from games.titles.small_islands.insight.gains import HOUSELESS, TOKEN_WORTH, gain
from games.titles.small_islands.insight.grandmaster import lead, options
from games.titles.small_islands.rules.components import SHIP_FACES, SHIPS, Objective, is_discovery, objective_of, points
from games.titles.small_islands.rules.exploration import laid_token, uses
from games.titles.small_islands.rules.islands import Placed, Site
from games.titles.small_islands.rules.notation import GREY, OWN, Action, Choose, Explore, Land, Settle
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.scoring import CARDS, ports_around, scores, tallies
from games.titles.small_islands.rules.state import ALEXIS, HOUSES, NAVIGATION, House, State, Table
from games.titles.small_islands.rules.view import View

__all__ = [
    "EFFORT",
    "candidates",
    "chances",
    "evaluate",
    "last_turn",
    "placements",
    "policy",
    "ponder",
    "promise",
    "suppose",
    "with_tile",
    "worth",
]

_PLACES = 40
"""How many uses of a token to consider."""
_WORTH_TOKEN = (4.0, 3.5, 2.5, 1.0)
"""Use a token when it promises this many more points, by round: at the end one that is left is worth nothing."""
_PORTS = 2
"""Land with the ship of one's own colour where there are at least this many Ports."""

EFFORT = Effort(iterations=1, horizon=0, slips=1.2, pondered=40)
"""Master does not search: in measured matches 12 and 16 futures won less often than the best placement of all."""
_CONSIDERED, _OTHERS = 4, 16
"""How many of the best placements are considered, and about how many are sampled from the others."""
_SURE = 16.0
"""The lead in points that wins three times in four if held at the beginning; in the last round less is enough."""
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
    """Return a state in which the others keep the objectives that promise them most, and put the rest aside."""
    state = GAME.imagine(view, chance)
    if view.table.phase != "explore":
        return state
    kept, aside = list(state.kept), list(state.aside)
    for seat, pair in enumerate(zip(state.kept, state.aside, strict=True)):
        if seat != view.viewer and pair[0]:
            kept[seat] = max(pair, key=lambda cards: promise(view.table, seat, objective_of(cards)))
            aside[seat] = pair[0] if kept[seat] != pair[0] else pair[1]
    return replace(state, kept=tuple(kept), aside=tuple(aside))


def _ranked_placements(view: View, seat: Seat) -> list[Explore]:
    """Return every placement, those after which the objective promises most first."""
    table, objective = view.table, objective_of(view.kept)
    worth = {option: promise(with_tile(table, option, seat), seat, objective) for option in placements(view)}
    return sorted(worth, key=lambda option: -worth[option])


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its points and by what its objective promises.

    After a landing an objective is worth what it brings, before it can still change.
    """
    table, values = state.table, list[float](GAME.standing(state))
    for each, kept in enumerate(state.kept):
        if kept and table.phase == "explore":
            values[each] += _PROMISE * promise(table, each, objective_of(kept))
        elif kept and table.phase == "reward" and not table.revealed[each]:
            values[each] += worth(table, each, objective_of(kept))
    others = [value for each, value in enumerate(values) if each != seat]
    return _chance_with(values[seat] - max(others, default=0.0), table)


def _chance_with(lead: float, table: Table) -> float:
    """Return how likely a lead in points wins."""
    return odds(lead * (0.5 + table.round / SHIPS) / _SURE)


def ponder(view: View, seat: Seat, dice: Dice, futures: int) -> list[Considered]:
    """Return what Grandmaster weighs; what the policy considers alone, for start tiles, and where nothing fits."""
    weighed = [] if view.table.solo else options(view, seat, dice, futures)
    if not weighed:
        return [Considered(plan, 0, 0.5) for plan in candidates(suppose(view, dice), seat, dice)]
    ahead = lead(scores(view.table, view.values), seat)
    return [
        Considered((option.action,), option.tries, _chance_with(ahead + option.merit, view.table)) for option in weighed
    ]


def last_turn(view: View, seat: Seat) -> Plan | None:
    """Return the settlement that ends the match with most points, and of those with most Houses, which break ties.

    What the others have does not change any more, so no result is better. None while discovery tokens may be drawn.
    """
    table = view.table
    if table.phase != "reward" or (seat + 1) % table.players != table.starter or not _is_last_round(view):
        return None
    fit = sorted((each for each in view.prospects if each.refusal is None), key=lambda each: -each.points)
    if any(each.tokens for each in fit):
        return None
    return (Settle(tuple(each.sites[0] for each in fit[: table.houses_in_hand(seat)])),)


def _is_last_round(view: View) -> bool:
    """Return whether the match ends after this Reward phase."""
    ships = sum(placed.face in SHIP_FACES for placed in view.table.board)
    return view.table.end is not None or ships == SHIPS or view.reserve < NAVIGATION


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
    others = (next(cards for cards in ranked if not any(map(eq, cards, kept))) for kept in ranked)
    return list(map(Choose, ranked, others))


def _turn(view: View, seat: Seat, chance: Chance, ranked: Sequence[Explore]) -> Action | None:
    """Land when that pays well, else take the best place; None when there is none."""
    table, objective = view.table, objective_of(view.kept)
    late = hurry(view.reserve, table.round) or not table.tiles_up
    if view.ships and view.berths and (late or worth(table, seat, objective) >= WORTH_LANDING[table.round - 1]):
        return _landing(view, seat)
    return _with_token(table, ranked[0], seat, objective, chance) if ranked else None


def _landing(view: View, seat: Seat) -> Land:
    """Land with one's own ship where there are most Ports, unless these are few and there is a grey one."""
    cell = max(view.berths, key=lambda berth: ports_around(view.table, berth))
    own = view.ships == (OWN,) or (OWN in view.ships and ports_around(view.table, cell) >= _PORTS)
    return Land(OWN if own else GREY, cell)


def placements(view: View) -> Iterator[Explore]:
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
        laid = replace(table, tokens=(*table.tokens, laid_token(seat, use, table.board)))
        if (now := promise(laid, seat, objective)) >= least:
            least, best = now, Explore(option.slot, option.tile, option.cell, option.turn, use)
    return best


def _best_settlement(view: View, seat: Seat) -> Settle:
    """Place Houses on the islands that pay most, as many as there are."""
    fit = [p for p in view.prospects if p.refusal is None and (p.points or p.tokens)]
    fit.sort(key=lambda p: -(p.points + TOKEN_WORTH * (p.tokens > 0)))
    return Settle(tuple(p.sites[0] for p in fit[: view.table.houses_in_hand(seat)]))


# --- what an objective is worth: the points it would bring now, and those it promises -------------------------------


def worth(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now."""
    return _sum(table, seat, objective, now=True)


def promise(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now, and some of what it would bring if a little were different."""
    return _sum(table, seat, objective, now=False)


def _sum(table: Table, seat: int, objective: Objective, *, now: bool) -> float:
    found, houses = table.islands, table.houses
    taken, own = {house.site for house in houses}, {house.site for house in houses if house.seat == seat}
    drawable = table.discovery_tokens_left > 0
    gains = []
    for island in found.all:
        brought = gain(objective, island.size, island.symbols, drawable, now)
        if brought and own.isdisjoint(island.sites):
            if any(found.symbols[site].house and site not in taken for site in island.sites):
                gains.append(brought)
            elif not now:
                gains.append(brought * HOUSELESS)
    gains.sort(reverse=True)
    return sum(gains[: table.houses_in_hand(seat)])


# --- how likely each seat is to end first, by the table and by all objectives -----------------------------------------

_HOPED: Final = 0.4
"""What share of its points an island is worth that does not fulfil the mission yet."""
_SETTLED, _OPEN = 0.15, 3.0
"""How uncertain a result is when only Houses are left to place; with objectives still to be chosen, its square is the
second number and 1 more for each choice to come.
"""
_CHOSEN, _CROWDED_CHOSEN = 1.4, 1.8
"""The same when the last objectives are known: of three others one more often catches up."""
_CROWDED: Final = 4
"""The number of seats with which the last objective counts apart."""


def turns_of_a_seat(seats: int) -> int:
    """Return how many turns a seat has, as measured with bots."""
    return ceil(63 / seats)


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first; alone, the chance to win."""
    return model.chances(features(state), WEIGHTS[state.table.seats])


def features(state: State) -> Features:
    """Return what counts for each seat, in points and Houses: the more, the fewer rounds are left."""
    table, due = _settled(state)
    totals = [tally.total for tally in tallies(state.table, state.values)]
    left = _rounds_to_come(state) + (table.phase != "reward")
    spread, found = _spread(table, left), []
    is_last = left == (table.phase == "explore")
    for seat in range(table.seats):
        objective = _promised_objective(state, seat)
        counts = {
            "points": totals[seat] + due[seat],
            "ship": table.own_ship_left(seat),
            "choice": _promised_choice(state, seat),
            "objective": objective,
            "houses": (HOUSES - table.houses_placed(seat)) * left,
        }
        if table.seats == _CROWDED:
            counts["last objective"] = objective * is_last
        if table.solo:
            rounds = {card: left * (card == table.alexis) for card in CARDS}  # he explores and lands in his own way
            counts = {**counts, "points": counts["points"] - totals[ALEXIS], **rounds}
        soon = 1 - (seat - table.turn) % table.players / (table.players - 1) if table.phase == "explore" else 0.0
        found.append({"soon": soon} | {name: count / spread for name, count in counts.items()})
    return found


def _rounds_to_come(state: State) -> int:
    """Return how many rounds there are at most after this one: each needs a ship, and tiles of the Reserve."""
    return 0 if state.table.end else min(SHIPS - state.table.round, state.reserve // NAVIGATION)


def _spread(table: Table, left: int) -> float:
    """Return how uncertain a result is with so many rounds left to explore."""
    choices = left - (table.phase == "explore")
    if choices:
        return sqrt(_OPEN + choices)
    if left:
        return _CROWDED_CHOSEN if table.seats == _CROWDED else _CHOSEN
    return _SETTLED


def _promised_choice(state: State, seat: int) -> float:
    """Return what the best objective promises that a seat can choose now."""
    if state.table.phase != "choose":
        return 0.0
    return max(sum(_pays(state.table, seat, objective_of(cards))) for cards in product(*state.dealt[seat]))


def _promised_objective(state: State, seat: int) -> float:
    """Return what the objective of the round promises a seat in the exploration."""
    exploring = state.table.phase == "explore"
    return sum(_pays(state.table, seat, objective_of(state.kept[seat]))) if exploring else 0.0


def _settled(state: State) -> tuple[Table, list[float]]:
    """Return the table after the Reward phase, if it is one, and what each seat then brings itself with its Houses.

    All take what pays most, in turn.
    """
    table, due = state.table, [0.0] * state.table.seats
    for seat in (*range(table.turn, table.seats), *range(table.turn)) if table.phase == "reward" else ():
        if seat < table.seats and not table.revealed[seat]:
            objective = objective_of(state.kept[seat])
            best = sorted(_payable(table, seat, objective), key=itemgetter(0), reverse=True)[
                : table.houses_in_hand(seat)
            ]
            due[seat] = sum(gain for gain, _ in best)
            houses = [House(seat, table.round, site, *objective, 0) for gain, site in best if gain]
            table = replace(table, houses=(*table.houses, *houses))
    return table, due


def _payable(table: Table, seat: int, objective: Objective) -> list[tuple[float, Site]]:
    found = (each for each in prospects(table, seat, objective) if each.refusal is None)
    return [(_house_points(objective, each), each.sites[0]) for each in found]


@lru_cache(maxsize=4096)
def _pays(table: Table, seat: int, objective: Objective) -> tuple[float, float]:
    """Return the points an objective brings as the islands lie, and what Houses left then may hope for."""
    found = prospects(table, seat, objective)
    now = [_house_points(objective, each) for each in found if each.refusal is None]
    later = [_house_points(objective, each) for each in found if each.refusal == "mission-not-fulfilled" and each.sites]
    houses = table.houses_in_hand(seat)
    hopes = sorted(later, reverse=True)[: max(0, houses - len(now))]
    return sum(sorted(now, reverse=True)[:houses]), _HOPED * sum(hopes)


def _house_points(objective: Objective, prospect: Prospect) -> float:
    """Return what a House brings on an island that fulfils the mission."""
    size, symbols = prospect.island.size, prospect.island.symbols
    return points(objective.reward, size, symbols) + TOKEN_WORTH * (
        is_discovery(objective.reward) and symbols.temple > 0
    )


WEIGHTS: Mapping[int, Weights] = {
    1: {
        "soon": 0.36,
        "points": 0.69,
        "ship": 1.05,
        "choice": 0.58,
        "objective": 0.23,
        "houses": 0.45,
        "morning": 1.98,
        "afternoon": 1.17,
        "night": 0.20,
    },
    2: {"soon": 0.15, "points": 0.42, "ship": 0.95, "choice": 0.33, "objective": 0.27, "houses": 0.62},
    3: {"soon": 0.17, "points": 0.48, "ship": 1.82, "choice": 0.52, "objective": 0.30, "houses": 0.52},
    4: {
        "soon": 0.17,
        "points": 0.42,
        "ship": 1.79,
        "choice": 0.24,
        "objective": 0.17,
        "houses": 0.55,
        "last objective": 0.10,
    },
}
"""By the number of seats.

They were fitted to matches between Masters, 300 of two, 100 of three, 2250 of four, and 150 of one:

    manage.py calibrate small-islands --seats 4 --matches 800 --tested 1450 --fit
"""
