"""The words of what people are told."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _

from games.notifications.channels import Message
from games.notifications.models import Kind, Notice


def message_of(notice: Notice) -> Message:
    """Return a notice in the words of its reader."""
    match = notice.match
    title = f"{Kind(notice.kind).label}: {match.title.game.name}"
    names = ", ".join(seat.name for seat in match.seats.exclude(user=notice.user).select_related("user"))
    url = settings.SITE_URL + match.get_absolute_url()
    return Message(notice.kind, title, _("With %(names)s.") % {"names": names}, url, match.slug, match.slug)
