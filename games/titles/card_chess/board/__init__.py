"""The board of 3D cardChess, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, zip_longest

from django.utils.translation import get_language, gettext, gettext_lazy as _

from games.engine.protocol import Event, RuleViolation
from games.titles import Fact, Mark, Number, Scene
from games.titles.card_chess.board import drawing, wording
from games.titles.card_chess.board.drawing import log_picture, pictured, thumbnail
from games.titles.card_chess.board.wording import caption, line
from games.titles.card_chess.rules import scoring
from games.titles.card_chess.rules.deck import CARDS, PIECES, Card, parse
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import points, realm_parts, realms
from games.titles.card_chess.rules.state import Pile, PileSettled, State
from games.titles.card_chess.rules.view import Cards, View
from games.titles.phrases import listing
from games.titles.regions import Region, region

__all__ = ["caption", "line", "log_picture", "pictured", "thumbnail"]

TEMPLATE = "card_chess/board.jinja"
PITCH = _("Play chess pieces in secret, reveal them all at once, and take the piles you win.")
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
    ("1 – 4", _("choose a card, then a pile")),
    ("← ↑ → ↓", _("go from card to card and from place to place")),
    ("Enter", _("put the chosen card at a place, or take a card back")),
    ("S", _("seal and confirm")),
    ("G", _("show what captures what")),
    ("T", _("show the previous turn; ← → step through its piles")),
    ("Esc", _("take all placed cards back; while a turn lies on the table, go on")),
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


def regions(scene: Scene) -> Mapping[str, Region]:
    """Return how far the match has come, the cards that everybody has won, and what else all see alike."""
    view: View = scene.view
    names, over, turn = scene.names, _is_over(scene), view.revealed.of_turn
    found = {"stands": _stands(view, over), **_TOOLS}
    if turn:
        found["turn-head"] = _turn_head(view, turn[0].turn)
        found["turn-steps"] = region(f"{TEMPLATE}#turn_steps")
    if scene.open:
        hands = tuple((name, each.hand, each.play) for name, each in zip(names, scene.open, strict=False))
        found["open-hands"] = region(f"{TEMPLATE}#open_hands", hands=hands)
    piles = _piles(view)
    for seat in range(view.seats):
        found |= _won_faces(seat, tuple(piles[seat]))
    discarded = filter(None, view.revealed.left) if view.ended is not None else ()
    found |= _discards((*piles[None], *discarded))
    standing = _standing(scene, over)
    for name in {"challenges", "all-challenges"}.intersection(standing):
        found[name] = region(f"{TEMPLATE}#challenges", name=name, past=view.challenges, names=names)
    if "remarks" in standing:
        found["remarks"] = region(drawing.remarks, rulings=view.rulings, seats=view.seats, removed=view.removed_card)
    return found


def own_regions(scene: Scene) -> Mapping[str, Region]:
    """Return the frame, the table with what may be played there, and what was played and won, told to the viewer."""
    view: View = scene.view
    mode, turn = _mode(scene), view.revealed.of_turn
    seated = mode in {"play", "wait"}
    table = _table(view.table, view.play, view.hand if mode == "play" else (), view.rulings, scene.hints)
    hand = {"hand": region(drawing.hand, cards=view.hand, mode=mode, borrowed=scene.borrowed)} if seated else {}
    return {
        "chess-board": region(
            f"{TEMPLATE}#board",
            inside=("stands", *(("felt",) if table else ()), *hand, "verbs", "last-turn", "holdings", "standing"),
            mode=mode,
            revealed=f"{view.revealed.challenge}-{turn[0].phase}-{turn[0].turn}" if turn else "",
            counted=bool(view.revealed.left),
            blocking=view.rulings.blocking,
            hints=scene.hints,
            news=_news(scene) if mode == "play" else "",
        ),
        **table,
        **hand,
        **_verbs(mode, bool(view.play), len(view.table)),
        **_last_turn(scene, turn),
        "standing": region(f"{TEMPLATE}#standing", inside=_standing(scene, mode == "over")),
        **_unseen(view.unseen),
        **_holdings(scene),
    }


def _called(scene: Scene) -> tuple[str, ...]:
    """Return the names of the seats as they are read: one's own is "You"."""
    return tuple(gettext("You") if seat == scene.reader else name for seat, name in enumerate(scene.names))


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


def _stands(view: View, over: bool) -> Region:
    """Return how far the match has come, and what it is played for."""
    for_all = scoring.plays_for_all(view.seats, view.rulings)
    return region(
        f"{TEMPLATE}#stands",
        challenge=view.challenge,
        ended="" if not over else "left" if view.ended is None else "rules",
        decider=view.is_decider,
        phase=view.phase if view.has_second_phase else None,
        turn=None if view.is_last_turn else view.turn,
        deck=view.deck,
        gold=view.gold_left if for_all else None,
        goal=_goal(view),
        decided=_winner(view) is not None,
        tie=_tie(view),
    )


def _goal(view: View) -> int | None:
    """Return how many gold cards win the match; None where all are played for, or none is."""
    return None if scoring.plays_for_all(view.seats, view.rulings) else scoring.TARGET.get(view.rulings.length)


def _tie(view: View) -> str:
    """Return what comes of two gold cards each if two players can still get there; else empty."""
    target = scoring.TARGET.get(view.rulings.length)
    if view.is_decider or target != scoring.TARGET["official"] or max(view.gold) == target:
        return ""
    return (
        gettext("At 2–2 the match is shared.")
        if view.rulings.shared
        else gettext("At 2–2 a deciding challenge follows.")
    )


def _turn_head(view: View, turn: int) -> Region:
    number = view.revealed.challenge
    decider = view.challenges[number - 1].decider if number <= len(view.challenges) else view.is_decider
    return region(f"{TEMPLATE}#turn_head", challenge=number, decider=decider, turn=turn)


# --- the table and the verbs ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _table(table: Cards, sealed: Cards, hand: Cards, rulings: Rulings, hints: bool) -> Mapping[str, Region]:
    """Return the places of the table, with what may be played or is sealed there; kept, as others act without it."""
    if not table:
        return {}
    columns = {
        f"column-{number}": region(
            drawing.column, number=number, target=target, hand=hand, sealed=card, rulings=rulings, hints=hints
        )
        for number, (target, card) in enumerate(zip_longest(table, sealed, fillvalue=""), 1)
    }
    return {"felt": region(f"{TEMPLATE}#felt", inside=columns), **columns}


_TOOLS = {"show-guide": region(f"{TEMPLATE}#show_guide"), "show-turn": region(f"{TEMPLATE}#show_turn")}


@cache
def _verbs(mode: str, sealed: bool, places: int) -> Mapping[str, Region]:
    hint, confirm = dict[str, Region](), dict[str, Region]()
    if mode == "play" or (mode == "wait" and sealed):
        hint = {"hint": region(f"{TEMPLATE}#hint", sealed=mode == "wait", places=places)}
    if mode == "play":
        confirm = {"places": region(f"{TEMPLATE}#places", count=places), "confirm": region(f"{TEMPLATE}#confirm")}
    return {"verbs": region(f"{TEMPLATE}#verbs", inside=(*hint, *_TOOLS, *confirm)), **hint, **confirm}


# --- the turn that was revealed last --------------------------------------------------------------------------------


def _last_turn(scene: Scene, turn: Sequence[Pile]) -> Mapping[str, Region]:
    """Return the last turn that was revealed, pile by pile, and how the challenge came out if it ended with it."""
    if not turn:
        return {"last-turn": region(f"{TEMPLATE}#last_turn", inside=())}
    view: View = scene.view
    shown, won = view.revealed, defaultdict[int | None, Cards](tuple)
    for pile in shown.piles if shown.left else view.piles:
        if pile.turn < turn[0].turn:
            won[pile.captor] += pile.whole
    piles = dict[str, Region]()
    for pile in turn:
        piles[f"pile-{pile.place + 1}"] = region(
            drawing.pile,
            pile=pile,
            before=() if pile.captor is None else won[pile.captor],
            names=_called(scene),
            yours=pile.captor is not None and pile.captor == scene.reader,
            rulings=view.rulings,
        )
        won[pile.captor] += pile.whole
    outcome = {"outcome": _outcome(scene, [won[seat] for seat in range(view.seats)])} if shown.left else {}
    inside = ("turn-head", "turn-legend", "piles", "turn-steps", *outcome)
    return {
        "last-turn": region(f"{TEMPLATE}#last_turn", inside=inside),
        "turn-legend": region(f"{TEMPLATE}#turn_legend", names=_called(scene)),
        "piles": region(f"{TEMPLATE}#piles", inside=piles),
        **piles,
        **outcome,
    }


def _outcome(scene: Scene, won: Sequence[Cards]) -> Region:
    """Return what each seat had left in hand, how the challenge came out, and where the points of each seat come from.

    Version 1 of the rules did not keep the piles of finished challenges, so points of its matches are not broken down.
    """
    view: View = scene.view
    shown, challenge = view.revealed, view.challenges[view.revealed.challenge - 1]
    names, counting = _called(scene), []
    for seat, (name, cards) in enumerate(zip(names, won, strict=True)):
        of = Counter(CARDS[card].points for card in cards)
        counts = (of[5], of[2], of[1], realms(cards))
        counting.append((name, counts, challenge.points[seat], seat == challenge.winner))
    text = wording.challenge_text(shown.challenge, challenge, scene.names, scene.reader)
    return region(
        f"{TEMPLATE}#outcome",
        text=" ".join(filter(None, (text, _decided(scene)))),
        counting=tuple(counting) if tuple(map(points, won)) == challenge.points else (),
        left=tuple(zip(names, shown.left, strict=True)) if any(shown.left) else (),
    )


# --- what everybody has won, and what lies open ---------------------------------------------------------------------


def _standing(scene: Scene, over: bool) -> Sequence[str]:
    """Return the ids of what has been won, is unseen, and was played before; the challenges are open at the end."""
    view: View = scene.view
    found = [*(("open-hands",) if scene.open else ()), "unseen", "discards"]
    if view.challenges:
        found.append("all-challenges" if over else "challenges")
    return [*found, "remarks"] if view.rulings != Rulings() or view.removed is not None else found


def _piles(view: View) -> Mapping[int | None, list[Cards]]:
    """Return the piles of the challenge by who took them, those that nobody took under None."""
    piles = defaultdict[int | None, list[Cards]](list)
    for pile in view.piles:
        piles[pile.captor].append(pile.whole)
    return piles


def _holdings(scene: Scene) -> Mapping[str, Region]:
    """Return what each seat has won, under the name by which the viewer calls it."""
    view: View = scene.view
    piles = _piles(view)
    found = {"holdings": region(f"{TEMPLATE}#holdings", inside=[f"won-{seat}" for seat in range(view.seats)])}
    for seat, name in enumerate(_called(scene)):
        found |= _holding(seat, name, view.gold[seat], tuple(piles[seat]))
    return found


@lru_cache(maxsize=1024)
def _holding(seat: int, name: str, gold: int, piles: tuple[Cards, ...]) -> Mapping[str, Region]:
    """Return what a seat has won, in numbers and around its cards; kept, as it is long to count and seldom changes."""
    cards = tuple(chain.from_iterable(piles))
    return {
        f"won-{seat}": region(f"{TEMPLATE}#won", inside=(f"tally-{seat}", f"faces-{seat}"), seat=seat),
        f"tally-{seat}": region(
            f"{TEMPLATE}#tally",
            seat=seat,
            name=name,
            gold=gold,
            piles=len(piles),
            points=points(cards),
            realms=realm_parts(cards),
        ),
    }


@lru_cache(maxsize=1024)
def _won_faces(seat: int, piles: tuple[Cards, ...]) -> Mapping[str, Region]:
    """Return the cards that a seat has won; kept, as they are many and seldom change."""
    return _faces(f"faces-{seat}", {f"of-{seat}-{number}": pile for number, pile in enumerate(piles, 1)})


def _faces(name: str, piles: Mapping[str, Cards]) -> Mapping[str, Region]:
    """Return the cards of piles as pictures, given by the ids of the piles."""
    faces = {pile: region(drawing.faces, name=pile, cards=cards) for pile, cards in piles.items()}
    return {name: region(f"{TEMPLATE}#piles_won", inside=faces, name=name), **faces}


@lru_cache(maxsize=1024)
def _discards(piles: tuple[Cards, ...]) -> Mapping[str, Region]:
    """Return the discards, the newest first; kept, as they grow many and seldom change."""
    numbered = [(f"discarded-{number}", cards[::-1]) for number, cards in enumerate(piles, 1)]
    return {
        "discards": region(f"{TEMPLATE}#discards", inside=("discard-count", "discarded")),
        "discard-count": region(f"{TEMPLATE}#discard_count", count=sum(map(len, piles))),
        **_faces("discarded", dict(reversed(numbered))),
    }


_KINDS = dict[tuple[str, str, str], dict[str, Card]]()
"""Each piece, by its letter, its name and its value, with its cards by the ids of their cells in the table."""
for _card in CARDS.values():
    _kind = PIECES[_card.piece], _card.piece.replace("_", " "), "" if _card.piece == "rook" else _card.value
    _KINDS.setdefault(_kind, {})[f"unseen-{drawing.drawn(_card.text)}"] = _card
_CELLS = {name: card for cells in _KINDS.values() for name, card in cells.items()}
_TABLE = region(
    f"{TEMPLATE}#unseen",
    inside=("unseen-count", *_CELLS),
    kinds=tuple((*kind, tuple(cells)) for kind, cells in _KINDS.items()),
)


@lru_cache(maxsize=1024)
def _unseen(cards: Cards) -> Mapping[str, Region]:
    """Return how many of each card have not been seen, as a table; kept, as they are many and seldom change."""
    counts = Counter(cards)
    cells = {name: _cell(name, counts[card.text]) for name, card in _CELLS.items()}
    return {"unseen": _TABLE, "unseen-count": region(f"{TEMPLATE}#unseen_count", count=len(cards)), **cells}


@cache
def _cell(name: str, count: int) -> Region:
    return region(f"{TEMPLATE}#unseen_cell", name=name, square=_CELLS[name].square, count=count)


# --- around the board ------------------------------------------------------------------------------------------------


def status(scene: Scene) -> str:
    """Return in one sentence who must do what, or how the match ended, addressed to this viewer."""
    view: View = scene.view
    if (outcome := view.outcome) is not None:
        return wording.result(scene.names, outcome.places, outcome.scores, outcome.reason, scene.reader)
    if scene.active and view.may_confirm:
        return str(wording.TASKS[len(view.table)])
    waiting = [name for name, confirmed in zip(scene.names, view.confirmed, strict=True) if not confirmed]
    return gettext("Waiting for %(names)s.") % {"names": listing(waiting)}


def _news(scene: Scene) -> str:
    """Return what the first turn of a second phase, or of a challenge that decides nothing, has to tell; else empty."""
    view: View = scene.view
    if view.revealed.left:
        return _decided(scene)
    if view.phase == 1 or any(pile.phase > 1 for pile in view.revealed.of_turn):
        return ""
    return gettext("Second phase: the discards have been shuffled and dealt again.")


def _decided(scene: Scene) -> str:
    """Return who has won the match though it goes on, as all gold cards are played for; empty while it is open."""
    winner = _winner(scene.view)
    return "" if winner is None else wording.decided(scene.names, winner, scene.reader)


def _winner(view: View) -> int | None:
    if not (scoring.plays_for_all(view.seats, view.rulings) and view.gold_left == 1 and 0 in view.gold):
        return None
    return view.gold.index(max(view.gold))


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return gold cards, out of as many as win, and points of the present challenge, or of all once it is over."""
    view: View = scene.view
    goal, language = _goal(view), get_language()
    gold = [f"{won}/{goal}" if goal else str(won) for won in view.gold]
    points = _all_points(view) if _is_over(scene) else view.points
    return [_facts(gold[seat], points[seat], language) for seat in range(view.seats)]


@lru_cache(maxsize=4096)
def _facts(gold: str, points: int, language: str | None) -> tuple[Fact, ...]:
    return Fact("gold", gettext("Gold"), gold), Fact("points", gettext("Points"), str(points))


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


def brought(event: Event) -> tuple[int, int] | None:
    """Return who has captured a pile, and the points of its cards."""
    if not isinstance(event, PileSettled) or event.pile.captor is None:
        return None
    return event.pile.captor, sum(CARDS[card].points for card in event.pile.whole)


def bonus(before: State, events: Sequence[Event]) -> Sequence[tuple[int, int]]:
    """Return who has completed realms with the piles of a turn, and what these are worth."""
    won, found = {seat: before.won(seat) for seat in range(before.seats)}, list[tuple[int, int]]()
    for event in events:
        if isinstance(event, PileSettled) and (captor := event.pile.captor) is not None:
            old, won[captor] = won[captor], (*won[captor], *event.pile.whole)
            if gained := realms(won[captor]) - realms(old):
                found.append((captor, gained * scoring.REALM_POINTS))
    return found


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
