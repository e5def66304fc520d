"""Exports of everything that is kept about somebody: requested, made under a lease, fetched, and deleted.

The file of an export is packed in short steps. It is a ZIP with `index.html` and `style.css` for people, `data/*.json`
for programs, and the records of all matches in `matches/`.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _, gettext_lazy

from accounts.applications.scopes import SCOPES
from accounts.limits import spend
from accounts.mail import letter_to, post
from accounts.models import Sanction, User
from accounts.moments import in_words, zone
from games.chat.models import PHRASES, Openness, Room
from games.clubs.models import Member
from games.history.replay import record_file, record_name
from games.moderation.models import Report
from games.notifications.models import Channel, Kind
from games.play import jobs
from games.play.access import viewed_by
from games.play.models import Match, Speed
from games.play.store import writing
from games.privacy.models import LIFE, Export, Piece
from games.privacy.personal_data import PARTS, Part, Row
from games.titles import titles

LEASE: Final = timedelta(seconds=60)
"""How long a worker that makes an export may show no progress before another one takes over."""

PIECE: Final = 512 * 1024
"""The size of the pieces of a file in bytes."""


def ask(user: User, language: str) -> Export:
    """Request an export in a language; return the present one if there is one.

    Raises:
        TooMany: the person or their network address has requested too many.
    """
    Export.objects.filter(_over(timezone.now()), user=user).delete()
    if not Export.objects.filter(user=user).exists():
        spend("export", user)
    export, _new = Export.objects.get_or_create(user=user, defaults={"language": language})
    jobs.stop_sleeping()
    return export


def of(user: User) -> Export | None:
    """Return somebody's export, finished or not; None if there is none."""
    return Export.objects.exclude(_over(timezone.now())).filter(user=user).first()


def claim(now: datetime, without: set[int]) -> Archive | None:
    """Lease the export that has waited longest, and begin its archive; None if there is none.

    Args:
        now: the present.
        without: keys of exports to leave out.
    """
    # A lease that ends too far in the future is from before the clock was put back.
    unheld = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    free = wanted().filter(unheld).exclude(pk__in=without)
    for export in free.select_related("user").order_by("asked_at", "pk"):
        token = secrets.token_hex(16)
        if free.filter(pk=export.pk, token=export.token).update(token=token, lease_until=now + LEASE):
            export.token = token
            return Archive(export)
    return None


def wanted() -> QuerySet[Export]:
    """Return the exports that are not finished."""
    return Export.objects.filter(made_at=None)


def store_progress(archive: Archive) -> bool:
    """Store the progress of an export and extend our lease; return whether it is still ours."""
    ours = wanted().filter(pk=archive.export.pk, token=archive.export.token)
    until = timezone.now() + LEASE
    return bool(ours.update(done=archive.done, steps=archive.steps, lease_until=until))


def finish(archive: Archive) -> bool:
    """Store the file of an export and email its owner; return whether the lease was still ours."""
    with writing(), archive.in_words():
        ours = wanted().filter(pk=archive.export.pk, token=archive.export.token).select_for_update(of=("self",)).first()
        if ours is None:
            return False
        contents = iter(partial(archive.content().read, PIECE), b"")
        pieces = [Piece(export=ours, number=number, content=it) for number, it in enumerate(contents)]
        Piece.objects.bulk_create(pieces)
        ours.made_at, ours.size = timezone.now(), sum(len(it.content) for it in pieces)
        ours.done = ours.steps = archive.steps
        ours.save(update_fields=["made_at", "size", "done", "steps"])
        if letter := letter_to(archive.user, "privacy/email/export_ready", until=ours.until):
            post(letter)
    return True


def give_back(export: Export) -> None:
    """End our lease, so that another worker can begin at once."""
    wanted().filter(pk=export.pk, token=export.token).update(lease_until=None)


def content_of(export: Export) -> Iterator[bytes]:
    """Yield the pieces of the file of an export."""
    for content in export.pieces.values_list("content", flat=True).iterator(chunk_size=1):
        yield bytes(content)


def remove_old(now: datetime) -> int:
    """Delete the exports that have expired, finished or not; return how many."""
    old = Export.objects.filter(_over(now))
    if not old.exists():
        return 0
    with writing():
        keys = list(old.values_list("pk", flat=True))
        Export.objects.filter(pk__in=keys).delete()
    return len(keys)


def _over(now: datetime) -> Q:
    return Q(made_at__lte=now - LIFE) | Q(made_at=None, asked_at__lte=now - LIFE)


# --- the file ---------------------------------------------------------------------------------------------------------

FORMAT: Final = "tessera-data-1"
"""The format of `data/*.json`. Within one format no name is changed or removed."""

_RECORDS: Final = "matches/"
_AT_A_TIME: Final = 100
"""How many lines of a part are rendered at once."""


class Archive:
    """The file of an export while it is made, in `steps` short steps that `go_on` takes one by one."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.user: User = export.user
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115  # open until `close`, over many calls
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        started = Match.objects.of(self.user).filter(started_at__isnull=False)
        self._matches = list(started.order_by("pk").values_list("pk", flat=True))
        self._sections: list[SafeString] = []
        self._work = self._take_steps()
        self.steps = len(PARTS) + len(self._matches) + 1
        self.done = 0

    def go_on(self) -> bool:
        """Do some work, at most one step; return whether there was any."""
        with self.in_words():
            return next(self._work, None) is not None

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Use the language in which the export was requested, and its owner's time zone."""
        with translation.override(self.export.language), timezone.override(zone(self.user.time_zone)):
            yield

    def content(self) -> IO[bytes]:
        """Return the finished file, rewound."""
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Delete the temporary file."""
        self._zip.close()
        self._file.close()

    def _take_steps(self) -> Iterator[int]:
        """Do the work; yield wherever it can be interrupted."""
        for part in PARTS:
            yield from self._pack(part)
            yield self._step()
        for key in self._matches:
            match = Match.objects.filter(pk=key).first()
            viewed = viewed_by(self.user, match) if match else None
            if viewed is not None and viewed.viewer is not None:
                self._zip.writestr(_RECORDS + record_name(viewed), record_file(viewed))
            yield self._step()
        self._zip.writestr("index.html", page_of(self.user, PARTS, self._sections))
        self._zip.writestr("style.css", render_to_string("privacy/export.css"))
        self._zip.close()
        yield self._step()

    def _step(self) -> int:
        self.done += 1
        return self.done

    def _pack(self, part: Part) -> Iterator[int]:
        """Pack a part: its JSON, and its section of the page."""
        rows: list[Row] = []
        lines: list[SafeString] = []
        unpacked = iter(part.rows(self.user))
        while batch := list(islice(unpacked, _AT_A_TIME)):
            rows += batch
            lines.append(cells_of(batch, _RECORDS))
            yield self.done
        content = {"format": FORMAT, "part": part.name, "rows": rows}
        text = json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        self._zip.writestr(f"data/{part.name}.json", text)
        self._sections.append(table_of(part, list(rows[0]) if rows else (), lines, len(rows)))


def archive_name(user: User) -> str:
    """Return the name under which the file is saved, in ASCII."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "", user.username)
    return f"tessera-{plain or 'data'}.zip"


def cells_of(rows: Iterable[Row], folder: str) -> SafeString:
    """Return rows of a table as HTML, escaped.

    Args:
        rows: with the same columns.
        folder: where the records of matches are.
    """
    cells = (format_html_join("", "<td>{}</td>", ((_cell(name, row, folder),) for name in row)) for row in rows)
    return format_html_join("\n", "<tr>{}</tr>", ((each,) for each in cells))


def _cell(name: str, row: Row, folder: str) -> str:
    if name == "setting":
        return name_in_words(row[name])
    if name == "value" and "setting" in row:
        return value_in_words(row["setting"], row[name])
    if name == "match" and "counts" in row:  # the part with the matches themselves
        return format_html('<a href="{}{}.json">{}</a>', folder, f"tessera-{row['game']}-{row[name]}", row[name])
    return value_in_words(name, row[name])


def table_of(part: Part, names: Sequence[str], lines: Iterable[SafeString], count: int) -> SafeString:
    """Return a part as a section with a table of its lines."""
    context = {
        "part": part,
        "names": [name_in_words(name) for name in names],
        "lines": mark_safe("\n".join(lines)),  # noqa: S308  # each was escaped when it was made
        "count": count,
    }
    return render_to_string("privacy/export_part.html", context)


def page_of(user: User, parts: Sequence[Part], sections: Iterable[SafeString]) -> str:
    """Return the whole page, which loads nothing but its style sheet."""
    context = {
        "person": user,
        "parts": parts,
        "sections": mark_safe("\n".join(sections)),  # noqa: S308  # rendered by `table_of`
        "now": timezone.now(),
        "language": get_language(),
    }
    return render_to_string("privacy/export.html", context)


NAMES: Final[Mapping[str, Any]] = {
    "address": gettext_lazy("Network address"),
    "addresses": gettext_lazy("Redirect addresses"),
    "after": gettext_lazy("After"),
    "alone": gettext_lazy("Alone"),
    "asked_by_me": gettext_lazy("You asked"),
    "at": gettext_lazy("When"),
    "at_once": gettext_lazy("Matches at once"),
    "before": gettext_lazy("Before"),
    "began": gettext_lazy("Began"),
    "behind": gettext_lazy("Behind"),
    "bot_since": gettext_lazy("Bot since"),
    "channel": gettext_lazy("Channel"),
    "client": gettext_lazy("Client ID"),
    "clock": gettext_lazy("Clock"),
    "club": gettext_lazy("Club"),
    "coach_marks_read": gettext_lazy("Explanations on the board already read"),
    "coming": gettext_lazy("You come"),
    "confirmed": gettext_lazy("Confirmed"),
    "counts": gettext_lazy("Counts"),
    "day": gettext_lazy("Day"),
    "declined": gettext_lazy("Declined"),
    "deleted": gettext_lazy("Deleted"),
    "device": gettext_lazy("Device"),
    "digest_at": gettext_lazy("Daily digest"),
    "division": gettext_lazy("Division"),
    "done": gettext_lazy("Done"),
    "email": gettext_lazy("Email address"),
    "ended": gettext_lazy("Ended"),
    "event": gettext_lazy("Event"),
    "format": gettext_lazy("Format"),
    "free_weekends": gettext_lazy("Free weekends"),
    "from": gettext_lazy("From"),
    "game": gettext_lazy("Game"),
    "goal": gettext_lazy("Wins needed"),
    "groups": gettext_lazy("Groups"),
    "guest": gettext_lazy("Guest"),
    "hints": gettext_lazy("Hints"),
    "host": gettext_lazy("Host"),
    "kind": gettext_lazy("Kind"),
    "language": gettext_lazy("Language"),
    "last_login": gettext_lazy("Last login"),
    "last_seen": gettext_lazy("Last seen"),
    "last_used": gettext_lazy("Last used"),
    "left": gettext_lazy("Left"),
    "lesson": gettext_lazy("Lesson"),
    "lobby_filter": gettext_lazy("Filters"),
    "looking_until": gettext_lazy("Looking for a game until"),
    "match": gettext_lazy("Match"),
    "matches": gettext_lazy("Matches"),
    "member_since": gettext_lazy("Member since"),
    "name": gettext_lazy("Name"),
    "no_shows": gettext_lazy("Matches you did not come to"),
    "no_vacations": gettext_lazy("No vacations"),
    "not_wanted": gettext_lazy("Not wanted"),
    "opens": gettext_lazy("Opens"),
    "options": gettext_lazy("Options"),
    "passed": gettext_lazy("Let pass"),
    "permissions": gettext_lazy("Permissions"),
    "phrase": gettext_lazy("Phrase"),
    "place": gettext_lazy("Place"),
    "primary": gettext_lazy("Primary"),
    "puzzle": gettext_lazy("Puzzle"),
    "puzzle_at": gettext_lazy("Daily puzzle"),
    "quiet_from": gettext_lazy("Quiet from"),
    "quiet_until": gettext_lazy("Quiet until"),
    "rank": gettext_lazy("Rank"),
    "rated": gettext_lazy("Rated"),
    "rating": gettext_lazy("Rating"),
    "scopes": gettext_lazy("Scopes"),
    "role": gettext_lazy("Role"),
    "score": gettext_lazy("Points"),
    "seat": gettext_lazy("Seat"),
    "seats": gettext_lazy("Seats"),
    "seen": gettext_lazy("Seen"),
    "setting": gettext_lazy("What"),
    "shows_presence": gettext_lazy("Show when I am online"),
    "since": gettext_lazy("Since"),
    "single_keys": gettext_lazy("Single keys"),
    "sleep_from": gettext_lazy("Asleep from"),
    "sleep_until": gettext_lazy("Awake again at"),
    "speed": gettext_lazy("Speed"),
    "staff": gettext_lazy("Staff"),
    "starts": gettext_lazy("Starts"),
    "state": gettext_lazy("State"),
    "steps": gettext_lazy("Steps"),
    "text": gettext_lazy("Text"),
    "theme": gettext_lazy("Colors"),
    "time_zone": gettext_lazy("Time zone"),
    "timed_out": gettext_lazy("Out of time"),
    "to": gettext_lazy("To whom"),
    "tries": gettext_lazy("Tries"),
    "turns": gettext_lazy("Turns"),
    "unread": gettext_lazy("Unread"),
    "until": gettext_lazy("Up to"),
    "user_agent": gettext_lazy("Browser"),
    "value": gettext_lazy("Value"),
    "verified": gettext_lazy("Confirmed"),
    "visibility": gettext_lazy("Who can see it"),
    "who_may_write": gettext_lazy("Who may write to you"),
    "wins": gettext_lazy("Wins"),
    "with": gettext_lazy("With"),
    "with_bots": gettext_lazy("With bots"),
    "with_people": gettext_lazy("With people"),
    "year": gettext_lazy("Year"),
}
"""What the names in JSON mean to people."""

_CODES: Final[Mapping[str, Mapping[Any, Any]]] = {
    "channel": dict(Channel.choices),
    "kind": {
        **dict(Room.Kind.choices),
        **dict(Kind.choices),
        **dict(Sanction.Kind.choices),
        **dict(Report.About.choices),
        "confidential": gettext_lazy("on a server"),
        "public": gettext_lazy("on their devices"),
    },
    "phrase": PHRASES,
    "role": dict(Member.Role.choices),
    "scopes": SCOPES,
    "speed": dict(Speed.choices),
    "state": {code: label for code, label in Match.Status.choices if code != "closed"},
    "theme": dict(User.Theme.choices),
    "visibility": dict(Match.Visibility.choices),
    "who_may_write": dict(Openness.To.choices),
}
"""What codes in JSON mean to people, by the name of their column."""


def name_in_words(name: str) -> str:
    """Return a name from JSON in words, in the active language."""
    return str(NAMES.get(name, name.replace("_", " ").capitalize()))


def value_in_words(name: str, value: Any) -> str:
    """Return a value from the column with this name in words, in the active language and time zone."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if value is None or value in ("", [], {}):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(value_in_words(name, each) for each in value)
    if isinstance(value, datetime):
        return in_words(value)
    if isinstance(value, date | time):
        return date_format(value) if isinstance(value, date) else time_format(value)
    return _code(name, value)


def _code(name: str, value: Any) -> str:
    if name == "game" and value in titles():
        return str(titles()[value].game.name)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_in_words(key, each)}" for key, each in value.items())
    return str(_CODES.get(name, {}).get(value, value))
