"""The stream of one person: their running matches and open invitations, and whatever changes of these.

All streams that have something to look up ask together: two queries, however many there are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games.api.authentication import Caller
from games.api.streams.stream import Stream, line_of
from games.matchmaking.models import Invitation
from games.play.live import pubsub
from games.play.live.heartbeat import Questions
from games.play.models import Match, Seat

GATHERING: Final = 0.1
"""Seconds for which streams that have something to look up are gathered."""


@dataclass(frozen=True, slots=True)
class Own:
    """What a person's stream tells of, by slug: their running matches, and the tables to which they are invited.

    `turns` says which turn of theirs is the latest in a match, so that one that begins is told apart from one that
    goes on.
    """

    matches: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)
    invitations: Mapping[str, dict[str, Any]] = field(default_factory=dict)


class Listener(NamedTuple):
    """What is asked again and again about the person behind a stream: the whole account takes 3 kB."""

    pk: int
    password: str


class PersonStream(Stream):
    """Tells a person's programs what they may have to react to.

    First comes a line for each running match and open invitation, then `live`, then what changes.

    Args:
        caller: who listens.
        language: as of `Stream`.
    """

    __slots__ = ("own",)

    address = "/stream/me"

    def __init__(self, caller: Caller, language: str = "") -> None:
        super().__init__(caller, language)
        self.user = Listener(caller.user.pk, caller.user.password)
        self.topics = (pubsub.user_topic(self.user.pk),)
        self.own: Own | None = None

    def begin(self) -> None:
        _questions.add(self)

    def on_hint(self, hint: dict[str, Any]) -> None:
        _questions.add(self)

    async def beat(self, version: int | None) -> None:
        """Look again, in case that a hint was lost."""
        _questions.add(self)

    async def compare(self, own: Own) -> None:
        """Write what is new since the last time, and after the first time that what follows is live."""
        first, before, self.own = self.own is None, self.own or Own(), own
        for slug in before.matches.keys() - own.matches.keys():
            self.write(line_of("match_over", match=slug))
        for slug in before.invitations.keys() - own.invitations.keys():
            self.write(line_of("invitation_gone", match=slug))
        for slug, match in own.matches.items():
            self._compare_match(before.matches.get(slug), match, began=before.turns.get(slug) != own.turns[slug])
        for slug, invitation in own.invitations.items():
            if slug not in before.invitations:
                self.write(line_of("invitation", **invitation))
        if first:
            self.write(line_of("live"))

    def _compare_match(self, before: Mapping[str, Any] | None, match: Mapping[str, Any], *, began: bool) -> None:
        """Tell of a match that has begun, and of one in which another turn of its player’s has begun than before."""
        if before is None:
            self.write(line_of("match_started", **match))
        elif match["your_turn"] and (began or not before["your_turn"]):
            self.write(line_of("your_turn", **match))


# --- looking up -------------------------------------------------------------------------------------------------------


def own_of(people: Collection[int]) -> dict[int, Own]:
    """Return what the streams of some people tell of, by their keys, in two queries."""
    found: dict[int, Own] = {person: Own({}, {}, {}) for person in people}
    seats = Seat.objects.filter(user__in=people, left=None, match__status=Match.Status.RUNNING).select_related("match")
    for seat in seats.defer("match__state", "match__server_seed").order_by("match"):
        match = seat.match
        found[seat.user_id or 0].turns[match.slug] = seat.turn  # type: ignore[index]  # filled here, read everywhere else
        found[seat.user_id or 0].matches[match.slug] = {  # type: ignore[index]  # as above
            "match": match.slug,
            "game": match.game,
            "seat": seat.number,
            "your_turn": seat.to_move,
            "version": match.version,
            "deadline": seat.deadline,
        }
    invitations = Invitation.objects.answerable().filter(user__in=people).select_related("match", "by")
    for invitation in invitations.defer("match__state", "match__server_seed").order_by("pk"):
        match = invitation.match
        found[invitation.user_id].invitations[match.slug] = {  # type: ignore[index]  # as above
            "match": match.slug,
            "game": match.game,
            "by": invitation.by.username if invitation.by else None,
            "expires_at": invitation.expires_at,
        }
    return found


_questions: Questions[PersonStream, Own] = Questions(GATHERING, own_of, PersonStream.compare)
