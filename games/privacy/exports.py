"""The one way to ask for an export, to make it and to fetch it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.limits import spend
from accounts.mail import post
from accounts.models import User
from games.play import jobs
from games.play.store import writing
from games.privacy.archive import Archive
from games.privacy.letters import letter_to
from games.privacy.models import LIFE, Export, Piece

LEASE: Final = timedelta(seconds=60)
"""How long a worker that goes on with an export has it for itself."""

PIECE: Final = 512 * 1024
"""Bytes of a piece of the file."""


def ask(user: User, language: str) -> Export:
    """Ask for an export in a language; while there is one, it stays, and with it the limit of one a day.

    Raises:
        TooMany: too many have been asked for from this network address.
    """
    Export.objects.filter(_over(timezone.now()), user=user).delete()
    if not Export.objects.filter(user=user).exists():
        spend("export", user)
    export, _new = Export.objects.get_or_create(user=user, defaults={"language": language})
    jobs.stop_sleeping()
    return export


def of(user: User) -> Export | None:
    """Return somebody's export, made or in the making; None if there is none, or none any more."""
    return Export.objects.exclude(_over(timezone.now())).filter(user=user).first()


def claim(now: datetime, without: set[int]) -> Archive | None:
    """Begin with the export that has waited longest; another worker's only when that has not gone on for `LEASE`."""
    # A lease longer than any was given by a clock that has been put back since.
    unheld = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    free = wanted().filter(unheld).exclude(pk__in=without)
    for export in free.select_related("user").order_by("asked_at", "pk"):
        token = secrets.token_hex(16)
        if free.filter(pk=export.pk, token=export.token).update(token=token, lease_until=now + LEASE):
            export.token = token
            return Archive(export)
    return None


def wanted() -> QuerySet[Export]:
    """Return the exports that are not made yet."""
    return Export.objects.filter(made_at=None)


def note_progress(packing: Archive) -> bool:
    """Store how far an export is; return whether it is still ours to make."""
    ours = wanted().filter(pk=packing.export.pk, token=packing.export.token)
    until = timezone.now() + LEASE
    return bool(ours.update(done=packing.done, steps=packing.steps, lease_until=until))


def finish(packing: Archive) -> bool:
    """Keep the file of an export that is packed, and write to its owner, once; return whether it was ours to make."""
    with writing(), packing.in_words():
        ours = wanted().filter(pk=packing.export.pk, token=packing.export.token).select_for_update(of=("self",)).first()
        if ours is None:
            return False
        pieces = [Piece(export=ours, number=number, content=it) for number, it in enumerate(_pieces(packing))]
        Piece.objects.bulk_create(pieces)
        ours.made_at, ours.size = timezone.now(), sum(len(it.content) for it in pieces)
        ours.done = ours.steps = packing.steps
        ours.save(update_fields=["made_at", "size", "done", "steps"])
        if letter := letter_to(packing.user, "export_ready", until=ours.until):
            post(letter)
    return True


def _pieces(packing: Archive) -> Iterator[bytes]:
    file = packing.content()
    while piece := file.read(PIECE):
        yield piece


def give_back(export: Export) -> None:
    """Let another worker begin anew at once."""
    wanted().filter(pk=export.pk, token=export.token).update(lease_until=None)


def content_of(export: Export) -> Iterator[bytes]:
    """Return the file of an export, piece by piece."""
    for content in export.pieces.values_list("content", flat=True).iterator(chunk_size=1):
        yield bytes(content)


def remove_old(now: datetime) -> int:
    """Remove the exports whose time is over, made or not; return how many."""
    old = Export.objects.filter(_over(now))
    if not old.exists():
        return 0
    with writing():
        keys = list(old.values_list("pk", flat=True))
        Export.objects.filter(pk__in=keys).delete()
    return len(keys)


def _over(now: datetime) -> Q:
    return Q(made_at__lte=now - LIFE) | Q(made_at=None, asked_at__lte=now - LIFE)
