"""The levels of the architecture hold for templates and relations as they do for imports."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps
from django.template import engines

ROOT = Path(__file__).parents[3]
APPS = [*sorted((ROOT / "games").glob("*/")), ROOT / "accounts"]

JOINED = {
    "bots/bots.html": "shows the bots of others, at whose tables one sits down, beside ours",
    "bots/hint.html": "stands in the page of a match, and says how a series goes on",
    "history/ending.html": "leads from a try to the places of its deal of the day",
    "matchmaking/lobby.html": "shows who waits to be paired beside the tables",
    "play/log.html": "names the series a match belongs to",
    "play/match.html": "joins the board, its table, chat, ending and notices in one page",
    "play/resign.html": "names the series a match belongs to",
    "play/rules.html": "leads to lessons and to a table",
}
"""Pages that show what several levels say, each with the reason: they may load and include from above."""

_NAMED = re.compile(r"""{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)""")
_LOADED = re.compile(r"{%\s*load\s+([^%]+?)\s*%}")
_MANAGED = {
    "all",
    "count",
    "create",
    "exclude",
    "exists",
    "filter",
    "first",
    "get",
    "order_by",
    "values",
    "values_list",
}
"""What follows the name of a reverse relation."""


@cache
def levels() -> dict[str, list[int]]:
    """Return the heights of each app in the contract of imports, the lowest first: models stand there."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["name"] == "levels")
    heights: dict[str, list[int]] = {"accounts": [-1]}
    for height, layer in enumerate(reversed(layers)):
        for module in re.findall(r"[\w.]+", layer):
            heights.setdefault(".".join(module.split(".")[:2]), []).append(height)
    return heights


def is_out_of_reach(app: str, other: str, *, models: bool = False) -> bool:
    """Return whether `app` must not know `other`, which is not below it; the frame of the site is for all.

    Args:
        models: whether it is about the models of the other one, and not about its templates.
    """
    heights = levels()
    if app == other or app not in heights or other not in heights:
        return False
    return (min if models else max)(heights[other]) >= max(heights[app])


def app_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return ".".join(parts[:2]) if parts[0] == "games" else parts[0]


@cache
def templates() -> dict[str, Path]:
    return {
        path.relative_to(app / "templates").as_posix(): path
        for app in APPS
        for path in (app / "templates").rglob("*")
        if path.is_file()
    }


def names_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a template extends, includes or imports, and which libraries it loads, each with the app it is of."""
    known = {name: app_of(path) for name, path in templates().items()}
    libraries = engines["django"].engine.libraries.items()  # type: ignore[attr-defined]  # what Django's own engine has
    owners = {name: app_of(ROOT / module.replace(".", "/")) for name, module in libraries}
    for name in _NAMED.findall(text):
        yield name, known.get(name, "")
    for loaded in _LOADED.findall(text):
        yield from ((name, owners.get(name, "")) for name in loaded.split())


def python_files() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in app.rglob("*.py") if "migrations" not in path.parts)


@cache
def reverse_relations() -> dict[str, set[str]]:
    """Return the apps that give others' models an attribute, by its name."""
    found: dict[str, set[str]] = {}
    for model in apps.get_models():
        for relation in model._meta.related_objects:
            name, owner = relation.get_accessor_name(), relation.related_model.__module__
            if name and not name.endswith("+"):
                found.setdefault(name, set()).add(owner.rsplit(".models", 1)[0])
    return found


def followed(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of attributes of which a manager's method is called: `match.invitations.filter(...)`."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _MANAGED and isinstance(node.value, ast.Attribute):
            yield node.value.attr


def check_templates(texts: dict[str, str]) -> None:
    """Check that templates name nothing of a higher level, except those that join several."""
    known = templates()
    wrong = [
        f"{name}: {other}"
        for name, text in texts.items()
        for other, owner in names_in(text)
        if name not in JOINED and is_out_of_reach(app_of(known[name]), owner)
    ]
    assert not wrong, wrong


def check_module(app: str, tree: ast.Module) -> None:
    """Check that a module renders no template of a higher level, and follows no relation that one has made."""
    known, made = templates(), reverse_relations()
    nodes = list(ast.walk(tree))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    wrong = [name for name in texts & known.keys() if is_out_of_reach(app, app_of(known[name]))]
    wrong += [name for name in followed(nodes) if _is_unknown(app, made.get(name, {app}))]
    assert not wrong, (app, wrong)


def _is_unknown(app: str, owners: set[str]) -> bool:
    return all(is_out_of_reach(app, owner, models=True) for owner in owners)


def test_templates_name_nothing_of_a_higher_level() -> None:
    check_templates({name: path.read_text() for name, path in templates().items()})


def test_every_page_that_joins_levels_does_so() -> None:
    known = templates()
    for name in JOINED.keys() & known.keys():
        owners = {owner for _, owner in names_in(known[name].read_text())}
        if not any(is_out_of_reach(app_of(known[name]), owner) for owner in owners):
            pytest.fail(f"{name} joins no levels any more")


def test_modules_render_no_template_and_follow_no_relation_of_a_higher_level() -> None:
    for path in python_files():
        check_module(app_of(path), ast.parse(path.read_text()))


def test_the_checks_would_notice_an_arrow_upwards() -> None:
    with pytest.raises(AssertionError):
        check_templates({"play/match.jinja": '{% include "matchmaking/table.jinja" %}'})
    with pytest.raises(AssertionError):
        check_templates({"play/settings_play.html": "{% load i18n chat %}"})
    with pytest.raises(AssertionError):
        check_module("games.play", ast.parse("match.invitations.filter(user=user).exists()"))
    with pytest.raises(AssertionError):
        check_module("games.play", ast.parse("render(request, 'matchmaking/lobby.html')"))
    with pytest.raises(AssertionError):
        check_module("games.events", ast.parse("render(request, 'clubs/club.html')"))
    with pytest.raises(AssertionError):
        check_module("games.ratings", ast.parse("user.memberships.filter(club=club)"))
    check_module("games.events", ast.parse("user.memberships.filter(club=club)"))
