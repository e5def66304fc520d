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
from games.titles.regions import Page, Shared
from games.titles.small_islands import GAME, board
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import SEED
from tests.unit.titles.small_islands.settlers import next_text
from tests.unit.titles.small_islands.showing import page, scene

Plays = list[runner.Play[State]]

MOST_DRAWN, MOST_OF_ALL = 16, 32
"""For one viewer, and for both players and a spectator together: a tile more, the cells around it, the islands it
joins, a tile in the row and the hand, whose turn it is, and what can be chosen."""

OPEN_TO_ALL = {"tiles", "homes", "last", "cells", "rulers", "supplies", "tokens-left"}


@pytest.fixture(scope="module", params=[(1, {"alexis": "night"}), (2, {}), (3, {"start": "by_hand"})])
def plays(request: pytest.FixtureRequest) -> Plays:
    """A match, simply played."""
    seats, options = request.param
    seed = final_seed(SEED, [b""] * seats)
    found: Plays = [runner.begin(GAME, seats, options, seed)]
    while (play := found[-1]).outcome is None:
        seat = min(play.to_move)
        found.append(runner.act(GAME, play.position, seat, GAME.parse(next_text(play.state, seat)), seed))
    return found


def viewers(play: runner.Play[State]) -> tuple[Viewer, ...]:
    return (None, *map(Seat, range(play.state.table.seats)))


def pages(play: runner.Play[State]) -> Mapping[Viewer, Page]:
    """Return what everybody sees, as in a match: what all players see alike is one and the same."""
    watching = scene(play.state, None, play.events)
    shared = {seated: Shared(board.regions(replace(watching, for_players=seated))) for seated in (False, True)}
    return {
        viewer: Page(board.own_regions(scene(play.state, viewer, play.events)), shared[viewer is not None])
        for viewer in viewers(play)
    }


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
            assert [name for name in changed if drawn_of(now, name) == drawn_of(then, name)] == []
        assert of_all <= MOST_OF_ALL


def drawn_of(page: Page, name: str) -> str:
    return core._drawn(name, page.regions, page.language)


def test_all_players_share_the_same_regions(plays: Plays) -> None:
    for play in plays:
        watching = scene(play.state, None, play.events)
        shared = board.regions(replace(watching, for_players=True))
        assert shared.keys() >= OPEN_TO_ALL
        for viewer in viewers(play)[1:]:
            assert board.regions(scene(play.state, viewer, play.events)) == shared
        assert {name: each for name, each in board.regions(watching).items() if shared.get(name) == each}.keys() >= (
            OPEN_TO_ALL - {"cells"}
        )


def test_shared_regions_hold_only_shared_ones_and_every_region_lies_in_one_other(plays: Plays) -> None:
    for play in plays:
        for seen in pages(play).values():
            assert seen.own.keys().isdisjoint(seen.shared.regions)
            assert all(seen.shared.regions.keys() >= set(each.inside or ()) for each in seen.shared.regions.values())
            held = [name for each in seen.regions.values() for name in each.inside or ()]
            assert sorted([seen.root, *held]) == sorted(seen.regions)


def test_a_page_may_come_from_any_earlier_one(plays: Plays) -> None:
    for step in (7, 12, 40):
        for before, after in pairwise(plays[::step]):
            now, then = pages(after), pages(before)
            assert all(now[viewer].since(then[viewer]) is not None for viewer in now)


def test_no_region_depends_on_what_its_reader_may_not_know(plays: Plays) -> None:
    for play in plays[::5]:
        for viewer, seen in pages(play).items():
            shown = scene(play.state, viewer, play.events)
            world = GAME.imagine(shown.view, FairChance(SEED, 1_000_000 + play.number))
            imagined = page(replace(shown, view=GAME.view_for(world, viewer)))
            assert [name for name, each in seen.regions.items() if imagined.regions[name] != each] == []
            assert imagined.regions.keys() == seen.regions.keys()
