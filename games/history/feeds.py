"""The finished matches of a person as an Atom feed: those that their profile shows to visitors."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from accounts.models import User
from accounts.services import access_player
from games.history.archive import Filters, Window, found_by
from games.history.endings import result_in_words
from games.matchmaking.lobby import with_people
from games.play.models import Match, MatchQuerySet

LISTED: Final = 25
"""Matches in a feed, the latest first."""

KEPT: Final = 300
"""Seconds for which a program may keep it before it asks again."""


class _Atom(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """Return when the feed changed last, at first when its person joined: not when it is asked for."""
        joined: datetime = self.feed["joined"]
        return max((item["updateddate"] for item in self.items), default=joined)


class _Matches(Feed):  # type: ignore[type-arg]  # generic in its stubs alone
    feed_type = _Atom

    def get_object(self, request: HttpRequest, *args: Any, **named: Any) -> User:
        person: User = named["person"]
        return person

    def title(self, person: User) -> str:
        return _("Matches of %(name)s") % {"name": person.shown_name}

    def link(self, person: User) -> str:
        return f"{settings.SITE_URL}{reverse('profile', args=[person.username])}"

    def feed_url(self, person: User) -> str:
        return f"{settings.SITE_URL}{reverse('matches_feed', args=[person.username])}"

    def feed_extra_kwargs(self, person: User) -> dict[str, Any]:
        return {"joined": person.date_joined}

    def items(self, person: User) -> MatchQuerySet:
        window = Window(Filters(player=person), None, None, LISTED)
        return with_people(found_by(AnonymousUser(), window)[:LISTED])

    def item_title(self, match: Match) -> str:
        return f"{match.title.game.name}: {', '.join(seat.name for seat in match.seats.all())}"

    def item_description(self, match: Match) -> str:
        return result_in_words(match, tuple(match.seats.all()))

    def item_link(self, match: Match) -> str:
        return f"{settings.SITE_URL}{match.get_absolute_url()}"

    def item_pubdate(self, match: Match) -> datetime | None:
        return match.ended_at

    def item_updateddate(self, match: Match) -> datetime | None:
        return match.ended_at


_feed = _Matches()


@require_safe
@conditional_page
def matches(request: HttpRequest, username: str) -> HttpResponse:
    """Serve the feed; other spellings of the name redirect to the right one."""
    person = access_player(username)
    if person.username != username:
        return redirect("matches_feed", person.username)
    response = _feed(request, person=person)
    response.headers["Cache-Control"] = f"public, max-age={KEPT}"
    patch_vary_headers(response, ["Accept-Language"])
    return response
