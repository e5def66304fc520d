"""The deal of the day in a browser: begun by one tap; its results on a phone and a wide screen, in all languages."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from playwright.sync_api import BrowserContext, expect

from accounts.moments import today
from accounts.relations import accept_request, request_friendship
from games.deals import services
from tests.browser.axe import violations_at_both_widths
from tests.browser.player import listen
from tests.people import person, play_out
from tests.serving import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def test_a_visitor_begins_the_deal_by_one_tap_and_sees_how_it_went(
    live_site: Site, visitor: Callable[..., BrowserContext]
) -> None:
    for user in (people := [person("a-very-long-name-of-somebody"), person(), person()]):
        play_out(services.begin(user, "shifting-stones"))
    page = visitor(**PHONE).new_page()
    complaints = listen(page)
    page.goto("/")
    page.locator("#deals form button").nth(1).tap()
    expect(page.locator("#board")).to_be_visible()
    from accounts.models import User  # apps are ready only now

    guest = User.objects.get(guest=True)
    match = play_out(services.begin(guest, "shifting-stones"))
    for one in people[:2]:
        request_friendship(one, people[2])
        accept_request(people[2], one)
    page.goto(match.get_absolute_url())
    page.locator("#to-deal").tap()
    expect(page.locator("#own-place")).to_be_visible()
    expect(page.locator("#share-text")).to_be_visible()
    assert violations_at_both_widths(page) == []
    for language, _name in settings.LANGUAGES:
        User.objects.filter(pk=guest.pk).update(language=language)
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            for path in ("/deals/", f"/deals/shifting-stones/{today()}/"):
                page.goto(path)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (language, path, wide)
    assert complaints == []
