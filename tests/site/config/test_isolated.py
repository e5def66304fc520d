"""Names and texts from right to left turn nothing around: each stands apart on every page, in mails and in pushes.

test_translated_throughout.py reads all pages.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.test import Client

from accounts import relations
from accounts.models import User
from accounts.names import name_key
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.moderation import people
from games.notifications.messages import words_of
from games.notifications.models import Notice
from games.play.models import Match
from tests.people import client_of, person
from tests.site.chat.rooms import say

pytestmark = pytest.mark.django_db

NAME = "שלום"
TEXT = "בואו 7 נשחק"
ADDRESSES = {
    *("action", "href", "value", "hx-get", "hx-post", "hx-ws:connect", "content", "src"),
    *("data-company", "data-name", "data-profile"),
}
"""Attributes that nobody reads, or that have no text around what they say."""
ALONE = {"bdi", "option", "textarea"}
"""Elements whose text turns nothing around outside of them."""


class Finder(HTMLParser):
    """Finds what stands in the middle of other text without being isolated."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []
        self.met = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name not in ADDRESSES:
                self._check(value or "", f"<{tag} {name}>")
        if tag not in {"input", "link", "meta", "br", "img", "hr", "path", "use", "rect", "circle"}:
            self.open.append((tag, tag in ALONE or dict(attrs).get("dir") == "auto"))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(isolated for _tag, isolated in self.open):
            self._check(data, "".join(f"<{tag}>" for tag, _isolated in self.open[-3:]))
        self.met += NAME in data or TEXT in data

    def _check(self, text: str, where: str) -> None:
        bare = re.sub(f"\u2068({NAME}|{TEXT})\u2069", "", text)
        if NAME in bare or TEXT in bare:
            self.found.append(f"{where} {text.strip()[:80]}")


def read(page: str) -> tuple[list[str], bool]:
    """Return what does not stand apart on a page, and whether a name or a text is there at all."""
    if NAME not in page and TEXT not in page:
        return [], False
    finder = Finder()
    finder.feed(page)
    return finder.found, finder.met > 0


def bare_in(page: str) -> list[str]:
    return read(page)[0]


def test_the_finder_finds() -> None:
    assert bare_in(f"<p>3. {NAME} 5</p>") == [f"<p> 3. {NAME} 5"]
    assert bare_in(f"<title>{NAME}</title><b title='{NAME}'></b>") == [f"<title> {NAME}", f"<b title> {NAME}"]
    assert bare_in(f"<p>\u2068{NAME}\u2069 <bdi>{NAME}</bdi></p><i dir='auto'>{TEXT}</i><a href='/@{NAME}/'></a>") == []


def prepare() -> None:
    """Let `seat` have such a name, and everything that people write."""
    seat, mate = User.objects.get(username="seat"), User.objects.get(username="mate")
    seat.username = NAME
    seat.save()
    Match.objects.exclude(host=None).update(note=TEXT)
    match = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC).earliest("pk")
    say(seat, match, TEXT)
    say(mate, match, TEXT)
    relations.request_friendship(seat, mate)
    relations.request_friendship(seat, User.objects.get(username="stranger"))
    relations.accept_request(mate, seat)
    tables.open_table(seat, TableSetup("shifting-stones", 2, note=TEXT))


def test_what_is_told_elsewhere_stands_apart(mailoutbox: list[EmailMessage]) -> None:
    seat, mate = person(NAME), person("reader")
    seat.email = "shalom@example.org"
    seat.save()
    EmailAddress.objects.filter(user=seat).update(email=seat.email)
    relations.request_friendship(seat, mate)
    notice = Notice.objects.get(user=mate)
    told = " ".join(words_of(notice))
    assert f"\u2068{NAME}\u2069" in told
    assert bare_in(f"<p>{told}</p>") == []
    people.silence(None, seat, None, TEXT)
    page = client_of(seat).get("/standing/").content.decode()
    assert bare_in(page) == []
    Client().post("/account/password/reset/", {"email": seat.email})
    for mail in mailoutbox:
        assert bare_in(f"<p>{mail.subject} {mail.body}</p>") == []
    assert f"\u2068{NAME}\u2069" in str(mailoutbox[-1].body)


def test_a_name_copied_from_a_page_is_found() -> None:
    user = person(NAME)
    assert User.objects.named(f"\u2068{NAME}\u2069") == user
    assert name_key(f"\u2068{NAME}\u2069") == user.name_key


ADDRESSING = re.compile(
    r"\{% url '\w+' [\w.]+\.username|\.username\|urlencode|args=\[[\w.]+\.username"
    r"|(?:value|data-name)=\"\{\{ [\w.]+\.username"
)


def test_no_template_shows_a_name_as_it_is_stored() -> None:
    """`username` is for addresses and forms; what people read is `shown_name`."""
    root = Path(settings.BASE_DIR)
    for pattern in ("*.html", "*.jinja", "*.txt"):
        for folder in ("templates", "games"):
            for path in (root / folder).rglob(pattern):
                for line in path.read_text().splitlines():
                    rest = ADDRESSING.sub("", line).replace("{% if user.username %}", "")
                    assert ".username" not in rest, f"{path.relative_to(root)}: {line.strip()[:120]}"
