"""The keys that sign who somebody is (ID tokens): in the database, where all processes and every backup have them.

A key is made with the first application. It is encrypted with SECRET_KEY: with another one a new key is made.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.conf import settings

from accounts.models import SigningKey

_BITS: Final = 2048


def current() -> SigningKey:
    """Return the key that signs now; make it if there is none."""
    found = SigningKey.objects.order_by("-made_at").first()
    return found if found is not None and plain(found.pem) else SigningKey.objects.create(pem=_new())


def usable() -> list[SigningKey]:
    """Return all keys whose signatures count, the latest first."""
    return [key for key in SigningKey.objects.order_by("-made_at") if plain(key.pem)]


@lru_cache(maxsize=8)
def _plain(pem: str, secret: str) -> str:
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415  # pages without a token need none of it

    try:
        key = serialization.load_pem_private_key(pem.encode(), password=secret.encode())
    except ValueError:
        return ""
    kind, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(kind, private, serialization.NoEncryption()).decode()


def plain(pem: str) -> str:
    """Return a stored key without its encryption; empty if it was encrypted with another SECRET_KEY."""
    return _plain(pem, settings.SECRET_KEY)


def _new() -> str:
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415  # as above
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415  # as above

    key = rsa.generate_private_key(public_exponent=65537, key_size=_BITS)
    encryption = serialization.BestAvailableEncryption(settings.SECRET_KEY.encode())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption).decode()
