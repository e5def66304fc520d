"""Phrases that several titles use, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext, ngettext

from games.engine.protocol import Viewer


def listing(words: Iterable[str]) -> str:
    """Return "ann", "ann and bob" or "ann, bob and cid".

    Raises:
        ValueError: there are no words.
    """
    *most, last = words
    if not most:
        return last
    return gettext("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def addressed(names: Sequence[str], reader: Viewer) -> Sequence[str]:
    """Return the names by seat, with "you" for the reader's own."""
    return [gettext("you") if seat == reader else name for seat, name in enumerate(names)]


def points_text(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}


def winners_text(others: Sequence[str], reader_wins: bool, points: int) -> str:
    """Return who wins a match and with how many points, without the full stop.

    Args:
        others: the names of the winners other than the reader; at least one unless the reader wins.
        reader_wins: whether the reader is among the winners.
        points: of each winner.
    """
    told = points_text(points)
    if not others:
        return gettext("You win with %(points)s") % {"points": told}
    words = {"names": listing(others), "name": others[0], "points": told}
    if reader_wins:
        return gettext("You and %(names)s share the win with %(points)s each") % words
    if len(others) == 1:
        return gettext("%(name)s wins with %(points)s") % words
    return gettext("%(names)s share the win with %(points)s each") % words
