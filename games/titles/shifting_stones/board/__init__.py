"""The board of Shifting Stones, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event, RuleViolation
from games.titles import Doubt, Fact, Mark, Number, Scene, SoloResult
from games.titles.phrases import addressed, points_text
from games.titles.regions import Region, region
from games.titles.shifting_stones.board import drawing, wording
from games.titles.shifting_stones.board.drawing import log_picture, pictured, thumbnail
from games.titles.shifting_stones.board.wording import caption, line
from games.titles.shifting_stones.rules.patterns import CELLS, POINTS, Grid, cells_of, nearest_place
from games.titles.shifting_stones.rules.state import (
    BONUS,
    HAND,
    SKIP_DRAW,
    CardScored,
    StoneFlipped,
    StonesShifted,
    TurnEnded,
    bonus_seats,
    card_points,
)
from games.titles.shifting_stones.rules.view import View

__all__ = ["caption", "line", "log_picture", "pictured", "thumbnail"]

TEMPLATE = "shifting_stones/board.jinja"
PITCH = _("Shift and flip nine stones until they show the patterns on your cards.")
STYLES = ("shifting_stones/board.css",)
SCRIPTS = ("shifting_stones/board.js", "shifting_stones/drag.js")
MOTION = "shifting_stones/motion.js"
SPRITE = "shifting_stones/sprite.svg"
"""A Django template with the drawings, once in each page and outside what is pushed."""
THUMBNAIL_SPRITE = "shifting_stones/thumbnail.svg"
RULES = (
    ("shifting_stones/rules/short.html", _("In short")),
    ("shifting_stones/rules/pieces.html", _("Stones and cards")),
    ("shifting_stones/rules/setup.html", _("Set-up")),
    ("shifting_stones/rules/turn.html", _("Your turn")),
    ("shifting_stones/rules/patterns.html", _("Patterns")),
    ("shifting_stones/rules/end.html", _("The end")),
    ("shifting_stones/rules/solo.html", _("Alone")),
    ("shifting_stones/rules/rulings.html", _("Options and rulings")),
    ("shifting_stones/rules/glossary.html", _("Glossary")),
    ("shifting_stones/rules/site.html", _("At this table")),
)
RULES_STYLES = ("shifting_stones/rules.css",)
SHORTCUTS = (
    ("1 – 6", _("choose a card")),
    ("← ↑ → ↓, Enter", _("go to a stone and choose it")),
    ("X", _("shift")),
    ("F", _("flip")),
    ("S", _("score")),
    ("E", _("end the turn")),
    ("D, Enter", _("skip and draw two")),
    ("Esc", _("clear your choice")),
)


# --- what is submitted ----------------------------------------------------------------------------------------------

MISSING = {
    "card": _("Choose a card to discard."),
    "pattern": _("Choose the card to score."),
    "two": _("Choose two adjacent stones."),
    "one": _("Choose one stone to flip."),
    "verb": _("Choose what to do: shift, flip, score, end or skip."),
}
"""The messages for an incomplete choice."""


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """Return the notation of the action a submitted board form asks for.

    >>> compose({"verb": ["flip"], "card": ["12"], "cell": ["b2"]})
    'flip 12 b2'

    Raises:
        RuleViolation: with the code "choice", if a card or a stone is missing or there are too many.
    """
    verb = _only(fields, "verb", 1, "verb")[0]
    match verb:
        case "end" | "skip":
            return verb
        case "score":
            words = _only(fields, "card", 1, "pattern")
        case "flip":
            words = [*_only(fields, "card", 1, "card"), *_only(fields, "cell", 1, "one")]
        case "shift":
            words = [*_only(fields, "card", 1, "card"), *_only(fields, "cell", 2, "two")]
        case _:
            raise _incomplete("verb")
    return " ".join((verb, *words))


def doubt(text: str, view: View) -> Doubt | None:
    """Return what to ask before a turn ends on which nothing was done; None for all else, also for a skipped turn."""
    if text != "end" or view.viewer != view.mover or view.acted:
        return None
    return Doubt(gettext("You haven’t done anything this turn. End it anyway?"), gettext("End turn"))


def marks(text: str) -> Sequence[Mark]:
    """Return the card, the stones and the button of an action.

    >>> [mark.values[0] for mark in marks("shift 12 a1 b1")]
    ['12', 'a1', 'b1', 'shift']
    """
    verb, *words = text.split()
    card, cells = words[:1], words[1:]
    return (
        *(Mark("card", (word,)) for word in card),
        *(Mark("cell", (word,)) for word in cells),
        Mark("verb", (verb,)),
    )


def _only(fields: Mapping[str, Sequence[str]], name: str, count: int, missing: str) -> list[str]:
    values = list(fields.get(name, ()))
    if len(values) != count:
        raise _incomplete(missing)
    return values


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))


# --- what is shown --------------------------------------------------------------------------------------------------

_STONES = tuple(f"at-{cell}" for cell in CELLS)


def regions(scene: Scene) -> Mapping[str, Region]:
    """Return the stones, the piles of cards that lie open, and how far the match has come."""
    view: View = scene.view
    found = {
        name: _stone(cell, face, scene.seated) for cell, (name, face) in enumerate(zip(_STONES, view.grid, strict=True))
    }
    found["draw-pile"] = region(f"{TEMPLATE}#draw_pile", count=view.deck)
    if view.discards:
        found["discard-top"] = region(f"{TEMPLATE}#discard_top", card=view.discards[-1], count=len(view.discards))
        found |= _faces("discards", "discarded", view.discards[::-1])
    found["progress"] = region(
        drawing.progress,
        turn=view.round,
        goal=view.goal,
        last=view.last_round,
        over=view.ended is not None,
        strikes=view.strikes if view.solo else None,
    )
    for seat, cards in enumerate(view.scored):
        found |= _faces(f"faces-{seat}", "scored", cards)
    return found


# Stones and cards are compared at every move: each is made once.
@cache
def _stone(cell: int, face: str, seated: bool) -> Region:
    return region(drawing.stone, cell=cell, face=face, seated=seated)


@cache
def _face(pile: str, card: int) -> Region:
    return region(f"{TEMPLATE}#face", pile=pile, card=card)


def _faces(name: str, pile: str, cards: Sequence[int]) -> Mapping[str, Region]:
    """Return the cards of a pile as pictures."""
    faces = {f"{pile}-{card}": _face(pile, card) for card in cards}
    return {name: region(f"{TEMPLATE}#faces", inside=faces, id=name), **faces}


def own_regions(scene: Scene) -> Mapping[str, Region]:
    """Return the frame of the board, the hand, what may be done, and what is new since the viewer's own last action."""
    view: View = scene.view
    mode = "watch" if view.viewer is None else "play" if scene.active else "wait"
    changed = _changed(scene)
    return {
        "stones-board": region(f"{TEMPLATE}#board", inside=("tray", "ghosts", "side", "standing"), mode=mode),
        "tray": region(f"{TEMPLATE}#tray", inside=_STONES, mode=mode, seated=scene.seated, changed=changed),
        "side": region(f"{TEMPLATE}#side", inside=_BESIDE[mode]),
        "changed": region(f"{TEMPLATE}#changed", cells=changed),
        **_ghosts(view),
        **(_hand(view, mode) if mode != "watch" else {}),
        **(_verbs(view) if mode == "play" else {}),
        **_piles(view, scene),
        **_standing(view, scene),
    }


_BESIDE = {
    "watch": ("changed", "piles"),
    "wait": ("changed", "hand", "piles"),
    "play": ("changed", "hand", "verbs", "piles"),
}


def _changed(scene: Scene) -> tuple[str, ...]:
    """Return the cells that others have changed since the viewer's last action, and those of the last action."""
    cells: set[int] = set()
    for event in (*scene.since, *scene.recent):
        if isinstance(event, StonesShifted):
            cells |= {event.first, event.second}
        elif isinstance(event, StoneFlipped):
            cells.add(event.cell)
    for event in scene.recent:
        if isinstance(event, CardScored):
            cells.update(event.cells)
    return tuple(CELLS[cell] for cell in sorted(cells))


def _ghosts(view: View) -> Mapping[str, Region]:
    """Return the pattern of each card in hand as it would lie on the stones, in the order of the hand."""
    ghosts = {} if view.ended else {f"ghost-{card}": _ghost(card, view.grid) for card in view.hand}
    return {"ghosts": region(f"{TEMPLATE}#ghosts", inside=ghosts), **ghosts}


@lru_cache(maxsize=4096)
def _ghost(card: int, grid: Grid) -> Region:
    place = nearest_place(card, grid)
    return region(
        drawing.ghost,
        card=card,
        right=tuple(CELLS[cell] for cell, face in place if grid[cell] == face),
        missing=tuple((CELLS[cell], face) for cell, face in place if grid[cell] != face),
    )


def _hand(view: View, mode: str) -> Mapping[str, Region]:
    """Return the viewer's cards, which say so to whoever may score them now, and slots for as many as can be held."""
    cards = {}
    for card in view.hand:
        scores = mode == "play" and bool(cells_of(card, view.grid))
        bonus = scores and _brings_bonus(view, card)
        last = scores and len(view.hand) == 1
        cards[f"held-{card}"] = region(drawing.hand_card, card=card, scores=scores, bonus=bonus, last=last)
    slots = {
        f"slot-{number}": region(f"{TEMPLATE}#slot", number=number)
        for number in range(HAND + SKIP_DRAW - len(view.hand), 0, -1)
    }
    return {
        "hand": region(f"{TEMPLATE}#hand", inside=(*cards, *slots), cards=len(view.hand), mode=mode),
        **cards,
        **slots,
    }


def _brings_bonus(view: View, card: int) -> bool:
    """Return whether the viewer, who can score this card, gets the bonus for the most 1-point cards by it."""
    after = [(*cards, card) if seat == view.viewer else cards for seat, cards in enumerate(view.scored)]
    return view.viewer not in view.bonus_seats and view.viewer in bonus_seats(after)


def _verbs(view: View) -> Mapping[str, Region]:
    return {
        "verbs": region(f"{TEMPLATE}#verbs", inside=("hint", "verb-skip")),
        "hint": region(f"{TEMPLATE}#hint", empty_handed=not view.hand),
        "verb-skip": region(f"{TEMPLATE}#skip", refused=wording.skip_refused(view.skip_refused)),
    }


def _piles(view: View, scene: Scene) -> Mapping[str, Region]:
    piles = region(f"{TEMPLATE}#piles", inside=("draw-pile", "discard-pile"))
    if not view.discards:
        return {"piles": piles, "discard-pile": region(f"{TEMPLATE}#no_discards")}
    new = any(isinstance(event, StonesShifted | StoneFlipped) for event in scene.since)
    return {
        "piles": piles,
        "discard-pile": region(f"{TEMPLATE}#discard_pile", inside=("discard-top", "discards"), new=new),
    }


def _standing(view: View, scene: Scene) -> Mapping[str, Region]:
    """Return what all have scored, with marks at what is new to the viewer."""
    fresh = frozenset(event.card for event in scene.since if isinstance(event, CardScored))
    holders, over, language = view.bonus_seats, _is_over(scene), get_language()
    seats = [f"scored-by-{seat}" for seat in range(view.seats)]
    inside = ("progress", "holdings") if view.solo else ("progress", "holdings", "bonus")
    found = {
        "standing": region(f"{TEMPLATE}#standing", inside=inside),
        "holdings": region(f"{TEMPLATE}#holdings", inside=seats),
    }
    for seat, (name, cards) in enumerate(zip(scene.names, view.scored, strict=True)):
        inside = (f"tally-{seat}", f"faces-{seat}")
        found[seats[seat]] = region(f"{TEMPLATE}#scored_by", inside=inside, seat=seat, moves=view.to_move == seat)
        fresh_cards = fresh.intersection(cards)
        found[f"tally-{seat}"] = _tally(seat, name, cards, fresh_cards, view.goal, seat in holders, over, language)
    if not view.solo:
        called = addressed(scene.names, scene.reader)
        found["bonus"] = region(drawing.bonus, holders=tuple(called[seat] for seat in holders), over=over)
    return found


@lru_cache(maxsize=4096)  # it is counted and put into words, and seldom changes
def _tally(  # noqa: PLR0917  # all that it depends on
    seat: int,
    name: str,
    cards: tuple[int, ...],
    fresh: frozenset[int],
    goal: int,
    bonus: bool,
    over: bool,
    language: str | None,
) -> Region:
    return region(
        f"{TEMPLATE}#tally",
        seat=seat,
        name=name,
        count=len(cards),
        goal=goal,
        points=card_points(cards),
        bonus=wording.bonus() if bonus else "",
        why="" if over else wording.bonus_condition(),
        chips=tuple((POINTS[card], card in fresh) for card in cards),
    )


# --- what is said around the board ----------------------------------------------------------------------------------


def status(scene: Scene) -> str:
    """Return in one sentence who must do what, or how the match ended, in the words of this viewer."""
    view: View = scene.view
    if (outcome := view.outcome) is not None:
        if view.solo:
            return _solo_text(view)
        return wording.result(scene.names, outcome.places, outcome.scores, scene.reader)
    if view.mover == view.viewer:
        said = _your_turn(scene) if scene.active else gettext("Your turn.")
        return said if view.acted else said + _close_to_the_end(scene)
    turn = gettext("%(name)s’s turn") % {"name": scene.names[view.mover]}
    if view.last_round:
        return gettext("%(turn)s, in the last round.") % {"turn": turn}
    return f"{turn}.{_close_to_the_end(scene)}"


def _close_to_the_end(scene: Scene) -> str:
    """Return who needs one more scored card to make this round the last, after a space; empty if nobody does."""
    view: View = scene.view
    if view.solo or view.last_round:
        return ""
    close = [seat for seat, cards in enumerate(view.scored) if len(cards) == view.goal - 1]
    if not close:
        return ""
    if view.viewer in close:
        return " " + gettext("You need to score one more card.")
    if len(close) > 1:
        return " " + gettext("Several players need to score one more card.")
    text = gettext("%(name)s needs to score one more card.")
    return " " + text % {"name": scene.names[close[0]]}


def _your_turn(scene: Scene) -> str:
    view: View = scene.view
    if view.last_round:
        return gettext("Your last turn: play cards, then end it.")
    if not view.solo and len(view.scored[view.mover]) >= view.goal:
        return _what_follows(scene.names[view.mover + 1 :])
    if view.acted:
        return gettext("Your turn: keep playing, or end it.")
    return (
        gettext("Your turn: play cards, or skip.") if view.may_skip else gettext("Your turn: play cards, then end it.")
    )


def _what_follows(later: Sequence[str]) -> str:
    """Return how the match ends after a turn in which enough cards were scored; these have a turn in this round."""
    match later:
        case []:
            return gettext("Your turn: the match ends with it.")
        case [name]:
            return gettext("Your turn, then one last turn for %(name)s.") % {"name": name}
    return gettext("Your turn: the match ends with this round.")


def _solo_text(view: View) -> str:
    turns = ngettext("%(count)s turn", "%(count)s turns", view.round) % {"count": view.round}
    if view.ended == "won":
        return gettext("Won in %(turns)s with %(left)s.") % {
            "turns": turns,
            "left": wording.strikes_text(view.strikes_left),
        }
    return gettext("Lost after %(turns)s with %(points)s (%(scored)s of %(goal)s cards).") % {
        "turns": turns,
        "points": points_text(view.scores[0]),
        "scored": len(view.scored[0]),
        "goal": view.goal,
    }


def passed(scene: Scene) -> str:
    """Return that the viewer's turn is over because of their last card, and who is next: in a solo match, they are."""
    view: View = scene.view
    by_itself = any(isinstance(event, TurnEnded) and event.by_itself for event in scene.own)
    if not by_itself or view.ended is not None:
        return ""
    if view.solo:
        return gettext("You used your last card: a new turn begins.")
    if view.mover == view.viewer:
        return ""
    return gettext("You used your last card, so it is %(name)s’s turn.") % {"name": scene.names[view.mover]}


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return points, cards scored and cards in hand for each seat; alone, strikes.

    As long as the match goes on the bonus is pending; then it is one of the points.
    """
    view: View = scene.view
    over, sizes, language = _is_over(scene), view.hand_sizes, get_language()
    points = view.scores if over else view.points
    holders = () if over else view.bonus_seats
    strikes = view.strikes_left if view.solo else None
    return [
        _facts(points[seat], seat in holders, f"{len(view.scored[seat])}/{view.goal}", sizes[seat], strikes, language)
        for seat in range(view.seats)
    ]


def _is_over(scene: Scene) -> bool:
    return scene.ended or scene.view.ended is not None


@lru_cache(maxsize=4096)
def _facts(  # noqa: PLR0917  # all that it depends on
    points: int, bonus: bool, scored: str, hand: int, strikes: int | None, language: str | None
) -> tuple[Fact, ...]:
    pending = (wording.bonus(), wording.bonus_condition()) if bonus else ()
    found = (
        Fact("score", gettext("Points"), str(points), *pending),
        Fact("scored", gettext("Scored"), scored),
        Fact("hand", gettext("In hand"), str(hand)),
    )
    return found if strikes is None else (*found, Fact("strikes", gettext("Strikes left"), str(strikes)))


def rules_section(scene: Scene) -> str:
    """Return the section about the end in the last round and after it, otherwise the one about a turn."""
    view: View = scene.view
    return "end" if view.last_round or view.ended else "turn"


def decisive(scene: Scene) -> Sequence[Number]:
    """Return points, cards scored, and how many of the points are the bonus; alone, strikes and turns instead."""
    view: View = scene.view
    found = (
        Number(gettext("Points"), tuple(map(str, view.scores))),
        Number(gettext("Cards"), tuple(f"{len(cards)}/{view.goal}" for cards in view.scored)),
    )
    if view.solo:
        left, turns = (str(view.strikes_left),), (str(view.round),)
        return *found, Number(gettext("Strikes left"), left), Number(gettext("Turns"), turns)
    bonus = (str(BONUS if seat in view.bonus_seats else 0) for seat in range(view.seats))
    return *found, Number(gettext("Bonus"), tuple(bonus))


def brought(event: Event) -> tuple[int, int] | None:
    """Return who has scored a card of how many points."""
    return (event.seat, event.points) if isinstance(event, CardScored) else None


def solo_result(scene: Scene) -> SoloResult | None:
    """Return the result of a finished solo match: won before lost, then more strikes left, then fewer turns.

    Lost matches, which all have no strikes left, are ranked by their points.
    """
    view: View = scene.view
    if not view.solo or view.ended is None:
        return None
    won = view.ended == "won"
    rank = 1_000_000 + view.strikes_left * 10_000 - view.round if won else card_points(view.scored[0])
    return SoloResult(rank, _solo_text(view))


def words() -> Mapping[str, str]:
    """Return the sentences that the script shows while the player chooses, by the script's names for them."""
    return {
        "start": gettext("Discard a card to shift or flip stones."),
        "glowing": gettext("Choose a glowing card, then Score."),
        "last": gettext("Your last card: using it ends your turn."),
        "card": gettext("Discard this card: shift two stones or flip one."),
        "one": gettext("Discard this card to flip {0}."),
        "two": gettext("Discard this card to shift {0} and {1}."),
        "place": gettext("Make this pattern here or anywhere else it fits."),
        "loses": gettext("This discards a card you could score."),
        "apart": gettext("{0} is not next to {1}. Choose one that is."),
        "pair": gettext("Only two can be shifted: now {0} and {1}."),
        "flipping": gettext("To flip {0}, discard a card."),
        "shifting": gettext("To shift {0} and {1}, discard a card."),
        "score": gettext("Choose a card that the stones show now."),
        "none": gettext("None of your cards fits the stones yet."),
        "lies": gettext("The stones do not show this pattern yet."),
        "shift": str(MISSING["two"]),
        "second": gettext("Choose a stone next to {0}."),
        "flip": str(MISSING["one"]),
        "discard": str(MISSING["card"]),
        "unmoved": gettext("No stone has moved. Press again to end the turn."),
    }
