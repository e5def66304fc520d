"""Choosing what to hear about: the settings, the link to unsubscribe in every email, and muting a match."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.mail import in_words_of
from accounts.readers import person_of
from games.notifications.channels.unsubscribing import MAILED, read_token, unsubscribe
from games.notifications.models import Channel, Preferences
from games.notifications.notices import muting
from games.notifications.notices.wording import against
from games.notifications.outbox import daily
from games.notifications.pages.forms import PreferencesForm
from games.play.matches.access import access_match
from games.play.matches.transactions import writing
from games.play.pages.http import HtmxRequest, for_members, posted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """Show what the reader hears about and through which channels; a POST changes it."""
    preferences = Preferences.of(person_of(request))
    form = PreferencesForm(posted(request), instance=preferences)
    if form.is_bound and form.is_valid():
        with writing():
            daily.schedule(form.save())
        messages.success(request, _("Saved."))
        return redirect("settings_notices")
    context = {"form": form, "lines": form.lines(), "channels": [channel.label for channel in Channel]}
    return TemplateResponse(
        request, "notifications/settings_notices.html", context, status=422 if form.is_bound else 200
    )


@csrf_exempt  # mail programs POST without having been here (RFC 8058); the token in the address says who may
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_by_token(request: HttpRequest, token: str) -> HttpResponse:
    """Show what will be switched off; a POST switches it off, `all` every email, without login or cookie."""
    found = read_token(token)
    if found is None:
        raise Http404
    user, kind = found
    if request.method == "POST":
        unsubscribe(user, *(MAILED if "all" in request.POST else (kind,)))
    wanted = {kind for kind in MAILED if Preferences.of(user).wants(kind, Channel.MAIL)}
    with in_words_of(user):
        context = {"kind": kind.label, "wanted": kind in wanted, "others": wanted - {kind}, "token": token}
        return TemplateResponse(request, "notifications/unsubscribe.html", context).render()


@require_POST
@for_members
def mute(request: HtmxRequest, slug: str) -> HttpResponse:
    """Mute a match for one of its players, or with `off` unmute it."""
    table = access_match(request.user, slug)
    if table.mine is None or table.mine.user is None:
        raise Http404
    if "off" in request.POST:
        muting.unmute(table.mine.user, table.match)
        messages.success(request, _("You will hear about this match again."))
    else:
        muting.mute(table.mine.user, table.match)
        messages.success(request, _("You will hear nothing more about this match."))
    return redirect(table.match)


@csrf_exempt  # reached from an email, perhaps in a browser that has never been here; the token says who may
@require_http_methods(["GET", "HEAD", "POST"])
def mute_by_token(request: HttpRequest, token: str) -> HttpResponse:
    """Show which match would be muted; a POST mutes it, or with `off` unmutes it, without login or cookie."""
    found = muting.read_token(token)
    if found is None:
        raise Http404
    user, match = found
    if request.method == "POST":
        (muting.unmute if "off" in request.POST else muting.mute)(user, match)
    with in_words_of(user):
        context = {"match": match, "names": against(match, user), "muted": muting.is_muted(user, match), "token": token}
        return TemplateResponse(request, "notifications/mute_by_token.html", context).render()
