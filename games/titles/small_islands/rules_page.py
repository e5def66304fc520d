"""The pictures on the page of rules: examples, which the rules play, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.engine.fair import FairChance
from games.engine.protocol import complete_options
from games.titles.phrases import points_text
from games.titles.regions import joined
from games.titles.small_islands import GAME
from games.titles.small_islands.board import map_drawing, wording
from games.titles.small_islands.board.drawing import card_picture, house_picture, picture, sign
from games.titles.small_islands.board.map_drawing import Outline
from games.titles.small_islands.rules import REFUSALS, alexis, components
from games.titles.small_islands.rules.components import GREY_SHIP, OWN_SHIP, Cell, around, fulfils, is_discovery, points
from games.titles.small_islands.rules.islands import Board, Island, Islands, Placed, Site, Token, islands, placement
from games.titles.small_islands.rules.rounds import AUTOMATIC_START, EXPLORE_CARDS, LAND_CARD, LARGE, REACHES, SMALL
from games.titles.small_islands.rules.scoring import CARDS, ports_around
from games.titles.small_islands.rules.state import House, State, Table

# --- the examples, played by the rules ------------------------------------------------------------------------------

_SEED: Final = bytes(range(32))


def _placed(text: str) -> Placed:
    """Return a tile written "face x y turn"."""
    face, x, y, turn = text.split()
    return Placed(face, Cell(int(x), int(y)), int(turn), 0)


def _board(tiles: str, start: Board = AUTOMATIC_START) -> Board:
    return (*start, *map(_placed, filter(None, tiles.split(";"))))


_GROWN: Final = "24 0 -1 3;44 -1 0 0;23 2 0 2"
_RING: Final = "7 0 0 1;1 0 1 3;2 1 1 2;3 2 1 3;8 2 0 0;10 0 -1 2;11 2 -1 3"
BOARDS: Final[Mapping[str, Board]] = {
    "start": AUTOMATIC_START,
    "grown": _board(_GROWN),
    "channel": _board("38 0 -1 3"),
    "isthmus": _board("35 0 -1 3"),
    "edge": _board("15 4 0 0;16 5 0 0", ()),
    "apart": _board(_RING, ()),
    "joined": _board(f"{_RING};15 1 0 0", ()),
    "landed": (*_board(_GROWN), Placed(OWN_SHIP, Cell(0, 2), 0, 0)),
}
"""Tiles as they lie, in the order in which they were placed."""

LAND_CARDS: Final[int] = components.COMPONENTS["solo"]["expedition"]["land"]
"""How many of the expedition cards land."""

REACH: Final = {"edge": REACHES[SMALL]}

PLACES: Final = {
    "fits": ("start", "18 1 -1 0"),
    "coast": ("start", "56 1 -1 0"),
    "diagonal": ("start", "18 2 2 0"),
    "edge": ("edge", "17 6 0 0"),
}
"""Tiles that are to be placed: on which board, and where."""

TOKENS: Final[Mapping[str, tuple[Token, ...]]] = {
    "": (),
    "leaf": (Token(0, "leaf", "leaf", Site(Cell(0, -1), 0), "flower"),),
    "port": (Token(0, "fruit", "port", Site(Cell(0, -1), 0), "N"),),
}
HOUSES: Final[Mapping[str, tuple[House, ...]]] = {
    "": (),
    "one": (House(0, 1, Site(Cell(0, 0), 0), 1, 1, 5),),
    "joined": (House(0, 1, Site(Cell(0, 0), 0), 9, 9, 6), House(0, 2, Site(Cell(2, 0), 0), 9, 9, 6)),
}

WEST, EAST = Site(Cell(0, 0), 0), Site(Cell(1, 0), 0)
"""A region of each of the two islands of most examples."""


def lying(name: str, tokens: str = "") -> Islands:
    """Return the islands of a board with some tokens."""
    return islands(BOARDS[name], TOKENS[tokens])


def example_island(name: str, site: Site = WEST, tokens: str = "") -> Island:
    """Return the island of a region."""
    return lying(name, tokens).of(site)


def example_place(name: str) -> tuple[Board, Placed, str | None]:
    """Return a board, a tile that is to be placed there, and the code of the rule against it, None if it fits."""
    board, text = PLACES[name]
    placed = _placed(text)
    found = placement(BOARDS[board], REACH.get(board, REACHES[LARGE]))
    return BOARDS[board], placed, found.refusal(placed.face, placed.cell, placed.turn)


def start(seats: int) -> State:
    """Return a match that has just begun; alone against Alexis in the morning."""
    chosen = {"alexis": "morning"} if seats == 1 else {}
    return GAME.start(seats, complete_options(GAME, seats, chosen), FairChance(_SEED, 0)).state


@cache
def alone() -> State:
    """Return a match against Alexis in the middle of its exploration, on the board of most examples."""
    state = start(1)
    table = replace(state.table, phase="explore", turn=1, board=BOARDS["grown"], row=(27, 41, 8), navigation=0)
    return replace(state, table=table)


def alone_with(board: Board) -> Table:
    """Return a table with these tiles and no tokens."""
    return replace(alone().table, board=board)


def example_explored(slot: int, target: str) -> Placed:
    """Return where Alexis places the face-up tile of a slot.

    Raises:
        ValueError: the tile fits nowhere, so the example is wrong.
    """
    table = alone().table
    tile = table.row[slot - 1]
    found = None if tile is None else alexis.best_place(table, tile, target)
    if found is None:
        raise ValueError("This tile fits nowhere.")
    return found


def example_landed() -> Placed:
    """Return where Alexis lands."""
    return Placed(GREY_SHIP, alexis.landing(alone().table).cell, 0, 1)


# --- how they are drawn ---------------------------------------------------------------------------------------------

_ARROW = mark_safe('<span aria-hidden="true">→</span>')


def _drawing(*parts: SafeString) -> SafeString:
    return format_html('<div class="drawing">{}</div>', joined(parts))


def _told(lines: Iterable[str]) -> SafeString:
    return format_html('<ul role="list" class="told">{}</ul>', joined(format_html("<li>{}</li>", it) for it in lines))


# --- maps -----------------------------------------------------------------------------------------------------------


@cache
def board(name: str, tokens: str, houses: str, language: str | None) -> SafeString:
    """Return a map of the examples, and its islands in words, the larger ones first."""
    return _drawing(_map(name, tokens, HOUSES[houses]), _told(_islands(name, tokens)))


def _map(name: str, tokens: str = "", houses: Sequence[House] = (), outlines: Sequence[Outline] = ()) -> SafeString:
    """Draw a map that is named by what lies on it."""
    text = "; ".join(_islands(name, tokens))
    laid = BOARDS[name], TOKENS[tokens]
    return map_drawing.picture(*laid, houses, outlines, text, REACH.get(name))


def _islands(name: str, tokens: str = "") -> list[str]:
    return [island_text(island) for island in sorted(lying(name, tokens).all, key=lambda it: -it.size)]


def island_text(island: Island) -> str:
    """Return an island in words: "3 tiles: flower 2, leaf 1"."""
    counted = {"tiles": wording.tiles_text(island.size), "symbols": wording.symbols_text(island.symbols)}
    return gettext("%(tiles)s: %(symbols)s") % counted


@cache
def place(name: str, language: str | None) -> SafeString:
    """Return a tile that is to be placed on a map, and whether it may be."""
    lying, placed, refused = example_place(name)
    outline = Outline(placed.cell, "no" if refused else "yes")
    shown = (*lying, placed)
    text = gettext(REFUSALS[refused]) if refused else gettext("fits")
    reach = REACH.get(PLACES[name][0])
    verdict = format_html('<b class="{} sum">{}</b>', outline.kind, text)
    return _drawing(map_drawing.picture(shown, (), (), (outline,), text, reach), verdict)


@cache
def token(name: str, language: str | None) -> SafeString:
    """Return what a bonus token changes: the island before and after it was laid."""
    (laid,) = TOKENS[name]
    ring = (Outline(laid.site.cell, "yes"),)
    lines = [island_text(example_island("grown", WEST, tokens)) for tokens in ("", name)]
    return _drawing(
        format_html('<span class="token">{}{}</span>', sign(laid.name), gettext("token")),
        _ARROW,
        _map("grown", name, (), ring),
        _told(
            (gettext("before: %(island)s") % {"island": lines[0]}, gettext("after: %(island)s") % {"island": lines[1]})
        ),
    )


@cache
def landed(language: str | None) -> SafeString:
    """Return a ship in colour with the eight cells around it, and the Ports that lie there."""
    lying = BOARDS["landed"]
    (ship,) = (placed for placed in lying if placed.face == OWN_SHIP)
    found = ports_around(alone_with(lying), ship.cell)
    outlines = [Outline(ship.cell, "yes"), *(Outline(cell, "near") for cell in around(ship.cell))]
    text = gettext("Ports around the ship: %(count)s") % {"count": found}
    return _drawing(_map("landed", "", (), outlines), _told((text,)))


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def missions(language: str | None) -> SafeString:
    """Return two islands and for every mission which of them fulfils it."""
    verdict = '<td><span class="{}">{}</span></td>'
    verdicts = {True: format_html(verdict, "yes", gettext("yes")), False: format_html(verdict, "no", gettext("no"))}
    pair = [example_island("grown", site) for site in (WEST, EAST)]
    rows = joined(
        format_html(
            '<tr><th scope="row">{}<span>{}</span></th>{}</tr>',
            card_picture("mission", number), wording.mission_text(number),
            joined(verdicts[fulfils(number, island.symbols)] for island in pair),
        )
        for number in components.MISSIONS
    )  # fmt: skip
    return _table((gettext("Mission"), gettext("western"), gettext("eastern")), rows)


@cache
def rewards(language: str | None) -> SafeString:
    """Return every reward with what it brings on the two islands."""
    pair = [example_island("grown", site) for site in (WEST, EAST)]
    rows = joined(
        format_html(
            '<tr><th scope="row">{}<span>{}</span></th>{}</tr>',
            card_picture("reward", number), wording.reward_text(number),
            joined(format_html("<td>{}</td>", gain(number, island)) for island in pair),
        )
        for number in components.REWARDS
    )  # fmt: skip
    return _table((gettext("Reward"), gettext("western"), gettext("eastern")), rows)


def gain(reward: int, island: Island) -> str:
    """Return what a reward brings on an island: points, or discovery tokens."""
    if is_discovery(reward):
        return wording.gain_text(0, island.symbols.temple)
    return points_text(points(reward, island.size, island.symbols))


def _table(heads: Sequence[str], rows: SafeString) -> SafeString:
    head = joined(format_html('<th scope="col">{}</th>', text) for text in heads)
    return format_html('<table class="ledger"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>', head, rows)


@cache
def discoveries(language: str | None) -> SafeString:
    """Return the discovery tokens with their values."""
    item = '<li><span class="worth">{}{}</span></li>'
    tokens = joined(format_html(item, sign("discovery"), value) for value in components.DISCOVERY_TOKENS)
    return _drawing(format_html('<ul role="list">{}</ul>', tokens))


@cache
def hand(language: str | None) -> SafeString:
    """Return what lies face up and what the first player holds when a match of two begins."""
    state = start(2)
    rows = ((gettext("Face up"), [tile for tile in state.table.row if tile]), (gettext("Your hand"), state.hands[0]))
    return _drawing(joined(
        format_html('<div class="titled"><span>{}</span><span class="tiles">{}</span></div>', title, _tiles(tiles))
        for title, tiles in rows
    ))  # fmt: skip


def _tiles(tiles: Iterable[int]) -> SafeString:
    return joined(picture(str(tile)) for tile in tiles)


@cache
def settled(language: str | None) -> SafeString:
    """Return a House on an island that fulfils the first objective, and what it brings."""
    island = example_island("grown")
    lines = (wording.mission_text(1), wording.reward_text(1), gain(1, island))
    return _drawing(_map("grown", "", HOUSES["one"]), _told((island_text(island), *lines)))


# --- Alexis ---------------------------------------------------------------------------------------------------------


@cache
def alexis_cards(language: str | None) -> SafeString:
    """Return the rows of a table: the three cards Alexis can play by."""
    rows = []
    for name, card in CARDS.items():
        numbers = (card["explore"], card["land"], card["houses_per_reward"])
        rows.append(
            format_html(
                '<tr><th scope="row">{} {}</th>{}<td class="words">{}</td><td>{}</td></tr>',
                gettext(_ALEXIS[name]),
                "★" * card["stars"],
                joined(format_html("<td>{}</td>", number) for number in numbers),
                ", ".join(str(wording.PREFERENCES[name]) for name in card["prefers"]),
                card["end_points"],
            )
        )
    return joined(rows)


_ALEXIS = {"morning": "Morning (easy)", "afternoon": "Afternoon (medium)", "night": "Night (hard)"}
"""The labels of the option, which are translated with it."""


@cache
def expedition(language: str | None) -> SafeString:
    """Return all expedition cards: the ten that explore and the five that land."""
    cards = [
        *map(wording.expedition_text, EXPLORE_CARDS),
        f"{LAND_CARDS} × {wording.expedition_text(LAND_CARD)}",
    ]
    return _drawing(format_html(
        '<ul role="list" class="expedition">{}</ul>', joined(format_html("<li>{}</li>", text) for text in cards)
    ))  # fmt: skip


@cache
def explored(slot: int, target: str, language: str | None) -> SafeString:
    """Return where Alexis places a face-up tile for a target."""
    placed = example_explored(slot, target)
    number = next(number for number, card in EXPLORE_CARDS.items() if (card["slot"], card["target"]) == (slot, target))
    text = wording.expedition_text(number)
    shown = (*BOARDS["grown"], placed)
    outline = Outline(placed.cell, "yes")
    row = [tile for tile in alone().table.row if tile]
    tiles = format_html('<span class="tiles">{}</span>', _tiles(row))
    return _drawing(tiles, _ARROW, map_drawing.picture(shown, (), (), (outline,), text, None), _told((text,)))


@cache
def alexis_landed(language: str | None) -> SafeString:
    """Return where Alexis lands, and how many Ports are around his ship."""
    table, ship = alone().table, example_landed()
    found = ports_around(table, ship.cell)
    text = gettext("Ports around the ship: %(count)s") % {"count": found}
    shown = (*BOARDS["grown"], ship)
    return _drawing(map_drawing.picture(shown, (), (), (Outline(ship.cell, "yes"),), text, None), _told((text,)))


@cache
def seats(language: str | None) -> SafeString:
    """Return the Houses of the four seats, which differ in colour and shape."""
    return _drawing(joined(format_html('<span class="big-house">{}</span>', house_picture(seat)) for seat in range(4)))
