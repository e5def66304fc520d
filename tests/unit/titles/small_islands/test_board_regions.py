"""What a move changes on the board: few regions, most of them the same for everybody; and what each may tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

from games.engine import runner
from games.engine.fair import FairChance, final_seed
from games.engine.protocol import Seat, Viewer
from games.titles import regions as core
from games.titles.regions import Page
from games.titles.small_islands import GAME, board
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import SEED
from tests.unit.titles.small_islands.settlers import next_text
from tests.unit.titles.small_islands.showing import scene

Plays = list[runner.Play[State]]

MOST_DRAWN, MOST_OF_ALL = 16, 32
"""For one viewer, and for both players and a spectator together: a tile more, the cells around it, the islands it
joins, a tile in the row and the hand, whose turn it is, and what can be chosen."""

OF_ALL = ("stands", "map", "tiles", "homes", "last", "rulers", "supplies", "tokens-left")
EACH_OF_ALL = ("lies-", "laden-", "home-", "gap-", "supply-")


@pytest.fixture(scope="module")
def plays() -> Plays:
    """A match of two, simply played."""
    seed = final_seed(SEED, [b""] * 2)
    found: Plays = [runner.begin(GAME, 2, {}, seed)]
    while (play := found[-1]).outcome is None:
        seat = min(play.to_move)
        found.append(runner.act(GAME, play.position, seat, GAME.parse(next_text(play.state, seat)), seed))
    return found


def pages(play: runner.Play[State]) -> Mapping[Viewer, Page]:
    viewers: tuple[Viewer, ...] = (None, Seat(0), Seat(1))
    return {viewer: Page(board.own_regions(scene(play.state, viewer, play.events))) for viewer in viewers}


def moves(plays: Plays) -> list[tuple[Mapping[Viewer, Page], Mapping[Viewer, Page]]]:
    """Return what everybody saw before and after each exploration."""
    steps = [step for step in pairwise(plays) if all(play.state.table.phase == "explore" for play in step)]
    return [(pages(before), pages(after)) for before, after in steps]


def test_a_move_draws_few_regions_and_none_that_looks_as_before(plays: Plays, monkeypatch: pytest.MonkeyPatch) -> None:
    draw, drawn = core._draw, list[str]()

    def counted(drawing: core.Drawing, inputs: Mapping[str, object]) -> str:
        drawn.append(str(drawing))
        return draw(drawing, inputs)

    monkeypatch.setattr(core, "_draw", counted)
    for before, after in moves(plays):
        of_all = 0
        for viewer, now in after.items():
            then = before[viewer]
            assert then.html
            drawn.clear()
            assert now.since(then) is not None
            of_all += len(drawn)
            assert len(drawn) <= MOST_DRAWN
            changed = [name for name, each in now.regions.items() if then.regions.get(name, each) != each]
            assert [name for name in changed if now.drawn(name) == then.drawn(name)] == []
        assert of_all <= MOST_OF_ALL


def test_what_is_open_to_all_is_the_same_for_all(plays: Plays) -> None:
    for play in plays:
        found = [
            {name: each for name, each in page.regions.items() if name in OF_ALL or name.startswith(EACH_OF_ALL)}
            for page in pages(play).values()
        ]
        spectator, *players = found
        assert players[0] == players[1]
        assert spectator.items() <= players[0].items()


def test_no_region_depends_on_what_its_reader_may_not_know(plays: Plays) -> None:
    for play in plays[::5]:
        for viewer, page in pages(play).items():
            shown = scene(play.state, viewer, play.events)
            world = GAME.imagine(shown.view, FairChance(SEED, 1_000_000 + play.number))
            imagined = board.own_regions(replace(shown, view=GAME.view_for(world, viewer)))
            assert [name for name in page.regions if imagined[name] != page.regions[name]] == []
            assert imagined.keys() == page.regions.keys()
