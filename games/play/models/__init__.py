"""A match, its seats and its actions, and what is kept beside them."""

from games.play.models.actions import Action
from games.play.models.matches import (
    AWARDED,
    PLAYED_BY_BOT,
    SLUG_ALPHABET,
    SLUG_LENGTH,
    STAND_IN,
    AbortReason,
    Level,
    Match,
    MatchQuerySet,
    Seat,
    Speed,
    enough_acted,
    in_company,
    new_slug,
)
from games.play.models.people import Absence, Presence, Vacation
from games.play.models.rulings import Explanation, Ruling
from games.play.models.upkeep import Outage, Setback, Watch

__all__ = [
    "AWARDED",
    "PLAYED_BY_BOT",
    "SLUG_ALPHABET",
    "SLUG_LENGTH",
    "STAND_IN",
    "AbortReason",
    "Absence",
    "Action",
    "Explanation",
    "Level",
    "Match",
    "MatchQuerySet",
    "Outage",
    "Presence",
    "Ruling",
    "Seat",
    "Setback",
    "Speed",
    "Vacation",
    "Watch",
    "enough_acted",
    "in_company",
    "new_slug",
]
