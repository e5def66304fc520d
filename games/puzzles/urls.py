from django.urls import path

from games.puzzles import views

urlpatterns = [
    path("puzzles/", views.today, name="puzzles"),
    path("puzzles/archive/", views.archive, name="puzzle_archive"),
    path("puzzles/<slug:game>/<slug:day>/", views.puzzle, name="puzzle"),
    path("embed/puzzle/<slug:game>/", views.embedded, name="embed_puzzle"),
    path("embed/puzzle/<slug:game>/<slug:day>/", views.embedded, name="embed_puzzle_of_day"),
]
