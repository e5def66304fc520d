"""`python -m tests.browser.gallery OUT [NAME...]`: every page that a player sees often, from what `make demo` made up.

`DATA_DIR` names the folder with that database. Each page is taken in four sizes and both themes, and in German and
Italian on a phone and a laptop; `<page>.html` beside the pictures shows those of a page together. Names are of pages
(`lobby`) or of looks (`360-light-it`): without any of a kind, all of that kind are taken.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import Browser, Page, sync_playwright

from config.database_servers import free_port
from tests.benchmarks.site import Player, player, served
from tests.serving import CHROMIUM_FLAGS, SEEN, chromium

if TYPE_CHECKING:
    from games.play.models import Match, Seat

SIZES = ((360, 640), (390, 844), (1280, 800), (1920, 1080))
TRANSLATED_SIZES = ((360, 640), (1280, 800))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
AT_REST = 600


@dataclass(frozen=True)
class Scene:
    """A page and who reads it; None: a visitor."""

    reader: Player | None
    address: str


@dataclass(frozen=True)
class Look:
    """How a page is shown."""

    width: int
    height: int
    theme: Literal["light", "dark"]
    language: str = "en"

    @property
    def name(self) -> str:
        return f"{self.width}-{self.theme}" + ("" if self.language == "en" else f"-{self.language}")


def looks() -> Iterator[Look]:
    for (width, height), theme in product(SIZES, THEMES):
        yield Look(width, height, theme)
    for size, language in product(TRANSLATED_SIZES, ("de", "it")):
        yield Look(*size, "light", language)


def scenes() -> Mapping[str, Scene]:
    """Return the pages by name."""
    from accounts.models import User
    from games.puzzles.days import today
    from games.titles import teaching, titles

    ann, bruno = User.objects.order_by("pk")[:2]
    reader = player(ann.username)
    found = {
        "start": Scene(None, "/"),
        "home": Scene(reader, "/"),
        "lobby": Scene(reader, "/lobby/"),
        "pairing": Scene(reader, "/pairing/"),
        "play": Scene(None, "/play/"),
        "my-matches": Scene(reader, "/matches/"),
        "table-new": Scene(reader, "/tables/new/"),
        "table-plan": Scene(reader, "/tables/plan/"),
        "planned": Scene(reader, "/tables/planned/"),
        "people": Scene(reader, "/people/"),
        "profile": Scene(reader, f"/@{ann.username}/"),
        "archive": Scene(reader, "/archive/"),
        "leaderboard": Scene(reader, "/leaderboard/"),
        "learn": Scene(reader, "/learn/"),
        "notices": Scene(reader, "/notices/"),
        "messages": Scene(reader, "/messages/"),
        "report": Scene(reader, f"/report/person/{bruno.username}/"),
        "reports": Scene(reader, "/reports/"),
        "standing": Scene(reader, "/standing/"),
        "privacy": Scene(None, "/privacy/"),
        "settings-overview": Scene(reader, "/settings/"),
        "settings": Scene(reader, "/settings/profile/"),
        "settings-devices": Scene(reader, "/settings/devices/"),
        "settings-data": Scene(reader, "/settings/data/"),
        "settings-play": Scene(reader, "/settings/play/"),
        "settings-security": Scene(reader, "/settings/security/"),
        "settings-notices": Scene(reader, "/settings/notices/"),
        "bots": Scene(reader, "/bots/"),
        "bot": Scene(reader, "/bots/master/"),
        "puzzles": Scene(reader, "/puzzles/"),
        "puzzle-archive": Scene(reader, "/puzzles/archive/"),
        "login": Scene(None, "/account/login/"),
        "register": Scene(None, "/account/signup/"),
        "missing": Scene(None, "/nothing/"),
    }
    for slug in titles():
        found[f"rules-{slug}"] = Scene(reader, f"/rules/{slug}/")
        found[f"leaderboard-{slug}"] = Scene(reader, f"/leaderboard/{slug}/days/")
        found[f"puzzle-{slug}"] = Scene(None, f"/puzzles/{slug}/{today()}/")
        found |= _matches(slug)
    for game in teaching.with_lessons():
        found |= _lessons(game.slug, reader)
    return found


@contextmanager
def languages_of_browsers() -> Iterator[None]:
    """Let the browser decide in which language everybody reads."""
    from accounts.models import User

    chosen = dict(User.objects.exclude(language="").values_list("pk", "language"))
    User.objects.update(language="")
    try:
        yield
    finally:
        for pk, language in chosen.items():
            User.objects.filter(pk=pk).update(language=language)


def _lessons(game: str, reader: Player) -> Mapping[str, Scene]:
    """Return the list of lessons, the first lesson with its end, the first of the advanced ones, and an exercise."""
    from games.engine.lessons import EXERCISE, LESSON
    from games.learn.pages import solved_spot
    from games.titles import teaching

    course = teaching.lessons_of(game)
    first = next(name for name, it in course.items() if it.kind == LESSON)
    advanced = next(name for name, it in course.items() if it.kind == LESSON and it.grade > 1)
    exercise = next(name for name, it in course.items() if it.kind == EXERCISE)
    played = teaching.course_of(game, first)
    assert played is not None
    end = solved_spot(played, len(played.lesson.steps) - 1)
    return {
        f"learn-{game}": Scene(reader, f"/learn/{game}/"),
        f"lesson-{game}": Scene(None, f"/learn/{game}/{first}/"),
        f"lesson-end-{game}": Scene(None, f"/learn/{game}/{first}/{end.query}"),
        f"lesson-advanced-{game}": Scene(None, f"/learn/{game}/{advanced}/"),
        f"exercise-{game}": Scene(None, f"/learn/{game}/{exercise}/"),
    }


def _matches(game: str) -> Mapping[str, Scene]:
    from games.play.models import Match

    matches = Match.objects.filter(game=game)
    running = matches.filter(status=Match.Status.RUNNING).order_by("-length")[:1]
    found = {}
    for match in running:
        seats = list(match.seats.order_by("number"))
        found[f"{game}-own-turn"] = _as(match, next(seat for seat in seats if seat.to_move))
        if waiting := [seat for seat in seats if not seat.to_move]:
            found[f"{game}-others-turn"] = _as(match, waiting[0])
    return {**found, **_endings(game), **_tables(game)}


def _endings(game: str) -> Mapping[str, Scene]:
    """Return the last match of each kind of ending, as its winner and its loser see it."""
    from games.play.models import Match

    over = Match.objects.filter(game=game, status=Match.Status.OVER).order_by("-ended_at")
    early = ("timeout", "resign")
    kinds = {
        "": over.filter(seat_count__gt=1).exclude(reason__in=early),
        "-on-time": over.filter(reason="timeout"),
        "-resigned": over.filter(reason="resign"),
        "-alone": over.filter(seat_count=1),
        "-aborted": Match.objects.filter(game=game, status=Match.Status.ABORTED),
    }
    found = {}
    for kind, matches in kinds.items():
        for match in matches[:1]:
            seats = list(match.seats.order_by("place"))
            found[f"{game}-won{kind}"], found[f"{game}-lost{kind}"] = _as(match, seats[0]), _as(match, seats[-1])
            if not kind:
                found[f"{game}-replay"] = Scene(None, f"{match.get_absolute_url()}replay/")
                found[f"{game}-review"] = _reviewed(match)
                found[f"{game}-recording"] = _recorded(match, seats[0])
    return found


def _tables(game: str) -> Mapping[str, Scene]:
    """Return the last open table of a game, as its host sees it."""
    from games.play.models import Match

    for table in Match.objects.filter(game=game, status=Match.Status.OPEN, host__isnull=False).order_by("-pk")[:1]:
        assert table.host is not None
        return {f"{game}-table": Scene(player(table.host.username), table.get_absolute_url())}
    return {}


def _reviewed(match: Match) -> Scene:
    """Return the review of a match, which is made now unless there is one."""
    from games.review.duty import go_on, steps_of
    from games.review.models import Review

    review, _ = Review.objects.get_or_create(match=match, defaults={"steps": steps_of(match)})
    while go_on(review.pk):
        pass
    return Scene(None, f"{match.get_absolute_url()}review/")


def _recorded(match: Match, seat: Seat) -> Scene:
    """Return the page on which a player records a lesson from the middle of a match."""
    found = _as(match, seat)
    return Scene(found.reader, f"{found.address}lesson/?at={match.length // 2}&seat={seat.number}")


def _as(match: Match, seat: Seat) -> Scene:
    assert seat.user is not None
    return Scene(player(seat.user.username), match.get_absolute_url())


def opened(browser: Browser, url: str, scene: Scene, look: Look) -> Page:
    """Open a page as its reader, who has seen what happened."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.theme,
        locale=look.language,
        reduced_motion="reduce",
        has_touch=look.width < 600,
        is_mobile=look.width < 600,
    )
    context.add_init_script(SEEN)
    if scene.reader is not None:
        context.add_cookies([{"name": "tessera_session", "value": scene.reader.session, "url": url}])
    page = context.new_page()
    page.goto(scene.address)
    page.wait_for_timeout(AT_REST)
    return page


def overflow(page: Page) -> str:
    """Say how much wider than the window a page is, which it must not be."""
    wide = int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    return f"  {wide} px too wide" if wide > 0 else ""


def sheet(out: Path, name: str, taken: Iterable[Look]) -> None:
    """Write a page with all pictures of one scene."""
    pictures = "".join(
        f'<figure><img src="{name}-{it.name}.png"><figcaption>{it.name}</figcaption></figure>' for it in taken
    )
    style = "body{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{max-height:90vh;border:1px solid}"
    (out / f"{name}.html").write_text(f"<!DOCTYPE html><title>{name}</title><style>{style}</style>{pictures}")


def main(out: str, *wanted: str) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    os.environ |= {
        "SITE_URL": f"http://127.0.0.1:{port}",
        "SINGLE_PROCESS": "1",
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    every = {look.name: look for look in looks()}
    taken = [look for name, look in every.items() if name in wanted] or list(every.values())
    pages = set(wanted) - set(every)
    found = {name: scene for name, scene in scenes().items() if not pages or name in pages}
    with languages_of_browsers(), served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for (name, scene), look in product(found.items(), taken):
            page = opened(browser, f"http://127.0.0.1:{port}", scene, look)
            page.screenshot(path=folder / f"{name}-{look.name}.png")
            print(f"{name}-{look.name}{overflow(page)}", flush=True)
            page.context.close()
        browser.close()
    for name in found:
        sheet(folder, name, taken)


if __name__ == "__main__":
    main(*sys.argv[1:])
