"""The pages of the gallery (`tests.browser.gallery`) and who reads them, in a site that `make demo` has filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.sync_api import Page

from tests.benchmarks.site import Player, player

if TYPE_CHECKING:
    from games.play.models import Match, Seat


@dataclass(frozen=True)
class Scene:
    """A page and who reads it.

    Args:
        reader: None is a visitor.
        address: of the page.
        then: what they do there before the picture is taken.
    """

    reader: Player | None
    address: str
    then: Callable[[Page], object] | None = None


def scenes() -> Mapping[str, Scene]:
    """Return the pages by name."""
    from accounts.models import User
    from accounts.moments import today
    from games.titles import titles

    ann, bruno = User.objects.order_by("pk")[:2]
    reader = player(ann.username)
    found = {
        "start": Scene(None, "/"),
        "home": Scene(reader, "/"),
        "lobby": Scene(reader, "/lobby/"),
        "pairing": Scene(reader, "/pairing/"),
        "play": Scene(None, "/play/"),
        "my-matches": Scene(reader, "/matches/"),
        "table-new": Scene(reader, "/tables/new/"),
        "table-plan": Scene(reader, "/tables/plan/"),
        "planned": Scene(reader, "/tables/planned/"),
        "people": Scene(reader, "/people/"),
        "profile": Scene(reader, f"/@{ann.username}/"),
        "archive": Scene(reader, "/archive/"),
        "leaderboard": Scene(reader, "/leaderboard/"),
        "learn": Scene(reader, "/learn/"),
        "notices": Scene(reader, "/notices/"),
        "messages": Scene(reader, "/messages/"),
        "report": Scene(reader, f"/report/person/{bruno.username}/"),
        "reports": Scene(reader, "/reports/"),
        "standing": Scene(reader, "/standing/"),
        "privacy": Scene(None, "/privacy/"),
        "settings-overview": Scene(reader, "/settings/"),
        "settings": Scene(reader, "/settings/profile/"),
        "settings-devices": Scene(reader, "/settings/devices/"),
        "settings-data": Scene(reader, "/settings/data/"),
        "settings-play": Scene(reader, "/settings/play/"),
        "settings-security": Scene(reader, "/settings/security/"),
        "settings-notices": Scene(reader, "/settings/notices/"),
        "bots": Scene(reader, "/bots/"),
        "bot": Scene(reader, "/bots/master/"),
        "puzzles": Scene(reader, "/puzzles/"),
        "puzzle-archive": Scene(reader, "/puzzles/archive/"),
        "deals": Scene(reader, "/deals/"),
        "events": Scene(reader, "/events/"),
        "login": Scene(None, "/account/login/"),
        "register": Scene(None, "/account/signup/"),
        "missing": Scene(None, "/nothing/"),
    }
    found |= _events(reader)
    for slug in titles():
        found[f"rules-{slug}"] = Scene(reader, f"/rules/{slug}/")
        found[f"leaderboard-{slug}"] = Scene(reader, f"/leaderboard/{slug}/days/")
        found[f"puzzle-{slug}"] = Scene(None, f"/puzzles/{slug}/{today()}/")
        found |= _matches(slug)
    for slug in (slug for slug, title in titles().items() if title.lessons):
        found |= _lessons(slug, reader)
    return found


def _lessons(game: str, reader: Player) -> Mapping[str, Scene]:
    """Return the list of lessons, the first lesson with its end, the first of the advanced ones, and an exercise."""
    from games.engine.lessons import EXERCISE, LESSON
    from games.learn.views import solved_spot
    from games.titles import titles

    course = titles()[game].lessons
    first = next(name for name, it in course.items() if it.kind == LESSON)
    advanced = next(name for name, it in course.items() if it.kind == LESSON and it.grade > 1)
    exercise = next(name for name, it in course.items() if it.kind == EXERCISE)
    played = titles()[game].course(course[first])
    end = solved_spot(played, len(played.lesson.steps) - 1)
    return {
        f"learn-{game}": Scene(reader, f"/learn/{game}/"),
        f"lesson-{game}": Scene(None, f"/learn/{game}/{first}/"),
        f"lesson-end-{game}": Scene(None, f"/learn/{game}/{first}/{end.query}"),
        f"lesson-advanced-{game}": Scene(None, f"/learn/{game}/{advanced}/"),
        f"exercise-{game}": Scene(None, f"/learn/{game}/{exercise}/"),
    }


def _events(reader: Player) -> Mapping[str, Scene]:
    """Return events before they start, running and over; they are made now unless there are any."""
    from django.utils import timezone

    from accounts.models import User
    from games.events.models import Event
    from games.events.seasons import open_missing
    from tests.site.events.swiss import in_each_state

    open_missing(timezone.now())
    made = Event.objects.filter(season=None)
    if not made.exists():
        in_each_state(User.objects.order_by("pk")[:8])
    return {f"event-{event.state}": Scene(reader, event.get_absolute_url()) for event in made}


def _matches(game: str) -> Mapping[str, Scene]:
    from games.play.models import Match

    matches = Match.objects.filter(game=game)
    running = matches.filter(status=Match.Status.RUNNING).order_by("-length")[:1]
    found = {}
    for match in running:
        seats = list(match.seats.order_by("number"))
        found[f"{game}-own-turn"] = _as(match, next(seat for seat in seats if seat.to_move))
        if waiting := [seat for seat in seats if not seat.to_move]:
            found[f"{game}-others-turn"] = _as(match, waiting[0])
    return {**found, **_endings(game), **_tables(game)}


def _endings(game: str) -> Mapping[str, Scene]:
    """Return the last match between people of each kind of ending, as its winner and its loser see it."""
    from games.play.models import Match

    of_people = Match.objects.filter(game=game).exclude(seats__user=None)
    over = of_people.filter(status=Match.Status.OVER).order_by("-ended_at")
    early = ("timeout", "resign")
    kinds = {
        "": over.filter(seat_count__gt=1).exclude(reason__in=early),
        "-on-time": over.filter(reason="timeout"),
        "-resigned": over.filter(reason="resign"),
        "-alone": over.filter(seat_count=1),
        "-aborted": of_people.filter(status=Match.Status.ABORTED),
    }
    found = {}
    for kind, matches in kinds.items():
        for match in matches[:1]:
            seats = list(match.seats.order_by("place"))
            found[f"{game}-won{kind}"], found[f"{game}-lost{kind}"] = _as(match, seats[0]), _as(match, seats[-1])
            if not kind:
                found[f"{game}-replay"] = Scene(None, f"{match.get_absolute_url()}replay/")
                found[f"{game}-review"] = _reviewed(match)
                found[f"{game}-recording"] = _recorded(match, seats[0])
    return found


def _tables(game: str) -> Mapping[str, Scene]:
    """Return the last open table of a game, as its host sees it."""
    from games.play.models import Match

    for table in Match.objects.filter(game=game, status=Match.Status.OPEN, host__isnull=False).order_by("-pk")[:1]:
        assert table.host is not None
        return {f"{game}-table": Scene(player(table.host.username), table.get_absolute_url())}
    return {}


def _reviewed(match: Match) -> Scene:
    """Return the review of a match, which is made now unless there is one."""
    from games.review.jobs import go_on
    from games.review.judge import steps_of
    from games.review.models import Review

    review, _ = Review.objects.get_or_create(match=match, defaults={"steps": steps_of(match.length)})
    while go_on(review.pk):
        pass
    return Scene(None, f"{match.get_absolute_url()}review/")


def _recorded(match: Match, seat: Seat) -> Scene:
    """Return the page on which a player records a lesson from the middle of a match."""
    found = _as(match, seat)
    return Scene(found.reader, f"{found.address}lesson/?at={match.length // 2}&seat={seat.number}")


def _as(match: Match, seat: Seat) -> Scene:
    assert seat.user is not None
    return Scene(player(seat.user.username), match.get_absolute_url())
