"""A match as a file: what is written can be read, and what did not happen is detected."""

from __future__ import annotations

import json
from itertools import starmap
from typing import Any

import msgspec
import pytest

from games.engine import fair, runner
from games.engine.contract.playouts import Chooser, random_match
from games.engine.fair import SALT_BYTES, seal
from games.engine.protocol import Outcome, Seat
from games.engine.record import (
    ActionEntry,
    Difference,
    OutcomeEntry,
    RatingEntry,
    Record,
    RecordError,
    SeatEntry,
    UncheckableError,
    WithdrawnSeal,
    checks_of,
    read,
    verify,
    write,
)
from tests.unit.engine.toys import HighCards, Sealed

GAME = HighCards()
SERVER_SEED = bytes(range(32))
AT = "2026-11-20T10:00:00Z"


def record_of(
    texts: list[tuple[int, str]], seats: int = 3, bots: frozenset[int] = frozenset(), **changed: Any
) -> Record:
    """Return the record of a match with these actions; the actions numbered in `bots` are marked."""
    nonces = [b"alice", *[b""] * (seats - 1)]
    seed = fair.final_seed(SERVER_SEED, nonces)
    plays = list(runner.replay(GAME, seats, {}, seed, [(Seat(seat), text) for seat, text in texts]))
    outcome = plays[-1].outcome
    fields: dict[str, Any] = {
        "format": "tessera-record-1",
        "game": "high-cards",
        "rules_version": 3,
        "options": {"rounds": "two"},
        "seats": tuple(SeatEntry(name) for name in ("ann", "bob", "çat")[:seats]),
        "speed": "days",
        "rated": True,
        "commit": fair.commitment(SERVER_SEED),
        "server_seed": SERVER_SEED.hex(),
        "nonces": tuple(nonce.hex() for nonce in nonces),
        "actions": tuple(
            ActionEntry(n, seat, text, AT, by="bot" if n in bots else None) for n, (seat, text) in enumerate(texts, 1)
        ),
        "outcome": None if outcome is None else OutcomeEntry.of(outcome),
    }
    return Record(**fields | changed)


def finished(**changed: Any) -> Record:
    seed = fair.final_seed(SERVER_SEED, [b"alice", b"", b""])
    plays = random_match(GAME, 3, {}, seed, Chooser(SERVER_SEED)).plays
    ratings = (RatingEntry(0, 1_500_000, 1_516_000), RatingEntry(1, 1_500_000, 1_484_000), RatingEntry(2, 1, 1))
    return record_of([(play.seat or 0, play.text) for play in plays[1:]], **{"ratings": ratings} | changed)


def altered(record: Record, **changed: Any) -> Record:
    """Return the record with fields of its JSON changed."""
    return read(json.dumps(json.loads(write(record)) | changed))


ROLLS = [(0, "roll"), (1, "roll"), (2, "roll")] * 2
LEFT = [(0, "roll"), (2, "resign"), (1, "roll"), (2, "roll"), (0, "timeout"), (0, "roll"), (1, "roll"), (2, "roll")]


def test_a_record_is_json_with_a_line_for_each_action() -> None:
    text = write(finished())
    fields = json.loads(text)
    assert list(fields) == [
        "format", "game", "rules_version", "options", "seats", "speed", "rated", "commit", "server_seed", "nonces",
        "actions", "outcome", "ratings",
    ]  # fmt: skip
    assert fields["nonces"] == ["616c696365", "", ""]
    assert '\n    {"n": 1, "seat": 0, "text": ' in text
    assert '{"name": "çat"}' in text
    assert set(fields["actions"][0]) == {"n", "seat", "text", "at"}
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    "record",
    [
        finished(),
        record_of([], seats=2, server_seed=None),
        record_of(LEFT, bots=frozenset({4, 6, 8})),
        finished(actions=(ActionEntry(1, 0, "roll", "2026-11-20T10:00:00.123Z", "bot", "ab" * 32, "cd" * 16),)),
    ],
)
def test_what_is_written_can_be_read(record: Record) -> None:
    assert read(write(record)) == record
    assert write(read(write(record))) == write(record)


def test_a_match_as_played_has_no_difference() -> None:
    assert verify(finished(), GAME) is None
    assert verify(record_of(ROLLS), GAME) is None


def test_missing_options_mean_the_default() -> None:
    assert verify(finished(options={}), GAME) is None


def test_who_leaves_with_two_players_ends_the_match() -> None:
    record = record_of([(0, "roll"), (0, "resign")], seats=2)
    assert record.outcome is not None
    assert record.outcome.places == (2, 1)
    assert verify(record, GAME) is None


def test_with_three_players_a_bot_goes_on_for_who_left() -> None:
    assert verify(record_of(LEFT, bots=frozenset({4, 6, 8})), GAME) is None
    difference = verify(record_of(LEFT, bots=frozenset({6, 8})), GAME)
    assert difference is not None
    assert (difference.number, difference.what) == (4, "by")


def test_a_running_match_cannot_be_checked() -> None:
    record = record_of(ROLLS[:2], server_seed=None)
    assert record.is_running
    with pytest.raises(UncheckableError, match="not over"):
        verify(record, GAME)


def test_an_aborted_match_has_its_seed_and_no_outcome() -> None:
    record = record_of(ROLLS[:2])
    assert record.is_aborted
    assert verify(record, GAME) is None
    difference = verify(altered(finished(), outcome=None, ratings=[]), GAME)
    assert difference is not None
    assert (difference.number, difference.what, difference.recorded) == (None, "outcome", "none")


def test_a_recorded_outcome_needs_an_end() -> None:
    difference = verify(record_of(ROLLS[:2], outcome=OutcomeEntry((1, 2, 3), (1, 0, 0), "rounds")), GAME)
    assert difference is not None
    assert (difference.what, difference.replayed) == ("outcome", "none")


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("game", {"game": "sealed"}),
        ("rules_version", {"rules_version": 2}),
        ("commit", {"commit": "0" * 64}),
        ("commit", {"server_seed": "0" * 64}),
        ("options", {"options": {"rounds": "nine"}}),
        ("options", {"options": {"long": True}}),
        ("outcome.places", {"outcome": {"places": [3, 3, 3], "scores": [0, 0, 0], "reason": "rounds"}}),
        ("ratings", {"ratings": [{"seat": seat, "before": 0, "after": 1} for seat in range(3)]}),
        ("ratings", {"ratings": [{"seat": seat, "before": 1, "after": 0} for seat in range(3)]}),
        ("ratings", {"rated": False}),
    ],
)
def test_what_is_not_as_replayed_is_found(what: str, changed: dict[str, Any]) -> None:
    difference = verify(altered(finished(), **changed), GAME)
    assert difference is not None
    assert difference.what == what
    assert difference.recorded != difference.replayed


@pytest.mark.parametrize("field", ["places", "scores", "reason"])
def test_every_part_of_the_outcome_is_compared(field: str) -> None:
    record = finished()
    outcome = json.loads(write(record))["outcome"]
    outcome[field] = "luck" if field == "reason" else [7, 7, 7]
    difference = verify(altered(record, outcome=outcome), GAME)
    assert difference is not None
    assert (difference.number, difference.what) == (None, f"outcome.{field}")


def test_other_nonces_are_other_draws() -> None:
    difference = verify(altered(record_of(ROLLS), nonces=["", "", ""]), GAME)
    assert difference is not None
    assert difference.what.startswith("outcome")


@pytest.mark.parametrize(("n", "seat", "text"), [(2, 0, "roll"), (3, 2, "jump"), (4, 0, "lay 24"), (5, 1, "Roll")])
def test_an_action_that_was_not_possible_is_found(n: int, seat: int, text: str) -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    actions[n - 1] |= {"seat": seat, "text": text}
    difference = verify(altered(record_of(ROLLS), actions=actions), GAME)
    assert difference is not None
    assert (difference.number, difference.what) == (n, "text")
    assert f"seat {seat} “{text}”" in str(difference)


def test_actions_after_the_end_are_found() -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    actions.append({"n": 7, "seat": 0, "text": "resign", "at": AT})
    difference = verify(altered(record_of(ROLLS), actions=actions), GAME)
    assert difference == Difference(7, "text", "seat 0 “resign”", "The match is over.")


def sealed_match() -> Record:
    """Return a random match of sealed choices, each with its seal and salt."""
    seed = fair.final_seed(SERVER_SEED, [b"", b""])
    plays = random_match(Sealed(), 2, {}, seed, Chooser(SERVER_SEED)).plays
    outcome = plays[-1].outcome
    assert outcome is not None
    unsealed = (ActionEntry(play.number, play.seat or 0, play.text, AT) for play in plays[1:])
    entries = tuple(starmap(_sealed, zip(unsealed, plays, strict=False)))
    changed: dict[str, Any] = {"game": "sealed", "rules_version": 1, "options": {}, "nonces": ("", "")}
    return record_of([], seats=2, **changed, actions=entries, outcome=OutcomeEntry.of(outcome))


def _sealed(entry: ActionEntry, before: runner.Play[Any]) -> ActionEntry:
    salt = bytes([entry.n]) * SALT_BYTES
    seals = seal(fair.commitment(SERVER_SEED), before.position.turn, entry.seat, entry.text, salt)
    return msgspec.structs.replace(entry, seal=seals, salt=salt.hex())


def test_sealed_matches_are_checked_too() -> None:
    assert verify(sealed_match(), Sealed()) is None


@pytest.mark.parametrize("changed", [{"salt": "ab" * SALT_BYTES}, {"seal": "ab" * 32}])
def test_a_seal_that_does_not_fit_is_found(changed: dict[str, str]) -> None:
    actions = json.loads(write(sealed_match()))["actions"]
    actions[4].update(changed)
    difference = verify(altered(sealed_match(), actions=actions), Sealed())
    assert difference is not None
    assert (difference.number, difference.what) == (5, "seal")


class Lenient(Sealed):
    """The game of secret picks, in which an action may also be written with a blank after it."""

    def parse(self, text: str) -> int:
        return super().parse(text.strip())


@pytest.mark.parametrize(("sealed_text", "fits"), [("{}", True), ("{} ", False)])
def test_a_seal_is_of_the_canonical_text_however_the_action_is_written(sealed_text: str, fits: bool) -> None:
    record = sealed_match()
    first = record.actions[0]
    salt = bytes.fromhex(first.salt or "")
    sealed = seal(record.commit, 0, first.seat, sealed_text.format(first.text), salt)
    entry = msgspec.structs.replace(first, text=f"{first.text} ", seal=sealed)
    difference = verify(msgspec.structs.replace(record, actions=(entry, *record.actions[1:])), Lenient())
    assert (difference is None) == fits
    assert difference is None or (difference.number, difference.what) == (1, "seal")


@pytest.mark.parametrize("salt", ["", "ab" * (SALT_BYTES - 1), "ab" * (SALT_BYTES + 1)])
def test_a_salt_of_another_length_is_no_record(salt: str) -> None:
    actions = json.loads(write(sealed_match()))["actions"]
    actions[0]["salt"] = salt
    with pytest.raises(RecordError, match="salt"):
        altered(sealed_match(), actions=actions)


def test_a_seal_of_what_was_never_secret_is_found() -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    actions[0].update(seal="ab" * 32, salt="ab" * SALT_BYTES)
    difference = verify(altered(record_of(ROLLS), actions=actions), GAME)
    assert difference == Difference(1, "seal", "ab" * 32, "none: this was never secret")


def test_while_a_match_runs_a_sealed_action_has_no_text() -> None:
    secret = {"n": 1, "seat": 0, "text": "", "at": AT, "seal": "ab" * 32}
    running = altered(record_of([], server_seed=None, outcome=None), actions=[secret])
    assert read(write(running)).actions[0].text == ""


@pytest.mark.parametrize(
    ("where", "changed"),
    [
        ("$.format", {"format": "tessera-record-2"}),
        ("$.rules_version", {"rules_version": "3"}),
        ("more", {"more": 1}),
        ("$.options", {"options": {"rounds": 2}}),
        ("$.seats", {"seats": []}),
        ("$.seats[0]", {"seats": [{"name": "ann", "mail": "x"}]}),
        ("$.speed", {"speed": "fast"}),
        ("$.commit", {"commit": "0" * 63}),
        ("$.commit", {"commit": "A" * 64}),
        ("$.commit", {"commit": "0" * 64 + "\n"}),
        ("$.server_seed", {"server_seed": ""}),
        ("$.server_seed", {"server_seed": None}),
        ("$.nonces", {"nonces": ["", ""]}),
        ("$.nonces", {"nonces": ["", "", "abc"]}),
        ("$.nonces[1]", {"nonces": ["", "00" * 65_536, ""]}),
        ("$.actions[1].n", {"actions": [{"n": n, "seat": 0, "text": "roll", "at": AT} for n in (1, 3)]}),
        ("$.actions[0].n", {"actions": [{"n": 0, "seat": 0, "text": "roll", "at": AT}]}),
        ("$.actions[0].seat", {"actions": [{"n": 1, "seat": 3, "text": "roll", "at": AT}]}),
        ("$.actions[0].at", {"actions": [{"n": 1, "seat": 0, "text": "roll", "at": "today"}]}),
        ("$.actions[0].by", {"actions": [{"n": 1, "seat": 0, "text": "roll", "at": AT, "by": "me"}]}),
        ("$.actions[0].text", {"actions": [{"n": 1, "seat": 0, "text": "", "at": AT}]}),
        ("$.actions[0].text", {"actions": [{"n": 1, "seat": 0, "text": "", "at": AT, "seal": "ab" * 32}]}),
        ("$.actions[0].text", {"actions": [{"n": 1, "seat": 0, "text": "roll", "at": AT, "seal": "ab" * 32}]}),
        ("$.actions[0].salt", {"actions": [{"n": 1, "seat": 0, "text": "roll", "at": AT, "salt": "ab" * 16}]}),
        ("$.actions[0].seal", {"actions": [{"n": 1, "seat": 0, "text": "roll", "at": AT, "seal": "ab"}]}),
        ("$.outcome", {"outcome": {"places": [1], "scores": [1], "reason": "rounds"}}),
        ("$.outcome", {"outcome": {"places": [1, 2, 3], "scores": [1], "reason": "rounds"}}),
        ("$.outcome.places", {"outcome": {"places": [0, 2, 3], "scores": [1, 2, 3], "reason": "rounds"}}),
        ("$.ratings", {"outcome": None}),
        ("$.ratings", {"ratings": [{"seat": 0, "before": 1, "after": 1}] * 2}),
        ("$.ratings", {"ratings": [{"seat": 3, "before": 1, "after": 1}]}),
    ],
)
def test_what_is_no_record_is_refused_and_says_where(where: str, changed: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as caught:
        altered(finished(), **changed)
    assert where in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, b"\xff", "\ud800"])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError):
        read(text)


def test_parts_that_do_not_fit_together_are_not_written() -> None:
    with pytest.raises(RecordError, match="nonces"):
        write(finished(nonces=()))


# --- the order of seats ---------------------------------------------------------------------------------------------


def drawn(**changed: Any) -> Record:
    """Return a finished match whose seats were drawn."""
    joined = fair.order_of_seats(fair.final_seed(SERVER_SEED, [b"alice", b"", b""]), 3)
    seats = tuple(SeatEntry(name, k) for name, k in zip(("ann", "bob", "cat"), joined, strict=True))
    return msgspec.structs.replace(finished(), **{"seats": seats, "seat_order": "random"} | changed)


def test_seats_that_were_drawn_say_when_their_players_joined() -> None:
    fields = json.loads(write(drawn()))
    assert fields["seat_order"] == "random"
    assert fields["seats"] == [{"name": "ann", "joined": 1}, {"name": "bob", "joined": 2}, {"name": "cat", "joined": 0}]
    assert read(write(drawn())) == drawn()
    assert verify(drawn(), GAME) is None


def test_a_record_without_an_order_of_seats_is_as_before() -> None:
    assert not {"seat_order", "withdrawn_seals"} & set(json.loads(write(finished())))
    assert verify(finished(), GAME) is None


def test_an_order_of_seats_that_was_not_drawn_is_found() -> None:
    seats = [{"name": "ann", "joined": 0}, {"name": "bob", "joined": 2}, {"name": "cat", "joined": 1}]
    difference = verify(altered(drawn(), seats=seats), GAME)
    assert difference == Difference(None, "seat_order", "the order of joining [0, 2, 1]", "[1, 2, 0]")


def test_nonces_in_another_order_are_found() -> None:
    difference = verify(altered(drawn(), nonces=["", "616c696365", ""]), GAME)
    assert difference is not None


@pytest.mark.parametrize("joined", [[0, 1, 1], [0, 2, 3], [0, 2, None]])
def test_a_forged_index_of_a_nonce_is_refused(joined: list[int | None]) -> None:
    seats = [{"name": "x"} | ({} if k is None else {"joined": k}) for k in joined]
    with pytest.raises(RecordError, match="seats"):
        altered(drawn(), seats=seats)


def test_joining_belongs_to_seats_that_were_drawn() -> None:
    with pytest.raises(RecordError, match="seats"):
        altered(drawn(), seat_order=None)


# --- seals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gone", [("seal", "salt"), ("salt",)])
def test_a_stripped_seal_is_found(gone: tuple[str, ...]) -> None:
    actions = json.loads(write(sealed_match()))["actions"]
    for name in gone:
        del actions[4][name]
    if gone == ("salt",):
        with pytest.raises(RecordError, match="sealed"):
            altered(sealed_match(), actions=actions)
        return
    difference = verify(altered(sealed_match(), actions=actions), Sealed())
    assert difference is not None
    assert (difference.number, difference.what, difference.recorded) == (5, "seal", "none")


@pytest.mark.parametrize("seat", [0, 1])
def test_seals_that_were_taken_back_stay_in_the_record(seat: int) -> None:
    record = msgspec.structs.replace(sealed_match(), withdrawn_seals=(WithdrawnSeal(0, seat, "ab" * 32),))
    assert json.loads(write(record))["withdrawn_seals"] == [{"turn": 0, "seat": seat, "seal": "ab" * 32}]
    assert read(write(record)) == record
    assert verify(record, Sealed()) is None


@pytest.mark.parametrize("turn", [1, 3])
def test_a_withdrawn_seal_of_a_turn_that_never_was_is_found(turn: int) -> None:
    record = msgspec.structs.replace(sealed_match(), withdrawn_seals=(WithdrawnSeal(turn, 1, "ab" * 32),))
    difference = verify(record, Sealed())
    assert difference is not None
    assert difference.what == "withdrawn_seals"


def test_a_game_without_secrets_has_no_withdrawn_seals() -> None:
    difference = verify(altered(finished(), withdrawn_seals=[{"turn": 0, "seat": 0, "seal": "ab" * 32}]), GAME)
    assert difference is not None
    assert difference.what == "withdrawn_seals"


@pytest.mark.parametrize("changed", [{"seat": 2}, {"turn": 999}])
def test_a_withdrawn_seal_from_nowhere_is_refused(changed: dict[str, int]) -> None:
    with pytest.raises(RecordError, match="withdrawn_seals"):
        altered(sealed_match(), withdrawn_seals=[{"turn": 0, "seat": 0, "seal": "ab" * 32} | changed])


# --- time, and matches of one seat ----------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["2026-11-20T09:59:59Z", "2026-11-20T09:59:59.999999Z"])
def test_time_that_runs_backwards_is_found(at: str) -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    actions[3]["at"] = at
    difference = verify(altered(record_of(ROLLS), actions=actions), GAME)
    assert difference is not None
    assert (difference.number, difference.what) == (4, "at")


def test_time_runs_backwards_from_any_action_not_from_the_first_alone() -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    for action, second in zip(actions, (0, 9, *[8] * len(actions)), strict=False):
        action["at"] = f"2026-11-20T10:00:0{second}Z"
    difference = verify(altered(record_of(ROLLS), actions=actions), GAME)
    assert difference is not None
    assert (difference.number, difference.what) == (3, "at")


def test_fractions_of_a_second_are_time_too() -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    for action, at in zip(actions[:3], ("10:00:00Z", "10:00:00.5Z", "10:00:00.51Z"), strict=True):
        action["at"] = f"2026-11-20T{at}"
    for action in actions[3:]:
        action["at"] = "2026-11-20T10:00:01Z"
    assert verify(altered(record_of(ROLLS), actions=actions), GAME) is None


@pytest.mark.parametrize("at", ["2026-13-20T10:00:00Z", "2026-11-32T10:00:00Z", "2026-11-20T24:00:00Z"])
def test_a_moment_that_never_comes_is_refused(at: str) -> None:
    actions = json.loads(write(record_of(ROLLS)))["actions"]
    actions[3]["at"] = at
    with pytest.raises(RecordError, match=r"actions.*at"):
        altered(record_of(ROLLS), actions=actions)


def test_a_rated_match_of_one_seat_is_found() -> None:
    record = altered(alone(), rated=True)
    assert verify(alone(), GAME) is None
    assert verify(record, GAME) == Difference(None, "rated", "that the match is rated", "a match of one seat never is")


def test_a_rated_match_with_a_bot_is_found() -> None:
    seats = [{"name": "ann"}, {"name": "bob", "bot": "novice"}, {"name": "çat"}]
    assert verify(altered(record_of(ROLLS), seats=seats, rated=False), GAME) is None
    difference = verify(altered(record_of(ROLLS), seats=seats), GAME)
    assert difference == Difference(None, "rated", "that the match is rated", "a match with bots never is")


def test_a_bot_that_acts_for_a_player_who_has_not_left_is_found() -> None:
    difference = verify(record_of(ROLLS, bots=frozenset({2})), GAME)
    assert difference == Difference(2, "by", "that a bot acted", "seat 1 is a player's, who had not left")


def alone() -> Record:
    seed = fair.final_seed(SERVER_SEED, [b"alice"])
    plays = random_match(GAME, 1, {"foe": "fox"}, seed, Chooser(SERVER_SEED)).plays
    return _alone([(play.seat or 0, play.text) for play in plays[1:]], plays[-1].outcome)


def _alone(texts: list[tuple[int, str]], outcome: Outcome | None) -> Record:
    assert outcome is not None
    entries = tuple(ActionEntry(n, seat, text, AT) for n, (seat, text) in enumerate(texts, 1))
    record = msgspec.structs.replace(finished(), options={"foe": "fox"}, seats=(SeatEntry("ann"),), rated=False)
    end = OutcomeEntry.of(outcome)
    return msgspec.structs.replace(record, nonces=(b"alice".hex(),), actions=entries, outcome=end, ratings=())


def test_what_was_checked_is_told_of_each_record() -> None:
    assert "the order of seats comes out of the seed" in checks_of(drawn())
    assert "the order of seats was not drawn" in checks_of(finished())
    assert any(f"{len(sealed_match().actions)} seals fit" in check for check in checks_of(sealed_match()))
