from django.urls import path

from games.review import views

urlpatterns = [path("match/<slug:slug>/review/", views.review, name="review")]
