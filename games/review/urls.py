from django.urls import path

from games.review import views

urlpatterns = [
    path("match/<slug:slug>/review/", views.review, name="review"),
    path("match/<slug:slug>/review/try/", views.exercise, name="review_exercise"),
]
