"""The legal pages: the operator's texts (files in `LEGAL_DIR`), and the table of what is kept for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.utils.translation import gettext as _, ngettext

from accounts import logins
from accounts.joining import registration
from accounts.services import KEPT
from games.fairplay import jobs as fairplay_jobs
from games.matchmaking.limits import RETENTION
from games.notifications import delivery, jobs
from games.notifications.models import Channel
from games.pairing import jobs as pairing
from games.play.live import presence
from games.privacy import deletions
from games.privacy.deletions import JOURNAL_KEPT
from games.privacy.models import LIFE

PAGES: Final = ("imprint", "privacy", "terms")
_HEADING: Final = "# "


@dataclass(frozen=True, slots=True)
class Block:
    """A heading or a paragraph."""

    text: str
    is_heading: bool = False


def said_on(page: str, language: str) -> Sequence[Block]:
    """Return the operator's text for a page, in this language if there is one; empty if there is none."""
    for name in (f"{page}.{language}.txt", f"{page}.txt", f"{page}.{settings.LANGUAGE_CODE}.txt"):
        path = Path(settings.LEGAL_DIR, name)
        if path.is_file() and (blocks := _blocks(path.read_text(encoding="utf-8-sig", errors="replace"))):
            return blocks
    return ()


def _blocks(text: str) -> list[Block]:
    lines = "\n".join(map(str.strip, text.splitlines()))
    apart = re.sub(f"(?m)^({_HEADING}.*)$", r"\n\1\n", lines)
    parts = [part.strip() for part in re.split("\n{2,}", apart)]
    return [Block(part.removeprefix(_HEADING), is_heading=part.startswith(_HEADING)) for part in parts if part]


@checks.register(deploy=True)
def check_filled_in(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    """Return a warning for each page for which the operator has written no text."""
    return [
        checks.Warning(
            f"The page {page} is not filled in.",
            hint=f"Write {Path(settings.LEGAL_DIR, page)}.txt; docs/privacy.md says how.",
            id=f"privacy.W00{number}",
        )
        for number, page in enumerate(PAGES, start=1)
        if not said_on(page, settings.LANGUAGE_CODE)
    ]


@dataclass(frozen=True, slots=True)
class Kept:
    """One line of the table."""

    what: str
    how_long: str
    by: str


def retention_table() -> Iterator[Kept]:
    """Yield the lines of the table of what the site keeps, in the active language."""
    ended = _("until the account is deleted")
    after = _("the site, %(period)s after you have confirmed it") % {"period": _period(deletions.GRACE)}
    yield Kept(
        _("Account, email address, settings, second factors, friends, clubs, follows, blocks, mutes"), ended, after
    )
    written = _(
        "Messages you wrote, ratings, puzzles, deals of the day, events, lessons, devices, webhooks, applications"
    )
    yield Kept(written, ended, after)
    visits = _("When you were last here, vacations, invitations, searches, tables you missed, reviews you asked for")
    yield Kept(visits, ended, after)
    yield Kept(_("Warnings, silences and suspensions"), ended, after)
    site, nobody, for_ever = _("the site"), _("nobody"), _("forever")
    without = _("%(period)s without a visit") % {"period": _period(timedelta(seconds=settings.GUEST_AGE))}
    yield Kept(_("Guests, and a code for the network they came from"), without, site)
    logged_in = _("%(period)s after logging in") % {"period": _period(timedelta(seconds=settings.SESSION_COOKIE_AGE))}
    yield Kept(_("Names you gave up"), _period(KEPT), site)
    yield Kept(_("The names of a deleted account, in a form nobody can read"), _period(KEPT), site)
    yield Kept(_("Registrations that nobody has confirmed"), _period(registration.LIFE), site)
    yield Kept(_("Sessions, with network address and browser"), logged_in, site)
    yield Kept(_("Access tokens for programs"), _("until they expire or you revoke them"), site)
    yield Kept(_("Puzzles and lessons you tried without an account"), _period(logins.VISIT_KEPT), site)
    yield Kept(_("Notices, and what was sent about them"), _period(jobs.KEPT), site)
    yield Kept(_("When you last looked at a match that is over"), _period(presence.KEPT), site)
    yield Kept(_("What you were looking for in quick pairing"), _period(pairing.RETENTION), site)
    yield Kept(_("Network addresses, counted for limits"), _period(RETENTION), site)
    yield Kept(_("Marks that tell devices apart, for fair play"), _period(fairplay_jobs.MARKS_KEPT), site)
    yield Kept(_("Aborted rated matches, and by whom"), _period(fairplay_jobs.MARKS_KEPT), site)
    yield Kept(_("What looked unfair to the site"), _period(fairplay_jobs.FINDINGS_KEPT), site)
    yield Kept(_("Emails that could not be sent"), _period(delivery.GIVE_UP_AFTER[Channel.MAIL]), site)
    yield Kept(_("The file with your data"), _period(LIFE), site)
    yield Kept(_("The number of a deleted account, in case a backup is restored"), _period(JOURNAL_KEPT), site)
    yield Kept(
        _("Matches, their moves and the standings of events, without your name once your account is deleted"),
        for_ever,
        nobody,
    )
    yield Kept(_("Names that moderators took from someone"), for_ever, nobody)
    yield Kept(_("Reports, and what moderators decided"), for_ever, nobody)


def _period(period: timedelta) -> str:
    days = period.days
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}
