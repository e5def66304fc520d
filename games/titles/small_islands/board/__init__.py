"""The board of Small Islands, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event, Outcome
from games.titles import Fact, Number, Scene, SoloResult
from games.titles.phrases import listing
from games.titles.small_islands.board import wording
from games.titles.small_islands.board.form import compose, marks
from games.titles.small_islands.board.map_drawing import Outline, picture, thumbnail
from games.titles.small_islands.board.page import TEMPLATE, own_regions, regions
from games.titles.small_islands.board.panels import objective_card, preview
from games.titles.small_islands.board.wording import line, located
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import DISCOVERY_TOKENS, OWN_SHIP, Cell
from games.titles.small_islands.rules.exploration import laid_token
from games.titles.small_islands.rules.islands import Placed, Token
from games.titles.small_islands.rules.notation import Choose, Explore, Land, Settle, Start, TokenUse, parse
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import FACE_OF, HOUSES, House, Table
from games.titles.small_islands.rules.view import View

__all__ = [
    "TEMPLATE",
    "compose",
    "line",
    "located",
    "log_picture",
    "marks",
    "own_regions",
    "pictured",
    "preview",
    "regions",
    "thumbnail",
]

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
    ("R", _("rotate the tile")),
    ("S", _("place or confirm")),
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
        if not (view.ships and view.berths) or view.table.phase != "explore":
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
    return wording.ending(scene.names, outcome, scene.reader)


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return for each seat its points, Houses placed and bonus tokens left.

    As long as the match goes on its discovery tokens are pending, the viewer's own with their value.
    """
    view: View = scene.view
    table, tallies, language = view.table, view.tallies, get_language()
    held = Counter[int]() if table.phase == "over" else _discoveries(table)
    found = []
    for seat in range(table.seats):
        known = tallies[seat].discoveries if held[seat] else 0
        houses, tokens = table.houses_placed(seat), len(table.tokens_left(seat))
        found.append(_facts(tallies[seat].total - known, held[seat], known, houses, tokens, language))
    return found


def _discoveries(table: Table) -> Counter[int]:
    """Return how many discovery tokens each seat keeps."""
    return Counter(table.houses[found.house].seat for found in table.discoveries)


@lru_cache(maxsize=4096)
def _facts(  # noqa: PLR0917  all that it depends on
    score: int, held: int, known: int, houses: int, tokens: int, language: str | None
) -> tuple[Fact, ...]:
    return (
        Fact("score", gettext("Points"), str(score), *(_pending(held, known) if held else ())),
        Fact("houses", gettext("Houses"), f"{houses}/{HOUSES}"),
        Fact("tokens", gettext("Tokens"), str(tokens)),
    )


def _pending(held: int, known: int) -> tuple[str, str]:
    """Return what discovery tokens will bring: their value where it is known, else how many they are; and why."""
    if known:
        why = ngettext(
            "%(count)s discovery token, counted at the end; only you see its value",
            "%(count)s discovery tokens, counted at the end; only you see their value",
            held,
        )
        return f"+ {known}", why % {"count": held}
    why = ngettext(
        "%(count)s discovery token: worth %(least)s to %(most)s points, counted at the end",
        "%(count)s discovery tokens: worth %(least)s to %(most)s points each, counted at the end",
        held,
    )
    return f"+ {held} ★", why % {"count": held, "least": min(DISCOVERY_TOKENS), "most": max(DISCOVERY_TOKENS)}


def rules_section(scene: Scene) -> str:
    """Return the section about this part of the round; about landing as soon as somebody can."""
    table: Table = scene.view.table
    if table.phase == "explore":
        return "exploring" if table.navigation else "landing"
    return _SECTIONS[table.phase]


_SECTIONS = {"start": "setup", "choose": "round", "reward": "reward", "over": "end"}


def brought(event: Event) -> tuple[int, int] | None:
    """Return who got how many points by a House, or by the discovery token they kept for it."""
    match event:
        case events.HousePlaced():
            return event.seat, event.points
        case events.DiscoveryKept():
            return event.seat, event.value
    return None


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
    held, tallies = _discoveries(table), view.tallies
    return [
        {"houses": table.houses_placed(seat), "ports": tallies[seat].ports, "discoveries": held[seat]}
        for seat in range(table.seats)
    ]


# --- an action in a picture: the part of the map where it happens, or the objective that is chosen --------------------


def pictured(text: str, view: View) -> SafeString:
    """Return an action in a picture, what it places with a frame; empty if it places nothing, or for nobody's seat."""
    action, seat, table = parse(text), view.viewer, view.table
    if seat is None:
        return SafeString()
    match action:
        case Choose():
            drawn = objective_card(action.keep)
        case Explore():
            drawn = _around(table, Placed(str(action.tile), action.cell, action.turn, seat), action.token)
        case Land():
            drawn = _around(table, Placed(FACE_OF[action.ship], action.cell, 0, seat))
        case Start():
            drawn = _around(table, Placed(action.face, action.cell, action.turn, seat))
        case Settle() if action.sites:
            houses = [House(seat, table.round, site, 0, 0, 0) for site in action.sites]
            drawn = _map(table, [site.cell for site in action.sites], houses=houses)
        case _:
            drawn = SafeString()
    return drawn


def _around(table: Table, placed: Placed, use: TokenUse | None = None) -> SafeString:
    """Return a new tile among its neighbours, and the bonus token that is laid with it."""
    if use is None or placed.seat is None:
        return _map(table, [placed.cell], [placed])
    token = laid_token(placed.seat, use, (*table.board, placed))
    return _map(table, [placed.cell, token.site.cell], [placed], [token])


def _map(
    table: Table,
    cells: Collection[Cell],
    placed: Collection[Placed] = (),
    tokens: Collection[Token] = (),
    houses: Collection[House] = (),
) -> SafeString:
    """Return the map around some cells, which are framed, with what is placed there."""
    near = {Cell(x + right, y + down) for x, y in cells for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return picture(
        [each for each in (*table.board, *placed) if each.cell in near],
        [token for token in (*table.tokens, *tokens) if token.site.cell in near],
        [house for house in (*table.houses, *houses) if house.site.cell in near],
        [Outline(cell, "yes") for cell in cells],
        ", ".join(map(wording.cell_name, cells)),
        None,
    )


# --- what an action did, in small pictures for the log ----------------------------------------------------------------

_TILE = '<svg viewBox="0 0 100 100"><use href="#face-{}"{}/></svg>'
_SIGN = '<svg viewBox="-15 -15 30 30"><use href="#{}"/></svg>'


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return a tile or a ship as it lies now, a token, or a House."""
    match event:
        case events.TilePlaced():
            return _tile(str(event.tile), event.turn)
        case events.StartTilePlaced():
            return _tile(event.face, event.turn)
        case events.ShipPlaced():
            face = FACE_OF[event.ship]
            return _tile(f"own-{event.seat}" if face == OWN_SHIP else face, 0)
        case _:
            sign = _sign(event)
            return format_html(_SIGN, sign) if sign else SafeString()


def _sign(event: Event) -> str:
    match event:
        case events.TokenLaid():
            return f"sign-{event.shows}"
        case events.HousePlaced():
            return f"house-{event.seat}"
        case events.DiscoveryKept():
            return "sign-discovery"
    return ""


def _tile(face: str, turn: int) -> SafeString:
    turned = format_html(' transform="rotate({} 50 50)" class="r{}"', 90 * turn, turn) if turn else ""
    return format_html(_TILE, face, turned)
