"""Who sits at a match: who of them is looking at it now, and how reliably they take their turns.

Both change without the match changing, so that they are not part of its board: the page asks for them now and then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.presence import shown_to
from games.play.live.presence import LOOKING
from games.play.matches.reliability import reliability_of
from games.play.matches.viewed import ViewedMatch
from games.play.models import Presence

FRESH = 600
"""Seconds for which a percentage is good: it changes only when a match ends."""


def company(viewed: ViewedMatch, reader: Any) -> dict[str, dict[str, str | bool]]:
    """Return what a reader may know of the others who play a running match, by seat.

    `said` is in words, `turns` in short. Who hides that they are here is away, for everybody.
    """
    if not viewed.match.is_running:
        return {}
    now = timezone.now()
    recent = Presence.objects.filter(match=viewed.match, at__range=(now - LOOKING, now + LOOKING))
    here = shown_to(reader, recent.values_list("user_id", flat=True))
    others = [seat for seat in viewed.seats if seat.user_id and not seat.has_left and seat.number != viewed.viewer]
    return {str(seat.number): _known(seat.user_id or 0, seat.user_id in here) for seat in others}


def _known(user: int, here: bool) -> dict[str, str | bool]:
    share = _in_time(user, int(timezone.now().timestamp()) // FRESH)
    said = _("is here") if here else _("is away")
    if share is None:
        return {"here": here, "turns": "", "said": said}
    told = _("%(share)s %% of turns on time") % {"share": share}
    return {"here": here, "turns": f"{share}\N{NARROW NO-BREAK SPACE}%", "said": f"{said}, {told}"}


@lru_cache(maxsize=5_000)
def _in_time(user: int, _period: int) -> int | None:
    return reliability_of(user).in_time
