"""The webhook of a club: who can have one, what it is told, in which language, and what becomes of one that fails."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.clubs.models import Club
from games.events import rounds, services
from games.events.organising import make_event
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup
from games.notifications.jobs import Deliveries
from games.notifications.models import Delivery, Webhook
from games.play import commands
from games.play.models import Match, Seat
from tests.people import client_of, person
from tests.site.clubs.clubs import Role, put_in
from tests.site.notifications.listening import Listener

pytestmark = pytest.mark.django_db


def hook(club: Club, listener: Listener, style: str = "discord", language: str = "en") -> Webhook:
    address = f"{listener.url}/hook"
    return Webhook.objects.create(club=club, style=style, address=address, language=language)


def setup(club: Club, **more: object) -> TableSetup:
    return TableSetup(
        "shifting-stones",
        2,
        visibility=Match.Visibility.CLUB,
        club=club,
        rated=False,
        **more,  # type: ignore[arg-type]
    )


def resigns(match: Match, user: User) -> None:
    commands.resign(match.pk, Seat.objects.get(match=match, user=user).number, "resigns-1")


def sent(listener: Listener) -> list[str]:
    """Let the worker send what waits; return what arrived since the last time, as text."""
    Deliveries(threaded=False).run_due(timezone.now())
    bodies = [json.loads(heard.body)["content"] for heard in listener.heard]
    listener.heard.clear()
    return bodies


# --- what is told -----------------------------------------------------------------------------------------------
def test_a_club_hears_of_its_tables_and_results_and_of_nothing_else(ann: User, club: Club, listener: Listener) -> None:
    hook(club, listener)
    bob = put_in(club, user=person("bob"))
    tables.open_table(ann, TableSetup("shifting-stones", 2, rated=False))
    match = tables.open_table(ann, setup(club))
    (told,) = sent(listener)
    assert r"opens a table\: Shifting Stones" in told
    assert "ann" in told
    assert f"<http://127.0.0.1:8000/match/{match.slug}/>" in told
    tables.join(match.pk, bob)
    assert sent(listener) == []
    resigns(match, bob)
    (told,) = sent(listener)
    assert r"Match over\: Shifting Stones" in told
    assert "ann" in told
    assert "has won" in told
    assert not Delivery.objects.filter(webhook__isnull=False).exists(), "nothing is kept of what was sent"


def test_it_speaks_the_language_of_the_club(ann: User, club: Club, listener: Listener) -> None:
    hook(club, listener, language="de")
    planned.plan_table(ann, setup(club), timezone.now() + timedelta(days=2))
    (told,) = sent(listener)
    assert "plant einen Tisch" in told


def test_whoever_is_no_member_any_more_is_not_named(ann: User, club: Club, listener: Listener) -> None:
    hook(club, listener)
    bob = put_in(club, user=person("bob"))
    match = tables.open_table(ann, setup(club))
    tables.join(match.pk, bob)
    club.members.filter(user=bob).delete()
    sent(listener)
    resigns(match, ann)
    (told,) = sent(listener)
    assert "bob" not in told


def test_what_fails_is_tried_again_and_a_webhook_that_is_gone_is_off(
    ann: User, club: Club, listener: Listener, clock: Traveller
) -> None:
    found = hook(club, listener)
    listener.status = 503
    tables.open_table(ann, setup(club))
    assert len(sent(listener)) == 1
    clock.shift(timedelta(minutes=1))
    listener.status = 410
    assert len(sent(listener)) == 1, "tried again"
    found.refresh_from_db()
    assert found.disabled == Webhook.Disabled.GONE
    tables.open_table(ann, setup(club))
    assert sent(listener) == []
    page = client_of(ann).get(f"/clubs/{club.slug}/webhook/").content.decode()
    assert "This address no longer exists." in page


# --- its page ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("address", "style"),
    [
        ("https://discord.com/api/webhooks/1/secret", "discord"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://ntfy.sh/our-club", "ntfy"),
    ],
)
def test_an_owner_stores_an_address_whose_kind_is_recognised(ann: User, club: Club, address: str, style: str) -> None:
    browser = client_of(ann)
    sent = browser.post(f"/clubs/{club.slug}/webhook/", {"address": address, "style": "", "language": "it"})
    assert sent.status_code == 302
    found = Webhook.objects.get(club=club)
    assert (found.style, found.address, found.language) == (style, address, "it")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://discord.com/x", "must begin with https://"),
        ("https://127.0.0.1/x", "private network"),
        ("https://[::1]/x", "private network"),
        ("https://169.254.169.254/latest", "private network"),
        ("https://example.org/x", "whose address this is"),
    ],
)
def test_addresses_that_are_refused(ann: User, club: Club, address: str, why: str) -> None:
    answer = client_of(ann).post(f"/clubs/{club.slug}/webhook/", {"address": address, "language": "en"})
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_name_that_leads_into_a_private_network_is_told_nothing(
    ann: User, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket  # only here

    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _host, *more, **named: real("10.0.0.1", *more, **named))
    Webhook.objects.create(club=club, style="discord", address="https://hooks.example/x", language="en")
    page = client_of(ann).post(f"/clubs/{club.slug}/webhook/test/", follow=True).content.decode()
    assert "did not arrive: This address belongs to a private network" in page


def test_a_test_message_says_whether_it_arrived_and_switches_on_again(
    ann: User, club: Club, listener: Listener
) -> None:
    found = hook(club, listener, style="slack", language="de")
    browser, page = client_of(ann), f"/clubs/{club.slug}/webhook/"
    Webhook.objects.update(disabled="failing", failures=12)
    listener.status = 500
    assert b"did not arrive: it answered 500." in browser.post(f"{page}test/", follow=True).content
    listener.status = 200
    assert b"is on its way" in browser.post(f"{page}test/", follow=True).content
    found.refresh_from_db()
    assert (found.disabled, found.failures) == ("", 0)
    assert json.loads(listener.heard[-1].body)["text"].startswith("Es geht\n"), "in the language of the webhook"
    browser.post(f"{page}remove/")
    assert not Webhook.objects.exists()


def test_only_owners_see_or_change_it(ann: User, club: Club) -> None:
    Webhook.objects.create(club=club, style="ntfy", address="https://ntfy.sh/secret-topic", language="en")
    put_in(club, Role.HELPER, person("helper"))
    put_in(club, user=person("mate"))
    person("stranger")
    page = f"/clubs/{club.slug}/webhook/"
    shown = client_of(ann).get(page).content.decode()
    assert "ntfy.sh" in shown
    assert "secret-topic" not in shown, "an address is as good as a password"
    assert client_of(ann).post(page, {"address": "", "style": "ntfy", "language": "de"}).status_code == 302
    assert Webhook.objects.get().language == "de"
    for name in ("helper", "mate", "stranger"):
        browser = client_of(User.objects.get(username=name))
        answers = [browser.get(page), browser.post(page, {"address": "https://ntfy.sh/x", "language": "en"})]
        answers += [browser.post(f"{page}{what}/") for what in ("test", "remove")]
        assert [it.status_code for it in answers] == [404] * 4, name
    assert Webhook.objects.get().address.endswith("secret-topic")


def test_it_ends_with_the_club(ann: User, club: Club) -> None:
    Webhook.objects.create(club=club, style="ntfy", address="https://ntfy.sh/x", language="en")
    club.delete()
    assert not Webhook.objects.exists()


# --- events -----------------------------------------------------------------------------------------------------
def test_a_club_hears_of_the_rounds_of_its_events_and_of_their_results(
    ann: User, club: Club, listener: Listener, clock: Traveller
) -> None:
    hook(club, listener)
    people = [ann, *(put_in(club, user=person(name)) for name in ("bob", "carl", "dora"))]
    starts_at = timezone.now() + timedelta(hours=1)
    how: dict[str, Any] = {"game": "shifting-stones", "clock": "300+10/600", "length": timedelta(hours=1), "rounds": 2}
    event = make_event(club, ann, format="swiss", starts_at=starts_at, **how)
    for user in people:
        services.enter(user, event.slug)
    clock.move_to(starts_at)
    rounds.go_on(event.pk)
    (told,) = sent(listener)
    assert r"Swiss tournament of Shifting Stones\: round 1 of 2" in told
    assert all(user.username in told for user in people)
    assert event.get_absolute_url() in told
    match = Match.objects.filter(heat__event=event).first()
    assert match is not None
    Seat.objects.filter(match=match).update(acted=True)
    first, second = (people[number] for number in match.heat.people)
    resigns(match, first)
    (told,) = sent(listener)
    assert r"Match over\: Shifting Stones" in told
    assert second.username in told
