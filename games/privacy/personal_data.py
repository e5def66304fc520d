"""What the site keeps about people, app by app: what is exported, and what outlives an account.

Every relation of a model to `User`, written "app.Model.field", must be named here; a test finds those that are not.
What is exported is a `Part`, and `PARTS` has them all. `NOT_EXPORTED` and `KEPT` give the reason for whatever is not
exported, or outlives the account without its name; all else ends with it (`deletions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from allauth.idp.oidc.models import Client
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import logins
from accounts.applications.access import accesses_of
from accounts.models import Friendship, Sighting, User
from games.chat.models import Message, Muted, Openness, Room, Unread
from games.clubs.membership import known_to
from games.clubs.models import ClubInvitation
from games.matchmaking.models import Invitation, LobbyFilter, SeriesPlayer
from games.notifications.models import Delivery, Device, Preferences, Webhook
from games.pairing.models import Lapse
from games.play.models import Match, Seat
from games.ratings.models import Rating, RatingChange

Row: TypeAlias = Mapping[str, Any]
"""A line of a part, by the names of its columns; names and codes are the same in every language."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of somebody's data: a JSON file, and a table on the readable page.

    Args:
        name: of the file.
        title: above the table.
        rows: returns the lines for a person: only what they may know themselves, and no secrets.
        of: the relations that it covers.
    """

    name: str
    title: Any
    rows: Callable[[User], Iterable[Row]]
    of: tuple[str, ...]

    @classmethod
    def of_columns(cls, name: str, title: Any, relation: str, columns: str, order: str = "") -> Part:
        """Return a part with those rows of one model that belong to a person, as they are stored.

        Args:
            relation: the relation that it covers, for instance "accounts.Block.by".
            columns: their names, each followed by "=" and its field unless that has the same name; "match__slug" is
                that of a related row, empty if there is none.
            order: the field to sort by; otherwise as the model says, or by key.
        """
        fields = {column: path or column for column, _is, path in (it.partition("=") for it in columns.split())}
        label, _dot, field = relation.rpartition(".")

        def rows(user: User) -> Iterator[Row]:
            found: QuerySet[Any] = QuerySet(apps.get_model(label)).filter(**{field: user})
            if order or not found.ordered:
                found = found.order_by(order or "pk")
            for values in found.values_list(*fields.values()):
                cells = zip(fields.items(), values, strict=True)
                yield {column: "" if value is None and "__" in path else value for (column, path), value in cells}

        return cls(name, title, rows, (relation,))


# --- accounts ---------------------------------------------------------------------------------------------------------


def _account(user: User) -> Iterable[Row]:
    """Return the account itself, a line for each of its values."""
    seen = Sighting.objects.filter(user=user).values_list("at", flat=True).first()
    values = {
        "name": user.username,
        "email": user.email,
        "guest": user.guest,
        "member_since": user.date_joined,
        "last_login": user.last_login,
        "last_seen": seen,
        "time_zone": user.time_zone,
        "language": user.language,
        "theme": user.theme,
        "hints": user.hints,
        "single_keys": user.single_keys,
        "coach_marks_read": user.coached,
        "sleep_from": user.sleep_from,
        "sleep_until": user.sleep_until,
        "free_weekends": user.free_weekends,
        "shows_presence": user.shows_presence,
        "looking_until": user.looking_until,
        "bot_since": user.bot_since,
        "staff": user.is_staff,
        "groups": list(user.groups.values_list("name", flat=True)),
        "permissions": list(user.user_permissions.values_list("codename", flat=True)),
    }
    return [{"setting": name, "value": value} for name, value in values.items()]


def _factors(user: User) -> Iterable[Row]:
    """Return the second factors, without the secrets in them."""
    rows = Authenticator.objects.filter(user=user).order_by("pk")
    return [
        {"kind": row.type, "name": row.data.get("name", ""), "at": row.created_at, "last_used": row.last_used_at}
        for row in rows
    ]


def _sessions(user: User) -> Iterable[Row]:
    """Return where they are logged in, without the keys of the sessions."""
    rows = UserSession.objects.filter(user=user).order_by("pk")
    return [
        {
            "device": logins.describe_device(row.user_agent),
            "user_agent": row.user_agent,
            "address": row.ip,
            "at": row.created_at,
            "last_seen": row.last_seen_at,
        }
        for row in rows
    ]


def _applications(user: User) -> Iterable[Row]:
    """Return the programs that act for somebody, without their tokens."""
    return [{"name": it.application.name, "scopes": list(it.scopes), "last_used": it.last} for it in accesses_of(user)]


def _own_applications(user: User) -> Iterable[Row]:
    """Return the programs that somebody has registered, without their secrets."""
    rows = Client.objects.filter(owner=user).order_by("created_at", "pk")
    return [
        {
            "name": row.name,
            "client": row.pk,
            "kind": row.type,
            "addresses": row.get_redirect_uris(),
            "at": row.created_at,
        }
        for row in rows
    ]


def _friends(user: User) -> Iterable[Row]:
    rows = Friendship.objects.filter(Q(asker=user) | Q(asked=user)).select_related("asker", "asked").order_by("pk")
    for row in rows:
        asked, state = row.asker_id == user.pk, Friendship.State(row.state)
        if asked and state == Friendship.State.DECLINED:
            state = Friendship.State.ASKED  # nobody is told that a request was declined
        yield {
            "name": (row.asked if asked else row.asker).username,
            "asked_by_me": asked,
            "state": str(state),
            "at": row.at,
            "since": row.since,
        }


_ACCOUNTS = (
    Part(
        "account",
        _("Account"),
        _account,
        ("accounts.Sighting.user", "accounts.User_groups.user", "accounts.User_user_permissions.user"),
    ),
    Part.of_columns("email_addresses", _("Email addresses"), "account.EmailAddress.user", "email verified primary"),
    Part.of_columns("former_names", _("Former names"), "accounts.FormerName.user", "name until=given_up_at"),
    Part.of_columns("registrations", _("Registrations to confirm"), "accounts.Registration.guest", "name email at"),
    Part("second_factors", _("Second factors"), _factors, ("mfa.Authenticator.user",)),
    Part("sessions", _("Sessions"), _sessions, ("usersessions.UserSession.user",)),
    Part("applications", _("Applications you have let in"), _applications, ("allauth_idp_oidc.Token.user",)),
    Part("own_applications", _("Your applications"), _own_applications, ("allauth_idp_oidc.Client.owner",)),
    Part("friends", _("Friends"), _friends, ("accounts.Friendship.asker", "accounts.Friendship.asked")),
    Part.of_columns("follows", _("People you follow"), "accounts.Follow.follower", "name=followed__username at"),
    Part.of_columns(
        "sanctions",
        _("What moderators have decided"),
        "accounts.Sanction.user",
        "kind text=reason at until ended=ended_at",
        order="pk",
    ),
    Part.of_columns("blocks", _("People you have blocked"), "accounts.Block.by", "name=blocked__username at"),
)


# --- matches ----------------------------------------------------------------------------------------------------------


def _terms_of(match: Match, user: User) -> Row:
    """Return what was agreed about a match or table, and whether this person hosts it."""
    return {
        "speed": match.speed,
        "clock": match.clock,
        "no_vacations": match.excludes_vacations,
        "rated": match.rated,
        "visibility": match.visibility,
        "host": match.host_id == user.pk,
    }


def _matches(user: User) -> Iterable[Row]:
    """Yield every match in which somebody sits; of one that runs nothing that its rules keep secret."""
    seats = Seat.objects.filter(user=user, match__started_at__isnull=False).select_related("match")
    for seat in seats.prefetch_related("match__seats__user").order_by("-match__started_at", "-pk"):
        match = seat.match
        yield {
            "match": match.slug,
            "game": match.game,
            "with": [other.name for other in match.seats.all() if other.pk != seat.pk],
            "seat": seat.number,
            **_terms_of(match, user),
            "state": match.status,
            "began": match.started_at,
            "ended": match.ended_at,
            "place": seat.place,
            "score": seat.score,
            "turns": seat.turns,
            "timed_out": seat.timed_out,
            "left": seat.has_left,
            "counts": seat.counts if match.has_ended else {},
        }


_PLAY = (
    Part("matches", _("Matches"), _matches, ("play.Seat.user",)),
    Part.of_columns("vacations", _("Vacations"), "play.Vacation.user", "at=begin until=end year"),
    Part.of_columns("absences", _("Planned tables you did not come to"), "play.Absence.user", "match=match__slug at"),
    Part.of_columns(
        "visits", _("When you last looked at a match"), "play.Presence.user", "match=match__slug last_seen=at"
    ),
)


# --- ratings ----------------------------------------------------------------------------------------------------------


def _ratings(user: User) -> Iterable[Row]:
    return [
        {"game": row.game, "speed": row.speed, "rating": row.rating / 1000, "matches": row.games, "at": row.updated}
        for row in Rating.objects.filter(user=user).order_by("game", "speed")
    ]


def _history(user: User) -> Iterable[Row]:
    rows = RatingChange.objects.filter(user=user).select_related("match").order_by("-pk")
    return [
        {
            "match": row.match.slug,
            "game": row.game,
            "speed": row.speed,
            "place": row.place,
            "before": row.before / 1000,
            "after": row.after / 1000,
            "at": row.at,
        }
        for row in rows
    ]


_RATINGS = (
    Part("ratings", _("Ratings"), _ratings, ("ratings.Rating.user",)),
    Part("rating_history", _("Rating history"), _history, ("ratings.RatingChange.user",)),
    Part.of_columns(
        "solo_bests", _("Best solo results"), "ratings.SoloBest.user", "game match=match__slug rank at", order="game"
    ),
)


# --- tables, invitations and series -----------------------------------------------------------------------------------


def _tables(user: User) -> Iterable[Row]:
    """Return the tables that somebody opened, planned, sits at or wants to come to, which have not become a match."""
    theirs = Q(host=user) | Q(seats__user=user) | Q(promises__user=user)
    tables = Match.objects.filter(theirs, started_at=None).distinct().order_by("-pk")
    for match in tables.prefetch_related("promises"):
        yield {
            "match": match.slug,
            "game": match.game,
            "seats": match.seat_count,
            **_terms_of(match, user),
            "text": match.note if match.host_id == user.pk else "",
            "state": match.status,
            "coming": any(promise.user_id == user.pk for promise in match.promises.all()),
            "at": match.created_at,
            "opens": match.opens_at,
        }


def _received(user: User) -> Iterable[Row]:
    """Return the invitations that somebody could see: one between people who are kept apart reaches nobody."""
    rows = Invitation.objects.filter(user=user, withheld=False).select_related("match", "by").order_by("pk")
    return [
        {
            "match": row.match.slug,
            "game": row.match.game,
            "from": row.by.username if row.by else "",
            "at": row.created_at,
            "until": row.expires_at,
            "declined": row.declined_at,
        }
        for row in rows
    ]


def _series(user: User) -> Iterable[Row]:
    rows = SeriesPlayer.objects.filter(user=user).select_related("series").order_by("pk")
    for row in rows.prefetch_related("series__players__user", "series__matches__match"):
        yield {
            "with": [other.name for other in row.series.players.all() if other.pk != row.pk],
            "matches": [each.match.slug for each in row.series.matches.all()],
            "goal": row.series.goal,
            "wins": row.wins,
            "ended": row.series.ended_at,
            "left": row.series.left_by_id == user.pk,
        }


def _lobby(user: User) -> Iterable[Row]:
    rows = LobbyFilter.objects.filter(user=user)
    return [{"setting": "lobby_filter", "value": row.query} for row in rows]


_MATCHMAKING = (
    Part("tables", _("Tables"), _tables, ("play.Match.host", "matchmaking.Promise.user")),
    Part("invitations", _("Invitations to you"), _received, ("matchmaking.Invitation.user",)),
    Part.of_columns(
        "invitations_sent",
        _("Invitations from you"),
        "matchmaking.Invitation.by",
        "match=match__slug game=match__game to=user__username at=created_at",
    ),
    Part("series", _("Series"), _series, ("matchmaking.SeriesPlayer.user", "matchmaking.Series.left_by")),
    Part.of_columns(
        "removals",
        _("Tables from which you were removed"),
        "matchmaking.Removal.user",
        "match=match__slug game=match__game",
    ),
    Part.of_columns("limits", _("Usage counters"), "matchmaking.Use.user", "kind=what address at"),
    Part("lobby", _("Lobby"), _lobby, ("matchmaking.LobbyFilter.user",)),
    Part.of_columns(
        "bot",
        _("What your bot plays"),
        "bots.Conditions.user",
        "game=games seats speed=speeds clock=clocks with_people=people with_bots=bots at_once",
    ),
)


# --- notices, devices and webhooks ------------------------------------------------------------------------------------


def _deliveries(user: User) -> Iterable[Row]:
    rows = Delivery.objects.filter(user=user).select_related("notice").order_by("-pk")
    return [
        {
            "kind": row.notice.kind if row.notice else row.kind,
            "channel": row.channel,
            "state": row.state,
            "at": row.sent_at,
        }
        for row in rows
    ]


def _preferences(user: User) -> Iterable[Row]:
    """Return the preferences, without the key of the calendar, which is a secret."""
    found = Preferences.objects.filter(user=user).first()
    if found is None:
        return []
    values = {
        "not_wanted": found.off,
        "quiet_from": found.quiet_from,
        "quiet_until": found.quiet_until,
        "digest_at": found.digest_at,
        "puzzle_at": found.puzzle_at,
        "language": found.language,
    }
    return [{"setting": name, "value": value} for name, value in values.items()]


def _devices(user: User) -> Iterable[Row]:
    """Return the devices without address and keys, with which anybody could send messages to them."""
    rows = Device.objects.filter(user=user)
    return [
        {"device": row.name, "host": urlsplit(row.endpoint).hostname, "language": row.language, "at": row.created_at}
        for row in rows
    ]


def _webhooks(user: User) -> Iterable[Row]:
    """Return the webhooks without the whole address, with which anybody could write there."""
    rows = Webhook.objects.filter(user=user)
    return [
        {"kind": row.style, "host": urlsplit(row.address).hostname, "state": row.disabled, "at": row.created_at}
        for row in rows
    ]


_NOTIFICATIONS = (
    Part.of_columns(
        "notices",
        _("Notices"),
        "notifications.Notice.user",
        "kind match=match__slug from=by__username at=created_at seen=seen_at",
        order="-pk",
    ),
    Part("deliveries", _("Notices sent to you"), _deliveries, ("notifications.Delivery.user",)),
    Part("notice_preferences", _("What you want to hear about"), _preferences, ("notifications.Preferences.user",)),
    Part("devices", _("Devices"), _devices, ("notifications.Device.user",)),
    Part("webhooks", _("Webhooks"), _webhooks, ("notifications.Webhook.user",)),
    Part.of_columns(
        "muted_matches", _("Matches you do not want to hear about"), "notifications.Mute.user", "match=match__slug"
    ),
    Part.of_columns(
        "daily_hours", _("When the next daily notice comes"), "notifications.DailyHour.user", "kind at=due_at"
    ),
)


# --- puzzles ----------------------------------------------------------------------------------------------------------


_PUZZLES = (
    Part.of_columns("puzzles", _("Puzzles"), "puzzles.Attempt.user", "game day puzzle kind tries done=solved_on"),
)


# --- deals of the day -------------------------------------------------------------------------------------------------


_DEALS = (
    Part.of_columns(
        "deals",
        _("Deals of the day"),
        "deals.Try.user",
        "game=deal__game day=deal__day match=match__slug at=begun_at rank=points",
    ),
)


# --- events -----------------------------------------------------------------------------------------------------------


_EVENTS = (
    Part.of_columns(
        "events",
        _("Events you entered"),
        "events.Entry.user",
        "event=event__slug game=event__game format=event__format starts=event__starts_at state division no_shows"
        " confirmed=confirmed_at",
        order="pk",
    ),
)


# --- clubs ------------------------------------------------------------------------------------------------------------


def _club_invitations(user: User) -> Iterable[Row]:
    """Return the invitations to clubs of which somebody has heard."""
    rows = ClubInvitation.objects.filter(user=user, withheld=False).select_related("club")
    known = set(known_to(user).filter(invitations__user=user).values_list("pk", flat=True))
    return [
        {
            # What they have declined may be called otherwise by now, which is nobody else's business if it is private.
            **({"name": row.club.name} if row.declined_at is None or row.club_id in known else {}),
            "club": row.club.slug,
            "at": row.at,
            "declined": row.declined_at or "",
        }
        for row in rows
    ]


_CLUBS = (
    Part.of_columns("clubs", _("Your clubs"), "clubs.Member.user", "name=club__name club=club__slug role at=since"),
    Part.of_columns(
        "club_requests",
        _("Clubs you asked to join"),
        "clubs.JoinRequest.user",
        "name=club__name club=club__slug at declined=declined_at",
    ),
    Part.of_columns(
        "club_removals",
        _("Clubs from which you were removed"),
        "clubs.Removal.user",
        "club=club__slug at",  # a private one may be called otherwise by now, which is nobody else's business
    ),
    Part("club_invitations", _("Clubs to which you are invited"), _club_invitations, ("clubs.ClubInvitation.user",)),
    Part.of_columns(
        "club_invitations_sent",
        _("People you invited to clubs"),
        "clubs.ClubInvitation.by",
        "name=user__username club=club__slug at",
    ),
    Part.of_columns("club_evenings", _("Evenings of clubs"), "clubs.Evening.by", "club=club__slug game at=created_at"),
)


# --- quick pairing ----------------------------------------------------------------------------------------------------


def _lapses(user: User) -> Iterable[Row]:
    """Return the offers that somebody did not take up, without who else was asked: they never learned that."""
    rows = Lapse.objects.filter(user=user).order_by("offer", "pk")
    told = {row.offer: {"address": row.address, "passed": row.passed, "at": row.at} for row in rows}
    return list(told.values())


_WANTED = "game speed rated seats options=accepts"


_PAIRING = (
    Part.of_columns(
        "waits", _("Quick pairing"), "pairing.Wait.user", f"{_WANTED} at=since ended=ended_at state match=match__slug"
    ),
    Part.of_columns("searches", _("What you last looked for"), "pairing.Habit.user", _WANTED, order="game"),
    Part("offers", _("Offers you did not take up"), _lapses, ("pairing.Lapse.user",)),
)


# --- lessons ----------------------------------------------------------------------------------------------------------


_LEARN = (Part.of_columns("lessons", _("Lessons"), "learn.Progress.user", "game lesson steps=reached done=done_on"),)


# --- reviews ----------------------------------------------------------------------------------------------------------


_REVIEW = (
    Part.of_columns(
        "reviews",
        _("Reviews you asked for"),
        "review.Review.asked_by",
        "match=match__slug game=match__game at=asked_at",
    ),
)


# --- messages ---------------------------------------------------------------------------------------------------------


_ROOM: Final = ("room__match", "room__club", "room__one", "room__other")


def _messages(user: User) -> Iterable[Row]:
    rows = Message.objects.filter(author=user).select_related(*_ROOM)
    return [
        {
            **_where(user, row.room),
            "text": row.text,
            "phrase": row.phrase,
            "at": row.at,
            "deleted": row.deleted_at,
        }
        for row in rows
    ]


def _where(user: User, room: Room) -> Row:
    """Return where a room is: at a match, in a club, or with one other person."""
    other = room.other_than(user)
    return {
        "kind": room.kind,
        "match": room.match.slug if room.match else "",
        "club": room.club.slug if room.club else "",
        "to": other.username if other else "",
    }


def _unread(user: User) -> Iterable[Row]:
    rows = Unread.objects.filter(user=user).select_related(*_ROOM).order_by("pk")
    return [{**_where(user, row.room), "unread": row.count} for row in rows]


def _muted(user: User) -> Iterable[Row]:
    rows = Muted.objects.filter(user=user).select_related("person", *_ROOM)
    return [
        {"name": row.person.username} if row.person else {"name": "", **(_where(user, row.room) if row.room else {})}
        for row in rows.order_by("pk")
    ]


def _openness(user: User) -> Iterable[Row]:
    return [{"setting": "who_may_write", "value": row.to} for row in Openness.objects.filter(user=user)]


_CHAT = (
    Part("messages", _("Your messages"), _messages, ("chat.Message.author", "chat.Room.one", "chat.Room.other")),
    Part("unread", _("Unread messages"), _unread, ("chat.Unread.user",)),
    Part("muted", _("Who and what you have muted"), _muted, ("chat.Muted.user",)),
    Part("who_may_write", _("Who may write to you"), _openness, ("chat.Openness.user",)),
)


# --- fair play --------------------------------------------------------------------------------------------------------


_FAIRPLAY = (
    Part.of_columns(
        "match_devices",
        _("From which devices you played with others"),
        "fairplay.Use.user",
        "match=match__slug device=mark at",
    ),
    Part.of_columns(
        "aborts", _("Rated matches you aborted"), "fairplay.Abort.user", "match=match__slug alone behind at"
    ),
)


# --- programs ---------------------------------------------------------------------------------------------------------


_API = (
    Part.of_columns(
        "access_tokens",
        _("Access tokens for programs"),
        "api.Token.user",
        "name scopes at=created_at until=expires_at last_used=used_on",
        order="pk",
    ),
)


# --- exports and deletions --------------------------------------------------------------------------------------------


_PRIVACY = (
    Part.of_columns("exports", _("Exports of your data"), "privacy.Export.user", "at=asked_at language"),
    Part.of_columns(
        "deletion",
        _("Deletion of your account"),
        "privacy.Deletion.user",
        "at=asked_at confirmed=confirmed_at until=due_at",
    ),
)


# --- moderation -------------------------------------------------------------------------------------------------------


_MODERATION = (
    Part.of_columns(
        "reports",
        _("Your reports"),
        "moderation.Report.by",
        "kind=about name=person__username match=match__slug at text=words state=case__verdict",
        order="pk",
    ),
)


# --- all of it --------------------------------------------------------------------------------------------------------

PARTS: Final[tuple[Part, ...]] = (
    *_ACCOUNTS,
    *_PLAY,
    *_RATINGS,
    *_MATCHMAKING,
    *_NOTIFICATIONS,
    *_PUZZLES,
    *_DEALS,
    *_EVENTS,
    *_CLUBS,
    *_PAIRING,
    *_LEARN,
    *_REVIEW,
    *_CHAT,
    *_FAIRPLAY,
    *_API,
    *_PRIVACY,
    *_MODERATION,
)
"""All parts of somebody's data, in the order of an export."""

NOT_EXPORTED: Final = {
    "accounts.Follow.followed": "whom somebody follows is theirs to know",
    "admin.LogEntry.user": "what administrators change belongs to the site",
    "accounts.Block.blocked": "nobody is told who has blocked them",
    "bots.Share.user": "who comes next among those who wait for bots, and a code of a guest's network",
    "notifications.Notice.by": "what somebody is told is their own",
    "pairing.Lapse.other": "says who let an offer pass, whom its members never learn",
    "chat.Muted.person": "nobody is told who has muted them",
    "fairplay.Finding.first": "findings are for moderators, and about two people",
    "fairplay.Finding.second": "findings are for moderators, and about two people",
    "fairplay.Finding.settled_by": "findings are for moderators, and about two people",
    "fairplay.Finding_others.user": "findings are for moderators, and about several people",
    "moderation.Report.person": "nobody is told who has reported them",
    "moderation.Case.person": "what comes of a case about somebody is among their sanctions",
    "moderation.Case.claimed_by": "which case a moderator works on is of no account",
    "moderation.Deed.by": "the log belongs to the site, and names others",
    "moderation.Deed.person": "what was decided about somebody is among their sanctions",
}
"""Relations whose rows are not the person's own data, each with the reason."""

KEPT: Final = {
    "play.Seat.user": "opponents keep their matches; the seat names nobody",
    "play.Match.host": "as the seats; a table in which nobody else sits is closed before",
    "ratings.RatingChange.user": "ratings of opponents were computed from it; the row names nobody",
    "matchmaking.Invitation.by": "whoever was invited can still come to a table at which others sit",
    "clubs.ClubInvitation.by": "whoever was invited can still join; the invitation names nobody",
    "clubs.Evening.by": "the club goes on playing; its evening names nobody",
    "matchmaking.SeriesPlayer.user": "opponents keep the series; the place names nobody",
    "matchmaking.Series.left_by": "as the players of a series",
    "notifications.Notice.by": "none is left: `deletions` removes them",
    "events.Entry.user": "the standings of others stay; the entry names nobody, and its heats are those of others",
    "pairing.Lapse.user": "a network address counts for a day, also when its guests have gone",
    "review.Review.asked_by": "a review belongs to its match; it names nobody",
    "chat.Message.author": "none is left: `deletions` removes them",
    "fairplay.Finding.first": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.second": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.settled_by": "that a finding is settled stays, without a name",
    "moderation.Report.by": "a report is about somebody else; `deletions` removes its words",
    "moderation.Report.person": "reporters read what came of it; `deletions` removes what was quoted",
    "moderation.Case.person": "reporters read what came of it",
    "moderation.Case.claimed_by": "a case goes on without its moderator",
    "moderation.Deed.by": "the log stays as it was written",
    "moderation.Deed.person": "the log stays as it was written",
}
"""Relations whose rows outlive the account without its name, each with the reason."""
