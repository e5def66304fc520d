"""What accounts keep about people, and what a part of an export is (`games.privacy.personal_data` has all of them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import logins
from accounts.models import Friendship, Registration, Sighting, User
from accounts.services import keep_names_taken_away, rest_names

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
    def of_columns(cls, name: str, title: Any, relation: str, order: str = "", /, **columns: str) -> Part:
        """Return a part with those rows of one model that belong to a person, as they are stored.

        Args:
            relation: the relation that it covers, for instance "accounts.Block.by".
            order: the field to sort by; otherwise as the model says, or by key.
            columns: the field of each column; "match__slug" for that of a related row, empty if there is none.
        """
        label, _dot, field = relation.rpartition(".")

        def rows(user: User) -> Iterator[Row]:
            found: QuerySet[Any] = QuerySet(apps.get_model(label)).filter(**{field: user})
            if order or not found.ordered:
                found = found.order_by(order or "pk")
            for values in found.values_list(*columns.values()):
                cells = zip(columns.items(), values, strict=True)
                yield {column: "" if value is None and "__" in path else value for (column, path), value in cells}

        return cls(name, title, rows, (relation,))


def relations_to_users() -> Iterator[tuple[str, Any]]:
    """Yield every relation of a model to `User`: its name and its field."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():  # noqa: SLF001  # Django's public way to fields
            if field.concrete and (field.many_to_one or field.one_to_one) and field.related_model is User:
                yield f"{model._meta.label}.{field.name}", field  # noqa: SLF001  # as above


# --- what accounts keep themselves ------------------------------------------------------------------------------------


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


PARTS = (
    Part(
        "account",
        _("Account"),
        _account,
        ("accounts.Sighting.user", "accounts.User_groups.user", "accounts.User_user_permissions.user"),
    ),
    Part.of_columns(
        "email_addresses",
        _("Email addresses"),
        "account.EmailAddress.user",
        email="email",
        verified="verified",
        primary="primary",
    ),
    Part.of_columns("former_names", _("Former names"), "accounts.FormerName.user", name="name", until="given_up_at"),
    Part.of_columns(
        "registrations",
        _("Registrations to confirm"),
        "accounts.Registration.guest",
        name="name",
        email="email",
        at="at",
    ),
    Part("second_factors", _("Second factors"), _factors, ("mfa.Authenticator.user",)),
    Part("sessions", _("Sessions"), _sessions, ("usersessions.UserSession.user",)),
    Part("friends", _("Friends"), _friends, ("accounts.Friendship.asker", "accounts.Friendship.asked")),
    Part.of_columns("follows", _("People you follow"), "accounts.Follow.follower", name="followed__username", at="at"),
    Part.of_columns(
        "sanctions",
        _("What moderators have decided"),
        "accounts.Sanction.user",
        "pk",
        kind="kind",
        text="reason",
        at="at",
        until="until",
        ended="ended_at",
    ),
    Part.of_columns("blocks", _("People you have blocked"), "accounts.Block.by", name="blocked__username", at="at"),
)

NOT_EXPORTED = {
    "accounts.Follow.followed": "whom somebody follows is theirs to know",
    "admin.LogEntry.user": "what administrators change belongs to the site",
    "accounts.Block.blocked": "nobody is told who has blocked them",
}


def log_out(user: User) -> None:
    """Log somebody out everywhere; their open sockets close within seconds."""
    keys = list(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()


def forget(user: User) -> None:
    """Remove somebody's registrations and what the admin's log says about them; reserve their names for a while.

    Names that moderators took away stay taken. Nothing says whose the names were.
    """
    _blank_in_admin_log(User, [user.pk])
    for _name, field in relations_to_users():
        rows = field.model._base_manager.filter(**{field.name: user})  # noqa: SLF001  # Django's public way to all rows
        _blank_in_admin_log(field.model, rows.values_list("pk", flat=True))
    keep_names_taken_away(user)
    rest_names(user)
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    Registration.objects.filter(Q(guest=user) | Q(email__in=addresses)).delete()


# The admin's log keeps what a row was called when an administrator changed it, for instance an email address.


def _blank_in_admin_log(model: type[Model], keys: Iterable[Any]) -> None:
    """Remove from the admin's log what these rows were called; who changed them, and when, stays."""
    label = {"content_type__app_label": model._meta.app_label, "content_type__model": model._meta.model_name}  # noqa: SLF001  # as above
    logged = LogEntry.objects.filter(**label)
    if logged.exists():  # of most models there is none, and their rows need not be read
        logged.filter(object_id__in=[str(key) for key in keys]).update(object_repr="", change_message="")


def on_address_removed(instance: EmailAddress, **_more: Any) -> None:
    """Remove an email address from the admin's log as soon as it is deleted (`post_delete`)."""
    _blank_in_admin_log(EmailAddress, [instance.pk])
