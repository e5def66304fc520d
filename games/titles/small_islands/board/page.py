"""The board as regions: what draws each part of it that changes alone, and what that part looks like."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeAlias

from games.titles import Scene
from games.titles.regions import Region, region
from games.titles.small_islands.board import form, map_drawing, panels, wording
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import SHIPS
from games.titles.small_islands.rules.rounds import ENDLESS
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import ALEXIS
from games.titles.small_islands.rules.view import View

TEMPLATE = "small_islands/board.jinja"

Regions: TypeAlias = Mapping[str, Region]


def own_regions(scene: Scene) -> Regions:
    """Return the parts of the board, from the scene alone."""
    shown = _Shown(scene)
    progress = region(f"{TEMPLATE}#stands", **panels.progress(shown.view, scene.names))
    return _holding(
        "islands-board",
        {"stands": progress},
        _map(shown),
        _side(shown),
        _asked(shown),
        _below(shown),
        macro="board",
        mode=shown.mode,
        phase=shown.table.phase,
    )


def _holding(name: str, *parts: Regions, macro: str = "", **inputs: Hashable) -> Regions:
    """Return a region with others inside: of each part, which may be empty, the first region, which holds the rest."""
    there = [part for part in parts if part]
    found = {name: _outer(name, macro, [next(iter(part)) for part in there], inputs)}
    for part in there:
        found |= part
    return found


def _list(name: str, inside: Regions, macro: str = "", **inputs: Hashable) -> Regions:
    """Return a region and all those inside it."""
    return {name: _outer(name, macro, list(inside), inputs), **inside}


def _outer(name: str, macro: str, inside: list[str], inputs: Mapping[str, Hashable]) -> Region:
    return region(f"{TEMPLATE}#{macro or name.replace('-', '_')}", inside=inside, **inputs)


class _Shown:
    """What is shown, and what several parts of the board need of it.

    Attributes:
        takes: the viewer may take a tile, now or in a turn to come.
        spots: the places of the tiles to choose from, if the viewer takes one now.
        puts_back: none of three tiles fits anywhere, with one of the face-up ones.
        prospects: what the viewer's objective would bring, island by island.
        places: where the viewer may place a House now.
        rewards: who revealed and placed what in the latest Reward phase; in one's own turn only who has revealed.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.names, self.hints, self.asks = scene, scene.names, scene.hints, scene.active
        self.view: View = scene.view
        self.table = table = self.view.table
        self.seated = self.view.viewer is not None
        self.mode = "watch" if not self.seated else "play" if self.asks else "wait"
        self.takes = self.seated and table.phase == "explore" and table.tiles_up
        self.spots = self.view.spots if self.asks and self.takes else {}
        self.puts_back = bool(self.spots) and not any(self.spots[tile] for tile in self.view.hand)
        self.puts_back = self.puts_back and any(tile is not None and not self.spots[tile] for tile in table.row)
        self.prospects = () if table.phase == "over" else self.view.prospects
        settles = self.asks and table.phase == "reward"
        self.places = map_drawing.house_places(table, self.prospects, self.hints) if settles else ()
        rewarded = panels.reward_phase(table, self.names)
        self.rewards = tuple(row for row in rewarded if row.cards or not self.asks)


# --- the map --------------------------------------------------------------------------------------------------------


def _map(shown: _Shown) -> Regions:
    """Return the map with what lies there; for players also the cells they choose from when it is their turn."""
    table = shown.table
    left, top, width, height = map_drawing.frame(table)
    last = region(f"{TEMPLATE}#last", rings=map_drawing.rings(shown.scene.recent, table.board))
    marks = region(f"{TEMPLATE}#places", marks=tuple(place.mark for place in shown.places))
    rulers = region(f"{TEMPLATE}#rulers", digits=width // 30, left=left, top=top)
    has_cells = shown.seated and table.phase != "over"
    return _holding(
        "map",
        {"edge": region(map_drawing.edge, reach=table.reach)} if table.reach != ENDLESS else {},
        _list("tiles", map_drawing.tiles(table.board, table.tokens)),
        _list("homes", map_drawing.homes(table)),
        {"last": last},
        _list("cells", map_drawing.cells(table.board, table.reach) if has_cells else {}),
        {"places": marks},
        {"rulers": rulers},
        frame=f"{left} {top} {width} {height}",
        width=map_drawing.pixels(width),
        height=map_drawing.pixels(height),
    )


# --- beside the map -------------------------------------------------------------------------------------------------


def _side(shown: _Shown) -> Regions:
    return _holding("side", _tray(shown), _count(shown), _objective(shown), _alexis(shown), asks=shown.asks)


def _tray(shown: _Shown) -> Regions:
    view, table = shown.view, shown.table
    if table.phase == "over":
        return {}
    if table.phase == "start":
        faces = {f"start-{face}": region(panels.start_tile, face=face) for face in view.start_spots if shown.asks}
        return _holding("tray", _list("hand", faces, macro="start_tiles") if faces else {})
    up = {
        f"up-{slot}": region(panels.face_up, slot=slot, tile=tile, takes=shown.takes)
        for slot, tile in enumerate(table.row, start=1)
    }
    return _holding("tray", _list("row", up, takes=shown.takes), _hand(shown) if shown.seated else {})


def _hand(shown: _Shown) -> Regions:
    free = shown.puts_back or not shown.spots  # a tile that fits nowhere can be chosen only to be put back
    held = [
        {f"held-{tile}": region(panels.own_tile, tile=tile, takes=shown.takes, fits=free or bool(shown.spots[tile]))}
        for tile in shown.view.hand
    ]
    taken = {
        f"taken-{slot}": region(f"{TEMPLATE}#taken_tile", slot=slot, tile=tile)
        for slot, tile in enumerate(shown.table.row, start=1)
        if tile is not None
    }
    return _holding("hand", *held, _list("taken", taken) if shown.takes else {}, takes=shown.takes)


def _count(shown: _Shown) -> Regions:
    if shown.view.outcome is None:
        return {}
    rows = panels.final_count(shown.view, shown.names)
    return {"count": region(f"{TEMPLATE}#count", rows=rows, solo=shown.table.solo)}


def _objective(shown: _Shown) -> Regions:
    """Return the viewer's own objective of this round and what it put aside; nothing once the match is over."""
    view, table = shown.view, shown.table
    if table.phase != "over" and view.kept:
        aside = () if table.round == SHIPS else view.aside
        worth = panels.worth(view, shown.prospects) if shown.hints else None
        return {
            "objective": region(panels.objective, inside=("worth",), kept=view.kept, aside=aside),
            "worth": region(panels.worth_now, worth=worth),
        }
    if shown.seated and table.phase in {"start", "choose"}:
        return {"objective": region(f"{TEMPLATE}#no_objective")}
    return {}


def _alexis(shown: _Shown) -> Regions:
    """Return the card Alexis plays by, what he did last, and his expedition stack."""
    view, table, scene = shown.view, shown.table, shown.scene
    if table.alexis is None:
        return {}
    his = (event for event in scene.recent if getattr(event, "seat", None) == ALEXIS)
    lines = tuple(filter(None, (wording.line(event, scene.names, scene.viewer) for event in his)))
    drawn = tuple(map(wording.expedition_text, reversed(table.expedition_discards)))
    return _holding(
        "alexis",
        {"did": region(f"{TEMPLATE}#did", lines=lines)} if lines else {},
        {"expedition": region(f"{TEMPLATE}#expedition", left=view.expedition, cards=drawn)},
        card=wording.alexis_text(CARDS[table.alexis]),
    )


# --- what is asked --------------------------------------------------------------------------------------------------


def _asked(shown: _Shown) -> Regions:
    """Return what lies over the column beside the map: what to choose from, and what a Reward phase brings."""
    phase, may_act = shown.table.phase, shown.asks or shown.takes
    rows = shown.rewards if phase == "reward" else ()
    offers: Regions = {}
    if may_act or phase == "reward":
        offers = _holding(
            f"offers-{phase}-{shown.mode}",
            {"rewards": region(panels.rewards, rows=rows, now=True)} if rows else {},
            _holding("choices", *(_choices(shown) if shown.asks else ())) if may_act else {},
            macro="offers",
            phase=phase,
            mode=shown.mode,
        )
    return _holding("asked", offers, _verbs(shown) if may_act else {}, asks=shown.asks)


def _choices(shown: _Shown) -> list[Regions]:
    """Return what to choose from, besides tiles of land and cells."""
    view, table = shown.view, shown.table
    match table.phase:
        case "choose":
            last = [{"last-round": region(f"{TEMPLATE}#last_round")}] if table.round == SHIPS else []
            decks = zip(components.decks(table.advanced), view.choices, strict=False)
            return [*last, *({f"deck-{name}": _deck(shown, name, cards)} for name, cards in decks)]
        case "explore":
            kinds = view.ships if view.berths else ()
            ships = {f"ship-{kind}": region(panels.ship, kind=kind, seat=view.viewer) for kind in kinds}
            return [_list("ships", ships) if ships else {}, _bonus(shown)]
        case "reward" if shown.places:
            most = table.houses_in_hand(view.viewer or 0)
            return [{"house-places": region(map_drawing.house_list, most=most, places=shown.places)}]
        case _:
            return []


def _deck(shown: _Shown, name: str, cards: tuple[int, ...]) -> Region:
    worth = (panels.worth_of(shown.view, name, card) if shown.hints else None for card in cards)
    return region(panels.deck, name=name, cards=tuple(zip(cards, worth, strict=True)))


def _bonus(shown: _Shown) -> Regions:
    """Return the bonus tokens that are left: they go on tiles in play, and on the one that is placed where it fits."""
    table = shown.table
    left = table.tokens_left(shown.view.viewer or 0)
    if not left or not shown.spots:
        return {}
    lying = tuple(sorted({(tile, turn) for tile, places in shown.spots.items() for _cell, turn in places}))
    return {"bonus": region(form.bonus, lying=lying, left=left, board=table.board, tokens=table.tokens)}


def _verbs(shown: _Shown) -> Regions:
    match shown.table.phase:
        case "choose":
            verb = "combine" if len(shown.view.choices) > 1 else "choose"
            return {"verbs": region(f"{TEMPLATE}#verbs_choose", verb=verb)}
        case "reward":
            no_place = map_drawing.no_place(shown.prospects, shown.hints)
            return {"verbs": region(f"{TEMPLATE}#verbs_reward", places=bool(shown.places), no_place=no_place)}
        case phase:
            back = {"verb-discard": region(f"{TEMPLATE}#put_back")} if shown.puts_back else {}
            return _list("verbs", back, macro="verbs_place", start=phase == "start")


# --- below ----------------------------------------------------------------------------------------------------------


def _below(shown: _Shown) -> Regions:
    past = shown.rewards and shown.table.phase != "reward"
    return _holding(
        "below",
        *(_open_hand(opened, shown) for opened in shown.scene.open),
        _islands(shown),
        _supplies(shown),
        {"rewards": region(panels.rewards, rows=shown.rewards, now=False)} if past else {},
    )


def _open_hand(view: View, shown: _Shown) -> Regions:
    name = wording.name_of(view.viewer or 0, shown.names)
    hand = region(panels.open_hand, seat=view.viewer, name=name, tiles=view.hand, kept=view.kept)
    return {f"hand-{view.viewer}": hand}


def _islands(shown: _Shown) -> Regions:
    """Return the islands, the largest first, those of a single tile apart."""
    large, small = panels.islands(shown.view, shown.names, shown.prospects if shown.hints else ())
    count = region(f"{TEMPLATE}#single_count", count=len(small))
    single = _holding("single-tiles", {"single-count": count}, _list("single-rows", small)) if small else {}
    return _holding("islands", _list("island-rows", large), single)


def _supplies(shown: _Shown) -> Regions:
    supplies = panels.supplies(shown.table, shown.names)
    supplies["tokens-left"] = region(f"{TEMPLATE}#tokens_left", count=shown.table.discovery_tokens_left)
    return _list("supplies", supplies)
