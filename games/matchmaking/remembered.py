"""What somebody chose last for a game, as the form of the next table begins."""

from __future__ import annotations

from typing import Any

from games.matchmaking.clock_fields import clock_choice
from games.matchmaking.option_fields import chosen_for, name_of
from games.play.models import Match, Speed
from games.titles import Title


def last_choice(title: Title, user: Any) -> dict[str, Any]:
    """Return what this person chose for the last table of this game they opened, as far as it is offered today.

    Whom they invited is not part of it, and what was for those people alone is open to everybody again.
    """
    tables = Match.objects.filter(host=user, game=title.slug, previous=None).order_by("-pk")
    last = tables.defer("state", "server_seed").first()
    if last is None or last.seat_count not in title.game.seats:
        return {}
    public = last.visibility == Match.Visibility.PRIVATE
    known = {name_of(it): chosen_for(it, last) for it in title.game.options}
    chosen = {name: value for name, value in known.items() if value is not None}
    alone = {} if last.seat_count == 1 else {"rated": last.rated, **clock_choice(last.clock, Speed(last.speed))}
    return (
        chosen
        | alone
        | {
            "seats": last.seat_count,
            "speed": last.speed,
            "excludes_vacations": last.excludes_vacations,
            "reliability": last.reliability,
            "rating_from": last.rating_from,
            "rating_to": last.rating_to,
            "kept": last.kept,
            "visibility": Match.Visibility.PUBLIC if public else last.visibility,
            "seat_order": last.seat_order,
        }
    )
