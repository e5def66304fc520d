"""The template engine of everything pushed at every move: Jinja, compiled to Python."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any

from django.template.backends.jinja2 import Jinja2
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Expr
from markupsafe import Markup, escape

from accounts import moments
from games.matchmaking.invitations import qr_code
from games.matchmaking.series import score_of
from games.matchmaking.templatetags.matchmaking import invitations_of, room_of, was_made_casual
from games.play.boards.endings import reason_in_words
from games.titles import art
from games.titles.regions import Piece, in_template


class Boards(Jinja2):
    """Find `*.jinja` beside the other templates of each app."""

    app_dirname = "templates"


def _address(name: str, args: Sequence[str] = ()) -> str:
    """Return the address of a page by its name in urls.py."""
    return _known_address(name, tuple(args))


@lru_cache(maxsize=10_000)
def _known_address(name: str, args: tuple[str, ...]) -> str:
    return reverse(name, args=args)


def _put(value: Any) -> str:
    """Return a value as written into the page: safe strings unchanged, pieces in their places, the rest escaped."""
    if isinstance(value, Piece):
        return value.__html__()
    kind = type(value)
    return value if kind is SafeString or kind is Markup else escape(value)


class _Generator(CodeGenerator):
    """Jinja's own, but safe strings, which make up most of a board, are not escaped again: that would copy them
    and take ten times as long.
    """

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.put(")


class _Environment(Environment):
    """Jinja's own, but a template's globals are one dict: a chain of them is slow to copy at each rendering."""

    code_generator_class = _Generator
    put = staticmethod(_put)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """Return the environment: addresses, static files, dates and translations as in pages; facts about open tables."""
    # Django turns autoescape on.
    made = _Environment(**options, extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    made.globals.update(static=static, url=_address, room_of=room_of, was_made_casual=was_made_casual)
    made.globals.update(game_art=art.picture, invitations_of=invitations_of, qr_code=qr_code, score_of=score_of)
    made.globals.update(reason_in_words=reason_in_words)
    made.filters.update(moment=moments.element, region=in_template)
    made.install_gettext_callables(  # type: ignore[attr-defined]  # added by the i18n extension
        gettext=translation.gettext, ngettext=translation.ngettext, newstyle=True
    )
    return made
