"""What an action did, in small pictures for the log."""

from __future__ import annotations

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.engine.protocol import Event
from games.titles.card_chess.board.drawing import drawn
from games.titles.card_chess.rules import state
from games.titles.regions import joined

_LOCK = SafeString('<svg class="log-picture sign" viewBox="0 0 24 24"><use href="#icon-lock"/></svg>')
_CARD = '<svg class="log-picture of-card{}" viewBox="0 0 60 80"><use href="#c-{}"/></svg>'


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return a lock for a secret turn; of a pile its target and the cards played there, its captor's marked."""
    match event:
        case state.Confirmed():
            return _LOCK
        case state.PileSettled(pile=pile):
            played = (
                format_html(_CARD, " took" if seat == pile.captor else "", drawn(card))
                for seat, card in enumerate(pile.cards)
            )
            return joined((format_html(_CARD, "", drawn(pile.target)), *played))
    return SafeString()
