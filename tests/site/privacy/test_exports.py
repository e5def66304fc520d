"""Exports: asked for on a page, made by the worker once, and fetched by their owner alone, for a day."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from zipfile import ZipFile

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.play import commands as play
from games.play.models import Setback
from games.privacy import exports
from games.privacy.jobs import Exports, OldExports
from games.privacy.models import LIFE, Export
from tests.people import client_of, person, running_match
from tests.site.notifications.letters import delivered
from tests.site.privacy.opening import made, opened, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def reader(ann: User) -> Client:
    return client_of(ann)


def test_the_page_says_how_many_matches_are_kept(ann: User, reader: Client) -> None:
    assert "You have not finished a match yet." in reader.get(reverse("settings_data")).content.decode()
    match = running_match([ann, person("bob")])
    assert "You have not finished a match yet." in reader.get(reverse("settings_data")).content.decode()
    play.resign(match.pk, 0, "resign-here")
    page = reader.get(reverse("settings_data")).content.decode()
    assert "1 finished match, kept forever" in page
    assert "You have not finished a match yet." not in page


def test_it_is_asked_for_on_the_page_and_fetched_there(
    ann: User, reader: Client, mailoutbox: list[EmailMessage]
) -> None:
    page = reader.get(reverse("settings_data")).content.decode()
    assert 'id="ask-export"' in page
    assert reader.post(reverse("data_export")).headers["Location"] == reverse("settings_data")
    page = reader.get(reverse("settings_data")).content.decode()
    assert "<progress" in page
    assert "get-export" not in page
    export = made(ann)
    part = reader.get(reverse("settings_data"), headers={"HX-Request": "true"}).content.decode()
    link = re.search(r'id="get-export" href="([^"]+)"', part)
    assert link is not None
    response = reader.get(link[1], headers={"Accept-Encoding": "gzip"})
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # of a streaming answer
    assert len(content) == export.size == int(response["Content-Length"])
    assert ZipFile(io.BytesIO(content)).testzip() is None
    assert response["Content-Disposition"] == 'attachment; filename="tessera-ann.zip"'
    assert "no-store" in response["Cache-Control"]
    delivered()
    assert [mail.subject for mail in mailoutbox] == ["Tessera: Your data is ready"]
    assert mailoutbox[0].to == [ann.email]


def test_nobody_else_gets_it(ann: User) -> None:
    address = reverse("data_file", args=[made(ann).key])
    assert client_of(person("bob")).get(address).status_code == 404
    assert client_of(person("staff", is_staff=True, is_superuser=True)).get(address).status_code == 404
    assert "login" in Client().get(address).headers["Location"]
    assert client_of(ann).get(reverse("data_file", args=["another"])).status_code == 404


def test_after_a_day_it_is_gone_and_another_one_can_be_asked_for(ann: User, reader: Client) -> None:
    export = made(ann)
    address = reverse("data_file", args=[export.key])
    reader.post(reverse("data_export"))
    assert Export.objects.get().key == export.key
    with time_machine.travel(export.until - timedelta(seconds=5), tick=False):
        assert reader.get(address).status_code == 200
    with time_machine.travel(export.until, tick=False):
        assert reader.get(address).status_code == 404
        assert 'id="ask-export"' in reader.get(reverse("settings_data")).content.decode()
        assert OldExports().run_due(timezone.now()) == 1
        assert not Export.objects.exists()
        reader.post(reverse("data_export"))
        assert Export.objects.get().key != export.key


def test_a_guest_gets_one_too() -> None:
    guest = User.objects.create_user("Guest-quiet-otter", guest=True)
    assert rows(opened(made(guest)), "account")[2] == {"setting": "guest", "value": True}


# --- the worker -------------------------------------------------------------------------------------------------------


def test_it_is_made_in_steps_that_are_shown(ann: User) -> None:
    job = Exports(seconds=0)
    running_match([ann, person()])
    exports.ask(ann, "en")
    seen = set()
    for _ in range(10_000):
        job.run_due(timezone.now())
        export = Export.objects.get(user=ann)
        seen.add(export.done)
        assert export.done <= export.steps
        if export.made_at:
            break
    assert seen == set(range(export.steps + 1))
    assert job.next_due() is None


def test_a_worker_that_dies_is_followed_by_another_which_begins_anew(ann: User) -> None:
    dying, other = Exports(seconds=0), Exports(seconds=600)
    exports.ask(ann, "en")
    dying.run_due(timezone.now())
    assert other.run_due(timezone.now()) == 0
    later = timezone.now() + exports.LEASE + timedelta(seconds=1)
    with time_machine.travel(later, tick=False):
        assert other.run_due(later) == 1
        while exports.wanted().exists():
            other.run_due(timezone.now())
        pieces = Export.objects.get().pieces.count()
        dying.run_due(timezone.now())  # it was only slow: what it has is not kept
    export = Export.objects.get()
    assert export.pieces.count() == pieces
    assert opened(export).testzip() is None


def test_what_fails_is_tried_again_from_the_beginning(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    exports.ask(ann, "en")
    job = Exports(seconds=600)
    with monkeypatch.context() as patch:
        patch.setattr(exports, "page_of", None)
        job.run_due(timezone.now())
    setback = Setback.objects.get(job="exports")
    assert job.run_due(timezone.now()) == 0
    assert setback.not_before is not None
    with time_machine.travel(setback.not_before, tick=False):
        while exports.wanted().exists():
            assert job.run_due(timezone.now()) == 1
    assert opened(Export.objects.get()).testzip() is None


def test_an_account_that_ends_meanwhile_stops_its_export(ann: User) -> None:
    job = Exports(seconds=0)
    exports.ask(ann, "en")
    job.run_due(timezone.now())
    ann.delete()
    for _ in range(200):
        job.run_due(timezone.now())
    assert job.next_due() is None
    assert not Setback.objects.exists()


def test_it_stays_for_a_day(ann: User) -> None:
    assert timedelta(days=1) == LIFE
    assert made(ann).until - timezone.now() > LIFE - timedelta(hours=1)
