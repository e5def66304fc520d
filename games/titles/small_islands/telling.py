"""The log: one sentence for each event, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from games.engine.protocol import Event, Outcome
from games.titles.small_islands import events, wording
from games.titles.small_islands.islands import Site
from games.titles.small_islands.objectives import objective
from games.titles.small_islands.tiles import PORT
from games.titles.small_islands.wording import ALEXIS_NAME, cell_name, symbol_name, tiles_text

Names = Sequence[str]


def line(event: Event, names: Names) -> str:
    """Return one sentence for the log; empty when the event needs none."""
    said = _LINES.get(type(event))
    return said(event, names) if said else ""


def name_of(seat: int, names: Names) -> str:
    """Return a player's name; beyond the last seat that is Alexis."""
    return names[seat] if seat < len(names) else ALEXIS_NAME


def _at(site: Site) -> str:
    return cell_name(site.cell)


def _set_up(event: events.SetUp, _names: Names) -> str:
    return gettext("The tiles are shuffled and dealt.")


def _start_tile(event: events.StartTilePlaced, names: Names) -> str:
    return gettext("%(name)s places a start tile on %(cell)s.") % {
        "name": name_of(event.seat, names),
        "cell": cell_name(event.cell),
    }


def _round(event: events.RoundPrepared, names: Names) -> str:
    words = {"round": event.round, "name": name_of(event.first, names)}
    return gettext("Round %(round)s begins; %(name)s is first. Everybody chooses an objective.") % words


def _chosen(event: events.ObjectiveChosen, names: Names) -> str:
    return gettext("%(name)s has chosen an objective.") % {"name": name_of(event.seat, names)}


def _kept(event: events.CardsKept, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "now": cards_text(event.keep), "next": cards_text(event.aside)}
    return gettext("Only %(name)s sees: now %(now)s; next time %(next)s.") % words


def cards_text(cards: Sequence[int]) -> str:
    """Return what an objective card says, or a mission and a reward."""
    return wording.objective_text(objective(cards))


def _began(event: events.ExplorationBegan, names: Names) -> str:
    return gettext("All have chosen; %(name)s begins the exploration.") % {"name": name_of(event.first, names)}


def _placed(event: events.TilePlaced, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "slot": event.slot, "cell": cell_name(event.cell)}
    if event.taken == event.tile:
        return gettext("%(name)s places face-up tile %(slot)s on %(cell)s.") % words
    return gettext("%(name)s takes face-up tile %(slot)s and places a tile of the hand on %(cell)s.") % words


def _token(event: events.TokenLaid, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "cell": _at(event.site), "shows": symbol_name(event.shows)}
    if event.shows == PORT:
        return gettext("%(name)s builds a Port on %(cell)s, in the %(side)s.") % {
            **words,
            "side": wording.side_name(event.spot),
        }
    return gettext("%(name)s lays a bonus token on %(cell)s: %(shows)s instead of %(over)s.") % {
        **words,
        "over": symbol_name(event.spot),
    }


def _put_back(event: events.TilePutBack, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "slot": event.slot}
    return gettext("%(name)s takes face-up tile %(slot)s, finds no place and puts a tile under the Reserve.") % words


def _landed(event: events.ShipPlaced, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "cell": cell_name(event.cell)}
    if event.ship == "own":
        return gettext("%(name)s lands with the own ship on %(cell)s. The exploration is over.") % words
    return gettext("%(name)s lands with a grey ship on %(cell)s. The exploration is over.") % words


def _stranded(event: events.Stranded, names: Names) -> str:
    return gettext("%(name)s can neither explore nor land: a last Reward phase begins.") % {
        "name": name_of(event.seat, names)
    }


def _revealed(event: events.ObjectiveRevealed, names: Names) -> str:
    return gettext("%(name)s reveals: %(objective)s.") % {
        "name": name_of(event.seat, names),
        "objective": cards_text(event.cards),
    }


def _house(event: events.HousePlaced, names: Names) -> str:
    words = {
        "name": name_of(event.seat, names),
        "cell": _at(event.site),
        "tiles": tiles_text(event.size),
        "points": wording.points_text(event.points),
    }
    return gettext("%(name)s places a House on %(cell)s, an island of %(tiles)s: %(points)s.") % words


def _discovery(event: events.DiscoveryDrawn, names: Names) -> str:
    return ngettext(
        "%(name)s draws %(count)s discovery token and keeps it.",
        "%(name)s draws %(count)s discovery tokens and keeps the best.",
        event.drawn,
    ) % {"name": name_of(event.seat, names), "count": event.drawn}


def _value(event: events.DiscoveryKept, names: Names) -> str:
    words = {"name": name_of(event.seat, names), "points": wording.points_text(event.value)}
    return gettext("Only %(name)s sees: the token is worth %(points)s.") % words


def _settled(event: events.Settled, names: Names) -> str:
    if event.placed:
        return ""
    return gettext("%(name)s places no House.") % {"name": name_of(event.seat, names)}


def _shuffled(event: events.ExpeditionShuffled, _names: Names) -> str:
    return gettext("The expedition cards are shuffled anew.")


def _expedition(event: events.ExpeditionDrawn, _names: Names) -> str:
    return gettext("Alexis draws: %(card)s.") % {"card": wording.expedition_text(event.card)}


def _finished(event: events.Finished, names: Names) -> str:
    totals = tuple(tally.total for tally in event.tallies)
    if len(names) < len(totals):
        told = wording.solo_result(names[0], *totals)
    else:
        told = wording.result(names, Outcome(event.places, totals, event.end))
    return f"{wording.end_text(event.end)} {told}"


_LINES: Mapping[type[Event], Callable[[Any, Names], str]] = {
    events.SetUp: _set_up,
    events.StartTilePlaced: _start_tile,
    events.RoundPrepared: _round,
    events.ObjectiveChosen: _chosen,
    events.CardsKept: _kept,
    events.ExplorationBegan: _began,
    events.TilePlaced: _placed,
    events.TokenLaid: _token,
    events.TilePutBack: _put_back,
    events.ShipPlaced: _landed,
    events.Stranded: _stranded,
    events.ObjectiveRevealed: _revealed,
    events.HousePlaced: _house,
    events.DiscoveryDrawn: _discovery,
    events.DiscoveryKept: _value,
    events.Settled: _settled,
    events.ExpeditionShuffled: _shuffled,
    events.ExpeditionDrawn: _expedition,
    events.Finished: _finished,
}
"""What needs a sentence; a tile that comes face up and one's own tiles and cards are seen where they lie."""
