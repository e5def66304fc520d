"""Hints in matches against bots alone: asked for by a page, found by a process that thinks, from the seat's view."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import Error, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.bots import thinking
from games.bots.models import Hint
from games.bots.services import IN_TURN, awaited_turns, call, note_served, served_at
from games.bots.thinking import Question
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.play.access import ViewedMatch
from games.play.models import Level, Match, Seat
from games.play.reducer import positions
from games.play.store import lock, writing
from games.titles import titles

log = logging.getLogger(__name__)

ADVISER = Level.MASTER
"""The level that gives hints."""

LEASE = timedelta(seconds=5)
PATIENCE = timedelta(seconds=5)
"""How long hints wait while there are turns."""

GIVEN_UP = timedelta(minutes=1)
"""How long somebody waits for a hint before giving up."""


def ask(match_id: int, seat: int) -> Hint:
    """Ask for a hint for the current position, once; from then on the match says that there were hints.

    Raises:
        RuleViolation: "no-hints" in a match with other people, or when it is not this seat's turn.
    """
    with writing():
        locked = lock(match_id)
        match = locked.match
        if not ViewedMatch(match, tuple(locked.seats), SeatNumber(seat)).may_have_hint:
            raise RuleViolation("no-hints", _("Hints come only on your turn, in a match against bots alone."))
        if not match.hints:
            match.hints = True
            match.save(update_fields=["hints"])
        hint, made = Hint.objects.get_or_create(
            match=match, seat=seat, version=match.version, defaults={"language": translation.get_language() or "en"}
        )
        if not made and _is_given_up(hint):
            hint.asked_at = timezone.now()
            hint.save(update_fields=["asked_at"])
        call()
        return hint


def is_any_asked(now: datetime) -> bool:
    """Return whether somebody waits for a hint, even if a process looks for it already."""
    return Hint.objects.filter(text="", asked_at__gt=now - GIVEN_UP).exists()


def comes_first(now: datetime) -> bool:
    """Return whether somebody has waited so long for a hint that they come before the turn that is next.

    Otherwise turns come first, as nobody needs a hint to go on. But somebody who plays quickly enough to keep processes
    busy must not keep hints from everybody else.
    """
    hint = _wanted(now).filter(asked_at__lte=now - PATIENCE).first()
    if hint is None:
        return False
    turn = awaited_turns(now).first()
    return turn is None or _served(hint) < _served(turn)


def _served(waiting: Hint | Seat) -> datetime:
    """Return when a bot last thought for the people who wait; the earliest moment if never."""
    moment: datetime | None = waiting.served_at  # type: ignore[union-attr]  # annotated
    return moment or datetime.min.replace(tzinfo=UTC)


def find_one(now: datetime, think: Callable[[Question], str] = thinking.answer) -> bool:
    """Find the hint of those who come first (`services`), by thinking about it; return whether there was one.

    One that cannot be found is deleted, so that nobody waits for it.
    """
    hint = _claim(now)
    if hint is None:
        return False
    try:
        _find(hint, think)
    except Error:
        raise  # the database is away: no fault of this hint
    except Exception:  # a mistake in the rules of one game must not stop the bots of all
        log.exception("no hint in %s", hint.match)
        hint.delete()
    return True


def _find(hint: Hint, think: Callable[[Question], str]) -> None:
    match = hint.match
    if not match.is_running or match.version != hint.version:
        hint.delete()  # nobody looks at that position any more
        return
    question = question_of(match, hint.seat)
    hint.text = think(question)
    with translation.override(hint.language):
        hint.why = explained(question, hint.text)[: Hint._meta.get_field("why").max_length]  # noqa: SLF001  # Django's public way to a field
    hint.save(update_fields=["text", "why"])


def _wanted(now: datetime) -> QuerySet[Hint]:
    """Return the hints that nobody looks for yet, those first whose people come first."""
    free = Hint.objects.filter(_free(now), text="", asked_at__gt=now - GIVEN_UP)
    in_turn = free.annotate(served_at=served_at())
    return in_turn.order_by(IN_TURN, "asked_at")


def _free(now: datetime) -> Q:
    """Return which hints nobody has leased; one leased longer than any is was so by a clock that has been put back."""
    return Q(until=None) | Q(until__lte=now) | Q(until__gt=now + 2 * LEASE)


def _claim(now: datetime) -> Hint | None:
    for hint in _wanted(now).select_related("match")[:5]:
        with transaction.atomic():
            if Hint.objects.filter(_free(now), pk=hint.pk, text="").update(until=now + LEASE):
                note_served(hint.match_id, now)
                return hint
    return None


def question_of(match: Match, number: int) -> Question:
    """Return what the adviser is asked: nothing but what the seat may know."""
    state = positions.decode_state(match)
    return thinking.question_about(match.rules, state, SeatNumber(number), ADVISER, settings.BOT_SECONDS, str(match))


def explained(question: Question, text: str) -> str:
    """Return why an action is good, in one sentence; empty if nothing can be said."""
    try:
        return str(titles()[question.game.slug].advice.explain(question.view, question.game.parse(text)))
    except Exception:
        log.exception("no explanation of %s in %s", text, question.about)
        return ""


def latest(match: Match, seat: int) -> Hint | None:
    """Return the hint for the current position; None if nobody asked for one, or asked too long ago."""
    found = Hint.objects.filter(match=match, seat=seat, version=match.version).first()
    return None if found is None or _is_given_up(found) else found


def _is_given_up(hint: Hint) -> bool:
    """Return whether a hint has been waited for in vain."""
    return not hint.text and timezone.now() - hint.asked_at > GIVEN_UP
