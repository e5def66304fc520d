"""A round played on quickly to its end, in a world that could be the true one."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.dice import Dice
from games.titles.small_islands.insight.charts import Chart, around
from games.titles.small_islands.insight.gains import Place, Scales, Stake, anything, gained, gains, weight_of
from games.titles.small_islands.rules.components import FACES, SHIPS, Cell, Objective
from games.titles.small_islands.rules.islands import Board
from games.titles.small_islands.rules.notation import OWN, Action, Explore, Land, ResourceToken, TokenUse
from games.titles.small_islands.rules.state import NAVIGATION, State

FUTURE = (0.6, 0.5, 0.4, 0.0)
"""What share of what any objective promises a seat brings in after the round, by round."""
SHIP_KEPT = (2.5, 2.0, 1.5, 0.0)
"""What the ship of one's own colour will bring that has not been placed, by round."""
_SHIP_GROWS = 0.4
"""How many Ports come to lie beside a placed ship in each round after this one."""
TOKEN_KEPT = (1.4, 1.1, 0.8, 0.0)
"""What a bonus token will bring that has not been used, by round."""
WORTH_LANDING = (8, 9, 10, 10)
"""Land when the objective would bring this many points, by round: a short first round leaves others behind."""
SPARE = 4
"""Land at the latest when this many tiles are left, besides those for the rounds to come."""
_PORTS = 2
"""Land with the ship of one's own colour where there are at least this many Ports."""
_WORTH_A_HOUSE = 1.0
"""Place no House for less."""


def hurry(reserve: int, number: int) -> bool:
    """Return whether one should land so that tiles are left for the rounds to come."""
    return reserve < NAVIGATION * (SHIPS - number) + SPARE


class Course:
    """An exploration that goes on, and the Reward phase after it; every seat plays for an objective.

    Seats place tiles where their objective then promises most, lay no tokens, and land as Master does.

    Args:
        state: a state that could be the true one, in the exploration or just before it.
        chart: its map, which changes.
        objectives: of each seat.
        dice: for what does not matter to a seat.
    """

    def __init__(self, state: State, chart: Chart, objectives: Sequence[Objective], dice: Dice) -> None:
        table = state.table
        self._chart, self._dice, self._table = chart, dice, table
        self._turn, self._navigation, self._grey = table.turn, table.navigation, table.grey_ships_left
        self._deck, self._row = list(state.deck), list(table.row)
        self._hands = [list(hand) for hand in state.hands]
        self._drawable = table.discovery_tokens_left > 0
        self._promises = [gains(each, self._drawable, now=False) for each in objectives]
        self._gains = [gains(each, self._drawable, now=True) for each in objectives]
        self._houses = [table.houses_in_hand(seat) for seat in range(table.seats)]
        self._own = [table.own_ship_left(seat) for seat in range(table.seats)]
        self._won = [0.0] * table.seats

    def begin_with(self, action: Action) -> None:
        """Let the seat whose turn it is explore or land; the ship's own cell does not matter to the Reward phase."""
        if isinstance(action, Land):
            if action.ship == OWN:
                self._chart.ships[self._turn] = action.cell
        elif isinstance(action, Explore):
            self._place(action.slot - 1, action.tile, action.cell, action.turn)
            if action.token is not None:
                lay(self._chart, self._table.board, action, action.token)

    def play_on(self) -> None:
        """Explore until a seat lands, or has neither a tile nor a ship; who can place no tile lands at once."""
        while True:
            seat, up = self._turn, [tile for tile in self._row if tile is not None]
            may_land = not self._navigation and (self._own[seat] or self._grey > 0)
            place = None if may_land and self._lands(seat) else self._best_place(seat, up)
            if may_land and place is None:
                return self._land(seat)
            if not up:
                return None
            self._explore(up, place)

    def settle(self) -> None:
        """Let every seat, from the one whose turn it is, place Houses where they bring most."""
        chart, seats = self._chart, self._table.seats
        for seat in ((self._turn + number) % seats for number in range(seats)):
            gaining = self._gains[seat]
            found = [
                (gaining[land], island)
                for island, land in chart.land.items()
                if not chart.residents[island] >> seat & 1
            ]
            for gain, island in sorted(found, reverse=True)[: self._houses[seat]]:
                if gain >= _WORTH_A_HOUSE:
                    self._won[seat] += gain
                    chart.settle(island, seat)

    def standing(self) -> list[float]:
        """Return for each seat what the round has brought it, and what it may expect from the rounds to come."""
        number, chart = self._table.round - 1, self._chart
        later, found = anything(self._table.advanced, self._drawable), []
        for seat, won in enumerate(self._won):
            ship = chart.ships.get(seat)
            ports = chart.ports_around(ship) + _SHIP_GROWS * (SHIPS - 1 - number) if ship else SHIP_KEPT[number]
            promised = FUTURE[number] * gained(chart, seat, later, self._houses[seat]) if FUTURE[number] else 0.0
            found.append(won + ports + promised)
        return found

    # --- a turn ---

    def _lands(self, seat: int) -> bool:
        if hurry(len(self._deck) - self._navigation, self._table.round):
            return True
        now = gained(self._chart, seat, self._gains[seat], self._houses[seat])
        return now >= WORTH_LANDING[self._table.round - 1]

    def _land(self, seat: int) -> None:
        if self._own[seat]:
            cell, ports = self._best_berth()
            if cell is not None and (ports >= _PORTS or not self._grey):
                self._chart.ships[seat] = cell

    def _best_berth(self) -> tuple[Cell | None, int]:
        """Return where most Ports lie around a ship, and how many."""
        ports: dict[Cell, int] = {}
        for cell, count in self._chart.ports.items():
            for near in around(cell):
                ports[near] = ports.get(near, 0) + count
        berths = [cell for cell in self._chart.berths() if cell in ports]
        best = max(berths, key=ports.__getitem__, default=None)
        return best, 0 if best is None else ports[best]

    def _best_place(self, seat: int, up: Sequence[int]) -> Place | None:
        """Return where a seat gains most for one of its tiles or those that are face up; None when none fits."""
        if not up:
            return None
        stakes = (Stake(seat, self._promises[seat], self._houses[seat], 1.0),)
        scales = Scales(self._chart, stakes, near_ships(self._chart, seat, self._table.seats))
        return max(scales.places((*self._hands[seat], *up)), key=weight_of, default=None)

    def _explore(self, up: Sequence[int], place: Place | None) -> None:
        if place is None:
            self._put_back(up[0])
            return
        _, tile, cell, turns = place
        taken = tile if tile in up else up[self._dice.below("slot", len(up))]
        self._place(self._row.index(taken), tile, cell, turns[self._dice.below("turn", len(turns))])

    def _place(self, slot: int, tile: int, cell: Cell, turn: int) -> None:
        self._take(slot, tile)
        self._chart.place(str(tile), cell, turn)
        self._end_turn()

    def _put_back(self, taken: int) -> None:
        tile = self._hands[self._turn][0]
        self._take(self._row.index(taken), tile)
        self._deck.append(tile)
        self._end_turn()

    def _take(self, slot: int, spent: int) -> None:
        hand, taken = self._hands[self._turn], self._row[slot]
        if taken is not None:
            hand.append(taken)
        hand.remove(spent)
        self._row[slot] = None

    def _end_turn(self) -> None:
        for slot, tile in enumerate(self._row):
            if tile is None and self._deck:
                self._row[slot] = self._deck.pop(0)
                self._navigation = max(0, self._navigation - 1)
        self._turn = (self._turn + 1) % self._table.seats


DENIAL = 0.7
"""How much a point matters that the others lose, when they may play for something else."""


def near_ships(chart: Chart, seat: int, seats: int) -> dict[Cell, float]:
    """Return what a Port counts for a seat on each cell beside a ship in colour, its own or another's."""
    near: dict[Cell, float] = {}
    for owner, ship in chart.ships.items():
        for cell in around(ship):
            near[cell] = near.get(cell, 0.0) + (1.0 if owner == seat else -DENIAL / (seats - 1))
    return near


def lay(chart: Chart, board: Board, action: Explore, use: TokenUse) -> None:
    """Lay a token on a chart where the tile of an action has been placed."""
    if isinstance(use, ResourceToken):
        chart.cover(use.site, use.shows, use.over)
        return
    if use.cell == action.cell:
        lying = FACES[str(action.tile)].lying[action.turn]
    else:
        lying = next(placed.lying for placed in board if placed.cell == use.cell)
    chart.add_port((use.cell, lying.coasts[use.side]))
