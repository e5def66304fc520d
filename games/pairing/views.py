"""The page of quick pairing, its parts as scripts ask for them, and what can be done there.

Only POST changes anything, except that whoever loads the page is there: without a script it loads itself again.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests
from accounts.limits import TooMany, spend
from games.engine.protocol import RuleViolation
from games.matchmaking import limits
from games.matchmaking.nonces import read_nonce
from games.pairing import choosing, heard, pages, rests, services
from games.pairing.forms import SearchForm, forms_for
from games.pairing.models import Wait
from games.play.numbers import KEY, whole_number
from games.play.pages.http import HtmxRequest
from games.titles import titles


@require_http_methods(["GET", "HEAD", "POST"])
def pairing(request: HtmxRequest) -> HttpResponse:
    """Show what the reader waits for; a POST begins to wait, for a visitor as a guest."""
    if request.method == "POST":
        return _search(request)
    if request.user.is_authenticated:
        heard.hear({request.user.pk})
    return _page(request)


@require_safe
def finding_people(request: HtmxRequest) -> HttpResponse:
    """Explain how people are found here."""
    seconds, minutes = timedelta(seconds=1), timedelta(minutes=1)
    spans = {
        "answer": services.ANSWER_WITHIN // seconds,
        "away": services.AWAY_AFTER // seconds,
        "rest": rests.PASSED[0] // seconds,
        "most": rests.PASSED[-1] // minutes,
    }
    return TemplateResponse(request, "pairing/finding_people.html", {**spans, "grace": limits.GRACE // minutes})


def _search(request: HtmxRequest) -> HttpResponse:
    title = titles().get(request.POST.get("game", ""))
    if title is None:
        return _page(request, gettext("Choose a game."), 422)
    form = SearchForm(title, request.user, request.POST)
    if not form.is_valid():
        return _page(request, " ".join(str(text) for texts in form.errors.values() for text in texts), 422)
    try:
        search = form.search()
        choosing.checked(search)  # before a visitor becomes a guest
        user = request.user if request.user.is_authenticated else guests.begin(request)
        spend("pairing", user)
        services.wait(user, search)
    except TooMany as error:
        return _page(request, error.text, 429)
    except RuleViolation as violation:
        return _page(
            request, gettext(violation.text), 429 if violation.code in {"must-wait", "too-many-seats"} else 422
        )
    return redirect("pairing")


def _page(request: HtmxRequest, refusal: str = "", status: int = 200) -> HttpResponse:
    waits = pages.waits_of(request.user)
    context = {**waits, "refusal": refusal, "forms": forms_for(request.user)}
    return TemplateResponse(request, "pairing/pairing.html", context, status=status)


@require_safe
@login_required
def pairing_now(request: HtmxRequest) -> HttpResponse:
    """Show the part of the page that changes, or the bar of another page."""
    if "bar" in request.GET:
        return TemplateResponse(request, "pairing/bar.html", {"wait": pages.live_wait(request.user)})
    return TemplateResponse(request, "pairing/waits.html", pages.waits_of(request.user))


@require_POST
@login_required
def pairing_go(request: HtmxRequest, pk: int) -> HttpResponse:
    """Say that one is there; if everybody is, the match follows."""
    try:
        services.go(request.user, pk, _offer(request), read_nonce(request.POST.get("nonce", "")))
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
    services.decline(request.user, pk, _offer(request))
    return redirect("pairing")


@require_POST
@login_required
def pairing_stop(request: HtmxRequest, pk: int) -> HttpResponse:
    """Stop waiting."""
    services.withdraw(request.user, pk)
    return redirect("pairing")


def _offer(request: HtmxRequest) -> int:
    """Return which offer is answered, 0 for none; offers that are gone are answered by nobody."""
    return whole_number(request.POST.get("offer", ""), KEY) or 0
