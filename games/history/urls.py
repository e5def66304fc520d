from django.urls import path

from games.history import embedded, feeds, views

urlpatterns = [
    path("archive/", views.archive, name="archive"),
    path("@<str:username>/", views.profile, name="profile"),
    path("@<str:username>/matches.atom", feeds.matches, name="matches_feed"),
    path("match/<slug:slug>/replay/", views.replay, name="replay"),
    path("match/<slug:slug>/record.json", views.record, name="record"),
    path("match/<slug:slug>/seals/", views.seals, name="seals"),
    path("match/<slug:slug>/draws.json", views.draws, name="draws"),
    path("embed/match/<slug:slug>/", embedded.embedded_match, name="embed_match"),
]
