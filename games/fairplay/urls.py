from django.urls import path

from games.fairplay import views

urlpatterns = [
    path("moderation/fair-play/", views.fair_play, name="fair_play"),
    path("moderation/fair-play/<int:pk>/settle/", views.finding_settle, name="finding_settle"),
]
