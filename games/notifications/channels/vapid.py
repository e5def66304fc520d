"""The key that identifies this site to push services (RFC 8292).

It is given, or derived from SECRET_KEY, so that every process has the same one and nothing more has to be stored.
Changing SECRET_KEY ends all sessions, and with them all devices: no device is left that would expect the old key.
"""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256."""

_HALF_A_DAY = 12 * 60 * 60


def public_key() -> str:
    """Return the key that browsers ask for when they subscribe, base64url."""
    key = _key(settings.VAPID_PRIVATE_KEY, settings.SECRET_KEY).public_key
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def signature(endpoint: str) -> dict[str, str]:
    """Return the header that identifies this site to the push service of an endpoint."""
    service = urlsplit(endpoint)
    claims = {
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        "aud": f"{service.scheme}://{service.netloc}",
        "exp": int(time.time()) + _HALF_A_DAY,
    }
    signed: dict[str, str] = _key(settings.VAPID_PRIVATE_KEY, settings.SECRET_KEY).sign(claims)
    return signed


@cache
def _key(given: str, secret: str) -> Vapid02:
    """Return the key given (base64url of its 32 bytes, or DER), else the one made from the secret key."""
    if given:
        return Vapid02.from_string(given)
    # 48 bytes, so that the remainder favours no key.
    made = HKDF(SHA256(), length=48, salt=None, info=b"tessera vapid").derive(secret.encode())
    number = int.from_bytes(made, "big") % (_ORDER - 1) + 1
    return Vapid02(ec.derive_private_key(number, ec.SECP256R1()))
