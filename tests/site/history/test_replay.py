"""The replay page: any position by address, every point of view once it is over, only the reader's own before."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.engine.codec import encode
from games.engine.fair import FairChance
from games.engine.protocol import Seat
from games.play import commands
from games.play.models import Match
from games.play.reducer.positions import decode_state, legal_texts
from tests.people import Kinds, act, client_of, person, play_on, play_out, running_match
from tests.site.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db


def _page(client: Client, match: Match, query: str = "", status: int = 200) -> str:
    response = client.get(f"/match/{match.slug}/replay/{query}")
    assert response.status_code == status, response.content
    return response.content.decode()


def _board(page: str) -> str:
    found = re.search(r'<div class="replay-board".*?<div class="replay-caption"', page, re.DOTALL)
    assert found is not None
    return found[0]


def _number(page: str) -> tuple[int, int]:
    found = re.search(r'data-number="(\d+)" data-length="(\d+)"', page)
    assert found is not None
    return int(found[1]), int(found[2])


@pytest.fixture
def over(kinds: Kinds) -> Kinds:
    """The match of `kinds` after a dozen actions and a resignation."""
    play_on(kinds.match, 12)
    commands.resign(kinds.match.pk, 0, "resigning-now")
    kinds.match.refresh_from_db()
    return kinds


# --- steps --------------------------------------------------------------------------------------------------------


def test_the_replay_opens_where_its_reader_left_the_match_else_at_its_beginning(over: Kinds, client: Client) -> None:
    length = over.match.length
    assert _number(_page(client_of(over.seated), over.match)) == (length, length)
    for reader in (client, client_of(over.stranger)):
        assert _number(_page(reader, over.match)) == (0, length)


def test_every_position_has_an_address_and_links_to_its_neighbours(over: Kinds, client: Client) -> None:
    length = over.match.length
    page = _page(client, over.match, "?at=5")
    links = dict(re.findall(r'rel="(first|prev|next|last)" href="([^"]+)"', page))
    assert links == {"first": "?at=0", "prev": "?at=4", "next": "?at=6", "last": f"?at={length}"}
    assert 'rel="prev"' not in _page(client, over.match, "?at=0")
    assert 'rel="next"' not in _page(client, over.match, f"?at={length}")


def test_stepping_through_shows_what_happened_at_each_step(over: Kinds, client: Client) -> None:
    boards = [_board(_page(client, over.match, f"?at={number}")) for number in range(4)]
    assert len(set(boards)) == 4


def test_a_line_of_the_log_leads_to_its_position_and_is_marked_there(over: Kinds, client: Client) -> None:
    page = _page(client, over.match, "?at=7&seat=1")
    assert re.search(r'href="\?at=3&(?:amp;)?seat=1"', page)
    marked = re.findall(r'href="\?at=(\d+)[^>]*aria-current="step"', page)
    assert set(marked) == {"7"}


def test_htmx_gets_the_position_without_the_frame(over: Kinds, client: Client) -> None:
    response = client.get(f"/match/{over.match.slug}/replay/?at=3", headers={"HX-Request": "true"})
    text = response.content.decode()
    assert text.lstrip().startswith("<section")
    assert "<html" not in text
    assert _number(text)[0] == 3


def test_withdrawn_actions_are_not_shown(kinds: Kinds) -> None:
    text = next(text for text in legal_texts(kinds.match, 0) if text.startswith("flip"))
    act(kinds.match, text)
    commands.undo(kinds.match.pk, 0, kinds.match.version)
    page = _page(client_of(kinds.seated), kinds.match)
    assert _number(page) == (0, 0)
    assert "Nothing has happened yet." in page


def test_the_end_is_told_in_words(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    page = _page(client, resigned([ann, bob]))
    assert "bob has resigned. ann wins." in page
    assert "1500? → 1520? (+20)" in page
    assert "ann and bob share first place." in _page(client, finished([ann, bob], [1, 1]), "?at=0")


def test_a_match_played_to_its_end_tells_who_won(kinds: Kinds, client: Client) -> None:
    match = play_out(kinds.match)
    winners = {seat.name for seat in match.seats.all() if seat.place == 1}
    page = _page(client, match)
    assert any(f"{name} has won." in page for name in winners) or "share first place." in page


def test_an_aborted_match_can_be_looked_at(kinds: Kinds, client: Client) -> None:
    commands.offer_abort(kinds.match.pk, 0)
    page = _page(client, kinds.match)
    assert "aborted the match before the first move; it does not count." in page
    assert 'id="view-1"' in page


def test_a_table_that_has_not_begun_leads_to_the_table(client: Client) -> None:
    match = running_match([person(), person()])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OPEN, started_at=None, state="")
    assert client.get(f"/match/{match.slug}/replay/").headers["Location"] == match.get_absolute_url()


def test_a_match_of_older_rules_is_explained_and_its_record_kept(over: Kinds, client: Client) -> None:
    Match.objects.filter(pk=over.match.pk).update(rules_version=99)
    assert "played under version 99 of the rules" in _page(client, over.match)
    assert client.get(f"/match/{over.match.slug}/record.json").status_code == 200
    assert client.get(f"/match/{over.match.slug}/draws.json").status_code == 404


# --- bad numbers --------------------------------------------------------------------------------------------------


def test_a_position_that_does_not_exist_is_answered_clearly(
    over: Kinds, client: Client, subtests: pytest.Subtests
) -> None:
    for at in ("99999", "-1", "one", "1.5", "٣", "9" * 40, "1e3"):
        with subtests.test(at):
            page = _page(client, over.match, f"?at={at}", 404)
            assert f"this match has positions 0 to {over.match.length}" in page
            assert _number(page) == (over.match.length, over.match.length)


def test_a_seat_that_does_not_exist_is_answered_clearly(over: Kinds, client: Client, subtests: pytest.Subtests) -> None:
    for seat in ("2", "-1", "nobody", "9" * 40):
        with subtests.test(seat):
            assert "There is no such seat in this match." in _page(client, over.match, f"?seat={seat}", 404)


# --- points of view -------------------------------------------------------------------------------------------------


def test_once_over_everybody_may_take_every_point_of_view(over: Kinds, client: Client) -> None:
    boards = {seat: _board(_page(client, over.match, f"?at=5&seat={seat}")) for seat in ("0", "1", "spectator")}
    assert len(set(boards.values())) == 3


def test_once_over_ones_own_point_of_view_comes_first(over: Kinds, client: Client) -> None:
    assert _board(_page(client_of(over.mate), over.match, "?at=5")) == _board(
        _page(client_of(over.stranger), over.match, "?at=5&seat=1")
    )
    assert _board(_page(client, over.match, "?at=5")) == _board(_page(client, over.match, "?at=5&seat=spectator"))


def test_from_anothers_point_of_view_nobody_is_called_you() -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob], game="card-chess", seed=bytes(32))
    play_on(match, 6)
    commands.resign(match.pk, 0, "resigning-now")
    anns = client_of(ann)
    assert ">You<" in _board(_page(anns, match, "?at=4&seat=0"))
    theirs = _board(_page(anns, match, "?at=4&seat=1"))
    assert ">You<" not in theirs
    assert ">ann<" in theirs


@pytest.mark.parametrize(
    ("game", "played", "own"),
    [("card-chess", 4, {"Your cards"}), ("small-islands", 6, {"Your hand", "Your objective"})],
)
def test_from_anothers_point_of_view_nothing_is_called_yours(game: str, played: int, own: set[str]) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob], game=game, seed=bytes(32))
    play_on(match, played)
    commands.resign(match.pk, 0, "resigning-now")
    boards = (_board(_page(client_of(ann), match, f"?at={played}&seat={seat}")) for seat in (0, 1))
    assert [set(re.findall(r">(Your [a-z]+)<", board)) for board in boards] == [own, set()]


def test_while_it_runs_other_points_of_view_are_refused(kinds: Kinds, subtests: pytest.Subtests) -> None:
    client = client_of(kinds.seated)
    own = _page(client, kinds.match)
    for seat in ("1", "spectator", "7", "nonsense"):
        with subtests.test(seat):
            refused = _page(client, kinds.match, f"?seat={seat}", 403)
            assert "only from your own point of view" in refused
            assert _board(refused) == _board(own)


def test_while_it_runs_strangers_see_what_spectators_see(
    kinds: Kinds, client: Client, subtests: pytest.Subtests
) -> None:
    for visitor in (client, client_of(kinds.stranger)):
        usual = _board(_page(visitor, kinds.match))
        for seat in ("0", "1"):
            with subtests.test(seat):
                assert _board(_page(visitor, kinds.match, f"?seat={seat}", 403)) == usual


def test_while_it_runs_no_hand_but_ones_own_is_in_the_page(kinds: Kinds, client: Client) -> None:
    def ids(visitor: Client) -> set[int]:
        return {int(card) for card in re.findall(r'(?:card-|value=")(\d+)"', _page(visitor, kinds.match, "?at=0"))}

    hands = decode_state(kinds.match).hands
    assert ids(client_of(kinds.seated)) >= set(hands[0])
    assert not ids(client) & {*hands[0], *hands[1]}
    assert not ids(client_of(kinds.seated)) & set(hands[1])


def test_the_page_is_the_same_whatever_the_others_hold(kinds: Kinds) -> None:
    """Another deal that looks the same to the viewer gives the same page, byte for byte (CSRF tokens aside)."""
    rules = kinds.match.rules
    for user, viewer in ((kinds.seated, Seat(0)), (kinds.mate, Seat(1)), (kinds.stranger, None)):
        client = client_of(user)
        before = _page(client, kinds.match)
        state = decode_state(kinds.match)
        imagined = rules.imagine(rules.view_for(state, viewer), FairChance(bytes(32), 0))
        assert imagined != state
        Match.objects.filter(pk=kinds.match.pk).update(state=encode(imagined))
        assert _without_tokens(_page(client, kinds.match)) == _without_tokens(before)
        Match.objects.filter(pk=kinds.match.pk).update(state=encode(state))


def _without_tokens(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


# --- doors --------------------------------------------------------------------------------------------------------


PAGES = ("replay/", "record.json", "draws.json")


@pytest.mark.parametrize("page", PAGES)
def test_a_private_match_does_not_exist_for_strangers(over: Kinds, client: Client, page: str) -> None:
    Match.objects.filter(pk=over.match.pk).update(visibility=Match.Visibility.PRIVATE)
    missing = client_of(over.stranger).get(f"/match/nosuchslug/{page}")
    for visitor in (client, client_of(over.stranger)):
        response = visitor.get(f"/match/{over.match.slug}/{page}")
        assert response.status_code == missing.status_code == 404
    for user in (over.seated, over.mate):
        assert client_of(user).get(f"/match/{over.match.slug}/{page}").status_code == 200


def test_lists_only_read(over: Kinds, subtests: pytest.Subtests) -> None:
    for path in ["/archive/", "/@seated/", "/leaderboard/", "/leaderboard/shifting-stones/live/"]:
        with subtests.test(path):
            _only_reads(over, path)


def test_pages_of_a_match_only_read(over: Kinds, subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(page):
            _only_reads(over, f"/match/{over.match.slug}/{page}")


def _only_reads(over: Kinds, path: str) -> None:
    before = Match.objects.values().get(pk=over.match.pk)
    client = client_of(over.seated)
    assert client.get(path).status_code == 200
    assert client.head(path).status_code == 200
    for method in (client.post, client.put, client.patch, client.delete):
        assert method(path).status_code == 405
    assert Match.objects.values().get(pk=over.match.pk) == before


@pytest.mark.parametrize(("game", "word"), [("card-chess", "Gold"), ("small-islands", "Points")])
def test_the_result_is_counted_in_the_word_of_the_game(client: Client, game: str, word: str) -> None:
    page = _page(client, resigned([person(), person()], game=game))
    assert f'data-label="{word}"' in page.split('id="outcome"')[1]
