"""Django's admin, for administrators with a second factor.

What has rules of its own (matches, reports, sanctions, the log) or concerns people (addresses, second factors) can only
be read here. It is changed on the pages of moderators or by `manage.py people` and `matches`, with a reason that is
logged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.models import Sanction, User
from games.moderation.access import cases_for, deeds_for, is_administrator
from games.moderation.context import reports_for
from games.moderation.models import Case, Deed, Report
from games.notifications.models import Delivery
from games.play.models import Match, Setback


class Administration(AdminSite):
    """The admin; to everybody else it does not exist."""

    site_header = site_title = "Tessera"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the reader is an administrator with a second factor and without a warning or suspension."""
        user = request.user
        return isinstance(user, User) and not user.held and is_administrator(user) and is_mfa_enabled(user)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect visitors to log in, and administrators without a second factor to set one up."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.GET.get("next", "/admin/"))
        if not is_administrator(request.user):
            raise Http404
        if not self.has_permission(request):
            messages.error(request, _("Set up a second factor first: it protects what administrators can see."))
            return redirect("settings_security")
        return redirect("admin:index")


class Shown(ModelAdmin):  # type: ignore[type-arg]  # generic in its stubs alone
    """Rows that can only be read."""

    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Users(Shown):
    exclude = ("password", "user_permissions", "name_key", "skeleton")
    list_display = ("username", "email", "is_active", "guest", "date_joined", "last_login")
    list_filter = ("is_active", "guest", "groups")
    search_fields = ("username", "email")


class Addresses(Shown):
    list_display = ("email", "user", "verified", "primary")
    list_filter = ("verified",)
    search_fields = ("email", "user__username")


class SecondFactors(Shown):
    exclude = ("data",)
    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__username",)


class Matches(Shown):
    exclude = ("server_seed", "state")
    list_display = ("slug", "game", "status", "rated", "speed", "created_at")
    list_filter = ("status", "game", "rated")
    search_fields = ("slug",)


class Deliveries(Shown):
    exclude = ("content",)
    list_display = ("key", "user", "channel", "state", "due_at", "attempts", "error")
    list_filter = ("state", "channel")


class Setbacks(Shown):
    list_display = ("job", "key", "failures", "not_before", "error")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True


class OfOthers(Shown):
    """Rows that administrators can read unless they are about themselves, as on the pages of moderators."""

    readable: ClassVar[Callable[[Any], QuerySet[Any]]]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(pk__in=type(self).readable(request.user).values("pk"))


class Cases(OfOthers):
    readable = cases_for


class Reports(OfOthers):
    readable = reports_for


class Log(OfOthers):
    readable = deeds_for
    list_display = ("at", "by", "act", "person", "match", "reason")
    list_filter = ("act",)


site = Administration(name="admin")
site.register(User, Users)
site.register(EmailAddress, Addresses)
site.register(Authenticator, SecondFactors)
site.register(Match, Matches)
site.register(Delivery, Deliveries)
site.register(Setback, Setbacks)
site.register(Case, Cases)
site.register(Report, Reports)
site.register(Sanction, Shown)
site.register(Deed, Log)
