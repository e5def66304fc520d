"""How a match ended before its game was over, in words: for its own page, the archive and the notices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from accounts.names import isolated
from games.engine.protocol import Viewer
from games.engine.runner import LEAVING
from games.play import rulings
from games.play.models import AWARDED, AbortReason, Match, Seat, enough_acted, in_company


def ending_in_words(match: Match, seats: Sequence[Seat], reader: Viewer = None) -> str:
    """Return how a match ended if it was aborted, or because players left it; empty while it runs, or by the rules.

    Args:
        match: the match.
        seats: all of it.
        reader: the seat of the reader, who is called "you"; None calls all players by name.
    """
    if match.status == Match.Status.ABORTED:
        return _aborted(match.reason, seats)
    if match.is_over and match.reason == AWARDED:
        return _awarded(seats)
    if not match.is_over or match.reason not in LEAVING:
        return ""
    winners = [seat for seat in seats if seat.place == 1]
    names = {"names": _listed([seat.name for seat in winners])}
    if in_company(seats) and all(seat.has_left for seat in seats):
        return _("All players have left. %(name)s stayed longest and wins.") % {"name": names["names"]}
    wins = ngettext("%(names)s wins.", "%(names)s win.", len(winners)) % names if winners else ""
    if [seat.number for seat in winners] == [reader]:
        wins = _("You win.")
    return f"{leaving_in_words(seats, reader)} {wins}".strip()


_PLACES: Final = (
    gettext_lazy("1st"),
    gettext_lazy("2nd"),
    gettext_lazy("3rd"),
    gettext_lazy("4th"),
    gettext_lazy("5th"),
)


def place_in_words(place: int) -> str:
    """Return a place as short as beside a name; beyond the fifth, as a number.

    >>> place_in_words(2)
    '2nd'
    """
    return str(_PLACES[place - 1]) if place <= len(_PLACES) else str(place)


_CAME: Final = {
    2: gettext_lazy("You came second"),
    3: gettext_lazy("You came third"),
    4: gettext_lazy("You came fourth"),
}
_CAME_LAST: Final = gettext_lazy("You came last")


def own_place_in_words(place: int, players: int) -> str:
    """Return the place of a reader who is not the first of so many players, as a sentence without its full stop."""
    return str(_CAME_LAST if place >= players else _CAME.get(place, _CAME_LAST))


def leaving_in_words(seats: Sequence[Seat], reader: Viewer = None) -> str:
    """Return who ran out of time and who resigned, the first to leave first; empty when nobody did.

    Bots only follow the last person. `reader` is as in `ending_in_words`.
    """
    left = sorted((seat for seat in seats if seat.has_left and not seat.is_bot), key=lambda seat: seat.left or 0)
    mine = next((seat for seat in left if seat.number == reader), None)
    late = [seat.name for seat in left if seat.timed_out and seat is not mine]
    resigned = [seat.name for seat in left if not seat.timed_out and seat is not mine]
    sentences = []
    if mine is not None:
        sentences.append(_("You ran out of time.") if mine.timed_out else _("You resigned."))
    if late:
        sentences.append(_("%(names)s ran out of time.") % {"names": _listed(late)})
    if resigned:
        text = ngettext("%(names)s has resigned.", "%(names)s have resigned.", len(resigned))
        sentences.append(text % {"names": _listed(resigned)})
    return " ".join(sentences)


def unrated_in_words(match: Match, seats: Sequence[Seat]) -> str:
    """Return why a match meant to be rated is not; empty if it is, or was never meant to be."""
    if match.one_device:
        return _("Two seats of this match were played from one device, so it is not rated.")
    idle = [seat.name for seat in seats if not seat.acted]
    if not (match.is_over and match.rated and len(seats) > 1) or enough_acted(seats):
        return ""
    return _("The match is not rated, because %(names)s never made a move.") % {"names": _listed(idle)}


def reason_in_words(match: Match) -> str:
    """Return the reason that moderators gave for what they decided about a match or a table; empty if they did not."""
    why = rulings.reason_of(match)
    return _("Reason: %(reason)s") % {"reason": isolated(why)} if why else ""


def _aborted(reason: str, seats: Sequence[Seat]) -> str:
    """Return why a match was aborted, and by whom; nobody is named where nobody was let down."""
    unsaid = _("The match was aborted; it does not count.")
    if not in_company(seats):
        return unsaid
    if reason == AbortReason.NO_SHOW:
        if missing := [seat.name for seat in seats if seat.no_show and not seat.acted]:
            text = _("%(names)s did not make a first move; the match was aborted and does not count.")
            return text % {"names": _listed(missing)}
        text = _("%(names)s ran out of time before everyone had moved; the match was aborted and does not count.")
        return text % {"names": _listed([seat.name for seat in seats if seat.timed_out])}
    if reason == AbortReason.CALLED_OFF:
        names = [seat.name for seat in seats if seat.no_show and not seat.has_left]
        return _("%(name)s aborted the match before the first move; it does not count.") % {"name": _listed(names)}
    others = {
        AbortReason.AGREED.value: _("Everyone agreed to abort the match; it does not count."),
        AbortReason.FAULT.value: _("The match was aborted because of an error on our side; it does not count."),
        AbortReason.MODERATORS.value: _("Moderators have aborted this match; it does not count."),
    }
    return others.get(reason, unsaid)


def _awarded(seats: Sequence[Seat]) -> str:
    winners = [seat.name for seat in seats if seat.place == 1]
    text = ngettext(
        "Moderators have decided this match: %(names)s wins.",
        "Moderators have decided this match: %(names)s share first place.",
        len(winners),
    )
    return text % {"names": _listed(winners)}


def _listed(names: Sequence[str]) -> str:
    return str(get_text_list(list(names), _("and")))
