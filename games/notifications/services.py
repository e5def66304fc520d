"""Writes notices, each in the transaction of the event it tells about: both are stored, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import relations
from accounts.models import Friendship, User
from games.notifications.models import OF_PEOPLE, Channel, Kind, Mute, Notice, Preferences
from games.play import sql
from games.play.live import pubsub
from games.play.live.presence import Reports
from games.play.models import AbortReason, Action, Match, Presence, Seat, Speed, in_company
from games.play.reducer import clockwork
from games.play.store import vacations_of, writing

AWAY_AFTER = timedelta(seconds=20)
"""Grace period before notifying elsewhere: people may look at the match themselves meanwhile."""

SETTLING = timedelta(seconds=10)
"""The longest it takes the page of the person who starts a match to show it."""

PARTS = (20, 5)
"""Percentages of the time for a turn: in matches over days people are warned when this much is left."""

MOST_INVITATIONS = 3
"""Notices of invitations by one person to another within `INVITATIONS_WITHIN`: the last of them tells of the rest."""

INVITATIONS_WITHIN = timedelta(hours=1)

TOLD = {Kind.TURN: 2, Kind.DEADLINE: 1}
"""After this many steps everything about a turn has been told."""

RESULT_UNTOLD, RESULT_TOLD = 1, 2
"""Steps of results: whatever goes out at once was sent; an email about something else has named it too."""

LAST_MISSING = 1

BEFORE_OPENING = (24 * 60, 10)
"""How many minutes before a planned table opens those who come are reminded."""

CALLED_OFF = 0
"""The part of a notice that a planned table does not open."""

_AGAIN = {
    kind: "(user_id, match_id, kind, turn, part) DO UPDATE SET created_at = excluded.created_at, "
    f"due_at = excluded.due_at, seen_at = NULL WHERE notifications_notice.step < {steps}"
    for kind, steps in TOLD.items()
}
"""A turn that is taken back and played again starts anew, but what was told about it is not told again."""

_ONCE = "(user_id, match_id, kind, turn, part) DO NOTHING"


def on_turns_began(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Note turns (`games.play.signals.turns_began`). Pages need no hint: they hear that more matches wait."""
    now = timezone.now()
    told = [seat for seat in seats if _is_awaited(match, seat)]
    for seat in told:
        _write(_notice(Kind.TURN, match, seat, now, now + AWAY_AFTER))
        _write_warnings(match, seat)


def on_action_committed(match: Match, seats: Sequence[Seat], action: Action, **_: Any) -> None:
    """Note actions (`games.play.signals.action_committed`): after a secret one, perhaps only one seat is left to act.

    Somebody who has just been told that the round has begun, or is about to be, is not told this too.
    """
    missing = [seat for seat in seats if seat.to_move]
    has_just_begun = match.turn_version == match.version
    if not action.seal or has_just_begun or len(missing) != 1 or not _is_awaited(match, missing[0]):
        return
    now, last = timezone.now(), missing[0]
    rounds = Notice.objects.filter(match=match, user=last.user_id, kind=Kind.TURN, turn=last.turn, part=0)
    if rounds.filter(step=0).exists():
        return
    _write(_notice(Kind.TURN, match, last, now, now + AWAY_AFTER, part=LAST_MISSING))
    _announce([last])


def on_deadlines_moved(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Note deadlines (`games.play.signals.deadlines_moved`): warnings not yet given move with them."""
    for seat in seats:
        mine = Notice.objects.filter(match=match, user=seat.user_id, kind=Kind.DEADLINE, turn=seat.turn, step=0)
        for part, moment in _warnings(match, seat):
            mine.filter(part=part).update(created_at=moment, due_at=moment)


def on_match_started(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Note matches that begin (`games.play.signals.match_started`)."""
    now = timezone.now()
    latest = max(seat.pk for seat in seats)
    for seat in _people(seats):
        begins_it = seat.pk == latest or seat.user_id == match.host_id
        _write(_notice(Kind.STARTED, match, seat, now, now + SETTLING if begins_it else now, turn=0))
    _announce(_people(seats))


def on_match_over(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Note matches that end (`games.play.signals.match_over`)."""
    _tell_of_end(match, _people(seats))


def on_match_aborted(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Note aborted matches (`games.play.signals.match_aborted`). A player who aborted it alone knows already."""
    alone = match.reason == AbortReason.CALLED_OFF
    _tell_of_end(match, [seat for seat in _people(seats) if not (alone and seat.no_show)])


def _tell_of_end(match: Match, seats: Sequence[Seat]) -> None:
    now = timezone.now()
    for seat in seats:
        _write(_notice(Kind.OVER, match, seat, now, now + AWAY_AFTER, turn=0))
    _announce(seats)


def on_vacation_began(match: Match, seats: Sequence[Seat], away: Seat, **_: Any) -> None:
    """Note vacations that make others wait (`games.play.signals.vacation_began`)."""
    now = timezone.now()
    waiting = [seat for seat in _people(seats) if seat.number != away.number and not seat.has_left]
    for seat in waiting:
        _write(_notice(Kind.AWAY, match, seat, now, now + AWAY_AFTER, turn=away.turn, part=away.number))
    _announce(waiting)


def on_invited(match: Match, people: Iterable[Any], by: Any = None, **_: Any) -> None:
    """Note invitations (`games.matchmaking.signals.invited`), whatever the entry point."""
    now = timezone.now()
    asked = [person.pk for person in people]
    for user_id in asked:
        if not _is_folded(match, user_id, by, now):
            invitation = Notice(user_id=user_id, match=match, by=by, kind=Kind.INVITATION, created_at=now, due_at=now)
            _write(invitation)
    notices_changed(asked)


def _is_folded(match: Match, user_id: int, by: Any, now: datetime) -> bool:
    """After too many invitations by one person, point the last one to this table; return whether there were.

    It still counts as told: somebody who opens table after table does not ring the bell each time.
    """
    if by is None:
        return False
    theirs = Notice.objects.filter(user=user_id, kind=Kind.INVITATION)
    recent = theirs.filter(by=by, created_at__gt=now - INVITATIONS_WITHIN).order_by("-created_at", "-pk")
    keys = list(recent.values_list("pk", flat=True)[:MOST_INVITATIONS])
    if len(keys) < MOST_INVITATIONS:
        return False
    if not theirs.filter(match=match).exists():
        Notice.objects.filter(pk=keys[0]).update(match=match)
    return True


def on_promised(match: Match, user: Any, **_: Any) -> None:
    """Note that somebody comes to a planned table (`games.matchmaking.signals.promised`): two reminders, ahead."""
    now = timezone.now()
    for minutes in BEFORE_OPENING:
        at = match.opens_at - timedelta(minutes=minutes) if match.opens_at else now
        if at > now:
            _write(Notice(user=user, match=match, kind=Kind.PLANNED, part=minutes, created_at=at, due_at=at))


def on_promise_ended(match: Match, people: Iterable[Any], **_: Any) -> None:
    """Forget reminders to come (`games.matchmaking.signals.promise_ended`); what was told stays."""
    ahead = Notice.objects.filter(match=match, kind=Kind.PLANNED, user__in=[person.pk for person in people])
    ahead.filter(created_at__gt=timezone.now()).delete()


def on_called_off(match: Match, people: Iterable[Any], by: Any = None, **_: Any) -> None:
    """Note planned tables that do not open (`games.matchmaking.signals.called_off`)."""
    now, told = timezone.now(), [person.pk for person in people]
    for user_id in told:
        notice = Notice(user_id=user_id, match=match, by=by, kind=Kind.PLANNED, part=CALLED_OFF)
        notice.created_at = notice.due_at = now
        _write(notice)
    notices_changed(told)


def on_series_left(match: Match, people: Iterable[Any], by: Any, **_: Any) -> None:
    """Note series that end because somebody leaves (`games.matchmaking.signals.series_left`)."""
    now, told = timezone.now(), [person.pk for person in people]
    for user_id in told:
        notice = Notice(user_id=user_id, match=match, by=by, kind=Kind.SERIES)
        notice.created_at, notice.due_at = now, now + AWAY_AFTER
        _write(notice)
    notices_changed(told)


def _write_warnings(match: Match, seat: Seat) -> None:
    """Note when somebody is to be warned; until then the notice is in the future, and no page shows it."""
    for part, moment in _warnings(match, seat):
        _write(_notice(Kind.DEADLINE, match, seat, moment, moment, part=part))


def _warnings(match: Match, seat: Seat) -> list[tuple[int, datetime]]:
    """Return when each of these percentages of the time for this turn will be left; live clocks warn only on the page.

    Time while the clock is stopped, at night for instance, does not count.
    """
    if match.speed != Speed.DAYS:
        return []
    away = vacations_of(match, [seat], timezone.now())
    moments = ((part, clockwork.moment_with_left(seat, part / 100, away)) for part in PARTS)
    return [(part, moment) for part, moment in moments if moment is not None]


def _notice(  # noqa: PLR0917  # what a notice is about, and when
    kind: Kind, match: Match, seat: Seat, at: datetime, due: datetime, turn: int | None = None, part: int = 0
) -> Notice:
    about = seat.turn if turn is None else turn
    return Notice(user=seat.user, match=match, kind=kind, turn=about, part=part, created_at=at, due_at=due)


def _write(notice: Notice) -> None:
    """Store a notice, unless it has already been told."""
    sql.insert_or(notice, _AGAIN.get(Kind(notice.kind), _ONCE))


def _is_awaited(match: Match, seat: Seat) -> bool:
    """Return whether to tell a person about their turn: not when no other person waits for them, or they have left."""
    return seat.user_id is not None and not seat.has_left and _is_in_company(match)


def _is_in_company(match: Match) -> bool:
    """Return whether several people play. Bots answer at once, and wait for as long as it takes."""
    if not match.has_bots:
        return match.seat_count > 1
    return Seat.objects.filter(match=match, bot=None).count() > 1


def _people(seats: Sequence[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.user_id is not None] if in_company(seats) else []


def _announce(seats: Iterable[Seat]) -> None:
    notices_changed([seat.user_id for seat in seats if seat.user_id is not None])


MOST_TOLD = 200
"""How many people are told of one table: friends first, then those who were here last."""

TABLES_EVERY = timedelta(hours=1)
"""The shortest time between two notices of tables of the same person; later tables take the place of the first."""

_TOLD_OF = (Match.Visibility.PUBLIC, Match.Visibility.FRIENDS)


def on_friend_asked(asker: User, asked: User, **_: Any) -> None:
    """Note a request for friendship (`accounts.signals.friend_asked`)."""
    _write_of_person(Kind.FRIEND_ASKED, asked, asker)


def on_befriended(asker: User, asked: User, **_: Any) -> None:
    """Note that a request was accepted (`accounts.signals.befriended`)."""
    _write_of_person(Kind.BEFRIENDED, asker, asked)


def _write_of_person(kind: Kind, user: User, by: User) -> None:
    """Write a notice of a person, in place of an earlier one. Both people are locked."""
    now = timezone.now()
    Notice.objects.filter(user=user, kind=kind, by=by, match=None).delete()
    Notice.objects.create(user=user, kind=kind, by=by, created_at=now, due_at=now)
    notices_changed([user.pk])


def on_answered(asker: User, asked: User, state: str, **_: Any) -> None:
    """Mark a request as seen that was answered, and forget one that was taken back (`accounts.signals.answered`)."""
    requests = Notice.objects.filter(user=asked, kind=Kind.FRIEND_ASKED, by=asker)
    if state == Friendship.State.OVER:
        requests.delete()
    else:
        requests.filter(seen_at=None).update(seen_at=timezone.now())
    notices_changed([asked.pk])


def on_blocked(by: User, other: User, **_: Any) -> None:
    """Forget what somebody was told of a person they block (`accounts.signals.blocked`).

    To the other it looks as if a request had been taken back: what else they have been told stays, and is told to
    nobody any more who has not been (`standing`).
    """
    told = Q(user=by, by=other, kind__in=(*OF_PEOPLE, Kind.TABLE, Kind.CHAT))
    asked = Q(user=other, by=by, kind=Kind.FRIEND_ASKED)
    Notice.objects.filter(told | asked).delete()
    notices_changed([by.pk, other.pk])


def on_offered(match: Match, host: User, **_: Any) -> None:
    """Note that somebody opens or plans a table (`games.matchmaking.signals.offered`), unless few may know of it."""
    if match.visibility not in _TOLD_OF or match.previous_id is not None:
        return
    invited = set(match.invitations.values_list("user", flat=True))
    readers = list(islice((key for key in _readers(match, host) if key not in invited), MOST_TOLD))
    now = timezone.now()
    lately = Notice.objects.filter(kind=Kind.TABLE, by=host, user__in=readers, created_at__gt=now - TABLES_EVERY)
    told = set(lately.values_list("user", flat=True))
    lately.update(match=match)
    about = {"match": match, "kind": Kind.TABLE, "by": host, "created_at": now, "due_at": now}
    Notice.objects.bulk_create(Notice(user_id=key, **about) for key in readers if key not in told)
    notices_changed(key for key in readers if key not in told)


def _readers(match: Match, host: User) -> Iterable[int]:
    """Return whom to tell of a table, each once."""
    close = relations.friends_of(host)
    if match.visibility == Match.Visibility.FRIENDS:
        return _lately_here(close)
    return dict.fromkeys(chain(_lately_here(close), _lately_here(relations.followers_of(host))))


def _lately_here(people: QuerySet[User]) -> Iterable[int]:
    return people.order_by(F("sighting__at").desc(nulls_last=True), "pk").values_list("pk", flat=True)[:MOST_TOLD]


def notify_reporters(user_ids: Iterable[int]) -> None:
    """Tell people that a report of theirs has been decided."""
    _write_of_moderators(Kind.REPORT, set(user_ids))


def notify_person(user_id: int) -> None:
    """Tell somebody that moderators have decided something about them."""
    _write_of_moderators(Kind.MODERATION, {user_id})


def notify_players(match: Match, user_ids: Iterable[int]) -> None:
    """Tell the players of a match that moderators have decided it; a later notice takes the place of an earlier."""
    Notice.objects.filter(kind=Kind.MODERATION, match=match).delete()
    _write_of_moderators(Kind.MODERATION, set(user_ids), match)


def _write_of_moderators(kind: Kind, user_ids: set[int], match: Match | None = None) -> None:
    now = timezone.now()
    about = {"kind": kind, "match": match, "created_at": now, "due_at": now}
    Notice.objects.bulk_create(Notice(user_id=key, **about) for key in sorted(user_ids))
    notices_changed(user_ids)


def on_people_seen(heard: Reports, **_: Any) -> None:
    """Note who was looking at which match (`games.play.signals.people_seen`); one statement for everybody."""
    looked = Presence.objects.filter(
        user=OuterRef("user"), match=OuterRef("match"), at__gte=OuterRef("created_at")
    ).filter(at__gte=min(heard.values()))
    people = {user for user, _match in heard}
    Notice.objects.filter(Exists(looked), user__in=people, seen_at=None).update(seen_at=timezone.now())


def notices_of(user: Any) -> QuerySet[Notice]:
    """Return what the page shows a person, the newest first: not what is muted, unwanted there, or still to come."""
    preferences = Preferences.of(user)
    wanted = [kind for kind in Kind if preferences.wants(kind, Channel.PAGE)]
    return shown_notices(timezone.now()).filter(user=user, kind__in=wanted).select_related("match", "user", "by")


def mark_all_seen(user: Any, until: datetime) -> None:
    """Mark as seen what the page has shown a person up to a moment; later notices stay unseen."""
    with writing():
        if notices_of(user).filter(seen_at=None, created_at__lte=until).update(seen_at=timezone.now()):
            notices_changed([user.pk])


def shown_notices(now: datetime) -> QuerySet[Notice]:
    """Return the notices whose moment has come (warnings are written ahead).

    Left out are those about muted matches, about tables of friends that are not open any more, about people who have
    gone, and about messages, of which pages show the number themselves.
    """
    muted = Mute.objects.filter(user=OuterRef("user"), match=OuterRef("match"))
    past = Q(kind=Kind.TABLE) & ~Q(match__status__in=(Match.Status.PLANNED, Match.Status.OPEN))
    gone = Q(kind__in=OF_PEOPLE, by=None)
    found = Notice.objects.filter(~Exists(muted), ~past, ~gone, created_at__lte=now)
    return found.exclude(kind=Kind.CHAT)


def notices_changed(user_ids: Iterable[int | None]) -> None:
    """Announce to people, once committed, that they have new notices or have seen some."""
    pubsub.to_people(user_ids, "notices.changed")
