"""Bot accounts: how an account becomes one, for ever, and which of them are here. What they play is in `conditions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.relations import blocked_with, lock_people
from accounts.sanctions import refusal_to_play
from accounts.services import bots_here
from accounts.signals import becomes_bot
from games.bots.conditions import games_for_two, terms_in_words
from games.bots.models import Conditions
from games.engine.protocol import RuleViolation
from games.play.models import Match, Seat
from games.play.store import writing
from games.titles import Title, titles


def become_bot(user: Any) -> Conditions:
    """Make an account that has begun no match a bot, for ever; return its conditions, which are all open.

    It gets up from tables that have not begun, gives back promised seats, and stops waiting for others.

    Raises:
        RuleViolation: "guest-bot" for a guest, "staff-bot" for somebody on the staff, "already-bot", "has-begun" once
            it has begun a match, even alone or against a bot, or "suspended".
    """
    with writing():
        _check_may_become_bot(user)
        becomes_bot.send(User, user=user)
        lock_people([user.pk])  # after waits and tables, as whoever writes to those does
        current = User.objects.get(pk=user.pk)
        _check_may_become_bot(current)
        current.bot_since = user.bot_since = timezone.now()
        current.save(update_fields=["bot_since"])
        return Conditions.objects.create(user=current)


def _check_may_become_bot(user: Any) -> None:
    if user.guest:
        raise RuleViolation("guest-bot", _("Register first: a guest cannot become a bot."))
    if user.is_staff:
        raise RuleViolation("staff-bot", _("An account of the staff cannot become a bot."))
    if user.is_bot:
        raise RuleViolation("already-bot", _("This account is a bot already."))
    if Seat.objects.filter(user=user, match__started_at__isnull=False).exists():
        text = _("This account has begun a match, so it cannot become a bot. Register another one for your bot.")
        raise RuleViolation("has-begun", text)
    if refusal := refusal_to_play(user):
        raise RuleViolation("suspended", refusal)


# --- those that are here ----------------------------------------------------------------------------------------------

MOST_LISTED: Final = 50
"""How many bots a list has, at most."""


@dataclass(frozen=True, slots=True)
class OnlineBot:
    """A bot account that is here.

    Args:
        account: the bot.
        conditions: what it plays.
        playing: how many matches it plays now, tables at which it waits included.
    """

    account: User
    conditions: Conditions
    playing: int

    @property
    def is_busy(self) -> bool:
        return self.playing >= self.conditions.at_once

    @property
    def titles(self) -> list[Title]:
        """Return the games to which one other player can challenge it."""
        return [titles()[slug] for slug in games_for_two(self.conditions)]

    @property
    def terms(self) -> list[str]:
        """Return its other conditions, each in a few words."""
        return terms_in_words(self.conditions)


def online_bots(reader: Any) -> Sequence[OnlineBot]:
    """Return the bot accounts that are here, by name, without those from which a block keeps the reader."""
    going_on = Q(seats__left=None, seats__match__status__in=(Match.Status.OPEN, Match.Status.RUNNING))
    here = bots_here().exclude(pk__in=blocked_with(reader)).select_related("bot_conditions")
    counted = here.annotate(playing=Count("seats", filter=going_on))
    return [OnlineBot(it, it.bot_conditions, vars(it)["playing"]) for it in counted[:MOST_LISTED]]
