"""Exports of everything that is kept about somebody: requested, made under a lease, fetched, and deleted."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.limits import spend
from accounts.mail import letter_to, post
from accounts.models import User
from games.play import jobs
from games.play.store import writing
from games.privacy.archive import Archive
from games.privacy.models import LIFE, Export, Piece

LEASE: Final = timedelta(seconds=60)
"""How long a worker that makes an export may show no progress before another one takes over."""

PIECE: Final = 512 * 1024
"""The size of the pieces of a file in bytes."""


def ask(user: User, language: str) -> Export:
    """Request an export in a language; return the present one if there is one.

    Raises:
        TooMany: the person or their network address has requested too many.
    """
    Export.objects.filter(_over(timezone.now()), user=user).delete()
    if not Export.objects.filter(user=user).exists():
        spend("export", user)
    export, _new = Export.objects.get_or_create(user=user, defaults={"language": language})
    jobs.stop_sleeping()
    return export


def of(user: User) -> Export | None:
    """Return somebody's export, finished or not; None if there is none."""
    return Export.objects.exclude(_over(timezone.now())).filter(user=user).first()


def claim(now: datetime, without: set[int]) -> Archive | None:
    """Lease the export that has waited longest, and begin its archive; None if there is none.

    Args:
        now: the present.
        without: keys of exports that are left out.
    """
    # A lease that ends too far in the future is from before the clock was put back.
    unheld = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    free = wanted().filter(unheld).exclude(pk__in=without)
    for export in free.select_related("user").order_by("asked_at", "pk"):
        token = secrets.token_hex(16)
        if free.filter(pk=export.pk, token=export.token).update(token=token, lease_until=now + LEASE):
            export.token = token
            return Archive(export)
    return None


def wanted() -> QuerySet[Export]:
    """Return the exports that are not finished."""
    return Export.objects.filter(made_at=None)


def store_progress(archive: Archive) -> bool:
    """Store the progress of an export and extend our lease; return whether it is still ours."""
    ours = wanted().filter(pk=archive.export.pk, token=archive.export.token)
    until = timezone.now() + LEASE
    return bool(ours.update(done=archive.done, steps=archive.steps, lease_until=until))


def finish(archive: Archive) -> bool:
    """Store the file of an export and email its owner; return whether the lease was still ours."""
    with writing(), archive.in_words():
        ours = wanted().filter(pk=archive.export.pk, token=archive.export.token).select_for_update(of=("self",)).first()
        if ours is None:
            return False
        contents = iter(partial(archive.content().read, PIECE), b"")
        pieces = [Piece(export=ours, number=number, content=it) for number, it in enumerate(contents)]
        Piece.objects.bulk_create(pieces)
        ours.made_at, ours.size = timezone.now(), sum(len(it.content) for it in pieces)
        ours.done = ours.steps = archive.steps
        ours.save(update_fields=["made_at", "size", "done", "steps"])
        if letter := letter_to(archive.user, "privacy/email/export_ready", until=ours.until):
            post(letter)
    return True


def give_back(export: Export) -> None:
    """End our lease, so that another worker can begin at once."""
    wanted().filter(pk=export.pk, token=export.token).update(lease_until=None)


def content_of(export: Export) -> Iterator[bytes]:
    """Yield the pieces of the file of an export."""
    for content in export.pieces.values_list("content", flat=True).iterator(chunk_size=1):
        yield bytes(content)


def remove_old(now: datetime) -> int:
    """Delete the exports whose time is over, finished or not; return how many."""
    old = Export.objects.filter(_over(now))
    if not old.exists():
        return 0
    with writing():
        keys = list(old.values_list("pk", flat=True))
        Export.objects.filter(pk__in=keys).delete()
    return len(keys)


def _over(now: datetime) -> Q:
    return Q(made_at__lte=now - LIFE) | Q(made_at=None, asked_at__lte=now - LIFE)
