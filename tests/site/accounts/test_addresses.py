"""Where somebody logs in from: what trusted proxies say, as far as it can be read, or else the connection itself."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.people import PASSWORD

LOGIN = "/account/login/"


FORWARDED: list[tuple[int, str | None, str]] = [
    (0, "203.0.113.9", "127.0.0.1"),
    (1, "203.0.113.9, 192.0.2.7", "192.0.2.7"),
    (2, "203.0.113.9, 192.0.2.7", "203.0.113.9"),
    (2, "198.51.100.1, 203.0.113.9, 192.0.2.7", "203.0.113.9"),
    (2, "203.0.113.9, unix:", "203.0.113.9"),
    (2, "203.0.113.9:5000, 192.0.2.7", "203.0.113.9"),
    (2, "[2001:db8::9]:443, 192.0.2.7", "2001:db8::9"),
    (2, "[2001:db8::9], 192.0.2.7", "2001:db8::9"),
    (2, "::ffff:203.0.113.9, 192.0.2.7", "203.0.113.9"),
    (1, "fe80::1%eth0", "fe80::1"),
    # one proxy has been passed by: what the nearest one saw
    (2, "192.0.2.7", "192.0.2.7"),
    (3, "203.0.113.9, 192.0.2.7", "203.0.113.9"),
    # nothing, or nothing that can be read
    (2, None, "127.0.0.1"),
    (2, "", "127.0.0.1"),
    (2, " , ,", "127.0.0.1"),
    (2, "unknown", "127.0.0.1"),
    (2, "unknown, 192.0.2.7", "192.0.2.7"),
    (1, "203.0.113.9, <script>", "127.0.0.1"),
    (1, "[", "127.0.0.1"),
    (1, "192.0.2.7:", "127.0.0.1"),
    (1, "999.1.1.1", "127.0.0.1"),
    (1, "\u00b2.0.0.1", "127.0.0.1"),
]


def test_who_logs_in_comes_from_what_trusted_proxies_saw(
    ann: User, settings: Settings, subtests: pytest.Subtests
) -> None:
    for proxies, forwarded, address in FORWARDED:
        with subtests.test(f"{proxies}: {forwarded}"):
            settings.TRUSTED_PROXIES = proxies
            UserSession.objects.all().delete()
            headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
            answer = Client().post(LOGIN, {"login": "Ann", "password": PASSWORD}, headers=headers)
            assert answer.status_code == 302
            assert UserSession.objects.get(user=ann).ip == address


def test_behind_a_unix_socket_a_proxy_has_to_name_its_clients(ann: User, settings: Settings) -> None:
    """Otherwise limits could not tell one from another."""
    settings.TRUSTED_PROXIES = 1
    told = {"": 403, "192.0.2.7": 302}
    for forwarded, status in told.items():
        headers = {"X-Forwarded-For": forwarded}
        answer = Client().post(LOGIN, {"login": "Ann", "password": PASSWORD}, REMOTE_ADDR="", headers=headers)
        assert answer.status_code == status
