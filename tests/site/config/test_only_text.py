"""What is no UTF-8, and a NUL, which PostgreSQL cannot store, is refused with a page in the site's frame."""

from __future__ import annotations

import json
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from websockets.exceptions import InvalidStatus

from games.chat.models import Message
from games.play.models import Action
from tests.people import Kinds, client_of, person
from tests.serving import Site, dialled
from tests.site.config.console import Console, console
from tests.site.config.test_errors import assert_framed

__all__ = ["console"]

FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
PART = b"--b\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n--b--\r\n"


@pytest.fixture(params=[False, True], ids=["nobody", "somebody"])
def visitor(request: pytest.FixtureRequest, db: None) -> Client:
    return client_of(person()) if request.param else Client()


@pytest.mark.parametrize(
    "address",
    [
        *["/archive/?player=%00", "/lobby/?x%00=1", "/@a%00b/", "/calendar/a%00b.ics", "/?next=%00"],
        *["/archive/?player=%FF", "/lobby/?x%ED%A0%80=1", "/?next=%C0%AF"],
    ],
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
        ("login=a%00b&password=x", FORM),
        ("login=a\0b&password=x", FORM),
        ('{"login": "a\\u0000b"}', "application/json"),
        ("login=a%FFb&password=x", FORM),
        ("login=%ED%A0%80&password=x", FORM),
        ("login%ED%B0%80=x", FORM),
        (b"login=\xff", FORM),
        (b"login=\xff", "text/plain"),
        ("login=+2AA-", f"{FORM}; charset=utf-7"),
        ('{"login": "\\ud800"}', "application/json"),
        ('{"\\udc00": 1}', "application/json"),
        ('[[["\\ud800"]]]', "application/json"),
        ('{"login": ', "application/json"),
        ("[" * 50_000, "application/json"),
        (PART % (b'name="login"', b"a\xffb"), PARTS),
        (PART % (b'name="lo\xffgin"', b"x"), PARTS),
        (PART % (b'name="login"; filename="\xff.png"', b"x"), PARTS),
        (PART % (b"name=login; filename*=utf-7''+2AA-", b"x"), PARTS),
        (PART % (b"name*=nonsense''login", b"x"), PARTS),
        (PART % (b'name="login"\r\nContent-Transfer-Encoding: base64', b"/w=="), PARTS),
        (PART % (b'name="login"\r\nContent-Type: text/plain; charset=utf-7', b"+2AA-"), PARTS),
        (PART % (b'name="login"', b"x"), f"{PARTS}; charset=utf-7"),
    ],
)
def test_in_what_is_sent(visitor: Client, console: Console, body: str | bytes, kind: str) -> None:
    """No traceback, and nothing is done: where Django would put other characters in place of what is none, or fail."""
    assert_framed(visitor.post("/account/login/", body, content_type=kind), 400)
    assert not any(" ERROR " in line or "Traceback" in line for line in console.lines)


def test_text_of_every_kind_is_let_in(client: Client, db: None) -> None:
    """A letter with a mark, an emoji, a character beyond the basic ones, and the sign for unreadable ones itself."""
    for text in ("Zoë", "🧑‍🤝‍🧑", "𝔸", "\ufffd", "+%25", "\\u0000", "\\ud800"):
        fields = {"login": text, "password": "x"}
        assert client.post("/account/login/", urlencode(fields), content_type=FORM).status_code == 200
        assert client.post("/account/login/", fields).status_code == 200, "of several parts"
        assert client.get("/lobby/", {"text": text}).status_code == 200


def test_a_cookie_of_somebody_else_that_is_no_utf8_is_left_aside(client: Client, db: None) -> None:
    assert client.get("/lobby/", headers={"Cookie": "other=\xff; tessera_session=\xfe"}).status_code == 200


def test_the_page_still_knows_its_reader(db: None) -> None:
    ann = person("ann", language="de")
    page = client_of(ann).get("/archive/?player=%00").content.decode()
    assert ('lang="de"' in page, "ann" in page) == (True, True)


@pytest.mark.parametrize(
    ("path", "cookie"),
    [
        ("me/?a=%00", ""),
        ("me/", 'tessera_session="a\\000b"'),
        ("me/?page=%FF", ""),
        ("match/x/?language=%ED%A0%80", ""),
    ],
)
def test_in_a_socket(live_site: Site, path: str, cookie: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        dialled(live_site, path, None, Cookie=cookie)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "text", ["\ud800", quote("\ud800", errors="surrogatepass"), "%FF", "%C0%AF", "x%00"], ids=ascii
)
def test_in_a_form_sent_over_a_socket(live_site: Site, kinds: Kinds, console: Console, text: str) -> None:
    """JSON can escape half of a pair: it was stored, could not be sent, and left a traceback each time."""
    forms = {
        "say": f"room=players&client_id=one&text=a{text}b",
        "act": f"action=end&version={kinds.match.version}&client_id=one{text}",
        "resign": f"client_id=one{text}",
    }
    with dialled(live_site, f"match/{kinds.match.slug}/", client_of(kinds.seated)) as connection:
        for kind, form in forms.items():
            connection.send(json.dumps({"kind": kind, "form": form}))
            heard = (json.loads(connection.recv(timeout=60)) for _message in range(20))
            assert next(name for answer in heard for name in ("error", "answer", "said") if name in answer) == "error"
    kinds.match.refresh_from_db()
    assert kinds.match.is_running
    assert not Message.objects.exists()
    assert not Action.objects.filter(match=kinds.match).exists()
    assert not any(" ERROR " in line or "Traceback" in line for line in console.lines)
