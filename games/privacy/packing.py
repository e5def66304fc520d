"""Packing everything one person has into one file, in steps that take a moment each.

The file is a ZIP: `index.html` for people, with its `style.css`, `data/*.json` for programs, and in `matches/` the
record of every match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.owned import Part, Row
from accounts.zones import zone
from games.history.files import name_of, record_file
from games.play.matches.access import viewed_by
from games.play.models import Match, MatchQuerySet
from games.privacy import page
from games.privacy.models import Export
from games.privacy.parts import parts

FORMAT: Final = "tessera-data-1"
"""What programs that read `data/*.json` can rely on: names are not changed, and none goes away."""

_RECORDS: Final = "matches/"
_AT_A_TIME: Final = 100
"""Lines of a part that are put into words in one go."""


class Packing:
    """A file in the making, for one export; `steps` says how many steps it takes, which `go_on` takes one by one."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.user: User = export.user
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115  # open until `close`, over many calls
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        self._matches = list(_matches_of(self.user).values_list("pk", flat=True))
        self._sections: list[SafeString] = []
        self._work = self._take_steps()
        self.steps = len(parts()) + len(self._matches) + 1
        self.done = 0

    def go_on(self) -> bool:
        """Take some more of the work, at most one step; return whether there was any left."""
        with self.in_words():
            return next(self._work, None) is not None

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Use the language in which the export was asked for, and its owner's time zone."""
        with translation.override(self.export.language), timezone.override(zone(self.user.time_zone)):
            yield

    def content(self) -> IO[bytes]:
        """Return the file once all steps are done, to be read from its beginning."""
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Remove what was packed from this machine."""
        self._zip.close()
        self._file.close()

    def _take_steps(self) -> Iterator[int]:
        """Do the work; each value is a moment at which it can rest."""
        for part in parts():
            yield from self._pack(part)
            yield self._step()
        for key in self._matches:
            self._pack_match(key)
            yield self._step()
        self._zip.writestr("index.html", page.page_of(self.user, parts(), self._sections))
        self._zip.writestr("style.css", render_to_string("privacy/export.css"))
        self._zip.close()
        yield self._step()

    def _step(self) -> int:
        self.done += 1
        return self.done

    def _pack(self, part: Part) -> Iterator[int]:
        """Pack a part: the JSON of it, and its section of the page."""
        rows: list[Row] = []
        lines: list[SafeString] = []
        for batch in _batches(part.rows(self.user)):
            rows += batch
            lines.append(page.cells_of(batch, _RECORDS))
            yield self.done
        self._write_json(f"data/{part.name}.json", {"format": FORMAT, "part": part.name, "rows": rows})
        self._sections.append(page.table_of(part, list(rows[0]) if rows else (), lines, len(rows)))

    def _pack_match(self, key: int) -> None:
        match = Match.objects.filter(pk=key).first()
        viewed = viewed_by(self.user, match) if match else None
        if viewed is not None and viewed.viewer is not None:
            self._zip.writestr(_RECORDS + name_of(viewed), record_file(viewed))

    def _write_json(self, name: str, content: Any) -> None:
        text = json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        self._zip.writestr(name, text)


def _matches_of(user: User) -> MatchQuerySet:
    return Match.objects.of(user).filter(started_at__isnull=False).order_by("pk")


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while batch := list(islice(left, _AT_A_TIME)):
        yield batch


def file_name(user: User) -> str:
    """Return what the file is called when it is saved; names of people can hold anything but letters of ASCII."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "", user.username)
    return f"tessera-{plain or 'data'}.zip"
