"""The page of the reader's notices. Looking at it changes nothing; only a POST does."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from games.notifications.models import Notice
from games.notifications.notices.messages import message_of
from games.notifications.pages.centre import mark_all_seen, notices_of
from games.play.pages import polling
from games.play.pages.http import HtmxRequest
from games.play.pages.polling import pollable

PER_PAGE = 25


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Show the reader's notices, the newest first, a page at a time."""
    now = timezone.now()
    page: Page[Notice] = Paginator(notices_of(request.user), PER_PAGE).get_page(request.GET.get("page"))
    told = [(notice, message_of(notice)) for notice in page]
    return TemplateResponse(request, "notifications/centre.html", {"page": page, "told": told, "until": now})


@require_safe
@login_required
@pollable
def news(request: HtmxRequest) -> HttpResponse:
    """Say what is new for the reader on any page, as its socket would (`PersonalConsumer`)."""
    return polling.answer(request, *polling.of_person(request.user))


@require_POST
@login_required
def seen(request: HttpRequest) -> HttpResponse:
    """Mark the reader's notices as seen, up to the moment named by `until`."""
    mark_all_seen(request.user, _moment(request.POST.get("until", "")))
    return redirect("notices")


def _moment(text: str) -> datetime:
    """Return the moment that a page wrote down; now if it is not a moment."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    return moment if moment is not None and timezone.is_aware(moment) else timezone.now()
