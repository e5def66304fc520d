"""Each value has exactly one text."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NewType

import pytest
from hypothesis import given, strategies as st

from games.engine.codec import CodecError, decode, decode_events, encode, encode_events
from games.engine.protocol import Event, Seat

Card = NewType("Card", int)


class Side(Enum):
    FRONT = "front"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Tile:
    card: Card
    side: Side


@dataclass(frozen=True, slots=True)
class Table:
    tiles: tuple[Tile, ...]
    corner: tuple[int, str]
    names: frozenset[str]
    cells: frozenset[tuple[int, int]]
    top: Tile | None
    counts: dict[str, int]
    done: bool = False


@dataclass(frozen=True, slots=True)
class Moved(Event):
    kind: ClassVar[str] = "moved"
    seat: Seat
    to: str


@dataclass(frozen=True, slots=True)
class Passed(Event):
    kind: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class Ambiguous:
    piece: Tile | Table


TILE = Tile(Card(3), Side.BACK)
TABLE = Table((TILE,), (1, "x"), frozenset({"b", "a", "ä"}), frozenset({(2, 1), (1, -3)}), None, {"b": 1, "a": 2})
TEXT = (
    '{"tiles":[{"card":3,"side":"back"}],"corner":[1,"x"],"names":["a","b","ä"],"cells":[[1,-3],[2,1]],"top":null,'
    '"counts":{"a":2,"b":1},"done":false}'
)
TYPES = (Moved, Passed)

tables = st.builds(
    Table,
    tiles=st.lists(st.builds(Tile, st.integers(-(2**63), 2**63 - 1).map(Card), st.sampled_from(Side))).map(tuple),
    corner=st.tuples(st.integers(), st.text()),
    names=st.frozensets(st.text()),
    cells=st.frozensets(st.tuples(st.integers(-9, 9), st.integers(-9, 9))),
    top=st.none() | st.just(TILE),
    counts=st.dictionaries(st.text(), st.integers(0, 9)),
    done=st.booleans(),
)


def test_text_is_canonical() -> None:
    assert encode(TABLE) == TEXT
    assert decode(TEXT, Table) == TABLE
    assert decode(TEXT.encode(), Table) == TABLE


@given(tables)
def test_every_value_survives(table: Table) -> None:
    assert decode(encode(table), Table) == table


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"card":3', '"card":"3"'),
        ('"card":3', '"card":3.0'),
        ('"card":3', '"card":3,"more":1'),
        ('"card":3', '"card":3,"card":3'),
        ('"card":3,', ""),
        ('"back"', '"edge"'),
        (',"done":false', ""),
        ('"done":false', '"done":0'),
        ('["a","b","ä"]', '["b","a","ä"]'),
        ('["a","b","ä"]', '["a","b","ä","ä"]'),
        ('"ä"', '"\\u00e4"'),
        (":", ": "),
        ("}", "}\n"),
        ("{", "["),
        ("null", "NaN"),
        (TEXT, ""),
        (TEXT, "[" * 100_000),
        (TEXT, "\ud800"),
    ],
)
def test_any_other_text_is_refused(old: str, new: str) -> None:
    with pytest.raises(CodecError):
        decode(TEXT.replace(old, new), Table)


@pytest.mark.parametrize(
    "value", [object(), {1: "x"}, frozenset({TILE, Tile(Card(1), Side.BACK)}), frozenset({1, "a"})]
)
def test_what_has_no_canonical_text_is_refused(value: object) -> None:
    with pytest.raises(CodecError):
        encode(value)


def test_types_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(CodecError, match="cannot be read"):
        decode('{"piece":1}', Ambiguous)


def test_events_carry_their_kind() -> None:
    events = (Moved(None, Seat(1), "b2"), Passed(frozenset({Seat(2), Seat(0)})))
    text = encode_events(events)
    assert text == '[["moved",{"seen_by":null,"seat":1,"to":"b2"}],["passed",{"seen_by":[0,2]}]]'
    assert decode_events(text, TYPES) == events
    assert decode_events("[]", TYPES) == ()


@pytest.mark.parametrize(
    "text",
    [
        '[["flown",{"seen_by":null}]]',
        '[["passed",{"seen_by":null,"to":"b2"}]]',
        '[["passed",{}]]',
        '[["passed"]]',
        '[["passed",{"seen_by":[2,0]}]]',
        '[ ["passed",{"seen_by":null}]]',
        "{}",
        "[",
    ],
)
def test_other_texts_are_no_events(text: str) -> None:
    with pytest.raises(CodecError):
        decode_events(text, TYPES)


PRINT = "from games.engine.codec import encode; print(encode([frozenset(map(str, range(50))), {'b': 1, 'a': 2}]))"


def test_text_is_the_same_under_any_hash_seed() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-c", PRINT], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1


AT_ONCE = """
import sys
from dataclasses import field, make_dataclass
from threading import Barrier, Thread
from games.engine.codec import decoder

def read(number):
    together.wait()
    decoder(kinds[number]).decode(b'{"one":{"one":null,"many":[]},"many":[{"one":null,"many":[]}]}')

sys.setswitchinterval(1e-6)
for round in range(20):
    kinds = [type(None)]
    for number in range(30):
        fields = [("one", kinds[-1] | None), ("many", list[kinds[-1]], field(default_factory=list))]
        kinds.append(make_dataclass(f"Kind{number}", fields, frozen=True))
    kinds, together = kinds[::-1], Barrier(4)
    threads = [Thread(target=read, args=(number,)) for number in (0, 1, 2, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("read")
"""


def test_threads_read_a_type_for_the_first_time_at_once() -> None:
    """In a process of its own: it would crash."""
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "read\n", "")
