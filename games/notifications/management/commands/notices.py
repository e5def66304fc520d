"""`manage.py notices [list | revive [NUMBER ...]] [--channel CHANNEL]`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils.timezone import localtime

from games.notifications.channels import mail
from games.notifications.delivery import revive
from games.notifications.models import Channel, Delivery
from games.play.management import RevivingCommand, in_one_line

HELP = """\
Messages to players that could not be delivered and are no longer tried.

  manage.py notices                       list them: number, when, way, to whom, what, the error
  manage.py notices --channel mail        list only emails
  manage.py notices revive                try all of them again, now
  manage.py notices revive 12 17          try these again, now

Emails are tried for two days, push messages and webhooks for one hour. Then they are "dead": the log has an ERROR
"given up" for every dead email, and this list shows them until they are 60 days old.

After an outage: first make sure that the mail server works again, then revive them. The worker sends what is still
true within seconds and quietly drops the rest, for instance a reminder of a turn that has been taken since. Nothing
is sent twice.

Emails about accounts, such as the one with the link for a new password, have a list of their own below: they wait for
two days as well. When one is given up, the log has an ERROR "given up" with its subject and address, and it is gone:
its link is dead soon after, so the person asks for another one.
"""


class Command(RevivingCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        channels = [Channel.MAIL.value, Channel.PUSH.value, Channel.WEBHOOK.value]
        parser.add_argument("--channel", choices=channels, help="only messages of this channel")

    def handle(self, *_: Any, **options: Any) -> None:
        self.dead = Delivery.objects.filter(state=Delivery.State.DEAD).order_by("pk")
        if options["channel"]:
            self.dead = self.dead.filter(channel=options["channel"])
        self.about_accounts = options["channel"] in {None, Channel.MAIL.value}
        super().handle(**options)

    def tell(self) -> None:
        for delivery in self.dead.select_related("user", "notice__match", "notice__by").iterator():
            self.stdout.write(_line(delivery))
        self.stdout.write(f"{self.dead.count()} undelivered. Try them again with revive.")
        if self.about_accounts and (unsent := mail.describe_unsent_letters()):
            self.stdout.write("Emails about accounts that wait for the mail server:")
            self.stdout.write("\n".join(map(in_one_line, unsent)))

    def revive(self, numbers: list[int]) -> int:
        return revive(self.dead.filter(pk__in=numbers) if numbers else self.dead)


def _line(delivery: Delivery) -> str:
    """Return a line about a dead delivery."""
    notice = delivery.notice
    what = f"{notice.kind} {notice.match.slug if notice.match else notice.by}" if notice else delivery.kind
    when = f"{localtime(delivery.due_at):%Y-%m-%d %H:%M}"
    name = delivery.reader.shown_name
    return in_one_line(f"{delivery.pk}  {when}  {delivery.channel}  {name}  {what}  {delivery.error}")
