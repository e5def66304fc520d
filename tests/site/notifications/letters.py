"""A real mail server for tests: it keeps what it is sent, or refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import django
import pytest
from aiosmtpd.controller import Controller
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from config.ops.stack import free_port
from games.notifications.jobs import Deliveries


@dataclass
class Mailbox:
    """What a server on a port of this machine was sent: the recipients and the email."""

    port: int
    letters: list[tuple[list[str], EmailMessage]] = field(default_factory=list)
    refusing: bool = False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  # aiosmtpd's name for it
        if self.refusing:
            return "451 try again later"
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.letters.append((list(envelope.rcpt_tos), letter))
        return "250 taken"

    @property
    def ids(self) -> list[str]:
        return [str(letter["Message-ID"]) for _to, letter in self.letters]

    def take_mails_of(self, settings: Settings) -> None:
        """Let Django send every email here, by the settings of its version."""
        backend = "config.ops.outages.EmailBackend"
        where = {"host": "127.0.0.1", "port": self.port, "use_tls": False, "username": "", "password": ""}
        if django.VERSION >= (6, 1):
            settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": where}}
            return
        settings.EMAIL_BACKEND = backend
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", self.port, False
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""


@contextmanager
def mail_server(port: int = 0, box: Mailbox | None = None) -> Iterator[Mailbox]:
    """Run a mail server until the end of the block."""
    box = box or Mailbox(port or free_port())
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


def delivered() -> list[Any]:
    """Let a worker send what is due by email; return all that Django was given to send, when tests keep that."""
    Deliveries(threaded=False).run_due(timezone.now())
    return list(getattr(mail, "outbox", []))


class Posted(list[Any]):
    """What was sent by email, looked at when a worker has just been at work: whoever asks need not wait for one."""

    def _look(self) -> None:
        self.extend(delivered()[self._seen :])
        self._seen = len(mail.outbox)

    _seen = 0

    def __getitem__(self, key: Any) -> Any:
        self._look()
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        self._look()
        return super().__iter__()

    def __len__(self) -> int:
        self._look()
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self._look()
        return super().__eq__(other)

    __hash__ = None

    def pop(self, key: Any = -1) -> Any:
        self._look()
        return super().pop(key)

    def clear(self) -> None:
        self._look()
        super().clear()


@pytest.fixture
def mailoutbox(mailoutbox: list[Any]) -> Posted:
    """What was sent by email."""
    return Posted()


def part(letter: EmailMessage, kind: str) -> str:
    """Return a part of an email: "plain" or "html"."""
    body = letter.get_body((kind,))
    assert body is not None
    return str(body.get_content())
