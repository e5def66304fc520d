"""How a game is shown: what a title's module `board` offers to the pages, and what it is given.

A newcomer's first board also shows the `CoachMark`s of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from games.engine.protocol import Event, Viewer

if TYPE_CHECKING:  # they need Django, which rules do not
    from django.utils.functional import Promise

    from games.titles.regions import Region


@dataclass(frozen=True, slots=True)
class Scene:
    """What one viewer looks at: a board is made from this alone, so it cannot show more than the view contains.

    Args:
        view: what `Game.view_for` allows this viewer.
        viewer: the seat, None for a spectator.
        names: the players' names by seat.
        recent: the events of the last action, as this viewer may know them.
        active: the viewer may act from this page now (their turn, running, not a replay).
        open: the views of all seats, if everything may be shown (a match that has ended, replayed with all hands).
        since: what others have done since the viewer's own last action, the oldest first, as this viewer may know it;
            at most the events of the newest `positions.TAIL` actions. () for a spectator, who never acts.
        own: the events of the viewer's own last action, as long as it is one of these newest.
        ended: nothing follows this position any more, even if the rules know of no end: players ran out of time,
            resigned, or aborted the match.
        hints: the board may mark what a card or an island would bring; an exercise that asks for this turns it off.
        for_players: this is for all players at once: the view is a spectator's.
        borrowed: the viewer's point of view is somebody else's, who looks back at a match that has ended.
    """

    view: Any
    viewer: Viewer
    names: tuple[str, ...]
    recent: tuple[Event, ...] = ()
    active: bool = False
    open: tuple[Any, ...] = ()
    since: tuple[Event, ...] = ()
    own: tuple[Event, ...] = ()
    ended: bool = False
    hints: bool = True
    for_players: bool = False
    borrowed: bool = False

    @property
    def reader(self) -> Viewer:
        """The seat that is called "You"; None where somebody looks who does not play, or from another's seat."""
        return None if self.borrowed else self.viewer

    @property
    def seated(self) -> bool:
        """Whether those who look play in the match."""
        return self.for_players or self.viewer is not None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing shown beside a player's name, e.g. Fact("score", "Points", "12").

    Args:
        value: what holds now.
        pending: what may still be added and may still be lost, e.g. "+3 bonus"; empty if there is none.
        why: the condition for it in a few words, where there is any, e.g. "if you still have the most at the end".
    """

    key: str
    label: str
    value: str
    pending: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that decided a match, e.g. Number("Cards", ("10", "8")).

    Args:
        label: one or two short words, shown above a column.
        values: what each seat has of it.
    """

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SoloResult:
    """The result of a solo match: a text for players and a rank; higher is better."""

    rank: int
    text: str


class Mark(NamedTuple):
    """A field of the board's form to be marked: the first of these values that the board offers."""

    name: str
    values: tuple[str, ...]


class Doubt(NamedTuple):
    """What is asked, once, before an action that may have been asked for by mistake.

    Args:
        question: one or two sentences, e.g. "You haven’t done anything this turn. End it anyway?".
        answer: the words on the button that takes the action.
    """

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class CoachMark:
    """One thing to know for a newcomer: a title's module `teaching` lists three or so as `COACH`.

    They are shown one after another in somebody's first match of the game, above the board with a ring around the part
    that each is about, until it is read or the reader acts (`games.learn`).

    Args:
        key: one word in small letters, by which it is kept as read.
        target: a CSS selector of what it is about; the ring waits where it comes with a later phase.
        text: one or two short sentences, translated when they are shown.
        numbers: given how many play, what stands in the text, by name; without it the text stands as it is.
    """

    key: str
    target: str
    text: str | Promise
    numbers: Callable[[int], Mapping[str, int]] | None = None

    def told(self, seats: int) -> str:
        """Return the text for a match of so many players, in the reader's language."""
        return str(self.text) % self.numbers(seats) if self.numbers else str(self.text)


def anchor(template: str) -> str:
    """Return the anchor of a section of the rules.

    >>> anchor("shifting_stones/rules/turn.html")
    'turn'
    """
    return PurePosixPath(template).stem


class Board(Protocol):
    """What the module `board` of a title offers to the pages.

    All of it is optional: what a module leaves out is as here or, where that depends on the game, as in
    `games.titles.defaults`.

    Attributes:
        TEMPLATE: the Jinja template of the board: given what `context` returns or, if there are `own_regions`, with
            macros for them.
        PITCH: one sentence that makes somebody want to play, beside the picture of the game; may be empty.
        SHORTCUTS: pairs of keys and what they do, for the help of the match page.
        SPRITE: a Django template placed once in each page with a board (symbols); may be empty.
        THUMBNAIL_SPRITE: the same for pages with thumbnails, with the symbols that they refer to; may be empty.
        RULES: the sections of the rules, pairs of a Django template and its heading; may be empty. The name of the
            file is the section's anchor, see `anchor`.
        STYLES, SCRIPTS: files below `static/`, loaded on pages that show the board.
        UNSCRIPTED: styles below `static/`, loaded after `STYLES` where no script runs.
        RULES_STYLES: files below `static/`, loaded with the rules alone.
        MOTION: a script below `static/` that says what has changed on a board and sets it in motion, see
            `play/moving.js`; may be empty.
        OPEN: the board can show all hands at once (`Scene.open`).
        SCORE: the word for what is scored, if it is not points.
        COUNTED: pairs of key and label of what `counts` counts, for the statistics of a player; may be empty.
    """

    TEMPLATE: str
    PITCH: str = ""
    SHORTCUTS: tuple[tuple[str, str], ...] = ()
    SPRITE: str = ""
    THUMBNAIL_SPRITE: str = ""
    RULES: tuple[tuple[str, str], ...] = ()
    STYLES: tuple[str, ...] = ()
    UNSCRIPTED: tuple[str, ...] = ()
    SCRIPTS: tuple[str, ...] = ()
    RULES_STYLES: tuple[str, ...] = ()
    MOTION: str = ""
    OPEN: bool = False
    SCORE: str = ""
    COUNTED: tuple[tuple[str, str], ...] = ()

    def context(self, scene: Scene) -> Mapping[str, Any]:
        """Return what the template needs; for boards of one template, which change as a whole."""
        return {}

    def regions(self, scene: Scene) -> Mapping[str, Region]:
        """Return the parts of the board that all players see alike, by the ids of their elements.

        They are made from what everybody may know, once for all players and once for all spectators; which of these
        they are for, `Scene.seated` says. Each comes before those that lie in it, which are shared as well.
        """
        return {}

    def own_regions(self, scene: Scene) -> Mapping[str, Region]:
        """Return the parts that the viewer alone sees like this; the first holds all others, and those of `regions`."""
        return {}

    def thumbnail(self, view: Any) -> str:
        """Return a position as everybody may know it, drawn in a few strokes: the inside of a `viewBox="0 0 160 120"`.

        It is shown in lists of matches, is at most 3 kB under gzip, says nothing in words, and has no ids. Colours are
        for both themes (`fill="var(--wood)"`, `fill="light-dark(#fff, #000)"`).

        Args:
            view: a spectator's, also while the match is running.
        """

    def status(self, scene: Scene) -> str:
        """Return in one sentence who must do what, or how it ended, addressed to this viewer."""

    def passed(self, scene: Scene) -> str:
        """Return in one sentence why the viewer's turn has ended without their ending it, and what follows.

        It is said instead of the status, also while bots think; empty if there is nothing to say.
        """
        return ""

    def facts(self, scene: Scene) -> Sequence[Sequence[Fact]]:
        """Return for each seat what is shown beside its name: score, cards in hand and so on."""

    def rules_section(self, scene: Scene) -> str:
        """Return the anchor of the section of the rules about what happens now; "" for their beginning."""
        return ""

    def decisive(self, scene: Scene) -> Sequence[Number]:
        """Return the numbers that decided a match, one to four, the most telling first.

        The match has ended, perhaps before the rules end it: then they are as they stand.
        """

    def brought(self, event: Event) -> tuple[int, int] | None:
        """Return which seat an event brought how many points, None if it brought nobody any.

        What only the end decides, as a bonus for the most of something, no event has brought.
        """
        return None

    def bonus(self, before: Any, events: Sequence[Event]) -> Sequence[tuple[int, int]]:
        """Return which seats the events of one action brought how many points beyond what each event brought alone.

        Args:
            before: the state of the match before the action.
            events: what happened in it.
        """
        return ()

    def compose(self, fields: Mapping[str, Sequence[str]]) -> str:
        """Return the notation of the action a submitted board form asks for (it works without a script).

        Raises:
            RuleViolation: the choice is incomplete; the text says what is missing.
        """

    def doubt(self, text: str, view: Any) -> Doubt | None:
        """Return what to ask before an action of the board's form that gives a turn away; None for all others.

        Args:
            text: the action in the notation.
            view: of the seat that wants to take it.
        """
        return None

    def preview(self, text: str, view: Any) -> str:
        """Return in a sentence what would hold after an action that a player of the form considers.

        Args:
            text: the action in the notation; it may break a rule.
            view: of the seat that considers it, which is to move.

        Returns:
            The sentence; empty, as for all actions here, if there is nothing to say.

        Raises:
            RuleViolation: the text is no action.
        """
        return ""

    def marks(self, text: str) -> Sequence[Mark]:
        """Return the fields of the board's form that make up an action, in the order in which they are chosen.

        Of fields that are not shown, `data-pressed` of their group is the id of the button that is marked instead.

        Args:
            text: the action in the notation.
        """

    def line(self, event: Event, names: Sequence[str], reader: Viewer) -> str:
        """Return one sentence for the log; empty if the event needs none.

        Args:
            event: one that the reader may see.
            names: the players' names by seat.
            reader: the seat of the reader, who is called "you"; None calls all players by name.
        """
        return ""

    def caption(self, event: Event, names: Sequence[str], reader: Viewer) -> str:
        """Return what the log of a match shows instead of a long line, where small pictures or the board show the rest.

        The line is kept for those who do not see these. Empty if the line itself is shown. Arguments as for `line`.
        """
        return ""

    def located(self, event: Event, state: Any) -> Event:
        """Return an event as `line` is to tell it in a match that has come to a state; as it is by default.

        Places on a board may have names which no event holds: another event, which can be hashed, names them.

        Args:
            event: what happened earlier in the match.
            state: of the match now; what the event then tells, everybody may know.
        """
        return event

    def log_picture(self, event: Event) -> str:
        """Return an event in small pictures, which the log shows beside its line; empty without any.

        They refer to symbols of `SPRITE`, say nothing in words and have no ids. Each is an `<svg>`: of class "sign" for
        what was done, "of-card" if it is upright, and "took" besides if it is to be marked.

        Args:
            event: one that whoever sees the picture may see.
        """
        return ""

    def secret(self, text: str, view: Any) -> str:
        """Return in a sentence what an action of a sealed turn does, as there is no event for it while it is secret.

        Reviews and hints show it to those who may know it. Empty where the rules have no sealed turns.

        Args:
            text: the action in the notation.
            view: of the seat that takes it, before it does.
        """
        return ""

    def pictured(self, text: str, view: Any) -> str:
        """Return an action in small pictures, for pages with `SPRITE` that also say it in words; empty without any.

        Args:
            text: the action in the notation.
            view: of the seat that takes it, before it does or at the beginning of the turn.
        """
        return ""

    def solo_result(self, scene: Scene) -> SoloResult | None:
        """Return the result of a finished match of one seat, None for every other."""

    def counts(self, scene: Scene) -> Sequence[Mapping[str, int]]:
        """Return for each seat of a finished match the counts of everything in `COUNTED`; () for nothing."""
        return ()
