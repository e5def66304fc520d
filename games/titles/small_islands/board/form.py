"""From the submitted form of the board to the notation of an action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import TypeAlias

from django.utils.html import escape
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Mark
from games.titles.small_islands.board import wording

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
"""What is said when a choice is incomplete, or something in it cannot be."""

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
            return f"choose {_cards(fields, 'now')} {_cards(fields, 'next')}"
        case "combine":
            return f"choose {_pair(fields, 'now')} {_pair(fields, 'next')}"
        case "place":
            return _placing(fields)
        case "discard":
            slot, tile = _slot_and_tile(fields)
            return f"explore {slot} {tile} discard"
        case "settle":
            return _settling(fields)
        case _:
            raise _incomplete("verb")


def marks(text: str) -> Sequence[Mark]:
    """Return what is chosen for an action; a tile that is taken may lie in its slot or in the hand.

    >>> [mark.values for mark in marks("explore 2 41 1,-1 3")]
    [('2',), ('41', 'taken'), ('1,-1',), ('3',), ('place',)]
    """
    verb, *words = text.partition(" token ")[0].split()
    match verb:
        case "choose":
            return tuple(_kept(words))
        case "explore" if words[-1] == "discard":
            return (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")), Mark("verb", ("discard",)))
        case "explore":
            chosen = (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")))
            return (*chosen, *_laid(words[2:]))
        case "start" | "land":
            return (Mark("tile", (words[0],)), *_laid(words[1:]))
        case _:
            return (*(Mark("site", (site,)) for site in words), Mark("verb", ("settle",)))


def _laid(words: Sequence[str]) -> Iterator[Mark]:
    """Yield a cell, how often the tile is turned, and the button."""
    yield from (Mark(name, (word,)) for name, word in zip(("cell", "turn"), words, strict=False))
    yield Mark("verb", ("place",))


def _kept(words: Sequence[str]) -> Iterator[Mark]:
    """Yield the cards that are kept now, and those put aside for later."""
    half = len(words) // 2
    for when, cards in (("now", words[:half]), ("next", words[half:])):
        for card in cards:
            deck = {"m": "missions", "r": "rewards"}.get(card[0], "objectives")
            yield Mark(f"{when}-{deck}", (card.lstrip("mr"),))


def _cards(fields: Fields, when: str, deck: str = "objectives") -> str:
    return _only(fields, f"{when}-{deck}", "cards")


def _pair(fields: Fields, when: str) -> str:
    return f"m{_cards(fields, when, 'missions')} r{_cards(fields, when, 'rewards')}"


def _placing(fields: Fields) -> str:
    tile = _only(fields, "tile", "tile")
    if tile in {"own", "grey"}:
        if any(fields.get("token", ())):
            raise _incomplete("token")
        return f"land {tile} {_only(fields, 'cell', 'cell')}"
    if _START_FACE.fullmatch(tile):
        return f"start {tile} {_only(fields, 'cell', 'cell')} {_only(fields, 'turn', 'turn')}"
    slot, placed = _slot_and_tile(fields)
    cell, turn = _only(fields, "cell", "cell"), _only(fields, "turn", "turn")
    return f"explore {slot} {placed} {cell} {turn}{_token(fields, cell)}"


def _slot_and_tile(fields: Fields) -> tuple[str, str]:
    slot, _colon, taken = _only(fields, "slot", "slot").partition(":")
    tile = _only(fields, "tile", "tile")
    return slot, taken if tile == "taken" else tile


def _token(fields: Fields, cell: str) -> str:
    """Return the end of the notation that lays a bonus token, empty without one; `NEW` is the tile just placed."""
    token = next(iter(fields.get("token", ())), "")
    return f" token {token}".replace(f" {NEW}", f" {cell}", 1) if token else ""


def _settling(fields: Fields) -> str:
    """Return the settlement; placing no House where one could be placed must be chosen explicitly."""
    sites = fields.get("site", ())
    if not sites and fields.get("places") and not fields.get("none"):
        raise _incomplete("none")
    return " ".join(("settle", *sites))


def _only(fields: Fields, name: str, missing: str) -> str:
    values = fields.get(name, ())
    if len(values) != 1 or not values[0]:
        raise _incomplete(missing)
    return values[0]


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))


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
