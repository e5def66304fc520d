"""Tables of a club: its members see them and sit down, and nobody else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.clubs import services
from games.clubs.membership import club_of as club_of_match
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup
from games.play.access import access_match
from games.play.models import Match, Speed
from tests.people import client_of, person, play_out, running_match
from tests.site.clubs.clubs import club_of, put_in, refused

pytestmark = pytest.mark.django_db

CASUAL = TableSetup("shifting-stones", 2, rated=False)


def test_only_members_see_a_table_of_their_club_and_sit_down() -> None:
    ann, stranger = person(), person()
    club = club_of(ann)
    bob, left = put_in(club), put_in(club)
    table = tables.open_table(ann, replace(CASUAL, visibility=Match.Visibility.CLUB, club=club))
    page = client_of(bob).get(table.get_absolute_url())
    assert club.name in page.content.decode()
    services.leave(left, club.slug)
    for outside in (client_of(stranger), client_of(left), Client()):
        assert outside.get(table.get_absolute_url()).status_code == 404
        for address in (reverse("lobby"), reverse("archive")):
            assert table.slug not in outside.get(address).content.decode()
    assert refused(tables.join, table.pk, stranger) == "invited-only"
    tables.join(table.pk, bob)
    table.refresh_from_db()
    assert table.is_running
    other = put_in(club)
    assert access_match(other, table.slug).viewer is None
    with pytest.raises(Http404):
        access_match(stranger, table.slug)


def test_only_members_open_tables_for_a_club() -> None:
    ann = person()
    club, other = club_of(ann), club_of(person(), "Another club")
    for_club = replace(CASUAL, visibility=Match.Visibility.CLUB)
    assert refused(tables.open_table, ann, for_club) == "club"
    assert refused(tables.open_table, ann, replace(for_club, club=other)) == "club"
    assert refused(tables.open_table, ann, replace(CASUAL, club=club)) == "club"


def test_planned_tables_of_a_club_are_listed_for_its_members() -> None:
    ann = person()
    club = club_of(ann)
    bob, stranger = put_in(club), person()
    setup = replace(CASUAL, visibility=Match.Visibility.CLUB, club=club)
    table = planned.plan_table(ann, setup, timezone.now() + timedelta(days=1))
    assert table.slug in client_of(bob).get(reverse("planned_tables")).content.decode()
    for outside in (client_of(stranger), Client()):
        assert table.slug not in outside.get(reverse("planned_tables")).content.decode()
    assert refused(planned.come, table.pk, stranger) == "invited-only"
    planned.come(table.pk, bob)


def test_the_form_of_a_new_table_offers_ones_clubs() -> None:
    ann = person()
    club, other = club_of(ann, "Chess <b>club</b>"), club_of(person(), "Another club")
    client, address = client_of(ann), reverse("table_new")
    chosen = client.get(address, {"club": club.slug}).content.decode()
    assert f"?game=card-chess&amp;club={club.slug}" in chosen
    page = client.get(address, {"game": "shifting-stones", "club": club.slug}).content.decode()
    assert f'<option value="club:{club.slug}" selected>Members of Chess &lt;b&gt;club&lt;/b&gt;</option>' in page
    assert other.slug not in client.get(address, {"game": "shifting-stones", "club": other.slug}).content.decode()
    asked = {
        "seats": "2",
        "speed": "live",
        "live_clock": tables.USUAL_CLOCKS[Speed.LIVE][0],
        "days_clock": tables.USUAL_CLOCKS[Speed.DAYS][0],
        "rated": "on",
        "seat_order": "random",
        "reliability": "0",
    }
    for slug, status in ((other.slug, 422), (club.slug, 302)):
        answer = client.post(f"{address}?game=shifting-stones", {**asked, "visibility": f"club:{slug}"})
        assert answer.status_code == status, answer.content.decode()
    table = Match.objects.get()
    assert (table.visibility, club_of_match(table)) == (Match.Visibility.CLUB, club)


def test_a_rematch_belongs_to_the_club_too_and_closing_it_closes_what_waits() -> None:
    ann = person()
    club = club_of(ann)
    bob = put_in(club)
    setup = replace(CASUAL, visibility=Match.Visibility.CLUB, club=club)
    over = tables.open_table(ann, setup)
    tables.join(over.pk, bob)
    play_out(over)
    again, waiting = tables.rematch(over.pk, ann), tables.open_table(ann, setup)
    ahead = planned.plan_table(ann, setup, timezone.now() + timedelta(days=1))
    assert club_of_match(again) == club
    services.close(ann, club.slug)
    for table in (again, waiting, ahead):
        table.refresh_from_db()
        assert table.status == Match.Status.CLOSED
    over.refresh_from_db()
    assert over.is_over
    assert access_match(bob, over.slug).viewer is not None


def test_other_matches_belong_to_no_club() -> None:
    assert club_of_match(running_match([person(), person()])) is None
    with pytest.raises(RuleViolation):
        services.join(person(), "nowhere")
