"""Who asks: the person and the scopes behind the token in a request. Cookies count for nothing here.

A further kind of token is one function more, given to `register`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from ninja.security.base import AuthBase

from accounts import sanctions
from accounts.applications import access
from accounts.models import User
from accounts.requests import SAFE_METHODS
from games.api import tokens
from games.api.answers import LINES
from games.api.models import Scope
from games.api.problems import Problem


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    Args:
        person: whose token it is; an `AnonymousUser` for a visitor, who has none.
        scopes: what the token allows.
        token: which one it is, for instance "personal/12"; empty for a visitor.
    """

    person: Any
    scopes: frozenset[str] = frozenset()
    token: str = ""

    @property
    def known(self) -> User | None:
        """Return the person; None for a visitor."""
        return self.person if isinstance(self.person, User) else None

    @property
    def reader(self) -> Any:
        """Return as whom they read: a token without the scope for that shows what visitors see."""
        return self.person if Scope.READ in self.scopes else VISITOR.person

    @property
    def user(self) -> User:
        """Return the person, where only people with a token get."""
        assert isinstance(self.person, User)  # noqa: S101  # `needs` has refused visitors
        return self.person


VISITOR: Final = Caller(AnonymousUser())


class CallerRequest(HttpRequest):
    """A request below /api/, as the functions behind its addresses get it."""

    auth: Caller


# --- tokens -----------------------------------------------------------------------------------------------------------

Authenticator: TypeAlias = Callable[[str], Caller | None]
"""Returns who is behind the text of a token; None if it is not one of its kind, or not valid."""

_authenticators: list[Authenticator] = []


def register(authenticator: Authenticator) -> None:
    """Let a kind of token be used."""
    _authenticators.append(authenticator)


def of_personal_token(text: str) -> Caller | None:
    """Return who is behind a personal token."""
    token = tokens.find(text)
    return None if token is None else Caller(token.user, frozenset(token.scopes), f"personal/{token.pk}")


register(of_personal_token)


def of_application(text: str) -> Caller | None:
    """Return who is behind the access token of an application that somebody has let in (OAuth 2)."""
    bearer = access.bearer_of(text)
    return None if bearer is None else Caller(bearer.user, bearer.scopes, f"application/{bearer.key}")


register(of_application)


def authenticate(header: str) -> Caller:
    """Return who asks with this `Authorization` header, `VISITOR` without one.

    Raises:
        Problem: 401 "token" for a token that is not valid, or none at all.
    """
    if not header:
        return VISITOR
    scheme, _space, text = header.strip().partition(" ")
    if scheme.lower() == "bearer":
        for authenticator in _authenticators:
            caller = authenticator(text.strip())
            if caller is not None and caller.user.is_active and not caller.user.guest:
                return caller
    text = _("This token is not valid: it may have expired or been revoked.")
    raise Problem(HTTPStatus.UNAUTHORIZED, "token", text)


def language_for(caller: Caller, accepted: str) -> str:
    """Return the language in which a caller is answered.

    Args:
        caller: whose account may name one.
        accepted: their `Accept-Language`, which goes before; empty without one.
    """
    own = caller.known.language if caller.known else ""
    if own and accepted in {"", "*"}:
        return own
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return translation.get_language_from_request(request)


# --- what a caller may do ---------------------------------------------------------------------------------------------


def check_scope(caller: Caller, scope: Scope) -> None:
    """Refuse a caller without a token, 401 "token", or without this scope, 403 "scope"."""
    if caller.known is None:
        raise Problem(HTTPStatus.UNAUTHORIZED, "token", "Send a token: Authorization: Bearer tes_…")
    if scope not in caller.scopes:
        text = _("The token lacks the scope “%(scope)s”.") % {"scope": scope.value}
        raise Problem(HTTPStatus.FORBIDDEN, "scope", text, scope=scope.value)


def check_not_held(person: User, *, only_reads: bool) -> None:
    """Refuse, as pages do, somebody who has not confirmed a warning, 403 "warned", and who is suspended, "suspended".

    Args:
        person: who asks.
        only_reads: whether suspended people may do it: they can read, leave and decline.
    """
    if not person.held:
        return
    if sanctions.warning_of(person) is not None:
        text = _("Moderators have warned you. Log in and confirm that you have read it.")
        raise Problem(HTTPStatus.FORBIDDEN, "warned", text)
    refusal = sanctions.refusal_to_play(person)
    if not refusal:
        sanctions.release(person)
    elif not only_reads:
        raise Problem(HTTPStatus.FORBIDDEN, "suspended", refusal)


class Bearer(AuthBase):
    """Lets in who has a scope, or, without a scope, everybody."""

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, scope: Scope | None, *, while_suspended: bool) -> None:
        super().__init__()
        self.scope, self.while_suspended = scope, while_suspended

    def __call__(self, request: HttpRequest) -> Caller:
        caller: Caller = request.caller  # type: ignore[attr-defined]  # set by `ApiMiddleware`
        if self.scope is not None:
            check_scope(caller, self.scope)
        if caller.known is not None:
            reads = request.method in SAFE_METHODS or self.while_suspended
            check_not_held(caller.known, only_reads=reads)
        return caller


def needs(scope: Scope, *, while_suspended: bool = False, lines: str = "") -> dict[str, Any]:
    """Return how to register an operation that needs a token with a scope.

    Args:
        scope: that the token must have.
        while_suspended: whether suspended people may do it although it changes something.
        lines: what the lines are that it streams; empty if it streams none.
    """
    extra = {"x-scope": scope.value, **_described(lines)}
    return {"auth": Bearer(scope, while_suspended=while_suspended), "openapi_extra": extra}


def for_everybody(*, lines: str = "") -> dict[str, Any]:
    """Return how to register an operation that needs no token; `lines` as for `needs`."""
    extra = {"security": [{}], **_described(lines)}
    return {"auth": Bearer(None, while_suspended=False), "openapi_extra": extra}


def _described(lines: str) -> dict[str, Any]:
    if not lines:
        return {}
    content = {LINES: {"schema": {"type": "string", "description": lines}}}
    return {"responses": {200: {"description": "OK", "content": content}}}
