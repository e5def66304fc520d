"""`manage.py demo` gives every page something to show."""

from __future__ import annotations

from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from accounts.models import User
from config.management.commands.demo import NAMES
from games.history import verification
from games.notifications.mail import UNREACHABLE
from games.play.models import Match
from games.ratings import recompute
from games.titles import titles
from tests.people import person


@pytest.mark.django_db
def test_every_page_has_something_to_show_and_people_can_log_in(client: Client) -> None:
    said = StringIO()
    call_command("demo", stdout=said)
    kinds = Counter(Match.objects.values_list("game", "status"))
    for slug, title in titles().items():
        assert kinds[slug, "open"] == 2
        assert kinds[slug, "running"] == min(3, len([count for count in title.game.seats if count <= len(NAMES)]))
        assert kinds[slug, "over"] >= 20
        assert kinds[slug, "aborted"] == 0
    assert all(verification.first_difference(match) is None for match in Match.objects.exclude(status="open"))
    assert recompute.first_difference() is None
    for address in ("/lobby/", "/archive/", "/@ann/", "/leaderboard/"):
        assert b"ann" in client.get(address).content, address
    assert {address.rpartition(".")[2] for address in User.objects.values_list("email", flat=True)} == {UNREACHABLE}
    client.post("/account/login/", {"login": "bob", "password": said.getvalue().split()[-1]})
    assert b"bob" in client.get("/settings/name/").content


@pytest.mark.django_db
def test_it_does_not_run_twice() -> None:
    person(NAMES[0])
    with pytest.raises(CommandError, match="there already"):
        call_command("demo")
    assert User.objects.count() == 1
