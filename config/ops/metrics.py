"""Metrics for Prometheus: of this process, and of the whole site from the database.

Each web process counts its own requests, pushes and sockets, so Prometheus scrapes each of them. The figures from the
database are the same everywhere; workers and bots need not be scraped.
"""

from __future__ import annotations

import secrets
import shutil
import time
from collections import Counter as Counted
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from itertools import product

from django.conf import settings
from django.db import Error
from django.db.models import Count, Min
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from accounts.requests import Middleware, address_behind
from config.ops.backup import last_backup
from config.ops.health import condition, overdue
from games.bots.services import awaited_turns
from games.notifications.channels.mail import unsent_letters
from games.notifications.models import Delivery
from games.pairing.models import Offer, Wait
from games.play.live import sockets, workers
from games.play.models import Action, Match, Setback, Speed
from games.titles import titles

_requests = Counter("tessera_requests_total", "HTTP requests", ["method", "status"])
_seconds = Histogram("tessera_request_seconds", "Seconds in which requests were answered")

LATELY = timedelta(minutes=1)
"""The period for which recent moves are counted."""

AT_ONCE = 200
"""How many actions are read at once."""


class Measured(Middleware):
    """Counts requests, and measures how long they take."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        _seconds.observe(time.perf_counter() - started)
        _requests.labels(request.method, response.status_code).inc()
        return response


class Waiting(Collector):
    """Gauges of what waits or has failed; if the database is away, only those of this process."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _gauge("sockets", "Open sockets of this process", sockets.open_sockets())
        yield _gauge("match_jobs", "Moves and boards that wait in this process", workers.waiting())
        yield _gauge("healthy", "Whether the health check is good: 1 or 0", condition().is_good)
        disk = shutil.disk_usage(settings.DATA_DIR)
        yield _gauge("disk_free_bytes", "Room on the disk with the data folder", disk.free)
        yield _gauge("disk_size_bytes", "Size of the disk with the data folder", disk.total)
        with suppress(Error):  # all of them or none
            yield from list(_stored())

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return nothing, as the names are only known from `collect`, which would query the database."""
        return ()


def _stored() -> Iterator[GaugeMetricFamily]:
    now = timezone.now()
    yield _moves(now)
    yield _gauge("overdue_seconds", "How long the oldest due item has waited", overdue(now))
    yield _gauge("matches_running", "Running matches", Match.objects.filter(status=Match.Status.RUNNING).count())
    yield from _messages(now)
    yield _gauge("setbacks", "Due work that failed", Setback.objects.count())
    yield _gauge("setbacks_dead", "Due work that is left to a person", Setback.objects.filter(not_before=None).count())
    yield from _pairing(now)
    yield from _bots(now)
    made = last_backup()
    text = "When a backup was last made, in seconds since 1970; 0: never"
    yield _gauge("last_backup_timestamp_seconds", text, made.timestamp() if made else 0)


def _moves(now: datetime) -> GaugeMetricFamily:
    """Return how many actions were stored recently, by any process."""
    moves = GaugeMetricFamily("tessera_moves_minute", "Actions stored within a minute", labels=["game", "by_bot"])
    found = Counted(_actions_since(now - LATELY))
    for game, by_bot in product(titles(), (False, True)):
        moves.add_metric([game, str(by_bot).lower()], found[game, by_bot])
    return moves


def _actions_since(moment: datetime) -> Iterator[tuple[str, bool]]:
    """Yield the game of each action since a moment, and whether it is a bot's, without reading all earlier ones."""
    latest = Action.objects.order_by("-pk").values_list("pk", "match__game", "by_bot", "at")
    page = list(latest[:AT_ONCE])
    while page:
        for _key, game, by_bot, at in page:
            if at <= moment:
                return
            yield game, by_bot
        page = list(latest.filter(pk__lt=page[-1][0])[:AT_ONCE])


def _messages(now: datetime) -> Iterator[GaugeMetricFamily]:
    """Yield gauges of messages to be sent."""
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    dead = Delivery.objects.filter(state=Delivery.State.DEAD)
    yield _gauge("deliveries_waiting", "Messages to be sent", waiting.count())
    oldest = _age(now, waiting.aggregate(first=Min("due_at"))["first"])
    yield _gauge("deliveries_oldest_seconds", "How long the oldest message has been due", oldest)
    yield _gauge("deliveries_dead", "Messages given up", dead.count())
    yield _gauge("account_emails_kept", "Emails about accounts that wait", unsent_letters().count())


def _bots(now: datetime) -> Iterator[GaugeMetricFamily]:
    """Yield gauges of turns that bots should think about."""
    awaited = awaited_turns(now)
    yield _gauge("bot_turns_waiting", "Turns of bots that nobody thinks about yet", awaited.count())
    began = Coalesce("match__moved_at", "match__started_at")
    oldest = _age(now, awaited.aggregate(first=Min(began))["first"])
    yield _gauge("bot_turns_oldest_seconds", "How long the oldest of them has waited", oldest)


def _age(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


def _pairing(now: datetime) -> Iterator[GaugeMetricFamily]:
    """Yield gauges of quick pairing."""
    waiting = GaugeMetricFamily("tessera_pairing_waiting", "Waits in quick pairing", labels=["game", "speed"])
    counts = {(slug, speed): 0 for slug in titles() for speed in Speed.values}
    current = Wait.objects.current().order_by()
    counts.update({(game, speed): n for game, speed, n in current.values_list("game", "speed").annotate(n=Count("pk"))})
    for labels, count in counts.items():
        waiting.add_metric(labels, count)
    yield waiting
    first = current.filter(speed=Speed.LIVE).aggregate(first=Min("since"))["first"]
    paired = Wait.objects.filter(state=Wait.State.PAIRED, ended_at__gt=now - timedelta(days=1))
    yield _gauge("pairing_oldest_seconds", "How long the oldest wait for a live match has lasted", _age(now, first))
    yield _gauge("pairing_offers", "Offers that wait for answers", Offer.objects.count())
    yield _gauge("pairing_paired_day", "Waits that ended in a match within a day", paired.count())


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"tessera_{name}", text, value=value)


REGISTRY.register(Waiting())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to whoever may read them, 404 to everybody else."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Return whether a request carries METRICS_TOKEN, or comes directly from one of METRICS_ADDRESSES."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and secrets.compare_digest(given.encode(), token.encode()):
        return True
    if "X-Forwarded-For" in request.headers:  # it came through a proxy, whose address says nothing
        return False
    address = address_behind("", request.META.get("REMOTE_ADDR", ""))  # none over a Unix socket
    return bool(address) and any(ip_address(address) in ip_network(each) for each in settings.METRICS_ADDRESSES)
