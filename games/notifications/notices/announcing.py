"""Tell open pages that somebody's notices have changed."""

from __future__ import annotations

from collections.abc import Iterable

from games.play.matches import announce


def notices_changed(user_ids: Iterable[int | None]) -> None:
    """Announce to people, once committed, that they have new notices or have seen some."""
    announce.to_people(user_ids, "notices.changed")
