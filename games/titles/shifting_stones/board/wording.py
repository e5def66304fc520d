"""The words for stones, patterns, events and results, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event, Viewer
from games.titles.phrases import addressed, listing, points_text, winners_text
from games.titles.shifting_stones.rules import state
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, Card

_FACES = {
    "sun": _("sun"),
    "moon": _("moon"),
    "fish": _("fish"),
    "bird": _("bird"),
    "horse": _("horse"),
    "boat": _("boat"),
    "seed": _("acorn"),
    "tree": _("tree"),
}
_ANY = _("any stone")
_COLUMNS = (_("%(face)s in the left column"), _("%(face)s in the middle column"), _("%(face)s in the right column"))
_ROWS = (_("%(face)s in the top row"), _("%(face)s in the middle row"), _("%(face)s in the bottom row"))
_PLACES = (
    _("%(face)s in the top left corner"),
    _("%(face)s at the top"),
    _("%(face)s in the top right corner"),
    _("%(face)s on the left"),
    _("%(face)s in the middle"),
    _("%(face)s on the right"),
    _("%(face)s in the bottom left corner"),
    _("%(face)s at the bottom"),
    _("%(face)s in the bottom right corner"),
)


_SKIP_REFUSED = {
    None: "",
    "skip-after-acting": _("You have already acted, so you cannot skip."),
    "skip-twice": _("You skipped your last turn, so you cannot skip this one."),
    "skip-hand-too-full": _("You hold more than four cards, so you cannot skip."),
}


def skip_refused(code: str | None) -> str:
    """Return why a turn cannot be skipped; empty if it can."""
    return str(_SKIP_REFUSED[code])


def face_name(face: str | None) -> str:
    """Return the name of a side of a stone; None is a cell that can hold any stone."""
    return _face_name(face, get_language())


@cache
def _face_name(face: str | None, language: str | None) -> str:
    return str(_ANY if face is None else _FACES[face])


def pattern_text(card: int) -> str:
    """Return a card's pattern in words, e.g. "fish in the middle"."""
    return _pattern_text(card, get_language())


@cache
def _pattern_text(card: int, language: str | None) -> str:
    pattern = CARDS[card]
    match len(pattern.rows), len(pattern.rows[0]):
        case (3, 3):
            return _placed(pattern, _PLACES)
        case (1, 3):
            return _in_line(pattern, _COLUMNS, gettext("%(faces)s side by side"))
        case (3, 1):
            return _in_line(pattern, _ROWS, gettext("%(faces)s from top to bottom"))
        case (1, 2):
            left, right = _names(pattern)
            return gettext("%(left)s left of %(right)s") % {"left": left, "right": right}
        case (2, 1):
            upper, lower = _names(pattern)
            return gettext("%(upper)s above %(lower)s") % {"upper": upper, "lower": lower}
        case _:
            upper, lower = (listing(map(face_name, row)) for row in pattern.rows)
            return gettext("%(upper)s above %(lower)s") % {"upper": upper, "lower": lower}


def _names(pattern: Card) -> list[str]:
    return [face_name(face) for row in pattern.rows for face in row]


def _placed(pattern: Card, places: Sequence[Any]) -> str:
    cells = [face for row in pattern.rows for face in row]
    return ", ".join(
        str(place) % {"face": face_name(face)} for place, face in zip(places, cells, strict=True) if face is not None
    )


def _in_line(pattern: Card, places: Sequence[Any], several: str) -> str:
    faces = [face for row in pattern.rows for face in row]
    if sum(face is not None for face in faces) == 1:
        return _placed(pattern, places)
    return several % {"faces": listing(map(face_name, faces))}


def card_text(card: int) -> str:
    """Return a card as it is named in sentences: "card 12 (1 point, fish in the middle)"."""
    return _card_text(card, get_language())


@cache
def _card_text(card: int, language: str | None) -> str:
    points = CARDS[card].points
    text = ngettext(
        "card %(id)s (%(points)s point, %(pattern)s)", "card %(id)s (%(points)s points, %(pattern)s)", points
    )
    return text % {"id": card, "points": points, "pattern": pattern_text(card)}


def cards_text(cards: int) -> str:
    return ngettext("%(count)s card", "%(count)s cards", cards) % {"count": cards}


def strikes_text(left: int) -> str:
    return ngettext("%(count)s strike left", "%(count)s strikes left", left) % {"count": left}


def bonus() -> str:
    """Return the bonus as something that is added."""
    return gettext("+%(bonus)s bonus") % {"bonus": state.BONUS}


def bonus_condition() -> str:
    """Return on what the bonus of whoever has it now depends."""
    return gettext("if nobody has more 1-point cards at the end")


# --- the log --------------------------------------------------------------------------------------------------------


def line(event: Event, names: Sequence[str], reader: Viewer) -> str:
    """Return one sentence for the log; empty when the event needs none. The reader's own seat is "you"."""
    if isinstance(event, state.Finished):
        return _finished(event, names, reader)
    describe = _LINES.get(type(event))
    if describe is None:
        return ""
    yours, theirs, words = describe(event)
    seat = getattr(event, "seat", 0)
    return (yours if seat == reader else theirs) % {"name": names[seat], **words}


def caption(event: Event, names: Sequence[str], reader: Viewer) -> str:
    """Return what the log shows beside the pictures of an event, and the face of who acted; empty for the line."""
    match event:
        case state.StonesShifted(first=first, second=second):
            return gettext("Swapped %(first)s and %(second)s.") % {"first": CELLS[first], "second": CELLS[second]}
        case state.StoneFlipped(cell=cell):
            return gettext("Flipped %(cell)s.") % {"cell": CELLS[cell]}
        case state.CardScored(points=points):
            return gettext("Scored %(points)s.") % {"points": points_text(points)}
        case state.CardsReceived(seat=seat):
            text = gettext("Only you see which.") if seat == reader else gettext("Only %(name)s sees which.")
            return text % {"name": names[seat]}
    return ""


_Line: TypeAlias = tuple[str, str, Mapping[str, Any]]
"""A sentence to the player who acted, the same to everybody else, and the words for both besides the name."""


def _dealt(event: state.Dealt) -> _Line:
    text = gettext("The stones are laid out and everyone gets %(cards)s.")
    return text, text, {"cards": cards_text(event.count)}


def _shifted(event: state.StonesShifted) -> _Line:
    yours = gettext("You swap %(face)s %(first)s and %(other)s %(second)s, discarding %(card)s.")
    theirs = gettext("%(name)s swaps %(face)s %(first)s and %(other)s %(second)s, discarding %(card)s.")
    words = {
        "first": CELLS[event.first],
        "face": face_name(event.first_face),
        "second": CELLS[event.second],
        "other": face_name(event.second_face),
        "card": card_text(event.card),
    }
    return yours, theirs, words


def _flipped(event: state.StoneFlipped) -> _Line:
    yours = gettext("You flip %(cell)s from %(old)s to %(new)s, discarding %(card)s.")
    theirs = gettext("%(name)s flips %(cell)s from %(old)s to %(new)s, discarding %(card)s.")
    sides = {"old": face_name(event.old_face), "new": face_name(event.new_face)}
    return yours, theirs, {"cell": CELLS[event.cell], "card": card_text(event.card), **sides}


def _scored(event: state.CardScored) -> _Line:
    yours, theirs = gettext("You score %(card)s."), gettext("%(name)s scores %(card)s.")
    return yours, theirs, {"card": card_text(event.card)}


def _ended(event: state.TurnEnded) -> _Line:
    if event.by_itself:
        yours = gettext("You have no cards left: your turn ends.")
        return yours, gettext("%(name)s has no cards left: the turn ends."), {}
    return gettext("You end your turn."), gettext("%(name)s ends the turn."), {}


def _skipped(event: state.TurnSkipped) -> _Line:
    return gettext("You skip your turn."), gettext("%(name)s skips the turn."), {}


def _reshuffled(event: state.PileReshuffled) -> _Line:
    text = ngettext(
        "The draw pile is empty: %(count)s discard becomes the new one.",
        "The draw pile is empty: %(count)s discards are shuffled into a new one.",
        event.count,
    )
    return text, text, {"count": event.count}


def _drawn(event: state.CardsDrawn) -> _Line:
    yours, theirs = gettext("You draw %(cards)s."), gettext("%(name)s draws %(cards)s.")
    return yours, theirs, {"cards": cards_text(event.count)}


def _received(event: state.CardsReceived) -> _Line:
    yours, theirs = gettext("Only you see: %(cards)s."), gettext("Only %(name)s sees: %(cards)s.")
    return yours, theirs, {"cards": "; ".join(map(card_text, event.cards))}


def _triggered(event: state.EndTriggered) -> _Line:
    yours = gettext("You have scored %(cards)s: the match ends with this round.")
    theirs = gettext("%(name)s has scored %(cards)s: the match ends with this round.")
    return yours, theirs, {"cards": cards_text(event.count)}


def _strike(event: state.Strike) -> _Line:
    yours = gettext("You have scored nothing in this turn: a strike. %(left)s.")
    theirs = gettext("%(name)s has scored nothing in this turn: a strike. %(left)s.")
    return yours, theirs, {"left": strikes_text(event.left)}


_LINES: Mapping[type[Event], Callable[[Any], _Line]] = {
    state.Dealt: _dealt,
    state.StonesShifted: _shifted,
    state.StoneFlipped: _flipped,
    state.CardScored: _scored,
    state.TurnEnded: _ended,
    state.TurnSkipped: _skipped,
    state.PileReshuffled: _reshuffled,
    state.CardsDrawn: _drawn,
    state.CardsReceived: _received,
    state.EndTriggered: _triggered,
    state.Strike: _strike,
}


def _finished(event: state.Finished, names: Sequence[str], reader: Viewer) -> str:
    if event.reason in {"won", "lost"}:
        return solo_end(names[0], won=event.reason == "won", points=event.scores[0], mine=reader == 0)
    text = result(names, event.places, event.scores, reader)
    if event.reason == "idle":
        text = gettext("100 rounds have been played.") + " " + text
    if event.bonus:
        holders = listing(addressed(names, reader)[seat] for seat in event.bonus)
        text += " " + gettext("This includes 3 bonus points for the most 1-point cards (%(names)s).") % {
            "names": holders
        }
    return text


# --- results --------------------------------------------------------------------------------------------------------


def result(names: Sequence[str], places: Sequence[int], scores: Sequence[int], reader: Viewer = None) -> str:
    """Return how a match of several players ended: "ann won, 21 to 17."; the reader's own seat is "you"."""
    first = [seat for seat, place in enumerate(places) if place == 1]
    rest = sorted((seat for seat, place in enumerate(places) if place > 1), key=lambda seat: places[seat])
    if len(first) == len(rest) == 1:
        words = {"name": names[first[0]], "points": scores[first[0]], "other": scores[rest[0]]}
        if reader in first:
            return gettext("You won, %(points)s to %(other)s.") % words
        return gettext("%(name)s won, %(points)s to %(other)s.") % words
    text = winners_text([names[seat] for seat in first if seat != reader], reader in first, scores[first[0]])
    called = addressed(names, reader)
    others = ", ".join(f"{called[seat]} {scores[seat]}" for seat in rest)
    return f"{text}; {others}." if others else f"{text}."


def solo_end(name: str, *, won: bool, points: int, mine: bool = False) -> str:
    """Return how a solo match ended."""
    if won:
        mine_text = gettext("You have scored every card and win with %(points)s.")
        text = mine_text if mine else gettext("%(name)s has scored every card and wins with %(points)s.")
    else:
        mine_text = gettext("The fourth strike: you lose with %(points)s.")
        text = mine_text if mine else gettext("The fourth strike: %(name)s loses with %(points)s.")
    return text % {"name": name, "points": points_text(points)}
