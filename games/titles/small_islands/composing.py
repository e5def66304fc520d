"""From the submitted form of the board to the notation of an action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Mark

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
