"""Pages of the gallery: what people write to each other and report, what moderators decide, and how accounts end.

All of it is written and decided through the services of the site, once in each database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import Page

from tests.benchmarks.site import player
from tests.browser.scenes import Scene

if TYPE_CHECKING:
    from accounts.models import User
    from games.play.models import Match

PEOPLE = ("Marta", "Noor", "Leopold-der-Grosse", "Nadia", "Olaf", "Paula", "Quentin")
"""Two moderators, who is silenced, suspended and warned, and two whose accounts are to end."""


def scenes() -> Mapping[str, Scene]:
    """Return the pages by name, once what they show has happened."""
    from accounts.models import User

    if User.objects.named(PEOPLE[0]) is None:
        _happen()
    match = _running()
    return {**_moderators(match), **_chats(match), **_told(), **_ends()}


def _moderators(match: Match) -> Mapping[str, Scene]:
    """Return what moderators see."""
    from accounts.models import User
    from games.moderation import cases
    from games.moderation.models import Case, Deed

    judge = player(PEOPLE[0])
    mine = Case.objects.filter(person__username=PEOPLE[2]).latest("pk")
    cases.claim(User.objects.get(username=PEOPLE[0]), mine.pk)  # it was theirs for half an hour only
    decided = Case.objects.exclude(decided_at=None).latest("pk")
    deed = Deed.objects.filter(act="suspend").latest("pk")
    return {
        "moderation": Scene(judge, "/moderation/"),
        "moderation-case": Scene(judge, f"/moderation/cases/{mine.pk}/"),
        "moderation-case-of-match": Scene(judge, f"/moderation/cases/{Case.objects.get(match=match).pk}/"),
        "moderation-case-decided": Scene(judge, f"/moderation/cases/{decided.pk}/"),
        "moderation-person": Scene(judge, f"/moderation/people/{PEOPLE[3]}/"),
        "moderation-match": Scene(judge, f"/moderation/matches/{match.slug}/"),
        "moderation-log": Scene(judge, "/moderation/log/"),
        "moderation-undo": Scene(judge, f"/moderation/log/{deed.pk}/undo/"),
        "moderation-fair-play": Scene(judge, "/moderation/fair-play/"),
    }


def _chats(match: Match) -> Mapping[str, Scene]:
    """Return what is written beside a board, by its players and by spectators, and between friends."""
    ann, bruno = _friends()
    seats = [seat.user.username for seat in match.seats.select_related("user").order_by("number") if seat.user]
    board, silenced = match.get_absolute_url(), player(PEOPLE[2])
    return {
        "chat": Scene(player(seats[0]), board, _open),
        "chat-spectators": Scene(player(PEOPLE[5]), board, _open),
        "chat-page": Scene(player(seats[1]), f"{board}chat/"),
        "chat-silenced": Scene(silenced, f"{board}chat/", _say),
        "conversation": Scene(player(ann.username), f"/messages/with/{bruno.username}/"),
        "conversations": Scene(player(bruno.username), "/messages/"),
    }


def _told() -> Mapping[str, Scene]:
    """Return what those see about whom moderators have decided, and those who reported."""
    suspended = player(PEOPLE[3])
    return {
        "warning": Scene(player(PEOPLE[4]), "/lobby/"),
        "suspended": Scene(suspended, "/lobby/"),
        "suspended-refusal": Scene(suspended, "/lobby/", _submit),
        "standing-silenced": Scene(player(PEOPLE[2]), "/standing/"),
        "standing-suspended": Scene(suspended, "/standing/"),
        "reports-answered": Scene(player(_friends()[0].username), "/reports/"),
    }


def _ends() -> Mapping[str, Scene]:
    """Return what is to be read of data and of ends of accounts, and a page of what went wrong."""
    paula, quentin = player(PEOPLE[5]), player(PEOPLE[6])
    return {
        "delete": Scene(paula, "/settings/data/delete/"),
        "delete-asked": Scene(paula, "/settings/data/delete/", lambda page: page.locator("#delete-account").click()),
        "delete-confirm": Scene(None, _link_to_confirm(PEOPLE[5])),
        "delete-planned": Scene(quentin, "/settings/data/delete/"),
        "data-planned": Scene(quentin, "/settings/data/"),
        "delete-too-late": Scene(None, "/account/delete/nothing/"),
        "terms": Scene(None, "/terms/"),
        "imprint": Scene(None, "/imprint/"),
        "refused-form": Scene(None, "/account/login/", _submit_without_cookies),
    }


# --- what is done on a page -------------------------------------------------------------------------------------------


def _open(page: Page) -> None:
    page.locator("#open-chat").click()
    page.locator("#chat .chat-lines").first.wait_for()


def _say(page: Page) -> None:
    page.locator(".chat-text").first.fill("Is anybody there?")
    page.locator(".chat-text").first.press("Enter")
    page.locator("#chat-refusal").wait_for()


def _submit(page: Page) -> None:
    page.locator("main form[method=post]").first.evaluate("form => form.submit()")
    page.wait_for_load_state()


def _submit_without_cookies(page: Page) -> None:
    page.context.clear_cookies()
    _submit(page)


# --- what has happened ------------------------------------------------------------------------------------------------


def _running() -> Match:
    """Return a running match of two people of the demo."""
    from games.play.models import Match

    found = Match.objects.filter(status=Match.Status.RUNNING, seat_count=2).exclude(seats__user=None)
    return found.order_by("pk")[0]


def _friends() -> list[User]:
    from accounts.models import User

    return list(User.objects.order_by("pk")[:2])


def _happen() -> None:
    people = [_registered(name) for name in PEOPLE]
    _talk(people)
    _report(people)
    _decide(people)
    _find(people)
    _end(people[6])


def _registered(name: str) -> User:
    from allauth.account.models import EmailAddress

    from accounts.models import User

    user = User.objects.create_user(name, f"{name.lower()}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def _talk(people: list[User]) -> None:
    from tests.site.chat.rooms import befriend, say, write

    match, (ann, bruno) = _running(), _friends()
    first, second = (seat.user for seat in match.seats.select_related("user").order_by("number"))
    assert first is not None
    assert second is not None
    say(first, match, phrase="good-luck")
    say(second, match, "Thanks, you too! I have looked forward to this one all day.")
    say(first, match, "Careful, I have been practising: https://tessera.example/learn/")
    say(second, match, "Oh dear.")
    say(people[2], match, "Whoever moved there must be asleep, you miserable fools", room="watchers")
    say(people[5], match, "Please be kind. I would have done the same.", room="watchers")
    befriend(ann, bruno)
    for author, other, text in (
        (ann, bruno, "Hello Bruno! Are we playing on Sunday?"),
        (bruno, ann, "Yes, gladly. At eight? Chiara wants to come too, if there is room at the table."),
        (ann, bruno, "There is. I’ll plan the table and invite you both."),
        (bruno, ann, "Perfect."),
    ):
        write(author, other, text)


def _report(people: list[User]) -> None:
    from games.chat.models import Message
    from games.moderation import cases

    match, (ann, bruno) = _running(), _friends()
    said = Message.objects.filter(author=people[2]).latest("pk")
    cases.report_message(ann, said, said.text, "insult", "He has done this for days, in every match he watches.")
    cases.report_person(bruno, people[2], "name", "")
    cases.report_person(ann, people[3], "cheating", "Loses every match against the same account within a minute.")
    cases.report_person(bruno, people[4], "stalling", "Waits until the last second of every turn.")
    cases.report_match(people[5], match, "other", "I think that one of them is a program.")


def _decide(people: list[User]) -> None:
    from django.utils import timezone

    from games.moderation import cases, people as acting
    from games.moderation.models import Case

    marta, noor, silenced, suspended, warned = people[:5]
    for moderator in (marta, noor):
        acting.set_role(None, moderator, "moderators", "Has been here since the beginning")
    marta, noor = (type(marta).objects.get(pk=it.pk) for it in (marta, noor))
    about = {person.pk: Case.objects.get(person=person, match=None) for person in (silenced, suspended, warned)}
    cases.claim(marta, about[silenced.pk].pk)
    week = timezone.now() + timedelta(days=7)
    acting.silence(marta, silenced, week, "Insults in the room of spectators", about[silenced.pk])
    case = cases.claim(noor, about[suspended.pk].pk)
    acting.suspend(noor, suspended, week, "Gave points away to a second account", case)
    cases.decide(noor, case.pk, "acted", "The account is suspended for a week.", "Rating transfer")
    acting.warn(
        noor, warned, "Please do not let your opponents wait on purpose: they see it, and it spoils their evening."
    )
    cases.claim(noor, about[warned.pk].pk)


def _find(people: list[User]) -> None:
    """Let there be what a night finds in seasons of matches."""
    from games.fairplay.models import Finding

    ann, bruno = _friends()
    facts = {"lost": 8, "of": 9, "points": 80, "share": 75, "early": 6}
    Finding.objects.create(kind=Finding.Kind.TRANSFER, first=people[3], second=people[2], facts=facts)
    short = {"short": 6, "of": 7, "won": 3}
    Finding.objects.create(kind=Finding.Kind.AGREED, first=people[3], second=people[4], facts=short)
    Finding.objects.create(kind=Finding.Kind.DEVICE, first=ann, second=bruno, match=_running(), facts={"action": 2})


def _end(user: User) -> None:
    from games.privacy import deletions

    deletions.confirm(deletions.ask(user))


def _link_to_confirm(name: str) -> str:
    """Ask for the end of an account, and return the link of the email about it."""
    from django.test import override_settings

    from accounts.models import User
    from games.privacy import deletions
    from tests.site.notifications.letters import delivered

    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        deletions.ask(User.objects.get(username=name))
        sent = delivered()
    found = re.search(r"/account/delete/\S+/", str(sent[-1].body))
    assert found is not None
    return found[0]
