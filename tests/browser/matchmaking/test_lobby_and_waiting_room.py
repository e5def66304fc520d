"""Lobby and waiting room in a real browser: what is pushed appears, nothing moves under the pointer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connections
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from accounts.models import User
from games.engine.fair import commitment
from games.matchmaking import tables
from games.matchmaking.lobby import PAGE
from games.matchmaking.tables import TableSetup
from games.play.commands import resign
from games.play.models import Match, Seat
from tests.browser.windows import resize
from tests.people import person
from tests.serving import Site
from tests.waiting import wait_until

Enter = Callable[..., Page]


def _wait_for_nonce(match: Match, host: User) -> None:
    """The host's page sends its number as soon as it has shown the fingerprint."""
    wait_until(lambda: Seat.objects.filter(match=match, user=host).exclude(nonce=b"").exists())


def test_a_visitor_with_the_link_to_a_table_sits_down_in_one_press(enter: Enter) -> None:
    ours = enter(person("ann"), "/tables/new/?game=shifting-stones")
    ours.get_by_role("button", name="Invite by link").click()
    address = ours.locator("#invite-link").input_value()
    expect(ours.get_by_role("button", name="Copy")).to_have_class(re.compile("primary"))
    theirs = enter(None, address)
    expect(theirs.get_by_role("heading", name="ann invites you to Shifting Stones")).to_be_visible()
    theirs.get_by_role("button", name="Play as a guest").click()
    for page in (ours, theirs):
        expect(page.locator("#match[data-status=running][data-seat]")).to_be_visible()
        assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
    assert not Match.objects.get().rated


def test_a_host_plays_a_bot_while_the_table_waits_and_is_told_when_it_is_full(enter: Enter) -> None:
    host = person()
    table = tables.open_table(host, TableSetup("shifting-stones", 2))
    waiting = enter(host, table.get_absolute_url())
    waiting.get_by_role("button", name="Play a bot meanwhile").click()
    expect(waiting.locator("#match[data-status=running]")).to_be_visible()
    table.refresh_from_db()
    assert table.is_open
    page, said = enter(host, "/rules/shifting-stones/"), list[str]()
    page.on("websocket", lambda it: it.on("framereceived", lambda frame: said.append(it.url + str(frame))))
    page.goto(waiting.url)  # the page it began on may be loaded once more
    while not any("/ws/match/" in it and '{"notices":' in it for it in said):  # what comes from now on is new
        page.wait_for_timeout(20)
    tables.join(table.pk, person())
    expect(page.locator(".toast").get_by_role("link")).to_have_attribute("href", table.get_absolute_url())


def test_the_room_fills_before_the_eyes_of_those_who_wait(enter: Enter) -> None:
    host, guest = person(), person("guest")
    match = tables.open_table(host, TableSetup("shifting-stones", 3))
    ours, theirs = enter(host, match.get_absolute_url()), enter(guest, match.get_absolute_url())
    theirs.locator("#sit-down").click()
    expect(theirs.locator("#get-up")).to_be_visible()
    expect(ours.locator("#room-seats")).to_contain_text("guest")
    _wait_for_nonce(match, host)
    assert len(bytes(Seat.objects.get(match=match, user=host).nonce)) == 16  # sent after the commitment was seen
    assert len(bytes(Seat.objects.get(match=match, user=guest).nonce)) == 16
    ours.locator("#start").click()
    expect(theirs.locator("#match[data-status=running]")).to_be_visible()


def test_alone_the_script_begins_once_the_commitment_is_shown(enter: Enter) -> None:
    page = enter(person(), "/tables/new/?game=shifting-stones")
    page.get_by_label("alone").check()
    page.locator("#open-table").click()
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    match = Match.objects.get()
    nonce = bytes(match.seats.get().nonce).hex()
    assert len(nonce) == 32
    assert _kept(page, match) == (match.commit, nonce)


def test_alone_without_a_script_a_button_begins(enter: Enter) -> None:
    page = enter(person(), "/tables/new/?game=shifting-stones", java_script_enabled=False)
    page.get_by_label("alone").check()
    page.locator("#open-table").click()
    expect(page.locator("#room-commitment")).to_have_text(Match.objects.get().commit)
    expect(page.locator("#room-commitment")).to_be_visible()
    page.locator("#begin").click()
    expect(page.locator("#match[data-status=running]")).to_be_visible()


def test_from_opening_a_table_to_two_boards_the_browser_keeps_what_is_compared(enter: Enter) -> None:
    host, guest = person("hanna"), person("gil")
    theirs = enter(guest, "/lobby/")
    ours = enter(host, "/tables/new/?game=shifting-stones")
    ours.locator("#open-table").click()
    expect(ours.locator("#status")).to_contain_text("1 of 2")
    ours.locator("#seal summary").click()
    expect(ours.locator("#seal .kept")).to_be_visible()
    match = Match.objects.get()
    _wait_for_nonce(match, host)
    theirs.locator(f"#sit-{match.slug}").click()
    for page, user in ((ours, host), (theirs, guest)):
        expect(page.locator("#match[data-status=running]")).to_be_visible()
        nonce = bytes(match.seats.get(user=user).nonce).hex()
        assert _kept(page, match) == (match.commit, nonce)
        page.locator(".about").click()
        page.locator("#fairness summary").click()
        expect(page.locator("#fairness [data-kept]")).to_have_text(nonce)
    nonces = [bytes(seat.nonce) for seat in match.seats.all()]
    assert [len(nonce) for nonce in nonces] == [16, 16]
    assert nonces[0] != nonces[1]
    resign(match.pk, 0, "resigning-now")
    for page in (ours, theirs):
        result = _verified(page, match)
        expect(result).to_have_attribute("data-good", "true")
        for sentence in ("is the one your browser kept", "browser sent was used", "order of seats was drawn"):
            expect(result).to_contain_text(sentence)
        expect(page.locator("#kept-commit")).to_have_text(match.commit)
    Seat.objects.filter(match=match, user=host).update(nonce=b"exchanged")
    expect(_verified(ours, match)).to_contain_text("is not the one that was used for you")
    expect(_verified(ours, match)).to_have_attribute("data-good", "false")
    seed = bytes(32)  # another deal, told as if it had always been this one
    Match.objects.filter(pk=match.pk).update(server_seed=seed, commit=commitment(seed))
    expect(_verified(theirs, match)).to_contain_text("is not the one your browser kept")
    expect(_verified(enter(person(), "/lobby/"), match)).to_contain_text("has nothing to compare with")


def _kept(page: Page, match: Match) -> tuple[str, str]:
    entry = page.evaluate("slug => JSON.parse(localStorage.getItem('tessera-kept'))[slug]", match.slug)
    return entry["commit"], entry["nonce"]


def _verified(page: Page, match: Match) -> Locator:
    page.goto(f"/match/{match.slug}/replay/")
    page.locator("#verify").click()
    result = page.locator("#verify-result[data-good]")
    expect(result).to_be_visible()
    return result


def test_a_number_from_another_device_is_not_kept(enter: Enter) -> None:
    host = person()
    match = tables.open_table(host, TableSetup("shifting-stones", 3))
    page = enter(host, "about:blank")

    def another_is_faster(route: Route) -> None:
        tables.add_nonce(match.pk, host, b"phone")
        connections.close_all()  # those of this handler, which has its own
        route.continue_()

    page.route("**/nonce/", another_is_faster)
    with page.expect_response("**/nonce/") as answer:
        page.goto(match.get_absolute_url())
    assert answer.value.status == 409
    page.wait_for_function("slug => !JSON.parse(localStorage.getItem('tessera-kept'))[slug].nonce", arg=match.slug)
    expect(page.locator("#seal .kept")).to_be_hidden()


def test_what_is_gone_stays_greyed_under_the_pointer_and_what_is_new_comes_last(enter: Enter) -> None:
    host = person()
    first, second = (tables.open_table(host, TableSetup("shifting-stones", 2)) for _ in range(2))
    page = enter(person(), "/lobby/")
    below = page.locator(f"#table-{second.slug}")
    below.hover()
    place = below.bounding_box()
    tables.close_table(first.pk, host)
    third = tables.open_table(host, TableSetup("shifting-stones", 2))
    expect(page.locator(f"#table-{third.slug}")).to_be_visible()
    expect(page.locator(f"#table-{first.slug}.gone button")).to_be_disabled()
    assert below.bounding_box() == place
    page.locator("h1").hover()
    expect(page.locator(f"#table-{first.slug}")).to_have_count(0)
    assert [item.get_attribute("id") for item in page.locator("#tables > li").all()] == [
        f"table-{third.slug}",
        f"table-{second.slug}",
    ]


def test_a_table_pushed_to_the_next_page_stays_open_under_the_pointer(enter: Enter) -> None:
    opened = [tables.open_table(person(), TableSetup("shifting-stones", 2)) for _ in range(PAGE)]
    page = enter(person(), "/lobby/")
    oldest = page.locator(f"#table-{opened[0].slug}")
    oldest.hover()
    newest = tables.open_table(person(), TableSetup("shifting-stones", 2))
    expect(page.locator(f"#table-{newest.slug}")).to_be_attached()
    expect(page.locator("#older")).to_be_visible()
    expect(oldest.locator("button")).to_be_enabled()
    assert not oldest.evaluate("item => item.matches('.gone')")
    page.locator("h1").hover()
    expect(oldest).to_have_count(0)
    expect(page.locator("#tables > li").first).to_have_id(f"table-{newest.slug}")
    page.locator("#older").click()
    expect(page.locator("#tables > li")).to_have_count(1)
    expect(oldest).to_be_visible()


def test_the_sentence_for_visitors_is_one_sentence(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    page = visitor().new_page()
    page.goto("/lobby/")
    for width in (360, 1280):
        resize(page, {"width": width, "height": 800})
        _says_one_sentence(page, width)


def _says_one_sentence(page: Page, width: int) -> None:
    lines = "words => new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size"
    sentence = page.locator("#visitors > p")
    assert sentence.evaluate("it => getComputedStyle(it).display") == "block"
    expect(sentence).to_have_text("Casual tables need no account. For rated ones, log in or register.")
    height = sentence.evaluate("it => it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight)")
    assert height < (1.5 if width == 1280 else 2.5)
    assert sentence.locator("a").first.evaluate(lines) == 1


def test_the_host_removes_a_guest_who_is_told_why(enter: Enter) -> None:
    host, guest = person(), person("guest")
    match = tables.open_table(host, TableSetup("shifting-stones", 3))
    tables.join(match.pk, guest)
    ours, theirs = enter(host, match.get_absolute_url()), enter(guest, match.get_absolute_url())
    expect(theirs.locator("#get-up")).to_be_visible()
    ours.get_by_role("button", name="Remove guest").click()
    expect(theirs.locator("#removed-note")).to_contain_text("The host removed you from this table.")
    expect(theirs.locator("#sit-down")).to_have_count(0)
    ours.locator("#invite-more").click()
    ours.get_by_role("combobox", name="Invite").fill("guest")
    ours.locator("#send-invitations").click()
    theirs.locator("#sit-down").click()
    expect(ours.locator("#room-seats")).to_contain_text("guest")


def test_ones_own_table_is_marked(enter: Enter) -> None:
    host = person()
    page = enter(host, "/lobby/")
    match = tables.open_table(host, TableSetup("shifting-stones", 2))
    expect(page.locator(f"#own [data-slug='{match.slug}']")).to_be_visible()
    expect(page.locator(f"#table-{match.slug} .own-mark")).to_be_visible()
    expect(page.locator(f"#sit-{match.slug}")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_the_form_shows_what_applies(enter: Enter, script: bool) -> None:
    phone = {"width": 360, "height": 740}
    page = enter(person(), "/tables/new/?game=small-islands", java_script_enabled=script, viewport=phone)
    _is_in_the_first_view(page, "#open-table", "#open-for-link")
    rated, alexis = page.locator("[data-field=rated]"), page.locator("[data-field=option-alexis]")
    page.locator("#more > summary").click()
    expect(rated).to_be_visible()
    expect(alexis).to_be_hidden()
    page.get_by_label("alone").check()
    expect(rated).to_be_hidden()
    expect(alexis).to_be_visible()


def _is_in_the_first_view(page: Page, *buttons: str) -> None:
    for button in buttons:
        box = page.locator(button).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 740


def test_a_choice_that_changes_nothing_with_so_many_players_is_not_offered(enter: Enter) -> None:
    page = enter(person(), "/tables/new/?game=card-chess")
    page.get_by_label("2 players").check()
    page.locator("#more > summary").click()
    page.get_by_label("first to three gold cards").check()
    page.get_by_label("3 players").check()
    expect(page.get_by_label("first to three gold cards")).to_be_hidden()
    page.locator("#open-table").click()
    expect(page.locator("#match")).to_be_visible()
    assert Match.objects.get().options["length"] == "official"


def test_terms_stand_under_their_heading_and_no_line_of_them_begins_with_a_dot(enter: Enter) -> None:
    host = person()
    tables.open_table(host, TableSetup("small-islands", 3, {"mode": "advanced"}, reliability=80))
    page = enter(host, "/lobby/")
    for width in (360, 1280):
        resize(page, {"width": width, "height": 740})
        _lists_its_terms_in_order(page)


def _lists_its_terms_in_order(page: Page) -> None:
    terms = page.locator("#tables .terms")
    edges = "(list) => [list, list.parentElement.querySelector('h3')].map((it) => it.getBoundingClientRect().left)"
    left, heading = terms.evaluate(edges)
    assert abs(left - heading) <= 1
    dots = terms.evaluate("(list) => [...list.children].map((it) => getComputedStyle(it, '::after').content)")
    assert len(dots) >= 4
    assert dots.pop() == "none"
    assert all(dot.startswith('"\xa0·') for dot in dots)  # the space before it never breaks a line


def test_all_of_the_waiting_room_has_one_left_edge(enter: Enter) -> None:
    host = person()
    table = tables.open_table(host, TableSetup("shifting-stones", 3))
    page = enter(host, table.get_absolute_url())
    for width in (360, 1280):
        resize(page, {"width": width, "height": 740})
        parts = page.locator("#status, #room-actions, #room-facts, #seal")
        assert parts.count() == 4
        assert len({part.bounding_box()["x"] for part in parts.all()}) == 1  # type: ignore[index]  # all are visible
