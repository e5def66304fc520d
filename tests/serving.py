"""The site served in this process on a port of its own, and a browser to visit it."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import uvicorn
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from websockets.sync.client import ClientConnection, connect

from config.serve import server_config

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",  # pages of one context share a process
    "--js-flags=--single-threaded",  # other threads would only take turns with it
]


PATIENCE = 30_000
"""Milliseconds a page may take for what is waited for: on a busy machine a second can become ten."""

SEEN = """document.addEventListener("readystatechange", () => {
    delete document.getElementById("past")?.dataset.from;
});"""
"""Makes a page believe that its reader has seen everything, before any of its scripts runs."""

STARTING = 120
"""Seconds that a server may take to start: a busy machine keeps it waiting."""

ENDING = 60
"""Seconds that what a server has begun may take to end."""


@dataclass(frozen=True)
class Site:
    """A served site: `url` without a slash at the end."""

    url: str


def dialled(site: Site, path: str, client: Client | None = None, **headers: str) -> ClientConnection:
    """Open the socket at a path below /ws/ as a page in this user's browser does (None: a visitor's)."""
    headers.setdefault("Origin", site.url)
    if client is not None:
        headers["Cookie"] = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
    address = f"{site.url.replace('http', 'ws')}/ws/{path}"
    return connect(address, additional_headers=headers, max_size=None, open_timeout=60)


class Served:
    """uvicorn in a thread of this process, so that the test sees the same database and channel layer.

    Args:
        listening: the socket to serve at; it stays open. None: one of its own.
    """

    def __init__(self, listening: socket.socket | None = None) -> None:
        self.socket = listening.dup() if listening else socket.create_server(("127.0.0.1", 0))
        port = self.socket.getsockname()[1]
        config = server_config(host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.site = Site(f"http://127.0.0.1:{port}")

    def __enter__(self) -> Site:
        self.thread.start()
        deadline = time.monotonic() + STARTING
        while not self.server.started:
            if time.monotonic() > deadline:
                raise RuntimeError("the server did not start")
            time.sleep(0.02)
        return self.site

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=ENDING)
        self.socket.close()


@pytest.fixture(scope="session")
def listening() -> Iterator[socket.socket]:
    """Keep one port for the whole run: what a browser has loaded belongs to an address."""
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


@pytest.fixture
def live_site(listening: socket.socket, transactional_db: None) -> Iterator[Site]:
    """Serve the site for one test; it must not run inside the test's transaction.

    With its server end its sockets and all tasks of its loop, as the heartbeat; then what they gave to workers.
    """
    from games.play.live import workers  # apps are ready only now

    with Served(listening) as site:
        yield site
    assert workers.finish(ENDING)
    connections.close_all()


def chromium(whole: bool = False) -> str:
    """Return the path of the browser: CHROMIUM, or the system's.

    Best is the one that can open no windows: it draws the same with half of the work. It shows no notifications; a
    `whole` one does.
    """
    names = ["chromium"] if whole else ["chromium-headless-shell", "chromium"]
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), "/usr/bin/chromium")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium for the whole run."""
    with playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS) as opened:
        yield opened
