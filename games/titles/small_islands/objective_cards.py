"""What a viewer plays for: the cards, and what they would bring now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.titles.phrases import points_text
from games.titles.regions import joined
from games.titles.small_islands import wording
from games.titles.small_islands.drawing import card_picture
from games.titles.small_islands.objectives import OBJECTIVES, Objective, decks, is_discovery, objective_of, points
from games.titles.small_islands.reward import Prospect
from games.titles.small_islands.view import View

_ANY_REWARD = 1
"""A reward to ask with where the mission alone matters."""


# --- cards ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def mission(number: int, language: str | None) -> SafeString:
    """Return a mission as a picture with words."""
    return _ruling("mission", number, wording.mission_text(number))


@lru_cache(maxsize=64)
def reward(number: int, language: str | None) -> SafeString:
    """Return a reward as a picture with words."""
    return _ruling("reward", number, wording.reward_text(number))


def _ruling(kind: str, number: int, text: str) -> SafeString:
    return format_html('<span class="ruling {}">{}<span>{}</span></span>', kind, card_picture(kind, number), text)


@lru_cache(maxsize=512)
def card(objective: Objective, language: str | None) -> SafeString:
    """Return a mission with its reward as one card."""
    return joined((mission(objective.mission, language), reward(objective.reward, language)))


def kept(view: View, language: str | None, hints: bool = True) -> SimpleNamespace | None:
    """Return the viewer's own objective of this round and what it put aside; None when there is none.

    With hints it says what the objective would bring now.
    """
    if not view.kept:
        return None
    return SimpleNamespace(
        now=card(objective_of(view.kept), language),
        later=card(objective_of(view.aside), language),
        worth=worth(view, view.prospects, language) if hints else "",
    )


def choices(view: View, language: str | None, hints: bool = True) -> list[SimpleNamespace]:
    """Return deck by deck the cards the viewer chooses from; [] when there is nothing to choose.

    With hints each says what it would bring now.
    """
    return [
        SimpleNamespace(name=name, title=_title(name), cards=list(_offers(view, name, cards, language, hints)))
        for name, cards in zip(decks(view.table.advanced), view.choices, strict=False)
    ]


def _title(deck: str) -> str:
    titles = {"objectives": gettext("Objectives"), "missions": gettext("Missions"), "rewards": gettext("Rewards")}
    return titles[deck]


def _offers(
    view: View, deck: str, cards: Sequence[int], language: str | None, hints: bool
) -> Iterator[SimpleNamespace]:
    for number in cards:
        match deck:
            case "missions":
                face, worth_now = mission(number, language), _mission_worth(view, number)
            case "rewards":
                face, worth_now = reward(number, language), _reward_worth(view, number)
            case _:
                objective = OBJECTIVES[number]
                face, worth_now = card(objective, language), worth(view, view.prospects_of(objective), language)
        yield SimpleNamespace(number=number, face=face, worth=worth_now if hints else "")


def worth(view: View, prospects: Sequence[Prospect], language: str | None) -> str:
    """Return in words what an objective would bring now with the Houses in hand."""
    open_ones = [prospect for prospect in prospects if prospect.refusal is None]
    if not open_ones or view.viewer is None:
        return gettext("Now: no island for a House.")
    best = sorted((prospect.points for prospect in open_ones), reverse=True)[: view.table.houses_in_hand(view.viewer)]
    tokens = max(prospect.tokens for prospect in open_ones)
    words = {"islands": wording.islands_text(len(open_ones)), "points": points_text(sum(best))}
    if tokens:
        words["gain"] = wording.gain_text(0, tokens)
        return gettext("Now: %(islands)s, at most %(gain)s on one.") % words
    return gettext("Now: %(islands)s, up to %(points)s.") % words


def _mission_worth(view: View, number: int) -> str:
    found = view.prospects_of(Objective(number, _ANY_REWARD))
    count = sum(prospect.refusal is None for prospect in found)
    return gettext("Now on %(islands)s.") % {"islands": wording.islands_text(count)}


def _reward_worth(view: View, number: int) -> str:
    large = [island for island in view.table.islands.all if island.size > 1]
    if is_discovery(number):
        most = max((island.symbols.temple for island in large), default=0)
        return gettext("Now at most %(tokens)s on one island.") % {"tokens": wording.tokens_text(most)}
    best = max((points(number, island.size, island.symbols) for island in large), default=0)
    return gettext("Now up to %(points)s on one island.") % {"points": points_text(best)}
