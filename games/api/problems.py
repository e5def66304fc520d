"""What is answered to a program that asks for something it does not get: `application/problem+json` (RFC 9457).

`code` is stable: programs decide by it, people read `detail`. What only the author of a program can mend is told in
English, everything else in the language of whoever asks. Nothing below /api/ is answered in another form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _, gettext_lazy
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from accounts.limits import TooMany
from games.engine.protocol import RuleViolation

MEDIA_TYPE: Final = "application/problem+json"


class Limit(Schema):
    """The limit that is reached.

    Attributes:
        name: of the limit.
        seconds: until the same can be asked again.
    """

    name: str
    seconds: int


class Wrong(Schema):
    """A part of a request that is not as described: where, for instance `body.version`, and in what way."""

    at: str
    text: str


class Described(Schema):
    """A problem, as the document of the API describes it.

    Attributes:
        type: always `about:blank`: the code says what it is.
        title: the status in words.
        status: the status of the answer.
        code: stable, for programs.
        detail: a sentence for people.
        scope: of 403 `scope`: the scope that the token lacks.
        limit: of 429: which limit is reached, and for how long.
        full: of 409 `stale`: the match as it is now, as `GET matches/{slug}` answers it.
        errors: of 422 `invalid`: what is not as described.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    scope: str | None = None
    limit: Limit | None = None
    full: Any = None
    errors: list[Wrong] | None = None


class Problem(Exception):
    """A refusal.

    Args:
        status: of the answer.
        code: stable, for programs.
        detail: a sentence for people.
        again: after how many seconds the same can be asked again; 0 if that is not known.
        more: further members of the answer.
    """

    def __init__(self, status: int, code: str, detail: str, again: int = 0, **more: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.detail, self.again, self.more = status, code, detail, again, more

    @property
    def response(self) -> HttpResponse:
        body = body_of(self.status, self.code, self.detail, **self.more)
        response = HttpResponse(body, status=self.status, content_type=MEDIA_TYPE)
        if self.again:
            response["Retry-After"] = str(self.again)
        if self.status == HTTPStatus.UNAUTHORIZED:
            response["WWW-Authenticate"] = 'Bearer realm="api"'
        return response


def body_of(status: int, code: str, detail: str, **more: Any) -> bytes:
    """Return the text of a problem."""
    told = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}
    return msgspec.json.encode({**told, **more})


def not_found() -> Problem:
    """Return the refusal of an address where there is nothing, or nothing for whoever asks."""
    return Problem(HTTPStatus.NOT_FOUND, "not-found", _("There is nothing at this address."))


def of_violation(error: RuleViolation) -> Problem:
    """Return the refusal of something that the rules, or the site, do not allow."""
    if wait := getattr(error, "wait", None):
        seconds = math.ceil(wait.total_seconds())
        limit = {"name": error.code, "seconds": seconds}
        return Problem(HTTPStatus.TOO_MANY_REQUESTS, error.code, _(error.text), again=seconds, limit=limit)
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, _(error.text))


def of_limit(error: TooMany) -> Problem:
    """Return the refusal of what was done too often."""
    seconds = math.ceil(error.wait.total_seconds()) or 1
    limit = {"name": error.what, "seconds": seconds}
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many", error.text, again=seconds, limit=limit)


def of_invalid(error: ValidationError) -> Problem:
    """Return the refusal of a request that is not as the document describes it."""
    wrong = [{"at": ".".join(map(str, it["loc"])), "text": it["msg"]} for it in error.errors]
    text = "The request is not as described: " + "; ".join(f"{it['at']}: {it['text']}" for it in wrong)
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", text, errors=wrong)


_USUAL: Final[Mapping[int, tuple[str, Any]]] = {
    400: ("malformed", "The request cannot be read."),
    403: ("forbidden", gettext_lazy("This is not for you.")),
    404: ("not-found", gettext_lazy("There is nothing at this address.")),
    405: ("method", "This address does not take this method."),
    408: ("too-slow", "The request has not arrived in time."),
    413: ("too-large", "The request is too large."),
    414: ("too-large", "The address is too long."),
    429: ("too-many", gettext_lazy("These are too many requests at once.")),
    431: ("too-large", "The headers are too large."),
    500: ("server-error", gettext_lazy("Something went wrong here. We have been told.")),
    503: ("unavailable", gettext_lazy("The site is busy or restarting. Please try again in a few seconds.")),
}
"""What is said by its status alone."""


def usual(status: int) -> Problem:
    """Return the refusal that a status alone stands for."""
    code, text = _USUAL.get(status, ("refused", gettext_lazy("The request was refused.")))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Problem(status, code, str(text), again=1, limit={"name": "requests", "seconds": 1})
    return Problem(status, code, str(text))


def instead_of(response: HttpResponseBase) -> HttpResponseBase:
    """Return an answer as it is; if it refuses in another form, as pages do, return the problem instead."""
    if response.status_code < HTTPStatus.BAD_REQUEST or response.get("Content-Type", "") == MEDIA_TYPE:
        return response
    problem = usual(response.status_code).response
    for name in ("Allow", "Retry-After"):
        if name in response:
            problem[name] = response[name]
    return problem


def register(api: NinjaAPI) -> None:
    """Let an API answer exceptions of the functions behind its addresses with problems."""

    def answering(error_type: type[Exception], to_problem: Callable[[Any], Problem]) -> None:
        api.add_exception_handler(error_type, lambda _request, error: to_problem(error).response)

    answering(Problem, lambda problem: problem)
    answering(Http404, lambda _error: not_found())
    answering(RuleViolation, of_violation)
    answering(TooMany, of_limit)
    answering(ValidationError, of_invalid)
    answering(HttpError, lambda error: usual(error.status_code))
    api.add_exception_handler(Exception, _unforeseen)


def _unforeseen(_request: HttpRequest, error: Any) -> HttpResponse:
    raise error  # Django logs it, and `instead_of` puts a problem in place of its page
