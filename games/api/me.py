"""What a token tells about the person behind it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from ninja import Router, Schema

from games.api.answers import answers
from games.api.authentication import CallerRequest, needs
from games.api.models import Scope

router = Router(tags=["me"])


class Me(Schema):
    """Whose token this is, and what it allows."""

    name: str
    url: str
    language: str
    time_zone: str
    scopes: list[str]


@router.get("me", response=answers(Me), **needs(Scope.READ))
def me(request: CallerRequest) -> Any:
    """Say whose token this is."""
    caller = request.auth
    person = caller.user
    return {
        "name": person.username,
        "url": f"{settings.SITE_URL}{person.get_absolute_url()}",
        "language": person.language,
        "time_zone": person.time_zone,
        "scopes": sorted(caller.scopes),
    }
