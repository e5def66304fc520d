"""How far a reader has come: in the account, or for visitors in the session, which an account takes over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.logins import keep_visit
from games.learn.models import Progress
from games.titles import games
from games.titles.registry import lessons_of

_KEY: Final = "lessons"
_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Come:
    """How far somebody has come: how many steps are done, and the day on which the last one was."""

    reached: int = 0
    done_on: date | None = None

    @property
    def is_done(self) -> bool:
        return self.done_on is not None

    def further(self, reached: int, done: bool) -> Come:
        """Return this with some steps done; nothing is ever taken back."""
        today = timezone.localdate() if done else None
        return Come(max(self.reached, reached), self.done_on or today)


def of_reader(request: HttpRequest) -> Mapping[tuple[str, str], Come]:
    """Return how far the reader has come in everything begun, by game and lesson."""
    if request.user.is_authenticated:
        rows = Progress.objects.filter(user=request.user.pk)
        return {(row.game, row.lesson): Come(row.reached, row.done_on) for row in rows}
    return dict(_of_session(request.session.get(_KEY, {})))


def add(request: HttpRequest, game: str, lesson: str, reached: int, done: bool) -> None:
    """Note that the reader has done some steps, perhaps the last one."""
    if request.user.is_authenticated:
        _add_to_account(request.user.pk, game, lesson, reached, done)
        return
    kept = dict(request.session.get(_KEY, {}))
    before = dict(_of_session(kept)).get((game, lesson), Come())
    kept.pop(key := f"{game}/{lesson}", None)
    kept[key] = _written(before.further(reached, done))
    request.session[_KEY] = dict(list(kept.items())[-_KEPT:])
    keep_visit(request)


def _add_to_account(user_id: Any, game: str, lesson: str, reached: int, done: bool) -> None:
    with transaction.atomic():
        row, _ = Progress.objects.select_for_update().get_or_create(user_id=user_id, game=game, lesson=lesson)
        after = Come(row.reached, row.done_on).further(reached, done)
        row.reached, row.done_on = after.reached, after.done_on
        row.save(update_fields=["reached", "done_on"])


def take_over(request: HttpRequest | None, user: Any, **_: Any) -> None:
    """Give what a visitor has done to the account they log in to (`user_logged_in`); what it has already stays."""
    found = getattr(request, "session", {}).pop(_KEY, {})
    for (game, lesson), come in _of_session(found):
        if game in games() and lesson in lessons_of(game):
            _add_to_account(user.pk, game, lesson, come.reached, come.is_done)


def merge(guest: Any, user: Any, **_: Any) -> None:
    """Let the account be as far in each lesson as the guest or itself, whoever came further (`guest_claimed`)."""
    own = {(row.game, row.lesson): row for row in Progress.objects.filter(user=user)}
    for row in Progress.objects.filter(user=guest):
        if (known := own.get((row.game, row.lesson))) is not None:
            known.reached, known.done_on = max(known.reached, row.reached), known.done_on or row.done_on
            known.save(update_fields=["reached", "done_on"])


# --- as it is stored --------------------------------------------------------------------------------------------------


def _written(come: Come) -> list[Any]:
    return [come.reached, come.done_on.isoformat() if come.done_on else ""]


def _of_session(kept: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Come]]:
    for key, (reached, done_on) in kept.items():
        game, _, lesson = key.partition("/")
        yield (game, lesson), Come(reached, date.fromisoformat(done_on) if done_on else None)
