"""The site as `make run` serves it, in a process of its own with a temporary database, for benchmarks to load."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.ops.stack import free_port


@dataclass(frozen=True)
class Player:
    """A logged-in user: what their browser would send, and what a program of theirs."""

    session: str
    csrf: str
    token: str = ""

    @property
    def cookie(self) -> str:
        return f"tessera_session={self.session}; csrftoken={self.csrf}"


def prepare() -> int:
    """Point Django at an empty database of its own and create the tables; return the port the site will have."""
    port = free_port()
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="tessera-bench-")
    os.environ["SITE_URL"] = f"http://127.0.0.1:{port}"
    os.environ["SINGLE_PROCESS"] = "1"
    os.environ["LOG_LEVEL"] = "WARNING"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    return port


def player(name: str, *, has_token: bool = False) -> Player:
    """Register a user unless there is one of this name, log them in, and make a token for their programs if wanted."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.middleware.csrf import get_token
    from django.test import RequestFactory

    from accounts.models import User
    from games.api import tokens
    from games.api.models import Scope

    user = User.objects.named(name) or User.objects.create_user(name, f"{name}@example.org")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    request = RequestFactory().get("/")
    get_token(request)
    token = tokens.make(user, "load", [Scope.READ, Scope.PLAY], 1)[1] if has_token else ""
    return Player(session.session_key or "", request.META["CSRF_COOKIE"], token)


@contextmanager
def served(port: int) -> Iterator[int]:
    """Serve on the first core; yield the process id."""
    from django.db import connections

    connections.close_all()
    environment = {**os.environ, "PORT": str(port)}
    server = subprocess.Popen([sys.executable, "-m", "config.serve"], env=environment, stdout=subprocess.DEVNULL)
    pin(server.pid, 0)
    try:
        _wait(f"http://127.0.0.1:{port}/healthz")
        yield server.pid
    finally:
        server.terminate()
        server.wait(15)


def pin(pid: int, core: int) -> None:
    """Keep a process (0: this one) on one core, so that server and load do not share one."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


def folder() -> Path:
    return Path(os.environ["DATA_DIR"])


def _wait(address: str) -> None:
    for _ in range(200):
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")
