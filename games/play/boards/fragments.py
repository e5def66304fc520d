"""The only renderer of boards. Everything a person sees of a match is made here, from `view_for` and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, NamedTuple, TypeAlias

from django.utils import timezone, translation
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext

from accounts import moments
from games.engine.protocol import Event, RuleViolation, Seat, Viewer
from games.play.access import ViewedMatch, newest_actions
from games.play.boards import endings
from games.play.boards.log import LogEntry, Told, entry_of, lines_of, told_to, told_to_all
from games.play.clocks import as_on_a_clock, milliseconds, span_in_words
from games.play.models import STAND_IN, Action, Match, Presence, Seat as Seated, Speed
from games.play.records import plays, position_at
from games.play.reducer import positions
from games.titles import Fact, Scene
from games.titles.regions import Page, Region, Shared, region

TABLES = frozenset({Match.Status.PLANNED, Match.Status.OPEN, Match.Status.CLOSED})
"""What has not begun has no board: its page is the table's."""

TableRenderer: TypeAlias = Callable[[ViewedMatch, Any, str], Page]
"""Renders a table, which is a match before it begins, for a reader, with a notice for them."""

_render_table: TableRenderer | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A position as one viewer sees it."""

    number: int
    html: str
    status: str
    facts: Sequence[Sequence[Fact]]
    lines: tuple[str, ...]


def register_table(renderer: TableRenderer) -> None:
    """Register what renders a match before it begins; the level that keeps tables does this when it is ready."""
    global _render_table  # noqa: PLW0603  # there is one
    _render_table = renderer


def match_fragment(viewed: ViewedMatch, user: Any = None, notice: str = "", done: str = "") -> str:
    """Return the whole of `match_page`, as markup."""
    return match_page(viewed, user, notice, done).html


def match_page(viewed: ViewedMatch, user: Any = None, notice: str = "", done: str = "") -> Page:
    """Return the match as its viewer may see it.

    Args:
        viewed: the match, loaded now.
        user: the reader; only an open table looks different for different people without a seat.
        notice: why the reader's request was refused, in a sentence.
        done: what the reader's request did, instead of the sentence that says how it stands; empty if that says it.
    """
    if viewed.match.status in TABLES:
        if _render_table is None:
            raise LookupError("nothing is registered that renders tables")
        return _render_table(viewed, user, notice)
    match = viewed.match
    # Only the deadlines of day clocks are shown in the reader's time zone.
    zone = timezone.get_current_timezone_name() if match.speed == Speed.DAYS else ""
    asked = _Asked(match.slug, match.version, viewed.names, translation.get_language(), zone, viewed)
    return _page(asked, viewed.viewer, notice, done)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Everything that all pages of a match depend on, and the match as it is at that version."""

    slug: str
    version: int
    names: tuple[str, ...]
    language: str | None
    zone: str
    viewed: ViewedMatch = field(compare=False)


@lru_cache(maxsize=512)
def _page(asked: _Asked, viewer: Viewer, notice: str, done: str) -> Page:
    shared = _shared(asked, viewer is not None)
    return Page(_own_regions(asked.viewed, notice, done, shared.regions), shared)


@lru_cache(maxsize=512)
def _shared(asked: _Asked, seated: bool) -> Shared:
    return Shared(_shared_regions(asked.viewed, seated))


def board_at(viewed: ViewedMatch, number: int, viewer: Viewer, with_all_hands: bool = False) -> Shown:
    """Return the position after this many actions from a viewer's point of view; the caller checks who may see it.

    Raises:
        ValueError: the match has no such position.
    """
    reached = position_at(viewed.match, viewed.seats, number)
    scene = replace(scene_of(viewed, reached, viewer, active=False), borrowed=viewer != viewed.viewer)
    if with_all_hands:
        view_for = viewed.match.rules.view_for
        scene = replace(scene, open=tuple(view_for(reached.state, Seat(seat.number)) for seat in viewed.seats))
    board = viewed.match.title.board
    html = viewed.match.title.page_of(scene).html
    told = (board.located(event, reached.state) for event in scene.recent)
    lines = tuple(line for event in told if (line := board.line(event, scene.names, viewed.viewer)))
    status = board.status(scene_of(viewed, reached, None, active=False))  # "your turn" would speak to the wrong person
    return Shown(number, html, status, board.facts(scene), lines)


def preview(viewed: ViewedMatch, fields: Mapping[str, Sequence[str]]) -> str:
    """Return in a sentence what the viewer's choice on the board's form would bring, which is not sent yet.

    It is empty if the choice is incomplete, the viewer is not to move, or nothing can be said.
    """
    match, mine = viewed.match, viewed.mine
    if mine is None or not match.is_running or not mine.to_move:
        return ""
    board, view = match.title.board, match.rules.view_for(positions.decode_state(match), viewed.viewer)
    try:
        return board.preview(board.compose(fields), view)
    except RuleViolation:
        return ""


def board_now(viewed: ViewedMatch) -> Shown:
    """Return the present position of a match that has begun as spectators see it, whoever has a seat in it."""
    match = viewed.match
    scene = scene_of(viewed, _present(match, _tail(viewed)), None, active=False)
    html = match.title.page_of(scene).html
    return Shown(match.length, html, _said(viewed, scene, None), match.title.board.facts(scene), ())


def rules_section(viewed: ViewedMatch) -> str:
    """Return the anchor of the section of the rules about what happens now; "" before the match begins."""
    match = viewed.match
    if match.status in TABLES:
        return ""
    reached = positions.Reached(match.length, positions.decode_state(match), ())
    return match.title.board.rules_section(scene_of(viewed, reached, viewed.viewer, active=False))


def scene_of(viewed: ViewedMatch, reached: positions.Reached, viewer: Viewer, active: bool) -> Scene:
    """Return what a viewer looks at: the one place where a state becomes a view."""
    return Scene(
        view=viewed.match.rules.view_for(reached.state, viewer),
        viewer=viewer,
        names=viewed.names,
        recent=tuple(event for event in reached.events if event.is_seen_by(viewer)),
        active=active,
        ended=viewed.match.has_ended and reached.number == viewed.match.length,
    )


def _present(match: Match, tail: Sequence[Action]) -> positions.Reached:
    events: tuple[Event, ...] = positions.events_of(match, tail[0].events) if tail else ()
    return positions.Reached(match.length, positions.decode_state(match), events)


def _shared_regions(viewed: ViewedMatch, seated: bool) -> Mapping[str, Region]:
    """Return what all players see alike, or all spectators: it is made from what everybody may know."""
    match, tail = viewed.match, _tail(viewed)
    scene = replace(scene_of(viewed, _present(match, tail), None, active=False), for_players=seated)
    log = _public_log(viewed, tail[: positions.LOGGED])
    return {**_clocks_and_badges(viewed), **match.title.board.regions(scene), **log}


def _own_regions(viewed: ViewedMatch, notice: str, done: str, public: Collection[str]) -> Mapping[str, Region]:
    """Return what the reader alone sees like this, and the frame of the page; `public` are the ids of all else."""
    match, mine, tail = viewed.match, viewed.mine, _tail(viewed)
    active = match.is_running and mine is not None and mine.to_move and not mine.has_left
    own, since = _own_and_since(viewed, tail)
    scene = replace(scene_of(viewed, _present(match, tail), viewed.viewer, active), own=own, since=since)
    shown = match.title.board.own_regions(scene)
    return {
        "match": region(
            "play/match.jinja#match",
            inside=("match-status", "players", "board", "match-actions", "log"),
            status=match.status,
            rules=match.title.board.rules_section(scene),
            seat=viewed.viewer,
            version=match.version,
            length=match.length,
        ),
        "match-status": _status(viewed, scene, active, notice, done),
        **_players(viewed, match.title.board.facts(scene), public),
        "board": region("play/match.jinja#board", inside=(next(iter(shown)),)),
        **shown,
        **_actions(viewed, tail),
        "log": region("play/match.jinja#log", inside=("log-lines",), slug=match.slug),
        **_own_log(viewed, tail[: positions.LOGGED], public),
    }


def _tail(viewed: ViewedMatch) -> Sequence[Action]:
    return newest_actions(viewed.match) if viewed.tail is None else viewed.tail


def _own_and_since(viewed: ViewedMatch, tail: Sequence[Action]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """Return the viewer's own last action and what others did since, the oldest first, as the viewer may know it."""
    viewer = viewed.viewer
    if viewer is None:
        return (), ()
    others = list(takewhile(lambda action: action.seat != viewer, tail))
    own = tail[len(others) : len(others) + 1]

    def seen(actions: Iterable[Action]) -> tuple[Event, ...]:
        events = (event for action in actions for event in positions.events_of(viewed.match, action.events))
        return tuple(event for event in events if event.is_seen_by(viewer))

    return seen(own), seen(reversed(others))


def _status(viewed: ViewedMatch, scene: Scene, active: bool, notice: str, done: str) -> Region:
    match = viewed.match
    return region(
        "play/match.jinja#match_status",
        active=active,
        status=done or _said(viewed, scene, viewed.viewer),
        unrated=endings.unrated_in_words(match, viewed.seats),
        notice=notice,
    )


def _said(viewed: ViewedMatch, scene: Scene, viewer: Viewer) -> str:
    """Return in a sentence how it stands, for the viewer whose scene this is."""
    board = viewed.match.title.board
    ended = endings.ending_in_words(viewed.match, viewed.seats, viewer)
    return ended or board.passed(scene) or _thinking(viewed) or board.status(scene)


def _players(viewed: ViewedMatch, facts: Sequence[Sequence[Fact]], public: Collection[str]) -> Mapping[str, Region]:
    """Return the players with what this reader may know of them; their clocks and badges are shared."""
    match, numbers = viewed.match, range(len(viewed.seats))
    found = {"players": region("play/match.jinja#players", inside=[f"player-{number}" for number in numbers])}
    for number, seat, own in zip(numbers, viewed.seats, facts, strict=True):
        inside = (f"badges-{number}", f"facts-{number}")
        found[f"player-{number}"] = region(
            "play/match.jinja#player",
            inside=(f"clock-{number}", *inside) if f"clock-{number}" in public else inside,
            number=number,
            name=seat.name,
            own=number == viewed.viewer,
            account=seat.user.username if seat.user else "",
            guest=seat.is_guest,
            bot=seat.bot,
            to_move=seat.to_move and match.is_running,
        )
        found[f"facts-{number}"] = _facts(number, own)
    return found


def _facts(number: int, facts: Sequence[Fact]) -> Region:
    return region("play/match.jinja#facts", number=number, facts=tuple(facts))


def _clocks_and_badges(viewed: ViewedMatch) -> Mapping[str, Region]:
    match, found = viewed.match, {}
    for number, seat in enumerate(viewed.seats):
        clock = shown_clock(match, seat)
        if clock:
            found[f"clock-{number}"] = region("play/match.jinja#clock", number=number, clock=clock)
        found[f"badges-{number}"] = region(
            "play/match.jinja#badges",
            number=number,
            place=seat.place if match.is_over else None,
            placed=endings.place_in_words(seat.place) if match.is_over and seat.place else "",
            alone=match.seat_count == 1,
            running=match.is_running,
            left=_how_left(seat, match.is_running),
            away=clock.away if clock else "",
        )
    return found


def _how_left(seat: Seated, running: bool) -> str:
    """Return in words how a player left the match, and who acts for the seat; empty for players who have not left."""
    if not seat.has_left:
        return ""
    if running:
        return _("out of time; a bot plays") if seat.timed_out else _("resigned; a bot plays")
    return _("ran out of time") if seat.timed_out else _("resigned")


def _actions(viewed: ViewedMatch, tail: Sequence[Action]) -> Mapping[str, Region]:
    """Return what can be done besides the board's own moves.

    What can be done only at times is switched off meanwhile: each tool keeps its place, where the next press may aim.
    """
    match, mine = viewed.match, viewed.mine
    undoable = _undoable(viewed, tail)
    plays = match.is_running and mine is not None and not mine.has_left
    tools = {
        "leave": plays,
        "ask-hint": viewed.may_practise,
        "back": viewed.may_practise,
        "what-happened": match.is_running and mine is not None and match.seat_count > 1,
        "restart": undoable > 1,
        "open-log": True,
    }
    names = [name for name, is_there in tools.items() if is_there]
    usable = {
        "ask-hint": viewed.may_have_hint,
        "back": mine is not None and mine.acted and not undoable,
        "what-happened": bool(tail) and tail[0].seat != viewed.viewer,
    }
    states: dict[str, dict[str, Any]] = {name: {"off": not usable[name]} if name in usable else {} for name in names}
    beside = {"undo": region("play/match.jinja#undo", slug=match.slug)} if undoable else {}
    offering = [seat for seat in viewed.seats if seat.offers_abort] if match.is_running else []
    if offering:
        beside["offer"] = region(
            "play/match.jinja#offer",
            slug=match.slug,
            names=tuple(seat.name for seat in offering if seat is not mine),
            own=plays and mine in offering,
            answers=plays and mine not in offering,
        )
    elif match.is_running and mine is not None and mine.declined_by is not None:
        name = viewed.names[mine.declined_by]
        beside["declined"] = region("play/match.jinja#declined", slug=match.slug, name=name)
    return {
        "match-actions": region("play/match.jinja#match_actions", inside=("tools", *beside)),
        "tools": region("play/match.jinja#tools", inside=names),
        **{
            name: region(f"play/match.jinja#{name.replace('-', '_')}", slug=match.slug, **states[name])
            for name in names
        },
        **beside,
    }


def _public_log(viewed: ViewedMatch, tail: Sequence[Action]) -> Mapping[str, Region]:
    """Return the entries of which everybody may know the same, with the words for those whom each is about."""
    match, names, language = viewed.match, viewed.names, translation.get_language()
    told = ((action, _told_to_all(match.game, entry_of(match, action), names, language)) for action in tail)
    return {f"log-{action.number}": _entry(viewed, action, lines) for action, lines in told if lines}


def _own_log(viewed: ViewedMatch, tail: Sequence[Action], public: Collection[str]) -> Mapping[str, Region]:
    """Return the log, and those of its entries that are not public."""
    match, language = viewed.match, translation.get_language()
    listed, found = [], {}
    for action in tail:
        name = f"log-{action.number}"
        if name not in public:
            lines = _told_to(match.game, entry_of(match, action), viewed.viewer, viewed.names, language)
            if not lines:
                continue
            found[name] = _entry(viewed, action, lines)
        listed.append(name)
    return {"log-lines": region("play/match.jinja#log_lines", inside=listed), **found}


def _entry(viewed: ViewedMatch, action: Action, lines: Told) -> Region:
    return region(
        "play/match.jinja#log_entry",
        slug=viewed.match.slug,
        number=action.number,
        seat=action.seat,
        name=viewed.names[action.seat],
        by_bot=action.by_bot and not viewed.seats[action.seat].is_bot,
        lines=lines,
    )


# Every move of a match shows the same entries again.
@lru_cache(maxsize=20_000)
def _told_to_all(game: str, entry: LogEntry, names: tuple[str, ...], language: str | None) -> Told | None:
    return told_to_all(game, entry, names)


@lru_cache(maxsize=20_000)
def _told_to(game: str, entry: LogEntry, viewer: Viewer, names: tuple[str, ...], language: str | None) -> Told:
    return told_to(game, entry, viewer, names)


def _thinking(viewed: ViewedMatch) -> str:
    """Return that bots are thinking, when nobody else is to move; empty otherwise."""
    movers = [seat for seat in viewed.seats if seat.to_move] if viewed.match.is_running else []
    if not movers or not all(seat.is_bot or seat.has_left for seat in movers):
        return ""
    stand_in = _("%(bot)s for %(name)s")
    names = [seat.name if seat.is_bot else stand_in % {"bot": STAND_IN.label, "name": seat.name} for seat in movers]
    words = ngettext("%(names)s is thinking.", "%(names)s are thinking.", len(movers))
    return words % {"names": get_text_list(names, _("and"))}


def _undoable(viewed: ViewedMatch, tail: Sequence[Action]) -> int:
    """Return how many actions the viewer may take back: 0, 1, or 2 for several."""
    if not viewed.match.is_running or viewed.viewer is None:
        return 0
    return len(list(islice(positions.undoable(viewed.match, viewed.viewer, tail), 2)))


LOW = 10
"""The clock warns when less than one part in this many of the starting time is left."""

_HOUR = timedelta(hours=1)


class ShownClock(NamedTuple):
    """A clock as it is shown.

    Args:
        text: what is shown without a script, as text or as a `<time>` element.
        days: it is a day clock.
        deadline: when it will have run out, in milliseconds of the server's clock; None while it is stopped.
        low: it warns when this many milliseconds or fewer are left.
        moment: the deadline in the reader's zone, in full; empty while the clock is stopped.
        away: a `<time>` element with the end of the vacation that moved the deadline; empty without one.
    """

    text: str
    days: bool
    deadline: int | None
    low: int
    moment: str
    away: str = ""


def shown_clock(match: Match, seat: Seated) -> ShownClock | None:
    """Return what a seat's clock shows, None without a clock."""
    if seat.bank is None or match.control is None or not match.is_running or seat.has_left:
        return None
    days, low = match.speed == Speed.DAYS, match.control.start // LOW // timedelta(milliseconds=1)
    deadline = None if seat.deadline is None else milliseconds(seat.deadline)
    if days and seat.deadline is not None:
        away = moments.element(seat.away_until, "deadline") if seat.away_until else ""
        text, full = moments.element(seat.deadline, "until"), moments.with_zone(seat.deadline)
        return ShownClock(text, days, deadline, low, full, away)
    left = span_in_words(max(_HOUR, seat.bank - seat.bank % _HOUR)) if days else as_on_a_clock(seat.bank)
    return ShownClock(left, days, deadline, low, "")


@dataclass(frozen=True, slots=True)
class Step:
    """A position on the way to the present.

    Args:
        number: of actions that led to it.
        lines: what its action was, in words; () for the position before everything that is told.
        numbers: what the players' boxes show; empty in the present, which the page shows anyway.
        html: the board; likewise.
    """

    number: int
    lines: tuple[str, ...]
    numbers: str = ""
    html: str = ""


def untold(viewed: ViewedMatch, since: datetime | None = None) -> tuple[Action, ...]:
    """Return what others did in a running match after the viewer's own last action, the oldest first.

    Args:
        viewed: as its reader sees it; somebody without a seat has no action of their own, and gets ().
        since: only what was done after this moment.
    """
    if viewed.viewer is None or not viewed.match.is_running:
        return ()
    tail = newest_actions(viewed.match) if viewed.tail is None else viewed.tail
    others = takewhile(lambda action: action.seat != viewed.viewer, tail)
    return tuple(reversed([action for action in others if since is None or action.at > since]))


def last_seen(viewed: ViewedMatch) -> datetime | None:
    """Return when the reader, who plays, last looked at the match; None if they never did."""
    mine = viewed.mine
    seen = Presence.objects.filter(match=viewed.match, user=None if mine is None else mine.user_id)
    return seen.values_list("at", flat=True).first()


def steps(viewed: ViewedMatch, told: Sequence[Action]) -> list[Step]:
    """Return the positions before, between and after some actions; [] where there is nothing to tell.

    Args:
        viewed: as its reader sees it.
        told: the newest actions of the match, the oldest first.
    """
    match, viewer = viewed.match, viewed.viewer
    entries = {action.number: entry_of(match, action) for action in told}
    lines = {at: lines_of(match.game, entry, viewer, viewer, viewed.names) for at, entry in entries.items()}
    if not any(lines.values()):
        return []
    *earlier, present = sorted({told[0].number - 1, *(number for number, said in lines.items() if said)})
    found = {present: Step(present, lines[present])}
    try:
        for number, play in enumerate(plays(match, viewed.seats, earlier[-1])):
            if number in earlier:
                reached = positions.Reached(number, play.position.state, play.events)
                scene = scene_of(viewed, reached, viewer, active=False)
                numbers = _numbers(match.title.board.facts(scene))
                found[number] = Step(number, lines.get(number, ()), numbers, match.title.page_of(scene).html)
    except RuleViolation:  # of rules that are no longer kept
        return []
    return [found[number] for number in sorted(found)]


def _numbers(facts: Sequence[Sequence[Fact]]) -> str:
    """Return what stands beside each player's name, as it is in their boxes."""
    return "".join(Page({f"facts-{number}": _facts(number, own)}).html for number, own in enumerate(facts))
