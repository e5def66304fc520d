"""A NUL, which PostgreSQL cannot store, is refused with a page in the site's frame, wherever it is sent."""

from __future__ import annotations

import pytest
from django.test import Client
from websockets.exceptions import InvalidStatus

from tests.config.test_errors import assert_framed
from tests.people import client_of, person
from tests.serving import Site, dialled


@pytest.fixture(params=[False, True], ids=["nobody", "somebody"])
def visitor(request: pytest.FixtureRequest, db: None) -> Client:
    return client_of(person()) if request.param else Client()


@pytest.mark.parametrize(
    "address", ["/archive/?player=%00", "/lobby/?x%00=1", "/@a%00b/", "/calendar/a%00b.ics", "/?next=%00"]
)
def test_in_an_address(visitor: Client, address: str) -> None:
    response = visitor.get(address)
    assert_framed(response, 400)


@pytest.mark.parametrize("cookie", ["tessera_session", "csrftoken", "messages", "anything"])
def test_in_a_cookie(visitor: Client, cookie: str) -> None:
    visitor.cookies.clear()
    assert_framed(visitor.get("/lobby/", headers={"Cookie": f'{cookie}="a\\000b"'}), 400)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("login=a%00b&password=x", "application/x-www-form-urlencoded"),
        ("login=a\0b&password=x", "application/x-www-form-urlencoded"),
        ('{"login": "a\\u0000b"}', "application/json"),
    ],
)
def test_in_what_is_sent(visitor: Client, body: str, kind: str) -> None:
    assert_framed(visitor.post("/account/login/", body, content_type=kind), 400)


def test_the_page_still_knows_its_reader(db: None) -> None:
    ann = person("ann", language="de")
    page = client_of(ann).get("/archive/?player=%00").content.decode()
    assert ('lang="de"' in page, "ann" in page) == (True, True)


@pytest.mark.parametrize(("path", "cookie"), [("me/?a=%00", ""), ("me/", 'tessera_session="a\\000b"')])
def test_in_a_socket(live_site: Site, path: str, cookie: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        dialled(live_site, path, None, Cookie=cookie)
    assert refused.value.response.status_code == 403
