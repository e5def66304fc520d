"""The pages about notices: preferences, unsubscribing from every email, and the button that mutes a match."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from datetime import time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from time_machine import Traveller

from accounts.models import User
from games.notifications.channels.mail import MAILED, unsubscribe_token
from games.notifications.models import Channel, DailyHour, Device, Kind, Mute, Preferences, Webhook
from games.play.boards.fragments import match_fragment
from tests.clocked import MONDAY
from tests.people import Kinds, client_of, open_table, person, running_match
from tests.site.config.world import dump

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
HOURS = {"quiet_from": "", "quiet_until": "", "digest_at": "18:00", "puzzle_at": "08:00"}
NOT_AT_FIRST = {
    "digest.mail",
    *("puzzle.push", "puzzle.mail", "puzzle.webhook"),
    "befriended.mail",
    *("table.push", "table.mail", "table.webhook"),
    *("club-table.push", "club-table.mail", "club-table.webhook"),
    "chat.webhook",
}


@pytest.fixture
def ann(db: None) -> User:
    return person("ann")


def off(user: User) -> set[str]:
    return set(Preferences.of(user).off)


# --- preferences ------------------------------------------------------------------------------------------------------


def test_at_first_everything_is_told_but_what_nobody_waits_for(ann: User) -> None:
    preferences = Preferences.of(ann)
    unwanted = [(kind, channel) for kind in Kind for channel in Channel if not preferences.wants(kind, channel)]
    assert {f"{kind}.{channel}" for kind, channel in unwanted} == NOT_AT_FIRST


def boxes(page: str) -> dict[str, bool]:
    """Return the boxes of a page of preferences, and whether each is ticked."""
    found = re.findall(r'type="checkbox" name="told" value="([^"]+)"[^>]*?( checked)?>', page)
    return {name: bool(ticked) for name, ticked in found}


def volume(page: str) -> str:
    """Return the volume that is chosen."""
    (found,) = re.findall(r'name="volume" value="(\w+)"[^>]*checked', page)
    return str(found)


def test_the_page_shows_a_box_for_each_kind_and_channel_that_reaches_them_and_keeps_what_is_ticked(ann: User) -> None:
    client = client_of(ann)
    before = boxes(client.get(PAGE).content.decode())
    assert {name.partition(".")[2] for name in before} == {"page", "mail"}
    Device.objects.create(user=ann, endpoint="https://push.example/1", name="Firefox, Linux")
    Webhook.objects.create(user=ann, style="json", address="https://example.org/hook")
    every = boxes(client.get(PAGE).content.decode())
    assert len(every) == 20 * 4 + 3 + 2 + 1
    assert {name for name, ticked in every.items() if not ticked} == NOT_AT_FIRST
    page = client.post(PAGE, {**HOURS, "told": ["turn.push", "digest.mail"]}, follow=True).content.decode()
    assert {name for name, ticked in boxes(page).items() if ticked} == {"turn.push", "digest.mail"}
    assert volume(page) == "own"
    assert off(ann) == set(every) - {"turn.push", "digest.mail"}


def test_a_volume_chooses_for_all_kinds_and_channels(ann: User) -> None:
    client = client_of(ann)
    page = client.get(PAGE).content.decode()
    ticked = [name for name, is_ticked in boxes(page).items() if is_ticked]
    assert volume(page) == "normal"
    quiet = client.post(PAGE, {**HOURS, "told": ticked, "volume": "quiet"}, follow=True).content.decode()
    assert volume(quiet) == "quiet"
    assert {name for name, is_ticked in boxes(quiet).items() if is_ticked and name.endswith(".mail")} == {
        "deadline.mail",
        "planned.mail",
        "confirm.mail",
        "moderation.mail",
    }
    assert {"turn.push", "table.webhook"} <= off(ann), "for the day they set them up"
    client.post(PAGE, {**HOURS, "told": ticked, "volume": "everything"})
    assert off(ann) == set()
    loud = {**HOURS, "told": ["turn.page"], "volume": "everything"}
    client.post(PAGE, loud)
    assert "turn.mail" in off(ann), "ticked without a script, the volume stayed"
    assert "turn.push" not in off(ann), "not shown, so kept"


def test_security_cannot_be_switched_off(ann: User) -> None:
    client_of(ann).post(PAGE, HOURS)
    assert Preferences.of(ann).wants(Kind.SECURITY, Channel.MAIL)
    assert client_of(ann).post(PAGE, {**HOURS, "told": ["security.mail"]}).status_code == 422


def test_quiet_hours_and_the_hour_of_the_digest_are_kept(clock: Traveller, ann: User) -> None:
    hours = {"quiet_from": "22:30", "quiet_until": "07:00", "digest_at": "19:15", "puzzle_at": "06:30"}
    fields = {**hours, "told": ["digest.mail", "puzzle.mail"]}
    page = client_of(ann).post(PAGE, fields, follow=True)
    assert b'value="22:30"' in page.content
    kept = Preferences.of(ann)
    assert (kept.quiet_from, kept.quiet_until, kept.digest_at) == (time(22, 30), time(7), time(19, 15))
    due = dict(DailyHour.objects.values_list("kind", "due_at"))
    assert due == {
        "digest": MONDAY + timedelta(hours=7, minutes=15),
        "puzzle": MONDAY + timedelta(hours=18, minutes=30),
    }
    client_of(ann).post(PAGE, HOURS)
    assert not DailyHour.objects.exists()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"quiet_from": "22:00"}, "both times"),
        ({"quiet_until": "22:00"}, "both times"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "must differ"),
        ({"quiet_from": "late", "quiet_until": "22:00"}, "Enter a valid time"),
        ({"digest_at": ""}, "required"),
        ({"told": ["turn.pigeon"]}, ""),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(ann: User, fields: dict[str, Any], reason: str) -> None:
    response = client_of(ann).post(PAGE, HOURS | fields)
    assert (response.status_code, reason in response.content.decode()) == (422, True)
    assert not Preferences.objects.exists()


def test_what_somebody_sets_is_their_own(kinds: Kinds) -> None:
    client_of(kinds.seated).post(PAGE, HOURS)
    assert off(kinds.mate) == NOT_AT_FIRST
    assert Client().post(PAGE, HOURS).status_code == 302


def test_the_settings_lead_to_the_page(ann: User) -> None:
    assert PAGE in client_of(ann).get("/settings/").content.decode()


# --- unsubscribing ----------------------------------------------------------------------------------------------------


def way_out(user: User, kind: str = "turn") -> str:
    return f"/unsubscribe/{unsubscribe_token(user, kind)}/"


def test_looking_at_the_way_out_changes_nothing(ann: User) -> None:
    before = dump()
    page = Client().get(way_out(ann))
    assert (page.status_code, b'method="post"' in page.content) == (200, True)
    assert dump() == before


def test_one_click_of_a_mail_program_is_enough_without_login_or_cookie(ann: User) -> None:
    answer = Client(enforce_csrf_checks=True).post(way_out(ann), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert off(ann) == NOT_AT_FIRST | {"turn.mail"}
    assert b"no more emails of this kind" in answer.content


def test_all_mail_about_matches_can_be_left_at_once(ann: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.post(way_out(ann), {"all": "1"})
    assert off(ann) == NOT_AT_FIRST | {f"{kind}.mail" for kind in MAILED}
    assert Preferences.of(ann).wants(Kind.SECURITY, Channel.MAIL)
    assert b"no more emails about any match" in client.get(way_out(ann)).content


def test_who_leaves_keeps_what_they_chose_before(ann: User) -> None:
    Preferences.objects.create(user=ann, off=["over.push"])
    Client().post(way_out(ann))
    assert off(ann) == {"over.push", "turn.mail"}


def test_who_is_logged_in_as_somebody_else_does_not_leave_for_themselves(ann: User) -> None:
    mate = person("mate")
    client_of(mate).post(way_out(ann))
    assert (off(mate), "turn.mail" in off(ann)) == (NOT_AT_FIRST, True)


def test_a_token_that_was_tampered_with_or_whose_owner_is_gone_leads_nowhere(ann: User) -> None:
    token = unsubscribe_token(ann, "turn")
    other = token.replace(f"{ann.pk}-", f"{person().pk}-", 1)
    wrong = token.replace("turn", "over", 1)
    missing = unsubscribe_token(SimpleNamespace(pk=0), "turn")  # type: ignore[arg-type]  # nobody has this key
    for bad in (other, wrong, token[:-1], "x", missing):
        for method in ("get", "post"):
            assert getattr(Client(), method)(f"/unsubscribe/{bad}/").status_code == 404
    assert not Preferences.objects.exists()


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Provide an email on standard input."""

    def give(mail: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(mail.encode())))

    return give


def test_a_mail_to_the_address_in_the_header_does_the_same(ann: User, standard_input: Callable[[str], None]) -> None:
    standard_input(f"From: x@example.org\r\nSubject: Unsubscribe {unsubscribe_token(ann, 'turn')}\r\n\r\n")
    call_command("unsubscribe_by_mail", stdout=io.StringIO())
    assert "turn.mail" in off(ann)


def test_of_a_mail_of_any_size_only_the_head_is_kept_and_the_mail_server_gets_rid_of_all_of_it(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Mail(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            asked.append(-1 if size is None else size)
            return super().read(size)

    mail = Mail(f"Subject: unsubscribe {unsubscribe_token(ann, 'turn')}\r\n\r\n".encode() + bytes(1_000_000))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=mail))
    call_command("unsubscribe_by_mail", stdout=io.StringIO())
    assert "turn.mail" in off(ann)
    assert min(asked) > 0
    assert max(asked) <= 64 * 1024
    assert mail.tell() > 1_000_000


@pytest.mark.parametrize("subject", ["", "Subject: hello\r\n", "Subject: unsubscribe 1-turn.forged\r\n"])
def test_a_mail_without_a_token_of_ours_does_nothing(
    ann: User, standard_input: Callable[[str], None], subject: str
) -> None:
    standard_input(f"From: x@example.org\r\n{subject}\r\n")
    with pytest.raises(CommandError):
        call_command("unsubscribe_by_mail")
    assert not Preferences.objects.exists()


# --- muting -----------------------------------------------------------------------------------------------------------


def test_a_match_is_muted_and_told_again_by_a_button_on_its_page(kinds: Kinds) -> None:
    client, page = client_of(kinds.seated), kinds.match.get_absolute_url()
    assert b"Mute this match" in client.get(page).content
    muted = client.post(f"{page}mute/", follow=True).content
    assert b"You will hear nothing more about this match." in muted
    assert b"Unmute this match" in muted
    assert Mute.objects.get().user == kinds.seated
    client.post(f"{page}mute/")
    assert Mute.objects.count() == 1
    again = client.post(f"{page}mute/", {"off": "1"}, follow=True).content
    assert b"Mute this match" in again
    assert not Mute.objects.exists()


def test_muting_is_ones_own(kinds: Kinds) -> None:
    page = kinds.match.get_absolute_url()
    client_of(kinds.seated).post(f"{page}mute/")
    assert b"Mute this match" in client_of(kinds.mate).get(page).content
    for outsider in (client_of(kinds.stranger), Client()):
        assert b'id="mute"' not in outsider.get(page).content
        outsider.post(f"{page}mute/")
    assert Mute.objects.count() == 1


def test_the_button_stands_on_open_tables_and_not_where_nothing_is_told(ann: User) -> None:
    table, alone = open_table([ann], seats=2), running_match([ann])
    client = client_of(ann)
    assert b"Mute this match" in client.get(table.get_absolute_url()).content
    assert b'id="mute"' not in client.get(alone.get_absolute_url()).content


def test_the_board_that_is_kept_for_all_viewers_knows_nothing_of_it(kinds: Kinds) -> None:
    Mute.objects.create(user=kinds.seated, match=kinds.match)
    page = client_of(kinds.seated).get(kinds.match.get_absolute_url()).content.decode()
    fragment = match_fragment(kinds.table(kinds.seated))
    assert 'id="mute"' in page
    assert "mute" not in fragment
