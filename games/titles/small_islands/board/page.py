"""The board as regions: what draws each part of it that changes alone, and what that part looks like."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from games.titles import Scene
from games.titles.regions import Region, region
from games.titles.small_islands.board import form, map_drawing, panels, pieces, stands, wording
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.rounds import ENDLESS
from games.titles.small_islands.rules.state import ALEXIS, Table
from games.titles.small_islands.rules.view import View

TEMPLATE = "small_islands/board.jinja"

Regions: TypeAlias = Mapping[str, Region]


def _drawn(macro: str, inside: Iterable[str] | None = None, **inputs: Hashable) -> Region:
    return region(f"{TEMPLATE}#{macro.replace('-', '_')}", inside, **inputs)


def _list(name: str, inside: Regions, macro: str = "", **inputs: Hashable) -> Regions:
    """Return a region and all those inside it."""
    return {name: _drawn(macro or name, inside, **inputs), **inside}


def _holding(name: str, *parts: Regions | str, macro: str = "", **inputs: Hashable) -> Regions:
    """Return a region and those inside it: of each part the first, which holds the rest, or a shared one by its id."""
    inside = [part if isinstance(part, str) else next(iter(part)) for part in parts if part]
    found = {name: _drawn(macro or name, inside, **inputs)}
    for part in parts:
        found |= {} if isinstance(part, str) else part
    return found


# --- what all see alike ---------------------------------------------------------------------------------------------


def regions(scene: Scene) -> Regions:
    """Return what lies on the map and in the row, what is left, and what Alexis did or how everybody came out."""
    view: View = scene.view
    table = view.table
    left, top, width, _height = map_drawing.frame(table)
    has_cells = scene.seated and table.phase != "over"
    supplies = {f"supply-{seat}": panels.supply_of(table, seat, scene.names) for seat in range(table.players)}
    found = {
        **_list("tiles", map_drawing.tiles(table.board, table.tokens)),
        **_list("homes", map_drawing.homes(table)),
        "last": _drawn("last", rings=map_drawing.rings(scene.recent, table)),
        **_list("cells", map_drawing.cells(table.placement) if has_cells else {}),
        "rulers": _drawn("rulers", digits=width // 30, left=left, top=top),
        **_list("supplies", {**supplies, "tokens-left": _drawn("tokens-left", count=table.discovery_tokens_left)}),
        "pieces": region(pieces.pieces),
    }
    if table.reach != ENDLESS:
        found["edge"] = region(map_drawing.edge, reach=table.reach)
    if table.phase not in {"start", "over"}:
        found |= _row(table, _takes(scene))
    if table.alexis is not None:
        found |= _alexis(scene, table.alexis)
    if view.outcome is not None:
        found["count"] = _drawn("count", rows=panels.final_count(view, view.outcome, scene.names), solo=table.solo)
    return found


def _row(table: Table, takes: bool) -> Regions:
    """Return the face-up tiles and, if players take them, each among the tiles that one of them may place."""
    slots = tuple(enumerate(table.row, start=1))
    up = {f"up-{slot}": region(panels.face_up, slot=slot, tile=tile, takes=takes) for slot, tile in slots}
    taken = {f"taken-{slot}": _drawn("taken_tile", slot=slot, tile=tile) for slot, tile in slots if tile is not None}
    return {**_list("row", up, takes=takes), **(_list("taken", taken) if takes else {})}


def _takes(scene: Scene) -> bool:
    """Return whether players take tiles, those who look among them, now or in a turn to come."""
    table: Table = scene.view.table
    return scene.seated and table.phase == "explore" and table.tiles_up


def _alexis(scene: Scene, card: str) -> Regions:
    """Return the card Alexis plays by, what he did last, and his expedition stack."""
    table = scene.view.table
    his = (wording.on_its_island(event, table) for event in scene.recent if getattr(event, "seat", None) == ALEXIS)
    lines = tuple(filter(None, (wording.line(event, scene.names, None) for event in his)))
    parts = {"did": _drawn("did", lines=lines)} if lines else {}
    parts["expedition"] = region(panels.expedition, left=scene.view.expedition, drawn=table.expedition_discards)
    return {"alexis": region(panels.alexis, parts, card=card), **parts}


# --- what the viewer alone sees like this ---------------------------------------------------------------------------


def own_regions(scene: Scene) -> Regions:
    """Return the frame, the hand and the objective, what may be done, and what the objective would bring."""
    shown = _Shown(scene)
    parts = _stands(shown), _goal(shown), _tray(shown), _map(shown), _asked(shown), _side(shown), _below(shown)
    stage = {"mode": shown.mode, "phase": shown.table.phase, "told": pieces.ports_told(scene)}
    stage["last"] = stands.is_last(shown.view)
    return _holding("islands-board", *parts, macro="board", **stage)


class _Shown:
    """What is shown, and what several parts of the board need of it.

    Attributes:
        spots: the places of the tiles to choose from, if the viewer takes one now.
        puts_back: none of three tiles fits anywhere, with one of the face-up ones.
        prospects: what the viewer's objective would bring, island by island.
        places: where the viewer may place a House now.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.names, self.hints, self.asks = scene, scene.names, scene.hints, scene.active
        self.view: View = scene.view
        self.table = table = self.view.table
        self.mode = "watch" if not scene.seated else "play" if self.asks else "wait"
        self.takes = _takes(scene)
        self.spots = spots = self.view.spots if self.asks and self.takes else {}
        fits = any(spots.get(tile) for tile in self.view.hand)
        self.puts_back = not fits and any(tile in spots and not spots[tile] for tile in table.row)
        self.prospects = () if table.phase == "over" else self.view.prospects
        settles = self.asks and table.phase == "reward" and table.houses_in_hand(self.view.viewer or 0)
        self.places = map_drawing.house_places(table, self.prospects, self.hints) if settles else ()


def _stands(shown: _Shown) -> Regions:
    tiles = stands.left(shown.view)
    left = {} if tiles is None else {"left": _drawn("left", tiles=tiles)}
    said = stands.stands(shown.view, shown.names, shown.scene.reader)
    return _holding("stands", {"said": _drawn("said", said=said)}, left)


def _map(shown: _Shown) -> Regions:
    """Return the map, which holds what all see there, with the places for a House."""
    frame, has_edge = map_drawing.frame(shown.table), shown.table.reach != ENDLESS
    return {"map": _frame(frame, has_edge), "places": _drawn("places", places=shown.places)}


@cache  # few moves make the map larger
def _frame(frame: tuple[int, int, int, int], has_edge: bool) -> Region:
    inside = (*(("edge",) if has_edge else ()), "tiles", "homes", "last", "cells", "places", "rulers")
    width, height = (round(length * map_drawing.PIXELS) for length in frame[2:])
    return _drawn("map", inside, frame=" ".join(map(str, frame)), width=width, height=height)


def _goal(shown: _Shown) -> Regions:
    """Return the viewer's objective in pictures, for a phone, where what is asked lies over the card itself."""
    kept = () if shown.table.phase == "over" else shown.view.kept
    return {"goal": region(panels.goal, kept=kept, borrowed=shown.scene.borrowed)}


def _side(shown: _Shown) -> Regions:
    count = "count" if shown.table.phase == "over" else ""
    return _holding("side", count, _objective(shown), "alexis" if shown.table.solo else "")


def _tray(shown: _Shown) -> Regions:
    view, phase = shown.view, shown.table.phase
    if phase == "over":
        return {}
    if phase == "start":
        faces = {f"start-{face}": region(panels.start_tile, face=face) for face in view.start_spots if shown.asks}
        return _holding("tray", _list("hand", faces, macro="start_tiles") if faces else {}, asks=shown.asks)
    free = shown.puts_back or not shown.spots  # a tile that fits nowhere can be chosen only to be put back
    held = (
        {f"held-{tile}": region(panels.own_tile, tile=tile, takes=shown.takes, fits=free or bool(shown.spots[tile]))}
        for tile in view.hand
    )
    hand = _holding("hand", *held, "taken" if shown.takes else "", takes=shown.takes, borrowed=shown.scene.borrowed)
    return _holding("tray", "row", hand if shown.scene.seated else {}, asks=shown.asks)


def _objective(shown: _Shown) -> Regions:
    """Return the viewer's own objective of this round and what it put aside; nothing once the match is over."""
    view, table = shown.view, shown.table
    if table.phase != "over" and view.kept:
        aside = () if table.round == components.SHIPS else view.aside
        borrowed = shown.scene.borrowed
        objective = region(panels.objective, ("worth",), kept=view.kept, aside=aside, borrowed=borrowed)
        mission = components.objective_of(view.kept).mission
        worth = panels.worth(view, mission, shown.prospects) if shown.hints else None
        return {"objective": objective, "worth": region(panels.worth_now, worth=worth)}
    if shown.scene.seated and table.phase in {"start", "choose"}:
        return {"objective": _drawn("no_objective")}
    return {}


def _asked(shown: _Shown) -> Regions:
    """Return what lies over the column beside the map: what to choose from, and what a Reward phase brings."""
    phase, may_act = shown.table.phase, shown.asks or shown.takes
    offers: Regions = {}
    if may_act or phase == "reward":
        rewards = _rewards(shown, now=True) if phase == "reward" else {}
        choices = _holding("choices", *(_choices(shown) if shown.asks else ())) if may_act else {}
        name = f"offers-{phase}-{shown.mode}"
        offers = _holding(name, rewards, choices, macro="offers", phase=phase, mode=shown.mode)
    return _holding("asked", offers, _verbs(shown) if may_act else {}, asks=shown.asks)


def _choices(shown: _Shown) -> list[Regions]:
    """Return what to choose from, besides tiles of land and cells."""
    view, table = shown.view, shown.table
    match table.phase:
        case "choose":
            decks = zip(components.decks(table.advanced), view.choices, strict=False)
            return [*({f"deck-{name}": _deck(shown, name, cards)} for name, cards in decks), _round_told(shown)]
        case "explore":
            kinds = view.ships if view.berths else ()
            ships = {
                f"ship-{kind}": region(panels.ship, kind=kind, seat=view.viewer, last=pieces.is_last_ship(view))
                for kind in kinds
            }
            no_ship = stands.no_ship(view, shown.names)
            told = {"no-ship": _drawn("no_ship", why=no_ship, last=stands.is_last(view))} if no_ship else {}
            return [_list("ships", ships) if ships else told, _bonus(shown)]
        case "reward" if shown.places:
            most = table.houses_in_hand(view.viewer or 0)
            return [{"house-places": region(map_drawing.house_list, most=most, places=shown.places)}]
        case _:
            return []


def _round_told(shown: _Shown) -> Regions:
    """Return what the round before brought everybody; nothing in the first."""
    rows = panels.reward_phase(shown.table, shown.names)
    number, reader = shown.table.round - 1, shown.scene.reader
    return {"round-told": region(panels.round_told, number=number, rows=rows, reader=reader)} if rows else {}


def _deck(shown: _Shown, name: str, cards: tuple[int, ...]) -> Region:
    worth = (panels.worth_of(shown.view, name, card) if shown.hints else None for card in cards)
    is_last = shown.table.round == components.SHIPS
    return region(panels.deck, name=name, cards=tuple(zip(cards, worth, strict=True)), is_last=is_last)


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
            verb, is_last = (
                "combine" if len(shown.view.choices) > 1 else "choose",
                shown.table.round == components.SHIPS,
            )
            return {"verbs": _drawn("verbs_choose", verb=verb, is_last=is_last)}
        case "reward":
            no_place = "" if shown.places else panels.no_place(shown.view, shown.prospects, shown.hints)
            return {"verbs": _drawn("verbs_reward", places=bool(shown.places), no_place=no_place)}
        case phase:
            back = {"verb-discard": _drawn("put_back")} if shown.puts_back else {}
            last = pieces.before_last_landing(shown.view, shown.names)
            return _list("verbs", back, macro="verbs_place", start=phase == "start", last_landing=last)


def _below(shown: _Shown) -> Regions:
    hands = ({f"hand-{each.viewer}": _open_hand(each, shown.names)} for each in shown.scene.open)
    past = {} if shown.table.phase == "reward" else _rewards(shown, now=False)
    return _holding("below", *hands, _islands(shown), "supplies", "pieces", past)


def _open_hand(view: View, names: tuple[str, ...]) -> Region:
    name = wording.name_of(view.viewer or 0, names)
    return region(panels.open_hand, seat=view.viewer, name=name, tiles=view.hand, kept=view.kept)


def _islands(shown: _Shown) -> Regions:
    """Return the islands, the largest first, those of a single tile apart."""
    large, small = panels.islands(shown.view, shown.names, shown.prospects if shown.hints else ())
    count = {"single-count": _drawn("single-count", count=len(small))}
    single = _holding("single-tiles", count, _list("single-rows", small)) if small else {}
    return _holding("islands", _list("island-rows", large), single)


def _rewards(shown: _Shown, now: bool) -> Regions:
    """Return the latest Reward phase; in one's own turn without those who have not revealed their objective."""
    rows = panels.reward_phase(shown.table, shown.names)
    rows = tuple(row for row in rows if row.cards or not shown.asks)
    return {"rewards": region(panels.rewards, rows=rows, now=now)} if rows else {}
