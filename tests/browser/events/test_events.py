"""Events in a browser: found and entered in two taps, followed while they go on, and looked at when they are over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games.events import services
from games.events.models import Event
from games.events.seasons import open_missing
from games.play.models import Match, Speed
from tests.browser.axe import violations_at_both_widths
from tests.browser.player import connected, log_in
from tests.browser.windows import resize
from tests.people import person
from tests.serving import Site
from tests.site.events.swiss import end_round, go_on, in_each_state, opened, resign, start

Enter = Callable[..., Page]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
LONG = "a-very-long-name-12"
SCROLLS = """() => [document.documentElement, ...document.querySelectorAll(".table-wrap")]
  .filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.className || it.tagName)"""
"""What can be scrolled sideways."""


def test_somebody_new_is_in_the_league_within_two_taps_and_at_the_deal_within_one(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    open_missing(timezone.now())
    ann = person("ann")
    context = visitor(**PHONE)
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto("/")
    page.locator("#events-line a").tap()
    league = Event.objects.get(game="shifting-stones", format="league")
    page.locator(f"#event-{league.pk}, #event-{league.slug}").get_by_role("button").tap()
    expect(page.locator("#mine-title")).to_have_text("You take part")
    entry = league.entries.get(user=ann)
    assert len(bytes(entry.nonce)) == 16, "the browser added its share"
    page.goto("/")
    page.locator("#deals form button").first.tap()
    expect(page.locator("#board")).to_be_visible()


def test_an_open_page_follows_an_event_and_takes_its_players_to_their_matches(enter: Enter) -> None:
    ann, bob, zoe = person("ann"), person("bob"), person("zoe")
    event = opened([ann, bob], Speed.LIVE)
    address = event.get_absolute_url()
    playing, watching = (connected(enter(user, address)) for user in (ann, zoe))
    anonymous = connected(enter(None, address))
    for page in (watching, anonymous):
        page.evaluate("window.sameAsBefore = true")
    services.enter(person("cid"), event.slug)
    expect(watching.locator("#entered")).to_contain_text("cid")
    services.leave(event.entries.get(user__username="cid").user, event.slug)
    expect(watching.locator("#entered")).not_to_contain_text("cid")

    start(event)
    first = Match.objects.get()
    playing.wait_for_url(f"**{first.get_absolute_url()}")
    playing.goto(address)
    expect(playing.locator("#next-matches a").first).to_have_attribute("href", first.get_absolute_url())
    for page in (watching, anonymous):
        expect(page.locator("#boards .thumbnail")).to_be_visible()
        expect(page.locator("#round-1")).to_be_visible()
        expect(page.locator("#next-matches")).to_have_count(0)
    expect(watching.get_by_role("button", name="Enter")).to_have_count(0)

    connected(playing)
    end_round(event)
    second = Match.objects.latest("pk")
    playing.wait_for_url(f"**{second.get_absolute_url()}")
    for page in (watching, anonymous):
        expect(page.locator("#standings tbody tr").first).to_contain_text("1")
        expect(page.locator("#round-2")).to_be_visible()

    end_round(event)
    for page in (watching, anonymous):
        expect(page.locator("#podium li")).to_have_count(2)
        expect(page.locator("#boards")).to_have_count(0)
        expect(page.locator("#seed")).to_have_count(1)
        assert page.evaluate("window.sameAsBefore"), "nothing was loaded anew"
    watching.locator("#copy").click()
    expect(watching.locator("#copy")).to_have_text("Copied")
    for page in (playing, watching, anonymous):
        assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`


def test_what_was_opened_stays_so_while_an_event_goes_on(enter: Enter) -> None:
    event = opened([person() for _ in range(4)], Speed.DAYS, 3)
    start(event)
    page = connected(enter(person("zoe"), event.get_absolute_url()))
    page.locator("#fairness summary").click()
    one = Match.objects.first()
    assert one is not None
    resign(one)
    go_on(event)
    expect(page.locator("#standings tbody")).to_contain_text("1")
    expect(page.locator("#round-1 .events-meeting").get_by_role("link", name="Replay")).to_be_visible()
    expect(page.locator("#commitment")).to_be_visible()


def test_without_a_script_one_confirms_pauses_and_comes_back(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    ann = person("ann")
    event = opened([ann, person("bob")], Speed.DAYS)
    event.entries.update(confirmed_at=timezone.now() - timedelta(days=3))
    context = visitor(java_script_enabled=False)
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto(event.get_absolute_url())
    page.get_by_role("button", name="Yes, I will play").click()
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#leaving summary").click()
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator("#mine")).to_contain_text("You are paused")
    page.get_by_role("button", name="Come back").click()
    expect(page.locator("#mine")).not_to_contain_text("You are paused")
    assert event.entries.get(user=ann).is_in


def test_events_are_for_everybody_in_every_state_and_language(enter: Enter, live_site: Site) -> None:
    open_missing(timezone.now())
    ann = person(LONG)
    events = in_each_state([ann, *(person() for _ in range(3))])
    assert dict(Event.objects.filter(format="swiss", season=None).values_list("slug", "state")) == {
        event.slug: state for state, event in events.items()
    }
    page = enter(ann, "about:blank", reduced_motion="reduce")
    paths = [reverse("events"), *(event.get_absolute_url() for event in events.values())]
    found: list[str] = []
    for path in paths:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        found += violations_at_both_widths(page)
    for language, _name in settings.LANGUAGES:
        User.objects.filter(pk=ann.pk).update(language=language)
        for path in paths:
            page.goto(path)
            for width in (360, 1280):
                resize(page, {"width": width, "height": 740})
                found += [f"{language} {path} {width}: {it} scrolls" for it in page.evaluate(SCROLLS)]
    assert found == []
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
