"""How much one person, and one network, can write: as the table of all limits has it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from accounts.models import User
from games.chat.models import Message, Room
from games.engine.protocol import RuleViolation

PACE: Final = LIMITS["chat"].person
"""At most so many messages of one person within each of these times."""

ROOMS: Final = LIMITS["conversation"].person[0].most
"""Friends whom one person can begin to write to within a day."""

LINKS_AFTER: Final = timedelta(days=7)
LINKS_MATCHES: Final = 5
"""Links of an account can be clicked when it is older than that and has finished so many matches."""


def check_pace(author: User) -> None:
    """Refuse more messages than `PACE`: "too-fast"."""
    now = timezone.now()
    for most, within in PACE:
        times = Message.objects.filter(author=author, at__gt=now - within).order_by("-at").values_list("at", flat=True)
        if len(latest := list(times[:most])) == most:
            seconds = int((latest[-1] + within - now).total_seconds()) + 1
            raise RuleViolation("too-fast", _wait_in_words(seconds))
    _spend("chat", author, "too-fast")


def _spend(what: str, author: User, code: str) -> None:
    try:
        spend(what, author)
    except TooMany as error:
        raise RuleViolation(code, error.text) from error


def _wait_in_words(seconds: int) -> str:
    if seconds < 60:  # noqa: PLR2004  # a minute
        return _("You are writing too fast. Please wait %(seconds)d seconds.") % {"seconds": seconds}
    return _("You have written a great deal. You can write again in %(minutes)d minutes.") % {
        "minutes": -(-seconds // 60)
    }


def check_new_room(author: User) -> None:
    """Refuse to begin writing to more people than `ROOMS` in a day: "too-many-people"."""
    since = timezone.now() - timedelta(days=1)
    own = Room.objects.filter(Q(one=author) | Q(other=author), kind=Room.Kind.DIRECT)
    if own.filter(messages__author=author, messages__at__gt=since).distinct().count() >= ROOMS:
        text = _("You have written to %(count)d people today. Please wait until tomorrow to write to others.")
        raise RuleViolation("too-many-people", text % {"count": ROOMS})
    _spend("conversation", author, "too-many-people")
