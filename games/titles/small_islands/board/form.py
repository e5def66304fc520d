"""The form of the board: from its fields to the notation of an action, what tokens can do, and the fixed words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from types import SimpleNamespace
from typing import TypeAlias

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Mark
from games.titles.regions import joined
from games.titles.small_islands.board import drawing, wording
from games.titles.small_islands.rules import exploration
from games.titles.small_islands.rules.components import PORT, RESOURCES, SHIP_FACES, SIDES, Cell
from games.titles.small_islands.rules.islands import Placed, Site, Token
from games.titles.small_islands.rules.notation import ANY, PortToken, TokenUse, write_use
from games.titles.small_islands.rules.view import View

Fields: TypeAlias = Mapping[str, Sequence[str]]

MISSING = {
    "verb": _("Choose what to do."),
    "cards": _("Choose one card for now and another for next time."),
    "tile": _("Choose a tile to place."),
    "slot": _("Choose a face-up tile to take."),
    "cell": _("Choose a cell on the map."),
    "turn": _("Choose how the tile is turned."),
    "token": _("A bonus token is laid when you explore, not when you land."),
    "none": _("You could place a House. To place none, choose “no House this time” and settle again."),
}
"""The refusals of an incomplete or impossible choice."""

NEW = "new"
"""Where a bonus token is laid on the tile being placed, this stands for the cell, which is not known yet."""

_START_FACE = re.compile("S[1-4][AB]")


def compose(fields: Fields) -> str:
    """Return the notation of the action a submitted board form asks for.

    >>> compose({"verb": ["place"], "slot": ["2:41"], "tile": ["taken"], "cell": ["1,-1"], "turn": ["3"]})
    'explore 2 41 1,-1 3'

    Raises:
        RuleViolation: with the code "choice", when something is missing.
    """
    match _only(fields, "verb", "verb"):
        case "choose":
            now, later = (_only(fields, f"{when}-objectives", "cards") for when in ("now", "next"))
            return f"choose {now} {later}"
        case "combine":
            cards = (
                sign + _only(fields, f"{when}-{deck}", "cards")
                for when in ("now", "next")
                for sign, deck in (("m", "missions"), ("r", "rewards"))
            )
            return " ".join(("choose", *cards))
        case "place":
            return _place(fields)
        case "discard":
            slot, tile = _slot_and_tile(fields)
            return f"explore {slot} {tile} discard"
        case "settle":
            sites = fields.get("site", ())
            if not sites and fields.get("places") and not fields.get("none"):
                raise _incomplete("none")  # to place none where one could be placed is chosen explicitly
            return " ".join(("settle", *sites))
        case _:
            raise _incomplete("verb")


def _place(fields: Fields) -> str:
    """Return the action that places a tile or a ship; the token `NEW` goes on the tile that is placed."""
    tile, token = _only(fields, "tile", "tile"), next(iter(fields.get("token", ())), "")
    if tile in {"own", "grey"}:
        if any(fields.get("token", ())):
            raise _incomplete("token")
        return f"land {tile} {_only(fields, 'cell', 'cell')}"
    if _START_FACE.fullmatch(tile):
        return f"start {tile} {_only(fields, 'cell', 'cell')} {_only(fields, 'turn', 'turn')}"
    slot, placed = _slot_and_tile(fields)
    cell, turn = _only(fields, "cell", "cell"), _only(fields, "turn", "turn")
    laid = f" token {token}".replace(f" {NEW}", f" {cell}", 1) if token else ""
    return f"explore {slot} {placed} {cell} {turn}{laid}"


def marks(text: str) -> Sequence[Mark]:
    """Return what is chosen for an action; a tile that is taken may lie in its slot or in the hand.

    >>> [mark.values for mark in marks("explore 2 41 1,-1 3")]
    [('2',), ('41', 'taken'), ('1,-1',), ('3',), ('place',)]
    """
    verb, *words = text.partition(" token ")[0].split()
    chosen: tuple[Mark, ...]
    match verb:
        case "choose":
            return tuple(_kept(words))
        case "explore" if words[-1] == "discard":
            return (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")), Mark("verb", ("discard",)))
        case "explore":
            chosen = (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")))
            laid = words[2:]
        case "start" | "land":
            chosen, laid = (Mark("tile", (words[0],)),), words[1:]
        case _:
            return (*(Mark("site", (site,)) for site in words), Mark("verb", ("settle",)))
    place = (Mark(name, (word,)) for name, word in zip(("cell", "turn"), laid, strict=False))
    return (*chosen, *place, Mark("verb", ("place",)))


def _kept(words: Sequence[str]) -> Iterator[Mark]:
    """Yield the cards that are kept now, and those put aside for later."""
    half = len(words) // 2
    for when, cards in (("now", words[:half]), ("next", words[half:])):
        for card in cards:
            deck = {"m": "missions", "r": "rewards"}.get(card[0], "objectives")
            yield Mark(f"{when}-{deck}", (card.lstrip("mr"),))


def _slot_and_tile(fields: Fields) -> tuple[str, str]:
    slot, _colon, taken = _only(fields, "slot", "slot").partition(":")
    tile = _only(fields, "tile", "tile")
    return slot, taken if tile == "taken" else tile


def _only(fields: Fields, name: str, missing: str) -> str:
    values = fields.get(name, ())
    if len(values) != 1 or not values[0]:
        raise _incomplete(missing)
    return values[0]


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))


# --- where bonus tokens can be laid ----------------------------------------------------------------------------------

Choice: TypeAlias = tuple[str, SafeString]
"""What a token shows, in the notation, and the option of the list that lays it somewhere."""

_SOMEWHERE = Cell(0, 0)


def token_list(view: View, language: str | None) -> SimpleNamespace | None:
    """Return the bonus tokens the viewer has left, as they may be laid; None when there are none.

    `shows` has an option for each thing a token may show; `choices` has, grouped by these, every use that may be sent.
    For the tile being placed these are the uses that are legal on one of the tiles in a turn in which it fits.
    """
    left = view.table.tokens_left(view.viewer) if view.viewer is not None else ()
    if not left:
        return None
    laid: dict[Cell, tuple[Token, ...]] = {}
    for token in view.table.tokens:
        laid[token.site.cell] = (*laid.get(token.site.cell, ()), token)
    lying = sorted({(tile, turn) for tile, places in view.spots.items() for _cell, turn in places})
    options = [_on_new_tile(tuple(lying), left, language)]
    options += (_on_tile(tile, laid.get(tile.cell, ()), left, language) for tile in view.table.board)
    found: dict[str, list[SafeString]] = {}
    for shown, option in chain.from_iterable(options):
        found.setdefault(shown, []).append(option)
    names = [(shown, text) for shown, text in _names(left).items() if shown in found]
    return SimpleNamespace(
        shows=joined(format_html('<option value="{}">{}</option>', *name) for name in names),
        choices=joined(
            format_html('<optgroup label="{}">{}</optgroup>', text, joined(found[shown])) for shown, text in names
        ),
    )


def _shown(use: TokenUse) -> str:
    return write_use(use).partition(" ")[0]


def _names(left: Iterable[str]) -> Mapping[str, str]:
    """Return what these tokens may show, in the notation and in words."""
    names = {name: wording.symbol_name(name) for name in left}
    shown = {name: text for name, text in names.items() if name != ANY}
    if ANY in names:
        template = gettext("any resource, as %(shows)s")
        shown |= {f"{ANY}={name}": template % {"shows": wording.symbol_name(name)} for name in RESOURCES}
    template = gettext("Port, on the back of %(name)s")
    return shown | {f"{name}={PORT}": template % {"name": text} for name, text in names.items()}


def _laid_on(use: TokenUse) -> tuple[Site, str]:
    """Return what a token is laid on and what it covers there, in words; a Port names no region."""
    if isinstance(use, PortToken):
        return Site(use.cell, 0), wording.side_name(SIDES[use.side])
    return use.site, wording.symbol_name(use.over)


@lru_cache(maxsize=4096)
def _on_tile(
    tile: Placed, tokens: tuple[Token, ...], left: tuple[str, ...], language: str | None
) -> tuple[Choice, ...]:
    """Return every use of the tokens left on a tile in play, with its option, which knows its spot on the map."""
    if tile.face in SHIP_FACES:
        return ()
    spots, found = drawing.marks_on(tile, tokens), []
    for use in exploration.uses_on(tile, tokens, left):
        if isinstance(use, PortToken):
            spot = drawing.port_mark(tile.face, tile.turn, use.side)
        else:
            spot = next(mark for mark in spots if (mark.name, mark.region) == (use.over, use.site.region))
        site, what = _laid_on(use)
        text = f"{wording.site_name(site, tile.turn)}: {what}"
        option = format_html('<option value="{}" data-at="{} {}">{}</option>', write_use(use), spot.x, spot.y, text)
        found.append((_shown(use), option))
    return tuple(found)


@lru_cache(maxsize=256)
def _on_new_tile(lying: tuple[tuple[int, int], ...], left: tuple[str, ...], language: str | None) -> tuple[Choice, ...]:
    """Return each use that is legal on one of these tiles in one of their turns, with its option.

    The two lands of a channel are called parts, as its turn is not known yet.
    """
    placed = (Placed(str(tile), _SOMEWHERE, turn, None) for tile, turn in lying)
    uses = {use: None for tile in placed for use in exploration.uses_on(tile, (), left)}
    found = []
    for use in sorted(uses, key=write_use):
        site, what = _laid_on(use)
        value = write_use(use).replace(f" {_SOMEWHERE.x},{_SOMEWHERE.y}", f" {NEW}")
        if site.region:
            part = gettext("part %(number)s") % {"number": site.region}
            text = gettext("the new tile, %(part)s: %(what)s") % {"part": part, "what": what}
            option = format_html('<option value="{}" data-part="{}">{}</option>', value, part, text)
        else:
            text = gettext("the new tile: %(what)s") % {"what": what}
            option = format_html('<option value="{}">{}</option>', value, text)
        found.append((_shown(use), option))
    return tuple(found)


# --- fixed words -----------------------------------------------------------------------------------------------------


@cache
def labels(language: str | None) -> SimpleNamespace:
    """Return the fixed words of the board, ready for the page."""
    words = {
        "map": gettext("Map"),
        "cells": gettext("Cells for the tile"),
        "places": gettext("House places"),
        "near": gettext("Zoom in"),
        "far": gettext("Zoom out"),
        "fit": gettext("Whole map"),
        "touch": gettext("Tap an island to see what it is worth."),
        "row": gettext("Take one"),
        "row_shown": gettext("Face up"),
        "hand": gettext("Place one"),
        "hand_shown": gettext("Your hand"),
        "start": gettext("Start tiles: choose a side"),
        "ships": gettext("Ships"),
        "taken": gettext("the one I take"),
        "turn": gettext("Turn"),
        "turned": gettext("How the tile is turned"),
        "token": gettext("Bonus token"),
        "no_token": gettext("no token"),
        "where": gettext("Where it goes"),
        "nowhere": gettext("nowhere"),
        "hint": gettext("Take a face-up tile, choose the one to place, its turn and a cell."),
        "hint_start": gettext("Choose a side of a start tile, a cell and the turn."),
        "hint_choose": gettext("Choose one card for now and another for next time; the third goes back."),
        "hint_reward": gettext("Choose house places on different islands, or “no House this time”."),
        "no_house_now": gettext("no House this time"),
        "send": gettext("Send"),
        "discard": gettext("Put back"),
        "settle": gettext("Settle"),
        "keep": gettext("Confirm"),
        "now": gettext("now"),
        "next": gettext("next time"),
        "objective": gettext("Your objective"),
        "aside": gettext("Put aside for next time"),
        "last_round": gettext("This is the last round: it no longer matters which card you choose for next time."),
        "islands": gettext("Islands"),
        "none": gettext("No islands yet."),
        "called": gettext(
            "Named after column and row of their topmost tile (of several,"
            " the leftmost); the name changes as an island grows"
        ),
        "of_one": gettext("of one tile"),
        "rewards": gettext("Reward phase"),
        "no_house": gettext("no House"),
        "waits": gettext("has not revealed yet"),
        "now_on": gettext("to move"),
        "chosen": gettext("has chosen"),
        "players": gettext("What is left"),
        "alexis": gettext("Alexis"),
        "did": gettext("Last turn"),
        "count": gettext("Where the points come from"),
        "player": gettext("Player"),
        "from_islands": gettext("Islands"),
        "from_discoveries": gettext("Discovery"),
        "from_ports": gettext("Ports"),
        "from_card": gettext("Card"),
        "total": gettext("Total"),
        "hands": gettext("All hands"),
    }
    return SimpleNamespace(**{name: escape(text) for name, text in words.items()})


def words() -> Mapping[str, str]:
    """Return the sentences the script says while the player chooses, by the names it knows them by."""
    return {
        "start": gettext("Choose a face-up tile to take."),
        "face": gettext("Choose a side of a start tile."),
        "slot": str(MISSING["slot"]),
        "cell": gettext("Choose a marked cell, or turn the tile."),
        "nowhere": gettext("This tile fits nowhere, however it is turned."),
        "where": gettext("Choose where the bonus token goes."),
        "ready": gettext("At %(cell)s: send it.") % {"cell": "{0}"},
        "turnable": gettext("At %(cell)s: send it, or turn it.") % {"cell": "{0}"},
        "landing": gettext("Land at %(cell)s: send it.") % {"cell": "{0}"},
        "cards": str(MISSING["cards"]),
        "kept": gettext("Confirm your choice; it stays secret."),
        "houses": gettext("Houses chosen: %(count)s.") % {"count": "{0}"},
        "ask": gettext("You could place a House. Press “Settle” again to place none."),
        "none": gettext("You place no House."),
        "places": gettext("Choose house places on different islands, or “no House this time”."),
        **{f"corner{number}": str(name) for number, name in enumerate(wording.CORNER_NAMES)},
    }
