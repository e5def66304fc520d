"""The fragment of a match is markup throughout: pieces are put together as they are, names of people are escaped."""

from __future__ import annotations

from games.play.boards.fragments import match_fragment
from tests.people import Kinds, act


def test_players_and_log_are_markup_and_not_its_text(kinds: Kinds) -> None:
    act(kinds.match, "end")
    for viewer in (kinds.seated, kinds.mate, kinds.stranger, None):
        fragment = match_fragment(kinds.table(viewer))
        assert "&lt;" not in fragment
        assert '<li class="player' in fragment
        assert 'id="log-1"' in fragment
