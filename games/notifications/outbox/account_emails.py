"""The duty of sending emails about accounts that the mail server did not take at once."""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.db import Error, connections

from accounts import kept_emails
from games.play import duties

log = logging.getLogger(__name__)


class AccountEmails:
    """Sends what is due in a thread of its own: a mail server that does not answer delays no clock."""

    name = "account emails"

    def __init__(self) -> None:
        self._under_way = threading.Lock()

    def run_due(self, now: datetime) -> int:
        due = kept_emails.next_due()
        if due is None or due > now or not self._under_way.acquire(blocking=False):
            return 0
        threading.Thread(target=self._send, name="account emails", daemon=True).start()
        return 1

    def next_due(self) -> datetime | None:
        """Return when there is something to send; a thread under way wakes us when it is done."""
        return None if self._under_way.locked() else kept_emails.next_due()

    def _send(self) -> None:
        try:
            kept_emails.send_due()
        except Error as error:  # the database is away: the lease will end
            log.warning("emails about accounts: %s", error)
        finally:
            connections.close_all()
            self._under_way.release()
            duties.stop_sleeping()


duties.register(AccountEmails())
