"""What an action did, in small pictures for the log."""

from __future__ import annotations

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.engine.protocol import Event
from games.titles.shifting_stones.rules import state

_STONE = '<svg class="log-picture" viewBox="0 0 18 18"><use href="#mini-{}"/></svg>'
_SIGN = '<svg class="log-picture sign" viewBox="0 0 24 24"><use href="#icon-{}"/></svg>'
_CARD = '<svg class="log-picture of-card" viewBox="0 0 68 88"><use href="#face-{}"/></svg>'
_CHANGED = f"{_STONE}{_SIGN}{_STONE}{_CARD}"


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return the stones that changed and the card that it cost, a card that was scored, or the sign of a turn."""
    match event:
        case state.StonesShifted():
            return format_html(_CHANGED, event.first_face, "shift", event.second_face, event.card)
        case state.StoneFlipped():
            return format_html(_CHANGED, event.old_face, "flip", event.new_face, event.card)
        case state.CardScored():
            return format_html(_SIGN + _CARD, "score", event.card)
        case state.TurnEnded():
            return format_html(_SIGN, "end")
        case state.TurnSkipped():
            return format_html(_SIGN, "skip")
    return SafeString()
