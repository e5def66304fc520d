"""The words for cards, events and results, why a pile was taken, and the sentences of the script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event, Viewer
from games.titles.card_chess.rules import state
from games.titles.card_chess.rules.capture import blockers, equals, refusal, settle, strength
from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import REALM, REALM_POINTS, Challenge, points, realm_makers, realms
from games.titles.card_chess.rules.state import Pile
from games.titles.phrases import addressed, listing

_COLOURS = {"blue": _("blue"), "green": _("green")}
_PIECES = {
    "pawn": _("pawn"),
    "castle": _("castle"),
    "ghost_queen": _("ghost queen"),
    "king": _("king"),
    "knight": _("knight"),
    "rook": _("rook"),
    "bishop": _("bishop"),
    "queen": _("queen"),
}
_SQUARES = {"light": _("light"), "dark": _("dark"), "white": _("white")}

MARKS: Mapping[str | None, Any] = {
    None: _("captures"),
    "colour": _("same color"),
    "square": _("wrong square"),
    "strength": _("too weak"),
    "beaten": _("beaten"),
    "equal": _("equal"),
    "blocked": _("blocked"),
}
"""Whether a card captures another, by the reason of `capture.refusal`; or what kept it from it (`fate`)."""


def colour_name(colour: str) -> str:
    return str(_COLOURS[colour])


def piece_name(piece: str) -> str:
    return str(_PIECES[piece])


def square_name(square: str) -> str:
    return str(_SQUARES[square])


def card_name(card: str) -> str:
    """Return a card as it is named in sentences: "blue rook 6 (light)"."""
    return _card_name(card, get_language())


@cache
def _card_name(card: str, language: str | None) -> str:
    printed = CARDS[card]
    return gettext("%(colour)s %(piece)s %(value)s (%(square)s)") % {
        "colour": colour_name(printed.colour),
        "piece": piece_name(printed.piece),
        "value": printed.value,
        "square": square_name(printed.square),
    }


def coloured_piece(card: str) -> str:
    """Return a card without its value: "green king"."""
    printed = CARDS[card]
    names = {"colour": colour_name(printed.colour), "piece": piece_name(printed.piece)}
    return gettext("%(colour)s %(piece)s") % names


def cards_named(cards: Iterable[str]) -> str:
    return ", ".join(map(card_name, cards))


def gold_text(gold: int) -> str:
    return ngettext("%(count)s gold card", "%(count)s gold cards", gold) % {"count": gold}


# --- piles and challenges -------------------------------------------------------------------------------------------


def settlement(pile: Pile, names: Sequence[str], reader: Viewer = None) -> str:
    """Return in one sentence who took a pile, or why nobody did; the reader's own seat is "you"."""
    if pile.captor is not None and pile.captor == reader:
        return gettext("You capture.")
    if pile.captor is not None:
        return gettext("%(name)s captures.") % {"name": names[pile.captor]}
    if pile.result == "equal":
        return gettext("Nobody captures: the strongest are equal.")
    if pile.result == "blocked":
        return gettext("Nobody captures: a strong card blocks.")
    return gettext("Nobody captures.")


def challenge_text(number: int, challenge: Challenge, names: Sequence[str], reader: Viewer = None) -> str:
    """Return how a challenge ended: the points of all, and who won what; the reader's own seat is "you"."""
    called = addressed(names, reader)
    scores = ", ".join(f"{name} {score}" for name, score in zip(called, challenge.points, strict=True))
    if challenge.decider:
        text = gettext("Deciding challenge: %(points)s.") % {"points": scores}
    else:
        text = gettext("Challenge %(number)s: %(points)s.") % {"number": number, "points": scores}
    return f"{text} {_prize(challenge, names, reader)}"


def _prize(challenge: Challenge, names: Sequence[str], reader: Viewer) -> str:
    if challenge.winner is None:
        return gettext("It is drawn.") if challenge.decider else gettext("It is drawn: nobody wins the gold card.")
    if challenge.winner == reader:
        return gettext("You win the deciding challenge.") if challenge.decider else gettext("You win a gold card.")
    won = {"name": names[challenge.winner]}
    if challenge.decider:
        return gettext("%(name)s wins the deciding challenge.") % won
    return gettext("%(name)s wins a gold card.") % won


def decided(names: Sequence[str], winner: int, reader: Viewer = None) -> str:
    """Return who cannot be caught any more, and why the match goes on; the reader's own seat is "you"."""
    if winner == reader:
        return gettext("You have won the match; the last gold card is still played for.")
    return gettext("%(name)s has won the match; the last gold card is still played for.") % {"name": names[winner]}


# --- the log --------------------------------------------------------------------------------------------------------


def line(event: Event, names: Sequence[str], reader: Viewer) -> str:
    """Return one sentence for the log; empty when the event needs none. The reader's own seat is "you"."""
    describe = _LINES.get(type(event))
    return describe(event, names, reader) if describe else ""


def _received(event: state.CardsReceived, names: Sequence[str], reader: Viewer) -> str:
    if not event.cards:
        return ""
    if event.seat == reader:
        return gettext("You were dealt: %(cards)s.") % {"cards": cards_named(event.cards)}
    return gettext("%(name)s was dealt: %(cards)s.") % {"name": names[event.seat], "cards": cards_named(event.cards)}


def _settled(event: state.PileSettled, names: Sequence[str], reader: Viewer) -> str:
    pile = event.pile
    played = ", ".join(
        (gettext("you play %(card)s") if seat == reader else gettext("%(name)s plays %(card)s"))
        % {"name": name, "card": card_name(card)}
        for seat, (name, card) in enumerate(zip(names, pile.cards, strict=True))
    )
    text = gettext("Pile %(number)s, %(target)s: %(played)s.") % {
        "number": pile.place + 1,
        "target": card_name(pile.target),
        "played": played,
    }
    return f"{text} {settlement(pile, names, reader)}"


def caption(event: Event, names: Sequence[str], reader: Viewer) -> str:
    """Return what the log shows of an event whose cards are seen in pictures; empty where it shows the line."""
    match event:
        case state.PileSettled(pile=pile):
            return settlement(pile, names, reader)
        case state.TableLaid():
            return gettext("New cards lie on the table.")
        case state.CardsReceived(seat=seat, cards=cards) if cards:
            yours = ngettext("You were dealt %(count)s card.", "You were dealt %(count)s cards.", len(cards))
            theirs = ngettext("%(name)s was dealt %(count)s card.", "%(name)s was dealt %(count)s cards.", len(cards))
            return (yours if seat == reader else theirs) % {"name": names[seat], "count": len(cards)}
    return ""


def laid_out(cards: Sequence[str], table: Sequence[str]) -> str:
    """Return which card of a play lies on which card of the table."""
    sentence = gettext("Pile %(number)s, %(target)s: %(played)s.")
    return " ".join(
        sentence % {"number": number, "target": card_name(target), "played": card_name(card)}
        for number, (card, target) in enumerate(zip(cards, table, strict=True), start=1)
    )


_LINES: Mapping[type[Event], Callable[[Any, Sequence[str], Viewer], str]] = {
    state.PawnRemoved: lambda event, names, reader: (
        gettext("Out of this match: %(card)s.") % {"card": card_name(event.card)}
    ),
    state.ChallengeBegun: lambda event, names, reader: (
        gettext("The deciding challenge begins.")
        if event.decider
        else gettext("Challenge %(number)s begins.") % {"number": event.number}
    ),
    state.TableLaid: lambda event, names, reader: (
        gettext("On the table: %(cards)s.") % {"cards": cards_named(event.cards)}
    ),
    state.CardsReceived: _received,
    state.Confirmed: lambda event, names, reader: (
        gettext("You have confirmed.")
        if event.seat == reader
        else gettext("%(name)s has confirmed.") % {"name": names[event.seat]}
    ),
    state.PileSettled: _settled,
    state.DiscardsRecycled: lambda event, names, reader: (
        ngettext(
            "The draw pile is empty: %(count)s discard is the new one.",
            "The draw pile is empty: %(count)s discards are shuffled into a new one.",
            event.count,
        )
        % {"count": event.count}
    ),
    state.ChallengeOver: lambda event, names, reader: challenge_text(event.number, event.challenge, names, reader),
    state.MatchOver: lambda event, names, reader: result(names, event.places, event.scores, event.reason, reader),
}


# --- results --------------------------------------------------------------------------------------------------------


_SHARED_BY_YOU = _("You and %(names)s share the match with %(gold)s each")
_WON_BY_YOU = {
    "gold": _("You win with %(gold)s"),
    "challenge": _("You win the challenge"),
    "decider": _("You won the deciding challenge. Gold cards: %(all)s"),
    "drawn": _("The challenge is drawn; you are first by points"),
    "valve": _("No more challenges are played; you are first with %(gold)s"),
}
_SHARED = _("%(names)s share the match with %(gold)s each")
_WON = {
    "gold": _("%(names)s wins with %(gold)s"),
    "challenge": _("%(names)s wins the challenge"),
    "decider": _("%(names)s won the deciding challenge. Gold cards: %(all)s"),
    "drawn": _("The challenge is drawn; %(names)s is first by points"),
    "valve": _("No more challenges are played; %(names)s is first with %(gold)s"),
}
_WITHOUT_REST = frozenset({"challenge", "drawn", "decider"})


def result(
    names: Sequence[str], places: Sequence[int], scores: Sequence[int], reason: str, reader: Viewer = None
) -> str:
    """Return how a match ended: "ann wins with 3 gold cards; bob 1."; the reader's own seat is "you"."""
    order = sorted(range(len(names)), key=lambda seat: places[seat])
    first = [seat for seat in order if places[seat] == 1]
    if len(first) > 1:
        words = _SHARED_BY_YOU if reader in first else _SHARED
    else:
        words = (_WON_BY_YOU if reader in first else _WON)[reason]
    text = str(words) % {
        "names": listing(names[seat] for seat in first if seat != reader) if first != [reader] else "",
        "gold": gold_text(scores[first[0]]),
        "all": "–".join(str(scores[seat]) for seat in order),
    }
    called = addressed(names, reader)
    rest = ", ".join(f"{called[seat]} {scores[seat]}" for seat in order if places[seat] > 1)
    return f"{text}; {rest}." if rest and reason not in _WITHOUT_REST else f"{text}."


# --- why a pile was taken -------------------------------------------------------------------------------------------


def verdict(pile: Pile, names: Sequence[str], reader: Viewer, rulings: Rulings) -> str:
    """Return who took a pile, or why nobody did, with the cards that made the difference."""
    strongest = equals(pile.target, pile.cards, rulings)
    if pile.result == "equal":
        cards = _named(pile, strongest)
        if len(cards) == 1:
            return gettext("Nobody captures: the strongest cards are both a %(card)s.") % {"card": cards[0]}
        return gettext("Nobody captures: %(cards)s are equally strong.") % {"cards": listing(cards)}
    if pile.result == "blocked":
        cards = _named(pile, blocking_seats(pile, rulings))
        return gettext("Blocked: %(cards)s, the strongest here, cannot capture.") % {"cards": listing(cards)}
    text = settlement(pile, names, reader)
    if rulings.next_strongest and pile.captor is not None and strongest and pile.captor not in strongest:
        return " ".join((text, gettext("The stronger cards were equal and stepped aside.")))
    return text


def _named(pile: Pile, seats: Sequence[int]) -> list[str]:
    return list(dict.fromkeys(card_name(pile.cards[seat]) for seat in seats))


def fate(pile: Pile, seat: int, rulings: Rulings) -> str | None:
    """Return why a seat's card did not take the pile, None if it did.

    That is the reason of `capture.refusal`, or of a card that could have captured: "blocked", "equal" to another as
    strong, or "beaten" by a stronger one.
    """
    reason = refusal(pile.cards[seat], pile.target, rulings)
    if reason is not None or seat == pile.captor:
        return reason
    if pile.result == "blocked":
        return "blocked"
    all_equal = pile.result == "equal" and rulings.next_strongest
    return "equal" if all_equal or seat in equals(pile.target, pile.cards, rulings) else "beaten"


def blocking_seats(pile: Pile, rulings: Rulings) -> tuple[int, ...]:
    """Return the seats whose cards blocked the pile; () when it was not blocked."""
    return blockers(pile.target, pile.cards, rulings) if pile.result == "blocked" else ()


def rook_note(pile: Pile, rulings: Rulings) -> str:
    """Return a reminder that green rooks count as 6 if that changed something at this pile, else an empty text."""
    if not rulings.symmetric_rooks:
        return ""
    printed = replace(rulings, symmetric_rooks=False)
    matters = settle(pile.target, pile.cards, printed) != (pile.captor, pile.result) or any(
        refusal(card, pile.target, printed) != refusal(card, pile.target, rulings) for card in pile.cards
    )
    return gettext("Green rooks count as 6 here.") if matters else ""


def worth(pile: Pile, before: Iterable[str]) -> int:
    """Return how many points a pile brings whoever has won the cards `before` in this challenge, with its realms."""
    old = tuple(before)
    return points((*old, *pile.whole)) - points(old)


def earned(pile: Pile, before: Iterable[str]) -> str:
    """Return what a pile was worth to its captor: "+4", or "+9, and +10 for a realm completed by the green king"; else
    empty.

    Args:
        pile: the pile.
        before: what the captor had won in the challenge before.
    """
    if pile.captor is None:
        return ""
    old = tuple(before)
    text = f"+{sum(CARDS[card].points for card in pile.whole)}"
    gained = realms((*old, *pile.whole)) - realms(old)
    if not gained:
        return text
    makers = dict.fromkeys(map(coloured_piece, realm_makers(pile.whole, old)))
    shown = {"points": text, "pieces": listing(makers), "more": REALM_POINTS * gained}
    text = ngettext(
        "%(points)s, and +%(more)s for a realm completed by the %(pieces)s",
        "%(points)s, and +%(more)s for realms completed by the %(pieces)s",
        gained,
    )
    return text % shown


# --- while the player chooses ---------------------------------------------------------------------------------------

TASKS: Mapping[int, Any] = {
    1: _("Play a card on the last pile."),
    2: _("Play a card on both piles."),
    3: _("Play a card on each of the three piles."),
    4: _("Play a card on each of the four piles."),
}
"""What a player is asked, by how many cards lie on the table."""


def captured_by(number: int, card: str, rulings: Rulings) -> str:
    """Return what captures the card at a place of the table; of a part of a realm also what that is."""
    printed, strong = CARDS[card], strength(card, rulings)
    if printed.value == "#":
        kind = "#"
    elif printed.piece in {"pawn", "queen"}:
        kind = printed.piece
    else:
        kind = "white" if printed.square == "white" else "other"
    text = _CAPTURED[kind] % {
        "number": number,
        "colour": colour_name("green" if printed.colour == "blue" else "blue"),
        "value": int(strong),
        "square": square_name(printed.square),
    }
    return f"{text} {_OF_A_REALM}" if printed.piece in REALM else str(text)


_CAPTURED = {
    "#": _("Pile %(number)s: # is captured by any %(colour)s card except a pawn."),
    "queen": _("Pile %(number)s: captured by a %(colour)s 9 alone."),
    "white": _("Pile %(number)s: captured by %(colour)s %(value)s or more, on any square."),
    "pawn": _("Pile %(number)s: captured by %(colour)s %(value)s or more, or #, on %(square)s or white."),
    "other": _("Pile %(number)s: captured by %(colour)s %(value)s or more, on %(square)s or white."),
}
_OF_A_REALM = _("King, queen and castle of one color make a realm: 10 extra points.")

MISSING = _("Choose a card for every pile.")
"""The refusal of an incomplete choice."""


def words() -> Mapping[str, str]:
    """Return the sentences the script says while the player chooses, by the names it knows them by."""
    return {
        "start": gettext("Choose a card from your hand, then a pile. Each dot (●) is a point."),
        "alone": gettext("Choose a card from your hand, then the pile. Each dot (●) is a point."),
        "where": gettext("Now choose a pile."),
        "takes": gettext("Captures on pile {0}."),
        "several": gettext("Captures on piles {0}."),
        "and": listing(["{0}", "{1}"]),
        "useless": gettext("Captures nothing here."),
        "keep": gettext("Choose a pile to play it on, or keep it: one card stays in your hand."),
        "blocks": gettext("Captures nothing here, but blocks a pile if no stronger card is played on it."),
        "more": gettext("Choose the next card."),
        "ready": gettext("Every pile has a card: confirm."),
        "missing": str(MISSING),
        "hash": gettext("# captures only pawns, castles and ghost queens."),
        "first": gettext("Choose a card first."),
        "empty": gettext("Place {0}, empty"),
        "holds": gettext("Place {0}: {1}"),
        "step": gettext("{0} of {1}"),
        "turning": gettext("Reveal the cards, pile by pile."),
        "uncovering": gettext("Reveal the cards."),
        "revealing": gettext("The cards are being revealed."),
        "revealed": gettext("All cards are revealed."),
        "counted": gettext("The challenge is over."),
        "previous": gettext("Previous turn"),
    }
