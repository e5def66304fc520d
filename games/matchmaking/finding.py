"""Finding people by name: what fields that ask for a name suggest while one types, and what the page People finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Subquery, When
from django.urls import reverse

from accounts.models import User
from accounts.names import key_begins, name_key, tidy_name
from accounts.relations import blocked_by, friends_of
from games.play.models import Seat

SUGGESTED: Final = 8
"""How many people a field suggests."""

LISTED: Final = 30
"""How many people the page People finds."""

RECENT_MATCHES: Final = 50
"""How many of somebody's latest matches the people they know are taken from."""


class PeopleInput(forms.TextInput):
    """A text field for a name, or for several (`many`), which suggests people: static/matchmaking/people.js."""

    def __init__(self, *, many: bool = False) -> None:
        super().__init__({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "dir": "auto"})
        self.many = many

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        suggests = {"data-people": reverse("people_find"), **({"data-many": ""} if self.many else {})}
        return super().get_context(name, value, {**(attrs or {}), **suggests})


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody whose name begins as was asked.

    Args:
        person: who it is.
        friend: whether they are a friend of the reader.
    """

    person: User
    friend: bool


def find_people(reader: Any, text: str, most: int = SUGGESTED) -> list[Found]:
    """Return people whose name begins like a text, however it is written: those the reader knows, then others by name.

    Without a text, only people the reader knows. Guests, closed accounts, the reader and people the reader has blocked
    are left out; people who have blocked the reader are not, as that would show. Makes at most two queries.

    Args:
        reader: who asks; may be a visitor.
        text: the beginning of a name.
        most: how many people to return.
    """
    beginning = name_key(tidy_name(text))
    found = [Found(it, vars(it)["friend"]) for it in known_people(reader, beginning)[:most]] if reader.pk else []
    if beginning and len(found) < most:
        others = _named(reader, beginning).exclude(pk__in=[it.person.pk for it in found]).order_by("name_key")
        found += [Found(it, friend=False) for it in others[: most - len(found)]]
    return found


def known_people(user: Any, beginning: str = "") -> QuerySet[User]:
    """Return somebody's friends by name, then those they played with lately, the latest first.

    Each has `friend`, whether they are one. Nobody is there whom they have blocked; those who have blocked them are,
    as their absence would show.

    Args:
        user: who knows them.
        beginning: of their names, as a key.
    """
    friends = friends_of(user).order_by().values("pk")
    lately = Seat.objects.filter(user=user).order_by("-match").values("match")[:RECENT_MATCHES]
    beside = Seat.objects.filter(match__in=lately, user__isnull=False)
    last = beside.filter(user=OuterRef("pk")).order_by("-match").values("match")[:1]
    known = _named(user, beginning).filter(pk__in=friends.union(beside.order_by().values("user")))
    by_name = Case(When(friend=True, then=F("name_key")))
    return known.annotate(friend=Exists(friends.filter(pk=OuterRef("pk")))).order_by(
        "-friend", by_name, Subquery(last).desc()
    )


def _named(reader: Any, beginning: str) -> QuerySet[User]:
    """Return those whose name begins so and whom a reader may find."""
    found = User.objects.filter(key_begins(beginning), is_active=True, guest=False).exclude(pk=reader.pk)
    return found.exclude(pk__in=blocked_by(reader).order_by().values("pk")) if reader.pk else found
