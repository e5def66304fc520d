"""Hostile texts in everything that people can write, read through everything that the site writes.

The texts stand in the database itself, whatever forms would refuse, and go through every form as well. Wherever they
are shown they are text: no tag, no attribute, no address with a script, no line of a header comes of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
from django.apps import apps
from django.core import mail
from django.db import models, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts import friends
from accounts.models import Sanction, User
from games.chat.limits import LINKS_AFTER, LINKS_MATCHES
from games.chat.models import Message
from games.matchmaking.invitations import invite
from games.moderation import reporting
from games.moderation.models import Case, Deed
from games.notifications.channels import mail as mails
from games.notifications.channels import webhooks_styles
from games.notifications.models import Channel, Delivery, Device, Notice, Preferences, Webhook
from games.notifications.notices.messages import Message as Told
from games.notifications.notices.messages import message_of
from games.play.matches.transactions import writing
from games.play.models import Explanation, Match, Ruling, Seat, new_slug
from tests.chat.rooms import say, write
from tests.config.world import World, addresses, build, of_a_match, undone

MARK: Final = "q7x"
CORPUS: Final = (
    "<script>q7x()</script>",
    "<img src=q7x onerror=q7x()>",
    '"><q7x>',
    "'><q7x>",
    '" onq7x="1" x="',
    "' onq7x='1' x='",
    "javascript:q7x()",
    "</title></textarea></script><q7x>",
    "<!--q7x",
    "]]><q7x/>",
    "{{ q7x }}{% q7x %}{# q7x #}",
    "https://q7x.example/\"onq7x=\"1'onq7x='1<q7x>",
    "\u202eq7x\u2066\u200b\ufeff",
    "q7x\r\nBcc: q7x@example.org\r\nX-Q7x: 1",
    "q7x\nEND:VEVENT\nATTACH:q7x",
)

WRITTEN: Final = {
    "accounts.Sanction.reason",
    "moderation.Case.answer",
    "moderation.Deed.reason",
    "moderation.Report.quote",
    "moderation.Report.words",
    "play.Explanation.why",
    "play.Ruling.why",
    "account.EmailAddress.email",
    "accounts.FormerName.name",
    "accounts.User.username",
    "bots.Hint.why",
    "chat.Message.text",
    "notifications.Delivery.error",
    "notifications.Device.name",
    "notifications.Webhook.address",
    "pairing.Wait.refusal",
    "play.Match.note",
    "play.Setback.error",
    "usersessions.UserSession.user_agent",
}
"""Columns that hold what people, their browsers or their servers wrote."""

CODES: Final = re.compile(
    r"(admin|auth|contenttypes|sessions)\."
    r"|\.(address|clock|client_id|commit|codename|content|counts|data|day|duty|email|endpoint|feed_key|game|host|key"
    r"|details|language|lesson|mark|name_key|off|options|p256dh|auth|password|phrase|places|played|query|rest|seal|secret"
    r"|session|session_key|shares|skeleton|slug|state|time_zone|tips|token|events|accepts|seats|tries|chances|luck|weighed|facts)$"
    r"|^(play.Match.reason|bots.Hint.text|play.Action.text|play.Watch.name|notifications.Host.name)$"
)
"""Columns that hold what the site itself writes, in its own words; forms check what comes from outside."""

ME, OTHER = "seat", "mate"

pytestmark = pytest.mark.django_db


# --- the world ------------------------------------------------------------------------------------------------------


def free_columns() -> set[str]:
    """Return every column of free text: without choices, and none of `CODES`."""
    found = set()
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, models.CharField | models.TextField | models.JSONField) and not field.choices:
                found.add(f"{model._meta.label}.{field.name}")
    return {name for name in found if name in WRITTEN or not CODES.search(name)}


def test_every_column_of_free_text_is_tried() -> None:
    assert free_columns() == WRITTEN, "a column is new: add it to WRITTEN and to a page of the world, or to CODES"


@pytest.fixture(scope="module")
def hostile(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Yield the world of `test_doors`, in which everything that anybody could write is hostile."""
    with django_db_blocker.unblock(), transaction.atomic():
        world = build()
        _people_meet(world)
        _poison()
        yield world
        transaction.set_rollback(True)


def _people_meet(world: World) -> None:
    """Let people write to, invite and befriend one another."""
    me, other = User.objects.get(username=ME), User.objects.get(username=OTHER)
    stranger = User.objects.get(username="stranger")
    friends.ask(other, me)
    friends.accept(me, other)
    friends.ask(stranger, me)
    _grow_old(other, Match.objects.get(slug=world.slugs["over"]))
    public = Match.objects.get(slug=world.slugs["public"])
    for text in CORPUS:
        for message in (say(other, public, text="a message"), write(other, me, "a message")):
            Message.objects.filter(pk=message.pk).update(text=text)
            Message.objects.update(at=timezone.now() - timedelta(minutes=1))  # so that nobody writes too fast
    with writing():
        invite(Match.objects.get(slug=world.slugs["open"]), [other], by=me)
    _moderate(world, me, other)
    Preferences.objects.update_or_create(user=me, defaults={"feed_key": "k" * 43})
    Device.objects.filter(user=me).update(name="Firefox")


def _moderate(world: World, me: User, other: User) -> None:
    """Let people report each other, and moderators write why they did what they did."""
    why, reasons = "insult", " ".join(CORPUS)
    over = Match.objects.get(slug=world.slugs["over"])
    reporting.report_person(other, me, why, "words")
    reporting.report_match(me, over, why, "words")
    case = Case.objects.get(person=me)
    for text in (reasons[:450], reasons[-450:]):
        Deed.objects.bulk_create([Deed(act=Deed.Act.DECIDE, person=me, match=over, case=case, reason=text)])
    Sanction.objects.create(user=me, kind=Sanction.Kind.SILENCE, reason="-", ended_at=timezone.now())
    Ruling.objects.create(match=over, places=None, played={"places": [1, 2], "reason": "resign"}, why="-")
    Explanation.objects.create(match=over, why="-")


def _grow_old(person: User, over: Match) -> None:
    """Let somebody be trusted with links: an old account with matches like one that is over."""
    User.objects.filter(pk=person.pk).update(date_joined=timezone.now() - 2 * LINKS_AFTER)
    for _ in range(LINKS_MATCHES):
        over.pk, over.slug = None, new_slug()
        over.save(force_insert=True)
        Seat.objects.create(match=over, number=0, user=person, place=1)


def _poison() -> None:
    """Write hostile texts into every column of `WRITTEN`; only `ME` keeps a name that stands in addresses."""
    for column in sorted(WRITTEN):
        label, _, name = column.rpartition(".")
        if column in {
            "account.EmailAddress.email",
            "notifications.Webhook.address",
            "chat.Message.text",
            "moderation.Deed.reason",
        }:
            continue
        model = apps.get_model(label)
        longest = model._meta.get_field(name).max_length or 4_000
        for number, row in enumerate(model._base_manager.order_by("pk")):
            if not (label == "accounts.User" and getattr(row, name) == ME):
                model._base_manager.filter(pk=row.pk).update(**{name: _text(column, number, longest)})


def _text(column: str, number: int, longest: int) -> str:
    """Return hostile texts as long as a column takes: as many as fit, another first one in each row."""
    turned = [*CORPUS[number % len(CORPUS) :], *CORPUS[: number % len(CORPUS)]]
    if column == "accounts.User.username":
        short = [text.replace("/", "") for text in CORPUS if "\r" not in text and len(text) < longest - 2]
        return f"{short[number % len(short)][: longest - 2]}{number}"
    text = " ".join(turned)
    return text[:longest] if longest < len(text) else text


# --- what is looked for ---------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Reads a page as a browser does and notes what a hostile text has become besides text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag if tag in {"script", "style"} else ""
        if MARK in tag or any(MARK in name for name, _ in attrs):
            self.found.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            scheme = re.sub(r"[\s\x00-\x1f]", "", value or "").lower()
            if name in {"href", "src", "action", "formaction", "hx-get", "hx-post"} and scheme.startswith(
                "javascript:"
            ):
                self.found.append(f"<{tag} {name}={value}>")
            if name.startswith("on") or (tag in {"img", "script"} and value and value.startswith(MARK)):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        if self.inside and MARK in data:
            self.found.append(f"<{self.inside}>{data}")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.found.append(f"<!--{data}-->")


def in_html(content: str) -> list[str]:
    reader = Reader()
    reader.feed(content)
    reader.close()
    return reader.found


def in_calendar(content: str) -> list[str]:
    """Return lines of a calendar that begin with what somebody wrote."""
    lines = content.replace("\r\n ", "").split("\r\n")
    return [line for line in lines if "\n" in line or re.match(r"(?i)attach|bcc|x-q7x|q7x|end:vevent.+", line)]


def in_feed(content: str) -> list[str]:
    """Return what is wrong in XML, and in the markup that it carries."""
    found = []
    for element in ET.fromstring(content).iter():
        if MARK in element.tag or any(MARK in name for name in element.attrib):
            found.append(element.tag)
        if element.attrib.get("type") == "html":
            found += in_html(element.text or "")
    return found


def in_json(content: Any) -> list[str]:
    """Return what is wrong in values that are markup; all others are text to whoever reads them."""
    if isinstance(content, dict):
        return [
            each for name, value in content.items() for each in ([] if MARK not in name else [name]) + in_json(value)
        ]
    if isinstance(content, list):
        return [each for value in content for each in in_json(value)]
    return in_html(content) if isinstance(content, str) and content.lstrip().startswith(("<div", "<p", "<li")) else []


def wrong_in(response: HttpResponse) -> list[str]:
    """Return what hostile texts have done to an answer."""
    headers = [f"{name}: {value}" for name, value in response.headers.items() if "q7x" in name.lower() or "\n" in value]
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if response.streaming or kind in {"image/png", "image/svg+xml", "application/zip"}:
        return headers
    content = response.content.decode()
    readers = {"text/html": in_html, "text/calendar": in_calendar, "application/atom+xml": in_feed}
    if kind in {"application/json", "application/manifest+json"}:
        return headers + in_json(json.loads(content))
    return headers + (readers[kind](content) if kind in readers else [])


def wrong_in_letter(letter: Any) -> list[str]:
    """Return what is wrong in an email: lines of its header, and its HTML."""
    made = letter.message()
    found = [name for name in made.keys() if MARK in name.lower() or name == "Bcc"]  # noqa: SIM118  # all of them
    found += [name for name, value in made.items() if "\n" in str(value)]
    for content, kind in getattr(letter, "alternatives", ()):
        found += in_html(str(content)) if kind == "text/html" else []
    return found


# --- every page -----------------------------------------------------------------------------------------------------


def paths_of(world: World, name: str) -> set[str]:
    """Return the addresses of one name: in every situation, and about every hostile name."""
    found = set(world.paths(name).values())
    if of_a_match(name):
        found |= {reverse(name, kwargs={"slug": world.slugs[each]}) for each in ("open", "planned")}
    if "<str:username>" in addresses()[name]:
        names = User.objects.exclude(username=ME).values_list("username", flat=True)
        found |= {reverse(name, kwargs={"username": each}) for each in names}
    if name == "calendar":
        found.add(reverse(name, kwargs={"key": "k" * 43}))
    return found


@pytest.mark.parametrize("role", ["nobody", OTHER, ME, "moderator"])
def test_nothing_hostile_becomes_more_than_text_on_any_page(hostile: World, role: str) -> None:
    wrong, shown = {}, 0
    for name, route in addresses().items():
        for path in paths_of(hostile, name) if role != "moderator" or route.startswith("moderation/") else ():
            with undone():
                response: Any = hostile.client(role).get(path)
            if found := wrong_in(response):
                wrong[path] = found[:3]
            shown += MARK in ("" if response.streaming else response.content.decode(errors="replace"))
    assert wrong == {}
    assert shown > (20 if role in {ME, OTHER} else 5), (
        "nobody has read anything hostile: the world is not what it seems"
    )


def test_what_comes_back_from_every_form_is_text(hostile: World) -> None:
    """Fill every field of every form that somebody meets, and look at the answer."""
    client, seen, wrong = hostile.client(ME), set(), {}
    pages = {path for name in addresses() for path in hostile.paths(name).values()}
    for page in sorted(pages):
        for form in forms_of(client, page):
            if form.key in seen:
                continue
            seen.add(form.key)
            for text in ("".join(CORPUS), CORPUS[3] + CORPUS[13]):
                answer = form.sent(client, text)
                if found := wrong_in(answer):
                    wrong[form.key] = found[:3]
    assert wrong == {}
    assert len(seen) > 20
    assert [each for letter in mail.outbox for each in wrong_in_letter(letter)] == []


@dataclass(frozen=True)
class Form:
    """A form of a page: where it leads, how, and its fields; those one can write in are marked by None."""

    action: str
    method: str
    fields: tuple[tuple[str, str | None], ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        return self.action, self.method, tuple(name for name, _ in self.fields)

    def sent(self, client: Client, text: str) -> HttpResponse:
        """Send it with a text in every field, and take back what that changed."""
        fields = {name: text if value is None else value for name, value in self.fields}
        with undone():
            send = client.post if self.method == "post" else client.get
            answer: HttpResponse = send(self.action, fields, follow=False)  # type: ignore[assignment]  # one with more in it
            return answer


class Forms(HTMLParser):
    """Finds the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.forms = page, [Form(page, "get", ())]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(said.get("action") or self.page, said.get("method", "get").lower(), ()))
        name = said.get("name", "")
        if name and tag in {"input", "textarea", "button"} and said.get("type") not in {"checkbox", "radio", "file"}:
            free = tag == "textarea" or said.get("type", "text") in {"text", "search", "email", "url", "password"}
            last = self.forms[-1]
            self.forms[-1] = replace(last, fields=(*last.fields, (name, None if free else said.get("value", ""))))


def forms_of(client: Client, page: str) -> list[Form]:
    """Return the forms of a page that can be sent within the site, with a field at least."""
    with undone():
        response = client.get(page)
    if response.headers.get("Content-Type", "").partition(";")[0] != "text/html":
        return []
    reader = Forms(page)
    reader.feed(response.content.decode())
    return [form for form in reader.forms if form.action.startswith("/") and any(v is None for _, v in form.fields)]


# --- what leaves the site -------------------------------------------------------------------------------------------


def told() -> Iterator[tuple[Notice, Told]]:
    for notice in Notice.objects.select_related("user", "match", "by"):
        yield notice, message_of(notice)


def test_emails_say_it_as_text_and_their_headers_not_at_all(hostile: World) -> None:
    letters = [
        mails.compose(Delivery(user=notice.user, notice=notice, channel=Channel.MAIL, key=str(notice.pk)), message)
        for notice, message in told()
    ]
    assert any(MARK in letter.body for letter in letters)
    assert [each for letter in letters for each in wrong_in_letter(letter)] == []


@pytest.mark.parametrize("style", list(Webhook.Style))
def test_webhooks_carry_it_as_text(hostile: World, style: str) -> None:
    webhook = Webhook(style=style, address="https://hook.example/", secret="secret")
    for notice, message in told():
        sent = webhooks_styles.written(webhook, message, str(notice.pk))
        assert not any("\n" in value or "\r" in value for value in sent.headers.values())
        if style in {Webhook.Style.JSON, Webhook.Style.SLACK, Webhook.Style.DISCORD}:
            assert json.loads(sent.body)
        if style in {Webhook.Style.SLACK, Webhook.Style.DISCORD}:
            assert b"<q7x" not in sent.body.replace(rb"\\<", b"")
