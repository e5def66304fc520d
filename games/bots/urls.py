from django.urls import path

from games.bots import views

urlpatterns = [
    path("bots/", views.bots, name="bots"),
    path("bots/<slug:level>/", views.bot, name="bot"),
]
