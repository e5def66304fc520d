"""Hostile texts in what sockets push into pages that are open: boards, lists of tables and matches, and messages."""

from __future__ import annotations

import json

import pytest
from websockets.sync.client import ClientConnection

from tests.serving import Site, dialled
from tests.site.config.hostile import MARK, ME, OTHER, poisoned
from tests.site.config.reading import in_html
from tests.site.config.world import World

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 20
"""Messages that may come before the one that is waited for."""


@pytest.fixture
def hostile(live_site: Site) -> World:
    return poisoned()


def pushed(connection: ClientConnection, name: str) -> str:
    """Return the markup of the next message that has some of this name."""
    for _ in range(MOST):
        told = json.loads(connection.recv(timeout=60))
        if name in told:
            return str(told[name])
    raise AssertionError(f"{name} was not pushed")


def asked_for(connection: ClientConnection, kind: str) -> str:
    connection.send(json.dumps({"kind": kind, "form": ""}))
    return pushed(connection, kind)


def test_nothing_hostile_becomes_more_than_text_in_what_is_pushed(
    live_site: Site, hostile: World, subtests: pytest.Subtests
) -> None:
    slugs = [hostile.slugs[each] for each in ("public", "private", "over", "open", "planned")]
    for role in (ME, OTHER):
        wrong: dict[str, list[str]] = {}
        client, shown = hostile.client(role), set()
        for path in ("lobby/", "matches/", *(f"match/{slug}/" for slug in slugs)):
            with dialled(live_site, f"{path}?language=en", client) as connection:
                found = {path: pushed(connection, "content")}
                if path.startswith("match/") and path != f"match/{hostile.slugs['planned']}/":
                    found[f"{path} chat"] = asked_for(connection, "chat")
            wrong |= {where: bad for where, markup in found.items() if (bad := in_html(markup))}
            shown |= {where for where, markup in found.items() if MARK in markup}
        with subtests.test(role):
            assert wrong == {}
            assert {"lobby/", "matches/", f"match/{hostile.slugs['public']}/ chat"} <= shown
    with dialled(live_site, f"messages/{ME}/?language=en", hostile.client(OTHER)) as connection:
        markup = asked_for(connection, "chat")
    assert MARK in markup
    assert in_html(markup) == []
