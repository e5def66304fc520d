"""How close a match was for whoever lost it, in one sentence for the page of its end."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.play.access import ViewedMatch
from games.review.judge import WHOLE
from games.review.models import Review


def closeness(viewed: ViewedMatch) -> str:
    """Return when the reader, who plays, last had the better chances; empty if they never had, or without a review."""
    review = Review.objects.filter(match=viewed.match).first()
    if viewed.viewer is None or review is None or not review.is_done:
        return ""
    own = [chances[viewed.viewer] for chances in review.chances]
    number = max((at for at, chance in enumerate(own) if 2 * chance >= WHOLE), default=0)
    if not number:
        return ""
    words = {"percent": round(100 * own[number] / WHOLE), "number": number}
    return _("After move %(number)s your chance to win was still %(percent)s %%.") % words
