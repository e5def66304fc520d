from django.urls import path

from games.notifications.pages import centre_views

urlpatterns = [
    path("notices/", centre_views.notices, name="notices"),
    path("news/", centre_views.news, name="news"),
    path("notices/seen/", centre_views.seen, name="notices_seen"),
]
