"""Places of streams in Redis: what another process holds counts here, and is free soon after that was killed."""

from __future__ import annotations

import secrets
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.cache import cache
from redis import Redis

from accounts.limits import STREAMS
from games.api.problems import Problem
from games.api.streams import places

pytestmark = pytest.mark.services

TAKING = """
import sys, django
django.setup()
from games.api.streams import places
print(*[places.take(int(sys.argv[1])) for _stream in range(int(sys.argv[2]))])
"""


def test_places_of_another_process_count_and_are_free_within_a_minute() -> None:
    person = secrets.randbelow(10**9)
    taken = subprocess.check_output([sys.executable, "-c", TAKING, str(person), str(STREAMS)], text=True).split()
    assert len(set(taken)) == STREAMS
    with pytest.raises(Problem) as refused:
        places.take(person)
    assert refused.value.code == "too-many-streams"
    with Redis.from_url(settings.REDIS_URL) as redis:
        assert all(0 < redis.ttl(cache.make_key(place)) < 60 for place in taken)
    places._free(taken[3])
    assert places.take(person) == taken[3]
