"""People are thought for in turn: neither many matches, nor hints, nor many guests keep the bots from anybody else.

Nothing here measures time: what is counted is how often others were thought for while somebody waited.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.limits import LIMITS
from accounts.models import User
from games.bots import hints, services, thinking
from games.bots.models import Hint, Share
from games.bots.thinking import Question
from games.bots.worker import Thinker
from games.play.models import Match
from games.play.reducer import positions
from tests.people import act, client_of, person
from tests.site.bots.test_turns import against_bots

pytestmark = pytest.mark.django_db

MATCHES = 6
STEPS = 2 * MATCHES
"""How often processes think at most until somebody counts as kept waiting for ever."""


@pytest.fixture
def thoughts(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return about which matches processes have thought, in order; they think quickly and play at once."""
    settings.BOT_SECONDS = 0.01
    monkeypatch.setattr(services, "PACE", timedelta(0))
    about: list[str] = []
    real = thinking.answer

    def noted(question: Question) -> str:
        about.append(question.about)
        return real(question)

    monkeypatch.setattr(thinking, "answer", noted)
    return about


def waiting(user: User, level: str = "novice") -> Match:
    """Return a match in which a bot is to move."""
    match = against_bots([user], [level])
    act(match, "end", 0)
    return match


def is_awaited(match: Match) -> bool:
    return match.seats.filter(number=1, to_move=True).exists()


@dataclass
class Greedy:
    """Somebody who hands over the turn in each of many matches at once, and in another asks for hints without end."""

    user: User
    hinted: Match
    matches: list[Match]

    @classmethod
    def seated(cls) -> Greedy:
        user = person()
        return cls(user, against_bots([user]), [waiting(user, "master") for _ in range(MATCHES)])

    def ask_for_more(self) -> None:
        """Ask for a hint at another version of the match, which it has as something is done and undone."""
        for match in self.matches:
            if not is_awaited(match):
                act(match, "end", 0)
        client, address = client_of(self.user), self.hinted.get_absolute_url()
        client.post(f"{address}abort/", {"offer": "0"})
        act(self.hinted, next(text for text in positions.legal_texts(self.hinted, 0) if text.startswith("flip")), 0)
        client.post(f"{address}undo/", {"version": self.hinted.version})
        client.post(f"{address}hint/")
        self.hinted.refresh_from_db()


def thought_meanwhile(mine: Match, thoughts: list[str], processes: int = 1, greedy: Greedy | None = None) -> int:
    """Let processes think until the bot in a match is done; return how much more they thought for others than for it.

    Args:
        mine: the match in which somebody waits.
        thoughts: see the fixture.
        processes: how many think, each in its turn.
        greedy: asks for more before each thought.
    """
    thinkers = [Thinker() for _ in range(processes)]
    thoughts.clear()
    for number in range(STEPS):
        if greedy is not None:
            greedy.ask_for_more()
        thinkers[number % processes].step()
        if not is_awaited(mine):
            break
    return len(thoughts) - 2 * thoughts.count(str(mine))


def check_share(thoughts: list[str], processes: int = 1) -> None:
    """Check that nobody waits longer for a bot because one person has many matches and asks for hints without end."""
    greedy = Greedy.seated()
    mine = waiting(person())
    for _ in range(3):
        assert thought_meanwhile(mine, thoughts, processes, greedy) <= processes
        act(mine, "end", 0)
    assert Hint.objects.filter(match=greedy.hinted).count() > 2  # each time another one


@pytest.mark.parametrize("processes", [1, 2])
def test_a_person_with_six_matches_and_hints_without_end_has_one_share(thoughts: list[str], processes: int) -> None:
    check_share(thoughts, processes)


def test_the_check_finds_who_is_served_by_matches(thoughts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: as before, the turn that has waited longest comes first."""
    monkeypatch.setattr(services, "IN_TURN", F("match__moved_at").asc())
    with pytest.raises(AssertionError):
        check_share(thoughts)


def test_the_check_finds_hints_that_come_first(thoughts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: as before, hints come before turns."""
    monkeypatch.setattr(hints, "comes_first", lambda _now: True)
    with pytest.raises(AssertionError):
        check_share(thoughts)


# --- guests -----------------------------------------------------------------------------------------------------------


def guest_from(address: str) -> User:
    client = Client(REMOTE_ADDR=address)
    client.post(reverse("guest"))
    return User.objects.get(pk=client.session["_auth_user_id"])


def thought_for_others(addresses: list[str], thoughts: list[str]) -> int:
    """Return how much more processes think for guests from these addresses than for one from elsewhere who waits."""
    matches = [waiting(guest_from(address)) for address in addresses]
    mine = waiting(guest_from("203.0.113.8"))
    thinker = Thinker()
    while thinker.step():  # everybody was thought for before
        pass
    for match in (*matches, mine):
        act(match, "end", 0)
    return thought_meanwhile(mine, thoughts)


ONE_NETWORK = [["203.0.113.7"] * 5, [f"2001:db8:0:1::{number}" for number in range(1, 6)]]


@pytest.mark.parametrize("addresses", ONE_NETWORK)
def test_guests_from_one_network_have_one_share(thoughts: list[str], addresses: list[str]) -> None:
    assert thought_for_others(addresses, thoughts) <= 1
    assert len(set(Share.objects.values_list("network", flat=True))) == 2  # of so many networks


def test_the_check_finds_guests_who_count_one_by_one(thoughts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: nobody knows where they came from."""
    monkeypatch.setattr(services, "network_of", lambda _address: "")
    assert thought_for_others(ONE_NETWORK[0], thoughts) > 1


def test_people_with_accounts_count_by_themselves_wherever_they_are(thoughts: list[str]) -> None:
    waiting(person())
    assert Thinker().step()
    assert [share.network for share in Share.objects.all()] == [""]
    Share.objects.update(served_at=timezone.now() - 2 * services.KEPT)
    waiting(person())
    services.claim_next_turn(timezone.now())
    assert Share.objects.count() == 1  # what makes no difference any more is forgotten


# --- hints ------------------------------------------------------------------------------------------------------------


def steps_until_found(thoughts: list[str]) -> int:
    """Return after how many thoughts a hint is found that was asked for a while ago, beside six matches of another."""
    ann, bob = person(), person()
    match = against_bots([bob])
    busy = [waiting(ann, "master") for _ in range(MATCHES)]
    client_of(bob).post(f"/match/{match.slug}/hint/")
    Hint.objects.update(asked_at=timezone.now() - timedelta(seconds=6))
    thinker = Thinker()
    for number in range(STEPS):
        for other in busy:
            if not is_awaited(other):
                act(other, "end", 0)
        if Hint.objects.exclude(text="").exists():
            return number
        thinker.step()
    return STEPS


def test_a_hint_comes_before_long_although_there_are_always_turns(thoughts: list[str]) -> None:
    assert steps_until_found(thoughts) <= 2  # a turn, and the hint


def test_the_check_finds_hints_that_wait_for_ever(thoughts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: turns always come first."""
    monkeypatch.setattr(hints, "PATIENCE", timedelta(days=1))
    assert steps_until_found(thoughts) == STEPS


def test_a_turn_comes_before_a_hint(thoughts: list[str]) -> None:
    ann, bob = person(), person()
    match = against_bots([ann])
    client_of(ann).post(f"/match/{match.slug}/hint/")
    waiting(bob)
    assert Thinker().step()
    assert not Hint.objects.exclude(text="").exists()


def test_a_hint_that_was_given_up_can_be_asked_for_again(thoughts: list[str]) -> None:
    ann = person()
    match = against_bots([ann])
    client = client_of(ann)
    client.post(f"/match/{match.slug}/hint/")
    Hint.objects.update(asked_at=timezone.now() - 2 * hints.GIVEN_UP)
    assert not Thinker().step()
    client.post(f"/match/{match.slug}/hint/")
    assert Thinker().step()
    assert Hint.objects.get().text


def test_nobody_asks_for_hints_without_end_and_the_page_says_why(thoughts: list[str]) -> None:
    ann = person()
    match = against_bots([ann])
    client, address = client_of(ann), f"/match/{match.slug}/hint/"
    most = LIMITS["hint"].person[0].most
    answers = [client.post(address, headers={"Accept": "application/json"}) for _ in range(most + 1)]
    assert [answer.status_code for answer in answers] == [302] * most + [429]
    assert "Please try again in" in answers[-1].json()["why"]
    assert client.post(address).status_code == 302  # without a script, back to the match, which says it
    assert "Please try again in" in client.get(match.get_absolute_url()).content.decode()
