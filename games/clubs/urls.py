from django.urls import path

from games.clubs import views

urlpatterns = [
    path("clubs/<str:slug>/", views.show_club, name="club"),
]
