"""The pages of puzzles: today's, the archive, and each puzzle, which is played as a form, with or without a script."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts import moments
from accounts.limits import TooMany
from accounts.requests import HtmxRequest, whole_number
from games.engine.protocol import RuleViolation
from games.play.boards.standalone import SEPARATOR, composed, split
from games.play.embedding import Embeddable, frame, framed
from games.puzzles import daily, services
from games.puzzles.daily import Daily
from games.puzzles.services import Tried, statistics


@dataclass(frozen=True)
class Page:
    """A puzzle as its reader sees it.

    Args:
        puzzle: the puzzle.
        tried: what the reader has tried.
        texts: the actions of the reader's partial answer, or of the solution as far as it is shown.
        refusal: why something was not done; otherwise empty.
    """

    puzzle: Daily
    tried: Tried
    texts: tuple[str, ...]
    refusal: str

    @property
    def is_over(self) -> bool:
        return self.tried.is_over

    @cached_property
    def shown(self) -> daily.Shown:
        return daily.board(self.puzzle, daily.parsed(self.puzzle, self.texts), active=not self.is_over)

    @property
    def task(self) -> str:
        return self.puzzle.task.asked(self.puzzle.view)

    @property
    def line(self) -> str:
        """The answer so far, as the form and addresses carry it."""
        return SEPARATOR.join(self.texts)

    @property
    def back(self) -> str:
        """The part of the address for the answer without its last action."""
        return query(self.texts[:-1])

    @property
    def answers(self) -> Sequence[tuple[str, daily.Drawn, str]]:
        """For each try its mark, what it did as a small board, and what it scores."""
        rows = zip(self.tried.tries, self.tried.marks, strict=False)
        gain = self.puzzle.task.gain
        return [(mark, daily.drawn(self.puzzle, each.line), gain(each.worth)) for each, mark in rows]

    @property
    def verdict(self) -> str:
        """What to say about the last try; empty before the first."""
        if not self.tried.tries:
            return ""
        gain = self.puzzle.task.gain
        last, best = gain(self.tried.tries[-1].worth), gain(self.puzzle.puzzle.best)
        if self.tried.solved:
            return _("Solved: %(best)s, and nothing is better.") % {"best": best}
        if self.is_over:
            return _("Your answer: %(last)s. The best answer: %(best)s.") % {"last": last, "best": best}
        left = ngettext("%(count)s try is left.", "%(count)s tries are left.", self.tried.left)
        answered = _("Your answer: %(last)s. There is something better.") % {"last": last}
        return f"{answered} {left % {'count': self.tried.left}}"

    @property
    def proof(self) -> str:
        """Why the solution is the best answer."""
        puzzle, gain = self.puzzle.puzzle, self.puzzle.task.gain
        words = {"best": gain(puzzle.best), "second": gain(puzzle.second), "examined": puzzle.examined}
        text = _("All %(examined)s possible answers were compared. The best: %(best)s; the next best: %(second)s.")
        return text % words

    @cached_property
    def others(self) -> tuple[int, Sequence[tuple[int, str, daily.Drawn | None, str]]]:
        """How many people have tried it, and for each share its percent, mark, what was done, and what it brings.

        None was done by all others together.
        """
        total, shares = services.shares(self.puzzle)
        return total, [(share.percent, *self._told(share.answer)) for share in shares]

    def _told(self, answer: services.Try | None) -> tuple[str, daily.Drawn | None, str]:
        if answer is None:
            return "missed", None, ""
        mark = "solved" if answer.worth == self.puzzle.puzzle.best else "missed"
        return mark, daily.drawn(self.puzzle, answer.line, anybodys=True), self.puzzle.task.gain(answer.worth)

    @property
    def steps(self) -> Sequence[tuple[int, str, str]]:
        """The steps of the solution: number, what happens, and the part of the address that shows it."""
        line = daily.parsed(self.puzzle, self.puzzle.puzzle.solution)
        sentences = daily.board(self.puzzle, line, active=False).sentences
        return [(number, text, f"?step={number}") for number, text in enumerate(sentences, start=1)]

    @property
    def step(self) -> int:
        """How many steps of the solution are shown."""
        return len(self.texts)

    @property
    def marks_in_words(self) -> str:
        if self.tried.solved:
            count = len(self.tried.tries)
            return ngettext("Solved with %(count)s try", "Solved with %(count)s tries", count) % {"count": count}
        if self.is_over:
            return _("Not solved")
        return self.tried.left_in_words


def page_of(request: HttpRequest, puzzle: Daily, tried: Tried, texts: Sequence[str], refusal: str = "") -> Page:
    """Return the page of a puzzle with a partial answer or, once it is over, a step of the solution.

    An answer that is not legal is left out, with the reason.
    """
    page = Page(puzzle, tried, tuple(texts), refusal)
    if page.is_over:
        count, wanted = len(page.steps), whole_number(request.GET.get("step", ""))
        return replace(page, texts=puzzle.puzzle.solution[: count if wanted is None else min(wanted, count)])
    try:
        is_complete = daily.worth(puzzle, daily.parsed(puzzle, page.texts)) is not None
    except RuleViolation as violation:
        return replace(page, texts=(), refusal=refusal or _(violation.text))
    if is_complete:
        return replace(
            page, texts=(), refusal=refusal or _("Your answer is complete: send it with the button on the board.")
        )
    return page


def query(texts: Sequence[str]) -> str:
    """Return the part of an address for a partial answer."""
    return f"?{urlencode({'line': SEPARATOR.join(texts)})}" if texts else "?"


# --- lists ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the archive: its name, its days with their puzzles, the latest first, and the months beside it."""

    name: str
    days: Sequence[tuple[str, Sequence[services.Row]]]
    newer: str
    older: str


def month_of(text: str, tried: Mapping[tuple[str, date], Tried]) -> Month | None:
    """Return the month that an address names (2026-11), the current one if it names none; None if it has no puzzles."""
    try:
        first = date.fromisoformat(f"{text}-01") if text else moments.today().replace(day=1)
    except ValueError:
        return None
    if not daily.first_day().replace(day=1) <= first <= moments.today():
        return None
    last = first.replace(day=monthrange(first.year, first.month)[1])
    found = [last - timedelta(days=back) for back in range((last - first).days + 1)]
    shown = [(puzzles[0].day_shown, services.rows(puzzles, tried)) for day in found if (puzzles := daily.of_day(day))]
    newer, older = last + timedelta(days=1), first - timedelta(days=1)
    return Month(
        date_format(first, "YEAR_MONTH_FORMAT"),
        shown,
        f"{newer:%Y-%m}" if newer <= moments.today() else "",
        f"{older:%Y-%m}" if older >= daily.first_day() else "",
    )


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Show the puzzles of today, and how the reader does."""
    tried, day = services.of_reader(request), moments.today()
    context = {
        "rows": services.rows(daily.of_day(day), tried),
        "share": _share(request, day),
        "week": services.week(tried, day),
        "statistics": statistics(tried, day),
        "next": daily.until_next_day(),
    }
    return TemplateResponse(request, "puzzles/today.html", context)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Show a month of puzzles."""
    month = month_of(request.GET.get("month", ""), services.of_reader(request))
    if month is None:
        raise Http404(_("There are no puzzles for this month."))
    return TemplateResponse(request, "puzzles/archive.html", {"month": month})


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HtmxRequest, game: str, day: str) -> HttpResponse:
    """Show a puzzle; a POST is one action of an answer. htmx gets the part of the page that changes."""
    found, tried = services.tried(request, _found(game, day))
    if not found.is_there:
        return _gone(request, found, tried)
    if request.method == "POST":
        return _act(request, found, tried)
    page = page_of(request, found, tried, split(request.GET.get("line", "")))
    return _answer(request, page)


def _found(game: str, day: str) -> Daily:
    """Return the puzzle of a game that an address names.

    Raises:
        Http404: there is none.
    """
    try:
        found = daily.puzzle_of(game, date.fromisoformat(day))
    except ValueError:
        found = None
    if found is None:
        raise Http404(_("This puzzle does not exist, or its day has not come yet."))
    return found


def _gone(request: HttpRequest, found: Daily, tried: Tried) -> HttpResponse:
    """Say that a puzzle is there no more, with what its reader had tried, in the game's notation."""
    task = found.title.puzzle_tasks.get(tried.kind)
    answers = [
        (mark, ", ".join(each.line), task.gain(each.worth) if task else each.worth)
        for each, mark in zip(tried.tries, tried.marks, strict=False)
    ]
    context = {"puzzle": found, "title": found.title, "answers": answers}
    return TemplateResponse(request, "puzzles/gone.html", context, status=HTTPStatus.GONE)


def _act(request: HtmxRequest, found: Daily, tried: Tried) -> HttpResponse:
    """Add an action to an answer; one that completes it costs a try."""
    texts = split(request.POST.get("line", ""))
    if tried.is_over:
        return redirect(found.url)
    try:
        texts_after = [*texts, composed(found.title, dict(request.POST.lists()))]
        after = services.answer(request, found, texts_after)
    except TooMany as error:
        return _answer(request, page_of(request, found, tried, [], error.text))
    except RuleViolation as violation:
        return _answer(request, page_of(request, found, tried, texts, _(violation.text)))
    return redirect(found.url if after is not None else f"{found.url}{query(texts_after)}")


def _answer(request: HtmxRequest, page: Page) -> HttpResponse:
    template = "puzzles/position.html" if request.htmx else "puzzles/puzzle.html"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.refusal else HTTPStatus.OK
    context = {"page": page, "puzzle": page.puzzle, "title": page.puzzle.title}
    if page.is_over:
        context["share"] = _share(request, page.puzzle.day, page.puzzle.url)
    return TemplateResponse(request, template, context, status=status)


# --- on other people's pages ------------------------------------------------------------------------------------------


@framed
def embedded(request: HttpRequest, game: str, day: str = "") -> HttpResponse:
    """Show the position of a puzzle and what is asked, never more; without a day that of today."""
    found = _embedded(game, day)
    context = {
        "puzzle": found,
        "title": found.title,
        "task": found.task.asked(found.view),
        "shown": daily.board(found, (), active=False),
        "address": f"{settings.SITE_URL}{found.url}",
    }
    return frame("puzzles/embedded.html", context)


def embeddable_puzzle(game: str, day: str = "") -> Embeddable:
    """Return what other pages can show of a puzzle, without a day of that of each day.

    Raises:
        Http404: there is none.
    """
    found = _embedded(game, day)
    heading = _("Puzzle: %(game)s") % {"game": found.title.game.name}
    if not day:
        return Embeddable(heading, reverse("embed_puzzle", args=[game]))
    return Embeddable(f"{heading}, {found.date}", reverse("embed_puzzle_of_day", args=[game, day]))


def _embedded(game: str, day: str) -> Daily:
    found = _found(game, day or moments.today().isoformat())
    if not found.is_there:
        raise Http404(_("This puzzle does not exist, or its day has not come yet."))
    return found


def _share(request: HttpRequest, day: date, url: str = "") -> str:
    """Return the text to share about the puzzles of a day; those of an earlier day are found at this address."""
    address = reverse("puzzles") if day == moments.today() else url
    found = services.rows(daily.of_day(day), services.of_reader(request))
    return services.text_to_share(found, request.build_absolute_uri(address))
