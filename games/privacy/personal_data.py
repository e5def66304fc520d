"""What the site keeps about people, app by app: for exports, and for the end of an account.

Every relation of a model to `User`, written "app.Model.field", must be named here or in `accounts.personal_data`; a
test finds those that are not. What is exported is a `Part`, and `PARTS` has them all. `NOT_EXPORTED` and `KEPT` give
the reason for whatever is not exported, or outlives the account without its name; all else ends with it.
`leave_everything` and `forget_everything` are what happens before the account is deleted.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts import personal_data as accounts_data
from accounts.models import User
from accounts.personal_data import Part, Row
from games.chat.models import Message, Muted, Openness, Room, Unread
from games.chat.services import count_without
from games.engine.protocol import RuleViolation
from games.fairplay.models import Finding
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.models import Invitation, LobbyFilter, Promise, SeriesPlayer
from games.matchmaking.planned import leave_tables
from games.matchmaking.series import leave_series
from games.moderation.models import Report
from games.notifications.channels import mail
from games.notifications.models import Delivery, Device, Notice, Preferences, Webhook
from games.notifications.services import notices_changed
from games.pairing.models import Lapse, Wait
from games.pairing.services import withdraw
from games.play.commands import resign
from games.play.models import Match, Seat
from games.play.reducer.actions import Stale
from games.play.store import lock, writing
from games.ratings.models import Rating, RatingChange

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
    Part.of_columns("vacations", _("Vacations"), "play.Vacation.user", at="begin", until="end", year="year"),
    Part.of_columns(
        "absences", _("Planned tables you did not come to"), "play.Absence.user", match="match__slug", at="at"
    ),
    Part.of_columns(
        "visits", _("When you last looked at a match"), "play.Presence.user", match="match__slug", last_seen="at"
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
        "solo_bests",
        _("Best solo results"),
        "ratings.SoloBest.user",
        "game",
        game="game",
        match="match__slug",
        rank="rank",
        at="at",
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
        match="match__slug",
        game="match__game",
        to="user__username",
        at="created_at",
    ),
    Part("series", _("Series"), _series, ("matchmaking.SeriesPlayer.user", "matchmaking.Series.left_by")),
    Part.of_columns(
        "removals",
        _("Tables from which you were removed"),
        "matchmaking.Removal.user",
        match="match__slug",
        game="match__game",
    ),
    Part.of_columns("limits", _("Usage counters"), "matchmaking.Use.user", kind="what", address="address", at="at"),
    Part("lobby", _("Lobby"), _lobby, ("matchmaking.LobbyFilter.user",)),
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
        "-pk",
        kind="kind",
        match="match__slug",
        **{"from": "by__username"},
        at="created_at",
        seen="seen_at",
    ),
    Part("deliveries", _("Notices sent to you"), _deliveries, ("notifications.Delivery.user",)),
    Part("notice_preferences", _("What you want to hear about"), _preferences, ("notifications.Preferences.user",)),
    Part("devices", _("Devices"), _devices, ("notifications.Device.user",)),
    Part("webhooks", _("Webhooks"), _webhooks, ("notifications.Webhook.user",)),
    Part.of_columns(
        "muted_matches", _("Matches you do not want to hear about"), "notifications.Mute.user", match="match__slug"
    ),
    Part.of_columns(
        "daily_hours", _("When the next daily notice comes"), "notifications.DailyHour.user", kind="kind", at="due_at"
    ),
)


# --- puzzles ----------------------------------------------------------------------------------------------------------


_PUZZLES = (
    Part.of_columns(
        "puzzles",
        _("Puzzles"),
        "puzzles.Attempt.user",
        game="game",
        day="day",
        puzzle="puzzle",
        kind="kind",
        tries="tries",
        done="solved_on",
    ),
)


# --- quick pairing ----------------------------------------------------------------------------------------------------


def _lapses(user: User) -> Iterable[Row]:
    """Return the offers that somebody did not take up, without who else was asked: they never learned that."""
    rows = Lapse.objects.filter(user=user).order_by("offer", "pk")
    told = {row.offer: {"address": row.address, "passed": row.passed, "at": row.at} for row in rows}
    return list(told.values())


_WANTED = {"game": "game", "speed": "speed", "rated": "rated", "seats": "seats", "options": "accepts"}


_PAIRING = (
    Part.of_columns(
        "waits",
        _("Quick pairing"),
        "pairing.Wait.user",
        **_WANTED,
        at="since",
        ended="ended_at",
        state="state",
        match="match__slug",
    ),
    Part.of_columns("searches", _("What you last looked for"), "pairing.Habit.user", "game", **_WANTED),
    Part("offers", _("Offers you did not take up"), _lapses, ("pairing.Lapse.user",)),
)


# --- lessons ----------------------------------------------------------------------------------------------------------


_LEARN = (
    Part.of_columns(
        "lessons", _("Lessons"), "learn.Progress.user", game="game", lesson="lesson", steps="reached", done="done_on"
    ),
)


# --- reviews ----------------------------------------------------------------------------------------------------------


_REVIEW = (
    Part.of_columns(
        "reviews",
        _("Reviews you asked for"),
        "review.Review.asked_by",
        match="match__slug",
        game="match__game",
        at="asked_at",
    ),
)


# --- messages ---------------------------------------------------------------------------------------------------------


def _messages(user: User) -> Iterable[Row]:
    rows = Message.objects.filter(author=user).select_related("room__match", "room__one", "room__other")
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
    """Return where a room is: at a match, or with one other person."""
    other = room.other_than(user)
    return {"kind": room.kind, "match": room.match.slug if room.match else "", "to": other.username if other else ""}


def _unread(user: User) -> Iterable[Row]:
    rows = Unread.objects.filter(user=user).select_related("room__match", "room__one", "room__other").order_by("pk")
    return [{**_where(user, row.room), "unread": row.count} for row in rows]


def _muted(user: User) -> Iterable[Row]:
    rows = Muted.objects.filter(user=user).select_related("person", "room__match", "room__one", "room__other")
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
        match="match__slug",
        device="mark",
        at="at",
    ),
    Part.of_columns(
        "aborts",
        _("Rated matches you aborted"),
        "fairplay.Abort.user",
        match="match__slug",
        alone="alone",
        behind="behind",
        at="at",
    ),
)


# --- exports and deletions --------------------------------------------------------------------------------------------


_PRIVACY = (
    Part.of_columns("exports", _("Exports of your data"), "privacy.Export.user", at="asked_at", language="language"),
    Part.of_columns(
        "deletion",
        _("Deletion of your account"),
        "privacy.Deletion.user",
        at="asked_at",
        confirmed="confirmed_at",
        until="due_at",
    ),
)


# --- moderation -------------------------------------------------------------------------------------------------------


_MODERATION = (
    Part.of_columns(
        "reports",
        _("Your reports"),
        "moderation.Report.by",
        "pk",
        kind="about",
        name="person__username",
        match="match__slug",
        at="at",
        text="words",
        state="case__verdict",
    ),
)


# --- all of it --------------------------------------------------------------------------------------------------------

PARTS: Final[tuple[Part, ...]] = (
    *accounts_data.PARTS,
    *_PLAY,
    *_RATINGS,
    *_MATCHMAKING,
    *_NOTIFICATIONS,
    *_PUZZLES,
    *_PAIRING,
    *_LEARN,
    *_REVIEW,
    *_CHAT,
    *_FAIRPLAY,
    *_PRIVACY,
    *_MODERATION,
)
"""All parts of somebody's data, in the order of an export."""

NOT_EXPORTED: Final = {
    **accounts_data.NOT_EXPORTED,
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
    "matchmaking.SeriesPlayer.user": "opponents keep the series; the place names nobody",
    "matchmaking.Series.left_by": "as the players of a series",
    "notifications.Notice.by": "none is left: `forget_everything` removes them",
    "pairing.Lapse.user": "a network address counts for a day, also when its guests have gone",
    "review.Review.asked_by": "a review belongs to its match; it names nobody",
    "chat.Message.author": "none is left: `forget_everything` removes them",
    "fairplay.Finding.first": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.second": "what is about two people stays beside the other, without a name",
    "fairplay.Finding.settled_by": "that a finding is settled stays, without a name",
    "moderation.Report.by": "a report is about somebody else; `forget_everything` removes its words",
    "moderation.Report.person": "reporters read what came of it; `forget_everything` removes what was quoted",
    "moderation.Case.person": "reporters read what came of it",
    "moderation.Case.claimed_by": "a case goes on without its moderator",
    "moderation.Deed.by": "the log stays as it was written",
    "moderation.Deed.person": "the log stays as it was written",
}
"""Relations whose rows outlive the account without its name, each with the reason."""

_TRIES: Final = 3
"""A request that finds somebody's time up only removes them for that; the next one is carried out."""


def leave_everything(user: User) -> None:
    """Make somebody leave all that goes on as if they had asked for it, so that others are told as usual.

    Each step commits by itself and does nothing when it is done already.
    """
    for key in Wait.objects.current().filter(user=user).values_list("pk", flat=True):
        withdraw(user, key)
    _take_notes_back(user)
    leave_tables(user)
    for match_id in Invitation.objects.answerable().filter(user=user).values_list("match", flat=True):
        with suppress(RuleViolation):
            decline_invitation(match_id, user)
    for player in SeriesPlayer.objects.filter(user=user, series__ended_at=None):
        with suppress(RuleViolation):
            leave_series(player.series_id, user)
    for seat in Seat.objects.filter(user=user, match__status=Match.Status.RUNNING, left=None):
        for _try in range(_TRIES):
            with suppress(Stale):
                with suppress(RuleViolation):  # the match is over for them already
                    resign(seat.match_id, seat.number, secrets.token_hex(16))  # an id that no request of theirs has
                break
    accounts_data.log_out(user)


def _take_notes_back(user: User) -> None:
    """Remove what somebody has written at tables that another host will have."""
    waiting = Match.objects.filter(host=user, status__in=[Match.Status.OPEN, Match.Status.PLANNED]).exclude(note="")
    for match_id in waiting.values_list("pk", flat=True):
        with writing():
            match = lock(match_id).match
            if match.host_id == user.pk:
                match.note = ""
                match.save(update_fields=["note"])


def forget_everything(user: User) -> None:
    """Remove what is not deleted with an account, inside the transaction that ends it.

    That is what they wrote, wherever it was; what names them to others; and findings that are about nobody else.
    """
    Report.objects.filter(by=user).update(words="")
    Report.objects.filter(person=user).update(quote="")
    Finding.objects.filter(Q(first=user, second=None) | Q(first=None, second=user)).delete()
    count_without(user)  # among the unread messages of others
    Message.objects.filter(author=user).delete()
    # Letters that wait for the mail server, and notices of others.
    mail.forget_letters({user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)})
    notices = Notice.objects.filter(by=user)
    readers = list(notices.values_list("user", flat=True))
    notices.delete()
    notices_changed(readers)
    Promise.objects.filter(user=user).delete()  # at tables that have already opened
    Match.objects.filter(host=user).exclude(note="").update(note="")
    accounts_data.forget(user)
