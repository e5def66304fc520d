"""The log: one sentence for each event, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from games.engine.protocol import Event, Outcome, Viewer
from games.titles.phrases import points_text
from games.titles.small_islands import events, wording
from games.titles.small_islands.islands import Site
from games.titles.small_islands.notation import Action, Choose
from games.titles.small_islands.objectives import objective_of
from games.titles.small_islands.tiles import PORT
from games.titles.small_islands.wording import ALEXIS_NAME, cell_name, symbol_name, tiles_text

Names = Sequence[str]


def line(event: Event, names: Names, reader: Viewer) -> str:
    """Return one sentence for the log; empty when the event needs none. The reader's own seat is "you"."""
    said = _LINES.get(type(event))
    return said(event, names, reader) if said else ""


def name_of(seat: int, names: Names) -> str:
    """Return a player's name; beyond the last seat that is Alexis."""
    return names[seat] if seat < len(names) else ALEXIS_NAME


def _at(site: Site) -> str:
    return cell_name(site.cell)


def _set_up(event: events.SetUp, _names: Names, _reader: Viewer) -> str:
    return gettext("The tiles are shuffled and dealt.")


def _start_tile(event: events.StartTilePlaced, names: Names, reader: Viewer) -> str:
    if event.seat == reader:
        return gettext("You place a start tile on %(cell)s.") % {"cell": cell_name(event.cell)}
    return gettext("%(name)s places a start tile on %(cell)s.") % {
        "name": name_of(event.seat, names),
        "cell": cell_name(event.cell),
    }


def _round(event: events.RoundPrepared, names: Names, reader: Viewer) -> str:
    words = {"round": event.round, "name": name_of(event.first, names)}
    if event.first == reader:
        return gettext("Round %(round)s begins; you are first. Everybody chooses an objective.") % words
    return gettext("Round %(round)s begins; %(name)s is first. Everybody chooses an objective.") % words


def _chosen(event: events.ObjectiveChosen, names: Names, reader: Viewer) -> str:
    if event.seat == reader:
        return gettext("You have chosen an objective.")
    return gettext("%(name)s has chosen an objective.") % {"name": name_of(event.seat, names)}


def _kept(event: events.CardsKept, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "now": cards_text(event.keep), "next": cards_text(event.aside)}
    if event.seat == reader:
        return gettext("Only you see: now %(now)s; next time %(next)s.") % words
    return gettext("Only %(name)s sees: now %(now)s; next time %(next)s.") % words


def choice(action: Action) -> str:
    """Return in a sentence the objective that an action chooses; empty for any other action."""
    if not isinstance(action, Choose):
        return ""
    return gettext("Objective: %(objective)s.") % {"objective": cards_text(action.keep)}


def cards_text(cards: Sequence[int]) -> str:
    """Return what an objective card says, or a mission and a reward."""
    return wording.objective_text(objective_of(cards))


def _began(event: events.ExplorationBegan, names: Names, reader: Viewer) -> str:
    if event.first == reader:
        return gettext("All have chosen; you begin the exploration.")
    return gettext("All have chosen; %(name)s begins the exploration.") % {"name": name_of(event.first, names)}


def _placed(event: events.TilePlaced, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "slot": event.slot, "cell": cell_name(event.cell)}
    if event.seat == reader:
        return _placed_by_you(event) % words
    if event.taken == event.tile:
        return gettext("%(name)s places face-up tile %(slot)s on %(cell)s.") % words
    return gettext("%(name)s takes face-up tile %(slot)s and places a tile from their hand on %(cell)s.") % words


def _placed_by_you(event: events.TilePlaced) -> str:
    if event.taken == event.tile:
        return gettext("You place face-up tile %(slot)s on %(cell)s.")
    return gettext("You take face-up tile %(slot)s and place a tile from your hand on %(cell)s.")


def _token(event: events.TokenLaid, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "cell": _at(event.site), "shows": symbol_name(event.shows)}
    mine = event.seat == reader
    if event.shows == PORT:
        yours = gettext("You build a Port on %(cell)s, in the %(side)s.")
        said = yours if mine else gettext("%(name)s builds a Port on %(cell)s, in the %(side)s.")
        return said % {**words, "side": wording.side_name(event.spot)}
    yours = gettext("You lay a bonus token on %(cell)s: %(shows)s instead of %(over)s.")
    said = yours if mine else gettext("%(name)s lays a bonus token on %(cell)s: %(shows)s instead of %(over)s.")
    return said % {**words, "over": symbol_name(event.spot)}


def _put_back(event: events.TilePutBack, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "slot": event.slot}
    if event.seat == reader:
        return gettext("You take face-up tile %(slot)s, find no place and put a tile under the Reserve.") % words
    return gettext("%(name)s takes face-up tile %(slot)s, finds no place and puts a tile under the Reserve.") % words


def _landed(event: events.ShipPlaced, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "cell": cell_name(event.cell)}
    if event.seat == reader:
        ship = gettext("You land with your own ship on %(cell)s. The exploration is over.")
        grey = gettext("You land with a grey ship on %(cell)s. The exploration is over.")
        return (ship if event.ship == "own" else grey) % words
    if event.ship == "own":
        return gettext("%(name)s lands with their own ship on %(cell)s. The exploration is over.") % words
    return gettext("%(name)s lands with a grey ship on %(cell)s. The exploration is over.") % words


def _stranded(event: events.Stranded, names: Names, reader: Viewer) -> str:
    if event.seat == reader:
        return gettext("You can neither explore nor land: a last Reward phase begins.")
    return gettext("%(name)s can neither explore nor land: a last Reward phase begins.") % {
        "name": name_of(event.seat, names)
    }


def _revealed(event: events.ObjectiveRevealed, names: Names, reader: Viewer) -> str:
    if event.seat == reader:
        return gettext("You reveal: %(objective)s.") % {"objective": cards_text(event.cards)}
    return gettext("%(name)s reveals: %(objective)s.") % {
        "name": name_of(event.seat, names),
        "objective": cards_text(event.cards),
    }


def _house_alone(is_own: bool) -> str:
    if is_own:
        return gettext("You place a House on %(cell)s, an island of %(tiles)s.")
    return gettext("%(name)s places a House on %(cell)s, an island of %(tiles)s.")


def _house(event: events.HousePlaced, names: Names, reader: Viewer) -> str:
    words = {
        "name": name_of(event.seat, names),
        "cell": _at(event.site),
        "tiles": tiles_text(event.size),
        "points": points_text(event.points),
    }
    if not event.points:  # the discovery tokens drawn have a line of their own
        return _house_alone(event.seat == reader) % words
    if event.seat == reader:
        return gettext("You place a House on %(cell)s, an island of %(tiles)s: %(points)s.") % words
    return gettext("%(name)s places a House on %(cell)s, an island of %(tiles)s: %(points)s.") % words


def _discovery(event: events.DiscoveryDrawn, names: Names, reader: Viewer) -> str:
    if event.seat == reader:
        return ngettext(
            "You draw %(count)s discovery token and keep it.",
            "You draw %(count)s discovery tokens and keep the best.",
            event.drawn,
        ) % {"count": event.drawn}
    return ngettext(
        "%(name)s draws %(count)s discovery token and keeps it.",
        "%(name)s draws %(count)s discovery tokens and keeps the best.",
        event.drawn,
    ) % {"name": name_of(event.seat, names), "count": event.drawn}


def _value(event: events.DiscoveryKept, names: Names, reader: Viewer) -> str:
    words = {"name": name_of(event.seat, names), "points": points_text(event.value)}
    if event.seat == reader:
        return gettext("Only you see: the token is worth %(points)s.") % words
    return gettext("Only %(name)s sees: the token is worth %(points)s.") % words


def _settled(event: events.Settled, names: Names, reader: Viewer) -> str:
    if event.placed:
        return ""
    if event.seat == reader:
        return gettext("You place no House.")
    return gettext("%(name)s places no House.") % {"name": name_of(event.seat, names)}


def _shuffled(event: events.ExpeditionShuffled, _names: Names, _reader: Viewer) -> str:
    return gettext("The expedition cards are reshuffled.")


def _expedition(event: events.ExpeditionDrawn, _names: Names, _reader: Viewer) -> str:
    return gettext("Alexis draws: %(card)s.") % {"card": wording.expedition_text(event.card)}


def _finished(event: events.Finished, names: Names, reader: Viewer) -> str:
    totals = tuple(tally.total for tally in event.tallies)
    if len(names) < len(totals):
        told = wording.solo_result(names[0], *totals, mine=reader == 0)
    else:
        told = wording.result(names, Outcome(event.places, totals, event.end), reader)
    return f"{wording.end_text(event.end)} {told}"


_LINES: Mapping[type[Event], Callable[[Any, Names, Viewer], str]] = {
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
"""Events that need a sentence; tiles turned face up and one's own tiles and cards are seen where they are."""
