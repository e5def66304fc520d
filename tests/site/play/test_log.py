"""The log speaks to its reader: "you" is the person reading, whichever seat's view they look at."""

from __future__ import annotations

import re

from django.urls import reverse

from games.play import commands
from games.play.boards.fragments import board_at, match_fragment
from games.play.boards.log import log_lines
from tests.people import Kinds, act, client_of, person, running_match


def test_everybody_is_you_in_their_own_log_alone(kinds: Kinds) -> None:
    act(kinds.match, "end", 0)
    for _ in range(2):  # the second time from the caches
        assert "You end your turn." in told(match_fragment(kinds.table(kinds.seated)))
        for reader in (kinds.mate, kinds.stranger, None):
            assert "seated ends the turn." in told(match_fragment(kinds.table(reader)))


def told(fragment: str) -> list[str]:
    """Return the sentences that styles show: those for the reader's own seat, otherwise those for everybody."""
    seat = re.search(r'<section id="match"[^>]* data-seat="(\d)"', fragment)
    shown = []
    for line in re.findall(r"/replay/\?at=\d+\">(.*?)</a>", fragment):
        versions = dict(re.findall(r'<span (data-told="\d"|class="all")>(.*?)</span>', line))
        own = f'data-told="{seat[1]}"' if seat else ""
        shown.append(versions.get(own) or versions.get('class="all"', line))
    return shown


def test_the_lines_of_one_action_are_read_downwards_and_the_latest_action_comes_first(kinds: Kinds) -> None:
    act(kinds.match, "skip", 0)
    act(kinds.match, "end", 1)
    client, slug = client_of(kinds.stranger), kinds.match.slug
    for address in (kinds.match.get_absolute_url(), reverse("match_log", args=[slug])):
        page = client.get(address).content.decode()
        order = [page.index(text) for text in ("mate ends the turn.", "seated skips", "seated draws 2 cards.")]
        assert order == sorted(order), address


def test_leaving_is_told_like_everything_else(db: None) -> None:
    ann, bob = person("ann-stays"), person("bob-leaves")
    match = running_match([ann, bob])
    commands.resign(match.pk, 1, "resigning-1")
    told = [client_of(reader).get(match.get_absolute_url()).content.decode() for reader in (ann, bob)]
    assert "bob-leaves resigned." in told[0]
    assert "You resigned." in told[1]


def test_in_a_replay_through_somebody_elses_eyes_the_reader_is_still_you(kinds: Kinds) -> None:
    act(kinds.match, "end", 0)
    act(kinds.match, "end", 1)
    table = kinds.table(kinds.seated)
    for viewer in (0, 1, None):
        told = [line.text for line in log_lines(table, viewer)]  # type: ignore[arg-type]  # seats are numbers
        assert "You end your turn." in told
        assert "mate ends the turn." in told
        assert board_at(table, 2, viewer).lines[0] == "mate ends the turn."  # type: ignore[arg-type]  # as above


def test_the_whole_log_speaks_to_its_reader(kinds: Kinds) -> None:
    act(kinds.match, "end", 0)
    address = reverse("match_log", args=[kinds.match.slug])
    assert "You end your turn." in client_of(kinds.seated).get(address).content.decode()
    assert "seated ends the turn." in client_of(kinds.mate).get(address).content.decode()


def test_who_played_alone_won_or_lost_and_has_no_place(db: None) -> None:
    ann = person("ann-alone")
    match = running_match([ann])
    commands.resign(match.pk, 0, "resigning-1")
    client = client_of(ann)
    for address in (
        match.get_absolute_url(),
        reverse("replay", args=[match.slug]),
        reverse("my_matches"),
        reverse("archive"),
        reverse("profile", args=[ann.username]),
    ):
        html = client.get(address).content.decode()
        assert "lost</span>" in html or "Lost</span>" in html, address
        assert "Place" not in html, address
