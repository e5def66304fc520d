"""`manage.py setbacks [revive [NUMBER ...]]`"""

from __future__ import annotations

from django.utils import timezone
from django.utils.timezone import localtime

from games.play.jobs import MOST_FAILURES
from games.play.management import RevivingCommand, in_one_line
from games.play.models import Setback

HELP = f"""\
Work of the worker that failed: time-outs, notices, bots, whatever comes due.

  manage.py setbacks                 list it: number, what, for whom or which match, when it is tried again, the error
  manage.py setbacks revive          try all that is given up again, now
  manage.py setbacks revive 12 17    try these again, now

It is tried again by itself after longer and longer pauses; after {MOST_FAILURES} failures it is given up ("dead") and
waits for you. Mend the cause first: what fails again is set back again.
"""


class Command(RevivingCommand):
    help = HELP

    def tell(self) -> None:
        found = Setback.objects.order_by("pk")
        for setback in found:
            when = f"{localtime(setback.not_before):%Y-%m-%d %H:%M}" if setback.not_before else "dead"
            work = f"{setback.pk}  {setback.job} {setback.key}"
            self.stdout.write(in_one_line(f"{work}  {setback.failures} failures  {when}  {setback.error}"))
        self.stdout.write(f"{found.count()} set back, {found.filter(not_before=None).count()} of them dead.")

    def revive(self, numbers: list[int]) -> int:
        chosen = Setback.objects.filter(pk__in=numbers) if numbers else Setback.objects.filter(not_before=None)
        return chosen.update(failures=0, not_before=timezone.now())
