"""Hostile texts in everything that people can write, read through everything that the site writes.

The texts stand in the database itself, whatever forms would refuse, and go through every form as well. Wherever they
are shown they are text: no tag, no attribute, no address with a script, no line of a header comes of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.template import base, defaultfilters
from django.test import Client
from django.urls import reverse
from django.utils import html, timezone
from pytest_django import DjangoDbBlocker

from accounts.mail import letter
from accounts.models import User
from config.admin import site
from games.chat.conversations import panel
from games.chat.rooms import places
from games.moderation.access import ADMINISTRATORS
from games.notifications.channels import push, webhooks
from games.notifications.models import Webhook
from games.play.access import access_match
from games.play.boards.fragments import match_page
from games.play.models import Match
from tests.site.config.addresses import addresses, of_a_match
from tests.site.config.doors import POST_ALONE
from tests.site.config.hostile import (
    CORPUS,
    MARK,
    ME,
    OTHER,
    WRITTEN,
    digests,
    free_columns,
    letters,
    poisoned,
    told,
    tried_columns,
)
from tests.site.config.reading import forms_of, in_html, in_json, wrong_in, wrong_in_letter
from tests.site.config.world import World, undone
from tests.site.notifications.letters import delivered
from tests.site.privacy.opening import made, opened

pytestmark = pytest.mark.django_db


def test_every_column_of_free_text_is_tried(hostile: World) -> None:
    assert free_columns() == WRITTEN, "a column is new: add it to WRITTEN and to a page of the world, or to CODES"
    assert tried_columns() == WRITTEN, "a column has no row: add one to the world"


@pytest.fixture(scope="module")
def hostile(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield poisoned()
        transaction.set_rollback(True)


# --- every page -----------------------------------------------------------------------------------------------------


def paths_of(world: World, name: str, share: slice = slice(None)) -> set[str]:
    """Return the addresses of one name: in every situation, and about every hostile name, or a share of them.

    One example is enough where no page is.
    """
    if name in POST_ALONE:
        return {world.path(name)}
    found = set(world.paths(name).values())
    if of_a_match(name):
        found |= {reverse(name, kwargs={"slug": world.slugs[each]}) for each in ("open", "planned")}
    if "<str:username>" in addresses()[name]:
        names = User.objects.exclude(username=ME).order_by("pk").values_list("username", flat=True)[share]
        found |= {reverse(name, kwargs={"username": each}) for each in names}
    if name == "profile":  # pages that guess what was meant, and repeat nothing of the address
        found |= {reverse(name, kwargs={"username": f"{each}s"}) for each in names}
        found |= {f"/{quote(text)}/" for text in CORPUS[share]}
    return found


READERS = ("nobody", OTHER, ME)
"""Each of them reads every page, and the pages about hostile names in turn."""


@pytest.fixture(scope="module")
def page_of(hostile: World) -> Callable[[str, str], Any]:
    """Return what somebody gets at an address; what that changed is taken back, so each is asked for once."""

    @cache
    def asked(role: str, path: str) -> Any:
        with undone():
            return hostile.client(role).get(path)

    return asked


@pytest.mark.parametrize("role", [*READERS, "moderator"])
def test_nothing_hostile_becomes_more_than_text_on_any_page(
    hostile: World, page_of: Callable[[str, str], Any], role: str
) -> None:
    wrong, shown = {}, 0
    share = slice(READERS.index(role), None, len(READERS)) if role in READERS else slice(None)
    for name, route in addresses().items():
        for path in paths_of(hostile, name, share) if role != "moderator" or route.startswith("moderation/") else ():
            response = page_of(role, path)
            if found := wrong_in(response):
                wrong[path] = found[:3]
            shown += MARK in ("" if response.streaming else response.content.decode(errors="replace"))
    assert wrong == {}
    assert shown > (20 if role in {ME, OTHER} else 5), (
        "nobody has read anything hostile: the world is not what it seems"
    )


@pytest.mark.parametrize(
    "name", ["conversation", "match_chat", "profile", "puzzle", "replay", "review", "settings_data"]
)
def test_parts_of_pages_are_as_careful(hostile: World, name: str) -> None:
    for path in paths_of(hostile, name):
        with undone():
            response: Any = hostile.client(ME).get(path, headers={"HX-Request": "true"})
        assert wrong_in(response) == []


@pytest.mark.parametrize(
    ("role", "method", "name"),
    [
        ("warned", "get", "warning"),
        ("suspended", "get", "home"),
        ("suspended", "post", "lobby"),
        ("silenced", "post", "match_chat"),
    ],
)
def test_people_read_why_moderators_stopped_them_as_text(hostile: World, role: str, method: str, name: str) -> None:
    with undone():
        response: Any = getattr(hostile.client(role), method)(hostile.path(name), {"room": "watchers", "text": "Hi"})
    assert MARK in response.content.decode()
    assert wrong_in(response) == []


def test_what_sockets_push_is_text_too(hostile: World) -> None:
    me, match = User.objects.get(username=ME), Match.objects.get(slug=hostile.slugs["public"])
    viewed = access_match(me, match.slug)
    messages, board = panel(me, places(viewed, me)), match_page(viewed, me, "".join(CORPUS)).html
    assert MARK in messages
    assert MARK in board
    assert in_html(messages) + in_html(board) == []


@pytest.mark.parametrize(("role", "folder", "most"), [(ME, "", 20), ("moderator", "moderation/", 5)])
def test_what_comes_back_from_every_form_is_text(
    hostile: World, page_of: Callable[[str, str], Any], role: str, folder: str, most: int
) -> None:
    """Fill every field of every form that somebody meets, and look at the answer and where it leads."""
    client, seen, wrong = hostile.client(role), set(), {}
    names = [name for name, route in addresses().items() if route.startswith(folder) and name not in POST_ALONE]
    for page in sorted({path for name in names for path in hostile.paths(name).values()}):
        for form in forms_of(page_of(role, page), page):
            if form.key in seen:
                continue
            seen.add(form.key)
            for text in ("".join(CORPUS), CORPUS[3] + CORPUS[13]):
                answer = form.sent(client, text)
                if found := wrong_in(answer):
                    wrong[form.key] = found[:3]
    assert wrong == {}
    assert len(seen) >= most
    assert [each for letter in delivered() for each in wrong_in_letter(letter)] == []


@pytest.fixture
def boss(hostile: World) -> Iterator[Client]:
    """Yield the browser of an administrator who may open Django's admin."""
    with undone():
        user = User.objects.get(groups__name=ADMINISTRATORS)
        Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
        yield hostile.client("administrator")


def admin_pages() -> Iterator[str]:
    """Yield Django's pages of what the world has: lists, rows, and what they ask before a row is removed."""
    for model in site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield address
        for key in model._default_manager.order_by("-pk").values_list("pk", flat=True)[:2]:
            yield from (f"{address}{key}/change/", f"{address}{key}/delete/")


def test_nothing_hostile_becomes_more_than_text_in_the_admin(boss: Client) -> None:
    answers: dict[str, Any] = {page: boss.get(page) for page in admin_pages()}
    shown = {page for page, answer in answers.items() if MARK in answer.content.decode()}
    assert {page: found for page, answer in answers.items() if (found := wrong_in(answer))} == {}
    assert {
        f"/admin/{it}/" for it in ("accounts/user", "accounts/sanction", "moderation/deed", "moderation/report")
    } <= shown


# --- what leaves the site -------------------------------------------------------------------------------------------


def test_emails_say_it_as_text_and_their_headers_not_at_all(hostile: World) -> None:
    written = list(letters())
    assert [each for letter in written for each in wrong_in_letter(letter)] == []
    assert all(MARK in letter.body and MARK in str(letter.alternatives[0][0]) for letter in written)
    assert any(MARK in letter.subject for letter in written if "digest" in letter.subject)


def test_pushes_carry_it_as_text_and_lead_to_the_site(hostile: World) -> None:
    for _, message in told():
        said = json.loads(push.payload(message))
        url = said["notification"]["navigate"]
        assert url.startswith(f"{settings.SITE_URL}/")
        assert urlsplit(url).geturl() == url
        assert re.fullmatch(r"[\w-]{32}", push.topic(message.topic))


@pytest.mark.parametrize("style", list(Webhook.Style))
def test_webhooks_carry_it_as_text(hostile: World, style: str) -> None:
    webhook = Webhook(style=style, address="https://hook.example/", secret="secret")
    for delivery, message in told():
        sent = webhooks.compose(webhook, message, delivery.key)
        assert not any("\n" in value or "\r" in value for value in sent.headers.values())
        if style in {Webhook.Style.JSON, Webhook.Style.SLACK, Webhook.Style.DISCORD}:
            assert json.loads(sent.body)
        if style in {Webhook.Style.SLACK, Webhook.Style.DISCORD}:
            assert b"<q1x" not in sent.body.replace(rb"\\<", b"")


LETTERS = sorted(
    str(path.relative_to(path.parents[2])).removesuffix("_message.txt")
    for folder in ("templates", "accounts", "games")
    for path in (settings.BASE_DIR / folder).rglob("email/*_message.txt")
    if path.name != "base_message.txt"
)
"""The letters of accounts, of moderation and about one's data, by what their two templates have in common."""


def hostile_letter(name: str, text: str) -> Any:
    """Return a letter in which everything that its templates say is hostile, but moments."""
    said = dict.fromkeys(("deleted_email", "from_email", "from_name", "ip", "reason", "to_email", "to_name"), text)
    moments = dict.fromkeys(("due", "timestamp", "until"), timezone.now())
    return letter(User(username=text), "q@q1x.example", name, user_agent=text, **said, **moments)


@pytest.mark.parametrize("name", LETTERS)
def test_letters_say_it_as_text_and_their_headers_not_at_all(name: str) -> None:
    for text in ("".join(CORPUS), CORPUS[3] + CORPUS[13]):
        written = hostile_letter(name, text)
        assert MARK in written.body
        assert wrong_in_letter(written) == []


def test_the_file_with_ones_data_says_it_as_text(hostile: World) -> None:
    with undone():
        file = opened(made(User.objects.get(username=ME)))
    page = file.read("index.html").decode()
    assert page.count(MARK) > 50
    assert in_html(page) == []
    data = [json.loads(file.read(name)) for name in file.namelist() if name.endswith(".json")]
    assert [each for content in data for each in in_json(content)] == []
    assert not [name for name in file.namelist() if MARK in name or not re.fullmatch(r"[\w./-]+", name) or ".." in name]
    assert any(name.startswith("matches/") and MARK in file.read(name).decode() for name in file.namelist())


@pytest.mark.parametrize(
    ("name", "of", "kind"), [("record", "over", "application/json"), ("table_calendar", "planned", "text/calendar")]
)
def test_files_are_what_they_say_they_are(hostile: World, name: str, of: str, kind: str) -> None:
    answer: Any = hostile.client(OTHER).get(reverse(name, kwargs={"slug": hostile.slugs[of]}))
    assert answer.headers["Content-Type"].partition(";")[0] == kind
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert MARK not in answer.headers["Content-Disposition"]
    assert MARK in answer.content.decode()
    assert wrong_in(answer) == []


# --- would it be noticed? -------------------------------------------------------------------------------------------


@pytest.fixture
def unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let templates, one of their filters and what puts markup together forget to escape."""
    monkeypatch.setattr(base, "conditional_escape", str)
    monkeypatch.setattr(defaultfilters, "escape", str)
    monkeypatch.setattr(html, "conditional_escape", str)


def test_a_page_that_forgets_to_escape_is_noticed(hostile: World, unescaped: None) -> None:
    for role, name in ((OTHER, "reports"), (ME, "people"), (ME, "standing"), ("moderator", "moderated_person")):
        answer: Any = hostile.client(role).get(hostile.path(name))
        assert wrong_in(answer), name


def test_an_admin_that_forgets_to_escape_is_noticed(boss: Client, unescaped: None) -> None:
    answer: Any = boss.get("/admin/moderation/deed/")
    assert wrong_in(answer)


def test_letters_and_files_that_forget_to_escape_are_noticed(hostile: World, unescaped: None) -> None:
    assert all(wrong_in_letter(hostile_letter(name, "".join(CORPUS))) for name in LETTERS)
    assert any(map(wrong_in_letter, digests()))
    with undone():
        assert in_html(opened(made(User.objects.get(username=ME))).read("index.html").decode())


@pytest.mark.parametrize("text", [text for text in CORPUS if "<" in text or "onq1x" in text])
def test_the_reader_notices_each_text_that_is_not_escaped(text: str) -> None:
    places = ("<p>{}</p>", '<p title="{}">', "<p title='{}'>", "<title>{}</title>", "<script>{}</script>", "<!--{}-->")
    assert any(in_html(place.format(text)) for place in places)
