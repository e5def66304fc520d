"""What is shown beside the map: the islands, the Reward phase, the players, cards and tiles, and the final count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing, points_text
from games.titles.regions import joined, region
from games.titles.small_islands.board import drawing, wording
from games.titles.small_islands.board.drawing import card_picture, house_picture, picture, sign
from games.titles.small_islands.board.wording import name_of
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import (
    FACES,
    OBJECTIVES,
    RESOURCES,
    SHIP_FACES,
    Objective,
    objective_of,
)
from games.titles.small_islands.rules.exploration import PORTS_ON_A_TILE
from games.titles.small_islands.rules.islands import Island, tiles_at
from games.titles.small_islands.rules.notation import OWN, write_site
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import FACE_OF, House, Table, ships_left
from games.titles.small_islands.rules.view import View

# --- how far the match has come -------------------------------------------------------------------------------------


def progress(view: View, names: Sequence[str], language: str | None) -> str:
    """Return in one line how far the match has come; when not everybody can land any more, also who can."""
    table = view.table
    able = tuple(names[seat] for seat in range(table.seats) if ships_left(table, seat))
    ships = table.grey_ships_left + sum(table.own_ship_left(seat) for seat in range(table.seats))
    owners = able if able and not table.grey_ships_left and len(able) < table.players else ()
    return _progress((table.round, table.navigation, view.reserve, ships), owners, language)


@lru_cache(maxsize=1024)
def _progress(numbers: tuple[int, int, int, int], owners: tuple[str, ...], language: str | None) -> str:
    """Return it in words: the round, then how many tiles and ships are left."""
    number, navigation, reserve, ships = numbers
    left = gettext("Ships %(count)s") % {"count": ships}
    parts = (
        gettext("Round %(round)s/4") % {"round": number},
        gettext("Navigation %(count)s") % {"count": navigation},
        gettext("Reserve %(count)s") % {"count": reserve},
        f"{left} ({', '.join(owners)})" if owners else left,
    )
    return escape(" · ".join(parts))


# --- the islands -----------------------------------------------------------------------------------------------------

_COUNTED = ("flower", "fruit", "leaf", "temple", "port")
_NOT = {
    "island-too-small": _("too small for a House"),
    "mission-not-fulfilled": _("does not fulfil your mission"),
    "house-there-already": _("you have a House there"),
    "no-free-house-symbol": _("no free house place"),
}
"""Why an island brings nothing now."""


class Entry(NamedTuple):
    """What a row says about an island.

    Args:
        name: where its topmost tile lies.
        island: the island.
        residents: the seats that have a House there, with their names.
        gain: for a viewer with an objective: the code of why it brings nothing, points, discovery tokens.
    """

    name: str
    island: Island
    residents: tuple[tuple[int, str], ...]
    gain: tuple[str | None, int, int] | None


def islands(
    view: View, names: Sequence[str], language: str | None, hints: bool = True
) -> tuple[list[SafeString], list[SafeString]]:
    """Return a row for each island, the largest first; those of a single tile apart.

    With hints each says what the viewer's objective would bring.
    """
    found = view.table.islands.all
    hoped = view.prospects if hints and view.table.phase != "over" else ()
    prospects: Sequence[Prospect | None] = hoped or (None,) * len(found)
    pairs = sorted(zip(found, prospects, strict=True), key=lambda pair: -pair[0].size)
    shown = [(island.size, _row(_entry(view, island, gain, names), language)) for island, gain in pairs]
    return [row for size, row in shown if size > 1], [row for size, row in shown if size == 1]


def _entry(view: View, island: Island, prospect: Prospect | None, names: Sequence[str]) -> Entry:
    settled = view.table.residents(island.sites)
    gain = None
    if prospect is not None:  # that it was settled comes first: no other mission changes that
        refusal = "house-there-already" if view.viewer in settled else prospect.refusal
        gain = (refusal, prospect.points, prospect.tokens)
    first = min(island.sites, key=lambda site: site.reading_order)
    name = wording.site_name(first, tiles_at(view.table.board)[first.cell].turn)
    return Entry(name, island, tuple((seat, name_of(seat, names)) for seat in sorted(settled)), gain)


@lru_cache(maxsize=4096)
def _row(entry: Entry, language: str | None) -> SafeString:
    """Return an island as a button, which says everything in one sentence and shows it in numbers and symbols."""
    island, symbols = entry.island, entry.island.symbols
    parts = [
        gettext("Island at %(cell)s: %(tiles)s, %(symbols)s")
        % {"cell": entry.name, "tiles": wording.tiles_text(island.size), "symbols": wording.symbols_text(symbols)}
    ]
    if entry.residents:
        parts.append(gettext("Houses of %(names)s") % {"names": listing(name for _seat, name in entry.residents)})
    gain: SafeString | str = ""
    if entry.gain is not None:
        refusal, points, tokens = entry.gain
        if refusal is not None:
            parts.append(str(_NOT[refusal]))
            gain = format_html('<i class="not">✗ {}</i>', _NOT[refusal])
        else:
            parts.append(gettext("now it would score %(gain)s") % {"gain": wording.gain_text(points, tokens)})
            gain = format_html('<i class="yes">✓ {}</i>', f"{tokens} ★" if tokens else f"+{points}")
    first = min(island.sites, key=lambda site: site.reading_order)
    numbers = [("size", island.size), *((name, symbols.of(name)) for name in _COUNTED)]
    drawn = format_html(
        '<li id="isle-{}"><button type="button" class="island" data-land="{}">'
        '<span class="visually-hidden">{}</span><span aria-hidden="true"><b>{}</b>{}{}{}</span></button></li>',
        write_site(first).replace(",", "_").replace(".", "_"),
        " ".join(map(write_site, island.sites)),
        "; ".join(parts),
        entry.name,
        joined(format_html("<span>{}{}</span>", sign(name), number) for name, number in numbers if number),
        joined(house_picture(seat) for seat, _name in entry.residents),
        gain,
    )
    return region(drawn)


# --- the Reward phase -----------------------------------------------------------------------------------------------


def reward_phase(table: Table, names: Sequence[str], language: str | None) -> list[SimpleNamespace]:
    """Return in turn order what everybody revealed and placed in the latest Reward phase; [] before the first."""
    past = table.phase not in {"reward", "over"}
    number = table.round - past
    if not number:
        return []
    drawn = {found.house: found.drawn for found in table.discoveries}
    shown, first = [], table.starter - past  # the round begins with the player after the one who landed
    for seat in ((first + step) % table.players for step in range(table.players)):
        cards = table.revealed[seat] if seat < table.seats else ()
        houses = [
            (_place_name(table, house), house.points, drawn.get(index, 0))
            for index, house in enumerate(table.houses)
            if house.seat == seat and house.round == number
        ]
        points, tokens = sum(gain for _, gain, _ in houses), sum(count > 0 for _, _, count in houses)
        shown.append(
            SimpleNamespace(
                seat=seat,
                name=name_of(seat, names),
                card=card(objective_of(cards), language) if cards else "",
                houses=houses_told(tuple(houses), language),
                gained=wording.gained_text(points, tokens) if cards or houses else "",
                now=table.phase == "reward" and table.turn == seat,
                waits=table.phase == "reward" and seat < table.seats and not cards,
            )
        )
    return shown


def _place_name(table: Table, house: House) -> str:
    return wording.site_name(house.site, tiles_at(table.board)[house.site.cell].turn)


@lru_cache(maxsize=1024)
def houses_told(houses: tuple[tuple[str, int, int], ...], language: str | None) -> SafeString:
    """Return in one line for each House where it was placed and what it brought."""
    template = gettext("on %(cell)s: %(points)s")
    return joined(
        format_html("<li>{}</li>", template % {"cell": name, "points": wording.gain_text(points, tokens)})
        for name, points, tokens in houses
    )


# --- players --------------------------------------------------------------------------------------------------------


def supplies(view: View, names: Sequence[str], language: str | None) -> list[SimpleNamespace]:
    """Return what everybody has left: Houses, bonus tokens, their own ship."""
    table, shown = view.table, []
    for seat in range(table.players):
        human = seat < table.seats
        houses = (table.houses_in_hand(seat), table.houses_in_reserve(seat))
        tokens = table.tokens_left(seat) if human else ()
        shown.append(
            SimpleNamespace(
                seat=seat,
                name=name_of(seat, names),
                turn=table.phase in {"start", "explore", "reward"} and table.turn == seat,
                chosen=table.phase == "choose" and human and table.chosen[seat],
                left=_left(seat, tokens, houses, table.own_ship_left(seat), language),
            )
        )
    return shown


@lru_cache(maxsize=1024)
def _left(
    seat: int, tokens: tuple[str, ...], houses: tuple[int, int], own_ship: bool, language: str | None
) -> SafeString:
    """Return in pictures and words what a player has left; Houses are those in hand and for later."""
    in_hand, later = houses
    words = {"houses": wording.houses_text(in_hand), "later": later}
    parts = [gettext("%(houses)s in hand, %(later)s for later") % words]
    if tokens:
        parts.append(gettext("bonus tokens: %(names)s") % {"names": ", ".join(map(wording.symbol_name, tokens))})
    if own_ship:
        parts.append(gettext("own ship"))
    drawn = joined(
        (
            house_picture(seat),
            format_html("{}+{}", in_hand, later),
            *map(sign, tokens),
            sign("ship") if own_ship else SafeString(""),
        )
    )
    return format_html(
        '<span class="left" aria-hidden="true">{}</span><span class="visually-hidden">{}</span>',
        drawn,
        "; ".join(parts),
    )


def alexis(view: View, lines: Sequence[str]) -> SimpleNamespace | None:
    """Return the card Alexis plays by, what he did last, and his expedition stack; None when he does not play."""
    if view.table.alexis is None:
        return None
    return SimpleNamespace(
        card=wording.alexis_text(CARDS[view.table.alexis]),
        told=lines,
        expedition=gettext("Expedition cards: %(left)s left, %(drawn)s drawn")
        % {"left": view.expedition, "drawn": len(view.table.expedition_discards)},
        drawn=[wording.expedition_text(card) for card in reversed(view.table.expedition_discards)],
    )


# --- the end --------------------------------------------------------------------------------------------------------


def final_count(view: View, names: Sequence[str], language: str | None) -> list[SimpleNamespace]:
    """Return for everybody, the best first, where the points came from; [] before the match is over."""
    if view.outcome is None:
        return []
    tallies, places = view.tallies, (*view.outcome.places, 1)  # at equal points the player has lost
    values = {found.house: value for found, value in zip(view.table.discoveries, view.values, strict=True)}
    rows = []
    for seat in sorted(range(len(tallies)), key=lambda seat: (-tallies[seat].total, places[seat])):
        tally = tallies[seat]
        earned = [f"{gettext('Islands')} {tally.islands}"]
        if tally.discoveries:
            earned.append(f"{gettext('Discovery')} {tally.discoveries}")
        houses = [
            _house_told(view.table, house, (values[index] or 0) if index in values else None)
            for index, house in enumerate(view.table.houses)
            if house.seat == seat
        ]
        rows.append(
            SimpleNamespace(
                seat=seat, name=name_of(seat, names), tally=tally, earned=escape(", ".join(earned)), houses=houses
            )
        )
    return rows


def _house_told(table: Table, house: House, token: int | None) -> str:
    """Return where and for what a House was placed, and what it brought: perhaps a discovery token of this value."""
    points = points_text(house.points)
    if token is not None:
        points = gettext("discovery token, %(points)s") % {"points": points_text(token)}
    words = {"round": house.round, "cell": _place_name(table, house), "points": points}
    if not house.reward:
        return gettext("Round %(round)s, on %(cell)s: %(points)s") % words
    words["objective"] = wording.objective_text(Objective(house.mission, house.reward))
    return gettext("Round %(round)s, on %(cell)s: %(points)s (%(objective)s)") % words


_ANY_REWARD = 1
"""A reward to ask with where the mission alone matters."""


# --- cards ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def ruling(kind: str, number: int, language: str | None) -> SafeString:
    """Return a "mission" or a "reward" as a picture with words."""
    text = wording.mission_text(number) if kind == "mission" else wording.reward_text(number)
    return format_html('<span class="ruling {}">{}<span>{}</span></span>', kind, card_picture(kind, number), text)


@lru_cache(maxsize=512)
def card(objective: Objective, language: str | None) -> SafeString:
    """Return a mission with its reward as one card."""
    return joined((ruling("mission", objective.mission, language), ruling("reward", objective.reward, language)))


def kept(view: View, language: str | None, hints: bool = True) -> SimpleNamespace | None:
    """Return the viewer's own objective of this round and what it put aside; None when there is none.

    With hints it says what the objective would bring now.
    """
    if not view.kept:
        return None
    return SimpleNamespace(
        now=card(objective_of(view.kept), language),
        later=card(objective_of(view.aside), language),
        worth=worth(view, view.prospects, language) if hints else "",
    )


def choices(view: View, language: str | None, hints: bool = True) -> list[SimpleNamespace]:
    """Return deck by deck the cards the viewer chooses from; [] when there is nothing to choose.

    With hints each says what it would bring now.
    """
    titles = {"objectives": gettext("Objectives"), "missions": gettext("Missions"), "rewards": gettext("Rewards")}
    return [
        SimpleNamespace(
            name=deck, title=titles[deck], cards=[_offer(view, deck, card, language, hints) for card in cards]
        )
        for deck, cards in zip(components.decks(view.table.advanced), view.choices, strict=False)
    ]


def _offer(view: View, deck: str, number: int, language: str | None, hints: bool) -> SimpleNamespace:
    match deck:
        case "missions":
            face = ruling("mission", number, language)
            fit = view.prospects_of(Objective(number, _ANY_REWARD)) if hints else ()
            count = sum(prospect.refusal is None for prospect in fit)
            text = gettext("Now on %(islands)s.") % {"islands": wording.islands_text(count)}
        case "rewards":
            face, text = ruling("reward", number, language), _reward_worth(view, number)
        case _:
            objective = OBJECTIVES[number]
            face, text = card(objective, language), worth(view, view.prospects_of(objective), language)
    return SimpleNamespace(number=number, face=face, worth=text if hints else "")


def _reward_worth(view: View, number: int) -> str:
    large = [island for island in view.table.islands.all if island.size > 1]
    if components.is_discovery(number):
        most = max((island.symbols.temple for island in large), default=0)
        return gettext("Now at most %(tokens)s on one island.") % {"tokens": wording.tokens_text(most)}
    best = max((components.points(number, island.size, island.symbols) for island in large), default=0)
    return gettext("Now up to %(points)s on one island.") % {"points": points_text(best)}


def worth(view: View, prospects: Sequence[Prospect], language: str | None) -> str:
    """Return in words what an objective would bring now with the Houses in hand."""
    open_ones = [prospect for prospect in prospects if prospect.refusal is None]
    if not open_ones or view.viewer is None:
        return gettext("Now: no island for a House.")
    best = sorted((prospect.points for prospect in open_ones), reverse=True)[: view.table.houses_in_hand(view.viewer)]
    tokens = max(prospect.tokens for prospect in open_ones)
    words = {"islands": wording.islands_text(len(open_ones)), "points": points_text(sum(best))}
    if tokens:
        words["gain"] = wording.gain_text(0, tokens)
        return gettext("Now: %(islands)s, at most %(gain)s on one.") % words
    return gettext("Now: %(islands)s, up to %(points)s.") % words


@lru_cache(maxsize=4096)
def face_up(slot: int, tile: int | None, seated: bool, language: str | None) -> SafeString:
    """Return a face-up tile, which players can take in their turn, or its empty slot."""
    if tile is None:
        return region(format_html('<i class="slot" id="up-{}"></i>', slot))
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile), language)}
    return region(_tile("slot", f"{slot}:{tile}", str(tile), name, own_id=f"up-{slot}", active=seated))


@lru_cache(maxsize=4096)
def own_tile(tile: int, active: bool, language: str | None, fits: bool = True) -> SafeString:
    """Return a tile of the viewer's hand, which can be chosen by a player who may act if it fits somewhere."""
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(str(tile), language)}
    if not fits:
        name = gettext("%(tile)s; it fits nowhere") % {"tile": name}
    return region(_tile("tile", str(tile), str(tile), name, own_id=f"held-{tile}", active=active, fits=fits))


@lru_cache(maxsize=4096)
def open_tile(tile: int, language: str | None) -> SafeString:
    """Return a tile of a hand that everybody may see."""
    return _tile("tile", str(tile), str(tile), wording.face_text(str(tile), language), active=False)


def taken(row: Sequence[int | None]) -> list[SafeString]:
    """Return the face-up tiles as they are shown among one's own: the one that is taken may be placed at once."""
    return [_taken(slot, tile) for slot, tile in enumerate(row, start=1) if tile is not None]


@lru_cache(maxsize=1024)
def _taken(slot: int, tile: int) -> SafeString:
    return region(format_html(
        '<svg class="tile" id="taken-{}" viewBox="0 0 100 100" aria-hidden="true"><use href="#face-{}"/></svg>',
        slot, tile,
    ))  # fmt: skip


@lru_cache(maxsize=256)
def start_tile(face: str, language: str | None) -> SafeString:
    """Return a side of a start tile, to be placed by hand."""
    name = gettext("Start tile %(face)s: %(tile)s") % {"face": face, "tile": wording.face_text(face, language)}
    return region(_tile("tile", face, face, name, own_id=f"start-{face}"))


@lru_cache(maxsize=64)
def ship(kind: str, seat: int, language: str | None) -> SafeString:
    """Return the ship "own" or "grey", to land with."""
    name = gettext("Your own ship") if kind == OWN else gettext("A grey ship")
    face = f"own-{seat}" if kind == OWN else FACE_OF[kind]
    return region(_tile("tile", kind, face, name, own_id=f"ship-{kind}", corners=0))


def _tile(
    field: str,
    value: str,
    face: str,
    name: str,
    *,
    own_id: str = "",
    active: bool = True,
    corners: int | None = None,
    fits: bool = True,
) -> SafeString:
    """Return a tile with its radio button, of the class of its corners; only a picture where nothing can be chosen."""
    named = format_html(' id="{}"', own_id) if own_id else ""
    if not active:
        return format_html('<span class="pick"{} role="img" aria-label="{}">{}</span>', named, name, picture(face))
    printed = FACES[face].lying[0].corners if corners is None else corners
    return format_html(
        '<label class="pick"{}><input type="radio" name="{}" value="{}" id="{}" form="act" class="m{}" aria-label="{}"'
        ' data-land="{}" data-coasts="{}"{}>{}</label>',
        named, field, value, f"{field}-{value.rpartition(':')[2]}", printed, name,
        *_token_places(face), "" if fits else mark_safe(" disabled"), picture(face),
    )  # fmt: skip


@cache
def _token_places(face: str) -> tuple[str, str]:
    """Return where a bonus token may be laid on a face as printed, for the script.

    The first says "leaf 0 33 27;.." for each resource: its name, region and place; the second "1 0;.." for each free
    coast: its side and region. Both are empty where none may be laid.
    """
    if face not in FACES or face in SHIP_FACES:
        return "", ""
    found = FACES[face]
    land = (
        f"{mark.name} {mark.region} {mark.x} {mark.y}" for mark in drawing.printed_marks(face) if mark.name in RESOURCES
    )
    lying = found.lying[0]
    free = [side for side in lying.coasts if side not in lying.ports] if len(lying.ports) < PORTS_ON_A_TILE else []
    coasts = ((side, drawing.port_mark(face, 0, side)) for side in sorted(free))
    return ";".join(land), ";".join(f"{side} {mark.x} {mark.y}" for side, mark in coasts)
