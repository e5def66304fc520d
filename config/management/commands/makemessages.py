"""`manage.py makemessages` for this tree: it also reads Jinja and rules, and its output depends only on the texts."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

from config.catalogues import catalogues, said, share
from config.templating import environment
from games.engine.protocol import Option
from games.titles import apps

REFUSALS = {"RuleViolation", "NotationError", "OptionError"}
"""Exceptions whose last argument is a sentence for people."""

_CHANGING = re.compile(r'^"(POT-Creation-Date|Report-Msgid-Bugs-To): .*\n', re.MULTILINE)


class Source(makemessages.BuildFile):
    """A file prepared for xgettext.

    xgettext finds calls in Python, and Django turns its own templates into such calls. Both miss calls within Jinja
    expressions and f-strings, and the texts of rules, which do not use gettext; they are added here.
    """

    @cached_property
    def is_templatized(self) -> bool:
        return super().is_templatized or bool(self._overlooked)

    @cached_property
    def _overlooked(self) -> list[str]:
        if not self.path.endswith(".py"):
            return []
        source = Path(self.path).read_text(encoding="utf-8")
        return [f"_({text!r})" for text in (*in_f_strings(source), *refusals(source), *self._options())]

    def _options(self) -> Iterator[str]:
        path = Path(self.path)
        rules = path.parent if path.name == "__init__.py" else path.with_suffix("")
        if rules.name == "rules" and rules.parent.parent.name == "titles":
            game = importlib.import_module(".".join(rules.parent.parts)).GAME
            yield from option_texts(game.options)

    def preprocess(self) -> None:
        """Write a file for xgettext to read, unless it can read this file itself."""
        source = Path(self.path)
        if source.suffix == ".jinja":
            self._write(jinja_calls(source.read_text(encoding="utf-8")))
        elif self._overlooked:
            self._write([source.read_text(encoding="utf-8"), *self._overlooked])
        else:
            super().preprocess()

    def _write(self, lines: Iterable[str]) -> None:
        Path(self.work_path).write_text("\n".join(lines), encoding="utf-8")


def jinja_calls(source: str) -> Iterator[str]:
    """Yield every translation in a Jinja template as a call in Python; calls with variables are left out."""
    for _line, function, message in environment().extract_translations(source):  # type: ignore[attr-defined]  # from the i18n extension
        texts = message if isinstance(message, tuple) else (message,)
        if found := [repr(text) for text in texts if text is not None]:
            yield f"{function}({', '.join(found)})"


def in_f_strings(source: str) -> Iterator[str]:
    """Yield the texts of plain calls of gettext within f-strings."""
    strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr))
    for node in (inner for string in strings for inner in ast.walk(string)):
        match node:
            case ast.Call(func=ast.Name(id="_" | "gettext" | "gettext_lazy"), args=[ast.Constant(value=str(text))]):
                yield text


def refusals(source: str) -> Iterator[str]:
    """Yield the sentences with which rules refuse actions, from calls of the exceptions or from tables of sentences."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[*_, ast.Constant(value=str(text))]) if name in REFUSALS:
                yield text
            case (
                ast.Assign(targets=[ast.Name(id="_REFUSALS")], value=ast.Dict(values=values))
                | ast.AnnAssign(target=ast.Name(id="REFUSALS"), value=ast.Dict(values=values))
            ):
                yield from (str(value.value) for value in values if isinstance(value, ast.Constant))


def option_texts(options: tuple[Option, ...]) -> Iterator[str]:
    """Yield the texts of a game's options."""
    for option in options:
        yield from (text for text in (option.label, option.help, *(label for _, label in option.choices)) if text)


class Command(makemessages.Command):
    build_file_class = Source
    # Fuzzy matches would have to be checked; a test requires complete catalogues anyway.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *arguments: Any, **options: Any) -> None:
        """Collect the texts, those of each title in catalogues of its own.

        A text that one catalogue has translated is translated likewise in the others.
        """
        for title in apps():
            (Path(settings.BASE_DIR) / title.replace(".", "/") / "locale").mkdir(exist_ok=True)
        known = said(catalogues())
        super().handle(*arguments, **options)
        share(catalogues(), known)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write the catalogue without a creation date, so that only changed texts change it."""
        super().write_po_file(potfile, locale)
        path = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        path.write_text(_CHANGING.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")
