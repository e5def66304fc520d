from django.urls import path

from games.bots import views

urlpatterns = [
    path("bots/", views.bots, name="bots"),
    path("match/<slug:slug>/hint/", views.match_hint, name="match_hint"),
    path("match/<slug:slug>/hint/found/", views.match_hint_found, name="match_hint_found"),
    path("match/<slug:slug>/hint/play/", views.match_hint_play, name="match_hint_play"),
    path("bots/<slug:level>/", views.bot, name="bot"),
]
