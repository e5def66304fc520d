"""What addresses with a key or a number are about, and the right key for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time, timedelta
from urllib.parse import urlsplit

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.idp.oidc.models import Client, Token as Granted
from django.contrib.auth.hashers import make_password
from django.core import signing
from django.urls import resolve
from django.utils import timezone

from accounts.applications import clients
from accounts.joining import registration
from accounts.models import Registration, User
from games.api.models import Token
from games.chat.models import Message, Room
from games.clubs import services as clubs
from games.clubs.models import Club, Evening, Member
from games.events.models import Event
from games.events.seasons import open_missing
from games.matchmaking.invitations import invitation_url, invite
from games.matchmaking.models import Invitation
from games.notifications.channels.mail import mute_address, unsubscribe_token
from games.notifications.models import Device, Kind, Preferences, Webhook
from games.play.models import Match
from games.play.store import writing
from games.privacy import deletions
from games.privacy.models import Deletion, Export
from tests.people import person
from tests.site.clubs.clubs import knockout_of

HERE = "https://127.0.0.1/"
"""Nothing can be sent there."""


def number(pk: int, seat: User, mate: User, match: Match) -> None:
    """Create what addresses know by number, all with the same one: what `seat` has, and `mate` has written there."""
    Device.objects.create(pk=pk, user=seat, session="gone", endpoint=HERE)
    Webhook.objects.create(pk=pk, user=seat, style=Webhook.Style.JSON, address=HERE)
    year = timezone.now() + timedelta(days=365)
    Token.objects.create(pk=pk, user=seat, name="A program", digest="gone", password_mark="gone", expires_at=year)
    room = Room.objects.create(pk=pk, kind=Room.Kind.PLAYERS, match=match)
    Message.objects.create(pk=pk, room=room, author=mate, text="Hello", client_id="hello")


def cut(seat: User, mate: User, matches: Mapping[str, Match]) -> dict[str, str]:
    """Create what addresses know by a key; return the keys by the names of the addresses, and the key of `seat`.

    Most are about `seat`; but `mate` is invited to the open table and has an export, and a newcomer has registered.
    """
    return {
        "account_confirm_email": _unconfirmed(),
        "account_confirm_registration": _registered(),
        "account_reset_password_from_key": default_token_generator.make_token(seat),
        "uidb36": user_pk_to_url_str(seat),
        **dict.fromkeys(("own_application", "own_application_secret", "own_application_delete"), _application_of(seat)),
        "application_revoke": _let_in(seat),
        "calendar": Preferences.objects.create(user=seat, feed_key="c" * 43).feed_key,
        "data_file": Export.objects.create(user=mate, language="en", made_at=timezone.now()).key,
        "delete_confirm": end_of(seat),
        **_events(seat, mate),
        **_clubs(seat, mate),
        "invitation": _token_in(invitation_url(_invited(matches["open"], seat, mate))),
        "mute_by_token": _token_in(mute_address(seat, matches["public"].slug)),
        "unsubscribe": unsubscribe_token(seat, Kind.TURN),
    }


def _application_of(user: User) -> str:
    """Return the key of an application on a server that somebody has registered."""
    client, _secret = clients.register(user, "Chess Clock", Client.Type.CONFIDENTIAL, [HERE])
    return str(client.pk)


def _events(*people: User) -> dict[str, str]:
    """Return the key of a ladder that anybody can enter, and of a league that is over, in which people have met."""
    now = timezone.now()
    open_missing(now)
    ladder, league = (Event.objects.filter(format=format_)[0] for format_ in ("ladder", "league"))
    for number, user in enumerate(people):
        league.entries.create(user=user, number=number, rating=1500, division=1)
    met = {"people": list(range(len(people))), "places": list(range(1, len(people) + 1))}
    league.heats.create(round=1, number=1, drawn_at=now, begun_at=now, over_at=now, counted=True, **met)
    Event.objects.filter(pk=league.pk).update(state=Event.State.OVER, next_at=None)
    going_on, over = ("event", "event_news", "event_calendar"), ("event_picture", "event_proof")
    return {**dict.fromkeys(going_on, ladder.slug), **dict.fromkeys(over, league.slug)}


def _clubs(seat: User, mate: User) -> dict[str, str]:
    """Return the keys of a private club that `seat` owns and `mate` belongs to, and of its link."""
    club = clubs.found(seat, "Family", private=True)
    Member.objects.create(club=club, user=mate)
    Webhook.objects.create(club=club, style=Webhook.Style.NTFY, address=HERE, language="en")
    names = (
        "club club_members club_change club_close club_chat club_news club_webhook club_webhook_test"
        " club_webhook_remove club_names club_invitation club_evenings club_evening_new club_evening"
        " club_evening_change report_club moderated_club event_new"
    )
    return {
        **dict.fromkeys(names.split(), club.slug),
        "club_link": club.link,
        "event_change": knockout_of(club, seat).slug,
    }


def evening(pk: int, club: str) -> None:
    """Create an evening with a number for a club."""
    when = {"weekday": 3, "at": time(20), "zone": "UTC", "next_day": timezone.localdate(), "due_at": timezone.now()}
    Evening.objects.create(
        pk=pk, club=Club.objects.get(slug=club), game="shifting-stones", seats=2, clock="300+10/600", **when
    )


def _let_in(user: User) -> str:
    """Return the key of an application that somebody has let in."""
    client = Client.objects.create(name="Chess Clock", secret="-", owner=user)
    Granted.objects.create(type=Granted.Type.REFRESH_TOKEN, client=client, user=user, hash="-", scopes="read")
    return str(client.pk)


def end_of(user: User) -> str:
    """Return what the email says to somebody who asks for the end of their account."""
    return signing.dumps(Deletion.objects.create(user=user).pk, salt=deletions._SALT)


def _unconfirmed() -> str:
    """Return what the email says to somebody who has just registered."""
    user = person("newcomer")
    EmailAddress.objects.filter(user=user).update(verified=False)
    return str(EmailConfirmationHMAC(EmailAddress.objects.get(user=user)).key)


def _registered() -> str:
    """Return the key of the link in the email to somebody who has just registered."""
    key = "k" * 32
    fields = {"name": "Newcomer-2", "email": "newcomer-2@example.org", "password": make_password("a long wooden table")}
    Registration.objects.create(key_hash=registration._hash(key), **fields)
    return key


def _invited(match: Match, by: User, user: User) -> Invitation:
    with writing():
        invite(match, [user], by=by)
    return Invitation.objects.get(match=match, user=user)


def _token_in(address: str) -> str:
    return str(resolve(urlsplit(address).path).kwargs["token"])
