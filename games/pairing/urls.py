from django.urls import path

from games.pairing import views

urlpatterns = [
    path("pairing/", views.pairing, name="pairing"),
    path("pairing/now/", views.pairing_now, name="pairing_now"),
    path("pairing/<int:pk>/go/", views.pairing_go, name="pairing_go"),
    path("pairing/<int:pk>/decline/", views.pairing_decline, name="pairing_decline"),
    path("pairing/<int:pk>/stop/", views.pairing_stop, name="pairing_stop"),
]
