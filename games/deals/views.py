"""The pages of deals: today's, and each deal, which tells how it went once its reader has played it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.joining import guests
from accounts.moments import today
from games.deals import services
from games.deals.kinds import Kind, kinds
from games.deals.models import Deal, Try
from games.engine.protocol import RuleViolation
from games.matchmaking.models import Use
from games.matchmaking.seats import check_guest_use
from games.matchmaking.table_views import WAIT


@dataclass(frozen=True, slots=True)
class Row:
    """A deal in a list, and its reader's try; None before it."""

    deal: Deal
    tried: Try | None

    @property
    def kind(self) -> Kind:
        return kinds()[self.deal.game]

    @property
    def is_done(self) -> bool:
        """Whether the reader has finished their try."""
        return self.tried is not None and self.tried.match.has_ended

    @property
    def may_begin(self) -> bool:
        return self.tried is None and self.deal.is_todays


def rows_of(reader: object, day: date) -> Sequence[Row]:
    """Return the deals of a day with the tries of a reader."""
    tried = services.tries_of(reader, day)
    return [Row(deal, tried.get(deal.game)) for deal in services.deals_of(day)]


def rows_in_short(reader: object) -> Sequence[Row]:
    """Return today's deals with the tries of a reader, without commitments: one query, for visitors none."""
    day = today()
    tried = services.tries_of(reader, day)
    return [Row(Deal(game=game, day=day), tried.get(game)) for game in kinds()]


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """Show the deals of today, those of yesterday, and the fingerprints of tomorrow's."""
    day = today()
    context = {
        "rows": rows_of(request.user, day),
        "yesterday": [row for row in rows_of(request.user, day - timedelta(days=1)) if row.deal.pk],
        "tomorrow": [deal for deal in services.deals_of(day + timedelta(days=1)) if deal.commit],
    }
    return TemplateResponse(request, "deals/today.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def deal(request: HttpRequest, game: str, day: str) -> HttpResponse:
    """Show a deal, with the results for whoever may know them; a POST begins it, for a visitor as a guest."""
    try:
        found = services.deal_of(game, date.fromisoformat(day))
    except ValueError:
        found = None
    if found is None:
        raise Http404(_("There is no such deal, or its day has not come yet."))
    if request.method == "POST":
        try:
            return redirect(_begun(request, found))
        except RuleViolation as violation:
            status = 429 if violation.code.startswith(WAIT) else 422
            return _page(request, found, status, _(violation.text))
    return _page(request, found)


def _begun(request: HttpRequest, found: Deal) -> str:
    """Begin a deal and return the address of its match."""
    services.refuse_earlier(found)
    if not request.user.is_authenticated:
        check_guest_use(Use.What.TABLE, Use.What.SEAT)
    user = request.user if request.user.is_authenticated else guests.begin(request)
    return services.begin(user, found.game).get_absolute_url()


def _page(request: HttpRequest, found: Deal, status: int = 200, refusal: str = "") -> HttpResponse:
    row = Row(found, services.try_of(request.user, found.game, found.day))
    context = {"row": row, "deal": found, "title": found.title, "refusal": refusal}
    if services.is_open_to(found, row.tried):
        results = services.results(found, request.user)
        address = request.build_absolute_uri(found.get_absolute_url())
        context |= {
            "results": results,
            "share": services.text_to_share(found, results, address),
            "seed": services.seed_of(found),
        }
    return TemplateResponse(request, "deals/deal.html", context, status=status)
