"""Players on a network that is bad, not gone: sockets lose messages or are refused, and pages and forms get through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from accounts.models import User
from games.chat.models import Message
from games.matchmaking import tables
from games.matchmaking.invitations import invite
from games.matchmaking.tables import TableSetup
from games.play import commands
from games.play.models import Action, Match
from tests.browser.matches import begun, play_on, play_until_turn_of
from tests.browser.player import HEARD, Player, connected, listen, log_in
from tests.browser.proxy import Wire, wire_to
from tests.people import act, person
from tests.serving import Site
from tests.site.chat.rooms import befriend, say, write

Enter = Callable[..., Page]


@pytest.fixture
def match(live_site: Site) -> Match:
    """A match in which both have acted and seat 0 ("ann") is to move."""
    return play_until_turn_of(begun([person("ann"), person("bob")], 6), 0)


@pytest.fixture
def wire(live_site: Site) -> Iterator[Wire]:
    with wire_to(live_site.url) as laid:
        yield laid


@pytest.fixture
def wired(visitor: Callable[..., object], wire: Wire) -> Callable[..., Page]:
    """Open a page of the site as a user, through the wire."""

    def open_page(name: str, address: str, prepare: Callable[[Page], object] = lambda _: None) -> Page:
        context = visitor()
        log_in(context, User.objects.get(username=name), wire.url)  # type: ignore[arg-type]  # pytest-playwright's
        page: Page = context.new_page()  # type: ignore[attr-defined]  # as above
        page.add_init_script(HEARD)
        prepare(page)
        listen(page)
        page.goto(wire.url + address)
        return page

    return open_page


def shows(page: Page, length: int, timeout: float | None = None) -> None:
    expect(page.locator("#match")).to_have_attribute("data-length", str(length), timeout=timeout)


def choose_flip(page: Page, cell: str = "b2") -> None:
    page.locator("#hand input").first.check()
    page.locator(f"#cell-{cell}").check()


def actions(match: Match) -> int:
    return Action.objects.filter(match=match, withdrawn=False).count()


# --- a request that is not answered ---------------------------------------------------------------------------------


@pytest.mark.parametrize("refused", [False, True])
def test_a_move_whose_message_is_lost_arrives_and_so_do_the_next(
    wired: Callable[..., Page], wire: Wire, match: Match, refused: bool
) -> None:
    """Heartbeats go on, or the socket dies and every new one is refused."""
    page = connected(wired("ann", match.get_absolute_url()))
    choose_flip(page)
    wire.deafen_sockets()
    page.locator("#verb-flip").click()
    if refused:
        wire.block_sockets()
    shows(page, match.length + 1)
    page.locator("#verb-end").click()
    shows(page, match.length + 2)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert actions(match) == match.length + 2


def never_posted(route: Route) -> None:
    """Serve the script of the match page without what makes a request go by HTTP."""
    script = route.fetch().text()
    assert "setTimeout(post, IN_TIME, pending)" in script
    route.fulfill(body=script.replace("setTimeout(post, IN_TIME, pending)", "0"), content_type="text/javascript")


def test_the_check_of_a_lost_move_fails_where_requests_have_no_age(
    wired: Callable[..., Page], wire: Wire, match: Match
) -> None:
    page = connected(wired("ann", match.get_absolute_url(), lambda it: it.route("**/play/match*.js", never_posted)))
    page.clock.install()  # however slow the machine is, the page does not take its socket for dead and send all again
    choose_flip(page)
    wire.deafen_sockets()
    page.locator("#verb-flip").click()
    page.clock.run_for(6_000)
    shows(page, match.length)
    assert actions(match) == match.length


def test_who_presses_again_is_heard_at_once(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    page.clock.install()  # nothing happens by itself: the second press alone sends it
    choose_flip(page)
    wire.deafen_sockets()
    page.locator("#verb-flip").click()
    with page.expect_response(re.compile("/act/$")):
        page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    assert actions(match) == match.length + 1


def test_who_presses_something_else_meanwhile_is_told_why_nothing_happens(
    wired: Callable[..., Page], wire: Wire, match: Match
) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    page.clock.install()
    held: list[Route] = []
    page.route("**/act/", lambda route: held.append(route))  # noqa: PLW0108  # playwright marks the function
    choose_flip(page)
    wire.deafen_sockets()
    page.locator("#verb-flip").click()
    page.locator("#verb-end").click()
    expect(page.get_by_role("alert")).to_contain_text("still on its way")
    held.pop().continue_()
    shows(page, match.length + 1)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert actions(match) == match.length + 1


def test_what_arrives_neither_way_is_told(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    choose_flip(page)
    page.route("**/act/", lambda route: route.abort())
    wire.deafen_sockets()
    page.locator("#verb-flip").click()
    expect(page.get_by_role("alert")).to_contain_text("didn’t reach the server")
    page.unroute("**/act/")
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    assert actions(match) == match.length + 1


def lose_answers(page: Page) -> None:
    """Let everything through that the page sends, and nothing that answers it or tells of the change."""

    def carry(it: WebSocketRoute) -> None:
        server = it.connect_to_server()
        said: list[str] = []

        def up(message: str | bytes) -> None:
            if '"form"' in str(message):
                said.append(str(message))
            server.send(message)

        it.on_message(up)
        server.on_message(lambda message: None if said else it.send(message))

    page.route_web_socket(re.compile("/ws/"), carry)


@pytest.mark.parametrize(
    ("button", "length"), [("#verb-end", 3), ("#undo", 1), ("#restart", 0)], ids=["act", "undo", "restart"]
)
def test_what_was_done_but_not_answered_is_done_once(enter: Enter, match: Match, button: str, length: int) -> None:
    """Two flips have been made in this turn; the whole turn ends, one is taken back, or both."""
    length += match.length
    page = enter(User.objects.get(username="ann"), "about:blank")
    lose_answers(page)
    page.goto(match.get_absolute_url())
    for number, cell in enumerate(("b2", "c3"), match.length + 1):
        hand = page.locator("#hand input")
        act(match, f"flip {hand.first.get_attribute('value')} {cell}", 0)
        page.reload()
        shows(connected(page), number)
    page.locator(button).click()
    shows(page, length)
    page.wait_for_timeout(1_000)
    shows(page, length)
    assert actions(match) == length
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_offer_and_an_undo_that_are_lost_arrive_too(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    choose_flip(page)
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    wire.deafen_sockets()
    page.locator("#undo").click()
    wire.block_sockets()
    shows(page, match.length)
    assert actions(match) == match.length
    commands.offer_abort(match.pk, 1)
    expect(page.locator("#offer")).to_contain_text("bob offers to abort")
    wire.allow_sockets()
    expect(page.locator("#connection")).to_be_hidden()
    wire.deafen_sockets()
    page.get_by_role("button", name="Agree").click()
    expect(page.locator("#match[data-status=aborted]")).to_be_visible()


def test_a_stale_answer_says_the_same_by_either_way(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    wire.block_sockets()
    page.locator("#version").evaluate("(field) => { field.value = String(Number(field.value) - 1); }")
    page.locator("#verb-end").click()
    expect(page.get_by_role("alert")).to_contain_text("Something else happened in the meantime")
    shows(page, match.length)


def test_a_message_that_is_lost_is_posted(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    page = connected(wired("ann", match.get_absolute_url()))
    page.locator("#open-chat").click()
    chat = page.locator("#chat")
    for words in ("Hello", "Are you there?"):
        chat.get_by_label("Your message").fill(words)
        wire.deafen_sockets()
        chat.get_by_role("button", name="Send").click()
        expect(chat.locator(".chat-words", has_text=words)).to_be_visible()
        expect(chat.get_by_label("Your message")).to_have_value("")
    assert Message.objects.count() == 2


# --- no socket at all -----------------------------------------------------------------------------------------------

FASTER = """const later = window.setTimeout;
window.setTimeout = (work, pause, ...more) => later(work, pause === 5000 || pause === 30000 ? 250 : pause, ...more);"""
"""Pages ask four times a second."""


def hurried(page: Page) -> None:
    page.add_init_script(FASTER)


@pytest.fixture
def blocked(wired: Callable[..., Page], wire: Wire) -> Callable[..., Page]:
    """Open a page where no socket ever opens; it asks often."""
    wire.block_sockets()

    def open_page(name: str, address: str) -> Page:
        page = wired(name, address, hurried)
        page.evaluate("window.sameDocument = true")
        return page

    return open_page


class Seated(Player):
    """A player whose page is open already."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name = page, name


ACTIONS, CLICKED = 56, 6
"""How many the match has, and how many of them, its last, are clicked."""


def test_a_match_is_played_to_its_end_without_a_socket_or_a_reload(blocked: Callable[..., Page], match: Match) -> None:
    play_on(match, ACTIONS - CLICKED - match.length)
    ann, bob = (Seated(blocked(name, match.get_absolute_url()), name) for name in ("ann", "bob"))
    _click_on(ann, bob, CLICKED)
    for player in (ann, bob):
        expect(player.page.locator("#match[data-status=over]")).to_be_visible()
        expect(player.page.locator("#around a", has_text="Verify this match")).to_have_count(1)
        assert player.page.evaluate("window.sameDocument === true")
    match.refresh_from_db()
    assert match.is_over


def _click_on(ann: Seated, bob: Seated, actions: int) -> None:
    """Let whoever is to move act, so many times."""
    for _ in range(actions):
        mover, other = (ann, bob) if ann.is_to_move() else (bob, ann)
        mover.play(mover.plan())
        other.shows(mover.length)


def test_the_check_of_such_a_match_fails_where_pages_do_not_ask(
    wired: Callable[..., Page], wire: Wire, match: Match
) -> None:
    wire.block_sockets()
    page = wired("bob", match.get_absolute_url(), lambda it: it.route("**/polling*.js", lambda route: route.abort()))
    act(match, "end", 0)
    page.wait_for_timeout(8_000)
    shows(page, match.length - 1)


def test_it_is_said_in_one_quiet_line_and_ends_with_the_first_socket(
    blocked: Callable[..., Page], wire: Wire, match: Match
) -> None:
    page = blocked("bob", match.get_absolute_url())
    line = page.locator("#connection")
    expect(line).to_contain_text("This network blocks live updates")
    expect(line).to_have_class(re.compile(r"\bquiet\b"))
    act(match, "end", 0)
    shows(page, match.length)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    wire.allow_sockets()
    expect(line).to_be_hidden()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/news/" in request.url else None)
    act(match, "end", 1)
    shows(page, match.length)
    page.wait_for_timeout(1_000)
    assert asked == []


def test_whoever_comes_back_is_told_at_once(wired: Callable[..., Page], wire: Wire, match: Match) -> None:
    """In a match over days the next question would come half a minute later."""
    Match.objects.filter(pk=match.pk).update(speed="days")
    match.refresh_from_db()
    wire.block_sockets()
    page = wired("bob", match.get_absolute_url())
    expect(page.locator("#page")).to_have_attribute("data-every", "30")
    expect(page.locator("#connection")).to_contain_text("This network blocks live updates")
    page.wait_for_load_state("networkidle")  # its first question has been answered
    act(match, "end", 0)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    shows(page, match.length, timeout=15_000)


def test_the_page_of_somebody_who_has_logged_out_shows_nothing_more(blocked: Callable[..., Page], match: Match) -> None:
    page = blocked("bob", match.get_absolute_url())
    expect(page.locator("#connection")).to_contain_text("This network blocks live updates")
    page.context.clear_cookies()
    expect(page.locator("#connection")).to_contain_text("no longer connected")
    act(match, "end", 0)
    page.wait_for_timeout(1_000)
    shows(page, match.length - 1)


def test_a_table_becomes_a_match_where_somebody_waits(blocked: Callable[..., Page], live_site: Site) -> None:
    table = tables.open_table(person("ann"), TableSetup("shifting-stones", 2))
    page = blocked("ann", table.get_absolute_url())
    expect(page.locator("#room-seats")).to_be_visible()
    tables.join(table.pk, person("bob"))
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    expect(page.locator("#board")).to_be_visible()
    assert page.evaluate("window.sameDocument === true")


def test_lists_numbers_notices_and_messages_come_too(blocked: Callable[..., Page], match: Match) -> None:
    bob = User.objects.get(username="bob")
    lobby, mine = blocked("ann", "/lobby/"), blocked("ann", "/matches/")
    rules, board = blocked("ann", "/rules/shifting-stones/"), blocked("ann", match.get_absolute_url())
    for page in (lobby, mine, board):
        expect(page.locator("#connection")).to_contain_text("This network blocks live updates")
    rules.wait_for_timeout(1_000)
    table = tables.open_table(bob, TableSetup("shifting-stones", 2))
    expect(lobby.locator(f"#table-{table.slug}")).to_be_visible()
    expect(mine.locator("[data-count-of=waiting-list]")).to_have_text("1")
    act(match, "end", 0)
    expect(mine.locator("[data-count-of=waiting-list]")).to_have_text("0")
    for page in (lobby, mine, rules, board):
        expect(page).not_to_have_title(re.compile(r"^\("))
    act(match, "end", 1)
    for page in (lobby, mine, rules, board):
        expect(page).to_have_title(re.compile(r"^\(1\) "))
    invite(table, [User.objects.get(username="ann")], by=bob)
    expect(rules.locator(".toast")).to_contain_text("bob")
    say(bob, match, "Good evening")
    expect(board.locator("#chat-unread .number")).to_have_text("1")
    board.locator("#open-chat").click()
    expect(board.locator("#chat").get_by_text("Good evening")).to_be_visible()
    say(bob, match, "Are you there?")
    expect(board.locator("#chat").get_by_text("Are you there?")).to_be_visible()
    expect(rules.locator("#letters")).to_be_hidden()


def test_two_friends_write_to_each_other(blocked: Callable[..., Page], live_site: Site) -> None:
    ann, bob = person("ann"), person("bob")
    befriend(ann, bob)
    page = blocked("ann", f"/messages/with/{bob.username}/")
    expect(page.locator("#connection")).to_contain_text("This network blocks live updates")
    write(bob, ann, "Shall we play?")
    expect(page.locator(".chat-words", has_text="Shall we play?")).to_be_visible()
