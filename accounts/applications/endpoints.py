"""What programs talk to: tokens, their end, codes for devices, and the documents that describe all this.

They answer in JSON, to pages of any origin, and know nobody by a cookie.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from allauth.idp.oidc.models import Client, Token
from django.core.cache import cache as shared
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from accounts import limits
from accounts.applications import access
from accounts.limits import TooMany

View: TypeAlias = Callable[[HttpRequest], HttpResponse]

CODES: Final = {Client.GrantType.AUTHORIZATION_CODE: "code", Client.GrantType.DEVICE_CODE: "device_code"}
"""The field with what somebody has agreed to, by the way to a token."""


def of_allauth(name: str, request: HttpRequest) -> HttpResponse:
    """Ask a view of allauth, whose modules are loaded with the first question: other pages need none of them."""
    answer: HttpResponse = getattr(_views(), name)(request)
    return answer


@cache
def _views() -> Any:
    from allauth.idp.oidc import views  # noqa: PLC0415  # see `of_allauth`
    from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator  # noqa: PLC0415  # as above

    # oauthlib 4.0.1 asks the validator about codes of devices, and allauth 65.21 has no answer: every token for one
    # was an error. Its view of tokens asks only once the code is good and agreed to, so the answer is always yes.
    if not hasattr(OAuthLibRequestValidator, "validate_device_code"):
        OAuthLibRequestValidator.validate_device_code = lambda *_args, **_more: "authorized"
    return views


def refusal(error: str, description: str, status: int = HTTPStatus.BAD_REQUEST) -> JsonResponse:
    """Return an error as OAuth says it (RFC 6749, section 5.2)."""
    return JsonResponse({"error": error, "error_description": description}, status=status)


def _endpoint(*methods: str, spends: str = "") -> Callable[[View], View]:
    """Make a view that programs ask by these methods, and that counts requests as `spends`."""
    allowed = ", ".join((*methods, "OPTIONS"))

    def decorate(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        def answered(request: HttpRequest) -> HttpResponse:
            response = _answer(view, request, methods, spends)
            response["Access-Control-Allow-Origin"] = "*"
            if request.method == "OPTIONS":
                response["Access-Control-Allow-Methods"] = allowed
                response["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
                response["Access-Control-Max-Age"] = "86400"
            elif response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                response["Allow"] = allowed
            return response

        return answered

    return decorate


def _answer(view: View, request: HttpRequest, methods: tuple[str, ...], spends: str) -> HttpResponse:
    if request.method == "OPTIONS":
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if request.method not in methods and not (request.method == "HEAD" and "GET" in methods):
        return refusal("invalid_request", "Wrong method.", HTTPStatus.METHOD_NOT_ALLOWED)
    try:
        if spends:
            limits.spend(spends, None)
        return view(request)
    except TooMany as error:
        response = refusal("temporarily_unavailable", "Too many requests.", HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(int(error.wait.total_seconds()) + 1)
        return response


# --- tokens -----------------------------------------------------------------------------------------------------------


@_endpoint("POST", spends="token")
def token(request: HttpRequest) -> HttpResponse:
    """Give a program a token for a code, or another one for a refresh token."""
    if refused := _refused(request):
        return refused
    with _counted_secrets(request) as answered:
        response = answered(of_allauth("token", request))
    return response if response.status_code != HTTPStatus.OK or _holds(request, response) else _withdrawn(response)


def _holds(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether whoever agreed still does, and a program may act for them."""
    given = Token.objects.select_related("user", "client__owner").by_value(json.loads(response.content)["access_token"])
    found = given.first()
    if found is None or found.user is None or found.client is None:
        return False
    field = CODES.get(request.POST.get("grant_type", ""))
    agreed = field is None or access.take_agreement(found.user, request.POST.get(field, ""))
    return agreed and access.may_be_acted_for(found.user) and access.is_open(found.client)


def _withdrawn(response: HttpResponse) -> HttpResponse:
    """Take back the tokens in an answer that nobody has seen yet."""
    given = json.loads(response.content)
    for name in ("access_token", "refresh_token"):
        if name in given:
            Token.objects.by_value(given[name]).delete()
    return refusal("invalid_grant", "Nobody stands behind this grant any more.")


def _refused(request: HttpRequest) -> HttpResponse | None:
    """Return why a request of a program is refused before allauth sees it, None if it is not."""
    if request.POST.get("resource"):
        return refusal("invalid_target", "Tokens are for the whole API: leave “resource” out.")
    if any(len(values) > 1 for _name, values in request.POST.lists()):
        return refusal("invalid_request", "A parameter was sent twice.")
    return None


@contextmanager
def _counted_secrets(request: HttpRequest) -> Iterator[Callable[[HttpResponse], HttpResponse]]:
    """Count wrong secrets of applications like wrong passwords of people (`limits.GUESSES`).

    Raises:
        TooMany: too many were wrong.
    """
    client, has_secret = _credentials(request)
    if not has_secret:
        yield lambda response: response
        return
    who = sha256(f"{limits.asking_network()}:application:{client}".encode()).hexdigest()
    limits.spend_guess(who)

    def answered(response: HttpResponse) -> HttpResponse:
        if response.status_code != HTTPStatus.UNAUTHORIZED:
            limits.return_guess(who)
        return response

    yield answered


def _credentials(request: HttpRequest) -> tuple[str, bool]:
    """Return which application a request says it comes from, and whether it has a secret with it."""
    scheme, _space, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.casefold() != "basic":
        return request.POST.get("client_id", ""), bool(request.POST.get("client_secret"))
    try:
        return b64decode(given).decode().partition(":")[0], True
    except ValueError:
        return "", True


@_endpoint("POST", spends="token")
def revoke(request: HttpRequest) -> HttpResponse:
    """End a token (RFC 7009); with a refresh token end all access tokens of the application for its person."""
    given = request.POST.get("token", "")
    held = Token.objects.by_value(given).filter(type=Token.Type.REFRESH_TOKEN).first()
    with _counted_secrets(request) as answered:
        response = answered(of_allauth("revoke", request))
    if held is not None and response.status_code == HTTPStatus.OK and not Token.objects.filter(pk=held.pk).exists():
        Token.objects.filter(user=held.user, client=held.client, type=Token.Type.ACCESS_TOKEN).delete()
    return response


# --- devices ----------------------------------------------------------------------------------------------------------


@_endpoint("POST", spends="device-code")
def device_code(request: HttpRequest) -> HttpResponse:
    """Give a program without a browser a code that its person enters on the page of `consent.device`."""
    if refused := _refused(request):
        return refused
    client = Client.objects.select_related("owner").filter(pk=request.POST.get("client_id", "")).first()
    if client is None or not access.is_open(client):
        return refusal("invalid_client", "There is no such application.", HTTPStatus.UNAUTHORIZED)
    if Client.GrantType.DEVICE_CODE not in client.get_grant_types():
        return refusal("unauthorized_client", "Only public applications can use the device flow.")
    if not request.POST.get("scope"):
        fields = request.POST.copy()
        fields["scope"] = " ".join(client.get_default_scopes())  # allauth would forget them
        request.POST = fields  # type: ignore[assignment]  # the one way to change a form
    response = of_allauth("device_code", request)
    if response.status_code == HTTPStatus.OK:
        given = json.loads(response.content)
        asked = {"scopes": request.POST["scope"].split(), "code": given["device_code"]}
        shared.set(_asked(given["user_code"]), asked, given["expires_in"])
    return response


def asked_by(user_code: str) -> dict[str, Any] | None:
    """Return what a device that shows this code asks for: `scopes`, and its own `code`; None if there is none."""
    found: dict[str, Any] | None = shared.get(_asked(user_code))
    return found


def _asked(user_code: str) -> str:
    return f"device:{sha256(user_code.encode()).hexdigest()}"


# --- who somebody is, and what there is -------------------------------------------------------------------------------


@_endpoint("GET", "POST", spends="token")
def userinfo(request: HttpRequest) -> HttpResponse:
    """Tell a program who somebody is (OpenID Connect)."""
    scheme, _space, given = request.headers.get("Authorization", "").partition(" ")
    bearer = access.bearer_of(given) if scheme.casefold() == "bearer" else None
    if bearer is None or "openid" not in bearer.scopes:
        error, status = ("invalid_token", 401) if bearer is None else ("insufficient_scope", 403)
        response = refusal(error, "The scope “openid” is needed.", status)
        response["WWW-Authenticate"] = f'Bearer error="{error}"'
        return response
    return of_allauth("user_info", request)


@_endpoint("GET")
def metadata(request: HttpRequest) -> HttpResponse:
    """Describe all this to programs (OpenID Connect Discovery, RFC 8414)."""
    return of_allauth("configuration", request)


@_endpoint("GET")
def signing_keys(request: HttpRequest) -> HttpResponse:
    """Give the keys with which programs check who somebody is."""
    return of_allauth("jwks", request)
