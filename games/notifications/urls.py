from django.urls import include, path

from games.notifications.pages import views

urlpatterns = [
    path("settings/notices/", views.notices, name="settings_notices"),
    path("unsubscribe/<str:token>/", views.unsubscribe_by_token, name="unsubscribe"),
    path("mute/<str:token>/", views.mute_by_token, name="mute_by_token"),
    path("match/<slug:slug>/mute/", views.mute, name="match_mute"),
    path("", include("games.notifications.urls_channels")),
    path("", include("games.notifications.urls_centre")),
]
