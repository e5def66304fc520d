from django.urls import path

from games.events import views

urlpatterns = [
    path("events/", views.events, name="events"),
    path("events/<slug:event>/", views.event, name="event"),
    path("events/<slug:event>/news/", views.event_news, name="event_news"),
    path("events/<slug:event>/picture.png", views.event_picture, name="event_picture"),
    path("events/<slug:event>/calendar.ics", views.event_calendar, name="event_calendar"),
    path("events/<slug:event>/proof.json", views.event_proof, name="event_proof"),
    path("events/<slug:event>/change/", views.event_change, name="event_change"),
    path("clubs/<slug:club>/events/new/", views.event_new, name="event_new"),
]
