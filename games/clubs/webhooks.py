"""The webhook of a club: the address where its new tables, the rounds of its events and results are told.

It goes through the same queue as those of people (`games.notifications.channels.webhooks`): looked up and checked
before each message, tried again, and off after a day of failures until a test message is accepted. Only names of
members are said, and nothing that the game itself hides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from accounts.moments import with_zone, zone
from games.clubs.membership import club_of
from games.clubs.models import Club
from games.events.formats import Format
from games.events.models import Event, Heat
from games.events.rounds import may_be_of_event
from games.events.words import name_of
from games.matchmaking.invitations import terms_in_words
from games.notifications.channels import http, webhooks
from games.notifications.messages import Message, absolute, joined, listed
from games.notifications.models import Webhook
from games.play.boards.endings import leaving_in_words, place_in_words
from games.play.models import Match, Seat, in_company

if TYPE_CHECKING:
    _WebhookForm = forms.ModelForm[Webhook]
else:
    _WebhookForm = forms.ModelForm

MOST_GROUPS: Final = 12
"""How many tables of a round a message names."""

_TWO: Final = 2


# --- the address ------------------------------------------------------------------------------------------------------


def _languages() -> list[tuple[str, str]]:
    codes = (code for code, _name in settings.LANGUAGES)
    return [(code, translation.get_language_info(code)["name_local"].capitalize()) for code in codes]


class WebhookForm(_WebhookForm):
    """The address of a club, the kind of messages it takes, and their language. A stored address is not shown again."""

    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Of a webhook in Discord or Slack, or of an ntfy topic. Whoever reads there sees the names of members."
        ),
    )
    style = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        required=False,
        choices=[
            ("", gettext_lazy("Recognize it by the address")),
            *((it.value, it.label) for it in (Webhook.Style.DISCORD, Webhook.Style.SLACK, Webhook.Style.NTFY)),
        ],
    )
    language = forms.ChoiceField(label=gettext_lazy("Language of the messages"), choices=_languages)

    class Meta:
        model = Webhook
        fields = ("address", "style", "language")

    def __init__(self, club: Club, data: Any = None) -> None:
        found = webhook_of(club) or Webhook(club=club, language=translation.get_language() or "en")
        super().__init__(data, instance=found, auto_id="webhook_%s")
        self._stored = found.address
        if found.pk is not None:
            self.initial["address"] = ""
            self.fields["address"].required = False
            self.fields["address"].help_text = _("Leave it empty to keep the address that is stored.")

    def clean_address(self) -> str:
        """Return the address, or the stored one; refuse what is none of the public internet ("address")."""
        address: str = self.cleaned_data["address"].strip() or self.instance.address
        try:
            http.check(address)
        except http.Refused as refused:
            raise ValidationError(str(refused.reason), "address") from refused
        return address

    def clean(self) -> dict[str, Any]:
        """Recognise the kind by the address, or ask for it ("style")."""
        data = super().clean() or {}
        if not data.get("style") and "address" in data:
            data["style"] = webhooks.style_of(data["address"]) or ""
            if not data["style"]:
                self.add_error("style", ValidationError(_("Please choose whose address this is."), "style"))
        return data

    def save(self, commit: bool = True) -> Webhook:
        """Store the address; another one begins without failures."""
        if self.cleaned_data["address"] != self._stored or "style" in self.changed_data:
            hook = self.instance
            hook.failures, hook.failing_since, hook.not_before, hook.disabled = 0, None, None, ""
        return super().save(commit)


def webhook_of(club: Club) -> Webhook | None:
    """Return the webhook of a club, None if it has none."""
    return Webhook.objects.filter(club=club).first()


def test_message(club: Club, webhook: Webhook) -> Message:
    """Return what a test says, in the language of the webhook."""
    with translation.override(webhook.language):
        text = _("This is where new tables, rounds and results of %(club)s will be told.") % {"club": club.name}
        return Message(kind="test", title=_("It works"), text=text, url=_url_of(club), topic="test")


# --- what is told -----------------------------------------------------------------------------------------------------


def tell(club: Club, topic: str, say: Any, path: str, person: Any = None) -> None:
    """Tell something to the webhook of a club, if it has one; inside the transaction.

    Args:
        club: whose.
        topic: a word; a later message with the same topic replaces this one, where receivers can do that.
        say: returns a title and a sentence, in the active language and time zone.
        path: of the page to which it leads.
        person: in whose time zone it names moments; None in UTC.
    """
    webhook = webhook_of(club)
    if webhook is None or webhook.disabled:
        return
    with _in_words_of(webhook, person):
        title, text = say()
    said = Message(kind="club", title=title, text=text, url=absolute(path), topic=topic)
    webhooks.tell_club(webhook, said)


@contextmanager
def _in_words_of(webhook: Webhook, person: Any) -> Iterator[None]:
    with (
        translation.override(webhook.language),
        timezone.override(zone(person.time_zone) if person is not None else timezone.get_default_timezone()),
    ):
        yield


def on_offered(match: Match, host: Any, **_more: Any) -> None:
    """Tell of a new table of a club (`games.matchmaking.signals.offered`)."""
    club = club_of(match)
    if club is not None:
        tell(club, match.slug, lambda: _table(match, host, _members(club)), match.get_absolute_url(), host)


def _table(match: Match, host: Any, members: Collection[int]) -> tuple[str, str]:
    words = {"host": host.shown_name if host.pk in members else "—", "game": match.rules.name}
    if not match.is_planned or match.opens_at is None:
        return _("%(host)s opens a table: %(game)s") % words, terms_in_words(match)
    words["moment"] = with_zone(match.opens_at)
    return _("%(host)s plans a table for %(game)s: %(moment)s") % words, terms_in_words(match)


def on_match_over(match: Match, seats: Sequence[Seat], **_more: Any) -> None:
    """Tell of the result of a club's match (`games.play.signals.match_over`), if several people played."""
    club = club_of(match) or _club_of_heat(match)
    if club is not None and in_company(seats):
        tell(club, match.slug, lambda: _result(match, seats, _members(club)), match.get_absolute_url())


def _club_of_heat(match: Match) -> Club | None:
    if not may_be_of_event(match):
        return None
    heat = Heat.objects.filter(match=match, event__club__isnull=False).select_related("event__club").first()
    return heat.event.club if heat else None


def _result(match: Match, seats: Sequence[Seat], members: Collection[int]) -> tuple[str, str]:
    first = [_name(seat, members) for seat in seats if seat.place == 1]
    won = ngettext("%(winners)s has won.", "%(winners)s have won.", len(first)) % {"winners": listed(first)}
    ranked = sorted(seats, key=lambda seat: (seat.place or len(seats), seat.number))
    places = ", ".join(f"{place_in_words(seat.place)} {_name(seat, members)}" for seat in ranked if seat.place)
    known = [seat for seat in seats if seat.user_id is None or seat.user_id in members]
    others = f"{places}." if len(seats) > _TWO else ""
    return _("Match over: %(game)s") % {"game": match.rules.name}, joined(won, others, leaving_in_words(known))


def on_round_drawn(event: Event, number: int, groups: Sequence[Sequence[Any]], **_more: Any) -> None:
    """Tell who meets whom in a new round of a club's event (`games.events.signals.round_drawn`)."""
    club = event.club
    if club is not None and event.played_format is not Format.ARENA:  # there somebody is drawn every minute
        topic = f"{event.slug}-{number}"
        tell(club, topic, lambda: _round(event, number, groups, _members(club)), event.get_absolute_url())


def _round(event: Event, number: int, groups: Sequence[Sequence[Any]], members: Collection[int]) -> tuple[str, str]:
    words = {"event": name_of(event), "number": number, "all": event.rounds}
    heading = _("%(event)s: round %(number)d of %(all)d") if event.rounds else _("%(event)s: round %(number)d")
    meet = [" – ".join(_name_of(person, members) for person in group) for group in groups if len(group) > 1]
    more = len(meet) - MOST_GROUPS
    rest = ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more} if more > 0 else ""
    return heading % words, "; ".join(filter(None, (*meet[:MOST_GROUPS], rest)))


def _members(club: Club) -> set[int]:
    return set(club.members.values_list("user", flat=True))


def _name_of(person: Any, members: Collection[int]) -> str:
    return person.shown_name if person is not None and person.pk in members else "—"


def _name(seat: Seat, members: Collection[int]) -> str:
    return seat.name if seat.user_id is None or seat.user_id in members else "—"


def _url_of(club: Club) -> str:
    return absolute(reverse("club", args=[club.slug]))
