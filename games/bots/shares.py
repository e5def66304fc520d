"""Whom processes think for next: people come in turn, so that nobody has them for themselves.

Whoever was thought for longest ago comes first, however many matches they play and whatever they ask for. Guests who
came from one network address count as one: making more of them makes no more shares.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, F, OuterRef, Q, Subquery
from django.db.models.expressions import OrderBy
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.addresses import address_of, network_of
from accounts.models import User
from games.bots.models import Share
from games.play.models import Seat

KEPT = timedelta(hours=1)
"""For how long it is kept when somebody with an account was last thought for."""

IN_TURN: OrderBy = F("served_at").asc(nulls_first=True)
"""The order of turns and hints that are annotated with `served_at`."""


def served_at(match: str) -> Subquery:
    """Return when somebody who plays in a match was last thought for, of several the one longest ago; null for never.

    Args:
        match: the name of the field with its key.
    """
    people = Seat.objects.filter(match=OuterRef(match), user__isnull=False, left__isnull=True)
    moments = people.order_by(F("user__share__served_at").asc(nulls_first=True)).values("user__share__served_at")
    return Subquery(moments[:1], output_field=DateTimeField())


def note_guest(request: HttpRequest, user: User, **_: Any) -> None:
    """Note the network from which a guest came, when they begin (`user_logged_in`)."""
    if user.guest and (network := network_of(address_of(request))):
        name = salted_hmac("games.bots.shares", network).hexdigest()[:32]
        Share.objects.get_or_create(user=user, defaults={"network": name})


def charge(match_id: int, now: datetime) -> None:
    """Note that a process begins to think for the people in a match, inside the transaction of its claim."""
    seats = Seat.objects.filter(match=match_id, user__isnull=False, left__isnull=True)
    people = list(seats.order_by("user").values_list("user", "user__guest", "user__share__network"))
    new = [Share(user_id=key, served_at=now) for key, _guest, network in people if network is None]
    if new:
        Share.objects.bulk_create(new, ignore_conflicts=True)
        _forget(now)
    networks = {network for _key, guest, network in people if guest and network}
    themselves = Q(user__in=[key for key, _guest, _network in people])
    together = Share.objects.filter(themselves | Q(user__guest=True, network__in=networks))
    locked = list(together.select_for_update(of=["self"]).order_by("pk").values_list("pk", flat=True))
    Share.objects.filter(pk__in=locked).update(served_at=now)


def _forget(now: datetime) -> None:
    """Delete the shares of people with accounts that make no difference to the order any more."""
    old = Share.objects.select_for_update(skip_locked=True).filter(network="", served_at__lt=now - KEPT)
    Share.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
