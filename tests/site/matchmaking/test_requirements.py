"""Tables for certain ratings, the note of a host, and the tables that somebody could join."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.filters import Filters, listed_tables
from games.matchmaking.forms import TableForm
from games.matchmaking.invitations import remove_player
from games.matchmaking.requirements import reader_of
from games.matchmaking.tables import NOTE_LENGTH
from games.play.models import Match
from games.ratings.models import Rating
from games.titles import titles
from tests.people import client_of, person
from tests.site.matchmaking.test_reliable_tables import PLAIN, with_turns

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


def rated_at(rating: int, game: str = "shifting-stones", speed: str = "live") -> User:
    """Return somebody with this rating."""
    user = person()
    Rating.objects.create(user=user, game=game, speed=speed, rating=1000 * rating, games=20)
    return user


def form(**fields: Any) -> TableForm:
    return TableForm(titles()["shifting-stones"], person(), PLAIN | fields)


@pytest.mark.parametrize("window", [(1400, 1600), (1500, None), (None, 1500), (1500, 1500), (None, None)])
def test_who_is_within_the_window_sits_down(opened: Opened, window: tuple[int | None, int | None]) -> None:
    wanted = opened(person(), rating_from=window[0], rating_to=window[1])
    assert tables.join(wanted.pk, rated_at(1500)).is_running


@pytest.mark.parametrize("window", [(1501, None), (None, 1499), (1600, 1700)])
def test_who_is_outside_of_it_is_told_so(opened: Opened, window: tuple[int | None, int | None]) -> None:
    wanted = opened(person(), rating_from=window[0], rating_to=window[1])
    with pytest.raises(RuleViolation, match="Yours counts as 1500 here") as refused:
        tables.join(wanted.pk, rated_at(1500))
    assert refused.value.code == "rating"


def test_who_has_no_rating_in_the_game_counts_as_1500(opened: Opened) -> None:
    wanted = opened(person(), rating_from=1500, rating_to=1500, seats=3)
    tables.join(wanted.pk, person())
    assert tables.join(wanted.pk, rated_at(2000, game="card-chess")).is_running


def test_whom_the_host_invites_may_have_any_rating(opened: Opened) -> None:
    friend = rated_at(2000)
    wanted = opened(person(), rating_to=1500, invited=(friend,))
    assert tables.join(wanted.pk, friend).is_running


def test_the_page_of_the_table_says_for_whom_it_is_before_anybody_tries(opened: Opened) -> None:
    wanted = opened(person(), rating_from=1600, rating_to=1800)
    outsider = client_of(rated_at(1500)).get(wanted.get_absolute_url()).content.decode()
    assert "rating 1600 to 1800" in outsider
    assert "This table is for other ratings. Yours counts as 1500 here." in outsider
    assert 'id="sit-down"' not in outsider
    assert 'id="sit-down"' in client_of(rated_at(1700)).get(wanted.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"rating_from": "1600", "rating_to": "1500"}, "rating_to"),
        ({"rating_from": "-1"}, "rating_from"),
        ({"rating_to": "99999"}, "rating_to"),
        ({"rating_from": "many"}, "rating_from"),
        ({"note": "x" * (NOTE_LENGTH + 1)}, "note"),
    ],
)
def test_the_form_refuses_what_makes_no_sense(fields: dict[str, str], wrong: str) -> None:
    assert list(form(**fields).errors) == [wrong]


def test_services_refuse_it_too_whatever_the_entry(opened: Opened) -> None:
    wishes: dict[str, dict[str, Any]] = {
        "rating-window": {"rating_from": 1600, "rating_to": 1500},
        "long-note": {"note": "x" * (NOTE_LENGTH + 1)},
    }
    for code, wish in wishes.items():
        with pytest.raises(RuleViolation) as refused:
            opened(person(), **wish)
        assert refused.value.code == code


def test_the_form_remembers_the_window_but_not_the_note(opened: Opened) -> None:
    host = person()
    opened(host, rating_from=1400, rating_to=1700, note="Beginners welcome")
    again = TableForm(titles()["shifting-stones"], host)
    assert (again["rating_from"].value(), again["rating_to"].value(), again["note"].value()) == (1400, 1700, None)


def test_a_note_is_plain_text_on_one_line(opened: Opened) -> None:
    made = opened(person(), note=" <b>Beginners</b>\n welcome\u202e ")
    assert made.note == "<b>Beginners</b> welcome"
    for address in (made.get_absolute_url(), "/lobby/"):
        page = client_of(person()).get(address).content.decode()
        assert "&lt;b&gt;Beginners&lt;/b&gt; welcome" in page
        assert "<b>Beginners" not in page


def test_guests_write_no_note(opened: Opened) -> None:
    guest = person(guest=True)
    with pytest.raises(RuleViolation) as refused:
        opened(guest, note="hello")
    assert refused.value.code == "guest-note"
    asked = TableForm(titles()["shifting-stones"], guest, PLAIN | {"note": "hello"})
    assert asked.is_valid(), asked.errors
    assert not asked.setup().note


# --- what somebody could join ----------------------------------------------------------------------------------------


def open_to(user: User) -> list[int]:
    return listed_tables(Filters(joinable="yes"), 10, reader_of(user))


def test_only_tables_that_somebody_could_join_are_listed(opened: Opened) -> None:
    user = rated_at(1700)
    fits = opened(person(), rating_from=1600)
    opened(person(), rating_to=1600)
    chess = opened(person(), game="card-chess", rating_to=1600)
    opened(user)
    removed_from = opened(person(), seats=3)
    tables.join(removed_from.pk, user)
    remove_player(removed_from.pk, removed_from.host, user.username)
    sits_at = opened(person(), seats=3)
    tables.join(sits_at.pk, user)
    assert open_to(user) == [chess.pk, fits.pk]
    assert listed_tables(Filters("card-chess", joinable="yes"), 10, reader_of(user)) == [chess.pk]


def test_tables_for_reliable_players_and_rated_ones_for_guests_are_left_out(opened: Opened) -> None:
    opened(person(), reliability=95)
    casual = opened(person(), rated=False)
    assert open_to(person(guest=True)) == [casual.pk]
    assert open_to(with_turns(18, 2)) == [casual.pk]
    assert len(open_to(person())) == 2


def test_the_lobby_offers_it_to_those_it_knows(opened: Opened) -> None:
    fits, other = opened(person(), note="come in"), opened(person(), rating_from=1600)
    page = client_of(person()).get("/lobby/?joinable=yes")
    assert [it.slug for it in page.context["page"].tables] == [fits.slug]
    assert 'name="joinable"' in page.content.decode()
    assert {it.slug for it in client_of(rated_at(1700)).get("/lobby/?joinable=yes").context["page"].tables} == {
        fits.slug,
        other.slug,
    }


def test_visitors_see_every_table(opened: Opened, client: Any) -> None:
    opened(person(), rating_from=1600)
    page = client.get("/lobby/?joinable=yes")
    assert len(page.context["page"].tables) == 1
    assert 'name="joinable"' not in page.content.decode()
