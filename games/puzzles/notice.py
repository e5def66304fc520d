"""The puzzles of the day as something that people can be told of in the morning (`games.notifications`)."""

from __future__ import annotations

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from accounts.mail import in_words_of
from accounts.models import User
from games.notifications import daily, validity
from games.notifications.messages import Message, absolute
from games.notifications.models import Kind
from games.puzzles.days import of_day, today
from games.puzzles.statistics import statistics
from games.puzzles.tries import Tried, of_account


def is_due(user: User) -> bool:
    """Return whether somebody has solved none of today's puzzles and can still try one."""
    tried = of_account(user)
    found = [tried.get((puzzle.slug, puzzle.day), Tried()) for puzzle in of_day(today())]
    return any(not each.is_over for each in found) and not any(each.solved for each in found)


def message(user: User) -> Message:
    """Return what somebody is told of today's puzzles, in their language."""
    with in_words_of(user):
        names = [puzzle.title.game.name for puzzle in of_day(today())]
        text = _("New today: %(games)s.") % {"games": get_text_list(names, _("and"))}
        return Message(
            kind=Kind.PUZZLE,
            title=_("Today’s puzzles"),
            text=" ".join(filter(None, (text, _streak(user)))),
            url=absolute(reverse("puzzles")),
            topic="puzzles",
            waiting=validity.waiting(user).count(),
        )


def _streak(user: User) -> str:
    """Return how many days in a row somebody could make longer today; empty for none."""
    count = statistics(of_account(user), today()).streak
    if count > 1:
        return _("You have solved a puzzle %(count)s days in a row.") % {"count": count}
    return _("You solved one yesterday.") if count else ""


daily.register(daily.Daily(Kind.PUZZLE, at=lambda preferences: preferences.puzzle_at, is_due=is_due, message=message))
