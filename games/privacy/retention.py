"""What is kept, for how long, and who removes it: every period is read from where it is kept to.

README.md and docs/privacy.md show the same table; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import logins, registration, services
from games.fairplay import nightly
from games.matchmaking import limits
from games.notifications.models import Channel
from games.notifications.outbox import pruning, retrying
from games.pairing import duty as pairing
from games.play.live import presence
from games.privacy import deletions, journal
from games.privacy.models import LIFE


@dataclass(frozen=True, slots=True)
class Kept:
    """One line of the table."""

    what: str
    how_long: str
    by: str


def table() -> Iterator[Kept]:
    """Yield what the site keeps, in the active language."""
    yield from _with_the_account()
    yield from _for_a_while()
    yield from _for_ever()


def _with_the_account() -> Iterator[Kept]:
    ended = _("until the account is deleted")
    after = _("the site, %(period)s after you have confirmed it") % {"period": _period(deletions.GRACE)}
    yield Kept(_("Account, email address, settings, second factors, friends, follows, blocks, mutes"), ended, after)
    yield Kept(_("Messages you wrote, ratings, puzzles, lessons, devices, webhooks"), ended, after)
    visits = _("When you were last here, vacations, invitations, searches, tables you missed, reviews you asked for")
    yield Kept(visits, ended, after)
    yield Kept(_("Warnings, silences and suspensions"), ended, after)
    without = _("%(period)s without a visit") % {"period": _period(timedelta(seconds=settings.GUEST_AGE))}
    yield Kept(_("Guests, and a code of the network they came from"), without, _("the site"))


def _for_a_while() -> Iterator[Kept]:
    site = _("the site")
    yield Kept(_("Names you gave up"), _period(services.KEPT), site)
    yield Kept(_("The names of a deleted account, as hashes"), _period(services.KEPT), site)
    yield Kept(_("Registrations that nobody has confirmed"), _period(registration.LIFE), site)
    yield Kept(_("Sessions, with network address and browser"), _session(), site)
    yield Kept(_("What you tried without an account, with puzzles and lessons"), _period(logins.VISIT_KEPT), site)
    yield Kept(_("Notices, and what was sent about them"), _period(pruning.KEPT), site)
    yield Kept(_("When you looked at a match that is over"), _period(presence.KEPT), site)
    yield Kept(_("Waiting for players"), _period(pairing.KEPT), site)
    yield Kept(_("Network addresses, counted for limits"), _period(limits.KEPT), site)
    yield Kept(_("Marks of devices, for fair play"), _period(nightly.MARKS_KEPT), site)
    yield Kept(_("Aborted rated matches, and by whom"), _period(nightly.MARKS_KEPT), site)
    yield Kept(_("Findings of fair play"), _period(nightly.FINDINGS_KEPT), site)
    yield Kept(_("Emails that could not be sent"), _period(retrying.GIVE_UP_AFTER[Channel.MAIL]), site)
    yield Kept(_("The file with your data"), _period(LIFE), site)
    yield Kept(_("The number of a deleted account, in case a backup is restored"), _period(journal.KEPT), site)


def _for_ever() -> Iterator[Kept]:
    nobody = _("nobody")
    yield Kept(_("Matches and their moves, without your name once your account is deleted"), _("for ever"), nobody)
    yield Kept(_("Names that moderators took away"), _("for ever"), nobody)
    yield Kept(_("Reports, and what moderators decided"), _("for ever"), nobody)


def _session() -> str:
    return _("%(period)s after logging in") % {"period": _period(timedelta(seconds=settings.SESSION_COOKIE_AGE))}


def _period(period: timedelta) -> str:
    days = period.days
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}
