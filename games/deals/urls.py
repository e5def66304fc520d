from django.urls import path

from games.deals import views

urlpatterns = [
    path("deals/", views.deals, name="deals"),
    path("deals/<slug:game>/<slug:day>/", views.deal, name="deal"),
]
