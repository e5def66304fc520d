"""A browser of the tests' own: it makes keys, subscribes, and reads what is pushed to it."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import http_ece
from allauth.usersessions.models import UserSession
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from accounts.models import User
from games.notifications.models import Device
from tests.people import PASSWORD
from tests.site.notifications.listening import Heard

THIS = "/settings/devices/this/"


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Subscription:
    """What a browser hands out when it subscribes, and keeps to read what arrives."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def fields(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": b64(point), "auth": b64(self.secret)}

    def read(self, heard: Heard) -> dict[str, Any]:
        """Decrypt what was pushed (RFC 8291)."""
        text = http_ece.decrypt(heard.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        found: dict[str, Any] = json.loads(text)
        return found


def logged_in(user: User, agent: str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0") -> Client:
    """Return a browser in which somebody has logged in through the form, so that the session is listed."""
    client = Client(headers={"User-Agent": agent})
    response = client.post("/account/login/", {"login": user.username, "password": PASSWORD})
    assert response.status_code == 302
    assert UserSession.objects.filter(session_key=client.session.session_key).exists()
    return client


def subscribed(client: Client, subscription: Subscription) -> Device:
    """Register a subscription as the page does."""
    response = client.post(THIS, subscription.fields)
    assert response.status_code == 204, response.content.decode()
    return Device.objects.get(endpoint=subscription.endpoint)


def claims(heard: Heard, public_key: str) -> dict[str, Any]:
    """Return what the sender says of itself, after checking its signature (RFC 8292) without the library's help."""
    scheme, _, rest = heard.headers["Authorization"].partition(" ")
    parts = dict(part.split("=", 1) for part in rest.replace(" ", "").split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    header, body, signature = parts["t"].split(".")
    assert json.loads(unb64(header)) == {"typ": "JWT", "alg": "ES256"}
    r, s = (int.from_bytes(half, "big") for half in (unb64(signature)[:32], unb64(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(public_key))
    try:
        key.verify(encode_dss_signature(r, s), f"{header}.{body}".encode(), ec.ECDSA(SHA256()))
    except InvalidSignature:
        raise AssertionError("the signature is not theirs") from None
    found: dict[str, Any] = json.loads(unb64(body))
    return found


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
