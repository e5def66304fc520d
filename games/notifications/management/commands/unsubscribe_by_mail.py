from __future__ import annotations

import re
import sys
from email import policy
from email.parser import BytesHeaderParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.notifications.channels.mail import read_unsubscribe_token, unsubscribe

HEAD = 64 * 1024
"""Bytes of a mail that are looked at: anybody can send one, of any size."""

_SUBJECT = re.compile(r"unsubscribe\s+(\S+)", re.IGNORECASE)


class Command(BaseCommand):
    help = "Read a mail from standard input and do what its subject asks for: unsubscribe TOKEN. For the mail server."

    def handle(self, *args: Any, **options: Any) -> None:  # Django's signature
        mail = BytesHeaderParser(policy=policy.default).parsebytes(sys.stdin.buffer.read(HEAD))
        while sys.stdin.buffer.read(HEAD):  # or the mail server would not get rid of it
            pass
        asked = _SUBJECT.search(str(mail["Subject"] or ""))
        found = read_unsubscribe_token(asked[1]) if asked else None
        if found is None:
            raise CommandError("The subject holds no token of ours.")
        unsubscribe(*found)
        self.stdout.write("Done.")
