"""Why an action in Small Islands is good, in words."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.phrases import points_text
from games.titles.small_islands.advice.comparison import compare
from games.titles.small_islands.board import panels
from games.titles.small_islands.board.wording import tokens_text
from games.titles.small_islands.insight import promise, with_tile, worth
from games.titles.small_islands.rules.components import Objective, is_discovery, objective_of
from games.titles.small_islands.rules.exploration import laid_token
from games.titles.small_islands.rules.notation import OWN, Action, Choose, Discard, Explore, Land, Settle, Start
from games.titles.small_islands.rules.reward import prospects
from games.titles.small_islands.rules.scoring import ports_around
from games.titles.small_islands.rules.state import Table
from games.titles.small_islands.rules.view import View

__all__ = ["compare", "explain", "same_advice"]


def same_advice(plan: Plan, later: Plan) -> bool:
    """Return whether both say to land: whoever explores on for some turns hears it once, not at each of them."""
    return isinstance(plan[0], Land) and isinstance(later[0], Land)


def explain(view: View, action: Action) -> str:
    """Return what a legal action brings its viewer by the objective of the round; empty for a spectator."""
    if view.viewer is None:
        return ""
    seat = view.viewer
    match action:
        case Start():
            return gettext("It is early: one place is as good as another.")
        case Choose(keep, _):
            return _chosen(view, seat, objective_of(keep))
        case Explore():
            return _explored(view, seat, action)
        case Discard():
            return gettext("No tile fits anywhere; a new one may.")
        case _:
            return _at_the_end(view, seat, action)


def _at_the_end(view: View, seat: int, action: Land | Settle) -> str:
    """Return what it brings to end the exploration, or to place Houses."""
    words: dict[str, object] = {"gain": _brings(view.table, seat, objective_of(view.kept))}
    if isinstance(action, Settle):
        if not action.sites:
            return gettext("No House pays now: keep them for later.")
        return gettext("Your objective scores up to %(gain)s on the islands as they are.") % words
    ports = ports_around(view.table, action.cell) if action.ship == OWN else 0
    if not ports:
        return gettext("You end the exploration while your objective scores %(gain)s.") % words
    return ngettext(
        "You end the exploration while your objective scores %(gain)s, and %(count)s Port lies beside your ship.",
        "You end the exploration while your objective scores %(gain)s, and %(count)s Ports lie beside your ship.",
        ports,
    ) % {**words, "count": ports}


def _chosen(view: View, seat: int, objective: Objective) -> str:
    """Return what an objective would score now, or why nothing."""
    table = view.table
    if worth(table, seat, objective):
        text = gettext("As the islands lie now, this objective would score %(gain)s.")
        return text % {"gain": _brings(table, seat, objective)}
    found = panels.worth(view, objective.mission, prospects(table, seat, objective))
    if found.kind == "objective":
        return panels.worth_text(*found)
    if found.kind != "mission-not-fulfilled":
        return gettext("This objective would score nothing yet. %(why)s") % {"why": panels.worth_text(*found)}
    if promise(table, seat, objective):
        return gettext("No island fulfills this objective yet, but some come near.")
    return gettext("No island fulfills this objective yet.")


def _brings(table: Table, seat: int, objective: Objective) -> str:
    """Return what an objective would bring a seat now: points, or discovery tokens."""
    found = [prospect for prospect in prospects(table, seat, objective) if prospect.refusal is None]
    houses = table.houses_in_hand(seat)
    if is_discovery(objective.reward):
        return tokens_text(min(houses, sum(prospect.tokens > 0 for prospect in found)))
    return points_text(sum(sorted((prospect.points for prospect in found), reverse=True)[:houses]))


def _explored(view: View, seat: int, action: Explore) -> str:
    """Return what a placed tile changes for the objective; empty if nothing."""
    before, objective = view.table, objective_of(view.kept)
    after = with_tile(before, action, seat)
    if action.token is not None:
        after = replace(after, tokens=(*after.tokens, laid_token(seat, action.token, after.board)))
    words = {"gain": _brings(after, seat, objective), "before": _brings(before, seat, objective)}
    now, then = worth(before, seat, objective), worth(after, seat, objective)
    if then > now > 0:
        return gettext("Your objective would then score %(gain)s instead of %(before)s.") % words
    if then > now:
        return gettext("Your objective would then score %(gain)s.") % words
    if promise(after, seat, objective) > promise(before, seat, objective):
        return gettext("This brings an island nearer to your objective.")
    if then < now:
        return gettext("Your objective would then score only %(gain)s instead of %(before)s.") % words
    return ""
