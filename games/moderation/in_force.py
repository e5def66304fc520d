"""Which decisions still hold: a later one about the same takes the place of an earlier one."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import BigIntegerField, BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import FormerName
from games.engine.protocol import RuleViolation
from games.moderation.models import Deed

Act = Deed.Act

RULINGS: Final = frozenset({Act.ANNUL, Act.AWARD, Act.REINSTATE})
"""What decides the result of a match."""

_VERDICTS: Final = frozenset({Act.DECIDE, Act.REOPEN})
_SETTLINGS: Final = frozenset({Act.SETTLE, Act.UNSETTLE})


def marked(deeds: QuerySet[Deed]) -> QuerySet[Any]:
    """Return deeds that know whether they were taken back or a later one took their place (`is_replaced`)."""
    replaced = _later(RULINGS, "match") | _later(_VERDICTS, "case") | _later(_SETTLINGS, "finding") | _renamed_since()
    return deeds.alias(former=_number("former_name"), finding=_number("finding")).annotate(
        is_replaced=ExpressionWrapper(replaced, BooleanField())
    )


def _number(detail: str) -> Cast:
    """Return a key that a deed keeps among its details."""
    return Cast(KT(f"details__{detail}"), BigIntegerField())


def _later(acts: frozenset[Deed.Act], link: str) -> Q:
    later = Deed.objects.alias(finding=_number("finding")).filter(
        act__in=acts, pk__gt=OuterRef("pk"), **{link: OuterRef(link)}
    )
    return Q(act__in=acts) & Q(Exists(later))


def _renamed_since() -> Q:
    names = FormerName.objects.filter(user=OuterRef("person"))
    taken, later = names.filter(pk=OuterRef("former"), forbidden=True), names.filter(pk__gt=OuterRef("former"))
    return Q(act=Act.RENAME) & (~Q(Exists(taken)) | Q(Exists(later)))


def check_holds(deed: Deed) -> None:
    """Refuse to take back what no longer applies: "final"."""
    if marked(Deed.objects.filter(pk=deed.pk)).get().is_replaced:
        raise replaced()


def replaced() -> RuleViolation:
    return RuleViolation("final", _("This no longer applies: it has been taken back or changed since."))
