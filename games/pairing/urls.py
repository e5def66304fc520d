from django.urls import path

from games.pairing import views

urlpatterns = [
    path("help/finding-people/", views.finding_people, name="finding_people"),
    path("pairing/", views.pairing, name="pairing"),
    path("pairing/now/", views.pairing_now, name="pairing_now"),
    path("pairing/<int:pk>/go/", views.pairing_go, name="pairing_go"),
    path("pairing/<int:pk>/decline/", views.pairing_decline, name="pairing_decline"),
    path("pairing/<int:pk>/stop/", views.pairing_stop, name="pairing_stop"),
]
