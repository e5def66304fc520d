"""The readable page of an export, put together a few lines at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.models import User
from accounts.owned import Part, Row
from games.privacy.words import name_in_words, value_in_words


def cells_of(rows: Iterable[Row], folder: str) -> SafeString:
    """Return lines of a table; everything in them is escaped.

    Args:
        rows: with the same names.
        folder: where the records of matches lie.
    """
    return format_html_join("\n", "<tr>{}</tr>", ((_cells(row, folder),) for row in rows))


def _cells(row: Row, folder: str) -> SafeString:
    setting = row.get("setting")
    return format_html_join("", "<td>{}</td>", ((_cell(name, row, setting, folder),) for name in row))


def _cell(name: str, row: Row, setting: str | None, folder: str) -> str:
    if name == "setting" and setting is not None:
        return name_in_words(setting)
    if name == "value" and setting is not None:
        return value_in_words(setting, row[name])
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
    """Return the whole page, which needs nothing but itself."""
    context = {
        "person": user,
        "parts": parts,
        "sections": mark_safe("\n".join(sections)),  # noqa: S308  # rendered by `table_of`
        "now": timezone.now(),
        "language": get_language(),
    }
    return render_to_string("privacy/export.html", context)
