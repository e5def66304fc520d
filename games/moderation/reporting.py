"""The way in for reports: what people tell the moderators."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.blocks import lock_people
from accounts.models import User
from accounts.texts import tidy_text
from games.chat.models import Message
from games.engine.protocol import RuleViolation
from games.moderation.deciding import check_length
from games.moderation.limits import check_reports, count_report
from games.moderation.models import WORDS, Case, Report
from games.play.matches.transactions import writing
from games.play.models import Match

About = Report.About


def report_person(by: User, person: User, why: str, words: str) -> Report:
    """Report somebody, or their name if that is why.

    Raises:
        RuleViolation: "self", "again" while an earlier one waits, "why", "too-long", "words-needed", "too-many".
    """
    if why == Report.Why.NAME:
        return _report(by, Report(about=About.NAME, person=person, quote=person.username, why=why, words=words))
    return _report(by, Report(about=About.PERSON, person=person, why=why, words=words))


def report_message(by: User, message: Message, quote: str, why: str, words: str) -> Report:
    """Report a message, as it reads (`quote`); raises as `report_person`."""
    about = {"about": About.MESSAGE, "person": message.author, "match": message.room.match, "message": message}
    return _report(by, Report(**about, quote=quote[:WORDS], why=why, words=words))


def report_match(by: User, match: Match, why: str, words: str) -> Report:
    """Report a match; raises as `report_person`."""
    return _report(by, Report(about=About.MATCH, match=match, why=why, words=words))


def _report(by: User, report: Report) -> Report:
    report.by, report.words = by, tidy_text(report.words)
    _check_report(report)
    with writing():
        lock_people([by.pk, *([report.person.pk] if report.person else [])])
        check_reports(by)
        report.case = _open_case(report)
        same = {"about": report.about, "message": report.message, "person": report.person, "match": report.match}
        if Report.objects.filter(by=by, case=report.case, **same).exists():
            raise RuleViolation("again", _("You have reported this already. The moderators will look at it."))
        count_report(by)
        report.save()
    return report


def _check_report(report: Report) -> None:
    if report.person is not None and report.person == report.by:
        raise RuleViolation("self", _("You can’t report yourself."))
    if report.why not in Report.Why.values:
        raise RuleViolation("why", _("Choose a reason."))
    if report.why == Report.Why.OTHER and not report.words:
        raise RuleViolation("words-needed", _("Please say in a few words what is wrong."))
    check_length(report.words)


def _open_case(report: Report) -> Case:
    """Lock and return the open case to which a report belongs, a new one if there is none."""
    about = {"match": report.match} if report.about == About.MATCH else {"person": report.person, "match": None}
    while True:
        found = Case.objects.get_or_create(**about, decided_at=None)[0]
        locked = Case.objects.select_for_update().filter(pk=found.pk, decided_at=None).first()
        if locked is not None:  # otherwise it was decided while this waited for the lock
            return locked
