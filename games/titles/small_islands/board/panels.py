"""What is shown beside the map: the islands, the Reward phase, the players, cards and tiles, and the final count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing, points_text
from games.titles.regions import Region, joined, region
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
    Symbols,
    objective_of,
)
from games.titles.small_islands.rules.exploration import PORTS_ON_A_TILE
from games.titles.small_islands.rules.islands import Board, Site, Token, tiles_at
from games.titles.small_islands.rules.islands import islands as islands_of
from games.titles.small_islands.rules.notation import OWN, write_site
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.scoring import Tally
from games.titles.small_islands.rules.state import FACE_OF, Cards, House, Table, ships_left
from games.titles.small_islands.rules.view import View

# --- how far the match has come -------------------------------------------------------------------------------------


def progress(view: View, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the round, how many tiles and ships are left and, when not everybody can land any more, who can."""
    table = view.table
    able = tuple(names[seat] for seat in range(table.seats) if ships_left(table, seat))
    return {
        "round": table.round,
        "navigation": table.navigation,
        "reserve": view.reserve,
        "ships": table.grey_ships_left + sum(table.own_ship_left(seat) for seat in range(table.seats)),
        "owners": able if not table.grey_ships_left and len(able) < table.players else (),
    }


# --- the islands -----------------------------------------------------------------------------------------------------

_COUNTED = ("flower", "fruit", "leaf", "temple", "port")
_NOT = {
    "island-too-small": _("too small for a House"),
    "mission-not-fulfilled": _("does not fulfil your mission"),
    "house-there-already": _("you have a House there"),
    "no-free-house-symbol": _("no free house place"),
}
"""Why an island brings nothing now."""


def islands(
    view: View, names: Sequence[str], prospects: Sequence[Prospect] = ()
) -> tuple[Mapping[str, Region], Mapping[str, Region]]:
    """Return each island as a row, the largest first; those of a single tile apart.

    Args:
        prospects: what the viewer's objective would bring, which each row says; empty to say nothing of it.
    """
    table, large, small = view.table, dict[str, Region](), dict[str, Region]()
    number, settled = table.islands.number, defaultdict[int, set[int]](set)
    for house in table.houses:
        settled[number[house.site]].add(house.seat)
    for index, name, inputs in _rows(table.board, table.tokens):
        gain = None
        if prospects:  # that it was settled comes first: no other mission changes that
            found = prospects[index]
            refusal = "house-there-already" if view.viewer in settled[index] else found.refusal
            gain = (refusal, found.points, found.tokens)
        residents = tuple((seat, name_of(seat, names)) for seat in sorted(settled[index]))
        rows = large if inputs["size"] > 1 else small
        rows[name] = region(row, **inputs, residents=residents, gain=gain)
    return large, small


@lru_cache(maxsize=256)
def _rows(board: Board, tokens: tuple[Token, ...]) -> tuple[tuple[int, str, Mapping[str, Any]], ...]:
    """Return each island by its number, with the id of its row and what that says to everybody; the largest first.

    They are kept, as all who look at a table are shown the same islands.
    """
    rows, at = [], tiles_at(board)
    for index, island in sorted(enumerate(islands_of(board, tokens).all), key=lambda it: -it[1].size):
        first = min(island.sites, key=lambda site: site.reading_order)
        turn = at[first.cell].turn if first.region else 0
        inputs = {"first": first, "turn": turn, "sites": island.sites, "size": island.size, "symbols": island.symbols}
        rows.append((index, _row_id(first), inputs))
    return tuple(rows)


def _row_id(first: Site) -> str:
    return f"isle-{write_site(first)}".replace(",", "_").replace(".", "_")


def row(  # noqa: PLR0917  all that is said of an island
    first: Site,
    turn: int,
    sites: Sequence[Site],
    size: int,
    symbols: Symbols,
    residents: Sequence[tuple[int, str]],
    gain: tuple[str | None, int, int] | None,
) -> SafeString:
    """Draw an island as a button, which says everything in one sentence and shows it in numbers and symbols.

    Args:
        first: where its topmost tile lies, which names it.
        turn: of that tile.
        sites: its regions.
        size: the number of its tiles.
        symbols: what counts on it.
        residents: the seats that have a House there, with their names.
        gain: for a reader with an objective: the code of why it brings nothing, points, discovery tokens.
    """
    name = wording.site_name(first, turn)
    words = {"cell": name, "tiles": wording.tiles_text(size), "symbols": wording.symbols_text(symbols)}
    parts = [gettext("Island at %(cell)s: %(tiles)s, %(symbols)s") % words]
    if residents:
        parts.append(gettext("Houses of %(names)s") % {"names": listing(name for _seat, name in residents)})
    gained: SafeString | str = ""
    if gain is not None:
        refusal, points, tokens = gain
        if refusal is not None:
            parts.append(str(_NOT[refusal]))
            gained = format_html('<i class="not">✗ {}</i>', _NOT[refusal])
        else:
            parts.append(gettext("now it would score %(gain)s") % {"gain": wording.gain_text(points, tokens)})
            gained = format_html('<i class="yes">✓ {}</i>', f"{tokens} ★" if tokens else f"+{points}")
    numbers = [("size", size), *((symbol, symbols.of(symbol)) for symbol in _COUNTED)]
    return format_html(
        '<li id="{}"><button type="button" class="island" data-land="{}">'
        '<span class="visually-hidden">{}</span><span aria-hidden="true"><b>{}</b>{}{}{}</span></button></li>',
        _row_id(first),
        " ".join(map(write_site, sites)),
        "; ".join(parts),
        name,
        joined(format_html("<span>{}{}</span>", sign(symbol), number) for symbol, number in numbers if number),
        joined(house_picture(seat) for seat, _name in residents),
        gained,
    )


# --- the Reward phase -----------------------------------------------------------------------------------------------


class Rewarded(NamedTuple):
    """What somebody revealed and placed in a Reward phase.

    Args:
        seat: whose it is.
        name: of the player.
        cards: the objective that was revealed; empty as long as it was not.
        houses: for each House where it was placed, the turn of that tile, and the points and tokens it brought.
        state: "moves" or "waits" while the phase goes on, else "".
    """

    seat: int
    name: str
    cards: Cards
    houses: tuple[tuple[Site, int, int, int], ...]
    state: str


def reward_phase(table: Table, names: Sequence[str]) -> tuple[Rewarded, ...]:
    """Return in turn order what everybody revealed and placed in the latest Reward phase; () before the first."""
    past = table.phase not in {"reward", "over"}
    number = table.round - past
    if not number:
        return ()
    at, drawn = tiles_at(table.board), {found.house: found.drawn for found in table.discoveries}
    houses: dict[int, list[tuple[Site, int, int, int]]] = defaultdict(list)
    for index, house in enumerate(table.houses):
        if house.round == number:
            told = house.site, at[house.site.cell].turn, house.points, drawn.get(index, 0)
            houses[house.seat].append(told)
    shown, first = [], table.starter - past  # the round begins with the player after the one who landed
    for seat in ((first + step) % table.players for step in range(table.players)):
        cards, state = table.revealed[seat] if seat < table.seats else (), ""
        if table.phase == "reward" and (table.turn == seat or (seat < table.seats and not cards)):
            state = "moves" if table.turn == seat else "waits"
        shown.append(Rewarded(seat, name_of(seat, names), cards, tuple(houses[seat]), state))
    return tuple(shown)


def rewards(rows: Sequence[Rewarded], now: bool) -> SafeString:
    """Draw a Reward phase that goes on now, or the latest one."""
    title, drawn = gettext("Reward phase"), joined(map(_rewarded, rows))
    if now:
        section = '<section class="rewards" id="rewards" aria-label="{0}"><h2>{0}</h2><ol>{1}</ol></section>'
        return format_html(section, title, drawn)
    return format_html('<details class="rewards" id="rewards"><summary>{}</summary><ol>{}</ol></details>', title, drawn)


def _rewarded(row: Rewarded) -> SafeString:
    state: SafeString | str = ""
    if row.state == "moves":
        state = format_html('<span class="badge accent">{}</span>', gettext("to move"))
    elif row.state:
        state = format_html('<span class="meta">{}</span>', gettext("has not revealed yet"))
    gained = format_html('<b class="gained">{}</b>', gained_in_all(row)) if row.cards or row.houses else ""
    card_drawn: SafeString | str = ""
    if row.cards:
        card_drawn = format_html('<div class="objective-card">{}</div>', card(objective_of(row.cards)))
    elif row.state:
        card_drawn = mark_safe('<div class="objective-card face-down" aria-hidden="true"></div>')
    houses: SafeString | str = ""
    if row.houses:
        houses = format_html("<ul>{}</ul>", houses_told(row))
    elif row.cards:
        houses = format_html('<span class="meta">{}</span>', gettext("no House"))
    return format_html(
        '<li{}><i class="seat-dot" data-seat="{}"></i><b>{}</b>{}{}{}{}</li>',
        mark_safe(' class="mover"') if row.state == "moves" else "",
        row.seat, row.name, state, gained, card_drawn, houses,
    )  # fmt: skip


def gained_in_all(row: Rewarded) -> str:
    """Return in words what somebody's Houses brought."""
    points, tokens = sum(house[2] for house in row.houses), sum(house[3] > 0 for house in row.houses)
    return wording.gained_text(points, tokens)


def houses_told(row: Rewarded) -> SafeString:
    """Return in one line for each House where it was placed and what it brought."""
    template = gettext("on %(cell)s: %(points)s")
    return joined(
        format_html(
            "<li>{}</li>",
            template % {"cell": wording.site_name(site, turn), "points": wording.gain_text(points, tokens)},
        )
        for site, turn, points, tokens in row.houses
    )


# --- players --------------------------------------------------------------------------------------------------------


def supplies(table: Table, names: Sequence[str]) -> dict[str, Region]:
    """Return what everybody has left: Houses, bonus tokens, their own ship."""
    one_moves = table.phase in {"start", "explore", "reward"}
    return {
        f"supply-{seat}": region(
            supply,
            seat=seat,
            name=name_of(seat, names),
            moves=one_moves and table.turn == seat,
            chosen=table.phase == "choose" and seat < table.seats and table.chosen[seat],
            houses=(table.houses_in_hand(seat), table.houses_in_reserve(seat)),
            tokens=table.tokens_left(seat) if seat < table.seats else (),
            own_ship=table.own_ship_left(seat),
        )
        for seat in range(table.players)
    }


def supply(  # noqa: PLR0917  all that a player has
    seat: int,
    name: str,
    moves: bool,
    chosen: bool,
    houses: tuple[int, int],
    tokens: tuple[str, ...],
    own_ship: bool,
) -> SafeString:
    """Draw in pictures and words what a player has left; Houses are those in hand and for later."""
    in_hand, later = houses
    words = {"houses": wording.houses_text(in_hand), "later": later}
    parts = [gettext("%(houses)s in hand, %(later)s for later") % words]
    if tokens:
        parts.append(gettext("bonus tokens: %(names)s") % {"names": ", ".join(map(wording.symbol_name, tokens))})
    if own_ship:
        parts.append(gettext("own ship"))
    return format_html(
        '<li id="supply-{0}"{1}><i class="seat-dot" data-seat="{0}"></i><b>{2}</b>'
        '<span class="left" aria-hidden="true">{3}{4}+{5}{6}</span><span class="visually-hidden">{7}</span>{8}</li>',
        seat, mark_safe(' class="mover"') if moves else "", name,
        house_picture(seat), in_hand, later, joined(map(sign, (*tokens, *(("ship",) if own_ship else ())))),
        "; ".join(parts),
        format_html('<span class="badge">{}</span>', gettext("has chosen")) if chosen else "",
    )  # fmt: skip


# --- the end --------------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """Where somebody's points came from, in numbers and in words."""

    seat: int
    name: str
    tally: Tally
    earned: str
    houses: tuple[str, ...]


def final_count(view: View, names: Sequence[str]) -> tuple[Counted, ...]:
    """Return for everybody, the best first, where the points came from; () before the match is over."""
    if view.outcome is None:
        return ()
    tallies, places = view.tallies, (*view.outcome.places, 1)  # at equal points the player has lost
    values = {found.house: value for found, value in zip(view.table.discoveries, view.values, strict=True)}
    rows = []
    for seat in sorted(range(len(tallies)), key=lambda seat: (-tallies[seat].total, places[seat])):
        tally = tallies[seat]
        earned = [f"{gettext('Islands')} {tally.islands}"]
        if tally.discoveries:
            earned.append(f"{gettext('Discovery')} {tally.discoveries}")
        houses = tuple(
            _house_told(view.table, house, (values[index] or 0) if index in values else None)
            for index, house in enumerate(view.table.houses)
            if house.seat == seat
        )
        rows.append(Counted(seat, name_of(seat, names), tally, ", ".join(earned), houses))
    return tuple(rows)


def _house_told(table: Table, house: House, token: int | None) -> str:
    """Return where and for what a House was placed, and what it brought: perhaps a discovery token of this value."""
    points = points_text(house.points)
    if token is not None:
        points = gettext("discovery token, %(points)s") % {"points": points_text(token)}
    cell = wording.site_name(house.site, tiles_at(table.board)[house.site.cell].turn)
    words = {"round": house.round, "cell": cell, "points": points}
    if not house.reward:
        return gettext("Round %(round)s, on %(cell)s: %(points)s") % words
    words["objective"] = wording.objective_text(Objective(house.mission, house.reward))
    return gettext("Round %(round)s, on %(cell)s: %(points)s (%(objective)s)") % words


_ANY_REWARD = 1
"""A reward to ask with where the mission alone matters."""


# --- cards ----------------------------------------------------------------------------------------------------------


def ruling(kind: str, number: int) -> SafeString:
    """Return a "mission" or a "reward" as a picture with words."""
    text = wording.mission_text(number) if kind == "mission" else wording.reward_text(number)
    return format_html('<span class="ruling {}">{}<span>{}</span></span>', kind, card_picture(kind, number), text)


def card(objective: Objective) -> SafeString:
    """Return a mission with its reward as one card."""
    return joined((ruling("mission", objective.mission), ruling("reward", objective.reward)))


def objective(kept: Cards, aside: Cards, inside: Mapping[str, str]) -> SafeString:
    """Draw a player's own objective and, unless the round is the last, what was put aside."""
    later: SafeString | str = ""
    if aside:
        later = format_html(
            '<details id="aside"><summary>{}</summary><div class="objective-card">{}</div></details>',
            gettext("Put aside for next time"), card(objective_of(aside)),
        )  # fmt: skip
    return format_html(
        '<section class="objective" id="objective" aria-label="{0}"><h2>{0}</h2>'
        '<div class="objective-card">{1}{2}</div>{3}</section>',
        gettext("Your objective"), card(objective_of(kept)), inside["worth"], later,
    )  # fmt: skip


def worth_now(worth: Worth | None) -> SafeString:
    """Draw what the objective would bring; without hints nothing is said."""
    return format_html('<small id="worth">{}</small>', "" if worth is None else worth_text(*worth))


Worth: TypeAlias = tuple[str, int, int, int]
"""What a card would bring now: what kind of answer that is, and how many islands, points and discovery tokens."""


def worth(view: View, prospects: Sequence[Prospect]) -> Worth:
    """Return what an objective would bring now with the Houses in hand."""
    open_ones = [prospect for prospect in prospects if prospect.refusal is None]
    best = sorted((prospect.points for prospect in open_ones), reverse=True)
    in_hand = view.table.houses_in_hand(view.viewer or 0)
    tokens = max((prospect.tokens for prospect in open_ones), default=0)
    return "objective", len(open_ones), sum(best[:in_hand]), tokens


def worth_of(view: View, deck: str, number: int) -> Worth:
    """Return what a card of a deck would bring now."""
    match deck:
        case "missions":
            fit = view.prospects_of(Objective(number, _ANY_REWARD))
            return "mission", sum(prospect.refusal is None for prospect in fit), 0, 0
        case "rewards":
            large = [island for island in view.table.islands.all if island.size > 1]
            if components.is_discovery(number):
                return "tokens", 0, 0, max((island.symbols.temple for island in large), default=0)
            return "reward", 0, max((components.points(number, it.size, it.symbols) for it in large), default=0), 0
        case _:
            return worth(view, view.prospects_of(OBJECTIVES[number]))


def worth_text(kind: str, islands: int, points: int, tokens: int) -> str:
    """Return in words what a card would bring now."""
    words = {
        "islands": wording.islands_text(islands),
        "points": points_text(points),
        "tokens": wording.tokens_text(tokens),
    }
    match kind:
        case "mission":
            text = gettext("Now on %(islands)s.")
        case "tokens":
            text = gettext("Now at most %(tokens)s on one island.")
        case "reward":
            text = gettext("Now up to %(points)s on one island.")
        case _ if not islands:
            text = gettext("Now: no island for a House.")
        case _ if tokens:
            words["gain"] = wording.gain_text(0, tokens)
            text = gettext("Now: %(islands)s, at most %(gain)s on one.")
        case _:
            text = gettext("Now: %(islands)s, up to %(points)s.")
    return text % words


def deck(name: str, cards: Sequence[tuple[int, Worth | None]]) -> SafeString:
    """Draw a deck of cards to choose from; with hints each says what it would bring now."""
    titles = {"objectives": gettext("Objectives"), "missions": gettext("Missions"), "rewards": gettext("Rewards")}
    when = (("now", gettext("now")), ("next", gettext("next time")))
    drawn = (
        format_html(
            '<div class="objective-card" id="{0}-{1}">{2}<small>{3}</small><span class="when">{4}</span></div>',
            name, number, _face(name, number), "" if worth is None else worth_text(*worth),
            format_html_join(
                "",
                '<label><input type="radio" form="act" name="{0}-{1}" value="{2}" id="{0}-{1}-{2}"'
                ' aria-describedby="{1}-{2}">{3}</label>',
                ((each, name, number, text) for each, text in when),
            ),
        )
        for number, worth in cards
    )  # fmt: skip
    return format_html(
        '<fieldset class="deck" id="deck-{0}" data-deck="{0}"><legend>{1}</legend>{2}</fieldset>',
        name, titles[name], joined(drawn),
    )  # fmt: skip


def _face(deck: str, number: int) -> SafeString:
    return card(OBJECTIVES[number]) if deck == "objectives" else ruling(deck.removesuffix("s"), number)


# --- tiles ----------------------------------------------------------------------------------------------------------


def face_up(slot: int, tile: int | None, takes: bool) -> SafeString:
    """Draw a face-up tile, which players can take in their turn, or its empty slot."""
    if tile is None:
        return format_html('<i class="slot" id="up-{}"></i>', slot)
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile))}
    return _tile("slot", f"{slot}:{tile}", str(tile), name, own_id=f"up-{slot}", active=takes)


def own_tile(tile: int, takes: bool, fits: bool) -> SafeString:
    """Draw a tile of the viewer's hand, which can be chosen by a player who may act if it fits somewhere."""
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(str(tile))}
    if not fits:
        name = gettext("%(tile)s; it fits nowhere") % {"tile": name}
    return _tile("tile", str(tile), str(tile), name, own_id=f"held-{tile}", active=takes, fits=fits)


def open_hand(seat: int, name: str, tiles: Sequence[int], kept: Cards) -> SafeString:
    """Draw a hand that everybody may see, with the objective."""
    drawn = joined(_tile("tile", str(tile), str(tile), wording.face_text(str(tile)), active=False) for tile in tiles)
    chosen = format_html('<div class="objective-card">{}</div>', card(objective_of(kept))) if kept else ""
    return format_html(
        '<section class="hands" id="hand-{}"><h2>{}: {}</h2><div class="tiles">{}</div>{}</section>',
        seat, gettext("All hands"), name, drawn, chosen,
    )  # fmt: skip


def start_tile(face: str) -> SafeString:
    """Draw a side of a start tile, to be placed by hand."""
    name = gettext("Start tile %(face)s: %(tile)s") % {"face": face, "tile": wording.face_text(face)}
    return _tile("tile", face, face, name, own_id=f"start-{face}")


def ship(kind: str, seat: int) -> SafeString:
    """Draw the ship "own" or "grey", to land with."""
    name = gettext("Your own ship") if kind == OWN else gettext("A grey ship")
    face = f"own-{seat}" if kind == OWN else FACE_OF[kind]
    return _tile("tile", kind, face, name, own_id=f"ship-{kind}", corners=0)


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
