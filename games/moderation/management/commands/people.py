"""`manage.py people show|warn|silence|suspend|close|rename|restore|lift|role|unlock|confirm NAME ...`"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts import sanctions
from accounts.models import User
from games.moderation import context, people, reversals, terminal
from games.moderation.access import ROLES
from games.moderation.decisions import with_replaced
from games.moderation.models import Deed
from games.moderation.terminal import ModeratingCommand, moment
from games.play.management import in_one_line

VERBS = ("show", "warn", "silence", "suspend", "close", "rename", "restore", "lift", "role", "unlock", "confirm")

HELP = """\
Decide about people as moderators do on the pages /moderation/.

  manage.py people show ann                               account, sanctions, reports, names, devices, latest matches
                                                          and messages, and what was done
  manage.py people warn ann --reason "Insults in chat"    sees nothing else before confirming the warning
  manage.py people silence ann --for 3d --reason "..."    can write only ready-made phrases
  manage.py people suspend ann --for 2w --reason "..."    can only read and leave
  manage.py people close ann --reason "..."               cannot log in any more
  manage.py people rename ann --name Ann2 --reason "..."  nobody can have the old name again
  manage.py people restore ann --reason "..."             gives back the name that was taken away last
  manage.py people lift ann --reason "..."                ends all sanctions
  manage.py people role ann --role moderators --reason "..."   or administrators, or none
  manage.py people unlock ann --reason "..."              removes second factors that are lost
  manage.py people confirm ann --reason "..."             confirms the email address
  manage.py people confirm ann@example.org --reason "..." the same for somebody who has just registered with it

The last administrator can neither lose that role nor be suspended or closed, unless --last is given. --for takes hours,
days or weeks (12h, 3d, 2w) or "forever". The person reads the reason, except that of a role. Running matches go on, and
so do their clocks. Sanctions can be lifted and roles given again; removing second factors and confirming an address
cannot be undone. Everything stays in the log for ever. A device in common is the same browser in the same network:
perhaps one person, perhaps a family.
"""


class Command(ModeratingCommand):
    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=VERBS, help="what to do")
        parser.add_argument("who", metavar="NAME", help="of the person, however it is written")
        parser.add_argument("--reason", default="", help="why; needed for everything but show")
        parser.add_argument("--for", dest="term", default="", metavar="TERM", help="for how long: 12h, 3d, 2w, forever")
        parser.add_argument("--name", default="", help="of rename: the new name")
        parser.add_argument(
            "--last", action="store_true", help="of role, suspend and close: even if no administrator is left then"
        )
        parser.add_argument("--role", choices=[*ROLES, "none"], help="of role: the new one")

    def handle(self, *_: Any, verb: str, who: str, reason: str, **options: Any) -> None:
        if verb == "confirm" and "@" in who:
            self.do(lambda: people.confirm_registration(who, reason))
            return
        person = terminal.person_named(who)
        if verb == "show":
            self.stdout.write("\n".join(map(in_one_line, _about(person))))
        elif verb == "lift":
            self._lift(person, reason)
        elif verb == "restore":
            self._restore(person, reason)
        else:
            self.do(lambda: _act(verb, person, reason, options))

    def _lift(self, person: User, reason: str) -> None:
        held = list(sanctions.running(person))
        if not held:
            raise CommandError("There is no sanction against this person.")
        for sanction in held:
            self.do(lambda sanction=sanction: people.lift(None, sanction, reason))  # type: ignore[misc]  # called at once

    def _restore(self, person: User, reason: str) -> None:
        renamed = (
            with_replaced(Deed.objects.filter(person=person, act=Deed.Act.RENAME)).filter(is_replaced=False).first()
        )
        if renamed is None:
            raise CommandError("No name was taken away from this person, or they have chosen another one since.")
        self.do(lambda: reversals.undo(None, renamed, reason))


def _act(verb: str, person: User, reason: str, options: dict[str, Any]) -> object:
    last = options["last"]
    if verb == "silence":
        return people.silence(None, person, terminal.until(options["term"]), reason)
    if verb == "suspend":
        return people.suspend(None, person, terminal.until(options["term"]), reason, last=last)
    if verb == "close":
        return people.close_account(None, person, reason, last=last)
    if verb == "rename":
        return people.rename(None, person, options["name"], reason)
    if verb == "role":
        if options["role"] is None:
            raise CommandError("Say which role with --role: moderators, administrators or none.")
        role = "" if options["role"] == "none" else options["role"]
        return people.set_role(None, person, role, reason, last=last)
    doings = {"warn": people.warn, "unlock": people.remove_factors, "confirm": people.confirm_address}
    return doings[verb](None, person, reason)


def _about(person: User) -> Iterator[str]:
    """Yield what is known about somebody, in lines."""
    roles = ", ".join(person.groups.values_list("name", flat=True)) or "none"
    state = "open" if person.is_active else "closed"
    yield f"{person.shown_name}: account {state}, joined {moment(person.date_joined)}, roles: {roles}"
    for sanction in sanctions.running(person):
        until_when = moment(sanction.until) if sanction.until else "lifted"
        yield f"sanction: {sanction.kind} until {until_when}: {sanction.reason}"
    reports = person.reported.count()
    yield f"reports about this person: {reports}, by this person: {person.reports.count()}"
    former = [(old.name, f"until {moment(old.given_up_at)}") for old in person.former_names.all()]
    yield from terminal.in_table("earlier names", former)
    yield from terminal.devices_shared_with(person)
    yield from terminal.matches_in_table("latest matches", context.latest_of(person))
    yield from terminal.written_by(person)
    yield from terminal.log_of(person=person)
