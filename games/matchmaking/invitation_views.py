"""Inviting people to a table, and their answers: on the table's page, and from an email without logging in."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guests
from accounts.mail import in_words_of
from games.engine.protocol import RuleViolation
from games.matchmaking import hosting, invitations, links, services, visiting
from games.matchmaking.answers import change, lead_to, nonce_of, refused
from games.matchmaking.invited_fields import InviteForm
from games.matchmaking.models import Use
from games.matchmaking.room import invitations_of
from games.matchmaking.scores import score_of
from games.play.matches.access import access_match
from games.play.models import Match
from games.play.pages.http import HtmxRequest, for_members, posted


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def table_invite(request: HtmxRequest, slug: str) -> HttpResponse:
    """Invite more players to a table, or let back those who were removed."""
    match = access_match(request.user, slug).match
    if request.method != "POST" and not ((match.is_open or match.is_planned) and match.host_id == request.user.pk):
        return redirect(match)
    form = InviteForm(request.user, posted(request))
    if form.is_valid():
        people = form.cleaned_data["invited"]
        return change(request, slug, lambda match: hosting.invite(match.pk, request.user, people))
    context = {
        "form": form,
        "match": match,
        "invitations": invitations_of(match),
        "removed": [it.user for it in match.removals.select_related("user").order_by("pk")],
    }
    return TemplateResponse(request, "matchmaking/invite.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def table_decline(request: HtmxRequest, slug: str) -> HttpResponse:
    """Decline an invitation."""
    table = access_match(request.user, slug)
    try:
        invitations.decline(table.match.pk, request.user)
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    messages.success(request, gettext("You have declined the invitation."))
    return lead_to(request, reverse("my_matches"))


@require_POST
def table_guest(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let a visitor sit down at once, as a guest; members sit down as themselves."""
    match = access_match(request.user, slug).match
    try:
        if not request.user.is_authenticated:
            visiting.check_welcome(match)
            visiting.check_uses(Use.What.SEAT)
            request.user = guests.begin(request)
        services.join(match.pk, request.user, nonce_of(request))
    except RuleViolation as violation:
        messages.error(request, gettext(violation.text))
    return lead_to(request, match.get_absolute_url())


def _in_facts(match: Match) -> SafeString:
    """Return what is played at a table, and who is there; empty once it is gone."""
    if not (match.is_open or match.is_planned):
        return SafeString()
    context = {"match": match, "score": score_of(match)}
    return mark_safe(render_to_string("matchmaking/invited_to.jinja", context, using="boards"))  # noqa: S308  # it escapes


@csrf_exempt  # reached from an email, perhaps in a browser that has never been here; the token says who may
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HtmxRequest, token: str) -> HttpResponse:
    """Show an invitation with its answers; a POST declines it, without login or cookie."""
    found = links.read_token(token)
    if found is None:
        raise Http404
    refusal = ""
    with in_words_of(found.user):
        if request.method == "POST":
            try:
                invitations.decline(found.match_id, found.user)
            except RuleViolation as violation:
                refusal = gettext(violation.text)
            found.refresh_from_db()
        context = {
            "invitation": found,
            "match": found.match,
            "table": _in_facts(found.match),
            "token": token,
            "refusal": refusal,
            "open": (found.match.is_open or found.match.is_planned) and not found.has_expired,
            "own": request.user == found.user,
        }
        status = 422 if refusal else 200
        return TemplateResponse(request, "matchmaking/invitation.html", context, status=status).render()
