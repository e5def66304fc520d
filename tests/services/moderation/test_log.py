"""The log of moderators on the database of a real site: PostgreSQL refuses changes too, whatever asks for them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, models, transaction

from games.moderation import people, triggers
from games.moderation.models import Deed
from tests.people import person
from tests.site.moderation.moderators import moderator

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def deed() -> Deed:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")
    return people.warn(moderator("mod"), person("bob"), "Please be kind")


def kept(deed: Deed) -> bool:
    """Return whether the log has this deed alone, as it was written."""
    fields = [field.attname for field in Deed._meta.concrete_fields]
    return list(Deed.objects.values(*fields)) == [{name: getattr(deed, name) for name in fields}]


@pytest.mark.parametrize(
    "changed",
    [
        "reason = 'Nothing'",
        "act = 'lift', by_id = NULL",
        "details = '{}', person_id = NULL",
        "at = at - interval '1 day'",
        "by_id = person_id",
        "person_id = by_id",
    ],
)
def test_sql_changes_nothing(deed: Deed, changed: str) -> None:
    deed.refresh_from_db()
    with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE moderation_deed SET {changed}")
    assert kept(deed)


def test_sql_deletes_nothing(deed: Deed) -> None:
    deed.refresh_from_db()
    with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM moderation_deed")
    assert kept(deed)


def test_the_orm_changes_and_deletes_nothing_even_around_the_model(deed: Deed) -> None:
    """A query set of Django's own asks, which the model's refusal does not stop."""
    deed.refresh_from_db()
    everything: models.QuerySet[Deed] = models.QuerySet(Deed)
    with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic():
        everything.update(reason="Nothing")
    with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic():
        everything.delete()
    assert kept(deed)


def test_links_to_accounts_that_end_are_cut(deed: Deed) -> None:
    assert deed.person is not None
    assert deed.by is not None
    deed.person.delete()
    deed.by.delete()
    (left,) = Deed.objects.all()
    assert (left.reason, left.by, left.person, left.sanction) == ("Please be kind", None, None, None)
