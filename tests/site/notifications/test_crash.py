"""Workers killed while they send: every email arrives, and a repeated one has the same Message-ID."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from subprocess import Popen

import pytest
from django.utils import timezone

from games.notifications.channels.mail import message_id
from games.notifications.models import Delivery, Kind, Notice
from tests.people import person, running_match
from tests.site.config.processes import at_work, no_outage, output_of
from tests.site.notifications.letters import Mailbox, mail_server
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_CRASH_ROUNDS", "1"))
"""How often the process is killed; the nightly run asks for 100."""

PEOPLE = 8
LEASE_OVER = timedelta(seconds=61)


def due() -> None:
    """Let this many more people wait for an email about their turn."""
    before = timezone.now() - timedelta(minutes=10)
    for _ in range(PEOPLE):
        running_match([person(), person()])
    Notice.objects.filter(kind=Kind.STARTED).delete()
    Notice.objects.filter(step=0).update(created_at=before, due_at=timezone.now(), step=1)


@contextmanager
def mailing(folder: Path, box: Mailbox) -> Iterator[Popen[bytes]]:
    """Run a worker that sends to this server."""
    with at_work(folder, EMAIL_HOST="127.0.0.1", EMAIL_PORT=str(box.port), EMAIL_USE_TLS="0") as process:
        yield process


def let_leases_end() -> None:
    """Let this much time pass for what the killed worker had claimed."""
    Delivery.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now() - LEASE_OVER)


def killed_while_sending(folder: Path, box: Mailbox) -> None:
    for _ in range(ROUNDS):
        due()
        before = len(box.letters)
        no_outage()
        with mailing(folder, box) as process:
            wait_until(lambda before=before: len(box.letters) > before, 60)  # type: ignore[misc]  # mypy does not follow the default
            time.sleep(random.uniform(0, 0.05))
            process.kill()
            process.wait(60)
        let_leases_end()


def wanted() -> set[str]:
    """Return the Message-IDs of all the emails due, one for each person whose turn it is."""
    mails = Delivery.objects.filter(notice__in=Notice.objects.filter(kind=Kind.TURN), channel="mail")
    return {message_id(mail) for mail in mails}


def all_sent() -> bool:
    mails = Delivery.objects.filter(channel="mail")
    return mails.count() == ROUNDS * PEOPLE and set(mails.values_list("state", flat=True)) == {"sent"}


def repeated(box: Mailbox) -> int:
    return sum(count - 1 for count in Counter(box.ids).values())


def prove(folder: Path) -> None:
    with mail_server() as box:
        killed_while_sending(folder, box)
        with mailing(folder, box), mailing(folder, box):
            wait_until(all_sent, 60 + 3 * ROUNDS)  # most of what each round was to send is left for now
        assert set(box.ids) == wanted()
        assert repeated(box) <= ROUNDS * 4  # what was under way when it was killed, and with the same number
        recipients = {number: to for to, number in zip((to for to, _letter in box.letters), box.ids, strict=True)}
        assert len({to for (to,) in recipients.values()}) == ROUNDS * PEOPLE
    assert "Traceback" not in output_of(folder)


def test_a_worker_that_is_killed_while_it_sends_loses_no_mail_and_numbers_none_anew(tmp_path: Path) -> None:
    prove(tmp_path)


@pytest.mark.services
def test_workers_that_are_killed_lose_no_mail_on_postgresql(tmp_path: Path) -> None:
    prove(tmp_path)


def test_a_worker_that_is_not_killed_sends_every_mail_once(tmp_path: Path) -> None:
    for _ in range(ROUNDS):
        due()
    with (
        mail_server() as box,
        mailing(tmp_path, box),
        mailing(tmp_path, box),
    ):
        wait_until(all_sent, 60)
    assert sorted(box.ids) == sorted(wanted())
