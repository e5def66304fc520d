"""The names and codes of an export in words, for its readable page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, Final

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Sanction, User
from accounts.moments import in_words
from games.chat.models import Openness, Room
from games.chat.phrases import PHRASES
from games.moderation.models import Report
from games.notifications.models import Channel, Kind
from games.play.models import Match, Speed
from games.titles import titles

NAMES: Final[Mapping[str, Any]] = {
    "address": gettext_lazy("Network address"),
    "after": gettext_lazy("After"),
    "alone": gettext_lazy("Alone"),
    "asked_by_me": gettext_lazy("You asked"),
    "at": gettext_lazy("When"),
    "before": gettext_lazy("Before"),
    "behind": gettext_lazy("Behind"),
    "began": gettext_lazy("Began"),
    "channel": gettext_lazy("Way"),
    "clock": gettext_lazy("Clock"),
    "coming": gettext_lazy("You come"),
    "confirmed": gettext_lazy("Confirmed"),
    "counts": gettext_lazy("Counts"),
    "day": gettext_lazy("Day"),
    "declined": gettext_lazy("Declined"),
    "deleted": gettext_lazy("Deleted"),
    "device": gettext_lazy("Device"),
    "digest_at": gettext_lazy("Daily digest"),
    "done": gettext_lazy("Done"),
    "email": gettext_lazy("Email address"),
    "ended": gettext_lazy("Ended"),
    "free_weekends": gettext_lazy("Free weekends"),
    "from": gettext_lazy("From"),
    "game": gettext_lazy("Game"),
    "goal": gettext_lazy("Wins needed"),
    "groups": gettext_lazy("Groups"),
    "guest": gettext_lazy("Guest"),
    "hints": gettext_lazy("Hints"),
    "host": gettext_lazy("Host"),
    "kind": gettext_lazy("Kind"),
    "language": gettext_lazy("Language"),
    "last_login": gettext_lazy("Last login"),
    "last_seen": gettext_lazy("Last seen"),
    "last_used": gettext_lazy("Last used"),
    "left": gettext_lazy("Left"),
    "lesson": gettext_lazy("Lesson"),
    "lobby_filter": gettext_lazy("Filters"),
    "looking_until": gettext_lazy("Looking for a game until"),
    "match": gettext_lazy("Match"),
    "matches": gettext_lazy("Matches"),
    "member_since": gettext_lazy("Member since"),
    "name": gettext_lazy("Name"),
    "no_vacations": gettext_lazy("No vacations"),
    "not_wanted": gettext_lazy("Not wanted"),
    "opens": gettext_lazy("Opens"),
    "options": gettext_lazy("Options"),
    "passed": gettext_lazy("Let pass"),
    "permissions": gettext_lazy("Permissions"),
    "phrase": gettext_lazy("Phrase"),
    "place": gettext_lazy("Place"),
    "primary": gettext_lazy("Primary"),
    "puzzle_at": gettext_lazy("Daily puzzle"),
    "quiet_from": gettext_lazy("Quiet from"),
    "quiet_until": gettext_lazy("Quiet until"),
    "rank": gettext_lazy("Rank"),
    "rated": gettext_lazy("Rated"),
    "rating": gettext_lazy("Rating"),
    "score": gettext_lazy("Points"),
    "seat": gettext_lazy("Seat"),
    "seats": gettext_lazy("Seats"),
    "seen": gettext_lazy("Seen"),
    "setting": gettext_lazy("What"),
    "shows_presence": gettext_lazy("Show when I am online"),
    "since": gettext_lazy("Since"),
    "single_keys": gettext_lazy("Single keys"),
    "sleep_from": gettext_lazy("Asleep from"),
    "sleep_until": gettext_lazy("Awake again at"),
    "speed": gettext_lazy("Speed"),
    "staff": gettext_lazy("Staff"),
    "state": gettext_lazy("State"),
    "steps": gettext_lazy("Steps"),
    "text": gettext_lazy("Text"),
    "theme": gettext_lazy("Theme"),
    "time_zone": gettext_lazy("Time zone"),
    "timed_out": gettext_lazy("Out of time"),
    "tips_left": gettext_lazy("Tips not read yet"),
    "to": gettext_lazy("To whom"),
    "tries": gettext_lazy("Tries"),
    "turns": gettext_lazy("Turns"),
    "unread": gettext_lazy("Unread"),
    "until": gettext_lazy("Up to"),
    "user_agent": gettext_lazy("Browser"),
    "value": gettext_lazy("Value"),
    "verified": gettext_lazy("Confirmed"),
    "visibility": gettext_lazy("Who can see it"),
    "who_may_write": gettext_lazy("Who may write to you"),
    "wins": gettext_lazy("Wins"),
    "with": gettext_lazy("With"),
    "year": gettext_lazy("Year"),
}
"""What the names in JSON mean; a name that is not here is shown as it is."""

_CODES: Final[Mapping[str, Mapping[Any, Any]]] = {
    "channel": dict(Channel.choices),
    "kind": {
        **dict(Room.Kind.choices),
        **dict(Kind.choices),
        **dict(Sanction.Kind.choices),
        **dict(Report.About.choices),
    },
    "phrase": PHRASES,
    "speed": dict(Speed.choices),
    "state": {code: label for code, label in Match.Status.choices if code != "closed"},
    "theme": dict(User.Theme.choices),
    "visibility": dict(Match.Visibility.choices),
    "who_may_write": dict(Openness.To.choices),
}
"""What the codes under a name mean, where the site has words for them."""


def name_in_words(name: str) -> str:
    """Return what a name means, in the active language."""
    return str(NAMES.get(name, name.replace("_", " ").capitalize()))


def value_in_words(name: str, value: Any) -> str:
    """Return a value under a name as people read it, in the active language and time zone."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if value is None or value in ("", [], {}):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(value_in_words(name, each) for each in value)
    if isinstance(value, datetime | date | time):
        return _moment(value)
    return _code(name, value)


def _moment(value: datetime | date | time) -> str:
    if isinstance(value, datetime):
        return in_words(value)
    return date_format(value) if isinstance(value, date) else time_format(value)


def _code(name: str, value: Any) -> str:
    if name == "game" and value in titles():
        return str(titles()[value].game.name)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_in_words(key, each)}" for key, each in value.items())
    return str(_CODES.get(name, {}).get(value, value))
