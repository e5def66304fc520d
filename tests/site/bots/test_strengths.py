"""The pages about bots say what the published tables say."""

from __future__ import annotations

import pytest
from django.template.defaultfilters import floatformat
from django.test import Client
from django.urls import reverse

from games.bots.views import measured
from games.engine.bots import LEVELS
from games.titles import games, titles


@pytest.mark.django_db
def test_pages_say_how_bots_think_in_each_game(client: Client) -> None:
    page = client.get(reverse("bots")).content.decode()
    for slug, game in games().items():
        futures = LEVELS["master"].futures(titles()[slug].insight.EFFORT)
        way = (
            f"it then tries its best moves in up to {futures} such worlds" if futures > 1 else "it takes the move that"
        )
        assert f"<b>{game.name}</b>: {way}" in page


@pytest.mark.django_db
def test_the_page_of_a_bot_has_both_figures(client: Client) -> None:
    page = client.get(reverse("bot", args=["master"])).content.decode()
    for row in measured():
        if row.name == "master":
            assert f'data-label="Without ties">{floatformat(row.outright, 1)} %</td>' in page
            assert f'data-label="Opponents beaten">{floatformat(row.share, 1)} %' in page
