"""No page and no form leaves a session of somebody who is not logged in, unless there is something to keep."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session

from tests.site.config.addresses import situations_of
from tests.site.config.bodies import Doors, posted_to, roles_of
from tests.site.config.doors import ROWS
from tests.site.config.world import World, undone

pytestmark = pytest.mark.django_db


def sessions() -> int:
    return Session.objects.count()


WORTH = {"mfa_login_webauthn", "account_reset_password_from_key"}
"""Pages that begin a login: the challenge for a passkey, and the right key of a mailed link."""


def test_a_page_leaves_no_session(world: World) -> None:
    made = set()
    for name in ROWS:
        for situation in situations_of(name):
            with undone():
                before = sessions()
                world.client("nobody").get(world.path(name, situation))
                if sessions() > before:
                    made.add(name)
    assert made <= WORTH


WRITTEN = {"puzzle", "lesson", "account_signup", "account_reset_password_from_key"} | {
    *("guest", "pairing", "play_now", "deal", "table_guest", "table_new", "account_confirm_registration"),
}
"""Forms that leave something, or make a guest of somebody."""


def test_a_form_leaves_a_session_only_if_there_is_something_to_keep(world: World) -> None:
    doors, made = Doors(world), set()
    doors.visit("nobody", ["match", *(name for name in posted_to() if "nobody" in roles_of(name))])
    for name in posted_to():
        if "nobody" in roles_of(name):
            path, form = doors.form("nobody", name)
            with undone():
                before = sessions()
                for body in (form, {}):
                    browser = world.client("nobody")
                    browser.raise_request_exception = False
                    browser.post(path, body)
                if sessions() > before:
                    made.add(name)
    assert made <= WRITTEN
