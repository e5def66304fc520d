from django.urls import include, path

urlpatterns = [
    path("", include("games.notifications.urls_channels")),
]
