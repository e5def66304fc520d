"""Links to an invitation: in an email, for one person; on a table's page, for whoever scans it."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from games.matchmaking.models import Invitation

_signer = signing.Signer(salt="games.matchmaking.invitation")

_MARGIN = 4
"""Modules of white around a code, as its standard asks for."""


def address_for(invitation: Invitation) -> str:
    """Return the absolute address of a page that lets its holder decline this invitation, and its reader accept it."""
    return f"{settings.SITE_URL}{reverse('invitation', args=[_signer.sign(str(invitation.pk))])}"


def read_token(token: str) -> Invitation | None:
    """Return the invitation a token is about; None if the token is not ours, or the invitation is gone."""
    try:
        key = int(_signer.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return Invitation.objects.filter(pk=key).select_related("match", "user", "by").first()


@lru_cache(maxsize=256)
def qr_code(path: str) -> SafeString:
    """Return the QR code of a page of this site as a drawing: one path, dark on white in both themes."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=_MARGIN)
    code.add_data(f"{settings.SITE_URL}{path}")
    rows = code.get_matrix()
    drawn = "".join(_runs(number, row) for number, row in enumerate(rows))
    return format_html(
        '<svg class="qr" viewBox="0 0 {size} {size}" shape-rendering="crispEdges" aria-hidden="true">'
        '<rect width="{size}" height="{size}" fill="#fff"/><path d="{path}" fill="#000"/></svg>',
        size=len(rows),
        path=drawn,
    )


def _runs(number: int, row: list[bool]) -> str:
    """Return a row of modules as rectangles, one for each run of dark ones."""
    drawn, column = [], 0
    for dark, run in groupby(row):
        width = len(list(run))
        if dark:
            drawn.append(f"M{column} {number}h{width}v1h-{width}z")
        column += width
    return "".join(drawn)
