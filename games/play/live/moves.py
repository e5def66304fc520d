"""What a page asks for over its socket, handled on the lane of its match and guarded like a posted form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.db import connection
from django.http import Http404, QueryDict
from django.utils import timezone, translation

from games.engine.protocol import RuleViolation
from games.play.course.requests import Stale
from games.play.live.showing import Board, board_for, message
from games.play.matches import announce, asking
from games.play.matches.access import access_match, known_match
from games.play.matches.viewed import ViewedMatch

_STANDING = """
SELECT 1 FROM accounts_user person, django_session session
WHERE person.id = %s AND person.is_active AND person.password = %s
AND session.session_key = %s AND session.expire_date > %s
"""

DONE, REFUSED, STALE = "done", "refused", "stale"


class SessionEnded(Exception):
    """Whoever opened the socket has logged out, has another password, or may no longer log in."""


class Watcher(Hashable, Protocol):
    """A socket that shows a match."""

    user: Any
    language: str

    def on_page(self) -> Board | None:
        """Return the board the page has; None when that is not known."""


_watchers: defaultdict[str, set[Watcher]] = defaultdict(set)


def watch(slug: str, watcher: Watcher) -> None:
    """Note that a socket of this process shows a match."""
    _watchers[slug].add(watcher)


def unwatch(slug: str, watcher: Watcher) -> None:
    """Undo `watch`. Idempotent."""
    _watchers[slug].discard(watcher)
    if not _watchers[slug]:
        del _watchers[slug]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page asks for.

    Args:
        kind: one of `asking.KINDS`.
        form: the fields of the board's form.
        watcher: the socket.
        session: the key of the session with which it was opened.
        slug: of the match.
    """

    kind: str
    form: QueryDict
    watcher: Watcher
    session: str
    slug: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The match and the board as they are now, and the message that says so and how the request ended."""

    viewed: ViewedMatch
    board: Board
    text: str


def answer(asked: Asked) -> Answer:
    """Do what a page asks for, and render the board for everybody in this process who sees the match.

    Raises:
        SessionEnded: nothing was done.
        Http404: the person does not play in this match, or may not see it.
        Error: of the database.
    """
    person, language, before = asked.watcher.user, asked.watcher.language, asked.watcher.on_page()
    _check_session(person, asked.session)
    viewed = known_match(person, asked.slug) or access_match(person, asked.slug)
    if viewed.mine is None:
        raise Http404
    status, notice = DONE, ""
    with translation.override(language), announce.asked_by(""):
        try:
            receipt = asking.ask(asked.kind, viewed, viewed.mine, asked.form)
        except (Stale, RuleViolation) as error:
            status, notice = STALE if isinstance(error, Stale) else REFUSED, asking.refusal_in_words(error)
        else:
            _render_for_others(receipt.viewed, asked)
    current = access_match(person, asked.slug) if notice else replace(receipt.viewed, viewer=viewed.viewer)
    board = board_for(current, person, language, notice)
    return Answer(current, board, message(board, before, asked.form.get("client_id", ""), status))


def _check_session(person: Any, session: str) -> None:
    """Raise `SessionEnded` unless a request with this session would still be this person's: one small query."""
    with connection.cursor() as cursor:
        moment = connection.ops.adapt_datetimefield_value(timezone.now())
        cursor.execute(_STANDING, [person.pk, person.password, session, moment])
        if cursor.fetchone() is None:
            raise SessionEnded


def _render_for_others(viewed: ViewedMatch, asked: Asked) -> None:
    """Render a new position for everybody else who shows the match: the event loop will find what to push ready."""
    for watcher in list(_watchers.get(viewed.match.slug, ())):
        if watcher is not asked.watcher and (seen := _seen_by(watcher, viewed)) is not None:
            message(board_for(seen, watcher.user, watcher.language), watcher.on_page())


def _seen_by(watcher: Watcher, viewed: ViewedMatch) -> ViewedMatch | None:
    """Return the match as it was just committed, for a watcher; None if that is not known any more."""
    seen = known_match(watcher.user, viewed.match.slug, viewed.match.version)
    return seen if seen is not None and seen.match.version == viewed.match.version else None
