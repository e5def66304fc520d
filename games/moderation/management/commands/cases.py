"""`manage.py cases [list|show|decide|reopen] [NUMBER] ...`"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.moderation import cases, context, terminal
from games.moderation.models import Case
from games.moderation.terminal import ModeratingCommand, moment
from games.play.management import in_one_line

HELP = """\
Decide about reports as moderators do on the pages /moderation/.

  manage.py cases                               the open cases, the oldest first
  manage.py cases show 12                       the reports, with the messages around them, matches and devices in
                                                common, the latest messages, and what was done
  manage.py cases decide 12 --verdict acted --answer "..." --reason "..."    or --verdict nothing
  manage.py cases reopen 12 --reason "..."      opens a decided case again

First do what is needed with `manage.py people` or `matches`, then decide the case: those who reported read the answer,
and the reason is only in the log. A device in common is the same browser in the same network: perhaps one person,
perhaps a family. A case that a moderator has claimed is reserved for them for half an hour.
"""


class Command(ModeratingCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", nargs="?", choices=["list", "show", "decide", "reopen"], default="list")
        parser.add_argument("number", nargs="?", type=int, metavar="NUMBER", help="of the case")
        parser.add_argument("--verdict", choices=Case.Verdict.values, default="", help="of decide")
        parser.add_argument("--answer", default="", help="of decide: what reporters read besides the verdict")
        parser.add_argument("--reason", default="", help="why; needed to decide and to reopen")

    def handle(self, *_: Any, verb: str, number: int | None, **options: Any) -> None:
        if verb == "list":
            found = list(Case.objects.filter(decided_at=None).select_related("person", "match", "club", "claimed_by"))
            self.stdout.write("\n".join(map(_line, found)) or "No case is open.")
            return
        case = _case(number)
        if verb == "show":
            self.stdout.write("\n".join(map(in_one_line, _about(case))))
        elif verb == "decide":
            self.do(lambda: cases.decide(None, case.pk, options["verdict"], options["answer"], options["reason"]))
        else:
            self.do(lambda: cases.reopen(None, case, options["reason"]))


def _case(number: int | None) -> Case:
    if number is None:
        raise CommandError("Say which case, by its number.")
    found = Case.objects.filter(pk=number).select_related("person", "match", "claimed_by").first()
    if found is None:
        raise CommandError(f"There is no case {number}.")
    return found


def _line(case: Case) -> str:
    about = "somebody who is gone"
    if case.match or case.club:
        about = f"match {case.match.slug}" if case.match else f"club {case.club}"
    elif case.person:
        about = case.person.shown_name
    count = case.reports.count()
    taken = f", taken by {case.holder.shown_name}" if case.holder else ""
    return f"{case.pk}  {moment(case.opened_at)}  {about}  {count} report{'s' if count > 1 else ''}{taken}"


def _about(case: Case) -> Iterator[str]:
    """Yield what is known about a case, in lines."""
    yield _line(case)
    for shown in context.reports_of(case, None):
        yield from _report(shown)
    if case.person is not None:
        yield from terminal.devices_shared_with(case.person)
        yield from terminal.written_by(case.person)
    if case.match is not None:
        yield from terminal.in_common_in(case.match)
        yield from terminal.written_in(case.match)
    yield from terminal.log_of(case=case)


def _report(shown: context.ReportShown) -> Iterator[str]:
    report = shown.report
    by = report.by.shown_name if report.by else "somebody who is gone"
    yield f"{moment(report.at)}  {report.about}, reported by {by}: {report.get_why_display()}: {report.words or '-'}"
    if report.quote:
        yield f"  it said: {report.quote}"
    for message in shown.messages:
        mark = ">" if message == report.message else " "
        yield f"  {mark} {terminal.author_of(message)}: {terminal.words_in(message)}"
    if report.by and report.person and report.by != report.person:
        table = terminal.matches_in_table(f"matches of {terminal.both(report.by, report.person)}", shown.matches)
        yield from (f"  {line}" for line in table)
