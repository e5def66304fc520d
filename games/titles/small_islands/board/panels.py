"""What is shown beside the map: the islands, the Reward phase, the players, cards and tiles, and the final count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import starmap
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Outcome
from games.titles.phrases import listing, points_text
from games.titles.regions import Region, joined, region
from games.titles.small_islands.board import drawing, wording
from games.titles.small_islands.board.drawing import card_picture, house_picture, picture, sign
from games.titles.small_islands.board.pieces import ports_text
from games.titles.small_islands.board.wording import island_name, name_of
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import FACES, OBJECTIVES, Objective, objective_of
from games.titles.small_islands.rules.exploration import PORTS_ON_A_TILE, laid_token, spots, token_refusal
from games.titles.small_islands.rules.islands import Board, Island, Placed, Token, islands as islands_of
from games.titles.small_islands.rules.notation import OWN, Explore, Land, parse, write_site
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.scoring import CARDS, Tally, ports_around
from games.titles.small_islands.rules.state import ALEXIS, FACE_OF, Cards, House, Table
from games.titles.small_islands.rules.view import View

# --- the islands -----------------------------------------------------------------------------------------------------

_COUNTED = ("flower", "fruit", "leaf", "temple", "port")
_NOT = {
    "island-too-small": _("too small for a House"),
    "mission-not-fulfilled": _("objective not fulfilled"),
    "house-there-already": _("you have a House there"),
    "no-free-house-symbol": _("no free house spot"),
}
"""Why an island brings nothing now."""


def islands(
    view: View, names: Sequence[str], prospects: Sequence[Prospect]
) -> tuple[Mapping[str, Region], Mapping[str, Region]]:
    """Return each island as a row, the largest first, and apart those of a single tile; prospects may be left out."""
    table, large, small, settled = view.table, dict[str, Region](), dict[str, Region](), defaultdict[int, set[int]](set)
    number = table.islands.number
    for house in table.houses:
        settled[number[house.site]].add(house.seat)
    for index, row_id, name, island in _rows(table.board, table.tokens):
        gain = None
        if prospects:  # that it was settled comes first: no other mission changes that
            found = prospects[index]
            refusal = "house-there-already" if view.viewer in settled[index] else found.refusal
            gain = (refusal, found.points, found.tokens)
        residents = tuple((seat, name_of(seat, names)) for seat in sorted(settled[index]))
        rows = large if island.size > 1 else small
        rows[row_id] = region(row, name=name, island=island, residents=residents, gain=gain)
    return large, small


@lru_cache(maxsize=256)  # all who look at a table are shown the same islands
def _rows(board: Board, tokens: tuple[Token, ...]) -> Sequence[tuple[int, str, str, Island]]:
    """Return the islands, the largest first: number, id of the row, name, island."""
    largest_first = sorted(enumerate(islands_of(board, tokens).all), key=lambda it: -it[1].size)
    return [(index, _row_id(island), island_name(board, island), island) for index, island in largest_first]


def _row_id(island: Island) -> str:
    """Return the id of the row of an island, which it has as long as it has its name."""
    return f"isle-{write_site(island.sites[0])}".replace(",", "_").replace(".", "_")


def row(
    name: str, island: Island, residents: Sequence[tuple[int, str]], gain: tuple[str | None, int, int] | None
) -> SafeString:
    """Draw an island as a button, which says everything in one sentence and shows it in numbers and symbols.

    Args:
        residents: the seats that have a House there, with their names.
        gain: for a reader with an objective: the code of why it brings nothing, points, discovery tokens.
    """
    symbols = island.symbols
    words = {"island": name, "tiles": wording.tiles_text(island.size), "symbols": wording.symbols_text(symbols)}
    parts = [gettext("%(island)s: %(tiles)s, %(symbols)s") % words]
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
            drawn = '<i class="yes">✓ {}</i>' if points or tokens else '<i class="not">{}</i>'
            gained = format_html(drawn, wording.gain_in_short(points, tokens))
    numbers = [("size", island.size), *((symbol, symbols.of(symbol)) for symbol in _COUNTED)]
    return format_html(
        '<li id="{}"><button type="button" class="island" data-land="{}">'
        '<span class="visually-hidden">{}</span><span aria-hidden="true"><b>{}</b>{}{}{}</span></button></li>',
        _row_id(island), " ".join(map(write_site, island.sites)), "; ".join(parts), name,
        joined(format_html("<span>{}{}</span>", sign(symbol), number) for symbol, number in numbers if number),
        joined(house_picture(seat) for seat, _name in residents), gained,
    )  # fmt: skip


# --- the Reward phase -----------------------------------------------------------------------------------------------


class Rewarded(NamedTuple):
    """What somebody revealed and placed in a Reward phase.

    Args:
        cards: the objective that was revealed; empty as long as it was not.
        houses: for each House the name of its island, and the points and tokens it brought.
        ports: what Ports brought to the seat's own ship, if it landed with that one.
        state: "moves" or "waits" while the phase goes on, else "".
    """

    seat: int
    name: str
    cards: Cards
    houses: tuple[tuple[str, int, int], ...]
    ports: int
    state: str

    @property
    def gained(self) -> str:
        """All that it brought, in words."""
        points, tokens = sum(house[1] for house in self.houses), sum(house[2] > 0 for house in self.houses)
        return wording.gained_text(points + self.ports, tokens)


def reward_phase(table: Table, names: Sequence[str]) -> tuple[Rewarded, ...]:
    """Return in turn order what everybody revealed and placed in the latest Reward phase; () before the first."""
    past = table.phase not in {"reward", "over"}
    number = table.round - past
    if not number:
        return ()
    drawn = {found.house: found.drawn for found in table.discoveries}
    houses: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
    for index, house in enumerate(table.houses):
        if house.round == number:
            houses[house.seat].append((_island_of(table, house), house.points, drawn.get(index, 0)))
    shown, first = [], table.starter - past  # the round begins with the player after the one who landed
    for seat in ((first + step) % table.players for step in range(table.players)):
        cards, state = table.revealed[seat] if seat < table.seats else (), ""
        if table.phase == "reward" and (table.turn == seat or (seat < table.seats and not cards)):
            state = "moves" if table.turn == seat else "waits"
        ports = _ports_at_landing(table, number, seat)
        shown.append(Rewarded(seat, name_of(seat, names), cards, tuple(houses[seat]), ports, state))
    return tuple(shown)


def _ports_at_landing(table: Table, number: int, seat: int) -> int:
    """Return how many Ports lay around the ship that ended a round, if it was this seat's own."""
    landed = [index for index, placed in enumerate(table.board) if placed.face in components.SHIP_FACES]
    if len(landed) < number:
        return 0
    ship = table.board[landed[number - 1]]
    if ship.face != components.OWN_SHIP or ship.seat != seat:
        return 0
    board = table.board[: landed[number - 1]]
    cells = {placed.cell for placed in board}
    tokens = tuple(token for token in table.tokens if token.site.cell in cells)
    return ports_around(replace(table, board=board, tokens=tokens), ship.cell)


def rewards(rows: Sequence[Rewarded], now: bool) -> SafeString:
    """Draw a Reward phase that goes on now, or the latest one."""
    title, drawn = gettext("Reward phase"), joined(map(_rewarded, rows))
    about = gettext("Each player in turn shows their objective and places Houses on islands that fulfill it.")
    if now:
        html = (
            '<section class="rewards" id="rewards" aria-label="{0}"><h2>{0}</h2>'
            '<p class="meta">{1}</p><ol>{2}</ol></section>'
        )
    else:
        html = '<details class="rewards" id="rewards"><summary>{}</summary><p class="meta">{}</p><ol>{}</ol></details>'
    return format_html(html, title, about, drawn)


def _rewarded(row: Rewarded) -> SafeString:
    parts: list[SafeString | str] = []
    if row.state == "moves":
        parts.append(format_html('<span class="badge accent">{}</span>', gettext("to move")))
    elif row.state:
        parts.append(format_html('<span class="meta">{}</span>', gettext("has not revealed yet")))
    if row.cards or row.houses:
        parts.append(format_html('<b class="gained">{}</b>', row.gained))
    if row.cards:
        parts.append(objective_card(row.cards))
    elif row.state:
        parts.append('<div class="objective-card face-down" aria-hidden="true"></div>')
    if row.houses or row.ports:
        ports = [gettext("for Ports: %(points)s") % {"points": points_text(row.ports)}] if row.ports else []
        told = (*starmap(_reward_told, row.houses), *(format_html("<li>{}</li>", text) for text in ports))
        parts.append(format_html("<ul>{}</ul>", joined(told)))
    elif row.cards:
        parts.append(format_html('<span class="meta">{}</span>', gettext("no House")))
    return format_html(
        '<li{}><i class="seat-dot" data-seat="{}"></i><b>{}</b>{}</li>',
        mark_safe(' class="mover"') if row.state == "moves" else "", row.seat, row.name, joined(parts),
    )  # fmt: skip


def round_told(number: int, rows: Sequence[Rewarded], reader: int | None) -> SafeString:
    """Say in a line or two what everybody placed in the Reward phase of a round, and what it brought.

    Of more than two players it says no islands, so that it stays as short.
    """
    told = " · ".join(_in_short(row, gettext("You") if row.seat == reader else row.name, len(rows)) for row in rows)
    title = gettext("Round %(round)s") % {"round": number}
    return format_html('<p class="meta" id="round-told"><b>{}</b> {}</p>', title, told)


def _in_short(row: Rewarded, name: str, players: int) -> str:
    """Return "ann: 8 points (Capri, Ports)"; of Alexis, who scores at the end, how many Houses he placed."""
    if not row.houses and not row.ports:
        return gettext("%(name)s: no House") % {"name": name}
    gained = row.gained if row.cards else wording.houses_text(len(row.houses))
    sources = (*(house[0] for house in row.houses), *((gettext("Ports"),) if row.ports else ()))
    words = {"name": name, "gained": gained, "islands": ", ".join(sources)}
    if players > 2:  # noqa: PLR2004  as above
        return gettext("%(name)s: %(gained)s") % words
    return gettext("%(name)s: %(gained)s (%(islands)s)") % words


def _reward_told(island: str, points: int, tokens: int) -> SafeString:
    words = {"island": island, "points": wording.gain_text(points, tokens)}
    return format_html("<li>{}</li>", gettext("on %(island)s: %(points)s") % words)


def _island_of(table: Table, house: House) -> str:
    """Return the name of the island that a House stands on, as it is called now."""
    return island_name(table.board, table.islands.of(house.site))


# --- players --------------------------------------------------------------------------------------------------------


def supply_of(table: Table, seat: int, names: Sequence[str]) -> Region:
    """Return what somebody has left: Houses, bonus tokens, their own ship."""
    plays, own_ship = seat < table.seats, ("ship",) if table.own_ship_left(seat) else ()
    moves = table.phase in {"start", "explore", "reward"} and table.turn == seat
    chosen = table.phase == "choose" and plays and table.chosen[seat]
    mark = "moves" if moves else "chosen" if chosen else ""
    houses = (table.houses_in_hand(seat), table.houses_in_reserve(seat))
    left = (*(table.tokens_left(seat) if plays else ()), *own_ship)
    return region(supply, seat=seat, name=name_of(seat, names), mark=mark, houses=houses, left=left)


def supply(seat: int, name: str, mark: str, houses: tuple[int, int], left: Sequence[str]) -> SafeString:
    """Draw in pictures and words what a player has left; Houses are those in hand and for later."""
    in_hand, later = houses
    words = {"houses": wording.houses_text(in_hand), "later": later}
    parts = [gettext("%(houses)s in hand, %(later)s for later") % words]
    if tokens := [wording.symbol_name(each) for each in left if each != "ship"]:
        parts.append(gettext("bonus tokens: %(names)s") % {"names": ", ".join(tokens)})
    if "ship" in left:
        parts.append(gettext("own ship"))
    return format_html(
        '<li id="supply-{0}"{1}><i class="seat-dot" data-seat="{0}"></i><b>{2}</b>'
        '<span class="left" aria-hidden="true">{3}{4}+{5}{6}</span><span class="visually-hidden">{7}</span>{8}</li>',
        seat, mark_safe(' class="mover"') if mark == "moves" else "", name,
        house_picture(seat), in_hand, later, joined(map(sign, left)), "; ".join(parts),
        format_html('<span class="badge">{}</span>', gettext("has chosen")) if mark == "chosen" else "",
    )  # fmt: skip


def alexis(card: str, inside: Mapping[str, str]) -> SafeString:
    """Draw the card Alexis plays by, and what he does."""
    return format_html(
        '<section class="alexis" id="alexis" aria-label="{0}"><h2>{1}{0}</h2><p>{2}</p>{3}</section>',
        gettext("Alexis"), house_picture(ALEXIS), wording.alexis_text(CARDS[card]), joined(inside.values()),
    )  # fmt: skip


def expedition(left: int, drawn: tuple[int, ...]) -> SafeString:
    """Draw how many expedition cards are left, and those that were drawn, the newest first."""
    title = gettext("Expedition cards: %(left)s left, %(drawn)s drawn") % {"left": left, "drawn": len(drawn)}
    cards = format_html_join("", "<li>{}</li>", ((wording.expedition_text(card),) for card in reversed(drawn)))
    return format_html('<details id="expedition"><summary>{}</summary><ol>{}</ol></details>', title, cards)


def final_count(
    view: View, outcome: Outcome, names: Sequence[str]
) -> tuple[tuple[int, str, Tally, tuple[str, ...]], ...]:
    """Return the seats, the best first, each with its name, its points, and in words what its Houses brought."""
    table, tallies, places = view.table, view.tallies, (*outcome.places, 1)  # at equal points the player has lost
    values = {found.house: value for found, value in zip(table.discoveries, view.values, strict=True)}
    houses: dict[int, list[str]] = defaultdict(list)
    for index, house in enumerate(table.houses):
        houses[house.seat].append(_house_told(table, house, (values[index] or 0) if index in values else None))
    ranked = sorted(range(len(tallies)), key=lambda seat: (-tallies[seat].total, places[seat]))
    return tuple((seat, name_of(seat, names), tallies[seat], tuple(houses[seat])) for seat in ranked)


def _house_told(table: Table, house: House, token: int | None) -> str:
    """Return where and for what a House was placed, and what it brought: perhaps a discovery token of this value."""
    points = points_text(house.points)
    if token is not None:
        points = gettext("discovery token, %(points)s") % {"points": points_text(token)}
    words = {"round": house.round, "island": _island_of(table, house), "points": points}
    if not house.reward:
        return gettext("Round %(round)s, on %(island)s: %(points)s") % words
    words["objective"] = wording.objective_text(Objective(house.mission, house.reward))
    return gettext("Round %(round)s, on %(island)s: %(points)s (%(objective)s)") % words


# --- cards ----------------------------------------------------------------------------------------------------------


def ruling(kind: str, number: int) -> SafeString:
    """Return a "mission" or a "reward" as a picture with words."""
    text = wording.mission_text(number) if kind == "mission" else wording.reward_text(number)
    return format_html('<span class="ruling {}">{}<span>{}</span></span>', kind, card_picture(kind, number), text)


def card(objective: Objective) -> SafeString:
    """Return a mission with its reward as one card."""
    return joined((ruling("mission", objective.mission), ruling("reward", objective.reward)))


def objective_card(cards: Cards) -> SafeString:
    """Return the card with an objective, or the mission and the reward that make one."""
    return format_html('<div class="objective-card"><div class="rulings">{}</div></div>', card(objective_of(cards)))


def objective(kept: Cards, aside: Cards, borrowed: bool, inside: Mapping[str, str]) -> SafeString:
    """Draw a player's own objective and, unless the round is the last, what was put aside.

    `borrowed`: somebody else looks at it.
    """
    later: SafeString | str = ""
    if aside:
        title, drawn = gettext("Put aside for next time"), objective_card(aside)
        later = format_html('<details id="aside"><summary>{}</summary>{}</details>', title, drawn)
    return format_html(
        '<section class="objective" id="objective" aria-label="{0}"><h2>{0}</h2>'
        '<div class="objective-card"><div class="rulings">{1}{2}<small id="worth-placed" role="status" hx-morph-skip>'
        "</small></div></div>{3}</section>",
        _objective_title(borrowed), card(objective_of(kept)), joined(inside.values()), later,
    )  # fmt: skip


def _objective_title(borrowed: bool) -> str:
    return gettext("Objective") if borrowed else gettext("Your objective")


def goal(kept: Cards, borrowed: bool) -> SafeString:
    """Draw a player's own objective in pictures alone; nothing without one. Its words are read in `objective`."""
    if not kept:
        return SafeString('<p class="goal" id="goal" aria-hidden="true"></p>')
    mission, reward = objective_of(kept)
    pictures = card_picture("mission", mission), card_picture("reward", reward)
    title = _objective_title(borrowed)
    return format_html('<p class="goal" id="goal" aria-hidden="true"><b>{}</b>{}</p>', title, joined(pictures))


class Worth(NamedTuple):
    """What a card would bring now.

    Args:
        kind: "objective", "mission", "reward" or "tokens", as the answer is about; or why no House can be placed: a
            code of the rules, "no-room" for several of them, "no-houses".
        islands: on how many islands.
        points, tokens: what it would bring, or at most on an island.
        name: that of the island, if there is but one; where an objective brings something, of those that fulfill it
            too and have a House of the viewer.
    """

    kind: str
    islands: int = 0
    points: int = 0
    tokens: int = 0
    name: str = ""


def worth_now(worth: Worth | None) -> SafeString:
    """Draw what the objective would bring, without a tile that is only being placed; without hints nothing is said."""
    return format_html('<small id="worth">{}</small>', "" if worth is None else worth_text(*worth))


def worth(view: View, mission: int, prospects: Sequence[Prospect]) -> Worth:
    """Return what an objective with this mission would bring now with the Houses in hand, or why nothing.

    It counts no more islands than there are Houses in hand, the best of them.
    """
    open_ones = [prospect for prospect in prospects if prospect.refusal is None]
    in_hand = view.table.houses_in_hand(view.viewer or 0)
    if not open_ones or not in_hand:
        return _hindrance(view.table, in_hand, mission, prospects)
    best = sorted(open_ones, key=lambda prospect: (prospect.points, prospect.tokens), reverse=True)[:in_hand]
    held = [island_name(view.table.board, it.island) for it in prospects if it.refusal == "house-there-already"]
    names = listing(held) if held else ""
    points, tokens = sum(prospect.points for prospect in best), best[0].tokens
    islands = sum(prospect.tokens > 0 for prospect in best) if tokens else len(best)
    return Worth("objective", islands, points, tokens, names)


def preview(text: str, view: View) -> str:
    """Return what the viewer's objective would bring with a tile, and perhaps a token, placed as an action says.

    Where others bring something, but not the island the tile lies on, it says why. Of the viewer's own ship it says
    what Ports would bring too. It is empty for what places neither, and for what the rules refuse
    (`games.titles.Board.preview`).
    """
    action, objective = parse(text), view.objective
    if isinstance(action, Land) and action.ship == OWN and OWN in view.ships and action.cell in view.berths:
        ports = ports_text(ports_around(view.table, action.cell), "")
        return ports if objective is None else f"{worth_text(*worth(view, objective.mission, view.prospects))} {ports}"
    if not isinstance(action, Explore) or objective is None or view.viewer is None:
        return ""
    table = view.table
    if (action.cell, action.turn) not in spots(table, (action.tile,))[action.tile]:
        return ""
    table = replace(table, board=(*table.board, Placed(str(action.tile), action.cell, action.turn, view.viewer)))
    if action.token is not None:
        if token_refusal(table.board, table.tokens, table.tokens_left(view.viewer), action.token):
            return ""
        table = replace(table, tokens=(*table.tokens, laid_token(view.viewer, action.token, table.board)))
    placed = replace(view, table=table)
    found = worth(placed, objective.mission, placed.prospects)
    own = [each for each in placed.prospects if any(site.cell == action.cell for site in each.island.sites)]
    if said := _brings(*found._replace(name="")):
        said += _but_not_here(table, objective.mission, own)
    elif _is_begun(objective.mission, own):
        said = gettext("the new island needs a second tile.")
    else:
        said = worth_text(*found)
    return gettext("With this tile: %(worth)s") % {"worth": said}


def _is_begun(mission: int, prospects: Sequence[Prospect]) -> bool:
    """Return whether one of these islands would fulfil a mission if it had another tile."""
    begun = (each.island for each in prospects if each.refusal == "island-too-small")
    return any(components.fulfils(mission, island.symbols) for island in begun)


def _but_not_here(table: Table, mission: int, own: Sequence[Prospect]) -> str:
    """Return, after a space, why none of the islands of a tile brings anything; empty where one does or it has none."""
    if not own or any(each.refusal is None for each in own):
        return ""
    if _is_begun(mission, own):
        return f" {gettext('The new island needs a second tile.')}"
    settled = [each for each in own if each.refusal in {"house-there-already", "no-free-house-symbol"}]
    if settled:
        why = _HINDRANCES[str(settled[0].refusal), True] % {"island": island_name(table.board, settled[0].island)}
        return f" {why}"
    return f" {gettext('The island it lies on does not qualify yet.')}"


def _hindrance(table: Table, in_hand: int, mission: int, prospects: Sequence[Prospect]) -> Worth:
    """Return why an objective brings nothing: of islands that do not fulfil it nothing else is said."""
    if not in_hand:
        return Worth("no-houses")
    if _is_begun(mission, prospects):
        return Worth("island-too-small")
    full = [each for each in prospects if each.refusal in {"house-there-already", "no-free-house-symbol"}]
    if not full:
        return Worth("mission-not-fulfilled")
    codes = {str(each.refusal) for each in full}
    name = island_name(table.board, full[0].island) if len(full) == 1 else ""
    return Worth(codes.pop() if len(codes) == 1 else "no-room", name=name)


def worth_of(view: View, deck: str, number: int) -> Worth:
    """Return what a card of a deck would bring now."""
    if deck == "objectives":
        found = worth(view, OBJECTIVES[number].mission, view.prospects_of(OBJECTIVES[number]))
        return found._replace(name="") if found.kind == "objective" else found  # three cards have no room for more
    if deck == "missions":
        prospects = view.prospects_of(Objective(number, 1))  # no matter for what reward
        found = worth(view, number, prospects)
        qualify = sum(prospect.refusal is None for prospect in prospects)
        return Worth("mission", qualify) if found.kind == "objective" else found
    large = [island for island in view.table.islands.all if island.size > 1]
    if components.is_discovery(number):
        return Worth("tokens", tokens=max((island.symbols.temple for island in large), default=0))
    most = max((components.points(number, island.size, island.symbols) for island in large), default=0)
    return Worth("reward", points=most)


def worth_text(kind: str, islands: int = 0, points: int = 0, tokens: int = 0, name: str = "") -> str:
    """Return in words what a card would bring now, or why nothing."""
    if hindrance := _HINDRANCES.get((kind, bool(name))):
        return str(hindrance) % {"island": name}
    match kind:
        case "tokens" if not tokens:
            return gettext("No island has a temple yet.")
        case "mission":
            text = ngettext("Now %(count)s island qualifies.", "Now %(count)s islands qualify.", islands)
        case "reward" if not points:
            text = gettext("It would score nothing yet.")
        case "reward":
            text = gettext("Now up to +%(points)s on one island.")
        case "objective" if not (points or tokens):
            return gettext("An island qualifies, but would score nothing yet.") + _but(name)
        case _:
            return gettext("Now %(worth)s") % {"worth": _brings(kind, islands, points, tokens, name)}
    return text % {"count": islands, "points": points}


def _brings(kind: str, islands: int = 0, points: int = 0, tokens: int = 0, name: str = "") -> str:
    """Return in words how much an objective brings, and where; empty for what is no such number."""
    if kind not in {"objective", "tokens"} or not (points or tokens):
        return ""
    if tokens and islands > 1:
        return gettext("a discovery token on each of %(count)s islands.") % {"count": islands} + _but(name)
    if tokens:
        text = ngettext(
            "%(count)s discovery token on one island.",
            "the best of %(count)s discovery tokens on one island.",
            tokens,
        )
        return text % {"count": tokens} + _but(name)
    text = ngettext("+%(points)s on %(count)s island.", "+%(points)s in all, on %(count)s islands.", islands)
    return text % {"count": islands, "points": points} + _but(name)


def _but(name: str) -> str:
    """Return, after a space, that the islands of this name are settled already; empty without one."""
    return f" {_HINDRANCES['house-there-already', True]}" % {"island": name} if name else ""


_HINDRANCES = {
    ("no-houses", False): _("You have no Houses left."),
    ("mission-not-fulfilled", False): _("No island qualifies yet."),
    ("island-too-small", False): _("An island that fulfills it needs a second tile."),
    ("house-there-already", True): _("You already have a House on %(island)s."),
    ("house-there-already", False): _("You already have a House on every island that fulfills it."),
    ("no-free-house-symbol", True): _("%(island)s has no free house spot."),
    ("no-free-house-symbol", False): _("No island that fulfills it has a free house spot."),
    ("no-room", False): _("Each island that fulfills it has your House or no free house spot."),
}
"""Why no House can be placed, by the kind of a `Worth`, and whether it is about one island, which is named."""


def no_place(view: View, prospects: Sequence[Prospect], hints: bool) -> str:
    """Return why no House can be placed, and that none is; without hints nothing is said of the mission."""
    return f"{_why_no_place(view, prospects, hints)} {gettext('You place no House.')}"


def _why_no_place(view: View, prospects: Sequence[Prospect], hints: bool) -> str:
    if not view.table.houses_in_hand(view.viewer or 0):
        return str(_HINDRANCES["no-houses", False])
    if hints and view.objective:
        found = worth(view, view.objective.mission, prospects)
        if found.kind == "mission-not-fulfilled":
            return gettext("No island fulfills your objective.")
        return worth_text(*found)
    return gettext("No island has a free house spot.")


def deck(name: str, cards: Sequence[tuple[int, Worth | None]], *, is_last: bool) -> SafeString:
    """Draw a deck of cards to choose from; with hints each says what it would bring now.

    In the last round one is chosen for now; any other is put aside (`form.compose`).
    """
    titles = {"objectives": gettext("Objectives"), "missions": gettext("Missions"), "rewards": gettext("Rewards")}
    button = (
        '<label><input type="radio" form="act" name="{0}-{1}" value="{2}" id="{0}-{1}-{2}"'
        ' aria-describedby="{1}-{2}">{3}</label>'
    )
    when = (("now", gettext("This round")), *(() if is_last else (("next", gettext("Next time")),)))
    others = format_html('<input type="hidden" form="act" name="any-{}" value="{{}}">', name)
    anyone = format_html_join("", others, ((number,) for number, _worth in cards)) if is_last else ""
    drawn = (
        format_html(
            '<div class="objective-card" id="{0}-{1}"><div class="rulings">{2}{3}</div>'
            '<span class="when">{4}</span></div>',
            name, number, _face(name, number),
            "" if worth is None else format_html("<small>{}</small>", worth_text(*worth)),
            format_html_join("", button, ((each, name, number, text) for each, text in when)),
        )
        for number, worth in cards
    )  # fmt: skip
    legend = '<legend class="visually-hidden">{}</legend>' if name == "objectives" else "<legend>{}</legend>"
    fieldset = '<fieldset class="deck" id="deck-{0}" data-deck="{0}">{1}{2}{3}</fieldset>'
    return format_html(fieldset, name, format_html(legend, titles[name]), joined(drawn), anyone)


def _face(deck: str, number: int) -> SafeString:
    return card(OBJECTIVES[number]) if deck == "objectives" else ruling(deck.removesuffix("s"), number)


# --- tiles ----------------------------------------------------------------------------------------------------------


def face_up(slot: int, tile: int | None, takes: bool) -> SafeString:
    """Draw a face-up tile, which players can take in their turn, or its empty slot."""
    own_id = f"up-{slot}"
    if tile is None:
        return format_html('<i class="slot" id="{}"></i>', own_id)
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile))}
    return _pick(str(tile), name, own_id, f"slot-{tile}", f"{slot}:{tile}") if takes else _seen(str(tile), name, own_id)


def own_tile(tile: int, takes: bool, fits: bool) -> SafeString:
    """Draw a tile of the viewer's hand, which can be chosen by a player who may act if it fits somewhere."""
    face, own_id = str(tile), f"held-{tile}"
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(face)}
    if not fits:
        name = gettext("%(tile)s; it fits nowhere") % {"tile": name}
    return _pick(face, name, own_id, f"tile-{tile}", face, fits=fits) if takes else _seen(face, name, own_id)


def open_hand(seat: int, name: str, tiles: Sequence[int], kept: Cards) -> SafeString:
    """Draw somebody's tiles and objective."""
    return format_html(
        '<section class="hands" id="hand-{}"><h2>{}: {}</h2><div class="tiles">{}</div>{}</section>',
        seat, gettext("All hands"), name, joined(_seen(str(tile), wording.face_text(str(tile))) for tile in tiles),
        objective_card(kept) if kept else "",
    )  # fmt: skip


def start_tile(face: str) -> SafeString:
    """Draw a side of a start tile, to be placed by hand."""
    name = gettext("Start tile %(face)s: %(tile)s") % {"face": face, "tile": wording.face_text(face)}
    return _pick(face, name, f"start-{face}", f"tile-{face}", face)


def ship(kind: str, seat: int, last: bool) -> SafeString:
    """Draw the ship "own" or "grey", to land with, perhaps for the last time."""
    own = kind == OWN
    face, name = (f"own-{seat}", gettext("Yours: +1 per Port")) if own else (FACE_OF[kind], gettext("Gray: 0 points"))
    return _pick(face, name, f"ship-{kind}", f"tile-{kind}", kind, about=f"piece-{'last' if last else kind}")


def _seen(face: str, name: str, own_id: str = "") -> SafeString:
    """Return a tile as a picture, where nothing can be chosen."""
    named = format_html(' id="{}"', own_id) if own_id else ""
    return format_html('<span class="pick"{} role="img" aria-label="{}">{}</span>', named, name, picture(face))


def _pick(
    face: str, name: str, own_id: str, button: str, value: str, *, fits: bool = True, about: str = ""
) -> SafeString:
    """Return a tile with its radio button, which has the class of its corners and the id `button`.

    `about` is the id of a sentence that explains a ship, whose name is seen beside it.
    """
    called = format_html(' aria-describedby="{}"', about) if about else format_html(' aria-label="{}"', name)
    return format_html(
        '<label class="pick" id="{}"><input type="radio" name="{}" value="{}" id="{}" form="act" class="m{}"{}{}{}>'
        "{}{}</label>",
        own_id, button.partition("-")[0], value, button, FACES[face].lying[0].corners if face in FACES else 0, called,
        _token_places(face), "" if fits else mark_safe(" disabled"), picture(face),
        format_html("<small>{}</small>", name) if about else "",
    )  # fmt: skip


@cache
def _token_places(face: str) -> SafeString:
    """Return where a bonus token may be laid on a face as printed, for the script, as attributes; none on a ship.

    The first says "leaf 0 33 27;.." for each resource: its name, region and place; the second "1 0;.." for each free
    coast: its side and region.
    """
    if face not in FACES or face in components.SHIP_FACES:
        return SafeString()
    land = (mark for mark in drawing.printed_marks(face) if mark.name in components.RESOURCES)
    lying = FACES[face].lying[0]
    free = sorted(set(lying.coasts) - set(lying.ports)) if len(lying.ports) < PORTS_ON_A_TILE else []
    coasts = ((side, drawing.port_mark(face, 0, side)) for side in free)
    return format_html(
        ' data-land="{}" data-coasts="{}"',
        ";".join(f"{mark.name} {mark.region} {mark.x} {mark.y}" for mark in land),
        ";".join(f"{side} {mark.x} {mark.y}" for side, mark in coasts),
    )
