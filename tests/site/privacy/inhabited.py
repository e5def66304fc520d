"""Somebody of whom every part of the site keeps something, and the people around them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.idp.oidc.models import Client, Token as Granted
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from accounts import relations
from accounts.models import Registration, Sighting, User, relations_to_users
from accounts.services import rename
from games.api.models import Token
from games.bots.models import Conditions, Share
from games.chat.models import Openness, Room
from games.chat.rooms import Kind, Place
from games.chat.services import mute_person, open_to, say
from games.clubs import evenings, roster, services as clubs
from games.clubs.models import JoinRequest, Member, Removal as RemovalFromClub
from games.deals.models import Try
from games.deals.services import make_deal
from games.engine.protocol import Seat
from games.events import services as events
from games.events.models import Event
from games.events.seasons import open_missing
from games.fairplay.models import Abort, Finding, Use
from games.learn.models import Progress
from games.matchmaking import planned, tables
from games.matchmaking.invitations import invite
from games.matchmaking.models import LobbyFilter, Removal
from games.matchmaking.series import begin_series
from games.matchmaking.tables import TableSetup
from games.moderation import cases, people
from games.moderation.models import Case, Deed
from games.notifications.models import DailyHour, Delivery, Device, Mute, Notice, Preferences, Webhook
from games.pairing.models import Lapse
from games.pairing.search import Search
from games.pairing.services import wait
from games.play import commands as matches
from games.play.models import Absence, Match, Presence, Vacation
from games.play.reducer import positions
from games.play.store import lock, writing
from games.puzzles.models import Attempt
from games.review.models import Review
from tests.people import act, open_table, person, play_out, running_match

SECRETS = (
    "sec-totp",
    "sec-endpoint",
    "sec-p256dh",
    "sec-auth",
    "sec-webhook",
    "sec-hmac",
    "sec-feed",
    "sec-session",
    "sec-digest",
    "sec-mark",
    "sec-client",
    "sec-token",
)
"""Parts of what must stay secret even from the file of whom it belongs to."""

LATER = timezone.now() + timedelta(days=30)
THEIRS = "what bob wrote"
OURS = "what ann wrote <script>alert(1)</script>"


@dataclass
class Inhabited:
    """Ann, who uses everything, and the matches and tables she is at.

    `rated` is over and was played out; `duel` and `crowd` run, the second with three people; `table` is open, `planned`
    not yet; `serial` is the open table of a series, and `ongoing` the running match of another.
    """

    ann: User
    bob: User
    eve: User
    rated: Match
    duel: Match
    crowd: Match
    table: Match
    planned: Match
    serial: Match
    ongoing: Match
    solo: Match


def build(name: str = "ann") -> Inhabited:
    """Create everything."""
    eve, ann, bob = person("eve"), person(name), person("bob")
    _account(ann, bob, eve)
    over = play_out(running_match([ann, bob], rated=True, seed=bytes(32)))
    duel = running_match([ann, bob], rated=True, game="card-chess")
    crowd = running_match([ann, bob, eve], rated=True, game="card-chess", seed=bytes(32))
    while (idle := crowd.seats.filter(acted=False, to_move=True).first()) is not None:
        act(crowd, positions.legal_texts(crowd, Seat(idle.number))[0], idle.number)
    assert not crowd.seats.filter(acted=False).exists()
    world = Inhabited(ann, bob, eve, over, duel, crowd, *_tables(ann, bob), _ongoing(ann, bob), _solo(ann))
    _around(ann, bob, eve, world)
    _outside(ann, world)
    _moderated(ann, bob, eve)
    _administered(ann, eve)
    return world


def _account(ann: User, bob: User, eve: User) -> None:
    rename(ann, f"{ann.username}a")
    Registration.objects.create(guest=ann, name="Ann-2", email="ann-2@example.org", key_hash="h")  # when she was one
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    relations.request_friendship(eve, ann)
    relations.accept_request(ann, eve)
    relations.follow(ann, eve)
    relations.follow(eve, ann)
    for by, other in ((ann, person("mallory")), (person("trudy"), ann)):
        relations.block(by, other)
    Sighting.objects.create(user=ann, at=timezone.now())
    Authenticator.objects.create(user=ann, type="totp", data={"secret": "sec-totp"})
    store = SessionStore()
    store["_auth_user_id"] = str(ann.pk)
    store.create()
    UserSession.objects.create(
        user=ann, session_key=store.session_key, ip="192.0.2.7", user_agent="Firefox/140.0 (Linux)", data={}
    )
    program = Client.objects.create(owner=ann, name="Chess Clock", secret="sec-client")
    Granted.objects.create(type="rt", client=program, user=ann, hash="sec-token", scopes="read\nplay")
    Delivery.objects.create(
        channel="mail", key="letter", content={"to": [ann.email]}, due_at=timezone.now() + timedelta(days=1)
    )


def _tables(ann: User, bob: User) -> tuple[Match, Match, Match]:
    wish = TableSetup("shifting-stones", 3, rated=False, note="come and play")
    table = tables.open_table(ann, wish)
    ahead = planned.plan_table(ann, wish, timezone.now() + timedelta(days=1))
    planned.come(ahead.pk, bob)
    serial = tables.open_table(ann, TableSetup("shifting-stones", 2, rated=False, first_to=2))
    with writing():
        invite(table, [bob], by=ann)
    theirs = open_table([bob], seats=2)
    with writing():
        invite(theirs, [ann], by=bob)
    Removal.objects.create(match=open_table([bob], seats=2), user=ann)
    return table, ahead, serial


def _ongoing(ann: User, bob: User) -> Match:
    """Return the running match of a series."""
    table = open_table([ann, bob])
    with writing():
        begin_series(table, 2)
        locked = lock(table.pk)
        matches.begin(locked.match, locked.seats)
    table.refresh_from_db()
    return table


def _solo(ann: User) -> Match:
    return play_out(running_match([ann], game="small-islands", seed=bytes(32)))


def _around(ann: User, bob: User, eve: User, world: Inhabited) -> None:
    now = timezone.now()
    Vacation.objects.create(user=ann, year=2026, begin=now - timedelta(days=9), end=now - timedelta(days=8))
    Absence.objects.create(user=ann, match=world.rated, at=now)
    Presence.objects.create(user=ann, match=world.rated, at=now)
    Try.objects.create(user=ann, deal=make_deal("shifting-stones", now.date()), match=world.rated)
    open_missing(now)
    events.enter(ann, Event.objects.get(game="shifting-stones", format="league").slug)
    _clubs(ann, bob, eve)
    Attempt.objects.create(user=ann, game="shifting-stones", day=now.date(), tries=[])
    Progress.objects.create(user=ann, game="shifting-stones", lesson="what-lies-there", reached=1)
    Review.objects.filter(match=world.rated).update(asked_by=ann, steps=1, done=1)
    Share.objects.create(user=ann, served_at=now)
    LobbyFilter.objects.create(user=ann, query="game=card-chess")
    wait(ann, Search("shifting-stones", (2,), rated=False))
    for user, other in ((ann, bob), (bob, ann)):
        Lapse.objects.create(user=user, other=other, offer="an-offer", passed=True)
    Use.objects.create(match=world.rated, user=ann, mark="a device")
    Abort.objects.create(match=world.crowd, user=ann, alone=True, above=0)
    for first, second in ((ann, bob), (bob, ann)):
        finding = Finding.objects.create(kind=Finding.Kind.AGREED, first=first, second=second, settled_by=ann)
        finding.others.add(ann, bob)
    open_to(ann, Openness.To.EVERYBODY)
    room = Place(Kind.PLAYERS, None, world.duel)
    say(bob, room, text=THEIRS, client_id="bob1")
    say(ann, Place(Kind.PLAYERS, Room.objects.get(match=world.duel), world.duel), text=OURS, client_id="ann1")
    say(ann, Place(Kind.DIRECT, None, other=bob), text="to bob alone", client_id="ann2")
    say(ann, Place(Kind.DIRECT, None, other=eve), text="to eve alone", client_id="ann3")
    direct = Room.objects.get(kind=Kind.DIRECT, other=bob)
    say(bob, Place(Kind.DIRECT, direct, other=ann), text=THEIRS, client_id="bob2")
    mute_person(ann, bob, muted=True)
    mute_person(bob, ann, muted=True)


def _clubs(ann: User, bob: User, eve: User) -> None:
    """Let Ann own a club with Bob in it, ask to join one of Eve's, and be removed from another."""
    club = clubs.found(ann, "Chess at school", "Every Thursday")
    Member.objects.create(club=club, user=bob)
    clubs.ask(ann, clubs.found(eve, "Club of Eve").slug)
    RemovalFromClub.objects.create(club=clubs.found(eve, "Second club of Eve"), user=ann)
    assert JoinRequest.objects.filter(user=ann).exists()
    roster.invite(ann, club, [eve.username])
    roster.invite(eve, clubs.found(eve, "Third club of Eve"), [ann.username])
    evenings.add(ann, club, evenings.Plan(3, time(20), "UTC", "shifting-stones", 2, "300+10/600"))


def _moderated(ann: User, bob: User, eve: User) -> None:
    cases.report_person(ann, bob, "other", OURS)
    cases.report_person(eve, ann, "insult", "")
    sanctions = people.silence(None, ann, timezone.now() + timedelta(days=1), "Insults").sanction
    assert sanctions is not None
    people.lift(None, sanctions, "A mistake")
    Case.objects.filter(person=bob).update(claimed_by=ann)
    Deed.objects.create(by=ann, act=Deed.Act.WARN, person=bob, reason="Insults")


def _administered(ann: User, eve: User) -> None:
    """Let the log of the admin name somebody, their address, and one that they have given up."""
    mine = EmailAddress.objects.get(user=ann)
    former = EmailAddress.objects.create(user=ann, email=f"once.{ann.email}")
    ContentType.objects.clear_cache()  # of what was rolled back
    for row, flag in ((ann, CHANGE), (mine, CHANGE), (former, DELETION)):
        said = [{"added": {"name": "email address", "object": ann.email}}]
        LogEntry.objects.log_actions(eve.pk, [row], flag, change_message=said)
    ContentType.objects.clear_cache()  # of what will be
    assert LogEntry.objects.filter(object_repr__contains=ann.email).count() == 2
    former.delete()


def _outside(ann: User, world: Inhabited) -> None:
    here = "https://push.example/sec-endpoint"
    device = Device.objects.create(
        user=ann, session="sec-session", endpoint=here, p256dh="sec-p256dh", auth="sec-auth", name="Firefox, Linux"
    )
    Token.objects.create(
        user=ann, name="a program", digest="sec-digest", password_mark="sec-mark", scopes=["read"], expires_at=LATER
    )
    Conditions.objects.create(user=ann, games=["small-islands"], clocks=["300+10/600"])
    Webhook.objects.create(user=ann, style="json", address="https://hook.example/sec-webhook", secret="sec-hmac")
    Preferences.objects.create(user=ann, feed_key="sec-feed")
    Mute.objects.create(user=ann, match=world.rated)
    DailyHour.objects.create(user=ann, due_at=timezone.now())
    notice = Notice.objects.filter(user=ann).first() or Notice.objects.create(user=ann, kind="over", match=world.rated)
    Delivery.objects.create(user=ann, notice=notice, channel="push", device=device, key="one")


def rows_about(user: User) -> dict[str, int]:
    """Return how many rows refer to somebody, by relation; only those of which there are some."""
    found: dict[str, Any] = {
        name: field.model._base_manager.filter(**{field.name: user}).count() for name, field in relations_to_users()
    }
    return {name: count for name, count in found.items() if count}
