"""The page of quick pairing, its parts as scripts ask for them, the bar of every page, and what can be done there.

Only POST changes anything, except that loading the page shows that its reader is there: without a script it reloads.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import template
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.context import Context
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.joining import guests
from accounts.limits import TooMany, spend
from accounts.requests import KEY, HtmxRequest, whole_number
from games.engine.protocol import RuleViolation
from games.matchmaking.forms import PlayNowForm
from games.matchmaking.limits import GRACE
from games.matchmaking.seats import read_nonce
from games.pairing.forms import SearchForm, forms_for, terms_in_words
from games.pairing.matching import Prospect, prospect
from games.pairing.models import Wait
from games.pairing.search import COOLDOWN_AFTER_PASSING, Cooldown, checked_search, cooldown_of
from games.pairing.services import ANSWER_WITHIN, AWAY_AFTER, decline, go, live_waits, mark_seen, wait, withdraw
from games.play.models import Speed
from games.titles import titles

ENDED_SHOWN_FOR = timedelta(minutes=10)
"""How long the page says how a wait has ended."""

GOES_AFTER = 5
"""Seconds in which somebody who looks at the page can decline before it accepts for them."""

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A wait that goes on, as its page shows it."""

    wait: Wait
    prospect: Prospect
    cooldown: Cooldown | None

    @property
    def terms(self) -> str:
        return terms_in_words(self.wait.seats, Speed(self.wait.speed), self.wait.rated)

    @property
    def usual_minutes(self) -> int:
        """Return the usual wait in minutes, rounded up; 0 when it is in seconds."""
        seconds = self.prospect.usual.total_seconds() if self.prospect.usual else 0
        return -int(-seconds // _MINUTE) if seconds > _MINUTE else 0

    @property
    def usual_seconds(self) -> int:
        return max(1, round(self.prospect.usual.total_seconds())) if self.prospect.usual else 0


def live_wait(user: Any) -> Wait | None:
    """Return the wait that the bar of every page shows."""
    return live_waits([user.pk]).select_related("offer").first()


def waits_of(user: Any) -> dict[str, Any]:
    """Return what the page of quick pairing shows of somebody's waits."""
    if not user.is_authenticated:
        return {"waits": [], "ended": []}
    current = Wait.objects.current().filter(user=user).select_related("offer", "user")
    ended = Wait.objects.filter(user=user, ended_at__gt=timezone.now() - ENDED_SHOWN_FOR).order_by("-ended_at")
    shown = ended.exclude(state=Wait.State.WITHDRAWN, why="").select_related("match")
    waits = [Shown(wait, prospect(wait), cooldown_of(user, wait.address) if wait.is_live else None) for wait in current]
    last = list(shown[:1])
    cooldown = cooldown_of(user) if last and not waits else None
    return {"waits": waits, "ended": last, "cooldown": cooldown, "goes_after": GOES_AFTER}


@require_http_methods(["GET", "HEAD", "POST"])
def pairing(request: HtmxRequest) -> HttpResponse:
    """Show what the reader waits for; a POST begins to wait, for a visitor as a guest."""
    if request.method == "POST":
        return _search(request)
    if request.user.is_authenticated:
        mark_seen({request.user.pk})
    return _page(request)


@require_safe
def finding_people(request: HtmxRequest) -> HttpResponse:
    """Explain how people are found here."""
    seconds, minutes = timedelta(seconds=1), timedelta(minutes=1)
    spans = {
        "answer": ANSWER_WITHIN // seconds,
        "away": AWAY_AFTER // seconds,
        "rest": COOLDOWN_AFTER_PASSING[0] // seconds,
        "most": COOLDOWN_AFTER_PASSING[-1] // minutes,
    }
    return TemplateResponse(request, "pairing/finding_people.html", {**spans, "grace": GRACE // minutes})


def _search(request: HtmxRequest) -> HttpResponse:
    title = titles().get(request.POST.get("game", ""))
    if title is None:
        return _page(request, gettext("Choose a game."), 422)
    form = SearchForm(title, request.user, request.POST)
    if not form.is_valid():
        return _page(request, " ".join(str(text) for texts in form.errors.values() for text in texts), 422)
    try:
        search = form.search()
        checked_search(search)  # before a visitor becomes a guest
        user = request.user if request.user.is_authenticated else guests.begin(request)
        spend("pairing", user)
        wait(user, search)
    except TooMany as error:
        return _page(request, error.text, 429)
    except RuleViolation as violation:
        return _page(
            request, gettext(violation.text), 429 if violation.code in {"must-wait", "too-many-seats"} else 422
        )
    return redirect("pairing")


def _page(request: HtmxRequest, refusal: str = "", status: int = 200) -> HttpResponse:
    waits = waits_of(request.user)
    meanwhile = PlayNowForm(initial={"game": waits["waits"][-1].wait.game}) if waits["waits"] else None
    context = {**waits, "meanwhile": meanwhile, "refusal": refusal, "forms": forms_for(request.user)}
    return TemplateResponse(request, "pairing/pairing.html", context, status=status)


@require_safe
@login_required
def pairing_now(request: HtmxRequest) -> HttpResponse:
    """Show the part of the page that changes, or the bar of another page."""
    if "bar" in request.GET:
        return TemplateResponse(request, "pairing/bar.html", {"wait": live_wait(request.user)})
    return TemplateResponse(request, "pairing/waits.html", waits_of(request.user))


@require_POST
@login_required
def pairing_go(request: HtmxRequest, pk: int) -> HttpResponse:
    """Accept an offer; go to the match if everybody has."""
    try:
        go(request.user, pk, _offer(request), read_nonce(request.POST.get("nonce", "")))
    except RuleViolation as violation:
        return _page(request, gettext(violation.text), 422)
    begun = Wait.objects.filter(pk=pk, user=request.user.pk, state=Wait.State.PAIRED).exclude(match=None).first()
    if begun is not None and begun.match is not None:
        return redirect(begun.match)
    # The match may begin while the page is on its way: with the fragment its script knows that it was waited for.
    return redirect(f"{reverse('pairing')}#wait-{pk}")


@require_POST
@login_required
def pairing_decline(request: HtmxRequest, pk: int) -> HttpResponse:
    """Decline an offer."""
    decline(request.user, pk, _offer(request))
    return redirect("pairing")


@require_POST
@login_required
def pairing_stop(request: HtmxRequest, pk: int) -> HttpResponse:
    """Stop waiting."""
    withdraw(request.user, pk)
    return redirect("pairing")


def _offer(request: HtmxRequest) -> int:
    """Return the key of the offer that is answered, 0 for none."""
    return whole_number(request.POST.get("offer", ""), KEY) or 0


# --- on other pages ---------------------------------------------------------------------------------------------------

register = template.Library()


@register.inclusion_tag("pairing/games.html", takes_context=True)
def quick_pairing(context: Context) -> dict[str, Any]:
    """Show one button for each game."""
    return {"forms": forms_for(context["user"]), "csrf_token": context.get("csrf_token"), "user": context["user"]}


@register.simple_tag(takes_context=True)
def pairing_bar(context: Context) -> SafeString:
    """Show what the reader waits for; nothing if that is nothing."""
    wait = live_wait(context["user"]) if context.get("searching") else None
    if wait is None:
        return SafeString()
    return render_to_string("pairing/bar_of_page.html", {"wait": wait, "csrf_token": context.get("csrf_token")})
