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

from accounts import kept_emails
from accounts.models import FormerName, KeptEmail
from games.fairplay import nightly
from games.fairplay.models import Abort, Finding
from games.fairplay.models import Use as Device
from games.matchmaking.clearing import OldUses
from games.matchmaking.models import Use
from games.notifications.models import Notice
from games.notifications.outbox.pruning import Pruning
from games.pairing.duty import OldWaits
from games.pairing.models import Wait
from games.privacy import retention
from games.privacy.deletion_duty import OldGuests
from games.privacy.export_duty import Exports
from games.privacy.models import Export
from tests.people import person, running_match

pytestmark = pytest.mark.django_db

Made = Callable[[datetime], models.Model]


def made(model: type[models.Model], **fields: Any) -> Made:
    """Return what makes a row with these fields; `...` stands for its moment, or whoever or whatever it is about."""

    def row(at: datetime) -> models.Model:
        user = person()
        known = {"user": user, "first": user, "match": running_match([user, person()]) if "match" in fields else None}
        return model._base_manager.create(
            **{name: known.get(name, at) if value is ... else value for name, value in fields.items()}
        )

    return row


def unsent(at: datetime) -> KeptEmail:
    kept_emails.keep(EmailMultiAlternatives("Hello", "Ann", to=["ann@example.org"]))
    KeptEmail.objects.update(created_at=at)
    return KeptEmail.objects.get()


GONE: dict[str, tuple[Made, Callable[[datetime], object]]] = {
    "Names you gave up": (
        made(FormerName, user=..., name="Once", name_key="once", skeleton="once", given_up_at=...),
        lambda now: OldGuests().run_due(now),
    ),
    "Notices, and what was sent about them": (
        made(Notice, user=..., match=..., kind="over", created_at=..., due_at=None),
        lambda now: Pruning().run_due(now),
    ),
    "Waiting for players": (
        made(Wait, user=..., game="shifting-stones", seats=[2], rated=False, state="withdrawn", ended_at=...),
        lambda now: OldWaits().run_due(now),
    ),
    "Network addresses, counted for limits": (
        made(Use, user=..., what=Use.What.SEAT, address="192.0.2.7", at=...),
        lambda now: OldUses().run_due(now),
    ),
    "Marks of devices, for fair play": (made(Device, user=..., match=..., mark="m", at=...), nightly.prune),
    "Who aborted rated matches": (
        made(Abort, user=..., match=..., alone=True, above=0, at=...),
        nightly.prune,
    ),
    "Findings of fair play": (made(Finding, first=..., kind="dodging", found_at=...), nightly.prune),
    "Emails that could not be sent": (unsent, lambda _now: kept_emails.send_due()),
    "The file with your data": (
        made(Export, user=..., language="en", asked_at=..., made_at=...),
        lambda now: Exports().run_due(now),
    ),
}
ELSEWHERE = {"Sessions, with network address and browser"}
"""See test_legal.py: they end at a moment of their own."""


def periods() -> dict[str, timedelta]:
    """Return what the table says is kept for so many days, whatever else happens."""
    with translation.override("en"):
        rows = {row.what: re.match(r"(\d+) days?( after|$)", row.how_long) for row in retention.table()}
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
