"""Users, registrations, former names, friendships, follows, blocks and sanctions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import BOT_MARK, NAME_LENGTH, isolated, name_key, skeleton, tidy_name, validate_name

KEY_LENGTH = 4 * NAME_LENGTH  # case folding turns one character into up to three
_NEVER_STALE = ("held", "is_active", "bot_since")
"""Fields of users that are written alone: whoever saves an account read before leaves them as they are."""

SKELETON_LENGTH = 8 * NAME_LENGTH  # one character can look like up to five others


class Users(BaseUserManager["User"]):
    """Creates users and finds them by name, however it is written (`name_key`), or by email address."""

    def create_user(self, username: str, email: str = "", password: str | None = None, **fields: Any) -> User:
        """Create a user. The caller validates; the database refuses a name that is taken (IntegrityError)."""
        user = self.model(username=username, email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, email: str = "", password: str | None = None, **fields: Any) -> User:
        """Create a user with all permissions."""
        return self.create_user(username, email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user with this name; raise User.DoesNotExist if there is none."""
        return self.get(name_key=name_key(tidy_name(username or "")))

    def named(self, username: str) -> User | None:
        """Return the user with this name, None if there is none."""
        return self.filter(name_key=name_key(tidy_name(username))).first()

    def with_address(self, email: str) -> User | None:
        """Return the owner of an email address: who has confirmed it, or else whose account has it, None if nobody.

        An address that somebody wants to change to does not count before it is confirmed. The queries are always two,
        so that the time taken tells nothing.
        """
        email = email.lower()
        confirmed = models.Q(emailaddress__email=email, emailaddress__verified=True)
        found = [self.filter(confirmed).first(), self.filter(email=email).order_by("pk").first()]
        return next((user for user in found if user is not None), None)


class User(AbstractBaseUser, PermissionsMixin):
    """A user. No two have the same name, however it is written, or names that look alike at a glance.

    Names are shown as the user wrote them. `skeleton` is what a name looks like; if the name of an older account looks
    like another one, the key of the account follows.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system", _("Same as the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(_("name"), max_length=NAME_LENGTH, unique=True, validators=[validate_name])
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    skeleton = models.CharField(max_length=SKELETON_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("email address"), blank=True)
    is_active = models.BooleanField(default=True)
    guest = models.BooleanField(default=False, help_text="plays without having registered")
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=timezone.now)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    language = models.CharField(_("language"), max_length=8, blank=True)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.SYSTEM)
    hints = models.BooleanField(_("hints"), default=True)
    single_keys = models.BooleanField(_("single keys"), default=True)
    coached = models.TextField(
        default="", blank=True, editable=False, help_text="the coach marks that were read, as “game:mark”"
    )
    sleep_from = models.TimeField(_("to bed"), null=True, blank=True)
    sleep_until = models.TimeField(_("up again"), null=True, blank=True)
    free_weekends = models.BooleanField(_("free weekends"), default=False)
    shows_presence = models.BooleanField(_("show when I am online"), default=True)
    held = models.BooleanField(
        default=False, editable=False, help_text="a warning or suspension may hold: `accounts.sanctions` knows"
    )
    bot_since = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="a program plays for this account, for ever"
    )
    looking_until = models.DateTimeField(null=True, blank=True, editable=False, help_text="looks for a game until then")

    objects: ClassVar[Users] = Users()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.username = tidy_name(self.username)
        self.name_key = name_key(self.username)
        looks = skeleton(self.username)
        if self.skeleton != f"{looks} {self.pk}":
            self.skeleton = looks
        self.email = self.email.lower()  # the form in which allauth keeps and compares addresses
        if (fields := kwargs.get("update_fields")) is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "skeleton"}
        if not (args or kwargs or self._state.adding):
            kwargs["update_fields"] = {field.name for field in self._meta.concrete_fields} - {"id", *_NEVER_STALE}
        super().save(*args, **kwargs)

    @property
    def shown_name(self) -> str:
        """The name as it is shown among other words, on pages, in titles, mails and pushes (`names.isolated`).

        That of a bot is marked, so it is marked everywhere.
        """
        return f"{BOT_MARK}{isolated(self.username)}" if self.is_bot else isolated(self.username)

    @property
    def is_bot(self) -> bool:
        """Return whether a program plays for this account; the bots of the site have none."""
        return self.bot_since is not None

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])


class Registration(models.Model):
    """A registration that waits until its address is confirmed (`accounts.joining.registration`).

    Of the key in the link only a hash is stored.
    """

    LONGEST_WAY: ClassVar = 500

    key_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=NAME_LENGTH)
    email = models.EmailField(db_index=True)
    password = models.CharField(max_length=128, help_text="as it is stored of an account: hashed")
    time_zone = models.CharField(max_length=64, default="UTC")
    guest = models.ForeignKey(User, models.CASCADE, null=True, related_name="registrations")
    session = models.CharField(max_length=40, blank=True, help_text="the guest's, which goes on")
    leads_to = models.CharField(max_length=LONGEST_WAY, blank=True, help_text="the path where the person came from")
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"registration {self.pk}"

    @property
    def shown_name(self) -> str:
        return isolated(self.name)


class FormerName(models.Model):
    """A name that a user gave up. For a while nobody else can take it and pass for them.

    After the account ends, `name_key` and `skeleton` of a name that moderators took away stay; of others, hashes stay.
    """

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="former_names")
    name = models.CharField(max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, db_index=True)
    skeleton = models.CharField(max_length=SKELETON_LENGTH, db_index=True)
    given_up_at = models.DateTimeField(default=timezone.now)
    forbidden = models.BooleanField(default=False, help_text="taken away by moderators: nobody can have it again")

    class Meta:
        ordering: ClassVar = ["-given_up_at"]

    def __str__(self) -> str:
        return self.name or self.name_key


class Sighting(models.Model):
    """When somebody last had a page of the site open."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="sighting")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.at:%Y-%m-%d %H:%M:%S}"


class Friendship(models.Model):
    """The latest request for friendship between two people, and what became of it (`accounts.relations`).

    Somebody whose request was declined is not told; to them it still seems to wait.
    """

    class State(models.TextChoices):
        ASKED = "asked"
        FRIENDS = "friends"
        DECLINED = "declined"
        OVER = "over"

    asker = models.ForeignKey(User, models.CASCADE, related_name="requests_out")
    asked = models.ForeignKey(User, models.CASCADE, related_name="requests_in")
    state = models.CharField(max_length=8, choices=State, default=State.ASKED)
    at = models.DateTimeField(default=timezone.now, help_text="when the request was made")
    since = models.DateTimeField(null=True, blank=True, help_text="when they became friends")

    class Meta:
        constraints = [
            models.UniqueConstraint(Least("asker", "asked"), Greatest("asker", "asked"), name="one_friendship_each"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="friends_are_two"),
        ]
        indexes = [models.Index(fields=["asker", "at"], name="friendship_requests")]

    def __str__(self) -> str:
        return f"{self.asker_id} → {self.asked_id}: {self.state}"


class Follow(models.Model):
    """Somebody wants to be told what another does."""

    follower = models.ForeignKey(User, models.CASCADE, related_name="follows")
    followed = models.ForeignKey(User, models.CASCADE, related_name="followers")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="followed_once"),
            models.CheckConstraint(condition=~Q(follower=F("followed")), name="nobody_follows_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id} → {self.followed_id}"


class Block(models.Model):
    """Somebody wants nothing to do with another, who is not told (`accounts.relations`)."""

    by = models.ForeignKey(User, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["by", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(by=F("blocked")), name="nobody_blocks_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} ✗ {self.blocked_id}"


class Sanction(models.Model):
    """A measure that moderators have imposed on somebody; `accounts.sanctions` has the effects."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("Warning")
        SILENCE = "silence", _("Silenced")
        SUSPENSION = "suspension", _("Suspended")
        CLOSURE = "closure", _("Account closed")

    user = models.ForeignKey(User, models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=500, help_text="told to the person")
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, help_text="null: until it is lifted; of warnings, until they are confirmed")
    ended_at = models.DateTimeField(null=True, help_text="when it was lifted, or confirmed")

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes = [models.Index(fields=["user"], condition=Q(ended_at=None), name="sanction_running")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} until {self.until}"

    @property
    def runs(self) -> bool:
        """Return whether it holds now."""
        return self.ended_at is None and (self.until is None or self.until > timezone.now())


class SigningKey(models.Model):
    """A key that signs who somebody is, for programs (`accounts.applications.keys`)."""

    pem = models.TextField(help_text="encrypted with SECRET_KEY")
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"signing key {self.pk}"


def relations_to_users() -> Iterator[tuple[str, Any]]:
    """Yield every relation of a model to `User`: its name and its field."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():  # noqa: SLF001  # Django's public way to fields
            if field.concrete and (field.many_to_one or field.one_to_one) and field.related_model is User:
                yield f"{model._meta.label}.{field.name}", field  # noqa: SLF001  # as above
