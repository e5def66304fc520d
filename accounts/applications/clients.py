"""The applications that people have registered, and where each may send people back."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Client
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import limits
from accounts.applications import keys
from accounts.applications.access import GRANTS
from accounts.applications.scopes import DEFAULT, SCOPES
from accounts.models import User
from accounts.relations import lock_people

MOST: Final = 10
"""How many applications one person can have."""

MOST_ADDRESSES: Final = 10
"""How many redirect addresses an application can have."""

LONGEST_ADDRESS: Final = 500

_ANY_PORT: Final = "127.0.0.1"
"""Programs on somebody's own machine get another port each time they run (RFC 8252, section 7.3)."""

LOOPBACK: Final = (_ANY_PORT, "localhost")


def register(owner: User, name: str, kind: str, addresses: list[str]) -> tuple[Client, str]:
    """Register an application; return it and its secret, which is stored as a hash and is empty for a public one.

    Args:
        owner: who registers it.
        name: what people see when it asks.
        kind: one of `Client.Type`.
        addresses: checked by `check_address`.

    Raises:
        ValidationError: there are `MOST` already.
        TooMany: too many were registered.
    """
    client = Client(owner=owner, name=name, type=kind)
    client.set_redirect_uris(addresses)
    client.set_scopes(list(SCOPES))
    client.set_default_scopes(list(DEFAULT))
    is_public = kind == Client.Type.PUBLIC
    client.set_grant_types([*map(str, GRANTS), *([str(Client.GrantType.DEVICE_CODE)] if is_public else [])])
    secret = "" if is_public else _give_secret(client)
    keys.current()
    with transaction.atomic():
        lock_people([owner.pk])
        if Client.objects.filter(owner=owner).count() >= MOST:
            raise ValidationError(_("You have %(most)s applications. Delete one first.") % {"most": MOST}, "most")
        limits.spend("application", owner)
        client.save()
    return client, secret


def renew_secret(client: Client) -> str:
    """Give a confidential application another secret, and return it; the former one ends."""
    secret = _give_secret(client)
    client.save(update_fields=["secret"])
    return secret


def _give_secret(client: Client) -> str:
    secret: str = get_adapter().generate_client_secret()
    client.set_secret(secret)
    return secret


def check_address(address: str) -> None:
    """Check where an application wants people sent back to.

    Raises:
        ValidationError: it is no address, or neither https nor on the person's own machine.
    """
    try:
        parts = urlsplit(address)
        _port = parts.port  # a ValueError if it is none
        is_local = parts.scheme == "http" and parts.hostname in LOOPBACK
        is_safe = is_local or (parts.scheme == "https" and bool(parts.hostname))
    except ValueError:
        is_safe = False
    if not is_safe or not _is_plain(address):
        text = _("“%(address)s” is not an https address, or http on 127.0.0.1 or localhost.")
        raise ValidationError(text % {"address": address}, "address")
    if len(address) > LONGEST_ADDRESS:
        raise ValidationError(_("This address is too long: %(address)s") % {"address": address}, "long")


def _is_plain(address: str) -> bool:
    """Return whether an address has none of the signs that browsers, policies and allauth read differently."""
    return address.isascii() and address.isprintable() and not set(address) & set(" *#@\\\"'<>`;,")


def sends_back_to(client: Client, address: str) -> bool:
    """Return whether an application registered this address; on 127.0.0.1 whatever its port."""
    here = without_port(address)
    return any(address == known or here == without_port(known) != "" for known in client.get_redirect_uris())


def without_port(address: str) -> str:
    """Return an address on 127.0.0.1 without its port; empty for any other, also if it is none.

    >>> without_port("http://127.0.0.1:4711/back"), without_port("http://127.0.0.1:x/"), without_port("http://a/")
    ('http://127.0.0.1/back', '', '')
    """
    try:
        parts = urlsplit(address)
        _port = parts.port  # a ValueError if it is none
    except ValueError:
        return ""
    is_here = parts.scheme == "http" and parts.hostname == _ANY_PORT and _is_plain(address)
    return parts._replace(netloc=_ANY_PORT).geturl() if is_here else ""


def origin_of(address: str) -> str:
    """Return the origin of an address, for a content security policy.

    >>> origin_of("https://app.example/back?from=tessera"), origin_of("http://127.0.0.1:4711/")
    ('https://app.example', 'http://127.0.0.1:4711')
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
