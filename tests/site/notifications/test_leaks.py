"""No message outside the page reveals anything hidden, and old messages are removed."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.engine.codec import encode
from games.engine.fair import FairChance
from games.engine.protocol import Seat as SeatNumber
from games.notifications import messages
from games.notifications.channels import mail
from games.notifications.jobs import KEPT, Pruning
from games.notifications.models import Channel, Delivery, Kind, Notice
from games.play.models import Action, Match, Seat
from games.play.reducer import positions
from games.titles import games
from tests.people import person, play_on, running_match
from tests.traits import is_open

pytestmark = pytest.mark.django_db


def told(user: User, match: Match) -> list[str]:
    """Return all the words about a match for one person, of every kind, through every channel."""
    words = []
    for kind in (Kind.TURN, Kind.DEADLINE, Kind.STARTED, Kind.OVER, Kind.INVITATION):
        for part in (0, 1, 5):
            notice = Notice(pk=1, user=user, match=Match.objects.get(pk=match.pk), kind=kind, part=part)
            message = messages.message_of(notice)
            letter = mail.compose(
                Delivery(user=user, notice=notice, channel=Channel.MAIL, key="x", uid=UUID(int=1)), message, [notice]
            )
            words += [repr(message), str(letter.body), str(letter.alternatives[0][0]), repr(letter.extra_headers)]
    return words


@pytest.mark.parametrize("game", games())
def test_no_message_depends_on_what_its_reader_may_not_know(game: str) -> None:
    people = [person() for _ in range(games()[game].seats[-1])]
    match = running_match(people, game=game, seed=bytes(32))
    play_on(match, 9)
    state = match.state
    for number, user in enumerate(people):
        before = told(user, match)
        view = match.rules.view_for(positions.decode_state(match), SeatNumber(number))
        imagined = encode(match.rules.imagine(view, FairChance(b"imagined" * 4, 0)))
        assert imagined != state or is_open(match.game), "nothing is hidden: the test would prove nothing"
        Match.objects.filter(pk=match.pk).update(state=imagined, server_seed=b"another seed, the same to you...")
        Action.objects.filter(match=match).exclude(seal="").update(text="another", salt=b"another")
        assert told(user, match) == before
        Match.objects.filter(pk=match.pk).update(state=state)


def test_a_message_made_from_the_state_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant."""
    monkeypatch.setattr(messages, "against", lambda match, _user: match.state)
    with pytest.raises(AssertionError):
        test_no_message_depends_on_what_its_reader_may_not_know("shifting-stones")


def test_a_private_match_is_named_to_those_who_sit_there_alone() -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    running_match([ann, bob], visibility=Match.Visibility.PRIVATE)
    assert not Notice.objects.filter(user=cid).exists()
    assert set(Seat.objects.values_list("user__username", flat=True)) == {"ann", "bob"}


# --- forgetting -------------------------------------------------------------------------------------------------------


def test_what_was_told_long_ago_is_forgotten(clock: Traveller) -> None:
    ann = person("ann")
    running_match([ann, person()])
    notice = Notice.objects.filter(user=ann).first()
    assert notice is not None
    Notice.objects.exclude(pk=notice.pk).delete()
    Notice.objects.update(due_at=None)
    for key, about in (("1", notice), ("digest", None)):
        Delivery.objects.create(user=ann, notice=about, channel=Channel.MAIL, key=key, state=Delivery.State.SENT)
    clock.shift(KEPT)
    assert Pruning().run_due(timezone.now()) == 0
    clock.shift(1)
    assert Pruning().run_due(timezone.now()) == 2
    assert not Notice.objects.exists()
    assert not Delivery.objects.exists()


def test_what_still_waits_is_not_forgotten(clock: Traveller) -> None:
    ann = person("ann")
    running_match([ann, person()])
    told = Notice.objects.filter(user=ann, kind=Kind.STARTED).get()
    Delivery.objects.create(user=ann, notice=told, channel=Channel.MAIL, key="1")
    Notice.objects.filter(pk=told.pk).update(due_at=None)
    clock.shift(KEPT + timedelta(days=1))
    before = Notice.objects.count()
    assert Pruning().run_due(timezone.now()) == 0
    assert Notice.objects.count() == before


def test_the_worker_looks_for_what_to_forget_every_hour(clock: Traveller) -> None:
    job = Pruning()
    job.run_due(timezone.now())
    assert job.next_due() == timezone.now() + timedelta(hours=1)
