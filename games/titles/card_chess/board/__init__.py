"""The board of 3D cardChess, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.html import escape
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Fact, Mark, Number, Scene, SoloResult
from games.titles.card_chess.board import table, wording
from games.titles.card_chess.board.drawing import thumbnail
from games.titles.card_chess.board.wording import line
from games.titles.card_chess.rules.deck import PIECES, parse
from games.titles.card_chess.rules.view import View
from games.titles.phrases import listing

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

MISSING = _("Choose a card for every place.")
"""The refusal of an incomplete choice."""


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
        raise RuleViolation("choice", str(MISSING))
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
        labels=_labels(language),
        stands=table.stands(view, _is_over(scene), language),
        remarks=table.remarks(view.rulings, view.seats, view.removed_card, language),
        deck=view.deck,
        goal=table.goal(view.rulings, view.seats, view.gold_left, language),
        blocking=view.rulings.blocking,
        hints=scene.hints,
        columns=table.columns(view, scene.active, language, scene.hints),
        hand=table.hand(view),
        sealed=bool(view.play),
        revealed=table.last_turn(view, names, language),
        seats=table.seats(view, names, language),
        unseen=table.unseen(view.unseen, language),
        discards=table.discards(view.discards, language),
        challenges=table.challenges(view.challenges, language),
        names=[escape(name) for name in names],
        open=table.open_hands(scene.open, names),
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


@cache
def _labels(language: str | None) -> SimpleNamespace:
    """Return the fixed words of the board, ready for the page."""
    words = {
        "table": gettext("The table"),
        "hand": gettext("Your cards"),
        "place": gettext("Place"),
        "choose": gettext("choose a card"),
        "confirm": gettext("Confirm"),
        "hint": gettext("Choose a card from your hand, then its place."),
        "sealed": gettext("Sealed until everyone has confirmed. Until then you can take them back with Undo."),
        "sealed_card": gettext("sealed"),
        "guide": gettext("What captures what"),
        "last_turn": gettext("Last turn"),
        "nothing": gettext("No turn has been revealed yet."),
        "before": gettext("Previous pile"),
        "after": gettext("Next pile"),
        "go_on": gettext("Go on"),
        "left": gettext("Left in hand, discarded"),
        "counting": gettext("How the points came about"),
        "player": gettext("Player"),
        "realm": gettext("Realms"),
        "points": gettext("Points"),
        "deck": gettext("Draw pile"),
        "standing": gettext("Won in this challenge"),
        "no_pile": gettext("No piles captured yet."),
        "challenges": gettext("Challenges so far"),
        "challenge": gettext("Challenge"),
        "decider": gettext("deciding"),
        "drawn": gettext("drawn"),
        "wins": gettext("wins"),
        "piece": gettext("Piece"),
        "none": gettext("none"),
        "open": gettext("All hands"),
        "played": gettext("plays"),
    }
    pieces = {letter: escape(wording.piece_name(piece)) for piece, letter in PIECES.items()}
    return SimpleNamespace(pieces=pieces, **{name: escape(text) for name, text in words.items()})


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


def solo_result(scene: Scene) -> SoloResult | None:
    """Return None: this game cannot be played alone."""
    return None


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


def words() -> Mapping[str, str]:
    """Return the sentences the script says while the player chooses, by the names it knows them by."""
    return {
        "start": gettext("Choose a card from your hand, then its place."),
        "where": gettext("Now choose its place."),
        "takes": gettext("Captures at place {0}. Now choose a place."),
        "several": gettext("Captures at places {0}. Now choose a place."),
        "useless": gettext("Captures nothing here. Now choose a place."),
        "blocks": gettext(
            "Captures nothing here, but blocks a pile if no stronger card is played at it. Now choose a place."
        ),
        "more": gettext("Choose the next card."),
        "ready": gettext("Every place has a card: confirm."),
        "missing": str(MISSING),
        "first": gettext("Choose a card first."),
        "empty": gettext("Place {0}, empty"),
        "holds": gettext("Place {0}: {1}"),
        "step": gettext("{0} of {1}"),
        "revealing": gettext("The turn is revealed."),
        "counted": gettext("The challenge is over."),
    }
