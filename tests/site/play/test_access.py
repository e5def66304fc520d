"""The cache of matches: whole when used, never older than what is known, and only running ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from games.play import access
from games.play.access import access_match, current_match, known_match
from games.play.boards.fragments import match_fragment
from games.play.models import Action, Match
from tests.people import Kinds, act, open_table, person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    access._cache.clear()
    yield
    access._cache.clear()


def test_a_match_that_was_loaded_is_rendered_without_asking_the_database_again(
    kinds: Kinds, django_assert_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    """A push is rendered where nothing may wait for the database."""
    act(kinds.match, "end")
    access._cache.clear()
    loaded = access_match(kinds.seated, kinds.match.slug)
    with django_assert_num_queries(0):
        known = known_match(kinds.mate, kinds.match.slug, loaded.match.version)
        assert known is not None
        pushed = match_fragment(known)
    assert pushed == match_fragment(kinds.table(kinds.mate))


def test_what_is_known_and_still_stands_is_not_loaded_again(
    kinds: Kinds, django_assert_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    """A page has loaded the match when it opens its socket."""
    access_match(kinds.seated, kinds.match.slug)
    with django_assert_num_queries(1):
        assert current_match(kinds.mate, kinds.match.slug).viewer == 1


def test_what_another_process_has_changed_is_loaded_again(kinds: Kinds) -> None:
    loaded = access_match(kinds.seated, kinds.match.slug).match
    Match.objects.filter(pk=loaded.pk).update(version=loaded.version + 1)
    assert current_match(kinds.seated, kinds.match.slug).match.version == loaded.version + 1


def test_a_load_that_was_slower_than_a_move_does_not_bring_the_old_position_back(kinds: Kinds) -> None:
    slow = access_match(kinds.seated, kinds.match.slug)
    act(kinds.match, "end")
    newer = access_match(kinds.mate, kinds.match.slug)
    access.remember(slow, loaded=True)
    known = known_match(kinds.seated, kinds.match.slug)
    assert known is not None
    assert known.match.version == newer.match.version > slow.match.version


def test_a_match_that_changed_while_it_was_read_is_not_kept(kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts may be of two versions."""
    tail = access.newest_actions

    def meanwhile(match: Match, most: int) -> tuple[Action, ...]:
        monkeypatch.setattr(access, "newest_actions", tail)
        act(kinds.match, "end")
        access._cache.clear()
        return tail(match, most)

    monkeypatch.setattr(access, "newest_actions", meanwhile)
    access_match(kinds.seated, kinds.match.slug)
    assert known_match(kinds.seated, kinds.match.slug) is None


def test_what_has_been_loaded_too_long_ago_is_loaded_again(kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "CACHED_FOR", -1.0)
    access_match(kinds.seated, kinds.match.slug)
    assert known_match(kinds.seated, kinds.match.slug) is None


def test_a_table_that_has_not_begun_is_not_kept() -> None:
    ann = person()
    table = open_table([ann], seats=2)
    access_match(ann, table.slug)
    assert known_match(ann, table.slug) is None


def test_a_private_match_that_is_known_stays_private(kinds: Kinds) -> None:
    kinds.match.visibility = kinds.match.Visibility.PRIVATE
    kinds.match.save()
    access_match(kinds.seated, kinds.match.slug)
    assert known_match(kinds.stranger, kinds.match.slug) is None
    assert known_match(kinds.mate, kinds.match.slug) is not None
