"""Two players at one match: what arrives, what survives it, what is never shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from accounts.models import User
from games.matchmaking.tables import rematch
from games.play import commands
from games.play.models import Action, Match, Seat
from games.play.reducer import positions
from tests.browser.matches import begun, play_until_turn_of
from tests.browser.player import HEARD, connected, listen, log_in
from tests.browser.proxy import Wire, wire_to
from tests.people import act, person
from tests.serving import Site

Enter = Callable[..., Page]
SHOWN = """() => {
  window.shown = [];
  const note = () => window.shown.push(Number(document.getElementById("match").dataset.version));
  new MutationObserver(note).observe(document.getElementById("page"),
    { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
  note();
}"""
"""Notes every version the page ever shows."""


@pytest.fixture
def match(live_site: Site) -> Match:
    """A match in which both have acted and seat 0 ("ann") is to move."""
    return play_until_turn_of(begun([person("ann"), person("bob")], 6), 0)


@pytest.fixture
def ann(match: Match) -> User:
    return User.objects.get(username="ann")


@pytest.fixture
def page(enter: Enter, match: Match, ann: User) -> Page:
    """Ann's page of the match, connected."""
    return connected(enter(ann, match.get_absolute_url()))


def shows(page: Page, length: int) -> None:
    expect(page.locator("#match")).to_have_attribute("data-length", str(length))


def choose_flip(page: Page, cell: str = "b2") -> None:
    page.locator("#hand input").first.check()
    page.locator(f"#cell-{cell}").check()


# --- pushes ---------------------------------------------------------------------------------------------------------


def test_nothing_moves_when_less_motion_is_asked_for(enter: Enter, match: Match, ann: User) -> None:
    assert _most_animations(enter(ann, match.get_absolute_url(), reduced_motion="no-preference"), match) > 0
    assert _most_animations(enter(ann, match.get_absolute_url(), reduced_motion="reduce"), match) == 0


def _most_animations(page: Page, match: Match) -> int:
    """Flip a stone; return how many animations ran at once at most."""
    expect(connected(page).locator("#page")).to_have_attribute("data-moves", "")
    page.evaluate("""() => {
      window.most = 0;
      const look = () => {
        window.most = Math.max(window.most, document.getAnimations().length);
        requestAnimationFrame(look);
      };
      look();
    }""")
    before = int(page.locator("#match").get_attribute("data-length") or 0)
    choose_flip(page)
    page.locator("#verb-flip").click()
    shows(page, before + 1)
    page.wait_for_timeout(300)
    return int(page.evaluate("window.most"))


def test_who_agrees_to_a_rematch_where_they_saw_the_end_adds_their_own_number(page: Page, match: Match) -> None:
    commands.resign(match.pk, 1, "resigning-now")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    rematch(match.pk, User.objects.get(username="bob"))
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    seat = Seat.objects.get(match__previous=match, user__username="ann")
    assert len(bytes(seat.nonce)) == 16


def test_a_rematch_pressed_before_anything_else_was_loaded_is_sat_down_at(
    enter: Enter, match: Match, ann: User
) -> None:
    page = connected(enter(ann, match.get_absolute_url(), cold=True))
    at_the_end = re.compile(f"{match.get_absolute_url()}$")
    page.route("**/nonce.js", lambda it: it.abort() if at_the_end.search(page.url) else it.continue_())
    commands.resign(match.pk, 1, "resigning-now")
    rematch(match.pk, User.objects.get(username="bob"))
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#match[data-status=running]")).to_be_visible()


# --- one's own actions ----------------------------------------------------------------------------------------------


def test_ones_own_action_is_painted_by_its_answer_alone(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, "about:blank")
    page.route_web_socket(re.compile("/ws/"), lambda socket: None)  # opened, and silent for ever
    page.goto(match.get_absolute_url())
    answers: list[str] = []
    files = {"image", "script"}  # scripts of the board may still come while it is clicked
    besides = "/company.json"  # who is here is asked for now and then
    page.on(
        "response",
        lambda it: None if it.request.resource_type in files or it.url.endswith(besides) else answers.append(it.url),
    )
    choose_flip(page)
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    assert len(answers) == 1
    assert page.locator("html").get_attribute("data-heard") is None


def test_ones_own_action_is_painted_once(page: Page, match: Match) -> None:
    """Answer and push bring the same board; the second one changes nothing."""
    page.evaluate(
        "() => { window.swaps = 0; document.addEventListener('htmx:after:swap', () => { window.swaps += 1; }); }"
    )
    choose_flip(page)
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    page.wait_for_timeout(400)
    assert page.evaluate("window.swaps") == 1


def test_a_refusal_is_told_beside_the_board_it_is_about(page: Page, match: Match) -> None:
    page.locator("#version").evaluate("(field) => { field.value = String(Number(field.value) - 1); }")
    page.locator("#verb-end").click()
    expect(page.get_by_role("alert")).to_contain_text("Something else happened in the meantime")
    shows(page, match.length)


def test_a_double_click_acts_once(page: Page, match: Match) -> None:
    choose_flip(page)
    for length, verb in enumerate(("flip", "end"), start=match.length + 1):
        page.locator(f"#verb-{verb}").dblclick()
        shows(page, length)
        page.wait_for_timeout(300)
        shows(page, length)
        assert Action.objects.filter(match=match).count() == length
        assert page.locator("[role=alert]").count() == 0


def test_a_push_overtaken_by_a_newer_one_is_not_shown(enter: Enter, match: Match, ann: User) -> None:
    page = enter(ann, "about:blank")
    boards: list[str] = []
    sockets: list[WebSocketRoute] = []

    def carry(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if '"content"' in str(message):
                boards.append(str(message))
            socket.send(message)

        sockets.append(socket)
        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile("/ws/"), carry)
    page.goto(match.get_absolute_url())
    connected(page).evaluate(SHOWN)
    act(match, "end", 0)
    shows(page, match.length)
    sockets[0].send(boards[0])
    page.wait_for_timeout(200)
    _never_went_back(page)


def _never_went_back(page: Page) -> None:
    shown = page.evaluate("window.shown")
    assert len(set(shown)) > 1
    assert shown == sorted(shown)


# --- the connection -------------------------------------------------------------------------------------------------


@pytest.fixture
def wire(live_site: Site) -> Iterator[Wire]:
    with wire_to(live_site.url) as laid:
        yield laid


@pytest.fixture
def wired(visitor: Callable[..., BrowserContext], wire: Wire, match: Match, ann: User) -> Page:
    """Ann's page of the match, reached through the wire."""
    context = visitor()
    log_in(context, ann, wire.url)
    page = context.new_page()
    page.add_init_script(HEARD)
    listen(page)
    page.goto(wire.url + match.get_absolute_url())
    return connected(page)


NO_TIMERS = "for (let last = setTimeout(() => 0); last; last -= 1) clearTimeout(last)"


def test_a_cut_connection_is_told_and_heals_with_the_right_board(wired: Page, wire: Wire, match: Match) -> None:
    choose_flip(wired)
    wire.cut()
    expect(wired.locator("#connection")).to_be_visible()
    expect(wired.locator("#connection")).to_contain_text("Connection lost")
    act(match, "end", 0)
    wire.mend()
    wired.evaluate(NO_TIMERS)  # so that nothing else dials again
    wired.evaluate("dispatchEvent(new Event('online'))")  # as the system says when the network is back
    shows(wired, match.length)
    expect(wired.locator("#connection")).to_be_hidden()


def test_a_connection_heals_without_being_told_that_the_network_is_back(wired: Page, wire: Wire, match: Match) -> None:
    wire.cut()
    expect(wired.locator("#connection")).to_be_visible()
    act(match, "end", 0)
    wire.mend()
    shows(wired, match.length)
    expect(wired.locator("#connection")).to_be_hidden()


def test_a_connection_that_falls_silent_is_noticed_within_ten_seconds(wired: Page, wire: Wire) -> None:
    wired.clock.install()
    wired.reload()
    connected(wired)
    wire.fall_silent()
    wired.clock.fast_forward(10_000)
    expect(wired.locator("#connection")).to_be_visible()


def test_what_is_sent_without_a_connection_is_not_lost(wired: Page, wire: Wire, match: Match) -> None:
    choose_flip(wired)
    wire.cut()
    wired.locator("#verb-flip").click()
    expect(wired.get_by_role("alert")).to_contain_text("didn’t reach the server")
    expect(wired.locator("#cell-b2")).to_be_checked()
    wire.mend()
    wired.locator("#verb-flip").click()
    shows(wired, match.length + 1)


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_whole_turn_and_the_next_one_by_keys_alone(page: Page, match: Match) -> None:
    """After each action the keyboard carries on where it was: focus is never lost, and Tab is never needed."""
    length = match.length
    for slot, cell in (("1", "b2"), ("2", "c3")):
        page.keyboard.press(slot)
        page.locator("#hand input:checked").wait_for()
        page.evaluate(f"document.getElementById('cell-{cell}').click()")
        page.keyboard.press("f")
        length += 1
        shows(page, length)
    page.keyboard.press("e")
    shows(page, length + 1)
    expect(page.locator("#status")).to_be_focused()
    act(match, "end", 1)
    shows(page, length + 2)
    page.keyboard.press("2")
    expect(page.locator("#hand input").nth(1)).to_be_checked()
    page.keyboard.press("Escape")
    page.locator("#status").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#stones input:focus")).to_have_count(1)
    page.keyboard.press("d")
    expect(page.locator("#verb-skip")).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, length + 3)
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`


# --- what others changed --------------------------------------------------------------------------------------------


def marked(page: Page) -> set[str]:
    outlined = (
        "(stones) => stones.filter((it) => getComputedStyle(it).outlineWidth === '2px').map((it) => it.dataset.cell)"
    )
    return set(page.locator("#stones .stone").evaluate_all(outlined))


def test_what_the_opponent_changed_stays_marked_until_one_acts(page: Page, match: Match) -> None:
    act(match, "end", 0)
    hand = positions.decode_state(match).hands[1]
    act(match, f"flip {hand[0]} a1", 1)
    act(match, f"shift {hand[1]} b3 c3", 1)
    act(match, "end", 1)
    shows(page, match.length)
    page.reload()
    assert marked(page) == {"a1", "b3", "c3"}
    expect(page.get_by_role("grid", name="Stones")).to_have_accessible_description("Changed: a1, b3, c3")
    expect(page.locator("#discard-pile.new")).to_be_visible()
    choose_flip(page, "c1")
    assert marked(page) == {"a1", "b3", "c3"}
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    assert marked(page) == {"c1"}
    expect(page.locator("#discard-pile.new")).to_have_count(0)


def test_a_move_whose_socket_is_cut_in_the_middle_is_done_once(page: Page, match: Match) -> None:
    """The server has it, the answer never arrives, and the page asks again over its next socket."""
    page.evaluate("""() => {
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (data) {
            send.call(this, data);
            if (!String(data).includes('"act"') || window.cut) return;
            window.cut = true;
            this.onmessage = null;
            this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
        };
    }""")
    choose_flip(page)
    page.locator("#verb-flip").click()
    shows(page, match.length + 1)
    page.wait_for_timeout(500)
    assert page.evaluate("window.cut")
    assert Action.objects.filter(match=match).count() == match.length + 1
    assert page.locator("[role=alert]").count() == 0
    page.locator("#verb-end").click()
    shows(page, match.length + 2)


def test_without_a_socket_the_form_is_posted(page: Page, match: Match) -> None:
    page.evaluate("""() => {
        document.addEventListener("htmx:ws:before:connection", (event) => event.preventDefault());
        document.getElementById("page")._htmx.ws.connection.socket.close();
    }""")
    page.wait_for_timeout(100)
    choose_flip(page)
    with page.expect_response(re.compile("/act/$")) as answer:
        page.locator("#verb-flip").click()
    assert answer.value.status == 200
    shows(page, match.length + 1)
