"""The fixed words of the board, and what its script says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace

from django.utils.html import escape
from django.utils.translation import gettext

from games.titles.small_islands import wording
from games.titles.small_islands.composing import MISSING


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
