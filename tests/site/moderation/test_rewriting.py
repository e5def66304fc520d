"""Nothing writes over what stands in the log of moderators, on either database."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction

from games.moderation import people, triggers
from games.moderation.models import Deed
from tests.people import person
from tests.site.moderation.moderators import moderator

pytestmark = pytest.mark.django_db

ANEW = "INTO moderation_deed (id, act, reason, details, at) SELECT id, act, 'Nothing', details, at FROM moderation_deed"


@pytest.fixture(params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def deed(request: pytest.FixtureRequest) -> Deed:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")
    return people.warn(moderator("mod"), person("bob"), "Please be kind")


@pytest.mark.parametrize(
    "statement",
    [
        f"REPLACE {ANEW}",
        f"INSERT OR REPLACE {ANEW}",
        f"INSERT {ANEW} WHERE true ON CONFLICT (id) DO UPDATE SET reason = excluded.reason",
    ],
)
def test_a_deed_is_not_written_over(deed: Deed, statement: str) -> None:
    if connection.vendor == "postgresql" and "REPLACE" in statement:
        pytest.skip("PostgreSQL knows no REPLACE")
    with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Deed.objects.values_list("pk", "reason").get() == (deed.pk, "Please be kind")


def test_what_is_new_is_written_as_before(deed: Deed) -> None:
    people.warn(None, person("eve"), "You too")
    assert list(Deed.objects.order_by("pk").values_list("reason", flat=True)) == ["Please be kind", "You too"]


def test_the_lock_can_be_opened_and_closed_again(deed: Deed) -> None:
    with connection.cursor() as cursor:
        editor = SimpleNamespace(connection=connection, execute=cursor.execute)
        triggers.drop(editor)
        cursor.execute("UPDATE moderation_deed SET reason = 'Nothing'")
        triggers.create(editor)
        triggers.create(editor)
        with pytest.raises(IntegrityError, match=triggers.MESSAGE), transaction.atomic():
            cursor.execute("UPDATE moderation_deed SET reason = 'Something'")
