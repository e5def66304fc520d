"""Emails in their reader's language and time zone, as text and as HTML made from that text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone

_ACTION = re.compile(r"(?P<label>[^\n]+?):?\n(?P<url>https?://\S+)")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of an email; if it has a `url`, a button with `text` as its label."""

    text: str
    url: str = ""


@contextmanager
def in_words_of(user: object) -> Iterator[None]:
    """Use this user's language and time zone; change nothing for anyone who is not a `User`."""
    if not isinstance(user, User):
        yield
        return
    with translation.override(user.language or translation.get_language()), timezone.override(zone(user.time_zone)):
        yield


def paragraphs(text: str) -> list[Paragraph]:
    """Split the text of an email; a line of words above a line with a link becomes a button.

    >>> paragraphs("Hello,\\n\\nConfirm:\\nhttps://x.example/y")
    [Paragraph(text='Hello,', url=''), Paragraph(text='Confirm', url='https://x.example/y')]
    """
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    matches = [(_ACTION.fullmatch(part), part) for part in parts]
    return [Paragraph(match["label"], match["url"]) if match else Paragraph(part) for match, part in matches]


def as_html(subject: str, text: str) -> str:
    """Return the same email as HTML. Everything in it is escaped."""
    return render_to_string("account/email/frame.html", {"subject": subject, "paragraphs": paragraphs(text)})
