"""What one way to play a turn brings that another does not, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.phrases import points_text
from games.titles.small_islands.board.wording import gain_text, island_name
from games.titles.small_islands.insight.charts import Chart, chart_of, size_of, symbols_of
from games.titles.small_islands.insight.course import FUTURE, lay
from games.titles.small_islands.insight.gains import (
    Expected,
    Gaining,
    Scales,
    Stake,
    anything,
    gained,
    gains,
    lacking,
    weight_of,
)
from games.titles.small_islands.insight.grandmaster import beliefs, reach
from games.titles.small_islands.rules.components import FACES, SHIPS, Cell, is_discovery, objective_of, points
from games.titles.small_islands.rules.islands import Board, Placed, Site, islands
from games.titles.small_islands.rules.notation import OWN, Choose, Explore, Land, Settle
from games.titles.small_islands.rules.reward import LEAST_SIZE, Prospect
from games.titles.small_islands.rules.scoring import ports_around
from games.titles.small_islands.rules.view import View

_NOTABLE = 0.5
"""How many points a promise must differ by to be worth a word."""
_LATER = 0.25
"""The same for what objectives of later rounds promise on average."""


def compare(view: View, played: Plan, better: Plan) -> str:
    """Return in one sentence what the better action brings the viewer; empty if nothing can be said."""
    if view.viewer is None or not played or not better or played[0] == better[0]:
        return ""
    match played[0], better[0]:
        case Choose() as one, Choose() as other:
            return _objectives(view, view.viewer, one, other)
        case Explore() as one, Explore() as other:
            return _places(view, view.viewer, one, other)
        case Settle() as one, Settle() as other:
            return _houses(view, one, other)
        case Explore() | Land() as one, Explore() | Land() as other:
            return _landings(view, view.viewer, one, other)
        case _:
            return ""


# --- objectives -------------------------------------------------------------------------------------------------------


def _objectives(view: View, seat: int, played: Choose, better: Choose) -> str:
    is_last = view.table.round == SHIPS  # what is put aside is of no use any more
    if played.keep == better.keep:
        return "" if is_last else gettext("The other card is more useful in the next round.")
    before, after = (round(reach(view, seat, objective_of(choice.keep))) for choice in (played, better))
    if after > before:
        text = gettext("With your tiles and the face-up ones this objective may score %(gain)s, the other %(before)s.")
        return text % {"gain": points_text(after), "before": points_text(before)}
    before, after = (round(_brought(view, seat, choice)) for choice in (played, better))
    if after > before:
        text = gettext("As the islands lie, this objective scores %(gain)s, the other %(before)s.")
        return text % {"gain": points_text(after), "before": points_text(before)}
    if better.aside == played.keep and not is_last:
        return gettext("This objective is more useful to you now, and the other one in the next round.")
    return ""


def _brought(view: View, seat: int, choice: Choose) -> float:
    """Return what an objective brings if nothing is placed any more."""
    gaining = gains(objective_of(choice.keep), view.table.discovery_tokens_left > 0, now=True)
    return gained(chart_of(view.table), seat, gaining, view.table.houses_in_hand(seat))


# --- exploring and landing --------------------------------------------------------------------------------------------


def _places(view: View, seat: int, played: Explore, better: Explore) -> str:
    """Return what a place brings, in a sentence, and first if the tile is only to be turned for that."""
    why = _place(view, seat, played, better)
    if why and (played.tile, played.cell) == (better.tile, better.cell) and played.turn != better.turn:
        return gettext("Rotate the same tile. %(why)s") % {"why": why}
    return why


def _place(view: View, seat: int, played: Explore, better: Explore) -> str:
    """Return what a place brings: points at once, a promise, less for the others, or something for later."""
    before, after = (_explored(view, action) for action in (played, better))
    scored, now = (_own(view, seat, chart, now=True) for chart in (before, after))
    if now > scored:
        return _scored(view, after, better, round(scored), round(now))
    promised = _own(view, seat, after, now=False)
    if promised > _own(view, seat, before, now=False) + _NOTABLE:
        return _nearer(view, after, better)
    if less := _less_for_others(view, before, after):
        return less
    if played.token is not None and better.token is None:
        return gettext("The bonus token is worth more later.")
    if (played.tile, played.cell, played.turn, played.token) == (better.tile, better.cell, better.turn, better.token):
        return gettext("Face-up tile %(slot)s is more useful to you in the next turn.") % {"slot": better.slot}
    return (
        _next_scored(view, seat, (before, played), (after, better))
        or _next_fitting(view, seat, (before, played), (after, better))
        or _more_ports(_ports(before, seat), _ports(after, seat))
        or _later(view, seat, before, (after, better))
    )


def _scored(view: View, chart: Chart, action: Explore, before: int, now: int) -> str:
    """Return how many points the objective would score, and how many of them on the island of the placed tile."""
    gaining = gains(objective_of(view.kept), view.table.discovery_tokens_left > 0, now=True)
    region = _best_region(chart, action.tile, action.cell, gaining)
    alone = round(gaining[chart.land[chart.number(region)]])
    words = {"gain": points_text(now), "before": points_text(before)}
    if not 0 < alone <= now:
        return gettext("Your objective would then score %(gain)s instead of %(before)s.") % words
    words |= {"island": _name(_board_with(view, (action.tile, action.cell, action.turn)), region)}
    if alone == now:
        return gettext("Your objective would then score %(gain)s on %(island)s instead of %(before)s.") % words
    text = gettext("Your objective would then score %(gain)s instead of %(before)s: %(island)s alone scores %(alone)s.")
    return text % {**words, "alone": points_text(alone)}


def _later(view: View, seat: int, before: Chart, after: Explored) -> str:
    """Return which island suits the objectives of later rounds better; empty if none clearly does."""
    table, (chart, action) = view.table, after
    later, houses = anything(table.advanced, table.discovery_tokens_left > 0), table.houses_in_hand(seat)
    better = gained(chart, seat, later, houses) > gained(before, seat, later, houses) + _LATER
    if not better or not FUTURE[table.round - 1]:
        return ""
    board = _board_with(view, (action.tile, action.cell, action.turn))
    island = _name(board, _best_region(chart, action.tile, action.cell, later))
    return gettext("%(island)s is then worth more for the objectives of later rounds.") % {"island": island}


def _nearer(view: View, chart: Chart, action: Explore) -> str:
    """Return that the placed tile brings its island nearer to the objective, and what is missing there for how much."""
    objective, drawable = objective_of(view.kept), view.table.discovery_tokens_left > 0
    region = _best_region(chart, action.tile, action.cell, gains(objective, drawable, now=False))
    land = chart.land[chart.number(region)]
    island = _name(_board_with(view, (action.tile, action.cell, action.turn)), region)
    size, symbols = size_of(land), symbols_of(land)
    missing, worth = lacking(objective, size, symbols), points(objective.reward, size, symbols)
    if size < LEAST_SIZE or not missing or not symbols.house or is_discovery(objective.reward):
        return gettext("This brings %(island)s nearer to your objective.") % {"island": island}
    text = ngettext(
        "Then %(island)s is %(count)s symbol short of your objective, which would score %(points)s there.",
        "Then %(island)s is %(count)s symbols short of your objective, which would score %(points)s there.",
        missing,
    )
    return text % {"island": island, "count": missing, "points": points_text(worth)}


def _less_for_others(view: View, before: Chart, after: Chart) -> str:
    more, less = _others(view, before), _others(view, after)
    if less >= more - _NOTABLE:
        return ""
    if round(less) == round(more):
        return gettext("It leaves less for what the others probably want.")
    text = gettext("It leaves an opponent a prospect of about %(less)s, instead of %(more)s.")
    return text % {"less": points_text(round(less)), "more": points_text(round(more))}


Explored: TypeAlias = tuple[Chart, Explore]
"""A map after an action, and the action."""

Laid: TypeAlias = tuple[int, Cell, int]
"""A tile, its cell, and how it is turned."""


def _next_scored(view: View, seat: int, before: Explored, after: Explored) -> str:
    """Return what the objective could score with one more tile, and on which island; empty if that is no more."""
    (most, _), (more, place) = (_next_place(view, seat, explored) for explored in (before, after))
    if place is None or round(more) <= round(most):
        return ""
    (chart, action), (tile, cell, turn) = after, place
    chart.place(str(tile), cell, turn)
    gaining = gains(objective_of(view.kept), view.table.discovery_tokens_left > 0, now=True)
    board = _board_with(view, (action.tile, action.cell, action.turn), place)
    text = gettext(
        "With your next tile on %(island)s your objective could score %(gain)s, otherwise %(before)s at most."
    )
    island = _name(board, _best_region(chart, tile, cell, gaining))
    return text % {"island": island, "gain": points_text(round(more)), "before": points_text(round(most))}


def _next_place(view: View, seat: int, explored: Explored) -> tuple[float, Laid | None]:
    """Return the most that the objective would bring with one more tile, and the place for that."""
    scales, tiles = _next(view, seat, explored, now=True)
    best = max(scales.places(tiles), key=weight_of, default=None)
    if best is None or best[0] <= scales.total:
        return scales.total, None
    weight, tile, cell, turns = best
    return weight, (tile, cell, turns[0])


def _next_fitting(view: View, seat: int, before: Explored, after: Explored) -> str:
    """Return how many tiles at hand would serve the objective next; empty if these are no more than otherwise."""
    few, many = (len(_serving(view, seat, explored)) for explored in (before, after))
    if many <= few:
        return ""
    text = ngettext(
        "Of the tiles you can place next, %(many)s would serve your objective, otherwise none.",
        "Of the tiles you can place next, %(many)s would serve your objective, otherwise none.",
        many,
    )
    if few:
        text = gettext("Of the tiles you can place next, %(many)s would serve your objective, otherwise only %(few)s.")
    return text % {"many": many, "few": few}


def _serving(view: View, seat: int, explored: Explored) -> set[int]:
    scales, tiles = _next(view, seat, explored, now=False)
    return {tile for weight, tile, _cell, _turns in scales.places(tiles) if weight > scales.total + _NOTABLE}


def _next(view: View, seat: int, explored: Explored, *, now: bool) -> tuple[Scales, Sequence[int]]:
    """Return scales for the objective on a map, and the tiles that are in hand or face up then."""
    chart, action = explored
    gaining = gains(objective_of(view.kept), view.table.discovery_tokens_left > 0, now)
    tiles = [tile for tile in (*view.hand, *view.table.row) if tile not in {None, action.tile}]
    return Scales(chart, (Stake(seat, gaining, view.table.houses_in_hand(seat), 1.0),), {}), tiles


def _ports(chart: Chart, seat: int) -> int:
    """Return how many Ports lie around the ship of a seat."""
    return chart.ports_around(chart.ships[seat]) if seat in chart.ships else 0


def _board_with(view: View, *laid: Laid) -> Board:
    return (*view.table.board, *(Placed(str(tile), cell, turn, view.viewer or 0) for tile, cell, turn in laid))


def _best_region(chart: Chart, tile: int, cell: Cell, gaining: Gaining) -> Site:
    """Return the region of a placed tile whose island may gain most."""
    sites = [Site(cell, number) for number in FACES[str(tile)].regions]
    return max(sites, key=lambda site: gaining[chart.land[chart.number(site)]])


def _name(board: Board, site: Site) -> str:
    return island_name(board, islands(board, ()).of(site))


def _explored(view: View, action: Explore) -> Chart:
    """Return the map after an action."""
    chart = chart_of(view.table)
    chart.place(str(action.tile), action.cell, action.turn)
    if action.token is not None:
        lay(chart, view.table.board, action, action.token)
    return chart


def _own(view: View, seat: int, chart: Chart, *, now: bool) -> float:
    """Return what the viewer's objective brings or promises on a map."""
    gaining = gains(objective_of(view.kept), view.table.discovery_tokens_left > 0, now)
    return gained(chart, seat, gaining, view.table.houses_in_hand(seat))


def _others(view: View, chart: Chart, *, now: bool = False) -> float:
    """Return the most that one of the others may gain on a map by what it probably plays for."""
    table, drawable = view.table, view.table.discovery_tokens_left > 0
    return max(
        (
            gained(chart, seat, Expected(chances, drawable, now), table.houses_in_hand(seat))
            for seat, chances in beliefs(view).items()
        ),
        default=0.0,
    )


def _landings(view: View, seat: int, played: Explore | Land, better: Explore | Land) -> str:
    """Return why to land or not, or what speaks for a ship and its berth."""
    if isinstance(played, Land) and isinstance(better, Land):
        return _ships(view, played, better)
    chart = chart_of(view.table)
    own, other = round(_own(view, seat, chart, now=True)), round(_others(view, chart, now=True))
    words = {"gain": points_text(own), "other": points_text(other)}
    if isinstance(better, Land):
        return _land_at_once(view, seat, chart, own, other)
    if own <= other:
        text = gettext("Keep exploring: if you land, you score %(gain)s and an opponent probably about %(other)s.")
        return text % words
    more = round(reach(view, seat, objective_of(view.kept)))
    if more > own:
        text = gettext(
            "Keep exploring: if you land, you score %(gain)s; with the tiles you can place it may become %(more)s."
        )
        return text % {**words, "more": points_text(more)}
    return gettext("Keep exploring: if you land, you score %(gain)s, and there is more to gain.") % words


def _land_at_once(view: View, seat: int, chart: Chart, own: int, other: int) -> str:
    """Return why to land, given what that brings oneself and probably an opponent."""
    if own > other:
        text = gettext("Land at once, while you score %(gain)s and an opponent probably only about %(other)s.")
        return text % {"gain": points_text(own), "other": points_text(other)}
    mine = round(_own(view, seat, chart, now=False)) - own
    theirs = round(_others(view, chart)) - other
    if theirs <= max(mine, 0):
        return gettext("Land at once: if you keep exploring, an opponent probably gains more by it than you.")
    text = gettext("Land at once: to keep exploring may earn an opponent about %(theirs)s more, and you %(mine)s.")
    return text % {"theirs": points_text(theirs), "mine": points_text(max(mine, 0))}


def _ships(view: View, played: Land, better: Land) -> str:
    if played.ship == OWN != better.ship:
        return gettext("Your own ship may find a place with more Ports later.")
    return _more_ports(*(ports_around(view.table, it.cell) if it.ship == OWN else 0 for it in (played, better)))


def _more_ports(before: int, after: int) -> str:
    """Return how many Ports more lie beside the ship; empty if none do."""
    if after <= before:
        return ""
    more = after - before
    return ngettext(
        "%(count)s more Port lies beside your ship.", "%(count)s more Ports lie beside your ship.", more
    ) % {"count": more}


# --- settling ---------------------------------------------------------------------------------------------------------


def _houses(view: View, played: Settle, better: Settle) -> str:
    """Return what Houses bring that the others do not, or that an island is kept for later."""
    before, after = _settled(view, played), _settled(view, better)
    more = sum(each.points for each in after.values()) - sum(each.points for each in before.values())
    new = [each for number, each in after.items() if number not in before]
    left = [each for number, each in before.items() if number not in after]
    if new:
        best = max(new, key=lambda each: (each.tokens, each.points))
        island = island_name(view.table.board, best.island)
        if more > 0 and not best.tokens:
            return gettext("%(gain)s more, with a House on %(island)s.") % {
                "gain": points_text(more),
                "island": island,
            }
        return gettext("A House on %(island)s scores %(gain)s.") % {
            "gain": gain_text(best.points, best.tokens),
            "island": island,
        }
    if left:
        text = gettext("%(island)s may score more in a later round.")
        return text % {"island": island_name(view.table.board, left[0].island)}
    return ""


def _settled(view: View, action: Settle) -> dict[int, Prospect]:
    """Return what each of the islands brings that an action settles, by their numbers."""
    number = view.table.islands.number
    return {number[site]: view.prospects[number[site]] for site in action.sites}
