from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.logins import describe_device
from accounts.models import User
from tests.people import person

URL = "/account/sessions/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"


def test_the_list_shows_every_session_this_one_first(ann: User, log_in: Callable[..., Client]) -> None:
    log_in(ann, into=Client(), **{"User-Agent": IPHONE})
    here = log_in(ann, into=Client(), **{"User-Agent": FIREFOX})
    page = here.get(URL)
    assert [row["device"] for row in page.context["rows"]] == ["Firefox, Linux", "Safari, iPhone"]
    assert page.content.decode().count("this session") == 1


def test_end_one_session(ann: User, log_in: Callable[..., Client]) -> None:
    there, third, here = (log_in(ann, into=Client()) for _ in range(3))
    session = UserSession.objects.get(session_key=there.session.session_key)
    response = here.post(f"{URL}{session.pk}/end/", follow=True)
    assert b"That session has ended." in response.content
    assert there.get("/settings/").status_code == 302
    assert third.get("/settings/").status_code == here.get("/settings/").status_code == 200


def test_log_out_everywhere_else(ann: User, log_in: Callable[..., Client]) -> None:
    there, third, here = (log_in(ann, into=Client()) for _ in range(3))
    here.post(URL)
    assert there.get("/settings/").status_code == third.get("/settings/").status_code == 302
    assert here.get("/settings/").status_code == 200


def test_sessions_of_others_are_neither_shown_nor_ended(ann: User, log_in: Callable[..., Client]) -> None:
    berta = log_in(person("Berta"), into=Client())
    session = UserSession.objects.get()
    here = log_in(ann)
    assert len(here.get(URL).context["rows"]) == 1
    assert here.post(f"{URL}{session.pk}/end/").status_code == 404
    assert berta.get("/settings/").status_code == 200


def test_opening_the_address_ends_nothing(ann: User, log_in: Callable[..., Client]) -> None:
    there, here = log_in(ann, into=Client()), log_in(ann)
    session = UserSession.objects.get(session_key=there.session.session_key)
    assert here.get(f"{URL}{session.pk}/end/").status_code == 405
    assert here.get(URL).status_code == there.get("/settings/").status_code == 200


@pytest.mark.parametrize(
    ("agent", "name"),
    [(FIREFOX, "Firefox, Linux"), (IPHONE, "Safari, iPhone"), ("<b>x", "Unknown browser"), ("", "Unknown browser")],
)
def test_browsers_are_named_in_a_few_words(agent: str, name: str) -> None:
    assert describe_device(agent) == name


def test_ending_a_session_after_logging_out_leads_to_the_list() -> None:
    response = Client().post("/account/sessions/1/end/")
    assert (response.status_code, response["Location"]) == (302, "/account/login/?next=/account/sessions/")
