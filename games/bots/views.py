"""The pages about bots: how they think, how strong they are, how they did against people; and hints."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.db.models import Count, F, Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import TooMany, spend
from accounts.requests import HtmxRequest, whole_number
from accounts.services import person_of
from games.bots import hints
from games.engine.bots import LEVELS, Level as EngineLevel
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.play import commands
from games.play.access import ViewedMatch, access_match, for_members
from games.play.models import Level, Match, Seat
from games.play.reducer import positions
from games.play.views import written
from games.titles import Title, titles
from games.titles.phrases import plan_text

# --- how strong levels are, as measured in matches between bots: tables of `manage.py arena --out` --------------------

FOLDER = Path(__file__).resolve().parent / "strengths"
"""One file for each comparison: `<game>-<seats>.json`, or `<game>-<seats>-<what>.json` where there are several."""

NAMES = frozenset(Level.values)

_OTHERS = {
    "greedy": gettext_lazy("a greedy player"),
    "flat": gettext_lazy("a plain search"),
    "tenfold": gettext_lazy("Grandmaster with ten times the worlds"),
}
"""What levels are measured against besides each other; see `games.titles.bots`."""

_TAIL = 0.025
"""What lies beyond each end of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How one bot did against others in matches that nobody else played.

    Args:
        title: the game.
        seats: how many played in each match.
        name: of the bot, as in the table.
        others: the names of the bots it played against.
        matches: how many it played.
        share: of its opponents that it left behind, in per cent; a tie counts half.
        outright: the same without ties: of its opponents that it truly beat, in per cent.
        margin: the 95 % interval reaches so far on both sides, in per cent; 0 if it won all or none.
        place: its mean place.
        place_margin: the 95 % interval of that reaches so far on both sides.
    """

    title: Title
    seats: int
    name: str
    others: tuple[str, ...]
    matches: int
    share: float
    outright: float
    margin: float
    place: float
    place_margin: float

    @property
    def level(self) -> Level | None:
        return Level(self.name) if self.name in NAMES else None

    @property
    def bound(self) -> float:
        """The end of the 95 % interval of one that won all, or none, in per cent: there is no spread to measure."""
        lowest: float = 100 * _TAIL ** (1 / self.matches)
        return lowest if self.share else 100 - lowest

    @property
    def others_in_words(self) -> list[str]:
        return [str(Level(name).label if name in NAMES else _OTHERS.get(name, name)) for name in self.others]


@cache
def measured() -> tuple[Measured, ...]:
    """Return all that was measured, by game and number of seats."""
    rows = (
        row for path in sorted(FOLDER.glob("*.json")) for row in _rows(json.loads(path.read_text(encoding="utf-8")))
    )
    return tuple(sorted(rows, key=lambda row: (row.title.game.name, row.seats)))


def _rows(table: dict[str, Any]) -> Iterator[Measured]:
    title = titles().get(table["game"])
    if title is None:
        return
    seats = len(table["matches"][0]["bots"])
    for name, found in table["bots"].items():
        others = tuple(other for other in table["bots"] if other != name)
        yield Measured(
            title=title,
            seats=seats,
            name=name,
            others=others,
            matches=found["matches"],
            share=100 * found["share"],
            outright=100 * _outright(table["matches"], name),
            margin=100 * found["margin"],
            place=found["place"],
            place_margin=found["place_margin"],
        )


def _outright(matches: Sequence[dict[str, Any]], name: str) -> float:
    """Return which share of its opponents a bot left behind, where nothing counts that was a tie."""
    beaten: list[bool] = [
        own < other
        for match in matches
        for own, bot in zip(match["places"], match["bots"], strict=True)
        for other, opponent in zip(match["places"], match["bots"], strict=True)
        if bot == name != opponent
    ]
    return sum(beaten) / len(beaten)


# --- how levels did against people ------------------------------------------------------------------------------------

LATEST = 1_000
"""Seats of a level that count: the latest, so that the page costs no more after years."""


@dataclass(frozen=True, slots=True)
class Against:
    """How a level did against people in one game: each person who played counts once.

    Args:
        title: the game.
        ahead: people that the bot left behind.
        level: people with whom it shared a place.
        behind: people who left it behind.
    """

    title: Title
    ahead: int
    level: int
    behind: int

    @property
    def people(self) -> int:
        return self.ahead + self.level + self.behind

    @property
    def rate(self) -> int:
        """Return how many of a hundred people it left behind; a shared place counts half."""
        return round((100 * self.ahead + 50 * self.level) / self.people) if self.people else 0


def against_people(level: Level) -> Sequence[Against]:
    """Return how a level did, in the order of games; matches in which somebody practised or had hints do not count."""
    counted = Match.objects.filter(status=Match.Status.OVER, practice=False, hints=False)
    seats = Seat.objects.filter(bot=level, ended_at__isnull=False).order_by("-ended_at")
    keys = list(seats.values_list("pk", flat=True)[:LATEST])
    pairs = Seat.objects.filter(pk__in=keys, match__in=counted, match__seats__bot=None).order_by()
    theirs = pairs.annotate(theirs=F("match__seats__place")).values("match__game")
    rows = theirs.annotate(
        ahead=Count("pk", filter=Q(place__lt=F("theirs"))),
        same=Count("pk", filter=Q(place=F("theirs"))),
        behind=Count("pk", filter=Q(place__gt=F("theirs"))),
    )
    found = {row["match__game"]: row for row in rows}
    return [
        Against(title, found[slug]["ahead"], found[slug]["same"], found[slug]["behind"])
        for slug, title in titles().items()
        if slug in found
    ]


# --- the pages --------------------------------------------------------------------------------------------------------


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show all levels."""
    ways = [_way(LEVELS[Level.MASTER], title) for title in titles().values()]
    return TemplateResponse(request, "bots/bots.html", {"levels": list(Level), "ways": ways})


@require_safe
def bot(request: HttpRequest, level: str) -> HttpResponse:
    """Show one level: how it thinks, what was measured, and how it did against people."""
    if level not in Level.values:
        raise Http404(_("There is no bot with this name."))
    chosen = Level(level)
    context = {
        "level": chosen,
        "levels": list(Level),
        "ways": [_way(LEVELS[level], title) for title in titles().values()],
        "measured": [row for row in measured() if row.level == chosen],
        "against": against_people(chosen),
    }
    return TemplateResponse(request, "bots/bot.html", context)


def _way(level: EngineLevel, title: Title) -> dict[str, Any]:
    """Return how a level thinks in one game."""
    most = title.insight.EFFORT
    searches = level.ponders or LEVELS[Level.MASTER].futures(most) > 1
    return {
        "title": title,
        "searches": searches,
        "worlds": level.futures(most),
        "slips": round(100 * level.errs(most)),
    }


@require_POST
@for_members
def match_hint(request: HtmxRequest, slug: str) -> HttpResponse:
    """Ask for a hint. The page's script looks for it at `match_hint_found`; without one, a page shows it."""
    viewed = _own(request, slug)
    try:
        spend("hint", person_of(request))
        hints.ask(viewed.match.pk, int(viewed.viewer or 0))
    except TooMany as error:
        return _refused(request, viewed, error.text, HTTPStatus.TOO_MANY_REQUESTS)
    except RuleViolation as violation:
        return _refused(request, viewed, _(violation.text), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("match_hint_found", slug)


def _refused(request: HtmxRequest, viewed: ViewedMatch, text: str, status: HTTPStatus) -> HttpResponse:
    """Say why there is no hint: to a script, which shows it beside the board, with a status of its own."""
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"found": False, "why": text}, status=status)
    messages.error(request, text)
    return redirect(viewed.match)


@require_safe
@for_members
def match_hint_found(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the hint for the current position: to a script as JSON, with the fields of the board it is about."""
    viewed = _own(request, slug)
    hint = hints.latest(viewed.match, int(viewed.viewer or 0))
    if request.GET.get("as") != "json":
        action = ""
        if hint and hint.text:
            title, seat = viewed.match.title, SeatNumber(hint.seat)
            view = title.game.view_for(positions.decode_state(viewed.match), seat)
            action = plan_text(title, view, seat, (title.game.parse(hint.text),), viewed.names, seat)
        context = {"match": viewed.match, "hint": hint, "action": action, "client_id": secrets.token_hex(16)}
        return TemplateResponse(request, "bots/hint.html", context)
    if hint is None or not hint.text:
        return JsonResponse({"found": False, "wanted": hint is not None})
    marks = [[mark.name, *mark.values] for mark in viewed.match.title.board.marks(hint.text)]
    return JsonResponse({"found": True, "version": hint.version, "why": hint.why, "marks": marks})


@require_POST
@for_members
def match_hint_play(request: HtmxRequest, slug: str) -> HttpResponse:
    """Take the action of the hint for the position that the reader saw, and show the board."""

    def play(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        hint = hints.latest(viewed.match, seat.number)
        if hint is None or not hint.text:
            raise RuleViolation("no-hint", _("There is no hint for this position."))
        version, client_id = whole_number(request.POST.get("version", "")), request.POST.get("client_id", "")
        return commands.submit(viewed.match.pk, seat.number, hint.text, version or hint.version, client_id, viewed)

    return written(request, slug, play)


def _own(request: HttpRequest, slug: str) -> ViewedMatch:
    viewed = access_match(request.user, slug)
    if viewed.viewer is None:
        raise Http404
    return viewed
