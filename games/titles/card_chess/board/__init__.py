"""The board of 3D cardChess, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation, Viewer
from games.titles import Fact, Mark, Number, Scene
from games.titles.card_chess.board import drawing, wording
from games.titles.card_chess.board.drawing import thumbnail
from games.titles.card_chess.board.wording import card_name, colour_name, line, piece_name, square_name
from games.titles.card_chess.rules import HAND, scoring
from games.titles.card_chess.rules.deck import CARDS, COLOURS, PIECES, Card, parse
from games.titles.card_chess.rules.options import OPTIONS, Rulings
from games.titles.card_chess.rules.scoring import Challenge, points, realm_parts, realms
from games.titles.card_chess.rules.state import Pile, Revealed
from games.titles.card_chess.rules.view import View
from games.titles.phrases import listing
from games.titles.regions import joined

__all__ = ["line", "thumbnail"]

TEMPLATE = "card_chess/board.jinja"
STYLES = ("card_chess/board.css",)
SCRIPTS = ("card_chess/board.js", "card_chess/drag.js", "card_chess/reveal.js")
MOTION = "card_chess/motion.js"
SPRITE = "card_chess/sprite.svg"
"""A Django template with the drawings and the guide, placed once in a page and outside what is pushed."""
THUMBNAIL_SPRITE = "card_chess/thumbnail.svg"
RULES = (
    ("card_chess/rules/short.html", _("In short")),
    ("card_chess/rules/pieces.html", _("The cards")),
    ("card_chess/rules/setup.html", _("Set-up")),
    ("card_chess/rules/turn.html", _("A turn")),
    ("card_chess/rules/capturing.html", _("What captures what")),
    ("card_chess/rules/challenge.html", _("A challenge")),
    ("card_chess/rules/scoring.html", _("Points")),
    ("card_chess/rules/match.html", _("The match")),
    ("card_chess/rules/options.html", _("Options for a table")),
    ("card_chess/rules/rulings.html", _("Rulings")),
    ("card_chess/rules/glossary.html", _("Glossary")),
    ("card_chess/rules/site.html", _("At this table")),
)
RULES_STYLES = ("card_chess/rules.css",)
OPEN = True
SCORE = _("Gold")
COUNTED = (
    ("captures", _("Piles captured")),
    ("realms", _("Realms")),
    ("challenges", _("Challenges won")),
    ("gold", _("Gold cards won")),
)
SHORTCUTS = (
    ("1 – 4", _("choose a card, then its place")),
    ("← ↑ → ↓", _("go from card to card and from place to place")),
    ("Enter", _("put the chosen card at a place, or take a card back")),
    ("S", _("seal and confirm")),
    ("G", _("show what captures what")),
    ("T", _("show the last turn; ← → step through its piles")),
    ("Esc", _("take all placed cards back; after a challenge, go on")),
)


# --- what is submitted ----------------------------------------------------------------------------------------------


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """Return the notation of the play a submitted board form asks for.

    >>> compose({"places": ["2"], "place1": ["gR5d"], "place2": ["bC#w"]})
    'play gR5d bC#w'

    Raises:
        RuleViolation: with the code "choice", when a place has no card.
    """
    count = "".join(fields.get("places", ()))
    places = range(1, int(count) + 1) if count in {"1", "2", "3", "4"} else ()
    cards = [card for number in places for card in fields.get(f"place{number}", [""])]
    if not cards or not all(cards):
        raise RuleViolation("choice", str(wording.MISSING))
    return " ".join(("play", *cards))


def marks(text: str) -> Sequence[Mark]:
    """Return the cards of a play, in the order of their places.

    >>> [mark.values for mark in marks("play gR5d bC#w")]
    [('gR5d',), ('bC#w',)]
    """
    return tuple(Mark("card", (card,)) for card in text.split()[1:])


# --- what is shown --------------------------------------------------------------------------------------------------


def context(scene: Scene) -> Mapping[str, Any]:
    """Return what `board.jinja` needs, under one name, as the page around it has variables of its own."""
    view: View = scene.view
    names, language = scene.names, get_language()
    shown = SimpleNamespace(
        mode=_mode(scene),
        labels=wording.labels(language),
        stands=progress(view, _is_over(scene), language),
        remarks=remarks(view.rulings, view.seats, view.removed_card, language),
        deck=view.deck,
        goal=goal(view.rulings, view.seats, view.gold_left, language),
        blocking=view.rulings.blocking,
        hints=scene.hints,
        columns=columns(view, scene.active, language, scene.hints),
        hand=hand(view),
        sealed=bool(view.play),
        revealed=last_turn(view, names, language),
        seats=seats(view, names, language),
        unseen=unseen(view.unseen, language),
        discards=discards(view.discards, language),
        challenges=challenges(view.challenges, language),
        names=[escape(name) for name in names],
        open=open_hands(scene.open, names),
    )
    return {"chess": shown}


def _mode(scene: Scene) -> str:
    """Return "over", "watch" (no seat), "play" (to move) or "wait"."""
    view: View = scene.view
    if _is_over(scene):
        return "over"
    if view.viewer is None:
        return "watch"
    return "play" if scene.active and view.may_confirm else "wait"


def _is_over(scene: Scene) -> bool:
    """Say whether the match has ended, by the rules or because somebody left."""
    view: View = scene.view
    return scene.ended or view.ended is not None


# --- the table and the hand -------------------------------------------------------------------------------------------


def columns(view: View, active: bool, language: str | None, hints: bool = True) -> Sequence[SimpleNamespace]:
    """Return the places of the table in order, each with what may be played there or was confirmed for it.

    Unless there are hints, which card captures what is left to the player.
    """
    hand = view.hand if active else ()
    own = view.play or (None,) * len(view.table)
    return [
        _column(number, target, sealed, hand, view.rulings, language, hints)
        for number, (target, sealed) in enumerate(zip(view.table, own, strict=True), 1)
    ]


@lru_cache(maxsize=4096)
def _column(  # noqa: PLR0917  # everything a column depends on
    number: int,
    target: str,
    sealed: str | None,
    hand: tuple[str, ...],
    rulings: Rulings,
    language: str | None,
    hints: bool,
) -> SimpleNamespace:
    return SimpleNamespace(
        number=number,
        label=escape(gettext("Place %(number)s: %(card)s") % {"number": number, "card": card_name(target)}),
        target=drawing.face(target),
        marks=drawing.marks(target, hand, rulings, language) if hints else "",
        choices=drawing.choices(target, hand, rulings, language) if hints else drawing.cards(hand, language),
        sealed=drawing.face(sealed) if sealed else "",
    )


def hand(view: View) -> Sequence[str]:
    """Return the viewer's hand, ready for the page, with empty slots in place of missing cards."""
    cards = (drawing.hand_card(card, slot) for slot, card in enumerate(view.hand, 1))
    slots = (drawing.empty_slot(number) for number in range(HAND - len(view.hand), 0, -1))
    return [*cards, *slots]


# --- how far the match is --------------------------------------------------------------------------------------------

_SECOND = 2


def progress(view: View, over: bool, language: str | None) -> str:
    """Return in a few words how far the match has come: "Challenge 2, second phase, turn 5"."""
    if over:
        return _ended(view.challenge, view.ended is not None, language)
    turn = None if view.is_last_turn else view.turn
    return _running(view.challenge, view.is_decider, view.phase, turn, language)


@lru_cache(maxsize=1024)
def _ended(challenge: int, by_the_rules: bool, language: str | None) -> str:
    if not by_the_rules:
        return escape(gettext("Ended in challenge %(number)s") % {"number": challenge})
    text = ngettext("Ended after %(count)s challenge", "Ended after %(count)s challenges", challenge)
    return escape(text % {"count": challenge})


@lru_cache(maxsize=1024)
def _running(challenge: int, decider: bool, phase: int, turn: int | None, language: str | None) -> str:
    """Return how far a running match has come; without a turn it is the last one of the challenge."""
    if turn is None and decider:
        return escape(gettext("Last turn of deciding challenge %(number)s") % {"number": challenge})
    if turn is None:
        return escape(gettext("Last turn of challenge %(number)s") % {"number": challenge})
    name = gettext("Deciding challenge %(number)s") if decider else gettext("Challenge %(number)s")
    text = (
        gettext("%(challenge)s, second phase, turn %(turn)s")
        if phase == _SECOND
        else gettext("%(challenge)s, turn %(turn)s")
    )
    return escape(text % {"challenge": name % {"number": challenge}, "turn": turn})


@lru_cache(maxsize=1024)
def goal(rulings: Rulings, seats: int, gold_left: int, language: str | None) -> str:
    """Return in a few words what the match is played for; empty when one challenge decides."""
    if rulings.length == "one_challenge":
        return ""
    if scoring.plays_for_all(seats, rulings):
        return escape(gettext("Gold left: %(count)s") % {"count": gold_left})
    return escape(gettext("Goal: %(count)s gold cards") % {"count": scoring.TARGET[rulings.length]})


@cache
def remarks(rulings: Rulings, seats: int, removed: str | None, language: str | None) -> str:
    """Return what is special about this match: options that were chosen, and the pawn that is out of it."""
    sentences = []
    for option in OPTIONS:
        if option.exists_for(seats) and (value := getattr(rulings, option.name)) != option.default:
            label = gettext(option.label)
            sentences.append(f"{label}." if value is True else f"{label}: {gettext(dict(option.choices)[value])}.")
    if removed:
        sentences.append(gettext("Out of this match: %(card)s.") % {"card": card_name(removed)})
    return escape(" ".join(sentences))


# --- the turn that was revealed last --------------------------------------------------------------------------------


def last_turn(view: View, names: tuple[str, ...], language: str | None) -> SimpleNamespace | None:
    """Return the last turn that was revealed, pile by pile, ready for the page; None before the first.

    If it ended a challenge, also what was left in hand and where everybody's points come from.
    """
    shown, turn = view.revealed, view.revealed.of_turn
    if not turn:
        return None
    before = [pile for pile in (shown.piles if shown.left else view.piles) if pile.turn < turn[0].turn]
    piles = []
    for number, pile in enumerate(turn):
        had = _won((*before, *turn[:number]), pile.captor)
        piles.append(_pile(pile, had, names, view.viewer, view.rulings, language))
    return SimpleNamespace(
        key=f"{shown.challenge}-{turn[0].phase}-{turn[0].turn}",
        title=escape(
            gettext("Revealed: challenge %(number)s, turn %(turn)s") % {"number": shown.challenge, "turn": turn[0].turn}
        ),
        piles=piles,
        **_end_of_challenge(shown, view.challenges[shown.challenge - 1], names, view.viewer, language)
        if shown.left
        else {"left": (), "counted": "", "counting": ()},
    )


def _won(piles: Sequence[Pile], seat: int | None) -> tuple[str, ...]:
    """Return the cards of the piles a seat has captured; none for nobody."""
    return tuple(card for pile in piles if pile.captor == seat is not None for card in pile.whole)


@lru_cache(maxsize=4096)
def _pile(  # noqa: PLR0917  # everything a pile depends on
    pile: Pile,
    before: tuple[str, ...],
    names: tuple[str, ...],
    viewer: Viewer,
    rulings: Rulings,
    language: str | None,
) -> SimpleNamespace:
    """Return a pile, given what its captor had won in the challenge before."""
    blocking, played = wording.blocking_seats(pile, rulings), []
    for seat, (name, card) in enumerate(zip(names, pile.cards, strict=True)):
        took, blocks = seat == pile.captor, seat in blocking
        mark = str(wording.MARKS[None if took else wording.fate(pile, seat, rulings)])
        if blocks:
            mark = gettext("%(reason)s: blocks") % {"reason": mark}
        played.append(
            SimpleNamespace(name=escape(name), face=drawing.face(card), mark=escape(mark), took=took, blocks=blocks)
        )
    return SimpleNamespace(
        number=pile.place + 1,
        target=drawing.face(pile.target),
        played=played,
        captor=pile.captor,
        verdict=escape(wording.verdict(pile, names, viewer, rulings)),
        earned=escape(wording.earned(pile, before)),
        note=escape(wording.rook_note(pile, rulings)),
    )


@lru_cache(maxsize=1024)
def _end_of_challenge(
    shown: Revealed, challenge: Challenge, names: tuple[str, ...], viewer: Viewer, language: str | None
) -> Mapping[str, Any]:
    """Return what each seat had left in hand, how the challenge came out, and where the points of each seat come from.

    Version 1 of the rules did not keep the piles of finished challenges, so points of its matches are not broken down.
    """
    won = [_won(shown.piles, seat) for seat in range(len(names))]
    counting = []
    for seat, (name, cards) in enumerate(zip(names, won, strict=True)):
        of = Counter(CARDS[card].points for card in cards)
        counts = (of[5], of[2], of[1], realms(cards))
        counting.append(
            SimpleNamespace(
                name=escape(name), counts=counts, points=challenge.points[seat], wins=seat == challenge.winner
            )
        )
    left = [
        SimpleNamespace(name=escape(name), faces=drawing.faces(cards))
        for name, cards in zip(names, shown.left, strict=True)
    ]
    return {
        "left": left if any(shown.left) else (),
        "counted": escape(wording.challenge_text(shown.challenge, challenge, names, viewer)),
        "counting": counting if tuple(map(points, won)) == challenge.points else (),
    }


# --- what everybody has won -----------------------------------------------------------------------------------------


def seats(view: View, names: Sequence[str], language: str | None) -> Sequence[SimpleNamespace]:
    """Return for each seat its gold, points, realms in progress and won piles of the challenge."""
    gold, captures, points = view.gold, view.captures, view.points
    return [
        _seat(seat, name, gold[seat], captures[seat], points[seat], view.won(seat), language)
        for seat, name in enumerate(names)
    ]


@lru_cache(maxsize=4096)
def _seat(  # noqa: PLR0917  # everything shown of a seat
    seat: int, name: str, gold: int, captures: int, points: int, won: tuple[str, ...], language: str | None
) -> SimpleNamespace:
    return SimpleNamespace(
        name=escape(name),
        gold=range(gold),
        gold_text=escape(gettext("Gold cards: %(count)s") % {"count": gold}),
        tally=escape(gettext("Piles: %(count)s") % {"count": captures}),
        points=escape(gettext("Points: %(count)s") % {"count": points}),
        realms=joined(
            drawing.realm(seat, colour, parts, language)
            for colour, parts in zip(COLOURS, realm_parts(won), strict=True)
        ),
        faces=drawing.pile(f"of-{seat}", won),
    )


# --- counting cards -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def unseen(cards: tuple[str, ...], language: str | None) -> SimpleNamespace:
    """Return which cards have not been seen, as a table: a row for each piece and value, columns for the squares."""
    counts, kinds = Counter(cards), dict[tuple[str, str], list[Card]]()
    for card in CARDS.values():
        kinds.setdefault((card.piece, "" if card.piece == "rook" else card.value), []).append(card)
    rows = [
        SimpleNamespace(
            letter=PIECES[piece],
            name=escape(f"{piece_name(piece)} {value}".strip()),
            value=value or "5/6",
            cells=[
                SimpleNamespace(count=counts[each.text], square=each.square, wide=each.square == "white")
                for each in same
            ],
        )
        for (piece, value), same in kinds.items()
    ]
    return SimpleNamespace(
        title=escape(gettext("Not seen yet: %(count)s") % {"count": len(cards)}),
        colours=[escape(colour_name(colour)) for colour in COLOURS],
        squares=[escape(square_name(square)) for _ in COLOURS for square in ("light", "dark")],
        rows=rows,
    )


# --- what lies open -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def discards(cards: tuple[str, ...], language: str | None) -> SimpleNamespace:
    """Return the discards, the newest first."""
    return SimpleNamespace(
        title=escape(gettext("Discards: %(count)s") % {"count": len(cards)}),
        faces=drawing.pile("discarded", cards, newest_first=True),
    )


@lru_cache(maxsize=1024)
def challenges(past: tuple[Challenge, ...], language: str | None) -> Sequence[SimpleNamespace]:
    """Return the finished challenges: number, points of all, who won; a deciding one is marked."""
    return [
        SimpleNamespace(number=number, points=list(each.points), winner=each.winner, decider=each.decider)
        for number, each in enumerate(past, 1)
    ]


def open_hands(views: Sequence[View], names: Sequence[str]) -> Sequence[SimpleNamespace]:
    """Return the hand and the confirmed play of every seat, for a match that is over and replayed with all hands."""
    return [
        SimpleNamespace(name=escape(name), hand=drawing.faces(view.hand), play=drawing.faces(view.play))
        for name, view in zip(names, views, strict=False)  # no views: nothing is shown
    ]


# --- around the board ------------------------------------------------------------------------------------------------


def status(scene: Scene) -> str:
    """Return in one sentence who must do what, or how the match ended, addressed to this viewer."""
    view: View = scene.view
    if (outcome := view.outcome) is not None:
        return wording.result(scene.names, outcome.places, outcome.scores, outcome.reason, scene.viewer)
    if scene.active and view.may_confirm:
        return gettext("Your turn: fill every place.")
    waiting = [name for name, confirmed in zip(scene.names, view.confirmed, strict=True) if not confirmed]
    return gettext("Waiting for %(names)s.") % {"names": listing(waiting)}


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return gold cards and points for each seat: of the present challenge, and of all once the match is over."""
    view: View = scene.view
    gold, language = view.gold, get_language()
    points = _all_points(view) if _is_over(scene) else view.points
    return [_facts(gold[seat], points[seat], language) for seat in range(view.seats)]


@lru_cache(maxsize=4096)
def _facts(gold: int, points: int, language: str | None) -> tuple[Fact, ...]:
    return Fact("gold", gettext("Gold"), str(gold)), Fact("points", gettext("Points"), str(points))


def rules_section(scene: Scene) -> str:
    """Return the section about what the viewer does now, or about what has just happened."""
    view: View = scene.view
    if view.ended is not None or view.is_decider:
        return "match"
    if view.challenges and view.turn == 1:
        return "scoring"
    if view.phase > 1:
        return "challenge"
    return "capturing" if view.play or view.viewer is None else "turn"


def decisive(scene: Scene) -> Sequence[Number]:
    """Return gold cards, then piles, realms and points of all challenges; an unfinished challenge counts."""
    view: View = scene.view
    counted = counts(scene)
    return (
        Number(gettext("Gold"), tuple(map(str, view.gold))),
        Number(gettext("Piles"), tuple(str(each["captures"]) for each in counted)),
        Number(gettext("Realms"), tuple(str(each["realms"]) for each in counted)),
        Number(gettext("Points"), tuple(map(str, _all_points(view)))),
    )


def _all_points(view: View) -> tuple[int, ...]:
    if view.ended is not None:
        return view.totals
    return tuple(total + now for total, now in zip(view.totals, view.points, strict=True))


def secret(text: str, view: View) -> str:
    """Return which card is laid on which card of the table."""
    return wording.laid_out(parse(text).cards, view.table)


def counts(scene: Scene) -> Sequence[Mapping[str, int]]:
    """Return piles captured, realms, challenges and gold won by each seat; an unfinished challenge counts its piles."""
    view: View = scene.view
    unfinished = view.ended is None
    gold, captures, realms = view.gold, view.captures, view.realms
    return [
        {
            "captures": sum(each.captures[seat] for each in view.challenges) + unfinished * captures[seat],
            "realms": sum(each.realms[seat] for each in view.challenges) + unfinished * realms[seat],
            "challenges": sum(each.winner == seat for each in view.challenges),
            "gold": gold[seat],
        }
        for seat in range(view.seats)
    ]
