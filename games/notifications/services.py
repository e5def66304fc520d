"""Writes notices, each in the transaction of the event it tells about: both are stored, or neither."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import relations
from accounts.models import Friendship, User
from games.notifications.models import OF_CLUBS, OF_EVENTS, OF_PEOPLE, Channel, Kind, Mute, Notice, Preferences
from games.play import sql
from games.play.live import pubsub
from games.play.live.presence import Reports
from games.play.models import AbortReason, Action, Match, Presence, Seat, Speed, in_company
from games.play.reducer import clockwork
from games.play.store import vacations_of, writing

AT_ONCE = timedelta()

AWAY_AFTER = timedelta(seconds=20)
"""How long people have to look at the match themselves before they are told elsewhere."""

SETTLING = timedelta(seconds=10)
"""How long the page of the person who starts a match has to show it."""

PARTS = (20, 5)
"""Percentages of the time for a turn at which people are warned in matches over days."""

MOST_INVITATIONS = 3
"""Notices of invitations by one person to another within `INVITATIONS_WITHIN`: the last of them tells of the rest."""

INVITATIONS_WITHIN = timedelta(hours=1)

LAST_STEP = {Kind.TURN: 2, Kind.DEADLINE: 1}
"""The number of steps (`planning.STEPS`) after which everything about a turn has been told."""

RESULT_PUSHED, RESULT_MAILED = 1, 2
"""Steps of the notice of a result: it has been pushed; an email about something else has named it, too."""

LAST_MISSING = 1
"""`Notice.part` of a turn, for the last player who has not decided."""

BEFORE_OPENING = (24 * 60, 10)
"""How many minutes before a planned table opens people are reminded of it."""

CALLED_OFF = 0
"""`Notice.part` of a planned table that does not open."""

MOST_READERS = 200
"""How many people are told of one table: friends first, then those who were here last."""

TABLES_EVERY = timedelta(hours=1)
"""The shortest time between two notices of tables of the same person, or club; later tables replace the first."""

_AGAIN = {
    kind: "(user_id, match_id, kind, turn, part) DO UPDATE SET created_at = excluded.created_at, "
    f"due_at = excluded.due_at, seen_at = NULL WHERE notifications_notice.step < {steps}"
    for kind, steps in LAST_STEP.items()
}
"""When a turn is taken back and played again its notice is due again, unless everything has been told."""

_ONCE = "(user_id, match_id, kind, turn, part) DO NOTHING"


# --- of matches -------------------------------------------------------------------------------------------------------


def on_turns_began(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Write notices of turns. Pages need no hint: they are told that more matches wait."""
    now = timezone.now()
    for seat in seats:
        if _is_awaited(match, seat):
            _write(Kind.TURN, seat.user_id, match, now, due=now + AWAY_AFTER, turn=seat.turn)
            for part, moment in _warnings(match, seat):  # until then no page shows it
                _write(Kind.DEADLINE, seat.user_id, match, moment, turn=seat.turn, part=part)


def on_action_committed(match: Match, seats: Sequence[Seat], action: Action, **_: Any) -> None:
    """After a secret action, tell the last player who has not decided that everybody else has.

    Not if the round has just begun, or the notice that it has is still to be sent.
    """
    missing = [seat for seat in seats if seat.to_move]
    has_just_begun = match.turn_version == match.version
    if not action.seal or has_just_begun or len(missing) != 1 or not _is_awaited(match, missing[0]):
        return
    last = missing[0]
    rounds = Notice.objects.filter(match=match, user=last.user_id, kind=Kind.TURN, turn=last.turn, part=0)
    if not rounds.filter(step=0).exists():
        _tell(Kind.TURN, [last.user_id], match, after=AWAY_AFTER, turn=last.turn, part=LAST_MISSING)


def on_deadlines_moved(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Move the warnings that have not been sent."""
    for seat in seats:
        mine = Notice.objects.filter(match=match, user=seat.user_id, kind=Kind.DEADLINE, turn=seat.turn, step=0)
        for part, moment in _warnings(match, seat):
            mine.filter(part=part).update(created_at=moment, due_at=moment)


def on_match_started(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Write notices of the start, due later for the person who starts the match, as their page shows it."""
    latest = max(seat.pk for seat in seats)
    for seat in _people(seats):
        starts_it = seat.pk == latest or seat.user_id == match.host_id
        _tell(Kind.STARTED, [seat.user_id], match, after=SETTLING if starts_it else AT_ONCE)


def on_match_over(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Write notices of the end."""
    _tell(Kind.OVER, [seat.user_id for seat in _people(seats)], match, after=AWAY_AFTER)


def on_match_aborted(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Write notices of the end, except to a player who aborted it alone."""
    alone = match.reason == AbortReason.CALLED_OFF
    others = [seat.user_id for seat in _people(seats) if not (alone and seat.no_show)]
    _tell(Kind.OVER, others, match, after=AWAY_AFTER)


def on_vacation_began(match: Match, seats: Sequence[Seat], away: Seat, **_: Any) -> None:
    """Tell the others that they wait for a player on vacation."""
    waiting = [seat.user_id for seat in _people(seats) if seat.number != away.number and not seat.has_left]
    _tell(Kind.AWAY, waiting, match, after=AWAY_AFTER, turn=away.turn, part=away.number)


def on_abort_declined(match: Match, by: Seat, offering: Sequence[Seat], **_: Any) -> None:
    """Tell those who offered to abort a match that somebody declined."""
    people = [seat.user_id for seat in offering if seat.user_id is not None]
    _tell(Kind.DECLINED, people, match, after=AWAY_AFTER, by_id=by.user_id, turn=match.length)


def _warnings(match: Match, seat: Seat) -> list[tuple[int, datetime]]:
    """Return each percentage of `PARTS` with the moment when it will be left; none for live matches.

    While the clock is stopped, for instance at night, no time passes.
    """
    if match.speed != Speed.DAYS:
        return []
    away = vacations_of(match, [seat], timezone.now())
    moments = ((part, clockwork.moment_with_left(seat, part / 100, away)) for part in PARTS)
    return [(part, moment) for part, moment in moments if moment is not None]


def _is_awaited(match: Match, seat: Seat) -> bool:
    """Return whether another person waits for this turn. Bots can wait."""
    if seat.user_id is None or seat.has_left:
        return False
    if not match.has_bots:
        return match.seat_count > 1
    return Seat.objects.filter(match=match, bot=None).count() > 1


def _people(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats of people, if there are several people."""
    return [seat for seat in seats if seat.user_id is not None] if in_company(seats) else []


def _tell(kind: Kind, user_ids: Collection[Any], match: Match, *, after: timedelta = AT_ONCE, **fields: Any) -> None:
    """Store the same notice of a match for several people, due after a while, and announce it."""
    now = timezone.now()
    for user_id in user_ids:
        _write(kind, user_id, match, now, due=now + after, **fields)
    notices_changed(user_ids)


def _write(kind: Kind, user_id: Any, match: Match, at: datetime, *, due: datetime | None = None, **fields: Any) -> None:
    """Store a notice, due at `due` or else at once, unless it has already been told."""
    notice = Notice(user_id=user_id, match=match, kind=kind, created_at=at, due_at=due or at, **fields)
    sql.insert_or(notice, _AGAIN.get(kind, _ONCE))


# --- of tables --------------------------------------------------------------------------------------------------------


def on_invited(match: Match, people: Iterable[Any], by: Any = None, **_: Any) -> None:
    """Write notices of invitations.

    After too many invitations by one person, the latest of their notices leads to this table instead, so that nobody
    can flood others with notices by opening table after table.
    """
    now = timezone.now()
    invited = [person.pk for person in people]
    for user_id in invited:
        theirs = Notice.objects.filter(user=user_id, kind=Kind.INVITATION)
        recent = theirs.filter(by=by, created_at__gt=now - INVITATIONS_WITHIN).order_by("-created_at", "-pk")
        keys = list(recent.values_list("pk", flat=True)[:MOST_INVITATIONS]) if by is not None else []
        if len(keys) < MOST_INVITATIONS:
            _write(Kind.INVITATION, user_id, match, now, by=by)
        elif not theirs.filter(match=match).exists():
            Notice.objects.filter(pk=keys[0]).update(match=match)
    notices_changed(invited)


def on_promised(match: Match, user: Any, **_: Any) -> None:
    """Write the reminders of a planned table ahead, for somebody who comes to it."""
    now = timezone.now()
    for minutes in BEFORE_OPENING:
        at = match.opens_at - timedelta(minutes=minutes) if match.opens_at else now
        if at > now:
            _write(Kind.PLANNED, user.pk, match, at, part=minutes)


def on_promise_ended(match: Match, people: Iterable[Any], **_: Any) -> None:
    """Delete the reminders that are still to come."""
    ahead = Notice.objects.filter(match=match, kind=Kind.PLANNED, user__in=[person.pk for person in people])
    ahead.filter(created_at__gt=timezone.now()).delete()


def on_called_off(match: Match, people: Iterable[Any], by: Any = None, **_: Any) -> None:
    """Tell people that a planned table does not open."""
    _tell(Kind.PLANNED, [person.pk for person in people], match, by=by, part=CALLED_OFF)


def on_series_left(match: Match, people: Iterable[Any], by: Any, **_: Any) -> None:
    """Tell people that a series ends because somebody has left it."""
    _tell(Kind.SERIES, [person.pk for person in people], match, after=AWAY_AFTER, by=by)


def on_offered(match: Match, host: User, **_: Any) -> None:
    """Tell friends and followers that somebody opens or plans a table; only friends if it is for them."""
    is_for_friends = match.visibility == Match.Visibility.FRIENDS
    if not (is_for_friends or match.visibility == Match.Visibility.PUBLIC) or match.previous_id is not None:
        return
    readers = dict.fromkeys(_lately_here(relations.friends_of(host)))
    if not is_for_friends:
        readers |= dict.fromkeys(_lately_here(relations.followers_of(host)))
    invited = set(match.invitations.values_list("user", flat=True))
    chosen = [key for key in readers if key not in invited][:MOST_READERS]
    _lead_to_newest(Kind.TABLE, chosen, {"by": host}, match=match, by=host)


def _lately_here(people: QuerySet[User]) -> Iterable[int]:
    return people.order_by(F("sighting__at").desc(nulls_last=True), "pk").values_list("pk", flat=True)[:MOST_READERS]


def _lead_to_newest(kind: Kind, chosen: Collection[int], same: Mapping[str, Any], **about: Any) -> None:
    """Tell people of a new table or event; a notice of the `same` within `TABLES_EVERY` leads there instead."""
    now = timezone.now()
    lately = Notice.objects.filter(kind=kind, user__in=chosen, created_at__gt=now - TABLES_EVERY, **same)
    have_one = set(lately.values_list("user", flat=True))
    lately.update(**about)
    _write_all(kind, [key for key in chosen if key not in have_one], now, **about)


def _write_all(kind: Kind, user_ids: Collection[int], now: datetime, **fields: Any) -> None:
    """Store the same notice for several people, and announce it."""
    Notice.objects.bulk_create(Notice(user_id=it, kind=kind, created_at=now, due_at=now, **fields) for it in user_ids)
    notices_changed(user_ids)


def _remove(told: QuerySet[Notice]) -> None:
    """Remove notices, and announce it."""
    readers = list(told.values_list("user", flat=True))
    told.delete()
    notices_changed(readers)


# --- of people --------------------------------------------------------------------------------------------------------


def on_friend_asked(asker: User, asked: User, **_: Any) -> None:
    """Write a notice of a friend request. Both people are locked."""
    _write_anew(Kind.FRIEND_ASKED, asked, asker)


def on_befriended(asker: User, asked: User, **_: Any) -> None:
    """Write a notice that a friend request was accepted. Both people are locked."""
    _write_anew(Kind.BEFRIENDED, asker, asked)


def _write_anew(kind: Kind, user: User, by: User) -> None:
    Notice.objects.filter(user=user, kind=kind, by=by, match=None).delete()
    _write_all(kind, [user.pk], timezone.now(), by=by)


def on_answered(asker: User, asked: User, state: str, **_: Any) -> None:
    """Mark a friend request that was answered as seen, and remove one that was taken back."""
    requests = Notice.objects.filter(user=asked, kind=Kind.FRIEND_ASKED, by=asker)
    if state == Friendship.State.OVER:
        requests.delete()
    else:
        requests.filter(seen_at=None).update(seen_at=timezone.now())
    notices_changed([asked.pk])


def on_blocked(by: User, other: User, **_: Any) -> None:
    """Remove what somebody was told of a person they block.

    To the other it looks as if a friend request had been taken back. Their other notices stay; those still to be sent
    are dropped as no longer valid.
    """
    of_other = Q(user=by, by=other, kind__in=(*OF_PEOPLE, Kind.TABLE, Kind.CLUB_TABLE, Kind.CHAT))
    request = Q(user=other, by=by, kind=Kind.FRIEND_ASKED)
    Notice.objects.filter(of_other | request).delete()
    notices_changed([by.pk, other.pk])


# --- of events --------------------------------------------------------------------------------------------------------


def notify_of_event(kind: Kind, user_ids: Iterable[int], event: str, **details: Any) -> None:
    """Tell people something about an event, in place of what they were told of the same kind.

    Args:
        kind: one of `OF_EVENTS`.
        user_ids: who.
        event: its slug.
        details: its `game`, and what else the words need.
    """
    people = sorted(set(user_ids))
    Notice.objects.filter(user__in=people, kind=kind, details__event=event).delete()
    _write_all(kind, people, timezone.now(), details={"event": event, **details})


def told_of_event(kind: Kind, event: str) -> QuerySet[Any]:
    """Return the keys of those who were told this about an event."""
    return Notice.objects.filter(kind=kind, details__event=event).values("user")


def settle_of_event(user: User, event: str) -> None:
    """Mark what asked somebody whether they play an event as seen: they have answered."""
    asked = Notice.objects.filter(user=user, kind__in=(Kind.CONFIRM, Kind.PAUSED), details__event=event)
    if asked.filter(seen_at=None).update(seen_at=timezone.now()):
        notices_changed([user.pk])


def forget_events(events: Collection[str], keep: Collection[int]) -> None:
    """Remove what people were told of events of which nobody may know any more but those to `keep`."""
    told = Notice.objects.filter(kind__in=OF_EVENTS, details__event__in=list(events)).exclude(user__in=keep)
    _remove(told)


# --- of clubs ---------------------------------------------------------------------------------------------------------


def notify_of_club(user_ids: Iterable[int], club: str, what: str, **more: str) -> None:
    """Tell people what has happened in a club, in place of an earlier notice of the same.

    Args:
        user_ids: who.
        club: its slug.
        what: as `games.clubs.notices` says.
        more: what else its words need.
    """
    people = sorted(set(user_ids))
    _of_club(club, what).filter(user__in=people).delete()
    _write_all(Kind.CLUB, people, timezone.now(), details={"club": club, "what": what, **more})


def notify_of_offer(
    people: QuerySet[User], club: str, match: Match | None = None, by: Any = None, **event: str
) -> None:
    """Tell people of a new table or event of a club; within `TABLES_EVERY` one notice leads to the newest.

    Args:
        people: who; of many, those who were here last.
        club: its slug.
        match: the table.
        by: whose table it is.
        event: the slug of the `event`, if it is one.
    """
    about = {"match": match, "by": by, "details": {"club": club, **event}}
    _lead_to_newest(Kind.CLUB_TABLE, list(_lately_here(people)), {"details__club": club}, **about)


def settle_of_club(club: str, what: str) -> None:
    """Mark what people were asked about a club as seen: somebody has answered."""
    asked = _of_club(club, what).filter(seen_at=None)
    readers = list(asked.values_list("user", flat=True))
    if readers:
        asked.update(seen_at=timezone.now())
        notices_changed(readers)


def forget_club(club: str, user_id: int | None = None) -> None:
    """Remove what people were told of a club, as it is none of theirs any more: one of them, or everybody."""
    told = _of_club(club)
    told = told if user_id is None else told.filter(user=user_id)
    _remove(told)


def _of_club(club: str, what: str = "") -> QuerySet[Notice]:
    found = Notice.objects.filter(kind__in=OF_CLUBS, details__club=club)
    return found.filter(details__what=what) if what else found


def withdraw_of_event(kind: Kind, event: str) -> None:
    """Remove what people were told about an event, so that they can be told anew."""
    told = Notice.objects.filter(kind=kind, details__event=event)
    _remove(told)


# --- of moderators ----------------------------------------------------------------------------------------------------


def notify_reporters(user_ids: Iterable[int], case_id: int, verdict: str, answer: str) -> None:
    """Tell people what came of their reports, in place of an earlier answer to the same.

    Args:
        user_ids: who reported.
        case_id: the key of the case that collects their reports.
        verdict: one of its verdicts.
        answer: what moderators wrote; may be empty.
    """
    withdraw_answer(case_id)
    details = {"case": case_id, "verdict": verdict, "answer": answer}
    _write_all(Kind.REPORT, sorted(set(user_ids)), timezone.now(), details=details)


def withdraw_answer(case_id: int) -> None:
    """Remove what reporters were told of a case, for instance as it is open again."""
    told = Notice.objects.filter(kind=Kind.REPORT, details__case=case_id)
    _remove(told)


def notify_person(user_id: int) -> None:
    """Tell somebody that moderators have decided something about them."""
    _write_all(Kind.MODERATION, [user_id], timezone.now())


def notify_players(match: Match, user_ids: Iterable[int]) -> None:
    """Tell the players of a match that moderators have decided it, in place of earlier notices of this kind."""
    Notice.objects.filter(kind=Kind.MODERATION, match=match).delete()
    _write_all(Kind.MODERATION, sorted(set(user_ids)), timezone.now(), match=match)


# --- on the site ------------------------------------------------------------------------------------------------------


def notices_of(user: Any) -> QuerySet[Notice]:
    """Return the notices on the page of a person, the newest first: `shown_notices` of the kinds they want there."""
    preferences = Preferences.of(user)
    wanted = [kind for kind in Kind if preferences.wants(kind, Channel.PAGE)]
    return shown_notices(timezone.now()).filter(user=user, kind__in=wanted)


def shown_notices(now: datetime) -> QuerySet[Notice]:
    """Return the notices that pages show: those whose time has come, as warnings are written ahead.

    Left out are those about muted matches, tables that are no longer open, people who have gone, and messages, which
    pages count separately.
    """
    muted = Mute.objects.filter(user=OuterRef("user"), match=OuterRef("match"))
    tables = Q(kind__in=(Kind.TABLE, Kind.CLUB_TABLE), match__isnull=False)
    past = tables & ~Q(match__status__in=(Match.Status.PLANNED, Match.Status.OPEN))
    gone = Q(kind__in=OF_PEOPLE, by=None)
    found = Notice.objects.filter(~Exists(muted), ~past, ~gone, created_at__lte=now)
    return found.exclude(kind=Kind.CHAT)


def mark_all_seen(user: Any, until: datetime) -> None:
    """Mark as seen the notices that the page showed a person at a moment; later ones stay unseen."""
    with writing():
        if notices_of(user).filter(seen_at=None, created_at__lte=until).update(seen_at=timezone.now()):
            notices_changed([user.pk])


def mute_match(user: User, match: Match, *, muted: bool) -> None:
    """Stop telling a person about a match, or start again. Idempotent."""
    if muted:
        Mute.objects.get_or_create(user=user, match=match)
    else:
        Mute.objects.filter(user=user, match=match).delete()


def on_people_seen(heard: Reports, **_: Any) -> None:
    """Mark the notices about a match as seen by those who looked at it; one statement for everybody."""
    looked = Presence.objects.filter(
        user=OuterRef("user"), match=OuterRef("match"), at__gte=OuterRef("created_at")
    ).filter(at__gte=min(heard.values()))
    people = {user for user, _match in heard}
    Notice.objects.filter(Exists(looked), user__in=people, seen_at=None).update(seen_at=timezone.now())


def notices_changed(user_ids: Iterable[int | None]) -> None:
    """Tell the pages of people, once committed, that their notices have changed."""
    pubsub.to_people(user_ids, "notices.changed")
