"""Two seats of one match from one device: the match is not rated, says so, and moderators are told."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import logins
from accounts.models import User
from games.fairplay import jobs
from games.fairplay.models import Finding, Use
from games.play import commands
from games.play.models import Match
from games.play.reducer import positions
from games.ratings.models import Rating, RatingChange
from tests.clocked import LIVE
from tests.people import client_of, person, running_match
from tests.serving import Site, dialled
from tests.waiting import wait_until

SAID = "Two seats of this match were played from one device, so it is not rated."

pytestmark = pytest.mark.django_db


def browser_of(user: User, device: str = "") -> Client:
    """Return a logged-in browser: on a device of its own, or on that of another one."""
    client = client_of(user)
    if device:
        client.cookies[logins.DEVICE_COOKIE] = device
    else:
        client.get(reverse("rules", args=["shifting-stones"]))
    return client


def device_of(client: Client) -> str:
    return str(client.cookies[logins.DEVICE_COOKIE].value)


def rated(**fields: Any) -> tuple[Match, User, User]:
    ann, ben = person("ann"), person("ben")
    return running_match([ann, ben], rated=True, clock=LIVE, **fields), ann, ben


def action_of(match: Match) -> str:
    """Return what ends the turn of the seat to move."""
    texts = positions.legal_texts(match, match.seats.get(to_move=True).number)
    return "end" if "end" in texts else texts[0]


def moves(client: Client, match: Match, name: str) -> None:
    """Take a turn by the page's form."""
    match.refresh_from_db()
    fields = {"action": action_of(match), "version": match.version, "client_id": f"request-{name}"}
    assert client.post(reverse("match_act", args=[match.slug]), fields).status_code == 302
    match.refresh_from_db()


def is_newer(match: Match, version: int) -> bool:
    return Match.objects.get(pk=match.pk).version > version


def resigns(client: Client, match: Match) -> None:
    client.post(reverse("match_resign", args=[match.slug]), {"client_id": "resigning-now"})
    match.refresh_from_db()


def test_everybody_who_logs_in_gets_a_number_that_no_script_reads() -> None:
    visitor = Client()
    visitor.get("/")
    assert logins.DEVICE_COOKIE not in visitor.cookies
    cookie = browser_of(person()).cookies[logins.DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert int(cookie["max-age"]) == logins.DEVICE_COOKIE_AGE.total_seconds()
    assert logins.device_token({logins.DEVICE_COOKIE: cookie.value}) == cookie.value


def test_what_a_browser_makes_up_is_no_number() -> None:
    client = client_of(person())
    client.cookies[logins.DEVICE_COOKIE] = "me; me"
    client.get("/")
    assert logins.device_token({logins.DEVICE_COOKIE: device_of(client)})


def test_two_people_on_two_devices_play_a_rated_match() -> None:
    match, ann, ben = rated()
    first, second = browser_of(ann), browser_of(ben)
    moves(first, match, "by-ann")
    moves(second, match, "by-ben")
    resigns(second, match)
    assert (match.rated, match.one_device) == (True, False)
    assert RatingChange.objects.filter(match=match).count() == 2
    assert not Finding.objects.exists()
    assert {use.mark for use in Use.objects.all()} == {logins.device_mark(device_of(each)) for each in (first, second)}


def test_from_the_second_seat_on_the_match_is_not_rated_and_its_page_says_so() -> None:
    match, ann, ben = rated()
    first = browser_of(ann)
    moves(first, match, "by-ann")
    assert SAID not in first.get(match.get_absolute_url()).content.decode()
    moves(browser_of(ben, device_of(first)), match, "by-ben")
    assert (match.rated, match.one_device) == (False, True)
    for client in (first, Client()):
        assert SAID in client.get(match.get_absolute_url()).content.decode()
    found = Finding.objects.get()
    assert (found.kind, found.first, found.second, found.match) == (Finding.Kind.DEVICE, ann, ben, match)


def test_found_with_the_last_action_the_result_still_changes_no_rating() -> None:
    match, ann, ben = rated()
    first = browser_of(ann)
    moves(first, match, "by-ann")
    moves(browser_of(ben), match, "by-ben")
    resigns(browser_of(ben, device_of(first)), match)
    assert match.is_over
    assert (match.rated, match.one_device) == (False, True)
    assert not RatingChange.objects.exists()
    assert not Rating.objects.filter(games__gt=0).exists()
    assert SAID in first.get(match.get_absolute_url()).content.decode()
    call_command("recompute_ratings", check=True)
    call_command("verify_matches")


def test_a_timeout_that_a_request_brings_to_light_is_nobodys_device() -> None:
    match, ann, ben = rated()
    first, second = browser_of(ann), browser_of(ben)
    moves(first, match, "by-ann")
    moves(second, match, "by-ben")
    match.seats.filter(to_move=True).update(deadline=timezone.now() - timedelta(seconds=5))
    awaited = match.seats.get(to_move=True).user
    other = second if awaited == ann else first
    other.post(reverse("match_resign", args=[match.slug]), {"client_id": "resigning-now"})
    match.refresh_from_db()
    assert match.is_over
    assert (match.rated, match.one_device) == (True, False)
    assert Use.objects.count() == 2


def test_traces_are_deleted_after_ninety_days() -> None:
    match, ann, _ben = rated()
    moves(browser_of(ann), match, "by-ann")
    jobs.prune(timezone.now() + jobs.MARKS_KEPT - timedelta(hours=1))
    assert Use.objects.count() == 1
    jobs.prune(timezone.now() + jobs.MARKS_KEPT + timedelta(hours=1))
    assert not Use.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_it_is_noticed_over_sockets_too_and_pushed_at_once(live_site: Site) -> None:
    match, ann, ben = rated()
    first = browser_of(ann)
    second = browser_of(ben, device_of(first))
    with (
        dialled(live_site, f"match/{match.slug}/", first) as mine,
        dialled(live_site, f"match/{match.slug}/", second) as theirs,
    ):
        for socket, name in ((mine, "by-ann"), (theirs, "by-ben")):
            form = {"version": str(match.version), "client_id": f"request-{name}", "action": action_of(match)}
            assert socket.recv(timeout=60)
            socket.send(json.dumps({"kind": "act", "form": urlencode(form)}))
            wait_until(partial(is_newer, match, match.version))
            match.refresh_from_db()
        assert (match.rated, match.one_device) == (False, True)
        wait_until(lambda: SAID in mine.recv(timeout=60))


def test_a_repeated_request_is_noted_once() -> None:
    match, ann, _ben = rated()
    first = browser_of(ann)
    moves(first, match, "by-ann")
    with logins.acting_from_device(device_of(first)):
        commands.submit(match.pk, 0, "end", 1, "request-by-ann")
    assert Use.objects.count() == 1
