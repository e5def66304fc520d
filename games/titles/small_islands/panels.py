"""What is shown beside the map: how far it has come, the Reward phase, the players, Alexis, and the final count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.titles.phrases import points_text
from games.titles.regions import joined
from games.titles.small_islands import objective_cards, wording
from games.titles.small_islands.drawing import house_picture, sign
from games.titles.small_islands.objectives import Objective, objective_of
from games.titles.small_islands.placement import tiles_at
from games.titles.small_islands.scoring import CARDS, Tally
from games.titles.small_islands.ships import ships_left
from games.titles.small_islands.state import ALEXIS, HOUSES, House, Table
from games.titles.small_islands.telling import name_of
from games.titles.small_islands.view import View

# --- how far the match has come -------------------------------------------------------------------------------------


def stands(view: View, names: Sequence[str], language: str | None) -> str:
    """Return in one line how far the match has come; when not everybody can land any more, also who can."""
    table = view.table
    able = tuple(names[seat] for seat in range(table.seats) if ships_left(table, seat))
    ships = table.grey_ships_left + sum(table.own_ship_left(seat) for seat in range(table.seats))
    owners = able if able and not table.grey_ships_left and len(able) < table.players else ()
    return _stand((table.round, table.navigation, view.reserve, ships), owners, language)


@lru_cache(maxsize=1024)
def _stand(numbers: tuple[int, int, int, int], owners: tuple[str, ...], language: str | None) -> str:
    """Return it in words: the round, then how many tiles and ships are left."""
    number, navigation, reserve, ships = numbers
    left = gettext("Ships %(count)s") % {"count": ships}
    told = (
        gettext("Round %(round)s/4") % {"round": number},
        gettext("Navigation %(count)s") % {"count": navigation},
        gettext("Reserve %(count)s") % {"count": reserve},
        f"{left} ({', '.join(owners)})" if owners else left,
    )
    return escape(" · ".join(told))


# --- the Reward phase -----------------------------------------------------------------------------------------------


def reward_phase(table: Table, names: Sequence[str], language: str | None) -> list[SimpleNamespace]:
    """Return in turn order what everybody revealed and placed in the latest Reward phase; [] before the first."""
    past = table.phase not in {"reward", "over"}
    number = table.round - past
    if not number:
        return []
    first = table.starter - past  # the round begins with the player after the one who landed
    seats = [(first + step) % table.players for step in range(table.players)]
    return [_rewarded(table, seat, number, name_of(seat, names), language) for seat in seats]


def _rewarded(table: Table, seat: int, number: int, name: str, language: str | None) -> SimpleNamespace:
    cards = table.revealed[seat] if seat < table.seats else ()
    houses = tuple(house for house in table.houses if house.seat == seat and house.round == number)
    return SimpleNamespace(
        seat=seat,
        name=name,
        card=objective_cards.card(objective_of(cards), language) if cards else "",
        houses=houses_told(tuple(_told(table, house) for house in houses), language),
        gained=wording.gained_text(*_gained(table, houses)) if cards or houses else "",
        now=table.phase == "reward" and table.turn == seat,
        waits=table.phase == "reward" and seat < table.seats and not cards,
    )


def _told(table: Table, house: House) -> tuple[str, int, int]:
    """Return the name of the place of a House, its points, and how many discovery tokens were drawn for it."""
    name = wording.site_name(house.site, tiles_at(table.board)[house.site.cell].turn)
    return name, house.points, _drawn(table, house)


def _drawn(table: Table, house: House) -> int:
    number = table.houses.index(house)
    return next((found.drawn for found in table.discoveries if found.house == number), 0)


def _gained(table: Table, houses: Sequence[House]) -> tuple[int, int]:
    """Return the points and the number of discovery tokens that some Houses brought."""
    return sum(house.points for house in houses), sum(_drawn(table, house) > 0 for house in houses)


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
    table = view.table
    return [_supply(table, seat, name_of(seat, names), language) for seat in range(table.players)]


def _supply(table: Table, seat: int, name: str, language: str | None) -> SimpleNamespace:
    human = seat < table.seats
    return SimpleNamespace(
        seat=seat,
        name=name,
        turn=table.phase in {"start", "explore", "reward"} and table.turn == seat,
        chosen=table.phase == "choose" and human and table.chosen[seat],
        left=_left(
            seat,
            table.tokens_left(seat) if human else (),
            (table.houses_in_hand(seat), HOUSES - table.houses_placed(seat) - table.houses_in_hand(seat)),
            table.own_ship_left(seat),
            language,
        ),
    )


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


def alexis(view: View, told: Sequence[str]) -> SimpleNamespace | None:
    """Return the card Alexis plays by, what he did last, and his expedition stack; None when he does not play."""
    if view.table.alexis is None:
        return None
    return SimpleNamespace(
        card=wording.alexis_text(CARDS[view.table.alexis]),
        told=told,
        expedition=gettext("Expedition cards: %(left)s left, %(drawn)s drawn")
        % {"left": view.expedition, "drawn": len(view.table.expedition_discards)},
        drawn=[wording.expedition_text(card) for card in reversed(view.table.expedition_discards)],
    )


# --- the end --------------------------------------------------------------------------------------------------------


def final_count(view: View, names: Sequence[str], language: str | None) -> list[SimpleNamespace]:
    """Return for everybody, the best first, where the points came from; [] before the match is over."""
    if view.outcome is None:
        return []
    tallies = view.tallies
    order = sorted(range(len(tallies)), key=lambda seat: (-tallies[seat].total, _place(view, seat)))
    return [
        SimpleNamespace(
            seat=seat,
            name=name_of(seat, names),
            tally=tallies[seat],
            earned=_earned(tallies[seat]),
            houses=list(_housed(view.table, seat, _found(view, seat), language)),
        )
        for seat in order
    ]


def _earned(tally: Tally) -> str:
    """Return the points of the Houses as they stand in the columns of the table."""
    told = [f"{gettext('Islands')} {tally.islands}"]
    if tally.discoveries:
        told.append(f"{gettext('Discovery')} {tally.discoveries}")
    return escape(", ".join(told))


def _place(view: View, seat: int) -> int:
    return view.outcome.places[seat] if view.outcome and seat < view.table.seats else ALEXIS


def _found(view: View, seat: int) -> Mapping[int, int | None]:
    """Return the values of a seat's discovery tokens by the House they were drawn for."""
    pairs = zip(view.table.discoveries, view.values, strict=True)
    return {found.house: value for found, value in pairs if view.table.houses[found.house].seat == seat}


def _housed(table: Table, seat: int, found: Mapping[int, int | None], language: str | None) -> Iterator[str]:
    for index, house in enumerate(table.houses):
        if house.seat != seat:
            continue
        words = {
            "round": house.round,
            "cell": wording.site_name(house.site, tiles_at(table.board)[house.site.cell].turn),
            "points": points_text(house.points),
        }
        if house.reward:
            words["objective"] = wording.objective_text(Objective(house.mission, house.reward))
        if index in found:
            words["points"] = gettext("discovery token, %(points)s") % {"points": points_text(found[index] or 0)}
        template = (
            gettext("Round %(round)s, on %(cell)s: %(points)s (%(objective)s)")
            if house.reward
            else gettext("Round %(round)s, on %(cell)s: %(points)s")
        )
        yield template % words
