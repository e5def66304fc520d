"""The pictures of the rules, drawn from the sprite and from what the rules make of the examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.engine.protocol import Event, Seat
from games.titles.regions import joined
from games.titles.shifting_stones import examples, wording
from games.titles.shifting_stones.drawing import card_face
from games.titles.shifting_stones.patterns import CELLS, POINTS, SIDE, Grid, cells_of, matches
from games.titles.shifting_stones.state import BONUS, GOALS, STRIKES, bonus_seats, scores
from games.titles.shifting_stones.wording import face_name

_PITCH = 20
_ARROW = mark_safe('<span aria-hidden="true">→</span>')


def _drawing(parts: Iterable[SafeString | str]) -> SafeString:
    return format_html('<div class="drawing">{}</div>', mark_safe("".join(parts)))  # noqa: S308  every part is safe


def _list(items: Iterable[SafeString], kind: str = "") -> SafeString:
    said = format_html(' class="{}"', kind) if kind else ""
    return format_html('<ul role="list"{}>{}</ul>', said, joined(format_html("<li>{}</li>", item) for item in items))


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
    found = examples.placements(card)
    grids = _list(grid(_laid(dict(placement))) for placement in found)
    told = ngettext("It fits in %(count)s place.", "It fits in %(count)s places.", len(found)) % {"count": len(found)}
    return _drawing((card_face(card), grids, _sum(told)))


def _laid(faces: dict[int, str]) -> tuple[str | None, ...]:
    return tuple(faces.get(cell) for cell in range(len(CELLS)))


def _sum(told: str) -> SafeString:
    return format_html('<span class="sum">{}</span>', told)


@cache
def compared(card: int, name: str, language: str | None) -> SafeString:
    """Return a card beside a grid of the examples, and whether its pattern lies there."""
    shown: Grid = examples.GRIDS[name]
    lies = matches(card, shown)
    kind, told = ("yes", gettext("scores")) if lies else ("no", gettext("does not score"))
    marked = cells_of(card, shown)
    return _drawing((card_face(card), grid(shown, marked), format_html('<b class="{}">{}</b>', kind, told)))


# --- turns ----------------------------------------------------------------------------------------------------------


@cache
def move(text: str, language: str | None) -> SafeString:
    """Return what an action makes of the example's stones, with the card that pays for it."""
    (made,) = examples.moves((text,))
    marked = examples.cells(" ".join(made.cells))
    return _drawing((card_face(made.card), grid(made.before, marked), _ARROW, grid(made.after, marked)))


@cache
def scored(card: int, language: str | None) -> SafeString:
    """Return a card that the example's stones show now, and the stones that show it."""
    (made,) = examples.moves((f"score {card}",))
    return _drawing((grid(made.after, cells_of(card, made.after)), _ARROW, card_face(card)))


@cache
def turn(language: str | None) -> SafeString:
    """Return a whole turn: the hand, then the stones after each action with what the log says of it."""
    hand = _drawing((_list(map(card_face, examples.HAND)),))
    steps = joined(
        format_html('<li>{}<span class="told">{}</span></li>', grid(made.after, _touched(made)), _told(made.events))
        for made in examples.moves()
    )
    return format_html('{}<ol class="steps" role="list">{}</ol>', hand, steps)


def _touched(made: examples.Move) -> Collection[int]:
    return cells_of(made.card, made.after) if made.verb == "score" else examples.cells(" ".join(made.cells))


def _told(events: Iterable[Event]) -> str:
    """Return what the log says to the player whose turn it is, except for the cards drawn."""
    public = (event for event in events if event.seen_by is None)
    return " ".join(wording.line(event, examples.NAMES, Seat(0)) for event in public)


@cache
def drawn(name: str, language: str | None) -> SafeString:
    """Return the hand before a turn of the examples and after it, when cards were drawn."""
    before, after, events = examples.drawn(name)
    told = " ".join(wording.line(event, examples.NAMES, Seat(0)) for event in events if event.seen_by is None)
    return _drawing((_hand(before), _ARROW, _hand(after), _sum(told)))


def _hand(cards: Iterable[int]) -> SafeString:
    return format_html('<span class="small-hand">{}</span>', joined(map(card_face, cards)))


# --- beginning and end ----------------------------------------------------------------------------------------------


@cache
def start(seats: int, language: str | None) -> SafeString:
    """Return the table at the start of a match as its first player sees it."""
    state = examples.start(seats)
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
    states = list(examples.last_round())
    goal = GOALS[len(states)]
    rows = []
    for seat, (name, state) in enumerate(zip(examples.NAMES, states, strict=True)):
        done = wording.cards_text(len(state.scored[seat]))
        note = gettext("reaches %(goal)s: the last round") % {"goal": goal} if state.triggered_by == seat else ""
        over = gettext("the match is over") if state.ended else ""
        rows.append(format_html('<b class="seat">{}</b><span>{}</span><i>{}</i>', name, done, note or over))
    return _drawing((_list(rows, "in-turn"),))


@cache
def count(language: str | None) -> SafeString:
    """Return what three players have scored, and how that adds up, the bonus included."""
    bonus, totals = bonus_seats(examples.SCORED), scores(examples.SCORED)
    rows = [
        format_html(
            '<b class="seat">{}</b><span class="worths" aria-hidden="true">{}</span><span>{}</span>',
            name, worths(cards), _added(cards, seat in bonus, totals[seat]),
        )
        for seat, (name, cards) in enumerate(zip(examples.NAMES, examples.SCORED, strict=True))
    ]  # fmt: skip
    return _drawing((_list(rows, "in-turn"),))


def worths(cards: Iterable[int]) -> SafeString:
    """Return the values of cards as little cards."""
    return joined(format_html("<i>{}</i>", points) for points in sorted(POINTS[card] for card in cards))


def _added(cards: Sequence[int], bonus: bool, total: int) -> str:
    parts = [f"{count} × {points}" for points, count in sorted(Counter(POINTS[card] for card in cards).items())]
    if bonus:
        parts.append(gettext("%(bonus)s bonus") % {"bonus": BONUS})
    return f"{' + '.join(parts)} = {total}"


@cache
def alone(language: str | None) -> SafeString:
    """Return the sixteen cards of a match played alone, and its strikes after two turns without a score."""
    state = examples.start(1)
    cards = (*state.hands[0], *state.deck)
    faces = joined(map(card_face, sorted(cards, key=lambda card: (POINTS[card], card))))
    strikes = joined(_strikes(2))
    told = gettext("%(count)s of %(most)s strikes") % {"count": 2, "most": STRIKES}
    return _drawing((
        format_html('<div class="sixteen">{}</div>', faces),
        format_html('<span class="strikes" role="img" aria-label="{}">{}</span>', told, strikes),
    ))  # fmt: skip


def _strikes(count: int) -> Iterator[SafeString]:
    for number in range(STRIKES):
        yield format_html('<svg class="{}"><use href="#icon-strike"/></svg>', "struck" if number < count else "")
