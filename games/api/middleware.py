"""The way in for everything below /api/: no sessions, no forms, no pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers

from accounts import limits
from accounts.requests import Middleware, address_of, is_form, is_json, is_text
from accounts.services import note_bot_here
from games.api import problems, v1
from games.api.authentication import VISITOR, authenticate, language_for
from games.api.problems import Problem
from games.api.v1 import leaving

ROOT: Final = "/api/"
"""The guide, which is a page; what is below it is for programs."""

MOST: Final = 64 * 1024
"""Bytes of a request’s body."""

ALLOWED: Final = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_PARAMETER: Final = re.compile(r"<(?:\w+:)?(\w+)>")
"""As Django writes what varies in an address; the document of the API has it in braces."""

EXPOSED: Final = "Deprecation, ETag, Link, Retry-After, Sunset, X-Next, X-Request-ID"


def is_below(path: str) -> bool:
    """Return whether a path is for programs.

    >>> is_below("/api/v1/me"), is_below("/api/"), is_below("/apiary/")
    (True, False, False)
    """
    return path.startswith(ROOT) and path != ROOT


class ApiMiddleware(Middleware):
    """Answers programs, of any site, and leaves pages to the middleware that follows.

    Browsers let every site ask, but without the cookies of this one: nobody is logged in here but by a token.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_below(request.path_info):
            return self.get_response(request)
        if request.method == "OPTIONS":
            response: HttpResponseBase = HttpResponse(status=HTTPStatus.NO_CONTENT, headers=ALLOWED)
            del response["Content-Type"]
        else:
            method = request.method
            request.method = "GET" if method == "HEAD" else method  # of which the server leaves out the body
            with translation.override(language_for(VISITOR, _accepted(request))):
                response = problems.instead_of(_answer_or_error_page(request))
            request.method = method
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = EXPOSED
        response.headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response else "no-store")
        patch_vary_headers(response, ["Authorization", "Accept-Language"])
        return response  # type: ignore[return-value]  # streams are no HttpResponse, and pass through middleware all the same


def _answer(request: HttpRequest) -> HttpResponseBase:
    request.get_host()  # which refuses hosts that are not ours
    request.COOKIES = {}
    with limits.asked_from(address_of(request)):
        try:
            _check_readable(request)
            _count_caller(request)
            return _function_behind(request)
        except Problem as problem:
            return problem.response
        except limits.TooMany as error:
            return problems.of_limit(error).response


_answer_or_error_page: Callable[[HttpRequest], HttpResponseBase] = convert_exception_to_response(_answer)  # type: ignore[assignment]  # as what it is given, it returns no promise


def _check_readable(request: HttpRequest) -> None:
    """Refuse what is too large, 413, and what is not valid text (`accounts.requests`) or no JSON, 400."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST:
        raise problems.usual(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    query = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
    if not (is_text(request.path) and is_form(query) and (not request.body or is_json(request.body))):
        raise problems.usual(HTTPStatus.BAD_REQUEST)


def _count_caller(request: HttpRequest) -> None:
    """Note who asks, and count it for them, or for their address; a bot that asks is here."""
    try:
        caller = authenticate(request.headers.get("Authorization", ""))
    except Problem:
        limits.draw("api", None)
        raise
    request.user = caller.person
    request.caller = caller  # type: ignore[attr-defined]  # for `Bearer`
    translation.activate(language_for(caller, _accepted(request)))  # until the request is answered
    limits.draw("api", caller.known)
    if caller.known is not None:
        note_bot_here(caller.known)


def _accepted(request: HttpRequest) -> str:
    return request.headers.get("Accept-Language", "")


def _function_behind(request: HttpRequest) -> HttpResponseBase:
    try:
        found = resolve(request.path_info)
    except Resolver404:
        raise problems.not_found() from None
    request.resolver_match = found
    answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    path = _PARAMETER.sub(r"{\1}", f"/{found.route}").removeprefix(v1.ROOT)
    for name, value in leaving.headers_of(f"{request.method} {path}").items():
        answer[name] = value
    return answer
