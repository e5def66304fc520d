"""The words for tiles, islands, events and results, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from django.utils.translation import gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event, Outcome, Viewer
from games.titles.phrases import addressed, listing, points_text, winners_text
from games.titles.small_islands.board.drawing import Mark, printed_marks
from games.titles.small_islands.rules import components, events
from games.titles.small_islands.rules.components import (
    CORNERS,
    DISCOVERY_TOKENS,
    FACES,
    PORT,
    Cell,
    Objective,
    Symbols,
    objective_of,
)
from games.titles.small_islands.rules.islands import Board, Island, Site, joints, printed
from games.titles.small_islands.rules.notation import Action, Choose
from games.titles.small_islands.rules.rounds import EXPLORE_CARDS, LAND_CARD
from games.titles.small_islands.rules.state import ALL_SHIPS, RESERVE_SHORT, STRANDED, State, Table

ALEXIS_NAME = "Alexis"
_SINGLE = {
    "flower": _("flower"), "fruit": _("dragon fruit"), "leaf": _("leaf"), "temple": _("temple"), "port": _("Port"),
    "house": _("house spot"), "any": _("any resource"),
}  # fmt: skip
_ONE = {"flower": _("a flower"), "fruit": _("a dragon fruit"), "leaf": _("a leaf")}
_MANY = {"flower": _("flowers"), "fruit": _("dragon fruits"), "leaf": _("leaves")}
_SHAPES = {
    "tip": _("tip"), "shore": _("shore"), "isthmus": _("isthmus"), "channel": _("channel"), "bay": _("bay"),
    "inland": _("inland"), "ship": _("ship"),
}  # fmt: skip
SIDES = {"N": _("north"), "E": _("east"), "S": _("south"), "W": _("west")}
_CORNERS = {"NW": _("north-west"), "NE": _("north-east"), "SE": _("south-east"), "SW": _("south-west")}
_TARGETS = {
    "largest": _("joining the largest island"),
    "smallest": _("joining the smallest island"),
    "most_temples": _("joining the island with most temples"),
    "last_placed": _("beside the tile placed last"),
}
PREFERENCES = {"size": _("the largest"), "temples": _("most temples"), "resources": _("most resources")}
_ENDS = {
    ALL_SHIPS: _("All ships are placed."),
    RESERVE_SHORT: _("The Reserve is too small for another round."),
    STRANDED: _("Nobody could explore or land any more."),
}


def symbol_name(name: str) -> str:
    """Return what a symbol is called: "dragon fruit"."""
    return str(_SINGLE[name])


def cell_name(cell: Cell) -> str:
    """Return how a cell is written for people: "2, −1"."""
    return f"{cell.x}, {cell.y}".replace("-", "−")


CORNER_NAMES = tuple(_CORNERS.values())
"""The names of the four corners, in the order of `components.CORNERS`."""


def site_name(site: Site, turn: int) -> str:
    """Return the name of a region in play: its cell, in a channel also the corner: "2, −1 (north-west)"."""
    if not site.region:
        return cell_name(site.cell)
    corner = CORNERS[components.turned(2 * (site.region - 1), turn)]
    return f"{cell_name(site.cell)} ({_CORNERS[corner]})"


def tiles_text(tiles: int) -> str:
    return ngettext("%(count)s tile", "%(count)s tiles", tiles) % {"count": tiles}


def houses_text(houses: int) -> str:
    return ngettext("%(count)s House", "%(count)s Houses", houses) % {"count": houses}


def tokens_text(tokens: int) -> str:
    return ngettext("%(count)s discovery token", "%(count)s discovery tokens", tokens) % {"count": tokens}


def tile_text(shape: str, marks: Sequence[Mark]) -> str:
    """Return a tile in words: "shore: flower, leaf, Port"."""
    names = ", ".join(symbol_name(mark.name) for mark in marks)
    return f"{_SHAPES[shape]}: {names}" if names else str(_SHAPES[shape])


def face_text(face: str) -> str:
    """Return a face as printed in words."""
    return tile_text(FACES[face].shape, printed_marks(face))


def gain_text(points: int, tokens: int) -> str:
    """Return what a House brings: points, or the best of some discovery tokens."""
    if tokens == 1:
        return tokens_text(1)
    return gettext("the best of %(tokens)s") % {"tokens": tokens_text(tokens)} if tokens else points_text(points)


def gain_in_short(points: int, tokens: int) -> str:
    """Return what a House brings in as few signs as possible; of several discovery tokens one is kept: "1/3 ★"."""
    if tokens:
        return "★" if tokens == 1 else f"1/{tokens} ★"
    return f"+{points}"


def gained_text(points: int, tokens: int) -> str:
    """Return what has been gained so far: points, discovery tokens that were kept, or both."""
    if not tokens:
        return points_text(points)
    kept = tokens_text(tokens)
    return listing((points_text(points), kept)) if points else kept


def symbols_text(symbols: Symbols) -> str:
    """Return what is on an island: "flower 2, temple 1"; house spots are left out."""
    counted = ((name, count) for name, count in symbols._asdict().items() if count and name != "house")
    return ", ".join(f"{symbol_name(name)} {count}" for name, count in counted) or gettext("nothing on it")


# --- cards ----------------------------------------------------------------------------------------------------------


def mission_text(number: int) -> str:
    """Return what an island must have: "more flowers than leaves"."""
    card = components.MISSIONS[number]
    match card["kind"]:
        case "more":
            words = {"more": _MANY[card["more"]], "less": _MANY[card["less"]]}
            return gettext("more %(more)s than %(less)s") % words
        case "at_least":
            (resource,) = (name for name in card["needs"] if name in _MANY)
            return gettext("a temple and at least two %(many)s") % {"many": _MANY[resource]}
        case "equal_named":
            return gettext("as many %(many)s as of another resource") % {"many": _MANY[card["resource"]]}
        case _:
            return gettext("two resources in equal numbers")


def reward_text(number: int) -> str:
    """Return what an island with a House brings: "2, plus 1 per flower" are points."""
    card = components.REWARDS[number]
    match card["kind"]:
        case "per_symbol":
            text = gettext("2, plus 1 per %(first)s") if card["plus"] else gettext("1 per %(first)s and %(second)s")
            return text % dict(zip(("first", "second"), map(symbol_name, card["each"]), strict=False))
        case "lowest_present":
            return gettext("2, plus 2 per symbol of its rarest resource")
        case "chosen":
            return gettext("2, plus 1 per symbol of its most common resource")
        case "flat":
            return points_text(card["points"])
        case "size":
            return gettext("3+ tiles: 4 points; 6+: 6; 9+: 8; 12+: 10")
        case _:
            text = gettext("1 discovery token (%(least)s–%(most)s points) per temple; keep the best")
            return text % {"least": min(DISCOVERY_TOKENS), "most": max(DISCOVERY_TOKENS)}


def objective_text(objective: Objective) -> str:
    """Return a mission with its reward."""
    return f"{mission_text(objective.mission)} – {reward_text(objective.reward)}"


# --- Alexis ---------------------------------------------------------------------------------------------------------


def expedition_text(card: int) -> str:
    """Return an expedition card in words."""
    if card == LAND_CARD:
        return gettext("Land")
    explore = EXPLORE_CARDS[card]
    words = {"slot": explore["slot"], "target": _TARGETS[explore["target"]]}
    return gettext("Explore: face-up tile %(slot)s, %(target)s") % words


def alexis_text(card: Mapping[str, Any]) -> str:
    """Return the text of one of Alexis's cards."""
    houses = houses_text(card["houses_per_reward"])
    liking = ", ".join(str(PREFERENCES[name]) for name in card["prefers"])
    words = {"end": points_text(card["end_points"]), "each": card["per_house"], "houses": houses, "liking": liking}
    text = gettext(
        "%(end)s at the end and %(each)s for each House; %(houses)s in each Reward phase; preferred island: %(liking)s"
    )
    return text % words


# --- results --------------------------------------------------------------------------------------------------------


def result(names: Sequence[str], outcome: Outcome, reader: Viewer = None) -> str:
    """Return how a match of several ended: "ann wins with 37 points; bob 31."; the reader's own seat is "you"."""
    places, scores = outcome.places, outcome.scores
    first = [seat for seat, place in enumerate(places) if place == 1]
    rest = sorted((seat for seat, place in enumerate(places) if place > 1), key=lambda seat: places[seat])
    others = [names[seat] for seat in first if seat != reader]
    text = winners_text(others, reader in first, scores[first[0]])
    if not rest:
        return f"{text}."
    called = addressed(names, reader)
    return f"{text}; {', '.join(f'{called[seat]} {scores[seat]}' for seat in rest)}."


def ending(names: Sequence[str], outcome: Outcome, reader: Viewer) -> str:
    """Return how a match of several ended, as the line above the board says it: "You won, 52 to 42."."""
    winners = [seat for seat, place in enumerate(outcome.places) if place == 1]
    if len(names) > 2 or len(winners) > 1:  # noqa: PLR2004  of two there is nobody else to name
        return result(names, outcome, reader)
    (winner,) = winners
    most, least = outcome.scores[winner], outcome.scores[1 - winner]
    if most == least:
        yours, theirs = (
            gettext("You won on the tie-break, %(most)s each."),
            gettext("%(name)s won on the tie-break, %(most)s each."),
        )
    else:
        yours, theirs = gettext("You won, %(most)s to %(least)s."), gettext("%(name)s won, %(most)s to %(least)s.")
    return (yours if winner == reader else theirs) % {"name": names[winner], "most": most, "least": least}


def solo_result(name: str, own: int, his: int, *, mine: bool = False) -> str:
    """Return how a match against Alexis ended; `mine`: it is the reader's own."""
    if own > his:
        yours = gettext("You beat Alexis by %(points)s to %(other)s.")
        theirs = gettext("%(name)s beats Alexis by %(points)s to %(other)s.")
    else:
        yours = gettext("You did not beat Alexis: %(points)s to his %(other)s.")
        theirs = gettext("%(name)s did not beat Alexis: %(points)s to his %(other)s.")
    return (yours if mine else theirs) % {"name": name, "points": points_text(own), "other": his}


# --- the log --------------------------------------------------------------------------------------------------------


def line(event: Event, names: Sequence[str], reader: Viewer) -> str:
    """Return one sentence for the log; empty when the event needs none. The reader's own seat is "you"."""
    if isinstance(event, events.Finished):
        return _finished(event, names, reader)
    describe = _LINES.get(type(event))
    if describe is None:
        return ""
    yours, theirs, words = describe(event)
    seat = getattr(event, "seat", getattr(event, "first", 0))
    return (yours if seat == reader else theirs) % {"name": name_of(seat, names), **words}


def name_of(seat: int, names: Sequence[str]) -> str:
    """Return a player's name; beyond the last seat that is Alexis."""
    return names[seat] if seat < len(names) else ALEXIS_NAME


def choice(action: Action) -> str:
    """Return in a sentence the objective that an action chooses; empty for any other action."""
    if not isinstance(action, Choose):
        return ""
    return gettext("Objective: %(objective)s.") % {"objective": cards_text(action.keep)}


def cards_text(cards: Sequence[int]) -> str:
    """Return what an objective card says, or a mission and a reward."""
    return objective_text(objective_of(cards))


_Line: TypeAlias = tuple[str, str, Mapping[str, Any]]
"""A sentence to the player who acted, the same to everybody else, and the words for both besides the name."""


def _start_tile(event: events.StartTilePlaced) -> _Line:
    yours = gettext("You place a start tile on %(cell)s.")
    return yours, gettext("%(name)s places a start tile on %(cell)s."), {"cell": cell_name(event.cell)}


def _round(event: events.RoundPrepared) -> _Line:
    yours = gettext("Round %(round)s begins; you are first. Everyone chooses an objective.")
    theirs = gettext("Round %(round)s begins; %(name)s is first. Everyone chooses an objective.")
    return yours, theirs, {"round": event.round}


def _chosen(event: events.ObjectiveChosen) -> _Line:
    return gettext("You have chosen an objective."), gettext("%(name)s has chosen an objective."), {}


def _kept(event: events.CardsKept) -> _Line:
    yours = gettext("Only you see: this round %(now)s; next time %(next)s.")
    theirs = gettext("Only %(name)s sees: this round %(now)s; next time %(next)s.")
    return yours, theirs, {"now": cards_text(event.keep), "next": cards_text(event.aside)}


def _began(event: events.ExplorationBegan) -> _Line:
    yours = gettext("All have chosen; you begin the exploration.")
    return yours, gettext("All have chosen; %(name)s begins the exploration."), {}


def _placed(event: events.TilePlaced) -> _Line:
    if event.taken == event.tile:
        yours = gettext("You place face-up tile %(slot)s on %(cell)s.")
        theirs = gettext("%(name)s places face-up tile %(slot)s on %(cell)s.")
    else:
        yours = gettext("You take face-up tile %(slot)s and place a tile from your hand on %(cell)s.")
        theirs = gettext("%(name)s takes face-up tile %(slot)s and places a tile from their hand on %(cell)s.")
    return yours, theirs, {"slot": event.slot, "cell": cell_name(event.cell)}


def _token(event: events.TokenLaid) -> _Line:
    cell = cell_name(event.site.cell)
    if event.shows == PORT:
        yours = gettext("You build a Port on %(cell)s, in the %(side)s.")
        theirs = gettext("%(name)s builds a Port on %(cell)s, in the %(side)s.")
        return yours, theirs, {"cell": cell, "side": SIDES[event.spot]}
    yours = gettext("You lay a bonus token on %(cell)s: %(shows)s instead of %(over)s.")
    theirs = gettext("%(name)s lays a bonus token on %(cell)s: %(shows)s instead of %(over)s.")
    return yours, theirs, {"cell": cell, "shows": _ONE[event.shows], "over": _ONE[event.spot]}


def _put_back(event: events.TilePutBack) -> _Line:
    yours = gettext("You take face-up tile %(slot)s, find no place and put a tile under the Reserve.")
    theirs = gettext("%(name)s takes face-up tile %(slot)s, finds no place and puts a tile under the Reserve.")
    return yours, theirs, {"slot": event.slot}


def _landed(event: events.ShipPlaced) -> _Line:
    if event.ship == "own":
        yours = gettext(
            "You land with your own ship on %(cell)s; each Port around it is 1 point. The exploration is over."
        )
        theirs = gettext(
            "%(name)s lands with their own ship on %(cell)s; each Port around it is 1 point. The exploration is over."
        )
    else:
        yours = gettext("You land with a gray ship on %(cell)s. The exploration is over.")
        theirs = gettext("%(name)s lands with a gray ship on %(cell)s. The exploration is over.")
    return yours, theirs, {"cell": cell_name(event.cell)}


def _stranded(event: events.Stranded) -> _Line:
    yours = gettext("You can neither explore nor land: a last Reward phase begins.")
    return yours, gettext("%(name)s can neither explore nor land: a last Reward phase begins."), {}


def _revealed(event: events.ObjectiveRevealed) -> _Line:
    yours, theirs = gettext("You reveal: %(objective)s."), gettext("%(name)s reveals: %(objective)s.")
    return yours, theirs, {"objective": cards_text(event.cards)}


@dataclass(frozen=True, slots=True)
class HouseOn(events.HousePlaced):
    """A House that was placed, with the name its island has now."""

    island: str


def located(event: Event, state: State) -> Event:
    """Return an event as it is told once the match has come this far."""
    return on_its_island(event, state.table)


def on_its_island(event: Event, table: Table) -> Event:
    """Return the event that a House was placed with the name of its island, and any other as it is."""
    if not isinstance(event, events.HousePlaced):
        return event
    name = island_name(table.board, table.islands.of(event.site))
    return HouseOn(event.seen_by, event.seat, event.site, event.size, event.points, name)


def _house(event: events.HousePlaced) -> _Line:
    if event.points:
        yours = gettext("You place a House on an island of %(tiles)s: %(points)s.")
        theirs = gettext("%(name)s places a House on an island of %(tiles)s: %(points)s.")
    else:  # the discovery tokens drawn have a line of their own
        yours = gettext("You place a House on an island of %(tiles)s.")
        theirs = gettext("%(name)s places a House on an island of %(tiles)s.")
    return yours, theirs, {"tiles": tiles_text(event.size), "points": points_text(event.points)}


def _house_on(event: HouseOn) -> _Line:
    if event.points:
        yours = gettext("You place a House on %(island)s (%(tiles)s): %(points)s.")
        theirs = gettext("%(name)s places a House on %(island)s (%(tiles)s): %(points)s.")
    else:
        yours = gettext("You place a House on %(island)s (%(tiles)s).")
        theirs = gettext("%(name)s places a House on %(island)s (%(tiles)s).")
    words = {"island": event.island, "tiles": tiles_text(event.size), "points": points_text(event.points)}
    return yours, theirs, words


def _discovery(event: events.DiscoveryDrawn) -> _Line:
    yours = ngettext(
        "You draw %(count)s discovery token and keep it; it counts at the end.",
        "You draw %(count)s discovery tokens and keep the best; it counts at the end.",
        event.drawn,
    )
    theirs = ngettext(
        "%(name)s draws %(count)s discovery token and keeps it: %(least)s to %(most)s points at the end.",
        "%(name)s draws %(count)s discovery tokens and keeps the best: %(least)s to %(most)s points at the end.",
        event.drawn,
    )
    return yours, theirs, {"count": event.drawn, "least": min(DISCOVERY_TOKENS), "most": max(DISCOVERY_TOKENS)}


def _value(event: events.DiscoveryKept) -> _Line:
    yours = gettext("Until the end only you see: the token is worth %(points)s.")
    theirs = gettext("Only %(name)s sees: the token is worth %(points)s.")
    return yours, theirs, {"points": points_text(event.value)}


def _settled(event: events.Settled) -> _Line:
    return ("", "", {}) if event.placed else (gettext("You place no House."), gettext("%(name)s places no House."), {})


def _of_nobody(text: str) -> _Line:
    return text, text, {}


_LINES: Mapping[type[Event], Callable[[Any], _Line]] = {
    events.SetUp: lambda event: _of_nobody(gettext("The tiles are shuffled and dealt.")),
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
    HouseOn: _house_on,
    events.DiscoveryDrawn: _discovery,
    events.DiscoveryKept: _value,
    events.Settled: _settled,
    events.ExpeditionShuffled: lambda event: _of_nobody(gettext("The expedition cards are reshuffled.")),
    events.ExpeditionDrawn: lambda event: _of_nobody(
        gettext("Alexis draws: %(card)s.") % {"card": expedition_text(event.card)}
    ),
}
"""The events with a line in the log. Tiles turned up, and a player's own tiles and cards, are seen on the board."""


def _finished(event: events.Finished, names: Sequence[str], reader: Viewer) -> str:
    totals = tuple(tally.total for tally in event.tallies)
    if len(names) < len(totals):
        text = solo_result(names[0], *totals, mine=reader == 0)
    else:
        text = result(names, Outcome(event.places, totals, event.end), reader)
    return f"{_ENDS[event.end]} {text}"


# --- names of islands -------------------------------------------------------------------------------------------------

NAMES = (
    "Arran", "Burano", "Capri", "Delos", "Elba", "Fogo", "Gozo", "Hydra", "Iona", "Juist", "Kos", "Lipari", "Mull",
    "Naxos", "Oland", "Ponza", "Rhodos", "Samos", "Texel", "Ulva", "Vis", "Wight", "Yell", "Zante",
    "Andros", "Bute", "Cres", "Djerba", "Eigg", "Fano", "Giglio", "Hoy", "Ithaka", "Jura", "Kythera", "Lewis",
    "Murano", "Norderney", "Orust", "Paros", "Rab", "Skye", "Tinos", "Ustica", "Vulcano", "Yeu",
)  # fmt: skip
"""Proper names, the same in every language. When all are taken, the next island is "Arran 2"."""

_REMEMBERED = 1024


def island_name(board: Board, island: Island) -> str:
    """Return the name of an island on this board: that of a real small island, in the order in which islands began.

    It keeps the name of its first tile however it grows; where two join, the older one's name stays.
    """
    again, number = divmod(_begun(board).index(island.sites[0]), len(NAMES))
    return f"{NAMES[number]} {again + 1}" if again else NAMES[number]


@lru_cache(maxsize=_REMEMBERED)
def _begun(board: Board) -> tuple[Site, ...]:
    """Return the regions that began an island, in the order in which they were placed: those that joined no other."""
    if not board:
        return ()
    before, placed = board[:-1], board[-1]
    joined = {site for site, _other in joints(before, placed)}
    return (*_begun(before), *(site for site, _symbols in printed(placed) if site not in joined))
