"""Questions whose SQL is built once: they find what the query finds, whoever is asked about."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.questions import Prepared, moment_read
from tests.people import person

pytestmark = pytest.mark.django_db


def people_since(people: Collection[int], since: datetime, until: datetime) -> QuerySet[User, Any]:
    found = User.objects.filter(pk__in=people, date_joined__gt=since, date_joined__lte=until, is_active=True)
    return found.order_by("pk").values_list("pk", "username")


def test_it_finds_what_the_query_finds_whoever_and_however_many_are_asked_about() -> None:
    prepared, now = Prepared(people_since), timezone.now()
    keys = [person(date_joined=now - timedelta(days=days)).pk for days in range(6)]
    early, late = now - timedelta(days=4), now - timedelta(days=1)
    assert len(prepared.of(keys, early, late)) == 3
    for asked in (keys, keys[:2], keys[2:4], keys[4:], set(keys), keys[1:2], []):
        for moments in ((early, late), (early, now), (late, now)):
            assert prepared.of(asked, *moments) == list(people_since(asked, *moments))


def test_its_sql_is_built_once_for_each_number_of_people_and_whatever_else_is_given() -> None:
    built = []

    def about(people: Collection[int], *, most: int = 2) -> QuerySet[User, Any]:
        built.append((len(people), most))
        return User.objects.filter(pk__in=people).order_by("pk").values_list("pk")[:most]

    prepared, keys = Prepared(about), [person().pk for _ in range(3)]
    found = [prepared.of(asked) for asked in ([keys[0]], [keys[1]], keys[:2], keys[1:], [keys[2]])]
    assert [[key for (key,) in rows] for rows in found] == [[keys[0]], [keys[1]], keys[:2], keys[1:], [keys[2]]]
    assert prepared.of(keys[1:], most=1) == [(keys[1],)]
    for asked in (keys[1:], keys[:2]):
        assert User.objects.get(pk__in=prepared.within(asked, most=1)).pk == asked[0]
    assert built == [(1, 2), (2, 2), (2, 1)]


def test_instances_are_those_that_the_query_finds_with_what_it_annotates() -> None:
    def about(people: Collection[int]) -> QuerySet[User, Any]:
        return User.objects.filter(pk__in=people).order_by("pk").annotate(known_as=F("name_key"))

    prepared, people = Prepared(about), [person("Ann"), person("Bob", time_zone="Asia/Tokyo")]
    found = prepared.instances(User, [it.pk for it in people])
    assert found == people
    assert [(vars(it)["known_as"], it.time_zone, it.date_joined) for it in found] == [
        ("ann", "UTC", people[0].date_joined),
        ("bob", "Asia/Tokyo", people[1].date_joined),
    ]


def test_moments_are_read_as_they_were_stored() -> None:
    ann = person("Ann")
    prepared = Prepared(lambda people: User.objects.filter(pk__in=people).values_list("date_joined"))
    assert [moment_read(joined) for (joined,) in prepared.of([ann.pk])] == [ann.date_joined]
