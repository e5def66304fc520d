"""Buckets in Redis hold for all processes together."""

from __future__ import annotations

import secrets
import subprocess
import sys
import time

import pytest

from accounts import buckets
from accounts.buckets import Allowance

pytestmark = pytest.mark.services

ASKING = """
import sys
from accounts import buckets
print(sum(not buckets.draw(sys.argv[1], buckets.Allowance(60, 2)) for _time in range(40)))
"""


def test_several_processes_use_one_bucket() -> None:
    key, began = secrets.token_hex(8), time.monotonic()
    asking = [
        subprocess.Popen([sys.executable, "-c", ASKING, key], stdout=subprocess.PIPE, text=True)
        for _process in range(3)
    ]
    taken = sum(int(process.communicate(timeout=60)[0]) for process in asking)
    assert 60 <= taken <= 60 + 2 * (time.monotonic() - began)


def test_what_is_put_back_can_be_taken_again_and_a_full_bucket_takes_no_room() -> None:
    key, allowance = secrets.token_hex(8), Allowance(1, 0.01)
    assert buckets.draw(key, allowance) == 0
    assert 99 < buckets.draw(key, allowance) <= 100
    assert buckets.draw(key, allowance, uses=-1) == 0
    assert not buckets._script().registered_client.exists(key)
    assert buckets.draw(key, allowance) == 0
