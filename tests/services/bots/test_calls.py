"""Where PostgreSQL tells nobody of changes, a process that thinks hears over Redis that there is work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.bots import hints
from games.bots.models import Hint
from games.play.models import Action
from tests.people import act, person
from tests.site.bots.test_turns import against_bots
from tests.site.config.processes import database_url
from tests.unit.config.environment import ROOT
from tests.waiting import wait_until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

# A process that thinks as always, but never looks at the database unless somebody calls; it says when it could be.
LISTENS = """
import config.wsgi
from django.core.management import call_command
from games.bots import worker
from config.redis_layer import RedisLayer
worker.AT_LATEST = 600.0
subscribe = RedisLayer._subscribe
async def subscribed(*asked):
    subscription = await subscribe(*asked)
    print("It listens.", flush=True)
    return subscription
RedisLayer._subscribe = subscribed
call_command("bots")
"""


@pytest.fixture
def _listening(transactional_db: None) -> Iterator[None]:
    """Let a process think for bots, which hears what is said over Redis."""
    told = {**os.environ, "DATABASE_URL": database_url(), "BOT_SECONDS": "0.1"}
    command = [sys.executable, "-c", LISTENS]
    with subprocess.Popen(command, cwd=ROOT, env=told, text=True, stdout=subprocess.PIPE) as process:
        try:
            assert any("It listens." in line for line in process.stdout or ())
            yield
        finally:
            process.terminate()
            assert process.wait(30) == 0


@pytest.mark.usefixtures("_listening")
def test_it_hears_of_turns_and_hints() -> None:
    match = against_bots([person()])
    act(match, "end")
    wait_until(Action.objects.filter(match=match, by_bot=True).exists)
    wait_until(lambda: match.seats.get(number=0).to_move)
    hints.ask(match.pk, 0)
    wait_until(Hint.objects.exclude(text="").exists)
