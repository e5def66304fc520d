"""Findings: how they are settled, put into words, and shown to moderators on their page and in sections of others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, TypeAlias

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.fairplay.models import Finding, Use
from games.moderation import access, context, decisions, reversals
from games.moderation.access import matches_of, takes_part
from games.moderation.models import Deed
from games.play.models import Match
from games.play.store import writing

Act = Deed.Act

MOST: Final = 100
"""Findings on a page."""

NAMED: Final = 20
"""Accounts that are named in the finding of a star."""

BESIDE: Final = 10
"""Findings in a section about a person or a match."""


def waiting(reader: Any) -> list[Finding]:
    """Return the open findings, the latest first, except those about the reader or their own matches."""
    return _latest(Finding.objects.filter(settled_at=None), reader, MOST)


def _latest(found: QuerySet[Finding], reader: Any, most: int) -> list[Finding]:
    others = found.exclude(_own(reader)).select_related("first", "second", "match", "settled_by", "deed")
    return list(others.prefetch_related("others").order_by("-found_at", "-pk")[:most])


def _own(reader: Any) -> Q:
    fed = Finding.others.through.objects.filter(user=reader.pk).values("finding")
    return Q(first=reader) | Q(second=reader) | Q(pk__in=fed) | Q(match__in=matches_of(reader))


def own_deeds(reader: Any) -> QuerySet[Deed]:
    """Return the deeds about findings of somebody or of their own matches, even if the findings were deleted."""
    own = Finding.objects.filter(_own(reader)).values("pk")
    known = {name: Cast(KT(f"details__{name}"), BigIntegerField()) for name in ("finding", "second")}
    settled = Deed.objects.filter(act__in={Act.SETTLE, Act.UNSETTLE}).alias(**known)
    return settled.filter(Q(finding__in=own) | Q(second=reader.pk))


def settle(finding: Finding, by: User | None, reason: str) -> Deed:
    """Settle a finding that a moderator has looked at; the matches that led to it do not count again.

    Raises:
        RuleViolation: "own" if it is about themselves or a match of theirs; "settled" if it is; "not-moderator",
            "colleague" if it is about a moderator, "reason", "too-long".
    """
    with writing():
        finding = Finding.objects.select_for_update().get(pk=finding.pk)
        if finding.settled_at is not None:
            raise RuleViolation("settled", _("This finding has been settled."))
        deed = _record(by, Act.SETTLE, finding, reason)
        finding.settled_at, finding.settled_by, finding.deed = timezone.now(), by, deed
        finding.save(update_fields=["settled_at", "settled_by", "deed"])
    return deed


def reopen(finding: Finding, by: User | None, reason: str) -> Deed:
    """Reopen a settled finding; earlier matches count again.

    Raises:
        RuleViolation: as `settle`; "open" if it, or a newer one about the same, is.
    """
    with writing():
        finding = Finding.objects.select_for_update().get(pk=finding.pk)
        if finding.settled_at is None or _is_found_anew(finding):
            raise RuleViolation("open", _("This finding is open, or there is a newer one that is."))
        deed = _record(by, Act.UNSETTLE, finding, reason)
        finding.settled_at = finding.settled_by = finding.deed = None
        finding.save(update_fields=["settled_at", "settled_by", "deed"])
    return deed


def _is_found_anew(finding: Finding) -> bool:
    pair = {finding.first_id, finding.second_id}
    about = Q(first__in=pair - {None}) | Q(second__in=pair - {None})
    same = Finding.objects.filter(kind=finding.kind, game=finding.game, speed=finding.speed, match=finding.match)
    return any({one.first_id, one.second_id} == pair for one in same.filter(about, settled_at=None))


def _record(by: User | None, act: Deed.Act, finding: Finding, reason: str) -> Deed:
    people = [person for person in (finding.first, finding.second, *finding.others.all()) if person is not None]
    if by in people or takes_part(by, finding.match):
        raise RuleViolation("own", _("This is about you. Leave it to another moderator."))
    details = {"finding": finding.pk, "second": finding.second_id}  # a deed names one person, and outlives findings
    about = {"person": next(iter(people), None), "match": finding.match, "details": details}
    return decisions.record_decision(by, act, reason, people, **about)


def _take_back(by: User | None, deed: Deed, reason: str) -> Deed:
    """Reopen the finding that a deed has settled, if it still exists."""
    finding = Finding.objects.filter(pk=deed.details["finding"], deed=deed).first()
    if finding is None:
        raise RuleViolation("final", _("This can’t be taken back."))
    return reopen(finding, by, reason)


_WORDS: Mapping[Finding.Kind, Any] = {
    Finding.Kind.DEVICE: gettext_lazy(
        "%(first)s and %(second)s played from one device. The match is not rated.",
    ),
    Finding.Kind.TRANSFER: gettext_lazy(
        "%(first)s lost %(lost)d of %(of)d matches to %(second)s, who gained %(points)d points by it: %(share)d %% of "
        "everything %(second)s gained in 60 days. %(early)d of them were left before they were half over.",
    ),
    Finding.Kind.STAR: gettext_lazy(
        "%(first)s gained %(points)d points, %(share)d %% of everything in 60 days, from %(of)d matches against "
        "%(feeders)d accounts that play with hardly anyone else, or were new (%(young)d). %(early)d of these they "
        "left before they were half over. The accounts: %(others)s.",
    ),
    Finding.Kind.AGREED: gettext_lazy(
        "%(short)d of %(of)d matches between %(first)s and %(second)s were over before they had begun; %(first)s won "
        "%(won)d of these.",
    ),
    Finding.Kind.DODGING: gettext_lazy(
        "%(first)s ended %(dodged_stronger)d rated matches against stronger opponents before they began (and played "
        "%(played_stronger)d), %(dodged_others)d against others (and played %(played_others)d), and aborted "
        "%(behind)d by agreement while behind, of %(unequal)d in which someone was.",
    ),
}


def in_words(finding: Finding) -> str:
    """Return a finding in sentences, in the active language, with a dash for a deleted account."""
    names = {
        "first": finding.first.shown_name if finding.first else "—",
        "second": finding.second.shown_name if finding.second else "—",
        "others": _listed([person.shown_name for person in finding.others.all()]) or "—",
    }
    facts: dict[str, Any] = finding.facts | names
    return str(_WORDS[Finding.Kind(finding.kind)]) % facts


def _listed(names: list[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    named = ", ".join(sorted(names)[:NAMED])
    return _("%(names)s and %(count)d more") % {"names": named, "count": len(names) - NAMED} if names[NAMED:] else named


def section(subject: context.Subject) -> SafeString:
    """Return the findings about a person or a match, settled ones included, for the pages of moderators.

    The reader does not see those about themselves or their own matches.
    """
    about = Q(pk__in=())
    if subject.person is not None:
        fed = Finding.others.through.objects.filter(user=subject.person.pk).values("finding")
        about |= Q(first=subject.person) | Q(second=subject.person) | Q(pk__in=fed)
    if subject.match is not None:
        about |= Q(match=subject.match)
    found = _latest(Finding.objects.filter(about), subject.reader, BESIDE)
    if not found:
        return SafeString("")
    return render_to_string("fairplay/section.html", {"found": shown(found)})


def shown(found: list[Finding]) -> list[tuple[Finding, str]]:
    return [(finding, in_words(finding)) for finding in found]


MOST_CASUAL: Final = 20
"""Matches of two people that are shown."""

People: TypeAlias = tuple[User, User]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people, and casual matches in which both acted from the same device, the latest first."""

    people: People
    matches: list[Match] = field(default_factory=list)


def casual_section(subject: context.Subject) -> SafeString:
    """Return the casual matches that were played from one device, for the pages of moderators, except the reader's own.

    These are not findings, only what moderators may want to know.
    """
    found = _casual_pairs(subject)
    return SafeString(render_to_string("fairplay/casual.html", {"pairs": found}) if found else "")


def _casual_pairs(subject: context.Subject) -> list[Pair]:
    """Return the pairs who shared a device in the match that a page is about, or with the person it is about."""
    same = Use.objects.filter(match=OuterRef("match"), mark=OuterRef("mark")).exclude(user=OuterRef("user"))
    about = Q(match=subject.match)
    if subject.person is not None:
        about |= Q(match__in=Use.objects.filter(user=subject.person).values("match"))
    shared = Use.objects.filter(about, Exists(same), match__rated=False, match__one_device=False)
    others = shared.exclude(match__in=matches_of(subject.reader)).select_related("match", "user")
    at_one_device: dict[tuple[Match, str], list[User]] = defaultdict(list)
    for use in others.order_by("-match", "user__name_key"):
        at_one_device[use.match, use.mark].append(use.user)

    found: dict[People, Pair] = {}
    for (match, _mark), people in at_one_device.items():
        for two in combinations(people, 2):
            pair = found.setdefault(two, Pair(two))
            if match not in pair.matches[-1:] and len(pair.matches) < MOST_CASUAL:
                pair.matches.append(match)
    return [pair for two, pair in found.items() if subject.person in {None, *two} or subject.match in pair.matches]


def register() -> None:
    """Register the sections, how a settled finding is reopened from the log, and what a reader must not see there."""
    context.register_section("fair-play", section)
    context.register_section("one-device", casual_section)
    reversals.register(Act.SETTLE, _take_back)
    access.keep_from_readers(own_deeds)
