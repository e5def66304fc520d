"""How long a Shifting Stones board takes to render for one viewer, and how large it is."""

from __future__ import annotations

import gzip
import os
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from games.engine import fair, runner  # noqa: E402  needs the apps
from games.engine.protocol import Seat, Viewer  # noqa: E402  needs the apps
from games.titles import Scene, titles  # noqa: E402  needs the apps
from games.titles.shifting_stones import GAME  # noqa: E402  needs the apps

ROUNDS = 20


def scenes(seats: int) -> list[Scene]:
    """Return what each viewer sees after each action of a random match."""
    seed = fair.final_seed(bytes(32), [b""] * seats)
    choices, found = fair.Stream(seed, "benchmark:choices"), list[Scene]()
    play = runner.begin(GAME, seats, {}, seed)
    viewers: list[Viewer] = [None, *map(Seat, range(seats))]
    names = ("ann", "bob", "cleo", "dan", "eve")[:seats]
    while play.outcome is None and play.number < 400:
        legal = list(GAME.legal_actions(play.state, min(play.to_move)))
        play = runner.act(GAME, play.position, min(play.to_move), legal[choices.below(len(legal))], seed)
        for viewer in viewers:
            told = tuple(event for event in play.events if event.is_seen_by(viewer))
            found.append(Scene(GAME.view_for(play.state, viewer), viewer, names, told, viewer in play.to_move))
    return found


def main() -> None:
    title = titles()[GAME.slug]
    print(f"{'seats':>5} {'boards':>7} {'ms, first':>10} {'ms, again':>10} {'kB, gzip':>9} {'largest':>8}")
    for seats in GAME.seats:
        shown = scenes(seats)
        times = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            pages = [title.page_of(scene).html for scene in shown]
            times.append((time.perf_counter() - started) / len(shown) * 1000)
        sizes = sorted(len(gzip.compress(page.encode(), 6)) / 1000 for page in pages)
        median = sizes[len(sizes) // 2]
        print(f"{seats:5} {len(shown):7} {times[0]:10.3f} {min(times):10.3f} {median:9.2f} {sizes[-1]:8.2f}")


if __name__ == "__main__":
    main()
