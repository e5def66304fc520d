"""Figures for Prometheus: what this process does, and what waits in the database.

Each web process counts its own requests, moves and sockets, so each is asked by itself. What waits is the same for all.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.db import Error, transaction
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.condition import overdue
from games.bots import turns
from games.notifications.models import Delivery
from games.pairing.models import Offer, Wait
from games.play import lanes
from games.play.live import sockets
from games.play.models import Match, Setback, Speed
from games.play.signals import action_committed
from games.titles import titles

_requests = Counter("tessera_requests_total", "HTTP requests", ["method", "status"])
_seconds = Histogram("tessera_request_seconds", "Seconds in which requests were answered")
_moves = Counter("tessera_moves_total", "Actions stored", ["game", "by_bot"])


class Measured:
    """Counts requests, and measures how long they take."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        _seconds.observe(time.perf_counter() - started)
        _requests.labels(request.method, response.status_code).inc()
        return response


def count_move(match: Match, action: Any, **_: Any) -> None:
    """Count an action once it is committed."""
    child = _moves.labels(match.game, str(action.by_bot).lower())
    transaction.on_commit(child.inc, robust=True)


action_committed.connect(count_move)


class Waiting(Collector):
    """What waits or has failed; without the database only what this process knows itself."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _gauge("sockets", "Open sockets of this process", sockets.open_sockets())
        yield _gauge("lane_jobs", "Moves and boards that wait in this process", lanes.waiting())
        try:
            stored = list(_stored())
        except Error:
            stored = []
        yield from stored

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return nothing: names are not checked by asking the database."""
        return ()


def _stored() -> Iterator[GaugeMetricFamily]:
    now = timezone.now()
    deliveries = Delivery.objects.filter
    yield _gauge("overdue_seconds", "How long the oldest due item has waited", overdue(now))
    yield _gauge("matches_running", "Running matches", Match.objects.filter(status=Match.Status.RUNNING).count())
    yield _gauge("deliveries_waiting", "Messages to be sent", deliveries(state=Delivery.State.WAITING).count())
    yield _gauge("deliveries_dead", "Messages given up", deliveries(state=Delivery.State.DEAD).count())
    yield _gauge("setbacks", "Due work that failed", Setback.objects.count())
    yield _gauge("setbacks_dead", "Due work that is left to a person", Setback.objects.filter(not_before=None).count())
    yield from _pairing(now)
    yield _gauge("bot_turns_waiting", "Turns of bots that nobody thinks about yet", turns.awaited(now).count())


def _pairing(now: datetime) -> Iterator[GaugeMetricFamily]:
    """Yield who waits in quick pairing, and how well that goes."""
    waiting = GaugeMetricFamily("tessera_pairing_waiting", "Waits in quick pairing", labels=["game", "speed"])
    counts = {(slug, speed): 0 for slug in titles() for speed in Speed.values}
    current = Wait.objects.current().order_by()
    counts.update({(game, speed): n for game, speed, n in current.values_list("game", "speed").annotate(n=Count("pk"))})
    for labels, count in counts.items():
        waiting.add_metric(labels, count)
    yield waiting
    first = current.filter(speed=Speed.LIVE).aggregate(first=Min("since"))["first"]
    oldest = (now - first).total_seconds() if first else 0
    paired = Wait.objects.filter(state=Wait.State.PAIRED, ended_at__gt=now - timedelta(days=1))
    yield _gauge("pairing_oldest_seconds", "How long the oldest wait for a live match has lasted", oldest)
    yield _gauge("pairing_offers", "Offers that wait for answers", Offer.objects.count())
    yield _gauge("pairing_paired_day", "Waits that ended in a match within a day", paired.count())


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"tessera_{name}", text, value=value)


REGISTRY.register(Waiting())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures to whoever may read them; for anybody else there is no such page."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and secrets.compare_digest(given.encode(), token.encode()):
        return True
    if "X-Forwarded-For" in request.headers:  # whoever asks through a proxy has the proxy's address
        return False
    address = ip_address(request.META["REMOTE_ADDR"])
    return any(address in ip_network(each) for each in settings.METRICS_ADDRESSES)
