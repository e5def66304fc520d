"""The pages on which people let programs in: asked through the browser, or with the code that a device shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.models import Client
from csp.utils import build_policy
from django.contrib.auth.views import redirect_to_login
from django.core.signing import Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.applications import access
from accounts.applications.clients import origin_of, sends_back_to
from accounts.applications.endpoints import asked_by, of_allauth
from accounts.applications.scopes import SCOPES
from accounts.services import person_of

_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
"""A SHA-256 in base64url, which is all that S256 makes (RFC 7636, section 4.2)."""

_USER_CODE: Final = re.compile(r"[A-Z]{8}", re.ASCII)
_LONGEST_CODE: Final = 20


@csrf_exempt  # allauth protects the form itself; a program may also send its request here by POST
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask whether a program may act for the reader, and send them back to it with a code, or without one."""
    if request.method == "POST":
        return _answered(request)
    if request.method not in {"GET", "HEAD"}:
        return HttpResponse(status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD, POST"})
    client = Client.objects.select_related("owner").filter(pk=request.GET.get("client_id", "")).first()
    address = request.GET.get("redirect_uri", "")
    if client is None or not access.is_open(client) or not sends_back_to(client, address):
        return render(request, "idp/oidc/error.html", status=HTTPStatus.BAD_REQUEST)
    if error := _fault(request):
        return _sent_back(address, {"error": error[0], "error_description": error[1]}, request.GET.get("state", ""))
    if not _is_member(request):
        return redirect_to_login(request.get_full_path())
    return _asked(request, of_allauth("authorization", request), address)


def _answered(request: HttpRequest) -> HttpResponse:
    """Send the reader back to the program; what a program posts here itself is asked again by GET."""
    if "request" in request.POST and not _is_member(request):
        return redirect_to_login(reverse("applications"))
    response = of_allauth("authorization", request)
    if isinstance(response, TemplateResponse):  # nothing was ticked
        _scopes, asked = Signer().unsign_object(request.POST["request"])
        return _asked(request, response, asked["redirect_uri"])
    return _back(request, response)


def _is_member(request: HttpRequest) -> bool:
    return request.user.is_authenticated and not person_of(request).guest


def _fault(request: HttpRequest) -> tuple[str, str] | None:
    """Return why a request is refused before allauth sees it, as an error of OAuth; None if it is not.

    allauth asks for PKCE of public applications only and takes a missing method as `plain`; asked to say nothing to the
    person (`prompt=none`), it gives an application what the person has allowed to another one.
    """
    asked = request.GET
    if any(len(values) > 1 for _name, values in asked.lists()):
        return "invalid_request", "A parameter was sent twice."
    if asked.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(asked.get("code_challenge", "")):
        return "invalid_request", "Send a code_challenge with code_challenge_method=S256."
    if "resource" in asked:
        return "invalid_target", "Tokens are for the whole API: leave “resource” out."
    if asked.get("response_mode", "query") != "query":
        return "invalid_request", "The only response_mode is query."
    if "none" in asked.get("prompt", "").split():
        return "interaction_required", "People are asked each time."
    return None


def _sent_back(address: str, fields: Mapping[str, str], state: str) -> HttpResponse:
    """Return a redirect to a program; what it sent with its request comes back to it."""
    joined = urlencode({**fields, **({"state": state} if state else {})})
    there = f"{address}{'&' if urlsplit(address).query else '?'}{joined}"
    return HttpResponse(status=HTTPStatus.FOUND, headers={"Location": there})


def _asked(request: HttpRequest, response: HttpResponse, address: str) -> HttpResponse:
    """Let the form of a page that asks lead to the program; a page that says what is wrong gets its status."""
    if isinstance(response, TemplateResponse):
        origin = origin_of(address)
        if form := (response.context_data or {}).get("form"):  # whose scopes allauth sorts by their words
            asked = dict(form.fields["scopes"].choices)
            form.fields["scopes"].choices = [(name, words) for name, words in SCOPES.items() if name in asked]
        response.context_data = {**(response.context_data or {}), "back_to": urlsplit(origin).netloc}
        response["Content-Security-Policy"] = build_policy(update={"form-action": [origin]})
    elif response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.BAD_REQUEST
    return response


def _back(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Keep that the reader has agreed, if they are sent back to the program with a code."""
    if response.status_code == HTTPStatus.FOUND:
        code = parse_qs(urlsplit(response["Location"]).query).get("code", [""])[0]
        if code:
            access.agree(person_of(request), code)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def device(request: HttpRequest) -> HttpResponse:
    """Ask for the code that a device shows, and then whether it may act for the reader.

    allauth takes the answer from any site; as this view is not exempt, Django asks for the token of our form.
    """
    if not _is_member(request):
        return redirect_to_login(request.get_full_path())
    if "code" in request.GET:
        code = _tidy(request.GET["code"])
        fields = request.GET.copy()
        fields["code"] = code
        request.GET = fields  # type: ignore[assignment]  # the one way to change a query
        if asked := asked_by(code):
            request.asked_scopes = [SCOPES[name] for name in asked["scopes"] if name in SCOPES]  # type: ignore[attr-defined]  # for the page
            if request.method == "POST" and request.POST.get("action") == "confirm":
                access.agree(person_of(request), asked["code"])
    return of_allauth("device_authorization", request)


def _tidy(code: str) -> str:
    """Return a code as it was shown, however somebody has typed it; of anything else, its first letters and digits.

    >>> _tidy("wdjb mjht"), _tidy("WDJB-MJHT"), _tidy("<1234>")
    ('WDJB-MJHT', 'WDJB-MJHT', '1234')
    """
    signs = re.sub(r"[^A-Z0-9]", "", code.upper())[:_LONGEST_CODE]
    return f"{signs[:4]}-{signs[4:]}" if _USER_CODE.fullmatch(signs) else signs
