"""What the board's form can ask of a match, whether it was posted or came over the page's socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.engine.protocol import Seat as SeatNumber
from games.play.course.positions import decode_state
from games.play.course.requests import Stale
from games.play.matches import services
from games.play.matches.viewed import ViewedMatch
from games.play.models import Match, Seat
from games.play.numbers import whole_number
from games.titles import Doubt


class Unsure(RuleViolation):
    """What was chosen on the board may be a mistake, and is asked about before it is done.

    Args:
        text: the action in the notation.
        doubt: what is asked.
    """

    def __init__(self, text: str, doubt: Doubt) -> None:
        super().__init__("unsure", doubt.question)
        self.action, self.doubt = text, doubt


Ask: TypeAlias = Callable[[ViewedMatch, Seat, QueryDict], services.Receipt]


def version_in(form: QueryDict) -> int:
    """Return the version the player saw; a page that does not say counts as stale."""
    version = whole_number(form.get("version", ""))
    return -1 if version is None else version


def _act(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    """Take an action given by the board's fields, or by `action` in the game's notation."""
    text = form.get("action") or _chosen(viewed, seat, form)
    client_id = form.get("client_id", "")
    return services.submit(viewed.match.pk, seat.number, text, version_in(form), client_id, seen=viewed)


def _chosen(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> str:
    """Return the action that the board's fields make up. The button that answers a question names its action outright.

    Raises:
        Unsure: this has to be asked first.
    """
    match = viewed.match
    text = match.title.board.compose(dict(form.lists()))
    if (seen := version_in(form)) != match.version:  # what this process knows may be older than the page
        match = Match.objects.get(pk=match.pk)
    if match.is_running and seen == match.version:
        view = match.rules.view_for(decode_state(match), SeatNumber(seat.number))
        if doubt := match.title.board.doubt(text, view):
            raise Unsure(text, doubt)
    return text


def _undo(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    return services.undo(viewed.match.pk, seat.number, version_in(form), form.get("client_id", ""))


def _restart(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    return services.restart_turn(viewed.match.pk, seat.number, version_in(form), form.get("client_id", ""))


def _go_back(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    """Go back to the decision after `after` actions; without it, to the latest one."""
    number = whole_number(form.get("after", ""))
    return services.go_back(viewed.match.pk, seat.number, version_in(form), number, form.get("client_id", ""))


def _abort(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> services.Receipt:
    offered, name = form.get("offer", "1") == "1", form.get("client_id", "")
    return services.offer_abort(viewed.match.pk, seat.number, offered, name)


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
    """Return the sentence for somebody whose request was refused; a question brings the button that answers it."""
    if isinstance(error, Stale):
        return _("Something else happened in the meantime. This is the current position.")
    if isinstance(error, Unsure):
        button = '{} <button class="button small" form="act" id="sure" name="action" value="{}">{}</button>'
        return format_html(button, error.doubt.question, error.action, error.doubt.answer)
    return _(error.text)
