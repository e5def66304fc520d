"""The pages of a review, and of a moment played again: who may see the replay may see it, and members may ask for it.

The board and the log of a review are those of the replay; the chart and the moments lead to their positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import TooMany, spend
from accounts.requests import HtmxRequest, whole_number
from accounts.services import member_of, person_of
from games.engine import runner
from games.engine.bots import Level, Search, SoFar, choose
from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import AnyGame, RuleViolation
from games.history.replay import is_checkable, replay_of
from games.play.access import ViewedMatch, access_match, for_members
from games.play.boards.standalone import SEPARATOR, StandaloneBoard, composed, split
from games.play.records import plays
from games.play.reducer.positions import AnyPlay, seed_of
from games.review import services
from games.review.found import Moment, found_by, in_points, moment_named, pictures_of, shown
from games.review.jobs import judge_of
from games.review.models import Review
from games.titles import Scene
from games.titles.phrases import plan_text


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the review of a match that has ended, as far as it has come; a POST asks for one.

    `at` and `seat` choose the position on the board as in a replay; `moment` and `way` what was played there, or what
    was better. htmx gets the part of the page with the board if one of these is given, else the part that grows.
    """
    return _ask(request, slug) if request.method == "POST" else _show(request, access_match(request.user, slug))


@for_members
def _ask(request: HtmxRequest, slug: str) -> HttpResponse:
    viewed = access_match(request.user, slug)
    if not viewed.match.is_over or not is_checkable(viewed.match):
        return _show(request, viewed)
    try:
        services.ask(viewed.match, person_of(request))
    except services.TooManyUnderWay as error:
        return _show(request, viewed, str(error))
    except TooMany as error:
        return _show(request, viewed, error.text)
    return redirect("review", slug)


def _show(request: HtmxRequest, viewed: ViewedMatch, refusal: str = "") -> HttpResponse:
    if not viewed.match.is_over:
        return redirect(viewed.match)
    if not is_checkable(viewed.match):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    found = Review.objects.filter(match=viewed.match).first()
    context: dict[str, Any] = {"match": viewed.match, "title": viewed.match.title, "viewed": viewed, "review": found}
    if found is None:
        return TemplateResponse(
            request, "review/review.html", {**context, "refusal": refusal}, status=422 if refusal else 200
        )
    if request.htmx and request.GET:
        context |= _spot(request, viewed, found, ())
        return TemplateResponse(request, "history/position.html", context, status=context["replay"].status)
    context["found"] = found_by(viewed, found)
    if request.htmx:
        return TemplateResponse(request, "review/state.html", context)
    context |= _spot(request, viewed, found, context["found"].moments if context["found"] else ())
    return TemplateResponse(request, "review/review.html", context, status=context["replay"].status)


def _spot(request: HtmxRequest, viewed: ViewedMatch, found: Review, moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the position that is asked for; if none is, that of the first of these moments, or the last of all."""
    asked = request.GET
    if "moment" in asked:
        moment, _reached = _named(viewed, found, asked["moment"])
        spot = replay_of(viewed, str(moment.after), str(moment.seat))
        way = "better" if asked.get("way") == "better" else "played"
        board = shown(viewed, moment, moment.better if way == "better" else moment.played)
        return {"replay": replace(spot, shown=board), "told": _told(moment, way), "way": way}
    if moments and not asked:
        first = moments[0]
        return {"replay": replay_of(viewed, str(first.begun), str(first.seat)), "told": _told(first)}
    return {"replay": replay_of(viewed, asked.get("at", ""), asked.get("seat", ""))}


def _told(moment: Moment, way: str = "") -> SafeString:
    return render_to_string("review/told.html", {"moment": moment, "way": way})


def _named(viewed: ViewedMatch, found: Review, last: str) -> tuple[Moment, Sequence[AnyPlay]]:
    """Return the moment that an address names, and the positions of the match."""
    reached = list(plays(viewed.match, viewed.seats))
    moment = None if found.is_outdated else moment_named(viewed, found, reached, whole_number(last))
    if moment is None:
        raise Http404(_("There is no such moment in this review."))
    return moment, reached


@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let the reader play the `moment` of the address again; a POST is an action. htmx gets the part that changes."""
    viewed = access_match(request.user, slug)
    found = Review.objects.filter(match=viewed.match).first()
    if found is None or not is_checkable(viewed.match):
        raise Http404(_("There is no such moment in this review."))
    moment, reached = _named(viewed, found, request.GET.get("moment", ""))
    texts = split(request.GET.get("line", "") if request.method != "POST" else request.POST.get("line", ""))
    refusal = ""
    try:
        tried = exercise_of(viewed, moment, reached, texts)
    except RuleViolation as violation:
        tried, refusal = exercise_of(viewed, moment, reached, ()), _(violation.text)
    if request.method == "POST" and not refusal:
        try:
            spend("puzzle", member_of(request))
            text = composed(viewed.match.title, dict(request.POST.lists()))
            after = exercise_of(viewed, moment, reached, [*texts, text])
        except (TooMany, RuleViolation) as error:
            refusal = error.text if isinstance(error, TooMany) else _(error.text)
        else:
            return redirect(f"{request.path}?{urlencode({'moment': moment.last, 'line': after.line})}")
    tried = replace(tried, refusal=refusal)
    context = {"match": viewed.match, "title": viewed.match.title, "exercise": tried, "moment": moment}
    template = "review/attempt.html" if request.htmx else "review/exercise.html"
    return TemplateResponse(request, template, context, status=422 if refusal else 200)


# --- a moment of a review, played again: the reader decides on the board, and a program answers for the others --------

_ANSWERING: Final = Level("answering", effort=0, slips=0, horizon=0)
"""The best that is known of a game, without a search: somebody is waiting."""
_MOST_ANSWERS: Final = 60
_MOST_ACTIONS, _LONGEST_ACTION = 12, 120


@dataclass(frozen=True)
class Exercise:
    """A moment as far as its reader has played it.

    Args:
        viewed: the match.
        moment: the moment.
        reached: the positions of the match.
        tried: what the reader did.
        refusal: why something was not done; otherwise empty.
    """

    viewed: ViewedMatch
    moment: Moment
    reached: Sequence[AnyPlay]
    tried: Sequence[AnyPlay]
    refusal: str = ""

    @property
    def start(self) -> AnyPlay:
        return self.reached[self.moment.begun]

    @property
    def is_over(self) -> bool:
        """Whether the decision has been made."""
        last = self.tried[-1] if self.tried else None
        return last is not None and (last.sealed or last.reveals or self.moment.seat not in last.to_move)

    @property
    def line(self) -> str:
        """What was done so far, as the form and addresses carry it."""
        return SEPARATOR.join(play.text for play in self.tried)

    @property
    def back(self) -> str:
        """The same without the last action."""
        return SEPARATOR.join(play.text for play in self.tried[:-1])

    @property
    def words(self) -> str:
        """What was done so far, in sentences; empty for nothing."""
        return self._in_words(self._plan) if self.tried else ""

    @cached_property
    def answers(self) -> Sequence[AnyPlay]:
        """What the others do until the reader is to move again."""
        found, insight, last = list[AnyPlay](), self.viewed.match.title.insight, self.tried[-1]
        while last.to_move and self.moment.seat not in last.to_move and len(found) < _MOST_ANSWERS:
            seat = min(last.to_move)
            view = self._game.view_for(last.state, seat)
            search = Search(self._game, insight, view, seat, Dice(last.number))
            action = choose(_ANSWERING, search, SoFar(view, (), b""), 0)
            last = runner.act(self._game, last.position, seat, action, self._seed)
            found.append(last)
        return found

    @property
    def answered(self) -> Sequence[str]:
        """The same in sentences."""
        return self._apart.lines(chain.from_iterable(play.events for play in self.answers))

    @cached_property
    def compared(self) -> Sequence[tuple[str, int, Sequence[SafeString], str]]:
        """For the try, what was played and what was better: its name, the chance in per cent, pictures, words."""
        moment, title, view = self.moment, self.viewed.match.title, self._view
        named = ((_("Your try"), self._plan), (_("Played"), moment.played.plan), (_("Better"), moment.better.plan))
        judge = judge_of(self.viewed.match, self.viewed.seats, self.reached)
        worths = judge.worths(self.start, moment.seat, [plan for _name, plan in named])
        return [
            (name, in_points(worth), pictures_of(title, view, plan), self._in_words(plan))
            for (name, plan), worth in zip(named, worths, strict=True)
        ]

    @property
    def _plan(self) -> Plan:
        return tuple(self._game.parse(play.text) for play in self.tried)

    def _in_words(self, plan: Plan) -> str:
        seat = self.moment.seat
        return plan_text(self.viewed.match.title, self._view, seat, plan, self.viewed.names, seat)

    @property
    def _view(self) -> Any:
        return self._game.view_for(self.start.state, self.moment.seat)

    # --- board ----------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        if self.is_over:
            last = [*self.tried, *self.answers][-1]
            since = tuple(chain.from_iterable(play.events for play in self.answers))
            return self._apart.scene(last.state, (), since, active=False, ended=last.outcome is not None)
        last = self.tried[-1] if self.tried else self.start
        return self._apart.scene(last.state, last.events, active=True, ended=False)

    @property
    def board(self) -> str:
        return self._apart.html(self.scene)

    @property
    def task(self) -> str:
        """What the board asks its player to do."""
        return self.viewed.match.title.board.status(self.scene)

    @property
    def _apart(self) -> StandaloneBoard:
        return StandaloneBoard(self.viewed.match.title, self.moment.seat, self.viewed.names)

    @property
    def _game(self) -> AnyGame:
        return self.viewed.match.rules

    @property
    def _seed(self) -> bytes:
        return seed_of(self.viewed.match, self.viewed.seats)


def exercise_of(viewed: ViewedMatch, moment: Moment, reached: Sequence[AnyPlay], texts: Sequence[str]) -> Exercise:
    """Return an exercise in which these actions have been tried; those after the decision are left out.

    Raises:
        RuleViolation: one is not legal, or there are too many.
    """
    if len(texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in texts):
        raise RuleViolation("notation", _("That is more than one turn."))
    found = Exercise(viewed, moment, reached, ())
    game, seed, at = viewed.match.rules, seed_of(viewed.match, viewed.seats), found.start
    for text in texts:
        if found.is_over:
            break
        at = runner.play(game, at.position, moment.seat, text, seed)
        found = Exercise(viewed, moment, reached, (*found.tried, at))
    return found
