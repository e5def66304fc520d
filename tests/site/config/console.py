"""What a process of the site prints of its log, as its operator reads it."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from config.ops.outages import DATABASE, MAIL, REDIS


class Console(io.StringIO):
    """What the log's handler has written."""

    @property
    def lines(self) -> list[str]:
        return self.getvalue().splitlines()

    @property
    def told(self) -> list[str]:
        """Return the lines without times and the details of errors; not those of a mail server of the tests."""
        told = (re.sub(r" after \d+ seconds$", "", line.split(" ", 2)[2].partition(": ")[0]) for line in self.lines)
        return [words for words in told if " mail.log " not in words]


@pytest.fixture
def console() -> Iterator[Console]:
    """Read the log of this process, which knows of no outage yet."""
    import_module("config.asgi")  # sets the log up, when it is first imported
    for service in (DATABASE, REDIS, MAIL):
        service.forget()
    (handler,) = (each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler)
    said, before = Console(), handler.stream
    handler.setStream(said)
    yield said
    handler.setStream(before)
    for service in (DATABASE, REDIS, MAIL):
        service.forget()
