"""Shared by tests of accounts: reading emails, logging in as a browser does, codes of an authenticator app."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, person

SITE = "http://127.0.0.1:8000"


def link_in(mail: EmailMessage) -> str:
    """Return the path of the first link in an email."""
    found = re.search(rf"{re.escape(SITE)}(/\S+)", str(mail.body))
    assert found, mail.body
    return found[1]


def totp(secret: str, steps: int = 0) -> str:
    """Return the code an authenticator app shows (RFC 6238), now or some steps later."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    offset = digest[-1] & 15
    value: int = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{value % 1_000_000:06}"


def addresses(user: User) -> QuerySet[Any]:
    """Return the email addresses of a user."""
    found: QuerySet[Any] = EmailAddress.objects.filter(user=user)
    return found


@pytest.fixture
def ann(db: None) -> User:
    return person("Ann")


@pytest.fixture
def log_in(client: Client) -> Callable[..., Client]:
    """Log in through the form; return the client, which keeps the session."""

    def log_in(user: User | str, password: str = PASSWORD, into: Client | None = None, **headers: str) -> Client:
        visitor = into or client
        visitor.post("/account/login/", {"login": str(user), "password": password}, headers=headers)
        return visitor

    return log_in
