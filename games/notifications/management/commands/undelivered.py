from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import QuerySet
from django.utils.timezone import localtime

from games.notifications.models import Channel, Delivery
from games.notifications.outbox import retrying

HELP = """\
Messages to players that could not be delivered and are no longer tried.

  manage.py undelivered                      list them
  manage.py undelivered --channel mail       list only mails
  manage.py undelivered --revive             try all of them again
  manage.py undelivered --revive 17 23       try only numbers 17 and 23 again

Mails are tried for two days, push messages and webhooks for one hour. Then they are "dead": the log has an ERROR
"given up" for every dead mail, and this list shows them until they are 60 days old.

After an outage: first make sure that the mail server works again, then run this with --revive. The worker sends what
is still true within seconds and quietly drops the rest, for instance a reminder of a turn that has been taken since.
Nothing is sent twice. Run without --revive, this command changes nothing.
"""


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        """Keep the lines of the help as they are."""
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **options)

    def add_arguments(self, parser: ArgumentParser) -> None:
        ways = [Channel.MAIL.value, Channel.PUSH.value, Channel.WEBHOOK.value]
        parser.add_argument("--channel", choices=ways, help="only messages of this channel")
        parser.add_argument(
            "--revive",
            nargs="*",
            type=int,
            metavar="NUMBER",
            help="try these again; without a number, all that are listed",
        )

    def handle(self, *_: Any, channel: str | None, revive: list[int] | None, **options: Any) -> None:
        dead = Delivery.objects.filter(state=Delivery.State.DEAD).order_by("pk")
        if channel:
            dead = dead.filter(channel=channel)
        if revive is None:
            self._list(dead)
            return
        count = retrying.revive(dead.filter(pk__in=revive) if revive else dead)
        self.stdout.write(f"{count} to be tried again by the worker." if count else "Nothing to revive.")

    def _list(self, dead: QuerySet[Delivery]) -> None:
        for delivery in dead.select_related("user", "notice__match", "notice__by").iterator():
            self.stdout.write(_line(delivery))
        self.stdout.write(f"{dead.count()} undelivered. Try them again with --revive.")


def _line(delivery: Delivery) -> str:
    """Return what an operator needs to know about a dead delivery, on one line."""
    notice = delivery.notice
    what = f"{notice.kind} {notice.match.slug if notice.match else notice.by}" if notice else delivery.kind
    when = f"{localtime(delivery.due_at):%Y-%m-%d %H:%M}"
    text = f"{delivery.pk}  {when}  {delivery.channel}  {delivery.user.username}  {what}  {delivery.error}"
    return " ".join(text.split("\n"))
