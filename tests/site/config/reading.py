"""Read what the site writes as browsers and other programs do, and find what hostile texts have become besides text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

from django.http import HttpResponse
from django.test import Client

from tests.site.config.hostile import MARK
from tests.site.config.world import undone


class Reader(HTMLParser):
    """Reads a page as a browser does and notes what a hostile text has become besides text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag if tag in {"script", "style"} else ""
        if MARK in tag or any(MARK in name for name, _ in attrs):
            self.found.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            scheme = re.sub(r"[\s\x00-\x1f]", "", value or "").lower()
            if name in {"href", "src", "action", "formaction", "hx-get", "hx-post"} and scheme.startswith(
                "javascript:"
            ):
                self.found.append(f"<{tag} {name}={value}>")
            if name.startswith("on") or (tag in {"img", "script"} and value and value.startswith(MARK)):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        if self.inside and MARK in data:
            self.found.append(f"<{self.inside}>{data}")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.found.append(f"<!--{data}-->")


SUSPECT = re.compile(rf"{MARK}|javascript|\son\w+\s*=", re.IGNORECASE)
"""Without any of these there is nothing to be found, and reading a page takes as long as making it."""


def in_html(content: str) -> list[str]:
    if not SUSPECT.search(content):
        return []
    reader = Reader()
    reader.feed(content)
    reader.close()
    return reader.found


def in_calendar(content: str) -> list[str]:
    """Return lines of a calendar that begin with what somebody wrote."""
    lines = content.replace("\r\n ", "").split("\r\n")
    return [line for line in lines if "\n" in line or re.match(r"(?i)attach|bcc|x-q1x|q1x|end:vevent.+", line)]


def in_xml(content: str) -> list[str]:
    elements = ET.fromstring(content).iter()
    return [it.tag for it in elements if MARK in it.tag or any(MARK in name for name in it.attrib)]


def in_json(content: Any) -> list[str]:
    """Return what is wrong in values that are markup; all others are text to whoever reads them."""
    if isinstance(content, dict):
        return [
            each for name, value in content.items() for each in ([] if MARK not in name else [name]) + in_json(value)
        ]
    if isinstance(content, list):
        return [each for value in content for each in in_json(value)]
    return in_html(content) if isinstance(content, str) and content.lstrip().startswith(("<div", "<p", "<li")) else []


UNREAD = {"", "image/png", "application/zip", "text/javascript", "text/plain"}
"""What browsers never take for a page, or what says nothing that anybody has written."""

READERS: dict[str, Callable[[str], list[str]]] = {
    "text/html": in_html,
    "text/calendar": in_calendar,
    "application/xml": in_xml,
    "application/atom+xml": in_xml,
    "image/svg+xml": in_xml,
    "application/json": lambda content: in_json(json.loads(content)),
    "application/manifest+json": lambda content: in_json(json.loads(content)),
}


def wrong_in(response: HttpResponse) -> list[str]:
    """Return what hostile texts have done to an answer."""
    headers = [f"{name}: {value}" for name, value in response.headers.items() if MARK in name.lower() or "\n" in value]
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if response.streaming or kind in UNREAD:
        return headers
    return headers + (READERS[kind](response.content.decode()) if kind in READERS else [f"nobody reads {kind}"])


def wrong_in_letter(letter: Any) -> list[str]:
    """Return what is wrong in an email: lines of its header, and its HTML."""
    made = letter.message()
    found = [name for name in made.keys() if MARK in name.lower() or name == "Bcc"]  # noqa: SIM118  # all of them
    found += [name for name, value in made.items() if "\n" in str(value)]
    for content, kind in getattr(letter, "alternatives", ()):
        found += in_html(str(content)) if kind == "text/html" else []
    return found


@dataclass(frozen=True)
class Form:
    """A form of a page: where it leads, how, and its fields; those one can write in are marked by None."""

    action: str
    method: str
    fields: tuple[tuple[str, str | None], ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        return self.action, self.method, tuple(name for name, _ in self.fields)

    def sent(self, client: Client, text: str) -> HttpResponse:
        """Send it with a text in every field, and take back what that changed."""
        fields = {name: text if value is None else value for name, value in self.fields}
        with undone():
            send = client.post if self.method == "post" else client.get
            answer: HttpResponse = send(self.action, fields, follow=True)  # type: ignore[assignment]  # one with more in it
            return answer


TYPED = {"text", "search", "email", "url", "password"}
"""Also what a button without a type says."""


class Forms(HTMLParser):
    """Finds the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.forms = page, [Form(page, "get", ())]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(said.get("action") or self.page, said.get("method", "get").lower(), ()))
        name, kind, last = said.get("name", ""), said.get("type", "text"), self.forms[-1]
        chosen = kind == "radio" and name in dict(last.fields)  # the first of several is taken
        if name and tag in {"input", "textarea", "button"} and kind not in {"checkbox", "file"} and not chosen:
            free = tag == "textarea" or kind in TYPED
            self.forms[-1] = replace(last, fields=(*last.fields, (name, None if free else said.get("value", ""))))


def forms_of(response: HttpResponse, page: str) -> list[Form]:
    """Return the forms of a page, the answer at an address, that can be sent within the site, with a field at least."""
    if response.headers.get("Content-Type", "").partition(";")[0] != "text/html":
        return []
    reader = Forms(page)
    reader.feed(response.content.decode())
    return [form for form in reader.forms if form.action.startswith("/") and any(v is None for _, v in form.fields)]
