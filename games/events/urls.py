from django.urls import path

from games.events import views

urlpatterns = [
    path("events/", views.events, name="events"),
    path("events/<slug:event>/", views.event, name="event"),
    path("events/<slug:event>/proof.json", views.event_proof, name="event_proof"),
]
