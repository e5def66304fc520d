"""`kill -9` of a worker while it makes an export, and while it ends an account: the next one finishes both, once."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.utils import timezone

from accounts.models import User
from games.chat.models import Message, Room
from games.notifications.channels.mail import unsent_letters
from games.play.models import Match, Seat
from games.privacy import deletions, exports
from games.privacy.models import Deletion, Export
from tests.people import person, running_match
from tests.site.config.processes import at_work, no_outage, output_of
from tests.site.notifications.letters import Mailbox, mail_server
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

LINES, MATCHES = 250, 3

# It notes each step of an export, and stops for good before it would commit what is done, so that no kill is too late.
NEVER_DONE = """
import itertools, os, time
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.core.management import call_command
from games.privacy import deletions, exports, jobs
jobs.monotonic = itertools.count().__next__
exports.letter_to = lambda *_, **__: time.sleep(3600)
remove = deletions._remove
deletions._remove = lambda *whom: (remove(*whom), time.sleep(3600))
call_command("worker")
"""


def talkative(name: str, to: User) -> User:
    """Return somebody who has written a lot to somebody else."""
    author = person(name)
    room = Room.objects.create(kind=Room.Kind.DIRECT, one=to, other=author)
    lines = [Message(room=room, author=author, text=f"line {n}", client_id=str(n)) for n in range(LINES)]
    Message.objects.bulk_create(lines)
    return author


def killed(folder: Path, box: Mailbox, when: Callable[[], bool], code: str = "") -> None:
    """Run a worker, and kill it as soon as something is true."""
    no_outage()
    with at_work(folder, code, EMAIL_HOST="127.0.0.1", EMAIL_PORT=str(box.port), EMAIL_USE_TLS="0") as process:
        wait_until(when)
        process.kill()
        process.wait(60)


def is_packing() -> bool:
    return Export.objects.filter(steps__gt=0).exists()


def is_ending() -> bool:
    return Deletion.objects.exclude(begun_at=None).exists()


def is_all_done() -> bool:
    return not (exports.wanted().exists() or Deletion.objects.exists() or unsent_letters().exists())


def subjects(box: Mailbox, to: str) -> list[str]:
    return [str(letter["Subject"]) for addresses, letter in box.letters if addresses == [to]]


def test_a_worker_that_is_killed_leaves_an_export_and_an_end_of_an_account_to_the_next(tmp_path: Path) -> None:
    other = person("other")
    ann, gone = talkative("ann", other), talkative("gone", other)
    for _ in range(MATCHES):
        running_match([gone, other])
    with mail_server() as box:
        exports.ask(ann, "en")
        killed(tmp_path, box, is_packing, NEVER_DONE)
        assert exports.wanted().exists(), "killed while it was made"
        now = timezone.now()
        Deletion.objects.create(user=gone, confirmed_at=now - deletions.GRACE, due_at=now)
        killed(tmp_path, box, is_ending, NEVER_DONE)
        assert User.objects.filter(username="gone", is_active=False).exists(), "killed on the way"
        exports.wanted().update(lease_until=timezone.now() - timedelta(seconds=1))
        killed(tmp_path, box, is_all_done)
        assert subjects(box, ann.email) == ["Tessera: Your data is ready"]
        assert subjects(box, gone.email) == ["Tessera: Your account has been deleted"]
    with ZipFile(io.BytesIO(b"".join(exports.content_of(Export.objects.get())))) as file:
        assert file.testzip() is None
        assert file.read("data/messages.json").count(b'"text"') == LINES
    assert not User.objects.filter(username="gone").exists()
    assert Message.objects.count() == LINES, "what the other wrote"
    assert Seat.objects.filter(user=None, match__status=Match.Status.OVER).count() == MATCHES
    assert "Traceback" not in output_of(tmp_path)
