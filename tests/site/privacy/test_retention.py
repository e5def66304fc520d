"""Whatever the table of what is kept gives a number of days is gone after these, and not before."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import models
from django.utils import timezone, translation

from accounts.mail import post
from accounts.models import FormerName, Registration
from games.fairplay import jobs
from games.fairplay.models import Abort, Finding, Use as Device
from games.matchmaking.jobs import OldRows
from games.matchmaking.models import Use
from games.notifications.jobs import Deliveries, Pruning
from games.notifications.models import Delivery, Notice
from games.pairing.jobs import OldWaits
from games.pairing.models import Wait
from games.play.live import presence
from games.play.models import Match, Presence
from games.privacy import legal, personal_data
from games.privacy.jobs import OldExports, OldGuests
from games.privacy.models import Export
from tests.people import person, running_match

pytestmark = pytest.mark.django_db

Made = Callable[[datetime], models.Model]


def made(model: type[models.Model], **fields: Any) -> Made:
    """Return what makes a row with these fields; `...` stands for its moment, or whoever or whatever it is about."""

    def row(at: datetime) -> models.Model:
        user = person()
        known: dict[str, Any] = dict.fromkeys(("user", "first", "guest"), user)
        known["match"] = running_match([user, person()]) if "match" in fields else None
        return model._base_manager.create(
            **{name: known.get(name, at) if value is ... else value for name, value in fields.items()}
        )

    return row


def unsent(at: datetime) -> Delivery:
    post(EmailMultiAlternatives("Hello", "Ann", to=["ann@example.org"]))
    Delivery.objects.update(failing_since=at, due_at=at)
    return Delivery.objects.get()


def looked_at(at: datetime) -> Presence:
    user = person()
    match = running_match([user, person()])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
    return Presence.objects.create(user=user, match=match, at=at)


GONE: dict[str, tuple[Made, Callable[[datetime], object]]] = {
    "Names you gave up": (
        made(FormerName, user=..., name="Once", name_key="once", skeleton="once", given_up_at=...),
        lambda now: OldGuests().run_due(now),
    ),
    "The names of a deleted account, in a form nobody can read": (
        made(FormerName, name_key="hash", skeleton="hash", given_up_at=...),
        lambda now: OldGuests().run_due(now),
    ),
    "Registrations that nobody has confirmed": (
        made(Registration, guest=..., name="Once", email="once@example.org", key_hash="once", at=...),
        lambda now: OldGuests().run_due(now),
    ),
    "Notices, and what was sent about them": (
        made(Notice, user=..., match=..., kind="over", created_at=..., due_at=None),
        lambda now: Pruning().run_due(now),
    ),
    "When you last looked at a match that is over": (looked_at, lambda now: presence.Pruning().run_due(now)),
    "What you were looking for in quick pairing": (
        made(Wait, user=..., game="shifting-stones", seats=[2], rated=False, state="withdrawn", ended_at=...),
        lambda now: OldWaits().run_due(now),
    ),
    "Network addresses, counted for limits": (
        made(Use, user=..., what=Use.What.SEAT, address="192.0.2.7", at=...),
        lambda now: OldRows().run_due(now),
    ),
    "Marks that tell devices apart, for fair play": (made(Device, user=..., match=..., mark="m", at=...), jobs.prune),
    "Aborted rated matches, and by whom": (
        made(Abort, user=..., match=..., alone=True, above=0, at=...),
        jobs.prune,
    ),
    "What looked unfair to the site": (made(Finding, first=..., kind="dodging", found_at=...), jobs.prune),
    "Emails that could not be sent": (unsent, lambda _now: Deliveries(threaded=False).run_due(timezone.now())),
    "The file with your data": (
        made(Export, user=..., language="en", asked_at=..., made_at=...),
        lambda now: OldExports().run_due(now),
    ),
}
ELSEWHERE = {
    "Sessions, with network address and browser",
    "The number of a deleted account, in case a backup is restored",
    "Puzzles and lessons you tried without an account",
}
"""Sessions end at moments of their own (test_legal.py, tests/site/accounts/test_visits.py); the number is in a file
(test_journal.py)."""


PARTS: dict[str, str] = {
    "account email_addresses second_factors friends follows blocks muted who_may_write notice_preferences muted_matches"
    " daily_hours deletion bot clubs club_requests club_removals club_invitations club_invitations_sent"
    " club_evenings": ("Account, email address, settings, second factors, friends, clubs, follows, blocks, mutes"),
    "messages unread ratings rating_history solo_bests puzzles deals events lessons devices webhooks"
    " own_applications": (
        "Messages you wrote, ratings, puzzles, deals of the day, events, lessons, devices, webhooks, applications"
    ),
    "vacations invitations invitations_sent searches lobby absences removals reviews": (
        "When you were last here, vacations, invitations, searches, tables you missed, reviews you asked for"
    ),
    "sanctions": "Warnings, silences and suspensions",
    "former_names": "Names you gave up",
    "registrations": "Registrations that nobody has confirmed",
    "sessions": "Sessions, with network address and browser",
    "access_tokens applications": "Access tokens for programs",
    "notices deliveries": "Notices, and what was sent about them",
    "visits": "When you last looked at a match that is over",
    "waits": "What you were looking for in quick pairing",
    "limits offers": "Network addresses, counted for limits",
    "match_devices": "Marks that tell devices apart, for fair play",
    "aborts": "Aborted rated matches, and by whom",
    "exports": "The file with your data",
    "matches tables series": (
        "Matches, their moves and the standings of events, without your name once your account is deleted"
    ),
    "reports": "Reports, and what moderators decided",
}
"""Which line of the table says how long each part of an export is kept."""


def test_every_part_of_an_export_is_in_the_table() -> None:
    with translation.override("en"):
        lines = {row.what for row in legal.retention_table()}
    assert set(PARTS.values()) <= lines
    assert {name for names in PARTS for name in names.split()} == {part.name for part in personal_data.PARTS}


def periods() -> dict[str, timedelta]:
    """Return what the table says is kept for so many days, whatever else happens."""
    with translation.override("en"):
        rows = {row.what: re.match(r"(\d+) days?( after|$)", row.how_long) for row in legal.retention_table()}
    return {what: timedelta(days=int(found[1])) for what, found in rows.items() if found}


def test_every_period_is_looked_at() -> None:
    assert set(periods()) == set(GONE) | ELSEWHERE


@pytest.mark.parametrize("what", GONE)
def test_it_is_gone_after_its_period_and_not_before(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise OSError("the mail server is away")

    monkeypatch.setattr(EmailMultiAlternatives, "send", away)
    make, work = GONE[what]
    now, period = timezone.now(), periods()[what]
    row = make(now - period + timedelta(minutes=5))
    rows = type(row)._base_manager
    work(now)
    assert rows.filter(pk=row.pk).exists()
    rows.all().delete()
    row = make(now - period - timedelta(minutes=5))
    work(now)
    assert not rows.filter(pk=row.pk).exists()
