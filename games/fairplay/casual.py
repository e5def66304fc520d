"""Casual matches that two people played from one device, as moderators see them: something to know, no finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, TypeAlias

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.models import User
from games.fairplay.models import Use
from games.moderation import sections
from games.moderation.access import matches_of
from games.play.models import Match

MOST: Final = 20
"""Matches of two people that are shown."""

People: TypeAlias = tuple[User, User]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people, and casual matches in which both acted from the same device, the latest first."""

    people: People
    matches: list[Match] = field(default_factory=list)


def section(subject: sections.Subject) -> SafeString:
    """Return which casual matches were played from one device, for the pages of moderators; nothing of their own."""
    found = _pairs(subject)
    return SafeString(render_to_string("fairplay/casual.html", {"pairs": found}) if found else "")


def _pairs(subject: sections.Subject) -> list[Pair]:
    """Return whoever shared a device in a match that a page is about, or with the person it is about."""
    found: dict[People, Pair] = {}
    for (match, _mark), people in _at_one_device(_uses(subject)).items():
        for two in combinations(people, 2):
            pair = found.setdefault(two, Pair(two))
            if match not in pair.matches[-1:] and len(pair.matches) < MOST:
                pair.matches.append(match)
    return [pair for two, pair in found.items() if subject.person in {None, *two} or subject.match in pair.matches]


def _at_one_device(uses: Iterable[Use]) -> Mapping[tuple[Match, str], list[User]]:
    found: dict[tuple[Match, str], list[User]] = defaultdict(list)
    for use in uses:
        found[use.match, use.mark].append(use.user)
    return found


def _uses(subject: sections.Subject) -> QuerySet[Use]:
    """Return who played from a device that somebody else used in the same match, the latest matches first."""
    same = Use.objects.filter(match=OuterRef("match"), mark=OuterRef("mark")).exclude(user=OuterRef("user"))
    about = Q(match=subject.match)
    if subject.person is not None:
        about |= Q(match__in=Use.objects.filter(user=subject.person).values("match"))
    shared = Use.objects.filter(about, Exists(same), match__rated=False, match__one_device=False)
    others = shared.exclude(match__in=matches_of(subject.reader))
    return others.select_related("match", "user").order_by("-match", "user__name_key")


def join() -> None:
    """Show this on the pages of moderators."""
    sections.register("one-device", section)
