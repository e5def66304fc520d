"""The form of a new table: made from the game's declaration, working without a script, clear about errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.matchmaking.forms import TableForm
from games.matchmaking.limits import INVITED
from games.matchmaking.tables import TableSetup, open_table, play_now
from games.play.models import Level, Match
from games.titles import titles
from tests.people import person

pytestmark = pytest.mark.django_db

PLAIN: dict[str, Any] = {
    "seats": "2",
    "speed": "live",
    "rated": "on",
    "visibility": "public",
    "seat_order": "random",
    "invited": "",
}


def form(game: str = "shifting-stones", user: Any = None, **changes: Any) -> TableForm:
    return TableForm(
        titles()[game], user or person(), PLAIN | {name.replace("__", "-"): it for name, it in changes.items()}
    )


def wished(valid: TableForm) -> TableSetup:
    assert valid.is_valid(), valid.errors
    return valid.setup()


def test_a_plain_wish() -> None:
    wish = wished(form(seats="3", speed="days", seat_order="as-sat"))
    assert (wish.game, wish.seats, wish.speed, wish.rated) == ("shifting-stones", 3, "days", True)
    assert (wish.visibility, wish.seat_order, wish.invited, wish.options) == ("public", "as-sat", (), {})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seats", "6"), ("seats", ""), ("seats", "two"), ("speed", "slow"), ("visibility", "secret"),
        ("seat_order", ""),
    ],
)  # fmt: skip
def test_what_is_not_offered_is_refused_at_its_field(name: str, value: str) -> None:
    refused = form(**{name: value})
    assert not refused.is_valid()
    assert list(refused.errors) == [name]
    assert f"id_{name}_error" in str(refused[name].aria_describedby).split()


def test_no_box_ticked_means_casual() -> None:
    data = {name: value for name, value in PLAIN.items() if name != "rated"}
    assert not wished(TableForm(titles()["shifting-stones"], person(), data)).rated


# --- options of the game ----------------------------------------------------------------------------------------------


def test_each_option_has_a_fitting_field(with_options: str) -> None:
    made = form(with_options)
    assert [bound.name for bound, _counts in made.required_options()] == ["option-deck"]
    fields = {bound.name: (bound.widget_type, counts) for bound, counts in [*made.options(), *made.required_options()]}
    assert fields == {
        "option-open-hands": ("checkbox", ' data-for-seats="2 3 4 5"'),
        "option-length": ("radioselect", ' data-for-seats="2 3 4 5"'),
        "option-colour": ("select", ' data-for-seats="2 3 4 5"'),
        "option-teams": ("radioselect", ' data-for-seats="4"'),
        "option-deck": ("radioselect", ' data-for-seats="3"'),
    }


def test_what_is_left_out_takes_its_default(with_options: str) -> None:
    assert wished(form(with_options)).options == {"open-hands": False, "length": "short", "colour": "red"}


def test_choices_arrive_with_their_own_type(with_options: str) -> None:
    wish = wished(form(with_options, option__length="long", option__colour="grey", **{"option-open-hands": "on"}))
    assert wish.options == {"open-hands": True, "length": "long", "colour": "grey"}


def test_an_option_for_other_numbers_of_players_is_ignored(with_options: str) -> None:
    assert "teams" not in wished(form(with_options, option__teams="pairs")).options
    assert wished(form(with_options, seats="4", option__teams="pairs")).options["teams"] == "pairs"


def test_an_option_that_must_be_chosen_is_asked_for_where_it_exists(with_options: str) -> None:
    refused = form(with_options, seats="3")
    assert list(refused.errors) == ["option-deck"]
    assert wished(form(with_options, seats="3", option__deck="b")).options["deck"] == "b"


def test_a_value_the_option_does_not_offer_is_refused(with_options: str) -> None:
    assert list(form(with_options, option__length="endless").errors) == ["option-length"]


def test_the_page_says_for_whom_an_option_exists(with_options: str) -> None:
    fields = {bound.name: bound for bound, _counts in form(with_options).options()}
    assert "4" in fields["option-teams"].help_text
    assert fields["option-length"].help_text == "How long it takes."


def test_the_style_sheet_knows_every_number_of_players() -> None:
    """Even without a script the page hides options that do not apply to the chosen number of players."""
    styles = Path("static/matchmaking/tables.css").read_text(encoding="utf-8")
    counts = {count for title in titles().values() for count in title.game.seats}
    assert [count for count in counts if f'[value="{count}"]:checked' not in styles] == []


# --- inviting -------------------------------------------------------------------------------------------------------


def test_names_are_found_however_they_are_written() -> None:
    ann, bob = person("Ann"), person("bob")
    assert set(wished(form(invited=" ANN, Bob;ann\n")).invited) == {ann, bob}


def test_a_private_table_needs_somebody_to_wait_for() -> None:
    user = person("me")
    assert list(form(visibility="private").errors) == ["invited"]
    assert list(form(user=user, visibility="private", invited="me").errors) == ["invited"]
    assert wished(form(visibility="private", seats="1")).invited == ()


def test_unknown_and_inactive_names_are_named() -> None:
    person("gone", is_active=False)
    person("here")
    refused = form(invited="nobody here gone")
    assert refused.errors == {"invited": ["There is no player called gone, nobody."]}


def test_twenty_are_the_most_to_invite() -> None:
    names = [person().username for _ in range(INVITED + 1)]
    assert "at most 20" in str(form(invited=" ".join(names)).errors["invited"])
    assert len(wished(form(invited=" ".join(names[1:]))).invited) == INVITED


# --- what is chosen already -------------------------------------------------------------------------------------------


def preset(game: str, user: Any) -> dict[str, Any]:
    """Return what a form that nobody has filled in has chosen already."""
    fresh = TableForm(titles()[game], user)
    return {field.name: field.value() for field in fresh}


@pytest.mark.parametrize(
    "wish",
    [
        TableSetup("small-islands", 3, {"mode": "advanced"}, "days", "432000+172800/432000", reliability=80),
        TableSetup("card-chess", 4, {"length": "one_challenge"}, "live", "420+7/840", rated=False, seat_order="as-sat"),
        TableSetup("shifting-stones", 5, {}, "days", "345600+43200/345600", visibility="friends"),
        TableSetup("shifting-stones", 2, {}, "live", "", rated=False),
    ],
    ids=lambda wish: wish.game,
)
def test_the_form_starts_with_what_was_chosen_last(wish: TableSetup) -> None:
    user = person()
    open_table(user, wish)
    given = {name: value for name, value in preset(wish.game, user).items() if value not in {None, False, ""}}
    again = TableForm(titles()[wish.game], user, given)
    assert again.is_valid(), again.errors
    found = again.setup()
    assert found.options.items() >= wish.options.items()
    assert replace(found, options={}) == replace(wish, options={})


def test_each_game_and_person_has_choices_of_their_own() -> None:
    user = person()
    untouched = preset("card-chess", user)
    open_table(user, TableSetup("shifting-stones", 4, speed="days", rated=False))
    assert preset("card-chess", user) == untouched
    assert preset("shifting-stones", person())["seats"] == 2
    assert preset("shifting-stones", user)["seats"] == 4


def test_a_table_for_invited_players_is_not_repeated_as_one() -> None:
    user = person()
    open_table(user, TableSetup("shifting-stones", 2, visibility="private", invited=(person(),)))
    chosen = preset("shifting-stones", user)
    assert (chosen["visibility"], chosen["invited"]) == ("public", None)


def test_a_table_for_a_link_and_a_match_against_a_bot_say_nothing_of_the_next_table() -> None:
    user = person()
    untouched = preset("shifting-stones", user)
    open_table(user, wished(form(user=user, by_link="on", seats="4", live_clock="none")))
    play_now(user, titles()["shifting-stones"], Level.NOVICE)
    assert preset("shifting-stones", user) == untouched
    open_table(user, TableSetup("shifting-stones", 3, clock="", bots="novice"))
    filled = preset("shifting-stones", user)
    assert [filled[name] for name in ("seats", "rated", "live_clock")] == [3, True, untouched["live_clock"]]


def test_a_table_for_a_link_is_casual_and_asks_nothing_of_those_who_have_it() -> None:
    wish = wished(form(by_link="on", reliability="90", rating_from="1600", visibility="private", live_clock="none"))
    assert (wish.visibility, wish.rated, wish.clock) == ("link", False, "")
    assert (wish.reliability, wish.rating_from, wish.rating_to) == (0, None, None)


def test_more_options_are_open_when_something_in_them_is_wrong() -> None:
    assert not form().shows_more
    assert not form(seats="77").shows_more
    assert form(invited="nobody").shows_more


def test_an_option_that_is_offered_no_more_is_not_chosen() -> None:
    user = person()
    match = open_table(user, TableSetup("card-chess", 2))
    Match.objects.filter(pk=match.pk).update(options={"length": "for ever", "no-such-option": "yes"})
    assert preset("card-chess", user)["option-length"] == preset("card-chess", person())["option-length"]
