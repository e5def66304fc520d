"""How an event goes on: heats are drawn, begun, and over, until the event is.

`go_on` is all of it, one event at a time and under its lock. What is drawn, begun and stored is one transaction: a
process that dies leaves nothing half done, and two workers begin no heat twice. What happens in matches is only noted
(`keep_result`); the job goes on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from accounts.relations import blocked_pairs, lock_people
from games.engine.protocol import RuleViolation
from games.events import formats
from games.events.formats.league import current
from games.events.models import Entry, Event, Heat
from games.matchmaking.seats import begin_now, check_may_still_play, seat_bot
from games.play import jobs
from games.play.commands import prepare_match
from games.play.models import AbortReason, Level, Match, Seat
from games.play.store import writing

FILLING = Level.COMPANION
"""Plays where somebody is missing, unrated."""


# --- an event as its format sees it -----------------------------------------------------------------------------------


def plan_of(event: Event, entries: Collection[Entry]) -> formats.Plan:
    """Return the plan of an event; who have blocked each other are kept apart."""
    number = {entry.user_id: entry.number for entry in entries if entry.user_id is not None}
    return formats.Plan(
        formats.Format(event.played_as or event.format),
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


# --- going on ---------------------------------------------------------------------------------------------------------


def due(now: datetime) -> Any:
    """Return the events for which the time has come for something, or in which a heat is over."""
    new = Q(heats__over_at__isnull=False, heats__counted=False, state=Event.State.RUNNING)
    return Event.objects.filter(Q(next_at__lte=now) | new).distinct()


def go_on(key: int) -> bool:
    """Start, draw, begin and end what is due in an event; return whether there was anything to do."""
    now = timezone.now()
    with writing():
        event = Event.objects.select_for_update().get(pk=key)
        if not due(now).filter(pk=key).exists():
            return False  # another worker was quicker
        event.heats.filter(over_at__isnull=False).update(counted=True)
        if event.is_open and event.starts_at <= now:
            _start(event, now)
        if event.is_running:
            _play_on(event, now)
        event.save()
    return True


def _start(event: Event, now: datetime) -> None:
    """Start an event; who entered early and has not confirmed is paused."""
    event.entries.filter(state=Entry.State.IN, confirmed_at__lt=event.confirm_from).update(state=Entry.State.PAUSED)
    entries = list(event.entries.all())
    plan, players = plan_of(event, entries), players_of(entries)
    event.state = Event.State.RUNNING
    if (begins := formats.begins_as(plan, players)) != plan.format:
        event.played_as = begins.value
    elif plan.format is formats.Format.LEAGUE:
        division = formats.divisions(plan, players)
        for entry in entries:
            entry.division = division.get(entry.number, entry.division)
        Entry.objects.bulk_update(entries, ["division"])


def _play_on(event: Event, now: datetime) -> None:
    entries = list(event.entries.select_related("user", "filler"))
    plan, players = plan_of(event, entries), players_of(entries)
    heats = heats_of(event)
    nonces = {entry.number: bytes(entry.nonce) for entry in entries}
    chance = formats.chance(bytes(event.server_seed), players, nonces, formats.next_round(heats))
    if drawn := formats.pair(plan, players, heats, now, chance):
        event.drawn.append(_round_of(drawn, players, now))
        _store(event, drawn)
    for heat in formats.forfeits(plan, players, heats_of(event), now):
        _heat(event, heat).update(over_at=now, places=list(heat.places or ()), counted=True)
    known = {entry.number: entry for entry in entries}
    for heat in formats.due(plan, players, heats_of(event), now):
        _begin(event, heat, known, now)
    if plan.format is formats.Format.LADDER and event.next_at is not None and event.next_at <= now:
        _fill(event, known.values())
    players, heats = players_of(known.values()), heats_of(event)
    _rank(known, plan, players, heats)
    if formats.is_over(plan, players, heats, now):
        event.state, event.next_at = Event.State.OVER, None
    else:
        event.next_at = formats.next_at(plan, players, heats, now)


def _rank(
    entries: Mapping[int, Entry], plan: formats.Plan, players: Sequence[formats.Player], heats: Sequence[formats.Heat]
) -> None:
    """Keep where everybody stands, for what tells it in a line (`games.events.lines`)."""
    counted = current(heats) if plan.format is formats.Format.LEAGUE else heats
    place = {row.person: row.place for row in formats.standings(plan, players, heats)}
    for number, entry in entries.items():
        own = [heat for heat in counted if number in heat.people]
        entry.place, entry.drawn, entry.over = place.get(number), len(own), sum(heat.is_over for heat in own)
    Entry.objects.bulk_update(entries.values(), ["place", "drawn", "over"])


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


def _heat(event: Event, heat: formats.Heat) -> Any:
    return Heat.objects.filter(event=event, round=heat.round, number=heat.number)


# --- matches ----------------------------------------------------------------------------------------------------------


def _begin(event: Event, heat: formats.Heat, entries: Mapping[int, Entry], now: datetime) -> None:
    """Begin the match of a heat; whoever may not play now is paused, and the heat waits."""
    people = [entries[person] for person in heat.people]
    there = [entry for entry in people if entry.user is not None and not entry.is_out]
    keys = [entry.user_id for entry in there if entry.user_id is not None]
    lock_people(keys)
    if blocked_pairs(keys):  # since it was drawn: they never meet, and nobody is told why
        _heat(event, heat).update(over_at=now, counted=True)
        return
    for entry in there:
        try:
            check_may_still_play(entry.user)
        except RuleViolation:
            entry.state = Entry.State.PAUSED
            entry.save(update_fields=["state"])
    if not all(entry.is_in for entry in there):
        return
    match = _prepared(event, len(people), rated=event.rated, has_bots=len(there) < len(people))
    _heat(event, heat).update(match=match, begun_at=now)
    _seat(match, [entry.user if entry in there else None for entry in people])


def _fill(event: Event, entries: Collection[Entry]) -> None:
    """Give everybody whom nobody is free to meet a match against a bot, which counts for nothing."""
    busy = {person for heat in event.heats.filter(over_at=None) for person in heat.people}
    for entry in entries:
        played = entry.filler is not None and entry.filler.is_running
        if entry.user is not None and entry.is_in and entry.number not in busy and not played:
            entry.filler = _prepared(event, 2, rated=False, has_bots=True)
            entry.save(update_fields=["filler"])
            _seat(entry.filler, [entry.user, None])


def _prepared(event: Event, seats: int, *, rated: bool, has_bots: bool) -> Match:
    match = prepare_match(
        event.game,
        event.options,
        seats,
        speed=event.speed,
        clock=event.clock,
        excludes_vacations=True,
        rated=rated and not has_bots,
        has_bots=has_bots,
        seat_order=Match.SeatOrder.AS_SAT,
    )
    match.save()
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


def keep_result(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Keep how the match of a heat ended (`match_over`, `match_aborted`, `match_ruled`).

    Only the heat and the entries of those who did not come are written: the event is locked before people are, and
    they are locked already.
    """
    heat = Heat.objects.filter(match=match).first()
    if heat is None:
        return
    first_time = heat.over_at is None
    heat.over_at, heat.counted = heat.over_at or timezone.now(), False
    heat.places = _places(match, seats)
    heat.save(update_fields=["over_at", "counted", "places"])
    if first_time:
        for seat in seats:
            if seat.no_show:
                _record_no_show(heat, heat.people[seat.number])
    jobs.wake_for(timezone.now())


def _places(match: Match, seats: Sequence[Seat]) -> list[int] | None:
    """Return the places of seats; who did not come is behind whoever did. None if the match does not count."""
    if match.is_over:
        return [seat.place or len(seats) for seat in seats]
    if match.reason != AbortReason.NO_SHOW:
        return None
    there = sum(not seat.no_show for seat in seats)
    return [there + 1 if seat.no_show else 1 for seat in seats] if there else None


def _record_no_show(heat: Heat, number: int) -> None:
    """Pause the entry of somebody who did not come to a heat, and end it the second time."""
    theirs = Entry.objects.filter(event=heat.event_id, number=number)
    theirs.update(no_shows=F("no_shows") + 1)
    theirs.filter(no_shows=1, state=Entry.State.IN).update(state=Entry.State.PAUSED)
    theirs.filter(no_shows__gte=2).exclude(state=Entry.State.OUT).update(
        state=Entry.State.OUT, barred_at=timezone.now()
    )
