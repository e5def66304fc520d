"""How an event goes on: heats are drawn, begun, and over, until the event is.

`go_on` is all of it, one event at a time and under its lock. What is drawn, begun and stored is one transaction: a
process that dies leaves nothing half done, and two workers begin no heat twice. What happens in matches is only noted
(`keep_result`); the job goes on from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import F, Q
from django.utils import timezone, translation

from accounts.relations import blocked_pairs, lock_people
from games.clubs.membership import put_in_club
from games.engine.protocol import RuleViolation
from games.events import formats, notices
from games.events.formats import proof
from games.events.formats.league import current
from games.events.formats.robin import longest
from games.events.models import Entry, Event, Heat
from games.events.signals import event_changed, round_drawn
from games.events.words import name_of
from games.matchmaking.seats import begin_now, check_may_still_play, seat_bot
from games.play import jobs
from games.play.commands import prepare_match
from games.play.models import AbortReason, Level, Match, Seat
from games.play.store import writing

FILLING = Level.COMPANION
"""Plays where somebody is missing, unrated."""

_IN_ROUNDS = {formats.Format.SWISS, formats.Format.ROBIN, formats.Format.KNOCKOUT}
"""Formats that begin with fewer than a heat needs for nobody's good: such an event is cancelled."""

_WAITING = {formats.Format.LEAGUE, formats.Format.ROBIN}
"""Formats that draw everything at the start, so that a heat can wait for somebody."""


# --- an event as its format sees it -----------------------------------------------------------------------------------


def plan_of(event: Event, entries: Collection[Entry]) -> formats.Plan:
    """Return the plan of an event; who have blocked each other are kept apart."""
    number = {entry.user_id: entry.number for entry in entries if entry.user_id is not None}
    return formats.Plan(
        event.played_format,
        event.starts_at,
        event.want,
        event.least,
        event.rounds,
        event.ends_at,
        event.lives,
        frozenset(frozenset((number[one], number[other])) for one, other in blocked_pairs(number)),
    )


def players_of(entries: Collection[Entry]) -> list[formats.Player]:
    """Return those who ever entered."""
    return [
        formats.Player(
            entry.number,
            entry.number,
            entry.rating,
            formats.State(entry.state),
            entry.joined_round,
            entry.division,
            entry.at_a_time,
        )
        for entry in entries
    ]


def heats_of(event: Event) -> list[formats.Heat]:
    """Return all heats that were ever drawn."""
    return [as_drawn(heat) for heat in event.heats.all()]


def as_drawn(heat: Heat) -> formats.Heat:
    """Return a heat as formats see it."""
    places = None if heat.places is None else tuple(heat.places)
    return formats.Heat(heat.round, heat.number, tuple(heat.people), heat.drawn_at, heat.begun_at, heat.over_at, places)


def proof_of(event: Event) -> proof.Proof:
    """Return the file from which anybody draws an event again; it holds the seed only once the event is over."""
    entries = list(event.entries.select_related("user"))
    with translation.override("en"):  # one file for everybody
        name = name_of(event)
    return proof.proof_of(
        name,
        plan_of(event, entries),
        players=players_of(entries),
        heats=heats_of(event),
        draws=[
            proof.Drawn(drawn["round"], datetime.fromisoformat(drawn["at"]), drawn["in"], drawn["out"])
            for drawn in event.drawn
        ],
        names={entry.number: entry.name for entry in entries},
        nonces={entry.number: bytes(entry.nonce) for entry in entries},
        server_seed=bytes(event.server_seed),
        is_over=event.state == Event.State.OVER,
    )


# --- going on ---------------------------------------------------------------------------------------------------------


def due(now: datetime) -> Any:
    """Return the events for which the time has come for something, or in which a heat is over."""
    new = Heat.objects.filter(over_at__isnull=False, counted=False).values("event")
    going_on = Event.objects.exclude(state__in=[Event.State.OVER, Event.State.CANCELLED])
    return going_on.filter(Q(next_at__lte=now) | Q(state=Event.State.RUNNING, pk__in=new))


def go_on(key: int) -> bool:
    """Start, draw, begin and end what is due in an event; return whether there was anything to do."""
    now = timezone.now()
    with writing():
        # Not its key: what refers to it is written by those who have locked its players already.
        event = Event.objects.select_for_update(no_key=True).defer("drawn").filter(pk=key).first()
        if event is None or not due(now).filter(pk=key).exists():
            return False  # its club has been closed, or another worker was quicker
        _lock_players(event)
        _count_results(event)
        if event.is_open and event.starts_at <= now:
            _start(event)
        elif event.is_open:
            event.next_at = event.starts_at
        if event.is_running:
            _play_on(event, now)
        if event.has_ended:
            _count_results(event)  # some may have come since
        event.save(update_fields=["state", "next_at", "played_as", "ends_at"])
        event_changed(event)
    return True


def _lock_players(event: Event) -> None:
    """Lock the people of a locked event, then their entries, before its heats: in the order of `keep_result`."""
    lock_people(event.entries.values_list("user", flat=True))
    list(event.entries.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _count_results(event: Event) -> None:
    """Note that the results there are by now need no further look."""
    event.heats.filter(over_at__isnull=False, counted=False).update(counted=True)


def _start(event: Event) -> None:
    """Start an event, or cancel it if too few are there; who entered early and has not confirmed is paused."""
    early = event.unconfirmed()
    unconfirmed = list(early.exclude(user=None).values_list("user", flat=True))
    early.update(state=Entry.State.PAUSED)
    entries = list(event.entries.select_related("user", "filler"))
    _give_earned_divisions(event, entries)
    plan, players = plan_of(event, entries), players_of(entries)
    there = sum(entry.is_in for entry in entries)
    if plan.format in _IN_ROUNDS and there < plan.least:
        _call_off(event, entries)
        return
    notices.tell_paused(event, unconfirmed, notices.Why.UNCONFIRMED)
    event.state = Event.State.RUNNING
    if plan.format is formats.Format.ROBIN and event.ends_at is None and event.round_length is not None:
        event.ends_at = event.starts_at + longest(there, event.want, event.round_length)
    if (begins := formats.begins_as(plan, players)) != plan.format:
        event.played_as = begins.value
    elif plan.format is formats.Format.LEAGUE:
        division = formats.divisions(plan, players)
        for entry in entries:
            entry.division = division.get(entry.number)  # none for who is not there: what they take later decides
        Entry.objects.bulk_update(entries, ["division"])


def _call_off(event: Event, entries: Collection[Entry]) -> None:
    """Cancel an event for which too few are there; whoever came to the site's own plays a bot instead."""
    event.state, event.next_at = Event.State.CANCELLED, None
    notices.tell_over(event, ())
    if event.is_evening:
        for entry in _alone(entries, ()):
            _fill(event, entry)


def _give_earned_divisions(event: Event, entries: Collection[Entry]) -> None:
    """Give the players of a league the divisions they have earned, as the last season stands now."""
    last = event.before
    if last is None or last.played_format is not formats.Format.LEAGUE:
        return
    former = list(last.entries.all())
    earned = formats.next_divisions(formats.standings(plan_of(last, former), players_of(former), heats_of(last)))
    division = {it.user_id: earned[it.number] for it in former if it.user_id and it.number in earned}
    for entry in entries:
        if entry.user_id in division:
            entry.division = division[entry.user_id]


def _play_on(event: Event, now: datetime) -> None:
    entries = list(event.entries.select_related("user", "filler"))
    _pause_suspended(entries)
    known = {entry.number: entry for entry in entries}
    plan, players = plan_of(event, entries), players_of(entries)
    heats = heats_of(event)
    nonces = {entry.number: bytes(entry.nonce) for entry in entries}
    chance = formats.chance(bytes(event.server_seed), players, nonces, formats.next_round(heats))
    if drawn := formats.pair(plan, players, heats, now, chance):
        event.drawn.append(_round_of(drawn, players, now))
        event.save(update_fields=["drawn"])
        _store(event, drawn)
        _announce(event, drawn, known)
        heats += drawn
    forfeited = formats.forfeits(plan, players, heats, now)
    for heat in forfeited:  # counted next time, when what follows from them is drawn
        _heat(event, heat).update(over_at=now, places=list(heat.places or ()))
    heats = _replaced(heats, forfeited)
    begin = formats.due(plan, players, heats, now)
    is_time = event.next_at is not None and event.next_at <= now and formats.is_open(plan, now)
    alone = _left_over(entries, plan, drawn, heats, is_time=is_time)
    if plan.format is formats.Format.LEAGUE and drawn:
        _keep_divisions(plan, entries, players, heats)
    heats = _replaced(heats, [_begun(event, heat, known, now) for heat in begin])
    for entry in alone:
        _fill(event, entry)
    players = players_of(entries)
    rows = _rank(known, plan, players, heats)
    if formats.is_over(plan, players, heats, now):
        event.state, event.next_at = Event.State.OVER if heats else Event.State.CANCELLED, None
        event.heats.filter(over_at=None).update(over_at=now, counted=True)  # what was never begun
        notices.tell_over(event, rows)
    else:
        event.next_at = formats.next_at(plan, players, heats, now)


def _rank(
    entries: Mapping[int, Entry], plan: formats.Plan, players: Sequence[formats.Player], heats: Sequence[formats.Heat]
) -> Sequence[formats.Row]:
    """Keep where everybody stands, for what tells it in a line (`games.events.lines`), and return the standings."""
    counted = current(heats) if plan.format is formats.Format.LEAGUE else heats
    rows = formats.standings(plan, players, heats)
    place = {row.person: row.place for row in rows}
    drawn = Counter(person for heat in counted for person in heat.people)
    over = Counter(person for heat in counted if heat.is_over for person in heat.people)
    changed = []
    for number, entry in entries.items():
        stands = place.get(number), drawn[number], over[number]
        if stands != (entry.place, entry.drawn, entry.over):
            entry.place, entry.drawn, entry.over = stands
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["place", "drawn", "over"])
    return rows


def _pause_suspended(entries: Collection[Entry]) -> None:
    for entry in entries:
        if entry.is_in and entry.user is not None and entry.user.held and not _may_still_play(entry):
            _pause(entry)


def _pause(entry: Entry) -> None:
    entry.state = Entry.State.PAUSED
    Entry.objects.filter(pk=entry.pk, state=Entry.State.IN).update(state=Entry.State.PAUSED)


def _replaced(heats: Sequence[formats.Heat], anew: Sequence[formats.Heat]) -> list[formats.Heat]:
    """Return heats with some of them as they are now."""
    changed = {(heat.round, heat.number): heat for heat in anew}
    return [changed.get((heat.round, heat.number), heat) for heat in heats]


def _keep_divisions(
    plan: formats.Plan, entries: Sequence[Entry], players: Sequence[formats.Player], heats: Sequence[formats.Heat]
) -> None:
    """Keep the division of those who have taken a place in one."""
    division = formats.divisions(plan, players, heats)
    new = [entry for entry in entries if entry.division is None and entry.number in division]
    for entry in new:
        entry.division = division[entry.number]
    Entry.objects.bulk_update(new, ["division"])


def _round_of(drawn: Sequence[formats.Heat], players: Collection[formats.Player], now: datetime) -> dict[str, Any]:
    """Return what a proof needs to know of a round (`Event.drawn`)."""
    return {
        "round": min(heat.round for heat in drawn),
        "at": now.isoformat(),
        "in": [player.person for player in players if player.state is formats.State.IN],
        "out": [player.person for player in players if player.state is formats.State.OUT],
    }


def _store(event: Event, drawn: Sequence[formats.Heat]) -> None:
    Heat.objects.bulk_create(
        Heat(
            event=event,
            round=heat.round,
            number=heat.number,
            people=list(heat.people),
            places=None if heat.places is None else list(heat.places),
            drawn_at=heat.drawn_at,
            over_at=heat.over_at,
            counted=heat.is_over,
        )
        for heat in drawn
    )


def _announce(event: Event, drawn: Sequence[formats.Heat], entries: Mapping[int, Entry]) -> None:
    number = min(heat.round for heat in drawn)
    groups = [[entries[person].user for person in heat.people] for heat in drawn if heat.round == number]
    round_drawn.send(Event, event=event, number=number, groups=groups)


def _heat(event: Event, heat: formats.Heat) -> Any:
    return Heat.objects.filter(event=event, round=heat.round, number=heat.number)


# --- matches ----------------------------------------------------------------------------------------------------------


def _begun(event: Event, heat: formats.Heat, entries: Mapping[int, Entry], now: datetime) -> formats.Heat:
    """Begin the match of a heat, whose people are locked, and return the heat as it is then.

    Whoever may not play any more is paused. In a league and a robin the heat waits for them; elsewhere it ends without
    a match, as nothing new would be drawn meanwhile, and they are behind the others.
    """
    people = [entries[person] for person in heat.people]
    there = [entry for entry in people if entry.user is not None and not entry.is_out]
    if blocked_pairs(entry.user_id for entry in there if entry.user_id is not None):
        return _ended(event, heat, now, None)  # blocked since it was drawn: they never meet, and nobody is told why
    for entry in there:
        if entry.is_in and not _may_still_play(entry):
            _pause(entry)
    can = [entry for entry in there if entry.is_in]
    if len(can) == len(there):
        match = _prepared(event, len(people), rated=event.rated, has_bots=len(there) < len(people))
        _heat(event, heat).update(match=match, begun_at=now)
        _seat(match, [entry.user if entry in there else None for entry in people])
        return replace(heat, begun_at=now)
    if event.played_format in _WAITING:
        return heat
    return _ended(event, heat, now, tuple(1 if entry in can else len(can) + 1 for entry in people) if can else None)


def _ended(event: Event, heat: formats.Heat, now: datetime, places: tuple[int, ...] | None) -> formats.Heat:
    """End a heat without a match; it is counted next time, when what follows from it is drawn."""
    _heat(event, heat).update(over_at=now, places=None if places is None else list(places))
    return replace(heat, over_at=now, places=places)


def _may_still_play(entry: Entry) -> bool:
    try:
        check_may_still_play(entry.user)
    except RuleViolation:
        return False
    return True


def _left_over(
    entries: Collection[Entry],
    plan: formats.Plan,
    drawn: Collection[formats.Heat],
    heats: Collection[formats.Heat],
    *,
    is_time: bool,
) -> list[Entry]:
    """Return those for whom a bot sits down: on a ladder at night who is alone, in a Swiss who has just had a bye."""
    if plan.format is formats.Format.SWISS:
        byes = {heat.people[0] for heat in drawn if heat.is_bye}
        return [entry for entry in _alone(entries, heats) if entry.number in byes]
    return _alone(entries, heats) if plan.format is formats.Format.LADDER and is_time else []


def _alone(entries: Collection[Entry], heats: Collection[formats.Heat]) -> list[Entry]:
    """Return those whom nobody is free to meet, and who play no bot yet."""
    busy = {person for heat in heats if not heat.is_over for person in heat.people}
    return [
        entry
        for entry in entries
        if entry.user is not None
        and entry.is_in
        and entry.number not in busy
        and not (entry.filler is not None and entry.filler.is_running)
    ]


def _fill(event: Event, entry: Entry) -> None:
    """Give somebody, who is locked, a match against bots, which counts for nothing."""
    if _may_still_play(entry):
        entry.filler = _prepared(event, event.least, rated=False, has_bots=True)
        entry.save(update_fields=["filler"])
        _seat(entry.filler, [entry.user, *[None] * (event.least - 1)])


def _prepared(event: Event, seats: int, *, rated: bool, has_bots: bool) -> Match:
    club = event.club if event.club is not None and event.club.private else None
    chosen = event.options
    offered = {it.name for it in event.title.game.options if it.name in chosen and it.offers(chosen[it.name], seats)}
    match = prepare_match(
        event.game,
        {name: value for name, value in chosen.items() if name in offered},
        seats,
        speed=event.speed,
        clock=event.clock,
        excludes_vacations=True,
        rated=rated and not has_bots,
        has_bots=has_bots,
        visibility=Match.Visibility.CLUB if club else Match.Visibility.PUBLIC,
        seat_order=Match.SeatOrder.AS_SAT,
    )
    match.save()
    put_in_club(match, club)
    return match


def _seat(match: Match, people: Sequence[Any]) -> None:
    """Seat people in this order, a bot for each None, and begin."""
    seats: list[Seat] = []
    for user in people:
        if user is None:
            seat_bot(match, seats, FILLING)
        else:
            seats.append(Seat.objects.create(match=match, number=len(seats), user=user))
    begin_now(match, seats)


def may_be_of_event(match: Match) -> bool:
    """Return, without a query, whether an event may have begun a match: such a match has no host and no vacations."""
    return match.excludes_vacations and match.host_id is None


def keep_result(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Keep how the match of a heat ended (`match_over`, `match_aborted`, `match_ruled`).

    Only the heat and the entries of those who did not come are written, as in `_lock_players` the people first; the
    event is locked before people are, and they may be locked already.
    """
    if not may_be_of_event(match):
        return
    heat = Heat.objects.filter(match=match).select_related("event").first()
    if heat is None:
        _leave_alone(match, seats)
        return
    if heat.over_at is None:
        for seat in seats:
            if seat.no_show:
                _record_no_show(heat, heat.people[seat.number])
    heat.over_at, heat.counted = heat.over_at or timezone.now(), False
    heat.places = _places(match, seats)
    heat.save(update_fields=["over_at", "counted", "places"])
    jobs.wake_for(timezone.now())


def _places(match: Match, seats: Sequence[Seat]) -> list[int] | None:
    """Return the places of seats, of bots behind all people, and of who did not come behind whoever did.

    None if the match does not count.
    """
    if match.is_over:
        order = [(seat.is_bot, seat.place or len(seats)) for seat in seats]
        return [1 + sum(other < own for other in order) for own in order]
    if match.reason != AbortReason.NO_SHOW:
        return None
    there = sum(not seat.no_show for seat in seats)
    return [there + 1 if seat.no_show else 1 for seat in seats] if there else None


def _record_no_show(heat: Heat, number: int) -> None:
    """Pause the entry of somebody who did not come to a heat, and end it the second time.

    Heats that began before they were paused for one belong to the same absence.
    """
    now, theirs = timezone.now(), Entry.objects.filter(event=heat.event_id, number=number)
    lock_people(theirs.values_list("user", flat=True))
    if not theirs.filter(confirmed_at__lte=heat.begun_at).update(no_shows=F("no_shows") + 1, confirmed_at=now):
        return
    entry = theirs.get()
    ends = entry.no_shows > 1
    if entry.is_out or (entry.is_paused and not ends):
        return
    theirs.update(**{"state": Entry.State.OUT, "barred_at": now} if ends else {"state": Entry.State.PAUSED})
    if entry.user_id is not None:
        notices.tell_paused(heat.event, [entry.user_id], notices.Why.BARRED if ends else notices.Why.ABSENT)


def _leave_alone(match: Match, seats: Sequence[Seat]) -> None:
    """Pause the entry of somebody who does not even come to a match against a bot."""
    missed = match.reason == AbortReason.NO_SHOW or any(seat.timed_out and not seat.is_bot for seat in seats)
    if not match.has_bots or not missed:
        return
    entry = Entry.objects.filter(filler=match, state=Entry.State.IN).select_related("event").first()
    if entry is not None and entry.user_id is not None:
        Entry.objects.filter(pk=entry.pk, state=Entry.State.IN).update(state=Entry.State.PAUSED)
        notices.tell_paused(entry.event, [entry.user_id], notices.Why.ABSENT)
