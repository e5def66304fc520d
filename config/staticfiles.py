"""Collected static files: the style sheets of every page in one, and styles and scripts without comments.

A page shows nothing before all its style sheets have arrived, and on a phone each costs a round trip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from whitenoise.compress import Compressor  # type: ignore[import-untyped]  # ships no types
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]  # ships no types

PARTS: Final = ("site/tokens.css", "site/base.css", "site/components.css")
WHOLE: Final = "site/site.css"

_COMMENTS: Final = {
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".js": re.compile(r"^[ \t]*//.*\n", re.MULTILINE),
}
_AS_THEY_ARE: Final = ("account/", "admin/", "django_htmx/", "history/verify.js", "mfa/", "vendor/")
"""Files of others, and the script that people read to check a match."""

register = template.Library()


class EachOnce(Compressor):  # type: ignore[misc]  # its base has no types
    """Compresses each content once: nearly every file is collected under two names."""

    compress_brotli = staticmethod(cache(Compressor.compress_brotli))
    compress_gzip = staticmethod(cache(Compressor.compress_gzip))


class Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # its base has no types
    """Static files as they are served: compressed, and named after their content."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join the style sheets of every page and remove comments before whitenoise does its part."""
        if not dry_run:
            self._write(paths, WHOLE, "\n".join(_text(*paths[part]) for part in PARTS))
            for name in [it for it in paths if it.endswith((".css", ".js")) and not it.startswith(_AS_THEY_ARE)]:
                self._write(paths, name, without_comments(name, _text(*paths[name])))
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def create_compressor(self, **options: Any) -> Compressor:
        return EachOnce(**options)

    def _write(self, paths: dict[str, Any], name: str, text: str) -> None:
        self.delete(name)
        self.save(name, ContentFile(text))
        paths[name] = (self, name)


def without_comments(name: str, text: str) -> str:
    """Return the text of the style sheet or script with this name without its comments."""
    return _COMMENTS[Path(name).suffix].sub("", text)


def _text(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        text: str = file.read().decode()
    return text


@register.simple_tag
def site_styles() -> SafeString:
    """Return the links to the styles of every page."""
    collected = getattr(staticfiles_storage, "hashed_files", {})
    links = ((staticfiles_storage.url(name),) for name in ((WHOLE,) if WHOLE in collected else PARTS))
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', links)
