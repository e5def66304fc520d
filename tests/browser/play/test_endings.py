"""The end of a match for everybody who is on its page when it comes, and for those who open it later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Dialog, Page, expect

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play import commands, timekeeping
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.titles import games
from tests.browser.axe import violations, violations_in
from tests.browser.matches import begun
from tests.browser.player import connected
from tests.browser.windows import resize
from tests.people import act, as_stored, eager, go_on, person, play_out, running_match
from tests.serving import Site
from tests.site.bots.test_turns import against_bots

Enter = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 640}, "reduced_motion": "reduce"}
SEED = bytes(31) + b"\x05"


@pytest.fixture
def pair(live_site: Site) -> list[User]:
    return [person("ann"), person("maximilian")]


def before_its_last_action(people: Sequence[User], **fields: object) -> tuple[Match, int, str]:
    """Return a match that ends with the action of this seat."""
    *most, (seat, text) = play_out(running_match(people, seed=SEED, **fields)).actions.values_list("seat", "text")
    match = running_match(people, seed=SEED, **fields)
    seen = as_stored(match)
    for number, done in most:
        seen = go_on(seen, number, done)
    match.refresh_from_db()
    return match, seat, text


def ends_in_sight(page: Page, headline: str) -> None:
    """Wait for the end; all of it is on the first screen of a phone, below the header and without a reload."""
    ending = page.locator("#ending")
    expect(ending.get_by_role("heading")).to_contain_text(headline)
    expect(ending).to_be_visible()
    assert page.evaluate("window.sameDocument === true")
    expect(page.locator("body > header")).to_be_in_viewport(ratio=1)
    is_on_first_screen(page)


def is_on_first_screen(page: Page) -> None:
    height = page.viewport_size["height"] if page.viewport_size else 0
    for part in ("#ending h2", "#ending .decisive", "#to-replay", "#share"):
        box = page.locator(part).bounding_box()
        assert box
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, (part, box)
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 360, (part, box)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def on_its_page(enter: Enter, user: User, match: Match, **options: object) -> Page:
    page = connected(enter(user, match.get_absolute_url(), **{**PHONE, **options}))
    page.evaluate("window.sameDocument = true")
    return page


TAP_AT_ONCE = """() => new MutationObserver((_changes, observer) => {
  const rematch = document.getElementById("rematch");
  if (!rematch) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.deaf = !!rematch.closest("[inert]"); });
}).observe(document.getElementById("page"), { subtree: true, childList: true })"""
"""Notes whether the button of the rematch hears a tap when it has just appeared."""


def test_a_second_tap_at_the_place_of_the_last_action_asks_for_no_rematch(enter: Enter, pair: list[User]) -> None:
    match, _seat, _text = before_its_last_action(pair)
    page = on_its_page(enter, pair[0], match)
    page.evaluate(TAP_AT_ONCE)
    commands.resign(match.pk, 1, "resign-12345")
    expect(page.locator("#rematch")).to_be_visible()
    assert page.evaluate("window.deaf")
    page.locator("#rematch").click()
    expect(page.locator("#match[data-status=open]")).to_be_visible()


@pytest.mark.parametrize("slug", games())
def test_winner_and_loser_can_read_how_it_went_in_every_game(enter: Enter, pair: list[User], slug: str) -> None:
    match, seat, text = before_its_last_action(pair, game=slug, rated=True)
    pages = [on_its_page(enter, user, match) for user in pair]
    for page in pages:
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    act(match, text, seat)
    first, second = (match.seats.get(number=number).place for number in (0, 1))
    assert {first, second} == {1, 2}
    for page, place in zip(pages, (first, second), strict=True):
        ends_in_sight(page, "You won" if place == 1 else "You lost")
        expect(page.locator("#consolation")).to_have_count(int(place == 2))
        expect(page.locator("#ending-rating .spark")).to_be_visible()
        for name in ("Rematch", "Watch the replay", "Share"):
            expect(page.locator("#ending .ways").get_by_text(name)).to_be_visible()
        said = page.locator("#ending").inner_text()
        page.reload()
        assert page.locator("#ending").inner_text() == said
        is_on_first_screen(page)
        assert page.complaints == []  # type: ignore[attr-defined]  # collected by `enter`
        if place == 2:  # who is told everything that the winner is, and something besides
            found = violations(page) if slug == "shifting-stones" else violations_in(page, "dark")
            assert found == []


BROKEN = """(names) => names.filter((name) => name.textContent.split("-").some((word) => {
  const letters = document.createRange();
  const begin = name.textContent.indexOf(word);
  letters.setStart(name.firstChild, begin);
  letters.setEnd(name.firstChild, begin + word.length);
  return new Set([...letters.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
})).map(({ textContent }) => textContent)"""
"""Names of which a word goes on in another line."""


def test_with_most_players_it_fits_a_phone_too(enter: Enter, live_site: Site) -> None:
    names = ("Wilhelmine-von-Waldau", "Maximilian-Sebastian", "Guest-Brave-Sparrow", "cleopatra", "dai")
    people = [person(name) for name in names]
    page = enter(people[0], "about:blank", **PHONE)
    for slug, rules in games().items():
        players = people[: max(rules.seats)]
        page.goto(play_out(running_match(players, game=slug, seed=SEED, rated=True)).get_absolute_url())
        is_on_first_screen(page)
        expect(page.locator("#ending tbody tr")).to_have_count(len(players))
        assert page.locator("#ending tbody a").evaluate_all(BROKEN) == [], slug


def resign(match: Match) -> None:
    commands.resign(match.pk, 1, "request-1")


def resigned(people: Sequence[User]) -> Match:
    """Return a match that is over soon, as both have acted."""
    match = running_match(people, seed=SEED)
    for seat in (0, 1):
        act(match, "skip", seat)
    resign(match)
    return match


def run_out_of_time(match: Match) -> None:
    now = timezone.now()
    seat = Seat.objects.filter(match=match, to_move=True).order_by("number")[0]
    bank, since = timedelta(seconds=1), now - timedelta(seconds=9)
    Seat.objects.filter(pk=seat.pk).update(bank=bank, running_since=since, deadline=since + bank)
    assert timekeeping.expire(match.pk)


def abort(match: Match) -> None:
    for seat in (0, 1):
        commands.offer_abort(match.pk, seat)


EARLY_ENDS = (
    (resign, ("You won", "You lost"), ("maximilian has resigned.", "You resigned.")),
    (run_out_of_time, ("You lost", "You won"), ("You ran out of time.", "ann ran out of time.")),
    (abort, ("The match was aborted", "The match was aborted"), ("it does not count.", "it does not count.")),
)
"""How a match can end early, and what each of its players is told."""


def test_a_match_that_ends_early_says_why(enter: Enter, pair: list[User]) -> None:
    pages = [enter(user, "about:blank", **PHONE) for user in pair]
    for end, headlines, reasons in EARLY_ENDS:
        match = running_match(pair, clock="300+10/600", rated=True)
        for seat in (0, 1):
            act(match, "skip", seat)
        for page in pages:
            page.goto(match.get_absolute_url())
            connected(page).evaluate("window.sameDocument = true")
        end(match)
        for page, headline, reason in zip(pages, headlines, reasons, strict=True):
            ends_in_sight(page, headline)
            expect(page.locator("#ending-details")).to_contain_text(reason)
            expect(page.locator("#ending-rating")).to_have_count(int(end is not abort))


def test_alone_it_ends_like_any_other_match(enter: Enter, live_site: Site) -> None:
    ann = person("ann")
    match, seat, text = before_its_last_action([ann])
    page = on_its_page(enter, ann, match)
    act(match, text, seat)
    ends_in_sight(page, "You did it" if match.seats.get().place == 1 else "Not this time")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_however_a_match_ended_all_of_it_is_on_the_first_screen(enter: Enter, pair: list[User]) -> None:
    """Those of Shifting Stones are above."""
    page = enter(pair[0], "about:blank", **PHONE)
    for slug, rules in games().items():
        ended = [_under_way(pair, slug) for _ in EARLY_ENDS if slug != "shifting-stones"]
        for match, (end, *_told) in zip(ended, EARLY_ENDS, strict=False):
            end(match)
        if 1 in rules.seats:
            ended.append(play_out(running_match(pair[:1], game=slug, seed=SEED)))
        for match in ended:
            page.goto(match.get_absolute_url())
            is_on_first_screen(page)


def _under_way(people: Sequence[User], slug: str) -> Match:
    """Return a match in which everybody has acted."""
    match = running_match(people, game=slug, clock="300+10/600", rated=True, seed=SEED)
    while match.actions.values("seat").distinct().count() < len(people):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, eager(match, positions.legal_texts(match, seat)), seat)
    return match


@pytest.mark.parametrize("width", [360, 1280])
def test_its_buttons_lie_flush_and_the_boxes_of_players_are_even(enter: Enter, live_site: Site, width: int) -> None:
    ann = person("ann")
    match = against_bots([ann])
    play_out(match)
    page = connected(enter(ann, match.get_absolute_url(), viewport={"width": width, "height": 800}))
    sides = "(all, selector) => all.map((each) => each.closest(selector).getBoundingClientRect())"
    table, *rows = page.locator("#ending .decisive").evaluate_all(sides, "table")
    assert not rows
    buttons = page.locator("#ending .ways > .button, #ending .rematch > .button").evaluate_all(sides, ".button")
    lines: dict[float, list[dict[str, float]]] = {}
    for button in buttons:
        lines.setdefault(button["top"], []).append(button)
    assert len(buttons) == 4
    for line in lines.values():
        assert min(button["left"] for button in line) == pytest.approx(table["left"], abs=1)
        assert max(button["right"] for button in line) == pytest.approx(table["right"], abs=1)
    boxes = page.locator("#players > .player").evaluate_all(sides, ".player")
    assert len({round(box["height"]) for box in boxes}) == 1


def test_on_a_phone_the_name_of_a_guest_stays_whole_beside_their_place(enter: Enter, live_site: Site) -> None:
    people = [person("ann"), person("Guest-Ibex", guest=True)]
    match = running_match(people)
    play_out(match)
    page = connected(enter(people[0], match.get_absolute_url(), **PHONE))
    mine, theirs = page.locator("#players .player-name").evaluate_all("(names) => names.map((it) => it.offsetHeight)")
    assert theirs == mine


def test_sharing_leaves_the_choice_to_the_system_or_copies_the_link_where_it_does_not_ask(
    enter: Enter, pair: list[User]
) -> None:
    page = enter(pair[0], resigned(pair).get_absolute_url(), **PHONE)
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    page.locator("#share").click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.url
    assert shared["text"].endswith("Shifting Stones")
    page.reload()
    page.evaluate("""() => {
        Object.defineProperty(navigator, "share", { value: undefined });
        const writeText = async (text) => { window.copied = text; };
        Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    }""")
    page.locator("#share").click()
    expect(page.locator("#share")).to_have_text("Link copied")
    assert page.evaluate("window.copied") == page.url


PLAIN = """Object.defineProperty(navigator, "share", { value: undefined });
    Object.defineProperty(navigator, "clipboard", { value: undefined });"""
"""What a browser has over plain http."""


def test_links_are_copied_over_plain_http_too(enter: Enter, pair: list[User]) -> None:
    """By hand where even that is refused."""
    page, over = enter(pair[0], "about:blank", **PHONE), resigned(pair).get_absolute_url()
    page.add_init_script(PLAIN)
    table = tables.open_table(pair[0], TableSetup("shifting-stones", 2)).get_absolute_url()
    for address, button, done in ((over, "#share", "Link copied"), (table, "#copy", "Copied")):
        page.goto(address)
        connected(page).locator(button).click()
        expect(page.locator(button)).to_have_text(done)
        expect(page.locator(button)).to_be_focused()
        page.evaluate("document.body.prepend(Object.assign(document.createElement('input'), {id: 'paste'}))")
        page.locator("#paste").focus()
        page.keyboard.press("Control+V")
        expect(page.locator("#paste")).to_have_value(page.url)
    page.goto(over)
    page.evaluate("document.execCommand = () => false")
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.default_value)
        dialog.dismiss()

    page.on("dialog", refuse)
    with page.expect_event("dialog"):
        page.locator("#share").click()
    expect(page.locator("#share")).to_be_focused()
    assert asked == [page.url]


SHARING = """
Object.defineProperty(navigator, "share", { value: async (what) => { window.shared = what; } });
Object.defineProperty(navigator, "canShare", { value: ({ files }) => TAKEN && files.length > 0 });
"""


def test_a_picture_of_the_board_goes_with_the_link_where_the_system_takes_it(enter: Enter, pair: list[User]) -> None:
    page, address = enter(pair[0], "about:blank", **PHONE), resigned(pair).get_absolute_url()
    for taken in (True, False):
        page.goto(address)
        page.evaluate(SHARING.replace("TAKEN", str(taken).lower()))
        with page.expect_response("**/picture.png"):
            page.locator("#share").hover()  # the picture is fetched before anybody decides
        page.locator("#share").click()
        page.wait_for_function("() => window.shared")
        types = page.evaluate("(window.shared.files ?? []).filter(({ size }) => size).map(({ type }) => type)")
        assert types == (["image/png"] if taken else [])
        assert page.evaluate("window.shared.url") == page.url
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture
    page.route("**/picture.png", lambda route: route.abort())  # without a picture the link is shared alone
    page.goto(address)
    page.evaluate(SHARING.replace("TAKEN", "true"))
    page.locator("#share").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared.url") == page.url
    assert page.evaluate("window.shared.files") is None


PAPER = """() => ["header", "footer", ".rules-corner", "#hand", ".verbs", "#leave", "#open-log",
  "#match-status", "#players", "#stones", "#standing", "#log-lines"]
  .filter((part) => document.querySelector(part)?.checkVisibility())"""


def test_a_match_is_printed_black_on_white_without_what_can_be_pressed(enter: Enter, live_site: Site) -> None:
    people = [person("ann", theme="dark"), person("bob")]
    page = enter(people[0], begun(people, 8).get_absolute_url(), viewport={"width": 1280, "height": 800})
    page.locator('link[href*="paper"]').wait_for(state="attached")
    page.emulate_media(media="print")
    for width in (760, 1280):
        resize(page, {"width": width, "height": 1000})
        assert page.evaluate(PAPER) == ["#match-status", "#players", "#stones", "#standing", "#log-lines"]
    colours = page.evaluate("['color', 'backgroundColor'].map((it) => getComputedStyle(document.documentElement)[it])")
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    log, board = page.locator("#log").bounding_box(), page.locator("#board").bounding_box()
    assert log
    assert board
    assert log["y"] >= board["y"] + board["height"]
