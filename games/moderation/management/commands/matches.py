"""`manage.py matches show|abort|award|reinstate|close MATCH ...`"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.moderation import matches
from games.moderation.terminal import ModeratingCommand, in_common_in, log_of, match_named, moment, written_in
from games.play.management import in_one_line
from games.play.models import Match, Ruling

HELP = """\
Decide about matches as moderators do on the pages /moderation/.

  manage.py matches show 3k9mzq72fb                                 players, what they have in common, what they wrote,
                                                                    what was decided
  manage.py matches abort 3k9mzq72fb --reason "..."                 ends it; if it is over already, it does not count
  manage.py matches award 3k9mzq72fb --places 2 1 --reason "..."    decides the places, in the order of seats
  manage.py matches reinstate 3k9mzq72fb --reason "..."             restores the result as it was played
  manage.py matches close 3k9mzq72fb --reason "..."                 closes a table whose match has not begun

Name a match by its address or the last part of it. The ratings of everybody in the same game and speed are recomputed
at once; `manage.py recompute_ratings --check` and `verify_matches` find no difference afterwards. Aborting a running
match and closing a table cannot be taken back; everything else can. Everybody who sees the match or the table can read
the reason. A device in common is the same browser in the same network: perhaps one person, perhaps a family.
"""


class Command(ModeratingCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = ["show", "abort", "award", "reinstate", "close"]
        parser.add_argument("verb", choices=verbs, help="what to do")
        parser.add_argument("which", metavar="MATCH", help="the last part of its address")
        parser.add_argument("--reason", default="", help="why; needed for everything but show")
        parser.add_argument("--places", nargs="+", type=int, metavar="PLACE", help="of award: 1 is best, equals share")

    def handle(self, *_: Any, verb: str, which: str, reason: str, places: list[int] | None, **options: Any) -> None:
        match = match_named(which)
        if verb == "show":
            self.stdout.write("\n".join(map(in_one_line, _about(match))))
        elif verb == "award":
            if places is None:
                raise CommandError("Say the places with --places, in the order of seats.")
            self.do(lambda: matches.award(None, match, places, reason))
        else:
            doings = {"abort": matches.abort, "reinstate": matches.reinstate, "close": matches.shut_table}
            self.do(lambda: doings[verb](None, match, reason))


def _about(match: Match) -> Iterator[str]:
    """Yield what is known about a match, in lines."""
    rated = "rated" if match.rated else "casual"
    yield f"{match.game} {match.slug}: {match.status}, {rated}, {match.get_speed_display()}"
    yield f"begun {moment(match.started_at)}, ended {moment(match.ended_at)}, reason: {match.reason or '-'}"
    for seat in match.seats.select_related("user").order_by("number"):
        score = "-" if seat.score is None else seat.score
        yield f"  seat {seat.number}: {seat.name}, place {seat.place or '-'}, score {score}"
    ruling = Ruling.objects.filter(match=match).first()
    if ruling is not None:
        yield f"decided: places {ruling.places or 'none: it does not count'}; played: {ruling.played['places']}"
    yield from in_common_in(match)
    yield from written_in(match)
    yield from log_of(match=match)
