"""Every text of the sources that is marked for translation, found without gettext.

Independent of `manage.py makemessages`, which fills the catalogues: what one overlooks, the other finds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from django.utils.translation.template import templatize

from config.catalogues import FOLDERS, ROOT
from config.templating import environment
from games.titles import titles

Text: TypeAlias = tuple[str, str]
"""A text and its plural; the plural is empty where there is none."""

ONE = {"_", "gettext", "gettext_lazy", "gettext_noop"}
SEVERAL = {"ngettext", "ngettext_lazy"}
TEMPLATES = {".html", ".svg", ".txt"}
_TAG = re.compile(r"{%-?\s*(?:blocktrans(?:late)?|trans(?:late)?)\b")


@cache
def texts() -> Mapping[Text, str]:
    """Return each text with one of the files it occurs in."""
    found: dict[Text, str] = {}
    for path in _files():
        source = path.read_text(encoding="utf-8")
        found |= dict.fromkeys(_of(path, source), str(path.relative_to(ROOT)))
    return found | dict.fromkeys(_of_options(), "an option of a game")


def tags_and_texts(path: Path) -> tuple[int, int]:
    """Return how many translating tags a Django template has, and how many texts were found in it."""
    source = path.read_text(encoding="utf-8")
    return len(_TAG.findall(source)), len(list(_calls(templatize(source))))


def templates() -> Iterator[Path]:
    return (path for path in _files() if path.suffix in TEMPLATES)


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".jinja", *TEMPLATES} and "static" not in path.parts:
                yield path


def _of(path: Path, source: str) -> Iterable[Text]:
    if path.suffix == ".py":
        return (*_calls(source), *_refusals(source)) if {"titles", "engine"} & set(path.parts) else _calls(source)
    if path.suffix == ".jinja":
        return _of_jinja(source)
    return _calls(templatize(source))


def _calls(source: str) -> Iterator[Text]:
    """Yield the texts of all calls of gettext in Python, wherever they are."""
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Call) and (wanted := _wanted(node)):
            said = [arg.value for arg in node.args[:wanted] if isinstance(arg, ast.Constant)]
            if len(said) == wanted:
                yield str(said[0]), str(said[1]) if wanted > 1 else ""


def _wanted(call: ast.Call) -> int:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return 1 if name in ONE else 2 if name in SEVERAL else 0


def _tree(source: str) -> ast.Module:
    """Parse Python, or what templatize makes of a template: calls among X's, one after the other in a line."""
    try:
        return ast.parse(source)
    except SyntaxError:
        calls = re.findall(
            r"(?:_|gettext|ngettext)\((?:u?'(?:[^'\\]|\\.)*'|u?\"(?:[^\"\\]|\\.)*\"|[^()'\"])*\)", source
        )
        return ast.parse("\n".join(calls))


def _of_jinja(source: str) -> Iterator[Text]:
    for _line, _name, message in environment().extract_translations(source):  # type: ignore[attr-defined]  # from the i18n extension
        said = [text for text in (message if isinstance(message, tuple) else [message]) if text]
        if said:
            yield said[0], said[1] if len(said) > 1 else ""


def _refusals(source: str) -> Iterator[Text]:
    """Yield the sentences of rules, which do not use gettext: those raised, or listed as refusals by their codes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"RuleViolation", "NotationError"}:
            said = node.args[-1:]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and "REFUSALS" in ast.unparse(node).partition("=")[0]:
            said = list(node.value.values) if isinstance(node.value, ast.Dict) else []
        else:
            continue
        yield from (
            (value.value, "") for value in said if isinstance(value, ast.Constant) and isinstance(value.value, str)
        )


def _of_options() -> Iterator[Text]:
    for title in titles().values():
        for option in title.game.options:
            labels = (option.label, option.help, *(label for _value, label in option.choices))
            yield from ((label, "") for label in labels if label)
