"""How Grandmaster plays Small Islands: what it gains weighs against what the others gain.

The others play for what they probably hold (`beliefs`). A place for a tile is good when it raises what one may gain,
lowers what they may, and suits the tiles that stay in hand (`Scales`). The best places, with and without a bonus token,
and the best berths are then tried in worlds that could be the true one, each played to the end of the round (`Course`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, product
from math import exp
from operator import attrgetter, eq
from typing import TypeAlias

from games.engine.dice import Dice
from games.titles.small_islands.insight.charts import Chart, chart_of, extend
from games.titles.small_islands.insight.course import DENIAL, FUTURE, TOKEN_KEPT, Course, lay, near_ships
from games.titles.small_islands.insight.gains import Expected, Place, Scales, Stake, anything, gained, gains, weight_of
from games.titles.small_islands.rules.components import SHIP_FACES, START_TILES, Cell, Objective, decks, objective_of
from games.titles.small_islands.rules.exploration import uses, uses_on
from games.titles.small_islands.rules.islands import Placed
from games.titles.small_islands.rules.notation import (
    ANY,
    OWN,
    Action,
    Choose,
    Explore,
    Land,
    PortToken,
    ResourceToken,
    Settle,
    TokenUse,
)
from games.titles.small_islands.rules.state import HOUSES_IN_HAND, State, Table
from games.titles.small_islands.rules.view import View, imagine

_PLACES, _TRIED = 10, 6
"""How many places for a tile are weighed closely, and how many of them tried in worlds."""
_WITH_TOKEN = 3
"""With how many of the best places a bonus token is weighed."""
_FOLLOWING, _SECOND = 0.4, 0.2
"""How much it counts what the best tile in hand would bring in the next turn, and what share of that the other one."""
_NOW = 0.5
"""What share it counts in a round what islands promise for the rounds to come."""
_ASIDE = 0.15
"""How much the objective counts that is put aside."""
_WORLDS = 4
"""In how many worlds options are tried before the worse third of them is dropped."""
_PRIOR = 4
"""How many worlds it takes for what they show to count as much as what was weighed before."""
_SEEDS = 1 << 62


@dataclass(slots=True)
class Option:
    """Something to do.

    Args:
        action: what.
        weight: what speaks for it, in points, before it is tried.
        lead: of how many points ahead of the others it left the seat at the end of the round, in all worlds together.
        tries: in how many worlds.
    """

    action: Action
    weight: float
    lead: float = 0.0
    tries: int = 0

    @property
    def merit(self) -> float:
        """How far it leaves the seat ahead on average, in points; the less it was tried, the more its weight counts."""
        return self.lead / max(1, self.tries) + self.weight * _PRIOR / (_PRIOR + self.tries)


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat that is to move sees, and what it makes of that.

    Args:
        view: of the seat.
        seat: to move.
        chart: the map.
        held: what the others probably play for.
    """

    view: View
    seat: int
    chart: Chart
    held: Mapping[int, Chances]

    @property
    def table(self) -> Table:
        return self.view.table

    @property
    def up(self) -> list[int]:
        """The face-up tiles."""
        return _face_up(self.table)

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles that may be placed."""
        return (*self.view.hand, *self.up)


_weight, _merit = attrgetter("weight"), attrgetter("merit")


def options(view: View, seat: int, dice: Dice, futures: int) -> list[Option]:
    """Return what a seat of several should do, the best first; empty if there is nothing to weigh.

    Args:
        view: of the seat.
        seat: to move.
        dice: for everything that is imagined.
        futures: how many courses of the round are imagined.
    """
    if view.table.phase not in {"choose", "explore", "reward"}:
        return []
    position = Position(view, seat, chart_of(view.table), beliefs(view))
    match view.table.phase:
        case "choose":
            return _tried(position, _choices(view, seat), dice, futures)
        case "explore":
            return _tried(position, [*_explorations(position)[:_TRIED], *_landings(position)], dice, futures)
        case _:
            return _settlements(position)


# --- choosing an objective --------------------------------------------------------------------------------------------

_LAID = 3
"""How many tiles a seat lays in the time that an objective is thought of."""


def _choices(view: View, seat: int) -> list[Option]:
    """Weigh what to keep and put aside by how far the tiles at hand can take it."""
    reached = {cards: reach(view, seat, objective_of(cards)) for cards in product(*view.dealt)}
    found = []
    for keep, promise in reached.items():
        others = (cards for cards in reached if not any(map(eq, cards, keep)))
        aside = max(others, key=reached.__getitem__)
        found.append(Option(Choose(keep, aside), promise + _ASIDE * reached[aside]))
    return _level(sorted(found, key=_weight, reverse=True)[:_TRIED])


def reach(view: View, seat: int, objective: Objective) -> float:
    """Return what an objective promises when the best of the tiles in hand and face up have been laid for it."""
    table, chart = view.table, chart_of(view.table)
    stakes = (Stake(seat, gains(objective, _drawable(table), now=False), table.houses_in_hand(seat), 1.0),)
    tiles = [*view.hand, *_face_up(table)]
    for _ in range(_LAID):
        best = max(Scales(chart, stakes, {}).places(tiles), key=weight_of, default=None)
        if best is not None:
            _, tile, cell, turns = best
            tiles.remove(tile)
            chart.place(str(tile), cell, turns[0])
    return Scales(chart, stakes, {}).total


# --- exploring and landing --------------------------------------------------------------------------------------------


def _explorations(position: Position) -> list[Option]:
    """Return good ways to explore, the best first."""
    if not position.up:
        return []
    chart, stakes = position.chart, _stakes(position)
    places = Scales(chart, stakes, near_ships(chart, position.seat, position.table.seats)).places(position.tiles)
    ranked = sorted(places, key=weight_of, reverse=True)[:_PLACES]
    found = sorted((_followed(position, stakes, place) for place in ranked), key=_weight, reverse=True)
    found += [better for option in found[:_WITH_TOKEN] for better in _with_token(position, stakes, option)]
    return _level(sorted(found, key=_weight, reverse=True))


def _stakes(position: Position) -> list[Stake]:
    """Return what everybody may gain in this round and after it, as a seat sees it."""
    table, seat, held, drawable = position.table, position.seat, position.held, _drawable(position.table)
    later, share = anything(table.advanced, drawable), _NOW * FUTURE[table.round - 1]
    own, houses = gains(objective_of(position.view.kept), drawable, now=False), table.houses_in_hand(seat)
    stakes = [Stake(seat, own, houses, 1.0), Stake(seat, later, houses, share)]
    for other, chances in held.items():
        houses, weight = table.houses_in_hand(other), -DENIAL / len(held)
        stakes.append(Stake(other, Expected(chances, drawable, now=False), houses, weight))
        stakes.append(Stake(other, later, houses, weight * share))
    return stakes


def _followed(position: Position, stakes: Sequence[Stake], place: Place) -> Option:
    """Return how to place a tile so that the best can follow: how to turn it, and which face-up tile to take."""
    hand, up, found = position.view.hand, position.up, []
    weight, tile, cell, turns = place
    for turn in turns:
        after = position.chart.copy()
        after.place(str(tile), cell, turn)
        scales = Scales(after, stakes[:2], {})
        best = dict.fromkeys(position.tiles, scales.total)
        for then, following, _, _ in scales.places([other for other in best if other != tile]):
            best[following] = max(best[following], then)
        for taken in [tile] if tile in up else up:
            hopes = sorted(best[other] - scales.total for other in (*hand, taken) if other != tile)
            slot, hope = position.table.row.index(taken) + 1, hopes[-1] + _SECOND * hopes[-2]
            found.append(Option(Explore(slot, tile, cell, turn), weight + _FOLLOWING * hope))
    return max(found, key=_weight)


def _with_token(position: Position, stakes: Sequence[Stake], option: Option) -> Iterator[Option]:
    """Yield an option with the bonus token that brings most, if one brings anything."""
    action, table = option.action, position.table
    if not isinstance(action, Explore):
        return
    after, worth = position.chart.copy(), dict[TokenUse, float]()
    after.place(str(action.tile), action.cell, action.turn)
    near, before = near_ships(after, position.seat, table.seats), Scales(after, stakes, {}).total
    for use in _telling_uses(table, after, action, near):
        changed = after.copy()
        lay(changed, table.board, action, use)
        port = near.get(use.cell, 0.0) if isinstance(use, PortToken) else 0.0
        worth[use] = Scales(changed, stakes, {}).total + port - before
    best = max(worth, key=worth.__getitem__, default=None)
    if best is not None and worth[best] > 0:
        weight = option.weight + worth[best] - TOKEN_KEPT[table.round - 1]
        yield Option(Explore(action.slot, action.tile, action.cell, action.turn, best), weight)


def _telling_uses(table: Table, chart: Chart, action: Explore, near: Mapping[Cell, float]) -> list[TokenUse]:
    """Return one use of a token for each change that it can make to an island or to the Ports beside a ship.

    The token that can be every resource is kept as long as another one does.
    """
    left = table.tokens_left(table.turn)
    placed = Placed(str(action.tile), action.cell, action.turn, table.turn)
    found: dict[tuple[object, ...], TokenUse] = {}
    for use in (*uses(table.board, table.tokens, left), *uses_on(placed, (), left)):
        if isinstance(use, ResourceToken):
            change: tuple[object, ...] = chart.number(use.site), use.shows, use.over
        else:
            change = use.cell in near, use.cell if use.cell in near else _coast(chart, table, placed, use)
        if change not in found or found[change].name == ANY:
            found[change] = use
    return list(found.values())


def _coast(chart: Chart, table: Table, last: Placed, use: PortToken) -> int:
    """Return the island on whose coast a Port would be."""
    placed = last if use.cell == last.cell else table.placement.at[use.cell]
    return chart.number((use.cell, placed.lying.coasts[use.side]))


def _landings(position: Position) -> list[Option]:
    """Return where to land: where most Ports are, which with a grey ship the others then do not have around theirs."""
    chart, ships = position.chart, position.view.ships
    berths = sorted(chart.berths(), key=chart.ports_around, reverse=True) if ships else []
    return [Option(Land(ship, cell), 0.0) for ship in ships for cell in berths[: 2 if ship == OWN else 1]]


# --- trying options ---------------------------------------------------------------------------------------------------


def _level(found: list[Option]) -> list[Option]:
    """Return the options with what they weigh compared with the best."""
    most = found[0].weight if found else 0.0
    for option in found:
        option.weight -= most
    return found


def _tried(position: Position, found: list[Option], dice: Dice, futures: int) -> list[Option]:
    """Try options in the same worlds, so that luck favours none, the better ones in more; return the best first."""
    left = found
    while len(left) > 1 and futures >= len(left):
        for _ in range(min(_WORLDS, futures // len(left))):
            state, seed = imagine(position.view, dice), dice.below("future", _SEEDS)
            held = {other: drawn(chances, dice) for other, chances in position.held.items()}
            for option in left:
                option.lead += _lead_after(position, option.action, state, held, Dice(seed))
                option.tries += 1
            futures -= len(left)
        left = sorted(left, key=_merit, reverse=True)[: max(2, (2 * len(left) + 2) // 3)]
    return sorted(found, key=lambda option: (option.tries, option.merit), reverse=True)


def _lead_after(position: Position, action: Action, state: State, held: Mapping[int, Objective], dice: Dice) -> float:
    """Return how far a seat is ahead after an action and the rest of the round, not counting points it had before."""
    seat, table = position.seat, position.table
    own = objective_of(action.keep if isinstance(action, Choose) else position.view.kept)
    course = Course(state, position.chart.copy(), [held.get(each, own) for each in range(table.seats)], dice)
    course.begin_with(action)
    if not isinstance(action, Land):
        course.play_on()
    course.settle()
    standing = course.standing()
    if isinstance(action, Explore) and action.token is not None:
        standing[seat] -= TOKEN_KEPT[table.round - 1]
    return lead(standing, seat)


def lead(standing: Sequence[float], seat: int) -> float:
    """Return how far a seat is ahead: halfway between its lead over the best of the others and over their average."""
    others = [points for other, points in enumerate(standing) if other != seat]
    return standing[seat] - (max(others) + sum(others) / len(others)) / 2


# --- settling ---------------------------------------------------------------------------------------------------------


def _settlements(position: Position) -> list[Option]:
    """Weigh every set of islands: what it brings, leaves for later, and takes from the others."""
    view, seat, table = position.view, position.seat, position.table
    fit = [prospect for prospect in view.prospects if prospect.refusal is None]
    own, worth_keeping = gains(objective_of(view.kept), _drawable(table), now=True), _worth_keeping(position)
    found = []
    for count in range(min(table.houses_in_hand(seat), len(fit)) + 1):
        for chosen in combinations(fit, count):
            after, brought = position.chart.copy(), 0.0
            for prospect in chosen:
                island = after.number(prospect.sites[0])
                brought += own[after.land[island]]
                after.settle(island, seat)
            sites = (prospect.sites[0] for prospect in sorted(chosen, key=lambda prospect: -prospect.tokens))
            found.append(Option(Settle(tuple(sites)), brought + worth_keeping(after, count)))
    return sorted(found, key=_weight, reverse=True)


def _worth_keeping(position: Position) -> Callable[[Chart, int], float]:
    """Return what weighs a map after some Houses of a seat: what it may gain later, and the others now and later."""
    table, seat, held, drawable = position.table, position.seat, position.held, _drawable(position.table)
    order = [(table.starter + number) % table.seats for number in range(table.seats)]
    waiting = {other: Expected(held[other], drawable, now=True) for other in order[order.index(seat) + 1 :]}
    later, share, weight = anything(table.advanced, drawable), FUTURE[table.round - 1], -1 / (table.seats - 1)

    def weigh(chart: Chart, houses: int) -> float:
        left = min(HOUSES_IN_HAND, table.houses_in_hand(seat) + table.houses_in_reserve(seat) - houses)
        total = share * gained(chart, seat, later, left)
        for other in held:
            in_hand = table.houses_in_hand(other)
            total += weight * share * gained(chart, other, later, in_hand)
            if other in waiting:
                total += weight * gained(chart, other, waiting[other], in_hand)
        return total

    return weigh


def _drawable(table: Table) -> bool:
    return table.discovery_tokens_left > 0


def _face_up(table: Table) -> list[int]:
    return [tile for tile in table.row if tile is not None]


# --- what the others probably play for, from what everybody sees ------------------------------------------------------

Chances: TypeAlias = Mapping[Objective, float]
"""How likely each objective is; together 1."""

_CHOICE = 2.0
"""An objective is kept for being better than two others: its share of lesser ones to this power."""
_STRAY = 0.02
"""What is added for seats that keep another one."""
_INTENT, _MOST = 0.5, 4.0
"""How much a point tells that a tile added to what an objective promises, and how many points tell more."""


def beliefs(view: View) -> dict[int, Chances]:
    """Return for each other seat how likely each objective is.

    It is likelier the more it promised when it was chosen, and the more the seat's tiles have done for it since.
    """
    table, objectives = view.table, _possible(view)
    began = _beginning(table)
    chart = chart_of(table, began)
    likely = {
        seat: _when_chosen(_promises(chart, table, seat, objectives))
        for seat in range(table.seats)
        if seat != view.viewer
    }
    for number in range(began, len(table.board)):
        seat = table.board[number].seat
        if seat is None or seat not in likely:
            extend(chart, table, number)
            continue
        before = _promises(chart, table, seat, objectives)
        extend(chart, table, number)
        after = _promises(chart, table, seat, objectives)
        likely[seat] = [
            chance * exp(_INTENT * max(-_MOST, min(_MOST, then - now)))
            for chance, now, then in zip(likely[seat], before, after, strict=True)
        ]
    return {seat: dict(zip(objectives, _shares(chances), strict=True)) for seat, chances in likely.items()}


def _possible(view: View) -> list[Objective]:
    """Return what the others may play for: with cards that the viewer has not, and that nobody has revealed."""
    unseen = []
    for index, deck in enumerate(decks(view.table.advanced).values()):
        seen = {*view.dealt[index]}
        if view.table.phase == "reward":
            seen |= {cards[index] for cards in view.table.revealed if cards}
        unseen.append([card for card in deck if card not in seen])
    return [objective_of(cards) for cards in product(*unseen)]


def _beginning(table: Table) -> int:
    """Return how many tiles lay there when the round began: every round before it ended with a ship."""
    ships = [number for number, placed in enumerate(table.board, start=1) if placed.face in SHIP_FACES]
    return ships[table.round - 2] if table.round > 1 else len(START_TILES)


def _promises(chart: Chart, table: Table, seat: int, objectives: Sequence[Objective]) -> list[float]:
    """Return what each objective promises a seat."""
    drawable, houses = table.discovery_tokens_left > 0, table.houses_in_hand(seat)
    return [gained(chart, seat, gains(each, drawable, now=False), houses) for each in objectives]


def _when_chosen(promises: Sequence[float]) -> list[float]:
    """Return how likely it is that each objective was kept, up to a factor."""
    ranked, count = sorted(promises), len(promises)
    middles = [(bisect_left(ranked, promise) + bisect_right(ranked, promise)) / 2 / count for promise in promises]
    return [middle**_CHOICE + _STRAY for middle in middles]


def _shares(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]


def drawn(chances: Chances, dice: Dice) -> Objective:
    """Return one of the objectives, likelier ones more often."""
    objectives, up_to = tuple(chances), tuple(accumulate(chances.values()))
    return objectives[min(bisect_right(up_to, dice.fraction()), len(objectives) - 1)]
