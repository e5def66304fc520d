"""Hostile texts in everything that people can write: they stand in the database itself, whatever forms would refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import models
from django.utils import timezone

from accounts import relations
from accounts.models import FormerName, Sanction, User
from games.bots.models import Hint
from games.chat.models import Message
from games.chat.services import LINKS_AFTER, LINKS_MATCHES
from games.moderation import cases
from games.moderation.models import Case, Deed
from games.notifications.channels import mail as mails
from games.notifications.messages import Message as Told, message_of
from games.notifications.models import DAILY, Channel, Delivery, Kind, Notice, Webhook
from games.notifications.planning import daily_kinds
from games.pairing.models import Wait
from games.play.models import Explanation, Match, Ruling, Seat, Setback, new_slug
from tests.site.chat.rooms import befriend, say, write
from tests.site.config.world import World, build

MARK: Final = "q1x"
"""No address of a match holds it: their alphabet has no 1."""
CORPUS: Final = (
    "<script>q1x()</script>",
    "<img src=q1x onerror=q1x()>",
    '"><q1x>',
    "'><q1x>",
    '" onq1x="1" x="',
    "' onq1x='1' x='",
    "javascript:q1x()",
    "</title></textarea></script><q1x>",
    "<!--q1x",
    "]]><q1x/>",
    "{{ q1x }}{% q1x %}{# q1x #}",
    "https://q1x.example/\"onq1x=\"1'onq1x='1<q1x>",
    "\u202eq1x\u2066\u200b\ufeff",
    "q1x\r\nBcc: q1x@example.org\r\nX-Q1x: 1",
    "q1x\nEND:VEVENT\nATTACH:q1x",
)

ADDRESS: Final = CORPUS[11]
EMAIL: Final = '"<img src=q1x onerror=q1x()>"@q1x.example'
"""Both are what they say they are: a hostile text alone could not be parsed."""

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
    "allauth_idp_oidc.Client.name",
    "accounts.Registration.name",
    "accounts.User.username",
    "api.Token.name",
    "bots.Hint.why",
    "chat.Message.text",
    "clubs.Club.name",
    "clubs.Club.text",
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
    r"(admin|allauth_idp_oidc|auth|contenttypes|sessions)\."
    r"|\.(address|asked|clock|client_id|commit|codename|content|counts|data|day|job|email|endpoint|feed_key|game|host|key"
    r"|details|language|leads_to|lesson|mark|name_key|off|options|p256dh|auth|password|phrase|places|played|query|rest|seal|secret|pem|key_hash"
    r"|session|session_key|network|skeleton|slug|link|state|(time_)?zone|coached|token|events|accepts|seats|tries|chances|changes|weighed|facts|digest|password_mark|scopes)$"
    r"|^(play.Match.reason|bots.Hint.text|play.Action.text|play.Watch.name|notifications.Host.name|pairing.Lapse.offer"
    r"|events.(Event.(drawn|played_as)|Heat.people)|clubs.EveningDay.refusal"
    r"|puzzles.Attempt.kind|puzzles.FirstAnswer.(essence|line)|bots.Conditions.(games|speeds|clocks))$"
)
"""Columns that hold what the site itself writes, in its own words; forms check what comes from outside."""

ME, OTHER = "seat", "mate"


def free_columns() -> set[str]:
    """Return every column of free text: without choices, and none of `CODES`."""
    found = set()
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, models.CharField | models.TextField | models.JSONField) and not field.choices:
                found.add(f"{model._meta.label}.{field.name}")
    return {name for name in found if name in WRITTEN or not CODES.search(name)}


def tried_columns() -> set[str]:
    """Return the columns of which a row is hostile."""
    found = set()
    for column in WRITTEN:
        label, _, name = column.rpartition(".")
        if apps.get_model(label)._base_manager.filter(**{f"{name}__contains": MARK}).exists():
            found.add(column)
    return found


def poisoned() -> World:
    """Create the world of the table of addresses, in which everything that anybody could write is hostile."""
    world = build()
    _people_meet(world)
    _poison()
    return world


def _people_meet(world: World) -> None:
    """Let people write to, invite and befriend one another."""
    me, other = User.objects.get(username=ME), User.objects.get(username=OTHER)
    stranger = User.objects.get(username="stranger")
    befriend(other, me)
    relations.request_friendship(stranger, me)
    _grow_old(other, Match.objects.get(slug=world.slugs["over"]))
    public = Match.objects.get(slug=world.slugs["public"])
    for text in CORPUS:
        for message in (say(other, public, text="a message"), write(other, me, "a message")):
            Message.objects.filter(pk=message.pk).update(text=text)
            Message.objects.update(at=timezone.now() - timedelta(minutes=1))  # so that nobody writes too fast
    befriend(stranger, friend := User.objects.get(username="staff"))
    write(friend, stranger, "a message")  # what the digest of somebody says first for whom no match waits
    _moderate(world, me, other)
    _leave_traces(me, public)


def _leave_traces(me: User, match: Match) -> None:
    """Let somebody have had another name, a hint, a wait that was refused, and what did not arrive."""
    FormerName.objects.create(user=me, name="-", name_key="former", skeleton="former")
    Hint.objects.create(match=match, seat=0, version=match.version, language="en", text="end", why="-")
    Wait.objects.create(
        user=me,
        game=match.game,
        speed="days",
        rated=False,
        seats=[2],
        state="withdrawn",
        why="refused",
        refusal="-",
        ended_at=timezone.now(),
    )
    webhook = Webhook.objects.get(user=me)
    Delivery.objects.create(user=me, channel=Channel.WEBHOOK, webhook=webhook, key="failed", state="failed", error="-")
    Setback.objects.create(job="deliveries", key=1, error="-")
    Webhook.objects.filter(user=me).update(address=ADDRESS)
    EmailAddress.objects.filter(user=me).update(email=EMAIL)
    User.objects.filter(pk=me.pk).update(email=EMAIL)


def _moderate(world: World, me: User, other: User) -> None:
    """Let people report each other, and moderators write why they did what they did."""
    why, reasons = "insult", " ".join(CORPUS)
    over = Match.objects.get(slug=world.slugs["over"])
    cases.report_person(other, me, why, "words")
    cases.report_match(me, over, why, "words")
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


# --- what people are told -------------------------------------------------------------------------------------------


def told() -> Iterator[tuple[Delivery, Told]]:
    """Yield everything that the site could tell anybody: of every kind, and of whatever has happened."""
    for notice in [*Notice.objects.select_related("user", "match", "by"), *of_every_kind()]:
        yield Delivery(user=notice.user, notice=notice, channel=Channel.MAIL, key="notice"), message_of(notice)
    for user in User.objects.all():
        for kind, daily in daily_kinds().items():
            yield Delivery(user=user, kind=kind, channel=Channel.MAIL, key=kind), daily.message(user)


OF_EVENT = {
    "event": "abcdefghij",
    "club": "abcdefghij",
    "what": "asked",
    "reason": "words",
    "game": "card-chess",
    "starts_at": "2026-11-30T18:00:00+00:00",
    "why": "absent",
    "called_off": False,
    "by_organisers": False,
    "place": 2,
    "of": 5,
    "division": 1,
}
"""What notices about an event or a club know of it; others do not look."""


def of_every_kind() -> list[Notice]:
    """Return notices for `ME` about each of their matches, and about `OTHER`."""
    me, other = User.objects.get(username=ME), Seat.objects.filter(match__seats__user__username=ME, number=1)[0].user
    kinds = [kind for kind in Kind if kind not in {*DAILY, Kind.SECURITY}]
    return [
        Notice(user=me, by=other, kind=kind, match=match, details=OF_EVENT)
        for match in Match.objects.of(me)
        for kind in kinds
    ]


def letters() -> Iterator[mails.Letter]:
    """Yield an email for everything that the site could tell anybody, with results in each."""
    over = [notice for notice in of_every_kind() if notice.kind == Kind.OVER]
    return (mails.compose(delivery, message, over) for delivery, message in told())


def digests() -> Iterator[mails.Letter]:
    """Yield the digests among these emails."""
    over = [notice for notice in of_every_kind() if notice.kind == Kind.OVER]
    for user in User.objects.all():
        message = daily_kinds()[Kind.DIGEST].message(user)
        yield mails.compose(Delivery(user=user, kind=Kind.DIGEST, channel=Channel.MAIL, key="digest"), message, over)
