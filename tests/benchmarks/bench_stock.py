"""What own code saves where Django has a part of its own: `python -m tests.benchmarks stock`.

Both take turns, a match each, in one process without a server, so the ratios hold on a busy machine too. What saves
less than a tenth has to go.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http import HTTPStatus
from itertools import chain, islice
from threading import Semaphore, Thread
from typing import Any, TypeAlias
from unittest.mock import patch
from urllib.parse import urlencode

from tests.benchmarks import wire
from tests.benchmarks.driving import percentile
from tests.benchmarks.load import Begun, make_duels, moves_of
from tests.benchmarks.site import prepare

ROUNDS = 5
MOST = 40
"""Moves of each match."""
THREADS = 4
"""Threads that answer posted forms, as a process has them; each moves in a match of its own."""

Stock: TypeAlias = Callable[[], AbstractContextManager[object]]
"""Puts Django's part in the place of ours during a block."""
Play: TypeAlias = Callable[[], list[float]]
"""Plays new matches; returns the seconds that each move took."""


def compare(what: str, stock: Stock, play: Play, *of_hundred: int) -> None:
    """Print how many milliseconds moves take with our part and with the stock one, at these percentiles."""
    rounds: list[tuple[list[float], list[float]]] = []
    for _ in range(ROUNDS):
        own = play()
        with stock():
            rounds.append((own, play()))
    whole = tuple(list(chain.from_iterable(side)) for side in zip(*rounds, strict=True))
    for part in of_hundred:
        ours, theirs = (1000 * percentile(side, part) for side in whole)
        ratios = [percentile(stocks, part) / percentile(owns, part) for owns, stocks in rounds]
        between = f"round by round {min(ratios):.2f} to {max(ratios):.2f}"
        print(
            f"{what}, {part} %: own {ours:.2f} ms, stock {theirs:.2f}: {theirs / ours:.2f} times ({between})",
            flush=True,
        )


# --- moves over sockets, on the worker of their match -----------------------------------------------------------------


class Page:
    """An open page of a match, without a socket (`games.play.live.consumers.Watcher`)."""

    def __init__(self, user: Any, slug: str) -> None:
        self.user, self.slug, self.language = user, slug, "en"
        self.shown: tuple[int, int] | None = None
        self.sent: Any = None
        self.seated, self.heard = True, wire.Heard()

    def write(self, text: str) -> None:
        self.heard = wire.read(text)

    def bring(self, version: int, text: str = "") -> None:
        self.write(text)

    def end(self, code: int) -> None:
        raise SystemExit(f"a socket was closed with {code}")

    def tell_time(self, version: int | None) -> None:
        """There is no clock to be set."""

    def on_hint(self, hint: dict[str, Any]) -> None:
        """The worker has pushed it already."""


@contextmanager
def looping() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop beside this thread, on which sockets would live."""
    from games.play.live import pubsub

    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    pubsub.use_loop(loop)
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def opened(begun: Begun, loop: asyncio.AbstractEventLoop) -> list[Page]:
    """Return the open pages of both players of a match."""
    from games.play.live import consumers, pubsub, workers
    from games.play.models import Seat

    seats = Seat.objects.filter(match__slug=begun.slug).order_by("number").select_related("user")
    pages = [Page(seat.user, begun.slug) for seat in seats]

    async def listen() -> None:
        for page in pages:
            pubsub.subscribe(page, [pubsub.match_topic(begun.slug)])

    asyncio.run_coroutine_threadsafe(listen(), loop).result()
    for page in pages:
        workers.result_of(begun.slug, partial(consumers.push_current, page))
    return pages


def over_sockets(loop: asyncio.AbstractEventLoop, matches: Iterator[Begun]) -> list[float]:
    """Play a match; return the processor time of its worker for each move: from what is asked to what is to be sent."""
    from django.http import QueryDict

    from games.play.live import workers
    from games.play.live.consumers import SocketRequest, answer_request

    begun = next(matches)
    pages, spent = opened(begun, loop), []

    def measured(asked: SocketRequest) -> None:
        started = time.thread_time()
        answer_request(asked)
        spent.append(time.thread_time() - started)

    for version, (seat, text) in enumerate(islice(moves_of(begun), MOST), begun.version):
        name = f"stock-{version:08}"
        form = QueryDict(urlencode({"action": text, "version": version, "client_id": name}))
        asked = SocketRequest("act", form, pages[seat], begun.players[seat].session)
        workers.result_of(begun.slug, partial(measured, asked))
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()  # what was to be sent is written
        if pages[seat].heard != wire.Heard(request=name, status=wire.DONE):
            raise SystemExit(f"a move was answered with {pages[seat].heard}")
    return spent


def by_orm() -> AbstractContextManager[object]:
    """Check sessions as one would with Django's models."""
    from django.contrib.auth import get_user_model
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from games.play.live import consumers

    def check_session(person: Any, session: str) -> None:
        standing = Session.objects.filter(session_key=session, expire_date__gt=timezone.now())
        same = get_user_model().objects.filter(pk=person.pk, password=person.password, is_active=True)
        if not (standing.exists() and same.exists()):
            raise consumers.SessionEnded

    return patch.object(consumers, "check_session", check_session)


def forgetful() -> AbstractContextManager[object]:
    """Load each match from the database, as if none had been kept."""
    from games.play import access

    return patch.object(access, "recall", lambda slug, version=0: None)


def by_models() -> AbstractContextManager[object]:
    """Lock, insert and update with Django's models alone."""
    from games.play import sql
    from games.play.models import Match

    def locked_version(match_id: int) -> int:
        return Match.objects.select_for_update().values_list("version", flat=True).get(pk=match_id)

    return patch.multiple(
        sql,
        locked_version=locked_version,
        insert=lambda row: row.save(force_insert=True),
        update=lambda row, *names: row.save(update_fields=names),
    )


# --- what a page asks about its reader --------------------------------------------------------------------------------


def visits() -> list[float]:
    """Open a page without a board as somebody who is logged in; return the processor time of each visit."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client, spent = Client(HTTP_HOST="localhost"), []
    client.force_login(get_user_model().objects.filter(is_active=True).earliest("pk"))
    for _ in range(MOST):
        started = time.thread_time()
        if client.get("/rules/shifting-stones/").status_code != HTTPStatus.OK:
            raise SystemExit("the page of rules is not shown")
        spent.append(time.thread_time() - started)
    return spent


def by_queries() -> AbstractContextManager[object]:
    """Build the query anew each time."""
    from accounts.questions import Prepared

    def of(self: Any, people: Any, *moments: Any, **given: Any) -> list[Any]:
        return list(self._about(people, *moments, **given)) if people else []

    def instances(self: Any, _model: Any, people: Any, **given: Any) -> list[Any]:
        return list(self._about(people, **given))

    def within(self: Any, people: Any, *moments: Any, **given: Any) -> Any:
        return self._about(people, *moments, **given)

    return patch.multiple(Prepared, of=of, instances=instances, within=within)


# --- posted moves, on several threads ---------------------------------------------------------------------------------


def by_post(matches: Iterator[Begun]) -> list[float]:
    """Play a match on each thread; return how long the service took for each move."""
    with ThreadPoolExecutor(THREADS) as pool:
        return [seconds for played in pool.map(posted, islice(matches, THREADS)) for seconds in played]


def posted(begun: Begun) -> list[float]:
    from django.db import connection

    from games.play import commands
    from games.play.models import Match

    match, taken, seen = Match.objects.get(slug=begun.slug), [], None
    for version, (seat, text) in enumerate(islice(moves_of(begun), MOST), begun.version):
        started = time.perf_counter()
        seen = commands.submit(match.pk, seat, text, version, f"stock-{version:08}", seen).viewed
        taken.append(time.perf_counter() - started)
    connection.close()
    return taken


def without_lock() -> AbstractContextManager[object]:
    """Let those who write wait for each other in SQLite alone."""
    from games.play import store

    return patch.object(store, "_sqlite_writer", Semaphore(2 * THREADS))  # a nested `writing` takes it twice


def main() -> None:
    prepare()
    on_worker: dict[str, Stock] = {
        "the session in one statement": by_orm,
        "running matches in memory": forgetful,
        "statements written once": by_models,
    }
    matches = iter(make_duels(2 * ROUNDS * (len(on_worker) + THREADS)))
    print(f"one move, in {ROUNDS} rounds")
    with looping() as loop:
        for what, stock in on_worker.items():
            compare(f"{what}, processor time of the worker", stock, partial(over_sockets, loop, matches), 50)
        visits()  # the first one loads what all others need
        compare("questions about readers written once, processor time of a page", by_queries, visits, 50)
        compare(f"a lock for SQLite's writers, {THREADS} threads", without_lock, partial(by_post, matches), 50, 99)


if __name__ == "__main__":
    main()
