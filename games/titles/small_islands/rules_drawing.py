"""The pictures of the rules, drawn from the sprite and from what the rules make of the examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.titles.phrases import points_text
from games.titles.regions import joined
from games.titles.small_islands import examples, map_drawing, wording
from games.titles.small_islands.drawing import card_picture, house_picture, picture, sign
from games.titles.small_islands.geometry import around
from games.titles.small_islands.islands import Island
from games.titles.small_islands.map_drawing import Outline
from games.titles.small_islands.objectives import DISCOVERY_TOKENS, MISSIONS, REWARDS, fulfils, is_discovery, points
from games.titles.small_islands.refusals import REFUSALS
from games.titles.small_islands.scoring import CARDS, ports_around
from games.titles.small_islands.setup import EXPLORE_CARDS, LAND_CARD
from games.titles.small_islands.state import House
from games.titles.small_islands.tiles import OWN_SHIP

_ARROW = mark_safe('<span aria-hidden="true">→</span>')


def _drawing(*parts: SafeString) -> SafeString:
    return format_html('<div class="drawing">{}</div>', joined(parts))


def _told(lines: Iterable[str]) -> SafeString:
    return format_html('<ul role="list" class="told">{}</ul>', joined(format_html("<li>{}</li>", it) for it in lines))


def _verdict(refused: str | None) -> SafeString:
    if refused is None:
        return format_html('<b class="yes sum">{}</b>', gettext("fits"))
    return format_html('<b class="no sum">{}</b>', gettext(REFUSALS[refused]))


# --- maps -----------------------------------------------------------------------------------------------------------


@cache
def board(name: str, tokens: str, houses: str, language: str | None) -> SafeString:
    """Return a map of the examples, and its islands in words, the larger ones first."""
    return _drawing(_map(name, tokens, examples.HOUSES[houses]), _told(_islands(name, tokens)))


def _map(name: str, tokens: str = "", houses: Sequence[House] = (), outlines: Sequence[Outline] = ()) -> SafeString:
    """Draw a map that is named by what lies on it."""
    said = "; ".join(_islands(name, tokens))
    laid = examples.BOARDS[name], examples.TOKENS[tokens]
    return map_drawing.picture(*laid, houses, outlines, said, examples.REACH.get(name))


def _islands(name: str, tokens: str = "") -> list[str]:
    return [island_text(island) for island in sorted(examples.lying(name, tokens).all, key=lambda it: -it.size)]


def island_text(island: Island) -> str:
    """Return an island in words: "3 tiles: flower 2, leaf 1"."""
    counted = {"tiles": wording.tiles_text(island.size), "symbols": wording.symbols_text(island.symbols)}
    return gettext("%(tiles)s: %(symbols)s") % counted


@cache
def place(name: str, language: str | None) -> SafeString:
    """Return a tile that is to be placed on a map, and whether it may be."""
    lying, placed, refused = examples.place(name)
    outline = Outline(placed.cell, "no" if refused else "yes")
    shown = (*lying, placed)
    said = gettext(REFUSALS[refused]) if refused else gettext("fits")
    reach = examples.REACH.get(examples.PLACES[name][0])
    return _drawing(map_drawing.picture(shown, (), (), (outline,), said, reach), _verdict(refused))


@cache
def token(name: str, language: str | None) -> SafeString:
    """Return what a bonus token changes: the island before and after it was laid."""
    (laid,) = examples.TOKENS[name]
    ring = (Outline(laid.site.cell, "yes"),)
    lines = [island_text(examples.island("grown", examples.WEST, tokens)) for tokens in ("", name)]
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
    lying = examples.BOARDS["landed"]
    (ship,) = (placed for placed in lying if placed.face == OWN_SHIP)
    found = ports_around(examples.alone_with(lying), ship.cell)
    outlines = [Outline(ship.cell, "yes"), *(Outline(cell, "near") for cell in around(ship.cell))]
    said = gettext("Ports around the ship: %(count)s") % {"count": found}
    return _drawing(_map("landed", "", (), outlines), _told((said,)))


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def missions(language: str | None) -> SafeString:
    """Return two islands and for every mission which of them fulfils it."""
    pair = [examples.island("grown", site) for site in (examples.WEST, examples.EAST)]
    rows = joined(
        format_html(
            '<tr><th scope="row">{}<span>{}</span></th>{}</tr>',
            card_picture("mission", number), wording.mission_text(number),
            joined(_fulfils(number, island) for island in pair),
        )
        for number in MISSIONS
    )  # fmt: skip
    return _table((gettext("Mission"), gettext("western"), gettext("eastern")), rows)


def _fulfils(mission: int, island: Island) -> SafeString:
    kind, said = ("yes", gettext("yes")) if fulfils(mission, island.symbols) else ("no", gettext("no"))
    return format_html('<td><span class="{}">{}</span></td>', kind, said)


@cache
def rewards(language: str | None) -> SafeString:
    """Return every reward with what it brings on the two islands."""
    pair = [examples.island("grown", site) for site in (examples.WEST, examples.EAST)]
    rows = joined(
        format_html(
            '<tr><th scope="row">{}<span>{}</span></th>{}</tr>',
            card_picture("reward", number), wording.reward_text(number),
            joined(format_html("<td>{}</td>", gain(number, island)) for island in pair),
        )
        for number in REWARDS
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
    tokens = joined(
        format_html('<li><span class="worth">{}{}</span></li>', sign("discovery"), value) for value in DISCOVERY_TOKENS
    )
    return _drawing(format_html('<ul role="list">{}</ul>', tokens))


@cache
def hand(language: str | None) -> SafeString:
    """Return what lies face up and what the first player holds when a match of two begins."""
    state = examples.start(2)
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
    island = examples.island("grown")
    lines = (wording.mission_text(1), wording.reward_text(1), gain(1, island))
    return _drawing(_map("grown", "", examples.HOUSES["one"]), _told((island_text(island), *lines)))


# --- Alexis ---------------------------------------------------------------------------------------------------------


@cache
def alexis_cards(language: str | None) -> SafeString:
    """Return the rows of a table: the three cards Alexis can play by."""
    return joined(map(_alexis_row, CARDS))


def _alexis_row(name: str) -> SafeString:
    card = CARDS[name]
    prefers = ", ".join(str(wording.preference_text(liked)) for liked in card["prefers"])
    numbers = (card["explore"], card["land"], card["houses_per_reward"])
    return format_html(
        '<tr><th scope="row">{} {}</th>{}<td class="words">{}</td><td>{}</td></tr>',
        gettext(_ALEXIS[name]), "★" * card["stars"],
        joined(format_html("<td>{}</td>", number) for number in numbers), prefers, card["end_points"],
    )  # fmt: skip


_ALEXIS = {"morning": "Morning (easy)", "afternoon": "Afternoon (medium)", "night": "Night (hard)"}
"""The labels of the option, which are translated with it."""


@cache
def expedition(language: str | None) -> SafeString:
    """Return all expedition cards: the ten that explore and the five that land."""
    cards = [
        *map(wording.expedition_text, EXPLORE_CARDS),
        f"{examples.LAND_CARDS} × {wording.expedition_text(LAND_CARD)}",
    ]
    return _drawing(format_html(
        '<ul role="list" class="expedition">{}</ul>', joined(format_html("<li>{}</li>", text) for text in cards)
    ))  # fmt: skip


@cache
def explored(slot: int, target: str, language: str | None) -> SafeString:
    """Return where Alexis places a face-up tile for a target."""
    placed = examples.explored(slot, target)
    number = next(number for number, card in EXPLORE_CARDS.items() if (card["slot"], card["target"]) == (slot, target))
    said = wording.expedition_text(number)
    shown = (*examples.BOARDS["grown"], placed)
    outline = Outline(placed.cell, "yes")
    row = [tile for tile in examples.alone().table.row if tile]
    tiles = format_html('<span class="tiles">{}</span>', _tiles(row))
    return _drawing(tiles, _ARROW, map_drawing.picture(shown, (), (), (outline,), said, None), _told((said,)))


@cache
def alexis_landed(language: str | None) -> SafeString:
    """Return where Alexis lands, and how many Ports are around his ship."""
    table, ship = examples.alone().table, examples.landed()
    found = ports_around(table, ship.cell)
    said = gettext("Ports around the ship: %(count)s") % {"count": found}
    shown = (*examples.BOARDS["grown"], ship)
    return _drawing(map_drawing.picture(shown, (), (), (Outline(ship.cell, "yes"),), said, None), _told((said,)))


@cache
def seats(language: str | None) -> SafeString:
    """Return the Houses of the four seats, which differ in colour and shape."""
    return _drawing(joined(_houses()))


def _houses() -> Iterator[SafeString]:
    for seat in range(4):
        yield format_html('<span class="big-house">{}</span>', house_picture(seat))
