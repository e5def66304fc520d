"""Why an action is good, in one sentence for the seat that could take it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from django.utils.translation import gettext, ngettext

from games.titles.phrases import points_text
from games.titles.small_islands.bonus import token
from games.titles.small_islands.notation import OWN, Action, Choose, Discard, Explore, Land, Settle, Start
from games.titles.small_islands.objectives import Objective, is_discovery, objective_of
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.promise import promise, worth
from games.titles.small_islands.reward import prospects
from games.titles.small_islands.scoring import ports_around
from games.titles.small_islands.state import Table
from games.titles.small_islands.view import View
from games.titles.small_islands.wording import tokens_text


def explain(view: View, action: Action) -> str:
    """Return what a legal action brings its viewer by the objective of the round; empty for a spectator."""
    return "" if view.viewer is None else _said(view, view.viewer, action)


def _said(view: View, seat: int, action: Action) -> str:
    match action:
        case Start():
            return gettext("It is early: one place is as good as another.")
        case Choose(keep, _):
            return _chosen(view, seat, objective_of(keep))
        case Explore():
            return _explored(view, seat, action)
        case Discard():
            return gettext("No tile fits anywhere; a new one may.")
        case Land():
            return _landed(view, seat, action)
        case Settle(sites):
            return _settled(view, seat, len(sites))
        case _:
            assert_never(action)


def _brings(table: Table, seat: int, objective: Objective) -> str:
    """Return what an objective would bring a seat now: points, or discovery tokens."""
    found = [prospect for prospect in prospects(table, seat, objective) if prospect.refusal is None]
    houses = table.houses_in_hand(seat)
    if is_discovery(objective.reward):
        return tokens_text(min(houses, sum(prospect.tokens > 0 for prospect in found)))
    return points_text(sum(sorted((prospect.points for prospect in found), reverse=True)[:houses]))


def _chosen(view: View, seat: int, objective: Objective) -> str:
    if worth(view.table, seat, objective):
        told = gettext("As the islands lie now, this objective would score %(gain)s.")
        return told % {"gain": _brings(view.table, seat, objective)}
    if promise(view.table, seat, objective):
        return gettext("No island fulfils this objective yet, but some come near.")
    return gettext("No island fulfils this objective yet.")


def _explored(view: View, seat: int, action: Explore) -> str:
    before, objective = view.table, objective_of(view.kept)
    after = _after(before, seat, action)
    words = {"gain": _brings(after, seat, objective), "before": _brings(before, seat, objective)}
    now, then = worth(before, seat, objective), worth(after, seat, objective)
    if then > now > 0:
        return gettext("Your objective would then score %(gain)s instead of %(before)s.") % words
    if then > now:
        return gettext("Your objective would then score %(gain)s.") % words
    if promise(after, seat, objective) > promise(before, seat, objective):
        return gettext("It brings an island nearer to your objective.")
    if then < now:
        return gettext("Your objective would then score only %(gain)s instead of %(before)s.") % words
    return gettext("Your objective would still score %(gain)s.") % words


def _after(table: Table, seat: int, action: Explore) -> Table:
    board = (*table.board, Placed(str(action.tile), action.cell, action.turn, seat))
    laid = () if action.token is None else (token(seat, action.token, board),)
    return replace(table, board=board, tokens=(*table.tokens, *laid))


def _landed(view: View, seat: int, action: Land) -> str:
    words = {"gain": _brings(view.table, seat, objective_of(view.kept))}
    ports = ports_around(view.table, action.cell) if action.ship == OWN else 0
    if not ports:
        return gettext("You end the exploration while your objective scores %(gain)s.") % words
    return ngettext(
        "You end the exploration while your objective scores %(gain)s, and %(count)s Port lies beside your ship.",
        "You end the exploration while your objective scores %(gain)s, and %(count)s Ports lie beside your ship.",
        ports,
    ) % {**words, "count": ports}


def _settled(view: View, seat: int, houses: int) -> str:
    if not houses:
        return gettext("No House pays now: keep them for later.")
    gain = _brings(view.table, seat, objective_of(view.kept))
    return gettext("Your objective scores up to %(gain)s on the islands as they are.") % {"gain": gain}
