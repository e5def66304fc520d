"""Guests: one tap, a name of the site's making, and everything kept by who registers or logs in later."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import relations
from accounts.joining import guests
from accounts.joining.guests import ANIMALS, BEGINNINGS
from accounts.models import User
from accounts.names import validate_name
from games.learn.models import Progress
from games.pairing.models import Habit
from games.play.models import Match, Seat
from games.puzzles.models import Attempt
from games.ratings.models import SoloBest
from tests.people import PASSWORD, client_of, open_table, person, running_match
from tests.site.accounts.conftest import link_in, totp
from tests.site.accounts.test_registration import form
from tests.site.config.world import dump

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"
"""Of an authenticator app."""


def a_guest(client: Client) -> User:
    """Let a client's visitor play as a guest."""
    client.post(reverse("guest"))
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_one_tap_makes_a_guest_and_leads_on(client: Client) -> None:
    answer = client.post(reverse("guest"), {"next": "/leaderboard/", "time_zone": "Europe/Berlin"})
    assert answer["Location"] == "/leaderboard/"
    guest = User.objects.get()
    assert guest.guest
    assert guest.time_zone == "Europe/Berlin"
    assert not guest.has_usable_password()
    assert re.fullmatch(r"Guest-[A-Z][a-z]+\d*", guest.username)
    assert client.get(reverse("home")).context["user"] == guest


def test_a_guest_is_never_led_to_another_site(client: Client) -> None:
    answer = client.post(reverse("guest"), {"next": "https://evil.example/", "time_zone": "Mars/Olympus"})
    assert answer["Location"] == reverse("lobby")
    assert User.objects.get().time_zone == "UTC"


def test_who_is_logged_in_stays_who_they_are() -> None:
    ann = person("ann")
    client = client_of(ann)
    client.post(reverse("guest"))
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert User.objects.count() == 1


SHORT = 17
"""Characters that fit beside a clock on a phone."""


@pytest.mark.parametrize("language", sorted(BEGINNINGS))
def test_names_of_guests_are_short_and_in_their_language_and_nobody_else_can_take_one(language: str) -> None:
    client = Client(headers={"Accept-Language": language})
    beginning, _, rest = a_guest(client).username.partition("-")
    assert beginning == BEGINNINGS[language]
    assert re.fullmatch(r"[A-Z][a-z]+\d*", rest)
    assert len(beginning) + 1 + max(map(len, ANIMALS[language])) + len("42") <= SHORT
    for name in (f"{beginning}-Fox", f"{beginning.lower()}7"):
        with pytest.raises(ValidationError, match=r"reserved|reserviert|riservato"):
            validate_name(name)


def test_when_a_name_is_taken_a_number_follows(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANIMALS, "en", ("Otter",))
    names = [a_guest(Client()).username for _ in range(3)]
    assert names[0] == "Guest-Otter"
    assert [len(name) for name in names[1:]] == [len("Guest-Otter42")] * 2
    assert len(set(names)) == 3


def test_one_address_cannot_make_guests_without_end(client: Client) -> None:
    answers = [Client().post(reverse("guest")).status_code for _ in range(12)]
    assert answers == [302] * 10 + [429] * 2
    assert User.objects.count() == 10


@pytest.mark.parametrize("name", ["settings_security", "account_email", "account_change_password", "mfa_activate_totp"])
def test_pages_about_accounts_lead_guests_to_register(client: Client, name: str) -> None:
    a_guest(client)
    assert client.get(reverse(name))["Location"] == reverse("account_signup")


def test_a_guest_can_log_out_and_is_told_what_that_means(client: Client) -> None:
    a_guest(client)
    asked = client.get(reverse("account_logout")).content.decode()
    assert "you can’t come back to your matches" in asked
    assert asked.index("Keep your matches: register</a></li>") < asked.index("End as guest</a></li>")
    assert "Log out" not in asked
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


# --- registering ------------------------------------------------------------------------------------------------------


def test_a_guest_who_registers_keeps_everything(client: Client, mailoutbox: list[EmailMessage]) -> None:
    guest, other = a_guest(client), person("other")
    match = running_match([guest, other])
    learned = Progress.objects.create(user=guest, game="card-chess", lesson="first-challenge", reached=3)
    client.post(reverse("account_signup"), form())
    guest.refresh_from_db()
    assert (guest.username.split("-")[0], guest.email, guest.guest) == ("Guest", "", True)

    Client().post(link_in(mailoutbox[0]))  # on the phone, perhaps
    guest.refresh_from_db()
    assert (guest.username, guest.email, guest.guest) == ("Berta", "berta@example.org", False)
    assert client.get(match.get_absolute_url()).context["user"].pk == guest.pk  # plays on in this browser
    again = Client()
    again.post(reverse("account_login"), {"login": "Berta", "password": PASSWORD})
    assert again.session["_auth_user_id"] == str(guest.pk)
    assert Seat.objects.get(match=match, user=guest).name == "Berta"
    assert Progress.objects.get(user__username="Berta") == learned


def test_a_guest_can_register_again_with_another_address(client: Client, mailoutbox: list[EmailMessage]) -> None:
    guest = a_guest(client)
    client.post(reverse("account_signup"), form(email="wrong@example.org"))
    client.post(reverse("account_signup"), form())
    client.post(link_in(mailoutbox[0]))  # the one to the wrong address
    guest.refresh_from_db()
    assert guest.guest
    assert client.post(link_in(mailoutbox[1]))["Location"] == "/"
    assert client.get("/").context["user"] == guest
    assert EmailAddress.objects.get().email == "berta@example.org"


def test_a_guest_cannot_take_somebody_elses_name_or_address(client: Client) -> None:
    person("Berta")
    guest = a_guest(client)
    client.post(reverse("account_signup"), form(email="other@example.org"))
    client.post(reverse("account_signup"), form(username="Other"))
    guest.refresh_from_db()
    assert guest.username.startswith("Guest-")
    assert not EmailAddress.objects.filter(user=guest).exists()


@pytest.mark.parametrize(
    "address",
    [
        "/learn/",
        "/learn/card-chess/",
        "/learn/card-chess/first-challenge/",
        "/account/login/",
    ],
)
def test_a_visitor_can_become_a_guest_on_many_pages_and_a_member_cannot(client: Client, address: str) -> None:
    button = f'action="{reverse("guest")}"'
    assert button in client.get(address).content.decode()
    assert button not in client_of(person()).get(address, follow=True).content.decode()


def test_a_guest_is_marked_at_the_table_and_on_the_profile(client: Client) -> None:
    guest = a_guest(client)
    table = open_table([person("ann"), guest], seats=3)
    for address in (table.get_absolute_url(), guest.get_absolute_url()):
        assert '<span class="badge">guest</span>' in client_of(person()).get(address).content.decode()


# --- logging in -------------------------------------------------------------------------------------------------------


def log_in(client: Client, user: User) -> None:
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})


def test_who_logs_in_takes_over_what_the_guest_has_played(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    guest = a_guest(client)
    match = running_match([guest, bob])
    version = match.version
    Attempt.objects.create(user=guest, game=match.game, day=timezone.now().date())
    log_in(client, ann)
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert not User.objects.filter(pk=guest.pk).exists()
    match.refresh_from_db()
    assert [seat.user for seat in match.seats.order_by("number")] == [ann, bob]
    assert match.host == ann
    assert match.version > version  # what is kept of a match is known by its version
    assert Attempt.objects.get().user == ann
    assert "ann" in client_of(bob).get(match.get_absolute_url()).content.decode()


def test_what_an_account_has_already_stays(client: Client) -> None:
    ann, day = person("ann"), timezone.now().date()
    guest = a_guest(client)
    own = Attempt.objects.create(user=ann, game="card-chess", day=day, tries=[[["a"], 1]])
    Attempt.objects.create(user=guest, game="card-chess", day=day, tries=[])
    log_in(client, ann)
    assert Attempt.objects.get() == own


def test_of_what_both_have_tried_the_account_keeps_what_was_solved(client: Client) -> None:
    ann, day = person("ann"), timezone.now().date()
    guest = a_guest(client)
    Attempt.objects.create(user=ann, game="card-chess", day=day, tries=[[["a"], 1]])
    solved = Attempt.objects.create(user=guest, game="card-chess", day=day, tries=[[["b"], 2]], solved_on=day)
    log_in(client, ann)
    kept = Attempt.objects.get()
    assert (kept.pk, kept.user, kept.solved_on) == (solved.pk, ann, day)


def test_an_account_is_as_far_in_a_lesson_as_whoever_came_further(client: Client) -> None:
    ann, day = person("ann"), timezone.now().date()
    guest = a_guest(client)
    for user, lesson, reached, done in ((ann, "one", 3, None), (guest, "one", 7, day), (guest, "two", 2, None)):
        Progress.objects.create(user=user, game="card-chess", lesson=lesson, reached=reached, done_on=done)
    log_in(client, ann)
    rows = Progress.objects.filter(user=ann).order_by("lesson").values_list("lesson", "reached", "done_on")
    assert list(rows) == [("one", 7, day), ("two", 2, None)]
    assert Progress.objects.count() == 2


def test_an_account_keeps_the_better_of_two_solo_results(client: Client) -> None:
    ann = person("ann")
    guest = a_guest(client)
    match = running_match([guest])
    for user, game, rank in ((ann, "one", 5), (guest, "one", 9), (ann, "two", 4), (guest, "two", 4)):
        SoloBest.objects.create(user=user, match=match, game=game, rank=rank)
    log_in(client, ann)
    assert list(SoloBest.objects.order_by("game").values_list("user", "rank")) == [(ann.pk, 9), (ann.pk, 4)]


def test_preferences_of_a_guest_count_where_the_account_has_chosen_nothing(client: Client) -> None:
    ann = person("ann", theme="light")
    guest = a_guest(client)
    User.objects.filter(pk=guest.pk).update(theme="dark", hints=False, free_weekends=True, shows_presence=False)
    Habit.objects.create(user=guest, game="card-chess", speed="live", rated=False, seats=[2])
    log_in(client, ann)
    ann.refresh_from_db()
    assert (ann.theme, ann.hints, ann.free_weekends) == ("light", False, True)
    assert not ann.shows_presence, "who hides stays hidden"
    assert Habit.objects.get().user == ann


def test_nobody_plays_against_themselves_after_logging_in(client: Client) -> None:
    ann = person("ann")
    guest = a_guest(client)
    both, another = running_match([guest, ann]), running_match([guest, person()])
    log_in(client, ann)
    guest.refresh_from_db()
    assert [seat.user for seat in both.seats.order_by("number")] == [guest, ann]
    assert another.seats.get(number=0).user == ann


def test_wrong_passwords_take_nothing_over(client: Client) -> None:
    ann = person("ann")
    guest = a_guest(client)
    client.post(reverse("account_login"), {"login": "ann", "password": "wrong"})
    assert User.objects.filter(pk=guest.pk).exists()
    assert client.get(reverse("home")).context["user"] == guest
    assert not Match.objects.of(ann).exists()


def test_a_guest_is_claimed_once(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    guest = a_guest(client)
    match = running_match([guest, person()])
    in_another_browser = User.objects.get(pk=guest.pk)
    guests.take_over(guest, ann)
    guests.take_over(in_another_browser, bob)
    assert match.seats.get(number=0).user == ann


def test_when_claiming_fails_at_its_end_all_is_as_before(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, day = person("ann"), person("bob"), timezone.now().date()
    guest = a_guest(client)
    match = running_match([guest, bob])
    Attempt.objects.create(user=ann, game=match.game, day=day, tries=[[["a"], 1]])
    Attempt.objects.create(user=guest, game=match.game, day=day, tries=[[["b"], 2]], solved_on=day)
    for user, reached in ((ann, 3), (guest, 7)):
        Progress.objects.create(user=user, game=match.game, lesson="one", reached=reached)
        SoloBest.objects.create(user=user, match=match, game="one", rank=reached)
    Habit.objects.create(user=guest, game=match.game, speed="live", rated=False, seats=[2])
    User.objects.filter(pk=guest.pk).update(theme="dark", hints=False)
    relations.block(guest, bob)
    before = dump()

    def fails(*_: object) -> None:
        assert dump() != before, "by then a lot has been handed over"
        raise RuntimeError("the last step")

    with monkeypatch.context() as patched:
        patched.setattr(User, "delete", fails)
        with pytest.raises(RuntimeError, match="the last step"):
            log_in(client, ann)
    assert client.get(reverse("home")).context["user"] == guest
    assert dump() == before
    log_in(client, ann)
    assert not User.objects.filter(pk=guest.pk).exists()
    assert match.seats.get(number=0).user == ann
    assert Attempt.objects.get().solved_on == day


def test_a_streak_of_three_days_is_one_of_three_after_logging_in(client: Client) -> None:
    ann, today = person("ann"), date(2026, 3, 11)
    with time_machine.travel(datetime(2026, 3, 11, 12, tzinfo=UTC), tick=False):
        guest = a_guest(client)
        for ago, user in ((2, guest), (1, ann), (0, guest)):
            day = today - timedelta(days=ago)
            Attempt.objects.create(user=user, game="card-chess", day=day, tries=[[["a"], 1]], solved_on=day)
        Attempt.objects.create(user=ann, game="card-chess", day=today, tries=[])
        assert client.get(reverse("puzzles")).context["statistics"].streak == 1
        log_in(client, ann)
        assert client.get(reverse("puzzles")).context["user"] == ann
        assert client.get(reverse("puzzles")).context["statistics"].streak == 3


def test_before_the_second_factor_nothing_is_taken_over(client: Client) -> None:
    ann = person("ann")
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": SECRET})
    guest = a_guest(client)
    answer = client.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert answer["Location"] == reverse("mfa_authenticate")
    assert client.get(reverse("home")).context["user"] == guest
    match = running_match([guest, person()])
    client.post(reverse("mfa_authenticate"), {"code": totp(SECRET)})
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert match.seats.get(number=0).user == ann
