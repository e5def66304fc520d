"""The file of an event: anybody draws it again, whatever was changed in it is found, and it names no blocks."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.engine.record import RecordError, UncheckableError
from games.events import formats
from games.events.formats import Format, State, proof
from games.events.formats.proof import Drawn
from games.titles import verification
from tests.benchmarks.bench_events import Event, Figures, event
from tests.unit.events.playing import SEED, apart


class Recorded(Event):
    """A simulated event with nonces that keeps what its proof needs."""

    def _drawn_from(self, heats: Any) -> Any:
        return formats.chance(SEED, list(self.players.values()), self.nonces(), formats.next_round(heats))

    def nonces(self) -> dict[int, bytes]:
        return {person: b"nonce %d" % person for person in self.players if person % 3}

    def _look_at(self, drawn: Any, before: Any) -> None:
        super()._look_at(drawn, before)
        of_state = {state: {it.person for it in self.players.values() if it.state is state} for state in State}
        self.draws = [
            *getattr(self, "draws", []),
            Drawn(drawn[0].round, self.now, of_state[State.IN], of_state[State.OUT]),
        ]


def recorded(kind: Format, number: int = 3, **changed: Any) -> Recorded:
    made = event(kind, random.Random(number), Figures(), 16)
    found = Recorded(replace(made.plan, **changed), made.chance, made.figures, happenings=made.happenings)
    for _ in range(max(len(made.players), 8)):
        found.enter()
    found.run()
    return found


def proof_of(found: Recorded, *, is_over: bool = True) -> proof.Proof:
    return proof.proof_of(
        "Thursday",
        found.plan,
        players=list(found.players.values()),
        heats=list(found.heats.values()),
        draws=found.draws,
        names={person: f"player {person}" for person in found.players},
        nonces=found.nonces(),
        server_seed=SEED,
        is_over=is_over,
    )


@cache
def text() -> str:
    return proof.write(proof_of(recorded(Format.SWISS)))


@pytest.mark.parametrize("kind", list(Format))
@pytest.mark.parametrize("number", [3, 4])
def test_every_format_is_drawn_again_from_its_file(kind: Format, number: int) -> None:
    written = proof.write(proof_of(recorded(kind, number)))
    assert proof.write(proof.read(written)) == written
    assert "come out as recorded" in proof.check(proof.read(written))[1]


def test_while_an_event_runs_its_file_holds_no_seed_and_cannot_be_checked() -> None:
    written = proof.write(proof_of(recorded(Format.SWISS), is_over=False))
    assert SEED.hex() not in written
    with pytest.raises(UncheckableError, match="not over"):
        proof.check(proof.read(written))


def test_whatever_was_changed_is_found() -> None:
    def changed(**fields: Any) -> str:
        return json.dumps(json.loads(text()) | fields)

    given = json.loads(text())
    swapped = json.loads(text())["heats"]
    swapped[0]["people"][0], swapped[1]["people"][0] = swapped[1]["people"][0], swapped[0]["people"][0]
    other_nonce = [given["people"][0] | {"nonce": "00"}, *given["people"][1:]]
    for wrong, said in [
        (changed(commit="0" * 64), "commit"),
        (changed(server_seed="0" * 64), "commit"),
        (changed(heats=swapped), "heat 1 of round 1: the file says people"),
        (changed(people=other_nonce), "round 1"),
        (changed(draws=given["draws"][1:]), "does not say when"),
        (changed(people=given["people"][:1]), "Somebody is named"),
        (changed(format="tessera-event-2"), "format"),
    ]:
        with pytest.raises(RecordError, match=said):
            proof.check(proof.read(wrong))


def test_who_is_kept_apart_is_in_no_file_and_such_a_draw_is_not_proven() -> None:
    free = recorded(Format.SWISS, want=2, least=2)
    first = next(heat for heat in free.heats.values() if heat.round == 1 and not heat.is_bye)
    one, other = first.people
    found = recorded(Format.SWISS, want=2, least=2, apart=apart((one, other)))
    made = proof_of(found)
    assert made.draws[0].kept_apart
    assert "apart" not in proof.write(made).replace("kept_apart", "")
    assert "not proven, as people were kept apart: rounds 1" in proof.check(made)[-1]


def test_the_verifier_of_records_checks_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "event.json", tmp_path / "bad.json"
    good.write_text(text(), encoding="utf-8")
    bad.write_text(json.dumps(json.loads(text()) | {"commit": "0" * 64}), encoding="utf-8")
    assert verification.main([str(good)]) == 0
    told = capsys.readouterr().out
    assert f"{good}: everything is as recorded" in told
    assert "the rounds in which people were kept apart" in told
    assert verification.main([str(good), str(bad)]) == 1
    assert f"{bad}: commit" in capsys.readouterr().err
