"""What events write into calendars: when they start, until when to confirm, their next round, and their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Event as Written

from accounts.models import User
from games.events import pages, words
from games.events.models import Entry, Event
from games.notifications.calendars import AN_EVENING, deadline, entry


def entries_of(user: User) -> Iterator[Written]:
    """Return what happens in the events that somebody takes part in (`games.notifications.calendars.register`)."""
    theirs = Entry.objects.filter(user=user, event__state__in=[Event.State.OPEN, Event.State.RUNNING])
    for mine in theirs.exclude(state=Entry.State.OUT).select_related("event").order_by("event__starts_at", "event"):
        yield from entries_in(mine.event, mine)


def entries_in(event: Event, mine: Entry | None = None) -> Iterable[Written]:
    """Return what happens in an event: for everybody or, with an entry, for whose it is.

    Args:
        event: nothing happens any more in one that has ended.
        mine: nobody who is paused is told of the next round.
    """
    if event.has_ended:
        return
    what, path = {"event": words.season_name_of(event)}, event.get_absolute_url()
    next_round_at = pages.next_round_at(event, timezone.now())
    if event.is_open:
        until = (
            event.ends_at
            if event.is_live and event.ends_at
            else event.starts_at + AN_EVENING * ((event.is_live and event.rounds) or 1)
        )
        yield entry(f"{event.slug}-start", event.starts_at, until, _("%(event)s starts") % what, path)
        if mine is not None and event.lacks_confirmation(mine):
            yield deadline(
                f"{event.slug}-confirm", event.starts_at, _("%(event)s: confirm that you will play") % what, path
            )
    elif next_round_at is not None and (mine is None or mine.is_in):
        summary = _("%(event)s: next round") % what
        yield entry(f"{event.slug}-round", next_round_at, next_round_at + AN_EVENING, summary, path)
    if event.ends_at and not event.is_live:
        yield deadline(f"{event.slug}-end", event.ends_at, _("%(event)s ends") % what, path)
