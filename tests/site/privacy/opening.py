"""Exports made and opened in tests."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

from django.utils import timezone

from accounts.models import User
from games.privacy import exports
from games.privacy.exports import FORMAT
from games.privacy.jobs import Exports
from games.privacy.models import Export


def made(user: User, language: str = "en") -> Export:
    """Ask for an export, and let a worker make it."""
    exports.ask(user, language)
    assert Exports(seconds=600).run_due(timezone.now()) == 1
    return Export.objects.get(user=user)


def opened(export: Export) -> ZipFile:
    """Return the file of an export."""
    return ZipFile(io.BytesIO(b"".join(exports.content_of(export))))


def rows(file: ZipFile, part: str) -> list[dict[str, Any]]:
    """Return the lines of a part."""
    found = json.loads(file.read(f"data/{part}.json"))
    assert (found["format"], found["part"]) == (FORMAT, part)
    return list(found["rows"])


def texts(file: ZipFile) -> Iterator[tuple[str, str]]:
    """Yield every file in the file, with its name."""
    for name in file.namelist():
        yield name, file.read(name).decode()
