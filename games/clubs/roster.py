"""Names come in on a list: who leads a club pastes them or picks a file, sees what becomes of each, and invites them.

An invitation is a notice with two buttons. To people with whom the inviter is kept apart by a block it is withheld, and
nobody is told. Guests and closed accounts are unknown here, as they are where people are looked for by name.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from types import MappingProxyType
from typing import Any, Final

from django import forms
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from accounts.limits import LIMITS
from accounts.models import User
from accounts.names import NAME_LENGTH, name_key, tidy_name
from accounts.relations import blocked_with
from games.clubs import notices, services
from games.clubs.membership import lock_club, member_of
from games.clubs.models import Club, ClubInvitation, Member
from games.engine.protocol import RuleViolation
from games.play.refusals import TooOften
from games.play.store import writing

MOST_NAMES: Final = 200
"""Names on one list."""

LONGEST: Final = 50_000
"""Characters of one list."""

A_DAY: Final = LIMITS["club-invitation"].person[0]
"""How many invitations to clubs one person can send."""

_MARK: Final = codecs.BOM_UTF8.decode()
_SEPARATORS: Final = (";", "\t", ",")

_HEADINGS: Final = frozenset(
    {
        *("name", "names", "username", "user name", "user", "player", "players", "nickname"),
        *("spielername", "benutzername", "spieler", "spielerin", "namen"),
        *("nome", "nomi", "nome utente", "utente", "giocatore", "giocatrice", "giocatori"),
    }
)
"""What the column of names is called in the first row, if that is a row of headings."""


# --- reading a list ---------------------------------------------------------------------------------------------------


def names_in(text: str) -> list[str]:
    """Return the names on a list, each once: of the column that is headed so, else of the first one.

    A list of one row is names side by side.

    Args:
        text: rows of cells between semicolons, tabs or commas.

    >>> names_in("Class;Name\\r\\n3b;ann\\r\\n3b;bob\\r\\n3b;Ann"), names_in("ann, bob"), names_in("ann\\nbob")
    (['ann', 'bob'], ['ann', 'bob'], ['ann', 'bob'])
    """
    rows = [row for row in _rows(text.removeprefix(_MARK)) if any(row)]
    if not rows:
        return []
    headed = next((column for column, cell in enumerate(rows[0]) if cell.casefold() in _HEADINGS), None)
    if headed is not None:
        cells = [row[headed] for row in rows[1:] if len(row) > headed]
    else:
        cells = rows[0] if len(rows) == 1 else [row[0] for row in rows]
    named: dict[str, str] = {}
    for name in map(tidy_name, cells):
        if name:
            named.setdefault(name_key(name), name)
    return list(named.values())


def _rows(text: str) -> list[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:  # a cell without an end
        rows = [line.split(separator) for line in text.splitlines()]
    return [["".join(it for it in cell if it.isprintable()).strip() for cell in row] for row in rows]


class RosterForm(forms.Form):
    """A list of names. `names()` returns them once the form is valid.

    The site takes no files: a script reads one into the field (static/clubs/names.js).
    """

    pasted = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 8, "autocapitalize": "none", "spellcheck": "false", "dir": "auto"}),
        help_text=gettext_lazy(
            "Names on this site: one on each line, separated by commas, or rows of a spreadsheet. Of rows with several "
            "columns the one headed “Name” counts, or else the first."
        ),
    )

    def clean_pasted(self) -> list[str]:
        """Refuse no names ("nobody") and too many ("too-many")."""
        names = names_in(self.cleaned_data["pasted"])
        if not names:
            raise forms.ValidationError(_("There are no names on this list."), "nobody")
        if len(names) > MOST_NAMES:
            text = _("Please invite at most %(most)d people at once.")
            raise forms.ValidationError(text, "too-many", {"most": MOST_NAMES})
        return names

    def names(self) -> list[str]:
        """Return the names on the list."""
        return list(self.cleaned_data["pasted"])


# --- what becomes of each name ----------------------------------------------------------------------------------------


class Fate(models.TextChoices):
    """What becomes of a name on a list."""

    INVITE = "invite", gettext_lazy("will be invited")
    INVITED = "invited", gettext_lazy("has been invited before")
    MEMBER = "member", gettext_lazy("is a member already")
    ASKING = "asking", gettext_lazy("asks to join: you can accept that")
    REMOVED = "removed", gettext_lazy("was removed from the club; let them back first")
    BOT = "bot", gettext_lazy("is a bot; clubs are for people")
    UNKNOWN = "unknown", gettext_lazy("Nobody here has this name.")


@dataclass(frozen=True, slots=True)
class Line:
    """A name on a list, whose it is (nobody's if unknown), and what becomes of it."""

    name: str
    fate: Fate
    person: User | None = None


def look_at(club: Club, names: Sequence[str]) -> list[Line]:
    """Return what would become of each of these names, in their order; nothing is sent."""
    keys = {name_key(name): name for name in names}
    found = {it.name_key: it for it in User.objects.filter(name_key__in=keys, is_active=True, guest=False)}
    fates = _fates(club, found.values())
    return [
        Line(found[key].username, fates[found[key].pk], found[key])
        if key in found
        else Line(name[:NAME_LENGTH], Fate.UNKNOWN)
        for key, name in keys.items()
    ]


def _fates(club: Club, people: Iterable[User]) -> Mapping[int, Fate]:
    by_key = {person.pk: person for person in people}
    rows: list[tuple[Fate, Any]] = [
        (Fate.INVITED, club.invitations),
        (Fate.ASKING, club.requests.filter(declined_at=None)),
        (Fate.REMOVED, club.removals),
        (Fate.MEMBER, club.members),
    ]
    fates = {key: Fate.BOT if person.is_bot else Fate.INVITE for key, person in by_key.items()}
    for fate, found in rows:
        fates |= dict.fromkeys(found.filter(user__in=by_key).values_list("user", flat=True), fate)
    return MappingProxyType(fates)


# --- inviting and answering -------------------------------------------------------------------------------------------


def invite(by: User, club: Club, names: Sequence[str]) -> int:
    """Invite those on a list who can be, and tell them; owners and helpers can. Return how many there were.

    Raises:
        RuleViolation: "too-often" when that would be more than `A_DAY`; as `services.check_may_lead`.
    """
    services.check_may_lead(by, club)
    with writing():
        lock_club(pk=club.pk)
        people = [it.person for it in look_at(club, names) if it.fate is Fate.INVITE and it.person is not None]
        now, apart = timezone.now(), blocked_with(by)
        _check_day(by, len(people), now)
        ClubInvitation.objects.bulk_create(
            ClubInvitation(club=club, user=person, by=by, at=now, withheld=person.pk in apart) for person in people
        )
        notices.tell(club, [person.pk for person in people if person.pk not in apart], notices.What.INVITED)
    return len(people)


def _check_day(by: User, more: int, now: datetime) -> None:
    sent = ClubInvitation.objects.filter(by=by, at__gt=now - A_DAY.within).count()
    left = max(A_DAY.most - sent, 0)
    if more > left:
        text = ngettext(
            "You can invite %(left)d more person today; the list has %(count)d.",
            "You can invite %(left)d more people today; the list has %(count)d.",
            left,
        )
        raise TooOften("too-often", text % {"left": left, "count": more}, timedelta(days=1))


def invitation_to(club: Club, user: Any) -> ClubInvitation | None:
    """Return the invitation to a club that somebody can answer, None if there is none."""
    return club.invitations.open_to(user).select_related("by").first()


def accept(user: User, club: Club) -> Member:
    """Become a member by invitation.

    Raises:
        RuleViolation: "not-invited"; as `services.join_by_link`.
    """
    if (mine := member_of(club, user)) is not None:
        return mine
    if invitation_to(club, user) is None:
        raise not_invited()
    with writing():
        member = services.join_by_link(user, club.link)
        _settle(user, club)
        club.invitations.filter(user=user).delete()
    return member


def decline(user: User, club: Club) -> None:
    """Decline an invitation; those who lead the club are not told. Idempotent."""
    with writing():
        club.invitations.open_to(user).update(declined_at=timezone.now())
        _settle(user, club)


def not_invited() -> RuleViolation:
    """Return the refusal of somebody who is not invited any more."""
    return RuleViolation("not-invited", _("You are no longer invited to this club."))


def _settle(user: User, club: Club) -> None:
    notices.forget(club.slug, user.pk)
