from django.urls import include, path

from games.clubs import tools, views

urlpatterns = [
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/new/", views.club_new, name="club_new"),
    path("clubs/join/<str:link>/", views.club_link, name="club_link"),
    path("clubs/<slug:club>/", views.club, name="club"),
    path("clubs/<slug:club>/", include(tools.urls)),
    path("clubs/<slug:club>/members/", views.club_members, name="club_members"),
    path("clubs/<slug:club>/change/", views.club_change, name="club_change"),
    path("clubs/<slug:club>/close/", views.club_close, name="club_close"),
]
