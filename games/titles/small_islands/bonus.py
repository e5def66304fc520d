"""Bonus tokens: where they can be laid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from games.titles.small_islands.geometry import SIDES
from games.titles.small_islands.islands import Site, Token, islands, printed, with_token
from games.titles.small_islands.notation import ANY, PortToken, ResourceToken, TokenUse
from games.titles.small_islands.placement import Board, Placed, tiles_at
from games.titles.small_islands.tiles import PORT, RESOURCES, SHIP_FACES, Symbols

PORTS_ON_A_TILE = 2
_REMEMBERED = 64


def token(seat: int, use: TokenUse, board: Board) -> Token:
    """Return the token that a seat lays by a legal use of it."""
    if isinstance(use, ResourceToken):
        return Token(seat, use.name, use.shows, use.site, use.over)
    region = tiles_at(board)[use.cell].lying.coasts[use.side]
    return Token(seat, use.name, PORT, Site(use.cell, region), SIDES[use.side])


def refusal(board: Board, tokens: Sequence[Token], left: Sequence[str], use: TokenUse) -> str | None:
    """Return the code of the rule against a use of a token, None if it is legal.

    Args:
        board: the tiles in play, the one just placed among them.
        tokens: those in play.
        left: the names of the tokens the seat still has.
        use: what is asked for.
    """
    if use.name not in left:
        return "token-used"
    cell = use.site.cell if isinstance(use, ResourceToken) else use.cell
    placed = tiles_at(board).get(cell)
    if placed is None:
        return "no-tile-there"
    if placed.face in SHIP_FACES:
        return "token-on-ship"
    if isinstance(use, ResourceToken):
        return _resource_refusal(islands(board, tuple(tokens)).symbols, use)
    return _port_refusal(placed, tokens, use.side)


def _resource_refusal(symbols: Mapping[Site, Symbols], use: ResourceToken) -> str | None:
    if use.site not in symbols:
        return "no-such-region"
    if use.over == use.shows:
        return "same-resource"
    return None if symbols[use.site].of(use.over) else "resource-not-there"


def _port_refusal(placed: Placed, tokens: Sequence[Token], side: int) -> str | None:
    if side not in placed.lying.coasts:
        return "no-coast-slot"
    taken = _ports_on(placed, tokens)
    if side in taken:
        return "port-there-already"
    return "two-ports-already" if len(taken) >= PORTS_ON_A_TILE else None


def _ports_on(placed: Placed, tokens: Sequence[Token]) -> list[int]:
    """Return the sides of a tile that have Ports."""
    laid = [SIDES.index(token.spot) for token in tokens if token.shows == PORT and token.site.cell == placed.cell]
    return [*placed.lying.ports, *laid]


@lru_cache(maxsize=_REMEMBERED)
def uses(board: Board, tokens: tuple[Token, ...], left: tuple[str, ...]) -> tuple[TokenUse, ...]:
    """Return every legal use of these tokens on the tiles of a board."""
    if not left:
        return ()
    symbols = islands(board, tokens).symbols
    found: list[TokenUse] = []
    for placed in board:
        found += _uses_on(placed, {site: symbols[site] for site, _ in printed(placed)}, tokens, left)
    return tuple(found)


def uses_on_new(placed: Placed, left: Sequence[str]) -> list[TokenUse]:
    """Return every legal use of these tokens on a tile that is just being placed."""
    return uses_on(placed, (), left)


def uses_on(placed: Placed, tokens: Sequence[Token], left: Sequence[str]) -> list[TokenUse]:
    """Return every legal use of these tokens on one tile, given the tokens laid on it."""
    if not left:
        return []
    symbols = dict(printed(placed))
    for token in tokens:
        symbols[token.site] = with_token(symbols[token.site], token.shows, token.spot)
    return list(_uses_on(placed, symbols, tokens, left))


def _uses_on(
    placed: Placed, symbols: Mapping[Site, Symbols], tokens: Sequence[Token], left: Sequence[str]
) -> Iterator[TokenUse]:
    for site, counts in symbols.items():
        for over in RESOURCES:
            if counts.of(over):
                yield from (ResourceToken(name, shows, site, over) for name, shows in _others(over, left))
    taken = _ports_on(placed, tokens)
    if len(taken) < PORTS_ON_A_TILE:
        for side in placed.lying.coasts:
            if side not in taken:
                yield from (PortToken(name, placed.cell, side) for name in left)


def _others(over: str, left: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the tokens that may cover a resource, each with what it shows."""
    for shows in RESOURCES:
        if shows != over:
            yield from ((name, shows) for name in left if name in (shows, ANY))
