"""Every address of the site, and the situations in which it could answer differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

SITUATIONS = ("public", "private", "over")
"""Of a match."""

KEYS = ("right", "wrong")
"""In an address, or numbers."""

API = "api-1"
"""The namespace of what programs ask for; tests/site/api/test_doors.py goes through its addresses."""

ADMIN = "admin"
"""Stands for every address of Django's admin: tests/site/config/test_administration.py goes through them."""


@cache
def addresses() -> dict[str, str]:
    """Return the route of every address of the site by its name; of several with one name, the one that is used."""
    found: dict[str, str] = {}
    for name, route in _walk(get_resolver("config.urls").url_patterns, ""):
        found.setdefault(name, route)
    return found


def _walk(patterns: list[Any], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and pattern.namespace == ADMIN:
            yield ADMIN, route
        elif isinstance(pattern, URLResolver) and pattern.namespace != API:
            within = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from ((f"{within}{name}", path) for name, path in _walk(pattern.url_patterns, route))
        elif isinstance(pattern, URLPattern):
            yield pattern.name or route, route


def of_a_match(name: str) -> bool:
    """Return whether an address belongs to a match."""
    return ":slug>" in addresses().get(name, "")


def has_key(name: str) -> bool:
    """Return whether an address names something by a key or by its number."""
    return any(f"{part}>" in addresses().get(name, "") for part in ("pk", "token", "key", "event", "club", "link"))


def situations_of(name: str) -> Sequence[str]:
    """Return in which situations an address could answer differently."""
    if of_a_match(name):
        return SITUATIONS
    return KEYS if has_key(name) else ("public",)
