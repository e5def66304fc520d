"""Tell open pages that what their person is told has changed."""

from __future__ import annotations

from collections.abc import Iterable

from games.play import announce


def notices_changed(user_ids: Iterable[int]) -> None:
    """Announce to people, once committed, that there may be something new to tell them."""
    announce.waiting_changed(user_ids)
