"""Tables that require reliable players."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.forms import TableForm
from games.matchmaking.tables import TableSetup
from games.play.models import Match, Seat
from games.titles import titles
from tests.people import client_of, person, running_match

pytestmark = pytest.mark.django_db

PLAIN: dict[str, Any] = {"seats": "2", "speed": "live", "visibility": "public", "seat_order": "random", "invited": ""}


def with_turns(turns: int, timeouts: int) -> User:
    """Return a user with this many turns on time, and this many matches lost on time."""
    user = person()
    for number in range(max(1, timeouts)):
        match = running_match([user, person()])
        Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
        seat = {"turns": turns if number == 0 else 0, "timed_out": number < timeouts, "ended_at": timezone.now()}
        Seat.objects.filter(match=match, user=user).update(**seat)
    return user


def table(least: int, **wish: Any) -> Match:
    return tables.open_table(person(), TableSetup("shifting-stones", 2, reliability=least, **wish))


def test_who_lets_too_many_turns_pass_cannot_sit_down() -> None:
    wanted = table(95)
    with pytest.raises(RuleViolation, match="on time") as refused:
        tables.join(wanted.pk, with_turns(18, 2))
    assert refused.value.code == "unreliable"


@pytest.mark.parametrize(("turns", "timeouts"), [(19, 1), (100, 0), (2, 1)])
def test_who_comes_to_enough_turns_and_who_is_new_may_sit_down(turns: int, timeouts: int) -> None:
    wanted = table(95)
    assert tables.join(wanted.pk, with_turns(turns, timeouts)).is_running


def test_whom_the_host_invites_may_sit_down_in_any_case() -> None:
    friend = with_turns(18, 2)
    wanted = table(95, invited=(friend,))
    assert tables.join(wanted.pk, friend).is_running


def test_the_form_asks_for_it_and_the_table_and_the_lobby_tell_it() -> None:
    host, client = person(), client_of(person())
    form = TableForm(titles()["shifting-stones"], host, PLAIN | {"reliability": "90"})
    assert form.is_valid(), form.errors
    made = tables.open_table(host, form.setup())
    for address in (made.get_absolute_url(), "/lobby/"):
        assert "at least 90 % of turns on time" in client.get(address).content.decode()


def test_anybody_may_sit_down_when_nothing_is_said() -> None:
    form = TableForm(titles()["shifting-stones"], person(), PLAIN)
    assert form.is_valid(), form.errors
    assert form.setup().reliability == 0


def test_what_the_form_does_not_offer_is_refused() -> None:
    assert "reliability" in TableForm(titles()["shifting-stones"], person(), PLAIN | {"reliability": "100"}).errors


def test_the_page_of_the_table_says_why_somebody_cannot_sit_down() -> None:
    wanted = table(95)
    answer = client_of(with_turns(18, 2)).post(
        reverse("table_join", args=[wanted.slug]), headers={"HX-Request": "true"}
    )
    assert answer.status_code == 422
    assert "for players who finish more of their turns on time" in answer.content.decode()
