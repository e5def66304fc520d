"""Every address of the site. The table in tests/config/doors.py has a row for each."""

from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.decorators.http import require_safe

from config import administration, metrics, views
from config.searching import Pages

urlpatterns = [
    path("", include("games.play.urls")),  # first, as they are asked for at every move
    path("", views.home, name="home"),
    path("showcase/<slug:slug>/", views.showcase, name="showcase"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", require_safe(sitemap), {"sitemaps": {"pages": Pages}}, name="sitemap"),
    path("healthz", views.healthz, name="healthz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("admin/", administration.site.urls),
    path("", include("accounts.urls")),
    path("", include("games.matchmaking.urls")),
    path("", include("games.bots.urls")),
    path("", include("games.ratings.urls")),
    path("", include("games.history.urls")),
    path("", include("games.notifications.urls")),
    path("", include("games.puzzles.urls")),
    path("", include("games.pairing.urls")),
    path("", include("games.learn.urls")),
    path("", include("games.review.urls")),
    path("", include("games.chat.urls")),
    path("", include("games.privacy.urls")),
    path("", include("games.moderation.urls")),
    path("", include("games.fairplay.urls")),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
