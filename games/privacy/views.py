"""The pages of one's own data, and its export."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.readers import person_of
from games.play.pages.http import HtmxRequest
from games.privacy import exports
from games.privacy.own import own_of
from games.privacy.packing import file_name


@require_safe
@login_required
def own_data(request: HtmxRequest) -> HttpResponse:
    """Show what is kept about the reader, who can see it, and where to get it; to htmx only how far an export is."""
    reader = person_of(request)
    export = exports.of(reader)
    if request.htmx:
        return TemplateResponse(request, "privacy/export_state.html", {"export": export})
    return TemplateResponse(request, "privacy/settings_data.html", {"export": export, **own_of(reader)})


@require_POST
@login_required
def export(request: HttpRequest) -> HttpResponse:
    """Ask for a file with everything the reader has."""
    asked = exports.ask(person_of(request), get_language() or "en")
    if asked.is_ready:
        messages.info(request, _("Your file is ready. You can ask for another one once it has been removed."))
    return redirect("settings_data")


@require_safe
@login_required
def file(request: HttpRequest, token: str) -> HttpResponseBase:
    """Serve the reader's own file; whoever else asks, or too late, learns nothing."""
    found = exports.of(person_of(request))
    if found is None or not found.is_ready or not constant_time_compare(found.key, token):
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name(person_of(request))}"',
        "Content-Length": str(found.size),
        "Content-Encoding": "identity",  # it is compressed as it is
    }
    return StreamingHttpResponse(exports.content_of(found), content_type="application/zip", headers=headers)
