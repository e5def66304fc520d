"""`manage.py demo`: people and some weeks of matches, so that every page has something to show."""

from __future__ import annotations

import secrets
import string
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import User
from config import demo
from config.demo import PEOPLE, Planner, register, tell
from games.engine.contract.playouts import Chooser
from games.play import timekeeping

DAYS = 35


class Command(BaseCommand):
    help = "Add people with some weeks of history, matches that are running, and open tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=DAYS, help="of history, %(default)s by default")

    def handle(self, *_: Any, **options: Any) -> None:
        if timekeeping.is_watched(timezone.now()):  # a worker would end matches whose times lie in the past
            raise CommandError("The site is running. Stop it, and try again in half a minute.")
        names = [person.name for person in PEOPLE]
        if any(User.objects.named(name) for name in names):
            raise CommandError("The demo people are there already.")
        password = "".join(secrets.choice(string.ascii_lowercase) for _ in range(14))
        now, chooser = timezone.now(), Chooser(secrets.token_bytes(32))
        users = register(password, now)
        plans = Planner(users, now, chooser, options["days"]).plans()
        demo.happen([tell(plan, chooser, now) for plan in plans], now)
        demo.tidy_notices(users, now)
        self.stdout.write(f"People: {', '.join(names)}. Password of each: {password}")
