"""Whoever begins a deal in several windows at once has one try; on SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from games.deals import services
from games.deals.models import Deal, Try
from games.play.models import Match
from tests.people import person

WINDOWS = 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("vendor", [pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def test_several_windows_begin_one_try(vendor: str) -> None:
    if connection.vendor != vendor:
        pytest.skip(f"the database is {connection.vendor}")
    ann, barrier = person("ann"), threading.Barrier(WINDOWS)

    def begin(_window: int) -> int:
        try:
            barrier.wait()
            return services.begin(ann, "shifting-stones").pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WINDOWS) as pool:
        begun = set(pool.map(begin, range(WINDOWS)))
    assert begun == {Match.objects.get().pk}
    assert (Try.objects.count(), Deal.objects.count()) == (1, 1)
