"""Finding people by name: what fields that ask for a name suggest while one types, and what the page People finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django import forms
from django.db.models import Max
from django.urls import reverse

from accounts.models import User
from accounts.names import name_key, tidy_name
from accounts.relations import blocked_by, friends_of
from games.play.models import Seat

SUGGESTED: Final = 8
"""How many people a field suggests."""

LISTED: Final = 30
"""How many people the page People finds."""

RECENT_MATCHES: Final = 50
"""How many of somebody's latest matches the people they know are taken from."""

MOST_KNOWN: Final = 100


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
    are left out; people who have blocked the reader are not, as that would show. Makes at most six queries.

    Args:
        reader: who asks; may be a visitor.
        text: the beginning of a name.
        most: how many people to return.
    """
    beginning = name_key(tidy_name(text))
    friends = set(friends_of(reader).values_list("pk", flat=True))
    found = dict(islice(_found(reader, beginning), most))
    return [Found(person, person.pk in friends) for person in found.values()]


def _found(reader: Any, beginning: str) -> Iterator[tuple[int, User]]:
    """Yield people by key, each once."""
    known = {it.pk: it for it in known_people(reader) if it.name_key.startswith(beginning)} if reader.pk else {}
    yield from known.items()
    if beginning:
        # The bounds make use of the index.
        named = User.objects.filter(name_key__gte=beginning, name_key__lt=f"{beginning}\U0010ffff", is_active=True)
        others = named.filter(guest=False).exclude(pk__in=[*known, *([reader.pk] if reader.pk else [])])
        if reader.pk:
            others = others.exclude(pk__in=blocked_by(reader).order_by().values("pk"))
        yield from ((it.pk, it) for it in others.order_by("name_key")[:LISTED])


def known_people(user: Any) -> list[User]:
    """Return somebody's friends, and those they played with lately, the latest first.

    People they have blocked are left out; those who have blocked them are not, as that would show.
    """
    apart = blocked_by(user).order_by().values("pk")
    friends = friends_of(user).filter(is_active=True).exclude(pk__in=apart)
    lately = Seat.objects.filter(user=user).order_by("-match").values_list("match", flat=True)[:RECENT_MATCHES]
    beside = Seat.objects.filter(match__in=list(lately), user__is_active=True, user__guest=False)
    others = beside.exclude(user=user).exclude(user__in=apart).order_by().values("user").annotate(last=Max("match"))
    order = [row["user"] for row in others.order_by("-last")[:MOST_KNOWN]]
    recent = User.objects.in_bulk(order)
    return list({it.pk: it for it in (*friends, *(recent[key] for key in order))}.values())[:MOST_KNOWN]
