"""Whoever begins a deal in several windows at once has one try; on SQLite and PostgreSQL."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection

from games.deals import services
from games.deals.models import Deal, Try
from games.play.models import Match
from tests.meeting import together
from tests.people import person

WINDOWS = 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("vendor", [pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def test_several_windows_begin_one_try(vendor: str) -> None:
    if connection.vendor != vendor:
        pytest.skip(f"the database is {connection.vendor}")
    begun = together([partial(services.begin, person("ann"), "shifting-stones")] * WINDOWS)
    assert {match.pk for match in begun} == {Match.objects.get().pk}
    assert (Try.objects.count(), Deal.objects.count()) == (1, 1)
