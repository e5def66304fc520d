from django.urls import path

from games.learn import views

urlpatterns = [
    path("learn/", views.learn, name="learn"),
    path("match/<slug:slug>/lesson/", views.record_lesson, name="record_lesson"),
    path("match/<slug:slug>/coached/", views.coached, name="match_coached"),
    path("learn/<slug:game>/", views.of_game, name="learn_game"),
    path("learn/<slug:game>/<slug:lesson>/", views.lesson, name="lesson"),
    path("learn/<slug:game>/<slug:lesson>/play/", views.play_on, name="lesson_play"),
]
