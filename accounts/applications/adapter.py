"""How allauth's OAuth 2 works here: its keys, its addresses, what it tells programs about people."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any, ClassVar, Literal
from urllib.parse import urlsplit

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client, PrivateKey
from django.conf import settings

from accounts.applications import access, keys
from accounts.applications.scopes import SCOPES
from accounts.models import SigningKey, User


class ApplicationsAdapter(DefaultOIDCAdapter):  # type: ignore[misc]  # allauth ships no types
    """Answers for the site wherever allauth asks."""

    scope_display: ClassVar = SCOPES

    def generate_client_secret(self) -> str:
        """Return a secret without characters that mean something to a shell or in an address."""
        return secrets.token_urlsafe(32)

    def get_issuer(self) -> str:
        """Return the address of the site from the settings, never from the request's Host header."""
        return str(settings.SITE_URL)

    def populate_server_metadata(self, data: dict[str, Any]) -> None:
        """Describe only what is offered here, at the address of the site."""
        for name, value in data.items():
            if name.endswith(("_endpoint", "_uri")):
                data[name] = f"{settings.SITE_URL}{urlsplit(value).path}"
        del data["end_session_endpoint"]
        data["scopes_supported"] = list(SCOPES)
        data["response_types_supported"] = ["code"]
        data["grant_types_supported"] = [str(kind) for kind in (*access.GRANTS, Client.GrantType.DEVICE_CODE)]
        data["claims_supported"] = ["sub", "preferred_username"]

    def get_claims(
        self, purpose: Literal["id_token", "userinfo"], user: User, client: Client, scopes: Iterable[str], **_: Any
    ) -> dict[str, Any]:
        """Return who somebody is: the number of the account, which stays, and the name."""
        return {"sub": self.get_user_sub(client, user), "preferred_username": user.username}

    def get_user_by_sub(self, client: Client, sub: str) -> User | None:
        """Return whose account has this number; None if no program may act for them."""
        user: User | None = super().get_user_by_sub(client, sub)
        return user if user is not None and access.may_be_acted_for(user) else None

    def list_private_keys(self, **_: Any) -> list[PrivateKey]:
        """Return the keys whose signatures count; none of them ends by itself."""
        return [_as_allauth_has(key) for key in keys.usable()]

    def get_signing_key(self) -> PrivateKey:
        """Return the key that signs now."""
        return _as_allauth_has(keys.current())


def _as_allauth_has(key: SigningKey) -> PrivateKey:
    return PrivateKey(pem=keys.plain(key.pem), issued_at=key.made_at)
