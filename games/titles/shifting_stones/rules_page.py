"""The pictures on the page of rules: examples, which the rules play, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.engine.fair import FairChance
from games.engine.protocol import Event, Seat
from games.titles.regions import joined
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.board import wording
from games.titles.shifting_stones.board.drawing import card_face
from games.titles.shifting_stones.board.wording import face_name
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, POINTS, SIDE, Grid, Placement, cells_of, matches
from games.titles.shifting_stones.rules.state import BONUS, GOALS, STRIKES, State, bonus_seats, scores

# --- the examples, played by the rules ------------------------------------------------------------------------------

_SEED: Final = bytes(range(32))
NAMES: Final = ("Ann", "Bob", "Cleo")

GRID: Final[Grid] = ("tree", "seed", "fish", "sun", "boat", "horse", "boat", "tree", "bird")
"""The stones of most examples."""
FOUND: Final[Grid] = ("tree", "seed", "fish", "boat", "moon", "horse", "boat", "tree", "bird")
MIRRORED: Final[Grid] = ("tree", "seed", "fish", "moon", "boat", "horse", "boat", "tree", "bird")
TURNED: Final[Grid] = ("tree", "boat", "fish", "seed", "moon", "horse", "boat", "tree", "bird")
GRIDS: Final = {"grid": GRID, "found": FOUND, "mirrored": MIRRORED, "turned": TURNED}

HAND: Final = (17, 41, 26, 7)
TURN: Final = ("score 17", "flip 41 a2", "shift 26 a2 b2", "score 7")
"""A whole turn with this hand."""

SCORED: Final = (
    (1, 9, 10, 11, 12, 6, 7, 8, 2),
    (13, 14, 17, 19, 22, 28, 3, 4, 20),
    (15, 16, 21, 23, 24, 29, 30),
)
"""What three players have scored at the end of a match."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action of an example, the grids before and after it, and its events."""

    text: str
    before: Grid
    after: Grid
    events: tuple[Event, ...]

    @property
    def verb(self) -> str:
        return self.text.split()[0]

    @property
    def card(self) -> int:
        return int(self.text.split()[1])

    @property
    def cells(self) -> frozenset[str]:
        """The cells that the action names."""
        return frozenset(self.text.split()[2:])


def start_position(seats: int) -> State:
    """Return a match that has just begun."""
    return GAME.start(seats, {}, FairChance(_SEED, 0)).state


def position() -> State:
    """Return a match of two with `GRID`, in which it is the turn of seat 0, who holds `HAND`."""
    rest = tuple(card for card in CARDS if card not in HAND)
    return replace(start_position(2), grid=GRID, hands=(HAND, rest[:4]), deck=rest[4:])


def played(state: State, texts: Sequence[str]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the position after each action, and its events; the seat to move acts.

    Raises:
        RuleViolation: an action is not legal, so the example is wrong.
    """
    for number, text in enumerate(texts, start=1):
        step = GAME.apply(state, Seat(state.mover), GAME.parse(text), FairChance(_SEED, number))
        state = step.state
        yield state, step.events


@cache
def moves(texts: tuple[str, ...] = TURN) -> tuple[Move, ...]:
    """Return what actions of the first player make of the example's position."""
    steps = tuple(played(position(), texts))
    grids = pairwise((GRID, *(state.grid for state, _ in steps)))
    return tuple(
        Move(text, before, after, events)
        for text, (before, after), (_, events) in zip(texts, grids, steps, strict=True)
    )


DRAWN: Final = {"end": ("flip 41 a2", "end"), "skip": ("skip",), "reshuffle": ("flip 41 a2", "end")}
"""Turns that end with drawing."""


def drawn_hands(name: str) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Event, ...]]:
    """Return the first player's hand before and after the end of a turn, and the events of that end."""
    state = position()
    if name == "reshuffle":
        state = replace(state, deck=(), discards=(58, 43, 52))
    *_, (state, _) = [(state, ()), *played(state, DRAWN[name][:-1])]
    *_, (after, events) = played(state, DRAWN[name][-1:])
    return state.hands[0], after.hands[0], events


def last_round_states() -> Iterator[State]:
    """Yield the position after each turn of a last round of three, in which the second player scores the ninth card."""
    state = replace(start_position(3), grid=GRID, round=7, scored=(SCORED[0][:7], SCORED[1][:8], SCORED[2][:7]))
    state = replace(state, hands=((5, 18, 25, 26), (42, 31, 32, 33), (35, 36, 37, 38)))
    for texts in (("end",), ("score 42", "end"), ("end",)):
        *_, (state, _events) = played(state, texts)
        yield state


def placements(card: int) -> tuple[Placement, ...]:
    """Return every place where a card's pattern fits."""
    return CARDS[card].placements


def cells(names: str) -> frozenset[int]:
    """Return cells by their names."""
    return frozenset(map(CELLS.index, names.split()))


# --- how they are drawn ---------------------------------------------------------------------------------------------

_PITCH = 20
_ARROW = mark_safe('<span aria-hidden="true">→</span>')


def _drawing(parts: Iterable[SafeString | str]) -> SafeString:
    return format_html('<div class="drawing">{}</div>', mark_safe("".join(parts)))  # noqa: S308  every part is safe


def _list(items: Iterable[SafeString], kind: str = "") -> SafeString:
    listed = joined(format_html("<li>{}</li>", item) for item in items)
    return format_html('<ul role="list"{}>{}</ul>', format_html(' class="{}"', kind) if kind else "", listed)


# --- grids ----------------------------------------------------------------------------------------------------------


def grid(faces: Sequence[str | None], marked: Collection[int] = ()) -> SafeString:
    """Return a grid as a picture with its name; None is a cell that may hold any stone, marked cells have a ring."""
    rows = (", ".join(face_name(face) for face in faces[start : start + SIDE]) for start in range(0, len(faces), SIDE))
    cells = joined(_cell(index, face, index in marked) for index, face in enumerate(faces))
    return format_html(
        '<svg class="grid-picture" role="img" viewBox="0 0 66 66" aria-label="{}">{}</svg>', "; ".join(rows), cells
    )


def _cell(index: int, face: str | None, marked: bool) -> SafeString:
    x, y = 4 + index % SIDE * _PITCH, 4 + index // SIDE * _PITCH
    ring = format_html('<rect class="art-ring" x="{}" y="{}" width="20" height="20" rx="4.5"/>', x - 1, y - 1)
    return format_html('<use href="#mini-{}" x="{}" y="{}"/>{}', face or "any", x, y, ring if marked else "")


def named_grid() -> SafeString:
    """Return a grid with the names of its cells."""
    names = joined(
        format_html('<text x="{}" y="{}">{}</text>', 13 + index % SIDE * _PITCH, 16 + index // SIDE * _PITCH, name)
        for index, name in enumerate(CELLS)
    )
    rects = joined(_cell(index, None, False) for index in range(len(CELLS)))
    return _drawing((
        format_html(
            '<svg class="grid-picture named" role="img" viewBox="0 0 66 66" aria-label="{}">{}{}</svg>',
            ", ".join(CELLS), rects, names,
        ),
    ))  # fmt: skip


@cache
def places(card: int, language: str | None) -> SafeString:
    """Return a card and every place where its pattern fits, with their number."""
    found = placements(card)
    grids = _list(grid(tuple(map(dict(placement).get, range(len(CELLS))))) for placement in found)
    text = ngettext("It fits in %(count)s place.", "It fits in %(count)s places.", len(found)) % {"count": len(found)}
    return _drawing((card_face(card), grids, _sum(text)))


def _sum(text: str) -> SafeString:
    return format_html('<span class="sum">{}</span>', text)


@cache
def compared(card: int, name: str, language: str | None) -> SafeString:
    """Return a card beside a grid of the examples, and whether its pattern lies there."""
    shown: Grid = GRIDS[name]
    lies = matches(card, shown)
    kind, text = ("yes", gettext("scores")) if lies else ("no", gettext("does not score"))
    marked = cells_of(card, shown)
    return _drawing((card_face(card), grid(shown, marked), format_html('<b class="{}">{}</b>', kind, text)))


# --- turns ----------------------------------------------------------------------------------------------------------


@cache
def move(text: str, language: str | None) -> SafeString:
    """Return what an action makes of the example's stones, with the card that pays for it."""
    (made,) = moves((text,))
    marked = cells(" ".join(made.cells))
    return _drawing((card_face(made.card), grid(made.before, marked), _ARROW, grid(made.after, marked)))


@cache
def scored(card: int, language: str | None) -> SafeString:
    """Return a card that the example's stones show now, and the stones that show it."""
    (made,) = moves((f"score {card}",))
    return _drawing((grid(made.after, cells_of(card, made.after)), _ARROW, card_face(card)))


@cache
def turn(language: str | None) -> SafeString:
    """Return a whole turn: the hand, then the stones after each action with what the log says of it."""
    steps = []
    for made in moves():
        touched = cells_of(made.card, made.after) if made.verb == "score" else cells(" ".join(made.cells))
        steps.append(
            format_html('<li>{}<span class="told">{}</span></li>', grid(made.after, touched), _told(made.events))
        )
    hand = _drawing((_list(map(card_face, HAND)),))
    return format_html('{}<ol class="steps" role="list">{}</ol>', hand, joined(steps))


def _told(events: Iterable[Event]) -> str:
    """Return what the log says to the player whose turn it is, except for the cards drawn."""
    return " ".join(wording.line(event, NAMES, Seat(0)) for event in events if event.seen_by is None)


@cache
def drawn(name: str, language: str | None) -> SafeString:
    """Return the hand before a turn of the examples and after it, when cards were drawn."""
    before, after, events = drawn_hands(name)
    return _drawing((_hand(before), _ARROW, _hand(after), _sum(_told(events))))


def _hand(cards: Iterable[int]) -> SafeString:
    return format_html('<span class="small-hand">{}</span>', joined(map(card_face, cards)))


# --- beginning and end ----------------------------------------------------------------------------------------------


@cache
def start(seats: int, language: str | None) -> SafeString:
    """Return the table at the start of a match as its first player sees it."""
    state = start_position(seats)
    pile = format_html(
        '<svg class="face" role="img" aria-label="{0}"><use href="#card-back"/></svg><span>{0}</span>',
        gettext("Draw pile: %(count)s") % {"count": len(state.deck)},
    )
    hand = _list((*map(card_face, state.hands[0]), pile))
    return _drawing((grid(state.grid), hand))


@cache
def goals(language: str | None) -> SafeString:
    """Return the cells of the table of goals: for each number of players how many scored cards end the match."""
    return joined(format_html("<td>{}</td>", GOALS[seats]) for seats in GOALS if seats > 1)


@cache
def last_round(language: str | None) -> SafeString:
    """Return how a last round of three goes: what each has scored after each turn, and that the round is finished."""
    states = list(last_round_states())
    goal = GOALS[len(states)]
    rows = []
    for seat, (name, state) in enumerate(zip(NAMES, states, strict=True)):
        done = wording.cards_text(len(state.scored[seat]))
        note = gettext("reaches %(goal)s: the last round") % {"goal": goal} if state.triggered_by == seat else ""
        over = gettext("the match is over") if state.ended else ""
        rows.append(format_html('<b class="seat">{}</b><span>{}</span><i>{}</i>', name, done, note or over))
    return _drawing((_list(rows, "in-turn"),))


@cache
def count(language: str | None) -> SafeString:
    """Return what three players have scored, and how that adds up, the bonus included."""
    bonus, totals, rows = bonus_seats(SCORED), scores(SCORED), []
    for seat, (name, cards) in enumerate(zip(NAMES, SCORED, strict=True)):
        by_worth = sorted(Counter(POINTS[card] for card in cards).items())
        parts = [f"{count} × {points}" for points, count in by_worth]
        if seat in bonus:
            parts.append(gettext("%(bonus)s bonus") % {"bonus": BONUS})
        rows.append(
            format_html(
                '<b class="seat">{}</b><span class="worths" aria-hidden="true">{}</span><span>{}</span>',
                name,
                worths(cards),
                f"{' + '.join(parts)} = {totals[seat]}",
            )
        )
    return _drawing((_list(rows, "in-turn"),))


def worths(cards: Iterable[int]) -> SafeString:
    """Return the values of cards as little cards."""
    return joined(format_html("<i>{}</i>", points) for points in sorted(POINTS[card] for card in cards))


@cache
def alone(language: str | None) -> SafeString:
    """Return the sixteen cards of a match played alone, and its strikes after two turns without a score."""
    state = start_position(1)
    cards = (*state.hands[0], *state.deck)
    faces = joined(map(card_face, sorted(cards, key=lambda card: (POINTS[card], card))))
    strikes = joined(
        format_html('<svg class="{}"><use href="#icon-strike"/></svg>', "struck" if number < 2 else "")  # noqa: PLR2004
        for number in range(STRIKES)
    )
    text = gettext("%(count)s of %(most)s strikes") % {"count": 2, "most": STRIKES}
    return _drawing((
        format_html('<div class="sixteen">{}</div>', faces),
        format_html('<span class="strikes" role="img" aria-label="{}">{}</span>', text, strikes),
    ))  # fmt: skip
