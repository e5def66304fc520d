"""What the board's form can ask of a match, whether it was posted or came over the page's socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.play.course.requests import Stale
from games.play.matches import services
from games.play.matches.viewed import ViewedMatch
from games.play.models import Seat
from games.play.numbers import whole_number

Ask: TypeAlias = Callable[[ViewedMatch, Seat, QueryDict], services.Receipt]


def version_in(form: QueryDict) -> int:
    """Return the version the player saw; a page that does not say counts as stale."""
    version = whole_number(form.get("version", ""))
    return -1 if version is None else version


def _act(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    """Take an action given by the board's fields, or by `action` in the game's notation."""
    text = form.get("action") or viewed.match.title.board.compose(dict(form.lists()))
    client_id = form.get("client_id", "")
    return services.submit(viewed.match.pk, seat.number, text, version_in(form), client_id, seen=viewed)


def _undo(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    return services.undo(viewed.match.pk, seat.number, version_in(form))


def _restart(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    return services.restart_turn(viewed.match.pk, seat.number, version_in(form))


def _go_back(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    """Go back to the decision after `after` actions; without it, to the latest one."""
    number = whole_number(form.get("after", ""))
    return services.go_back(viewed.match.pk, seat.number, version_in(form), number)


def _abort(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    return services.offer_abort(viewed.match.pk, seat.number, form.get("offer", "1") == "1")


KINDS: Mapping[str, Ask] = {"act": _act, "undo": _undo, "restart": _restart, "back": _go_back, "abort": _abort}
"""By the last part of the address to which the form is posted, which is also the kind of the socket's message."""


def ask(kind: str, viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    """Do what a player's form asks for.

    Args:
        kind: one of `KINDS`.
        viewed: the match as the player meets it, perhaps not its newest version.
        seat: the player's.
        form: the fields.

    Raises:
        RuleViolation: it is refused, and nothing has changed.
        Stale: the player saw an older version.
    """
    return KINDS[kind](viewed, seat, form)


def refusal_in_words(error: Stale | RuleViolation) -> str:
    """Return the sentence for somebody whose request was refused, in the active language."""
    if isinstance(error, Stale):
        return _("Something else happened in the meantime. This is the current position.")
    return _(error.text)
