"""What one way to play a turn brings that another does not, in words."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.phrases import points_text
from games.titles.small_islands.beliefs import beliefs
from games.titles.small_islands.board.island_names import island_name
from games.titles.small_islands.board.wording import gain_text
from games.titles.small_islands.charts import Chart, chart_of
from games.titles.small_islands.course import lay
from games.titles.small_islands.gains import Expected, gains
from games.titles.small_islands.grandmaster import reach
from games.titles.small_islands.rules.components import objective_of
from games.titles.small_islands.rules.notation import OWN, Choose, Explore, Land, Settle
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.scoring import ports_around
from games.titles.small_islands.rules.view import View
from games.titles.small_islands.scales import gained

_NOTABLE = 0.5
"""How many points a promise must differ by to be worth a word."""


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
    if played.keep == better.keep:
        return gettext("The other card is more use in the next round.")
    before, after = (round(reach(view, seat, objective_of(choice.keep))) for choice in (played, better))
    if after > before:
        text = gettext("With your tiles and the face-up ones this objective may bring %(gain)s, the other %(before)s.")
        return text % {"gain": points_text(after), "before": points_text(before)}
    before, after = (round(_brought(view, seat, choice)) for choice in (played, better))
    if after > before:
        text = gettext("As the islands lie, this objective brings %(gain)s, the other %(before)s.")
        return text % {"gain": points_text(after), "before": points_text(before)}
    if better.aside == played.keep:
        return gettext("This objective is more use to you now, and the other one in the next round.")
    return ""


def _brought(view: View, seat: int, choice: Choose) -> float:
    """Return what an objective brings if nothing is placed any more."""
    gaining = gains(objective_of(choice.keep), view.table.discovery_tokens_left > 0, now=True)
    return gained(chart_of(view.table), seat, gaining, view.table.houses_in_hand(seat))


# --- exploring and landing --------------------------------------------------------------------------------------------


def _places(view: View, seat: int, played: Explore, better: Explore) -> str:
    """Return what a place brings: points at once, a promise, less for the others, or something for the next turn."""
    before, after = (_explored(view, action) for action in (played, better))
    now, promised = _own(view, seat, after, now=True), _own(view, seat, after, now=False)
    if now > _own(view, seat, before, now=True):
        words = {"gain": points_text(round(now)), "before": points_text(round(_own(view, seat, before, now=True)))}
        return gettext("Your objective would then score %(gain)s instead of %(before)s.") % words
    if promised > _own(view, seat, before, now=False) + _NOTABLE:
        return gettext("It brings an island nearer to your objective.")
    if _others(view, after) < _others(view, before) - _NOTABLE:
        return gettext("It leaves less for what the others probably want.")
    if played.token is not None and better.token is None:
        return gettext("The bonus token brings more later.")
    if (played.tile, played.cell, played.turn, played.token) == (better.tile, better.cell, better.turn, better.token):
        return gettext("Face-up tile %(slot)s is more use to you in the next turn.") % {"slot": better.slot}
    return gettext("It leaves better places for your next tiles.")


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
    if isinstance(better, Land):
        text = gettext("Land at once, while you score %(gain)s and an opponent probably only about %(other)s.")
        if own <= other:
            text = gettext("Land at once: if you explore on, an opponent probably gains more by it than you.")
    else:
        text = gettext("Explore on: if you land, you score %(gain)s and an opponent probably about %(other)s.")
        if own > other:
            text = gettext("Explore on: if you land, you score %(gain)s, and there is more to gain.")
    return text % {"gain": points_text(own), "other": points_text(other)}


def _ships(view: View, played: Land, better: Land) -> str:
    if played.ship == OWN != better.ship:
        return gettext("Your own ship may find a place with more Ports later.")
    before, after = (ports_around(view.table, it.cell) if it.ship == OWN else 0 for it in (played, better))
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
        return gettext("A House on %(island)s brings %(gain)s.") % {
            "gain": gain_text(best.points, best.tokens),
            "island": island,
        }
    if left:
        text = gettext("%(island)s may bring more in a later round.")
        return text % {"island": island_name(view.table.board, left[0].island)}
    return ""


def _settled(view: View, action: Settle) -> dict[int, Prospect]:
    """Return what each of the islands brings that an action settles, by their numbers."""
    number = view.table.islands.number
    return {number[site]: view.prospects[number[site]] for site in action.sites}
