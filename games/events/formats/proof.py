"""An event as one file, in the format "tessera-event-1", from which anybody draws it again: write, read, check.

It holds the plan, who entered with which nonce, the seed and its commitment, each draw with its time, who was there
and who had left, and all heats. People are named by the number of their entry, from 0.

It does not say who is kept apart: nobody is to learn from it who has blocked whom. A draw that came out otherwise for
that reason says so, and is not proven.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from games.engine import fair
from games.engine.codec import decoder
from games.engine.record import LARGEST, Hash, Hex, Index, RecordError, UncheckableError
from games.events import formats
from games.events.formats.event import Format, Heat, Pair, Plan, Player, State

FORMAT: Final = "tessera-event-1"

UNPROVABLE: Final = (
    "who the people were, and their ratings when they entered",
    "who was there when a round was drawn, and what came of the matches: their own records prove that",
    "that the commitment was shown before anybody entered",
    "the rounds in which people were kept apart",
)
"""What no file of an event can prove, for people."""

Moment = Annotated[datetime, Meta(tz=True)]
Number = Annotated[int, Meta(ge=1)]


class PlanEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As `games.events.formats.Plan`, without who is kept apart."""

    format: Format
    starts_at: Moment
    want: Annotated[int, Meta(ge=2, le=100)]
    least: Annotated[int, Meta(ge=2, le=100)]
    rounds: Number | None
    ends_at: Moment | None
    lives: Annotated[int, Meta(ge=1, le=2)]


class PersonEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who entered, as `games.events.formats.Player`; `nonce` is what they added."""

    name: str
    nonce: Hex
    rating: int
    joined_round: Number
    division: Number | None
    at_a_time: Number


class DrawEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A draw: of `round` and, if it drew several, those after it up to the next draw.

    `there` could be paired, `out` had left for good. `kept_apart` says that without people who are kept apart it would
    have come out otherwise.
    """

    round: Number
    at: Moment
    there: tuple[Index, ...]
    out: tuple[Index, ...]
    kept_apart: bool = False


class HeatEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A heat, as `games.events.formats.Heat`."""

    round: Number
    number: Number
    people: tuple[Index, ...]
    begun_at: Moment | None
    over_at: Moment | None
    places: tuple[Number, ...] | None


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole event; `server_seed` is None until it is over."""

    format: Literal["tessera-event-1"]
    name: str
    plan: PlanEntry
    commit: Hash
    server_seed: Hash | None
    people: tuple[PersonEntry, ...]
    draws: tuple[DrawEntry, ...]
    heats: tuple[HeatEntry, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is stored of a draw.

    Args:
        round: the first it drew.
        at: when.
        there: the people who were in.
        out: the people who were out.
    """

    round: int
    at: datetime
    there: Collection[int]
    out: Collection[int] = ()


def proof_of(
    name: str,
    plan: Plan,
    *,
    players: Sequence[Player],
    heats: Sequence[Heat],
    draws: Sequence[Drawn],
    names: Mapping[int, str],
    nonces: Mapping[int, bytes],
    server_seed: bytes,
    is_over: bool,
) -> Proof:
    """Return what anybody can check of an event.

    Args:
        name: of the event.
        plan, players, heats: all of it.
        draws: all that drew anything.
        names, nonces: by person.
        server_seed: which the file shows only if the event is over.
        is_over: whether it is.
    """
    order = sorted(players, key=lambda player: player.entered)
    index = {player.person: number for number, player in enumerate(order)}
    proof = Proof(
        format=FORMAT,
        name=name,
        plan=PlanEntry(plan.format, plan.starts_at, plan.want, plan.least, plan.rounds, plan.ends_at, plan.lives),
        commit=fair.commitment(server_seed),
        server_seed=server_seed.hex() if is_over else None,
        people=tuple(
            PersonEntry(
                names[it.person],
                nonces.get(it.person, b"").hex(),
                it.rating,
                it.joined_round,
                it.division,
                it.at_a_time,
            )
            for it in order
        ),
        draws=tuple(
            DrawEntry(
                it.round,
                it.at,
                tuple(sorted(index[who] for who in it.there)),
                tuple(sorted(index[who] for who in it.out)),
            )
            for it in sorted(draws, key=lambda it: it.round)
        ),
        heats=tuple(
            HeatEntry(it.round, it.number, tuple(index[who] for who in it.people), it.begun_at, it.over_at, it.places)
            for it in sorted(heats, key=lambda it: (it.round, it.number))
        ),
    )
    if not plan.apart:
        return proof
    kept = {draw.round for draw in proof.draws if _drawn_again(proof, draw, server_seed) != _as_drawn(proof, draw)}
    marked = [msgspec.structs.replace(draw, kept_apart=draw.round in kept) for draw in proof.draws]
    return msgspec.structs.replace(proof, draws=tuple(marked))


def write(proof: Proof) -> str:
    """Return a proof as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(proof), indent=2).decode() + "\n"


def read(text: str | bytes) -> Proof:
    """Return the proof a file holds.

    Raises:
        RecordError: the text is no proof of an event; says where in the file and why.
    """
    if len(text) > LARGEST:
        raise RecordError(f"No event is longer than {LARGEST:,} bytes")
    try:
        proof = decoder(Proof).decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(str(error)) from error
    named = [who for draw in proof.draws for who in (*draw.there, *draw.out)]
    named += [who for heat in proof.heats for who in heat.people]
    if any(who >= len(proof.people) for who in named):
        raise RecordError(f"Somebody is named who is none of the {len(proof.people)} people")
    if any(len(heat.people) != len(heat.places or heat.people) or not heat.people for heat in proof.heats):
        raise RecordError("A heat has not as many places as people")
    if sorted({draw.round for draw in proof.draws}) != [draw.round for draw in proof.draws]:
        raise RecordError("The draws are not in the order of rounds")
    return proof


def check(proof: Proof) -> tuple[str, ...]:
    """Draw an event again, and return in words what was checked.

    Raises:
        UncheckableError: it is not over, so its seed is secret.
        RecordError: something came out otherwise; says what.
    """
    if proof.server_seed is None:
        raise UncheckableError("The event is not over: its seed is still secret, so nothing can be checked.")
    seed = bytes.fromhex(proof.server_seed)
    if (commit := fair.commitment(seed)) != proof.commit:
        raise RecordError(f"commit: the file says {proof.commit}, the seed: {commit}")
    if proof.heats and (not proof.draws or proof.heats[0].round < proof.draws[0].round):
        raise RecordError(f"round {proof.heats[0].round}: the file has heats, but does not say when they were drawn")
    unproven = []
    for draw in proof.draws:
        said, again = _as_drawn(proof, draw), _drawn_again(proof, draw, seed)
        if draw.kept_apart:
            unproven.append(draw.round)
        elif said != again:
            raise RecordError(f"round {draw.round}: {_first_difference(said, again)}")
    proven = len(proof.draws) - len(unproven)
    checked = [
        "the seed belongs to the commitment",
        f"{proven} draws, with {len(proof.people)} nonces and {len(proof.heats)} heats in all, come out as recorded",
    ]
    if unproven:
        checked.append(f"not proven, as people were kept apart: rounds {', '.join(map(str, unproven))}")
    return tuple(checked)


_Seating = dict[tuple[int, int], tuple[int, ...]]
"""Who sits where, by round and number of the heat."""


def _as_drawn(proof: Proof, draw: DrawEntry) -> _Seating:
    """Return the heats that the file says a draw has brought."""
    later = [other.round for other in proof.draws if other.round > draw.round]
    return {
        (heat.round, heat.number): heat.people
        for heat in proof.heats
        if draw.round <= heat.round and (not later or heat.round < later[0])
    }


def _drawn_again(proof: Proof, draw: DrawEntry, server_seed: bytes) -> _Seating:
    """Return the heats that come of what was known at a draw."""
    there, out = set(draw.there), set(draw.out)
    players = [
        Player(
            person=number,
            entered=number,
            rating=it.rating,
            state=State.IN if number in there else State.OUT if number in out else State.PAUSED,
            joined_round=it.joined_round,
            division=it.division,
            at_a_time=it.at_a_time,
        )
        for number, it in enumerate(proof.people)
        if it.joined_round <= draw.round
    ]
    heats = [_as_known(proof, heat, draw.at) for heat in proof.heats if heat.round < draw.round]
    given = proof.plan
    nothing: frozenset[Pair] = frozenset()
    plan = Plan(
        given.format, given.starts_at, given.want, given.least, given.rounds, given.ends_at, given.lives, nothing
    )
    nonces = {number: bytes.fromhex(it.nonce) for number, it in enumerate(proof.people)}
    chance = formats.chance(server_seed, players, nonces, draw.round)
    found = formats.pair(plan, players, heats, draw.at, chance)
    return {(heat.round, heat.number): heat.people for heat in found}


def _as_known(proof: Proof, entry: HeatEntry, at: datetime) -> Heat:
    """Return a heat as it was at some time."""
    drawn_at = max(draw.at for draw in proof.draws if draw.round <= entry.round)
    heat = Heat(entry.round, entry.number, entry.people, drawn_at, entry.begun_at, entry.over_at, entry.places)
    if heat.begun_at is not None and heat.begun_at > at:
        heat = replace(heat, begun_at=None)
    return replace(heat, over_at=None, places=None) if heat.over_at is None or heat.over_at > at else heat


def _first_difference(said: _Seating, again: _Seating) -> str:
    round_, number = next(key for key in sorted({*said, *again}) if said.get(key) != again.get(key))
    key = (round_, number)
    return f"heat {number} of round {round_}: the file says {_tell(said.get(key))}, the draw: {_tell(again.get(key))}"


def _tell(people: tuple[int, ...] | None) -> str:
    return "nothing" if people is None else f"people {', '.join(map(str, people))}"
