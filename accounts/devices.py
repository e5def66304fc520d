"""What a browser calls itself, in a few words."""

from __future__ import annotations

from django.utils.translation import gettext as _

# The first match wins: newer browsers also carry the names of older ones.
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrom": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def describe(user_agent: str) -> str:
    """Return a short name for a User-Agent header, "Unknown browser" if none is known.

    >>> describe("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    browser = next((name for mark, name in _BROWSERS.items() if mark in user_agent), _("Unknown browser"))
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    return f"{browser}, {system}" if system else browser
