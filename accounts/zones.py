"""The time zones a user can choose from, grouped by region."""

from __future__ import annotations

import zoneinfo
from functools import cache

REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")

Group = tuple[str, list[tuple[str, str]]]


@cache
def zone_names() -> frozenset[str]:
    """Return the IANA names of all places, and UTC."""
    places = (name for name in zoneinfo.available_timezones() if name.split("/")[0] in REGIONS and "/" in name)
    return frozenset({"UTC", *places})


@cache
def zone_groups() -> tuple[Group | tuple[str, str], ...]:
    """Return the choices of a drop-down list: UTC, then a group per region with its places in alphabetical order."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in REGIONS}
    for name in sorted(zone_names() - {"UTC"}):
        region, _, place = name.partition("/")
        groups[region].append((name, place.replace("_", " ").replace("/", ", ")))
    return (("UTC", "UTC"), *groups.items())


def known_zone(name: str) -> str:
    """Return the name of a time zone that a browser sent, UTC if users cannot choose it."""
    return name if name in zone_names() else "UTC"


def zone(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone with this name, UTC if it is unknown."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo("UTC")
