"""The form of the board: from its fields to the notation of an action, what tokens can do, and what the script says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Mark
from games.titles.regions import joined
from games.titles.small_islands.board import drawing, wording
from games.titles.small_islands.board.drawing import tokens_at
from games.titles.small_islands.rules import exploration
from games.titles.small_islands.rules.components import PORT, RESOURCES, SHIP_FACES, SIDES, Cell
from games.titles.small_islands.rules.islands import Board, Placed, Site, Token
from games.titles.small_islands.rules.notation import ANY, PortToken, TokenUse, write_use

Fields: TypeAlias = Mapping[str, Sequence[str]]

MISSING = {
    "verb": _("Choose what to do."),
    "cards": _("Choose one card for this round and another for next time."),
    "last": _("This is the last round: choose only what scores now."),
    "tile": _("Choose a tile to place."),
    "slot": _("Choose a face-up tile to take."),
    "cell": _("Choose a cell on the map."),
    "turn": _("Choose how to rotate the tile."),
    "token": _("Bonus tokens go with a tile, not with a ship."),
    "none": _("You could place a House. To place none, choose “No House this time” and press again."),
}
"""The refusals of an incomplete or impossible choice."""

NEW = "new"
"""Where a bonus token is laid on the tile being placed, this stands for the cell, which is not known yet."""

_START_FACE = re.compile("S[1-4][AB]")


def compose(fields: Fields) -> str:
    """Return the notation of the action a submitted board form asks for.

    >>> compose({"verb": ["place"], "slot": ["2:41"], "tile": ["taken"], "cell": ["1,-1"], "turn": ["3"]})
    'explore 2 41 1,-1 3'

    Raises:
        RuleViolation: with the code "choice", when something is missing.
    """
    match _only(fields, "verb", "verb"):
        case "choose":
            return f"choose {_now(fields, 'objectives')} {_aside(fields, 'objectives')}"
        case "combine":
            signs = (("m", "missions"), ("r", "rewards"))
            now = (sign + _now(fields, deck) for sign, deck in signs)
            aside = (sign + _aside(fields, deck) for sign, deck in signs)
            return " ".join(("choose", *now, *aside))
        case "place":
            return _place(fields)
        case "discard":
            slot, tile = _slot_and_tile(fields)
            return f"explore {slot} {tile} discard"
        case "settle":
            sites = fields.get("site", ())
            if not sites and fields.get("places") and not fields.get("none"):
                raise _incomplete("none")  # to place none where one could be placed is chosen explicitly
            return " ".join(("settle", *sites))
        case _:
            raise _incomplete("verb")


def _now(fields: Fields, deck: str) -> str:
    return _only(fields, f"now-{deck}", "last" if f"any-{deck}" in fields else "cards")


def _aside(fields: Fields, deck: str) -> str:
    """Return what is put aside: in the last round, where that is not asked, any card that is not kept."""
    kept = fields.get(f"now-{deck}", ())
    left = [card for card in fields.get(f"any-{deck}", ()) if card not in kept]
    return left[0] if left else _only(fields, f"next-{deck}", "cards")


def _place(fields: Fields) -> str:
    """Return the action that places a tile or a ship; the token `NEW` goes on the tile that is placed."""
    tile, token = _only(fields, "tile", "tile"), next(iter(fields.get("token", ())), "")
    if tile in {"own", "grey"}:
        if any(fields.get("token", ())):
            raise _incomplete("token")
        return f"land {tile} {_only(fields, 'cell', 'cell')}"
    if _START_FACE.fullmatch(tile):
        return f"start {tile} {_only(fields, 'cell', 'cell')} {_only(fields, 'turn', 'turn')}"
    slot, placed = _slot_and_tile(fields)
    cell, turn = _only(fields, "cell", "cell"), _only(fields, "turn", "turn")
    laid = f" token {token}".replace(f" {NEW}", f" {cell}", 1) if token else ""
    return f"explore {slot} {placed} {cell} {turn}{laid}"


def marks(text: str) -> Sequence[Mark]:
    """Return what is chosen for an action; a tile that is taken may lie in its slot or in the hand.

    >>> [mark.values for mark in marks("explore 2 41 1,-1 3")]
    [('2',), ('41', 'taken'), ('1,-1',), ('3',), ('place',)]
    """
    text, _token, use = text.partition(" token ")
    verb, *words = text.split()
    chosen: tuple[Mark, ...]
    match verb:
        case "choose":
            return tuple(_kept(words))
        case "explore" if words[-1] == "discard":
            return (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")), Mark("verb", ("discard",)))
        case "explore":
            chosen = (Mark("slot", (words[0],)), Mark("tile", (words[1], "taken")))
            laid = words[2:]
        case "start" | "land":
            chosen, laid = (Mark("tile", (words[0],)),), words[1:]
        case _:
            return (*(Mark("site", (site,)) for site in words), Mark("verb", ("settle",)))
    place = (Mark(name, (word,)) for name, word in zip(("cell", "turn"), laid, strict=False))
    token = (Mark("token-use", (use.partition(" ")[0],)),) if use else ()
    return (*chosen, *place, *token, Mark("verb", ("place",)))


def _kept(words: Sequence[str]) -> Iterator[Mark]:
    """Yield the cards that are kept now, and those put aside for later."""
    half = len(words) // 2
    for when, cards in (("now", words[:half]), ("next", words[half:])):
        for card in cards:
            deck = {"m": "missions", "r": "rewards"}.get(card[0], "objectives")
            yield Mark(f"{when}-{deck}", (card.lstrip("mr"),))


def _slot_and_tile(fields: Fields) -> tuple[str, str]:
    slot, _colon, taken = _only(fields, "slot", "slot").partition(":")
    tile = _only(fields, "tile", "tile")
    return slot, taken if tile == "taken" else tile


def _only(fields: Fields, name: str, missing: str) -> str:
    values = fields.get(name, ())
    if len(values) != 1 or not values[0]:
        raise _incomplete(missing)
    return values[0]


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))


# --- where bonus tokens can be laid ----------------------------------------------------------------------------------

Choice: TypeAlias = tuple[str, SafeString]
"""What a token shows, in the notation, and the option of the list that lays it somewhere."""

_SOMEWHERE = Cell(0, 0)


def bonus(
    lying: tuple[tuple[int, int], ...], left: tuple[str, ...], board: Board, tokens: tuple[Token, ...]
) -> SafeString:
    """Draw the bonus tokens a player has left, as they may be laid: what each may show, and every use that may be sent.

    Args:
        lying: the tiles that may be placed, each with a turn in which it fits: a use has to be legal on one of them.
        board, tokens: what lies on the map.
    """
    laid, language = tokens_at(tokens), get_language()
    options = (_on_tile(tile, laid.get(tile.cell, ()), left, language) for tile in board)
    found = defaultdict[str, list[SafeString]](list)
    for shown, option in chain(_on_new_tile(lying, left), *options):
        found[shown].append(option)
    names = {shown: text for shown, text in _names(left).items() if shown in found}
    groups = ((text, joined(found[shown])) for shown, text in names.items())
    return format_html(
        '<details id="bonus" class="token"><summary>{0} '
        '<span aria-hidden="true">{1}</span></summary>'
        '<p class="meta">{6}</p><div class="uses" role="radiogroup" aria-label="{0}">{2}</div><label class="where">{3}'
        '<select name="token" id="token-where" form="act"><option value="">{4}</option>{5}</select></label></details>',
        gettext("Bonus token"), joined(map(drawing.sign, left)),
        joined(_sides(name, names) for name in left),
        gettext("Where it goes"), gettext("nowhere"),
        format_html_join("", '<optgroup label="{}">{}</optgroup>', groups),
        gettext("Replaces a resource or, turned over, adds a Port. It is laid together with your tile."),
    )  # fmt: skip


def _sides(name: str, uses: Mapping[str, str]) -> SafeString:
    """Draw a token as what it may show, each a radio button: its resource or resources, and the Port on its back."""
    label = (
        '<label class="use"><input type="radio" name="token-use" value="{}" id="use-{}" form="act" aria-label="{}">'
        '<svg viewBox="-16 -16 32 32" aria-hidden="true"><use href="#token"/><use href="#sign-{}"/></svg></label>'
    )
    drawn = (
        format_html(label, shown, shown.replace("=", "-"), text, shown.rpartition("=")[2])
        for shown, text in uses.items()
        if shown.partition("=")[0] == name
    )
    return format_html('<span class="sides" id="sides-{}">{}</span>', name, joined(drawn))


def _shown(use: TokenUse) -> str:
    return write_use(use).partition(" ")[0]


def _names(left: Iterable[str]) -> Mapping[str, str]:
    """Return what these tokens may show, in the notation and in words."""
    names = {name: wording.symbol_name(name) for name in left}
    shown = {name: text for name, text in names.items() if name != ANY}
    if ANY in names:
        template = gettext("any resource, as %(shows)s")
        shown |= {f"{ANY}={name}": template % {"shows": wording.symbol_name(name)} for name in RESOURCES}
    template = gettext("Port, on the back of %(name)s")
    return shown | {f"{name}={PORT}": template % {"name": text} for name, text in names.items()}


def _laid_on(use: TokenUse) -> tuple[Site, str]:
    """Return what a token is laid on and what it covers there, in words; a Port names no region."""
    if isinstance(use, PortToken):
        return Site(use.cell, 0), str(wording.SIDES[SIDES[use.side]])
    return use.site, wording.symbol_name(use.over)


@lru_cache(maxsize=4096)  # a tile has many, which stay the same while other tiles are placed
def _on_tile(tile: Placed, tokens: tuple[Token, ...], left: tuple[str, ...], language: str | None) -> Sequence[Choice]:
    """Return every use of the tokens left on a tile in play, with its option, which knows its spot on the map."""
    if tile.face in SHIP_FACES:
        return ()
    spots, found = drawing.marks_on(tile, tokens), []
    for use in exploration.uses_on(tile, tokens, left):
        if isinstance(use, PortToken):
            spot = drawing.port_mark(tile.face, tile.turn, use.side)
        else:
            spot = next(mark for mark in spots if (mark.name, mark.region) == (use.over, use.site.region))
        site, what = _laid_on(use)
        text = f"{wording.site_name(site, tile.turn)}: {what}"
        option = format_html('<option value="{}" data-at="{} {}">{}</option>', write_use(use), spot.x, spot.y, text)
        found.append((_shown(use), option))
    return found


def _on_new_tile(lying: tuple[tuple[int, int], ...], left: tuple[str, ...]) -> Iterator[Choice]:
    """Yield each use that is legal on one of these tiles in one of their turns, with its option.

    The two lands of a channel are called parts, as its turn is not known yet.
    """
    placed = (Placed(str(tile), _SOMEWHERE, turn, None) for tile, turn in lying)
    uses = {use for tile in placed for use in exploration.uses_on(tile, (), left)}
    for use in sorted(uses, key=write_use):
        site, what = _laid_on(use)
        value = write_use(use).replace(f" {_SOMEWHERE.x},{_SOMEWHERE.y}", f" {NEW}")
        named, words = SafeString(), {"what": what}
        if site.region:
            words["part"] = gettext("part %(number)s") % {"number": site.region}
            named = format_html(' data-part="{part}"', **words)
            text = gettext("the new tile, %(part)s: %(what)s") % words
        else:
            text = gettext("the new tile: %(what)s") % words
        yield _shown(use), format_html('<option value="{}"{}>{}</option>', value, named, text)


# --- what is said -----------------------------------------------------------------------------------------------------


def words() -> Mapping[str, str]:
    """Return the sentences the script says while the player chooses, by the names it knows them by."""
    return {
        "start": gettext("Choose a face-up tile to take."),
        "berth": gettext("Choose a face-up tile, or a ship."),
        "face": gettext("Choose a side of a start tile."),
        "slot": str(MISSING["slot"]),
        "cell": gettext("Choose a marked cell."),
        "dotted": gettext("Choose a cell. Dotted: it rotates to fit."),
        "first": gettext("Choose a tile first."),
        "misfit": gettext("Its corners do not fit there."),
        "apart": gettext("A tile must lie beside another one."),
        "edge": gettext("The table ends there."),
        "misberth": gettext("Your ship does not fit there."),
        "bonus": gettext("If you like, choose a bonus token."),
        "laid": gettext("It is used when you place the tile."),
        "beyond": gettext("Drag the map, or touch an arrow, for more places."),
        "unplaced": gettext("The tile you are placing is not counted yet."),
        "uncounted": gettext("Your token counts once you choose a tile and its cell."),
        "nowhere": gettext("This tile fits nowhere."),
        "resource": gettext("Choose a resource to replace."),
        "coast": gettext("Choose a glowing place for the Port."),
        "placeless": gettext("There is no place for this token now."),
        "ready": gettext("Place it here."),
        "turnable": gettext("Place it here, or rotate it."),
        "landing": gettext("Land here."),
        "spared": str(MISSING["token"]),
        "meaning": gettext("“This round” scores now, “Next time” waits for the next, the third goes back."),
        "cards": str(MISSING["cards"]),
        "last": str(MISSING["last"]),
        "kept": gettext("Confirm your choice; it stays secret."),
        "houses": gettext("Houses chosen: %(count)s.") % {"count": "{0}"},
        "onehouse": gettext("You have only one House in hand: take it back first."),
        "most": gettext("You have only %(count)s Houses in hand: take one back first.") % {"count": "{0}"},
        "ask": gettext("You could place a House. Press “Place Houses” again to place none."),
        "none": gettext("You place no House."),
        "several": gettext("Place Houses"),
        "single": gettext("Place House"),
        "places": gettext("Choose house spots on different islands, or none."),
        **{f"corner{number}": str(name) for number, name in enumerate(wording.CORNER_NAMES)},
    }
