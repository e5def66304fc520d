"""Every socket address of the site."""

from django.urls import path

from games.matchmaking.consumers import LobbyConsumer
from games.play.consumers import MatchConsumer

urlpatterns = [
    path("ws/match/<slug:slug>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
]
