"""The styles of every page: one file each while one works on them, all in one once they are collected.

A page waits for each file of styles before it shows anything, and on a phone each is a journey to the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]  # ships no types

PARTS: Final = ("site/tokens.css", "site/base.css", "site/components.css")
WHOLE: Final = "site/site.css"

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)

register = template.Library()


class Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # its base has no types
    """Static files as they are served: compressed, named after what is in them, the styles of every page in one."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the one file of styles, then treat it as any other."""
        if not dry_run:
            self.delete(WHOLE)
            self.save(WHOLE, ContentFile("\n".join(_text(*paths[part]) for part in PARTS)))
            paths[WHOLE] = (self, WHOLE)
        yield from super().post_process(paths, dry_run=dry_run, **options)


def _text(storage: Any, path: str) -> str:
    """Return a file of styles without its comments: every eighth byte of it, compressed."""
    with storage.open(path) as file:
        return _COMMENT.sub("", file.read().decode())


@register.simple_tag
def site_styles() -> SafeString:
    """Return the links to the styles of every page."""
    collected = getattr(staticfiles_storage, "hashed_files", {})
    links = ((staticfiles_storage.url(name),) for name in ((WHOLE,) if WHOLE in collected else PARTS))
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', links)
