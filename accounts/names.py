"""What a user name may be, and when two names are the same."""

from __future__ import annotations

import unicodedata

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 24

validate_name = RegexValidator(
    r"^[^\W_](?:[\w.-]*[^\W_])?$",
    _("A name has letters, digits, and between them . - or _."),
    code="name",
)


def name_key(name: str) -> str:
    """Return the form under which names are unique: NFKC, case folded, normalised again (Unicode 3.13, D146).

    >>> name_key("Ａnn") == name_key("ANN") == "ann"
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
