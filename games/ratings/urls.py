from django.urls import path

from games.ratings import views

urlpatterns = [
    path("leaderboard/", views.leaderboards, name="leaderboard"),
    path("leaderboard/<slug:game>/<slug:speed>/", views.pool, name="leaderboard_pool"),
    path("leaderboard/<slug:game>/<slug:speed>/season/", views.season, name="leaderboard_season"),
]
