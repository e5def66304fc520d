"""The board of Small Islands, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_lazy as _

from games.engine.protocol import Outcome, Seat
from games.titles import Fact, Number, Scene, SoloResult
from games.titles.phrases import listing
from games.titles.small_islands.board import wording
from games.titles.small_islands.board.action_drawing import pictured
from games.titles.small_islands.board.form import compose, marks
from games.titles.small_islands.board.log_pictures import log_picture
from games.titles.small_islands.board.map_drawing import thumbnail
from games.titles.small_islands.board.page import TEMPLATE, own_regions, regions
from games.titles.small_islands.board.wording import line
from games.titles.small_islands.rules.notation import parse
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import HOUSES, Table
from games.titles.small_islands.rules.view import View

__all__ = ["TEMPLATE", "compose", "line", "log_picture", "marks", "own_regions", "pictured", "regions", "thumbnail"]

PITCH = _("Shape islands tile by tile, then land when they pay you most.")
STYLES = ("small_islands/board.css",)
UNSCRIPTED = ("small_islands/unscripted.css",)
SCRIPTS = ("play/fresh.js", "small_islands/map.js", "small_islands/tokens.js", "small_islands/choose.js")
MOTION = "small_islands/motion.js"
SPRITE = "small_islands/sprite.svg"
"""A Django template with the drawings, placed once in a page and outside what is pushed."""
THUMBNAIL_SPRITE = "small_islands/thumbnail.svg"
RULES = (
    ("small_islands/rules/short.html", _("In short")),
    ("small_islands/rules/pieces.html", _("Tiles, cards and tokens")),
    ("small_islands/rules/setup.html", _("Set-up")),
    ("small_islands/rules/placing.html", _("Placing tiles")),
    ("small_islands/rules/round.html", _("A round")),
    ("small_islands/rules/exploring.html", _("Exploring")),
    ("small_islands/rules/landing.html", _("Landing a ship")),
    ("small_islands/rules/reward.html", _("Reward phase")),
    ("small_islands/rules/objectives.html", _("Objectives")),
    ("small_islands/rules/end.html", _("The end")),
    ("small_islands/rules/solo.html", _("Alone, against Alexis")),
    ("small_islands/rules/options.html", _("Options for a table")),
    ("small_islands/rules/rulings.html", _("Rulings")),
    ("small_islands/rules/glossary.html", _("Glossary")),
    ("small_islands/rules/site.html", _("At this table")),
)
RULES_STYLES = ("small_islands/rules.css",)
OPEN = True
COUNTED = (
    ("houses", _("Houses placed")),
    ("ports", _("Points for Ports")),
    ("discoveries", _("Discovery tokens kept")),
)
SHORTCUTS = (
    ("1 – 5", _("take a face-up tile, place a tile from your hand")),
    ("← ↑ → ↓, Enter", _("go to a cell of the map and choose it")),
    ("R", _("turn the tile")),
    ("S", _("place, confirm or settle")),
    ("Esc", _("clear your choice")),
    ("+ −", _("zoom in or out")),
    ("Shift + ← ↑ → ↓", _("move the map")),
    ("Home", _("show the whole map")),
)

# --- what is around the board -----------------------------------------------------------------------------------


def status(scene: Scene) -> str:
    """Return in one sentence who must do what, or how the match ended, in the words of this viewer."""
    view: View = scene.view
    if view.outcome is not None:
        return _ending(scene, view.outcome)
    if view.viewer in view.to_move:
        if not scene.active:
            return gettext("Your turn.")
        if not view.ships or view.table.phase != "explore":
            return str(_YOURS[view.table.phase])
        return (
            gettext("Your turn: take and place a tile, or land.")
            if view.table.tiles_up
            else gettext("Your turn: land.")
        )
    names = listing(scene.names[seat] for seat in view.to_move)
    return str(_OTHERS[view.table.phase]) % {"name": names}


_YOURS = {
    "start": _("Your turn: place a start tile."),
    "choose": _("Choose your objective for this round."),
    "explore": _("Your turn: take a tile and place one."),
    "reward": _("Your turn: place Houses, or none."),
}
_OTHERS = {
    "start": _("%(name)s places the start tiles."),
    "choose": _("Waiting for %(name)s to choose an objective."),
    "explore": _("%(name)s is exploring."),
    "reward": _("%(name)s is placing Houses."),
}


def _ending(scene: Scene, outcome: Outcome) -> str:
    view: View = scene.view
    if view.table.solo:
        return wording.solo_result(scene.names[0], *(tally.total for tally in view.tallies))
    return wording.ending(scene.names, outcome, None if view.viewer is None else Seat(view.viewer))


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return for each seat its points as far as the viewer knows them, Houses placed and bonus tokens left."""
    table, language = scene.view.table, get_language()
    tallies = scene.view.tallies
    return [
        _facts(tallies[seat].total, table.houses_placed(seat), len(table.tokens_left(seat)), language)
        for seat in range(table.seats)
    ]


@lru_cache(maxsize=4096)
def _facts(score: int, houses: int, tokens: int, language: str | None) -> tuple[Fact, ...]:
    return (
        Fact("score", gettext("Points"), str(score)),
        Fact("houses", gettext("Houses"), f"{houses}/{HOUSES}"),
        Fact("tokens", gettext("Tokens"), str(tokens)),
    )


def rules_section(scene: Scene) -> str:
    """Return the section about this part of the round; about landing as soon as somebody can."""
    table: Table = scene.view.table
    if table.phase == "explore":
        return "exploring" if table.navigation else "landing"
    return _SECTIONS[table.phase]


_SECTIONS = {"start": "setup", "choose": "round", "reward": "reward", "over": "end"}


def decisive(scene: Scene) -> Sequence[Number]:
    """Return points and where they come from."""
    tallies = scene.view.tallies[: scene.view.table.seats]
    labels = gettext("Points"), gettext("Islands"), gettext("Discovery"), gettext("Ports")
    values = zip(*((tally.total, tally.islands, tally.discoveries, tally.ports) for tally in tallies), strict=True)
    return [Number(label, tuple(map(str, each))) for label, each in zip(labels, values, strict=True)]


def secret(text: str, view: View) -> str:
    """Return the objective that is chosen."""
    return wording.choice(parse(text))


def solo_result(scene: Scene) -> SoloResult | None:
    """Return the result of a finished match against Alexis: won before lost, then the harder card, then the margin."""
    view: View = scene.view
    if not view.table.solo or view.outcome is None:
        return None
    mine, his = (tally.total for tally in view.tallies)
    stars = CARDS[str(view.table.alexis)]["stars"] if mine > his else 0
    return SoloResult(stars * 1000 + mine - his, _ending(scene, view.outcome))


def counts(scene: Scene) -> Sequence[Mapping[str, int]]:
    """Return Houses placed, points for Ports and discovery tokens of each seat."""
    view: View = scene.view
    table = view.table
    owners, tallies = [table.houses[found.house].seat for found in table.discoveries], view.tallies
    return [
        {"houses": table.houses_placed(seat), "ports": tallies[seat].ports, "discoveries": owners.count(seat)}
        for seat in range(table.seats)
    ]
