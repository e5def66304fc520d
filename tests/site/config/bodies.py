"""The largest forms that anybody can send to an address, and what comes of each.

Forms are taken from the pages of the site, with what their fields contain there, so that what is asked for is checked
as far as it can be; then one field after the other, and all at once, are filled as far as the door lets them in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import cycle
from typing import Any, Final
from unittest.mock import patch
from urllib.parse import quote_plus

from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse, QueryDict
from django.urls import Resolver404, resolve
from django.utils.datastructures import MultiValueDict

from config.middleware import LONGER, LONGEST_FIELD, MOST_POSTED
from config.protocol import MAX_ADDRESS
from tests.site.config.addresses import situations_of
from tests.site.config.doors import OF_MODERATORS, ROWS, expected
from tests.site.config.world import World, undone

TEXTS: Final = {
    "lines of words": "1 end\n",
    "wide": "\ufdfa",  # becomes eighteen characters when it is normalized
    "names": "@person, ",
    "letters": "a",
    "lines": "\n",
    "digits": "9",
    "blanks": " ",
    "marks": "e\u0301\u0323",
    "brackets": "[",
    "objects": '{"a":',
    "separators": ";",
    "addresses": "a@b.",
    "percents": "%s{0}",
}
"""What a field is filled with, again and again; the first ones cost most."""

TOKEN: Final = "csrfmiddlewaretoken"
"""A field that the client of the tests need not send, and that is not read for it."""

Form = dict[str, Any]
"""What is posted: a text for each field, or several."""

UNKNOWN: Final = {f"field-{number}": "a" * 20 for number in range(190)}
"""Fields that nobody asks for, as many as are let in."""


class _Forms(HTMLParser):
    """Collects what the forms of a page would post if nobody touched them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Form] = {}
        self._form: Form = {}
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        name, value = about.get("name", ""), about.get("value", "")
        if tag == "form":
            self._form = self.found.setdefault(about.get("action", "").partition("#")[0], {})
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in about or self._select not in self._form):
            self._form[self._select] = value
        elif tag == "textarea":
            self._area = name
            self._form[name] = ""
        elif tag in {"input", "button"} and name and ("checked" in about or name not in self._form):
            self._form[name] = value
        if about.get("formaction"):
            self.found.setdefault(about["formaction"], self._form)

    def handle_data(self, data: str) -> None:
        if self._area:
            self._form[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""


@dataclass
class Doors:
    """Every address to which anything is posted, for some roles, with the forms that lead there.

    Args:
        world: with which they are tried.
        forms: by role and the name of an address.
        pages: what was looked for in a long query that names nothing of it, and the answer; by role and path.
        known: what `form` has returned.
    """

    world: World
    forms: dict[tuple[str, str], dict[str, Form]] = field(default_factory=dict)
    pages: dict[tuple[str, str], tuple[set[str], Answer]] = field(default_factory=dict)
    known: dict[tuple[str, str], tuple[str, Form]] = field(default_factory=dict)

    def form(self, role: str, name: str) -> tuple[str, Form]:
        """Return the path of an address and a form of a page for it; without one, the fields that it looks for."""
        if (role, name) not in self.known:
            self.known[role, name] = self._find(role, name)
        return self.known[role, name]

    def _find(self, role: str, name: str) -> tuple[str, Form]:
        forms = self.forms.get((role, name), {})
        path = next(iter(forms), self.world.path(name, "over" if name in {"record_lesson", "review"} else "public"))
        form = dict(forms.get(path, {}))
        with noted(found := set[str]()):
            self._post(role, path, form)
            if found - form.keys():  # what it finds may make it look for more
                self._post(role, path, {**dict.fromkeys(found, "1"), **form})
        return path, {name: text for name, text in {**dict.fromkeys(found, "1"), **form}.items() if name != TOKEN}

    def asked(self, role: str, name: str) -> tuple[str, list[str], Answer]:
        """Return the path of a page, what of its query it looks for, and its answer to much that it does not."""
        path = self.world.path(name)
        if (role, path) not in self.pages:
            self._read(role, path)
        found, answer = self.pages[role, path]
        if found:  # as in a form
            with noted(found):
                self._get(role, path, dict.fromkeys(found, "1"))
        return path, sorted(found), answer

    def visit(self, role: str, names: Iterable[str] = ROWS) -> None:
        """Collect the forms of all pages that a role can see, or of some."""
        for name in ("table_new", "table_plan"):
            self._read(role, f"{self.world.path(name)}?game=card-chess")
        for address in ("/@mate/challenge/?game=card-chess", "/messages/with/mate/"):
            self._read(role, address)
        for name in names:
            shown = [each for each in situations_of(name) if expected(name, "GET", each)[role] == "200"]
            shown = [each for each in shown if each != "private"]  # it has the forms of the public one
            for situation in (*shown, *(("open", "planned") if name == "match" else ())):
                path = self.world.path(name, situation)
                self._read(role, f"{path}?at=1&seat=0" if name == "record_lesson" else path)

    def _read(self, role: str, path: str) -> None:
        """Keep what a page does with a long query, and the forms that it has."""
        with noted(found := set[str]()), counted() as asked:
            response = self._get(role, path, {} if "?" in path else UNKNOWN)
        self.pages[role, path] = found - UNKNOWN.keys(), Answer.to(response, asked)
        if response.status_code == 200 and not response.streaming and "html" in response["Content-Type"]:
            self._collect(role, path, response.content.decode())

    def _collect(self, role: str, path: str, page: str) -> None:
        parser = _Forms()
        parser.feed(page)
        for action, form in parser.found.items():
            target = action or path
            try:
                name = resolve(target.partition("?")[0]).url_name or ""
            except Resolver404:
                continue
            self.forms.setdefault((role, name), {}).setdefault(target, form)

    def _post(self, role: str, path: str, form: Form) -> HttpResponse:
        cache.clear()  # the limits too, which would answer in place of the page
        client = self.world.client(role)
        client.raise_request_exception = False
        with undone():
            return client.post(path, form)  # type: ignore[return-value]  # it answers like one

    def _get(self, role: str, path: str, query: Form) -> HttpResponse:
        cache.clear()
        client = self.world.client(role)
        client.raise_request_exception = False
        return client.get(path, query)  # type: ignore[return-value]  # it answers like one

    def sent(self, role: str, path: str, form: Form, method: str = "POST") -> Answer:
        """Send a form and take back what that did."""
        with counted() as asked:
            answer = self._post(role, path, form) if method == "POST" else self._get(role, path, form)
        return Answer.to(answer, asked)


@contextmanager
def counted() -> Iterator[list[str]]:
    """Yield what the database is asked meanwhile."""
    asked: list[str] = []

    def noting(execute: Any, statement: Any, *more: Any) -> Any:
        asked.append(statement)
        return execute(statement, *more)

    with connection.execute_wrapper(noting):
        yield asked


@dataclass(frozen=True)
class Answer:
    """What came of a request: the status and the bytes of the answer, and how often the database was asked."""

    status: int
    size: int
    queries: int

    @classmethod
    def to(cls, response: HttpResponse, asked: list[str]) -> Answer:
        return cls(response.status_code, 0 if response.streaming else len(response.content), len(asked))


def roles_of(name: str) -> list[str]:
    """Return who posts to an address: visitors where they need not log in, and somebody with an account."""
    if name in OF_MODERATORS:
        return ["moderator"]
    return ["seat"] if ROWS[name][1].strip().startswith("login") else ["nobody", "seat"]


def posted_to() -> list[str]:
    """Return the names of all addresses to which anything is posted; Django's admin is for administrators alone."""
    return [name for name, cells in ROWS.items() if cells[1].strip() != "405" and name != "admin"]


def bodies(name: str, form: Form, kinds: list[str], *, whole: bool = True) -> Iterator[tuple[str, Form]]:
    """Yield the largest forms that are let in to an address, each with what it is.

    Args:
        name: of the address.
        form: as it is otherwise.
        kinds: of `TEXTS`.
        whole: fill each field with every kind; otherwise with one of them, in turn, and send all of them
            many times at once instead of one after the other.
    """
    names = list(form)
    most = MOST_POSTED - 200 * (len(names) + 1)
    each, every = min(LONGEST_FIELD, most // 3 // max(1, len(names))), len(UNKNOWN) // max(1, len(names))
    for kind in kinds if whole else []:
        yield f"{kind} in all fields", {one: filled(TEXTS[kind], each) for one in names}
    if not whole:
        in_turn = cycle(TEXTS[kind] for kind in kinds)
        yield "something in all fields", {one: filled(text, each) for one, text in zip(names, in_turn, strict=False)}
        yield "all many times", {one: [str(form[one] or "a")[:200]] * every for one in names}
    for number, one in enumerate(names):
        longest = LONGER.get((name, one), min(LONGEST_FIELD, most))
        for kind in kinds if whole else [kinds[number % len(kinds)]]:
            yield f"{kind} in {one}", {**form, one: filled(TEXTS[kind], longest)}
        if whole:
            yield f"{one} many times", {**form, one: [str(form[one] or "a")[:300]] * 150}
    yield "many fields", dict.fromkeys(UNKNOWN, "a" * 150)


def queries(names: list[str], kinds: list[str]) -> Iterator[tuple[str, Form]]:
    """Yield the longest queries that an address can have, each with what it is: of one of the kinds, in turn."""
    for number, one in enumerate(names):
        kind = kinds[number % len(kinds)]
        most = MAX_ADDRESS // len(quote_plus(TEXTS[kind])) * len(TEXTS[kind].encode()) - 500
        yield f"{kind} in {one}", {one: filled(TEXTS[kind], most)}


def filled(text: str, most: int) -> str:
    """Return as many characters as fit, of a text again and again; less where it takes several bytes each."""
    return text * (most // len(text.encode()))


@contextmanager
def noted(names: set[str]) -> Iterator[None]:
    """Add the names of all fields for which anybody looks in a form meanwhile."""

    def listening(method: str) -> Any:
        real = getattr(MultiValueDict, method)

        def listened(form: Any, key: Any, *more: Any, **named: Any) -> Any:
            if isinstance(form, QueryDict) and isinstance(key, str):
                names.add(key)
            return real(form, key, *more, **named)

        return patch.object(MultiValueDict, method, listened)

    with listening("__getitem__"), listening("_getlist"):
        yield
