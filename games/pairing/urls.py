from django.urls import path

from games.pairing.views import finding_people, pairing, pairing_decline, pairing_go, pairing_now, pairing_stop

urlpatterns = [
    path("help/finding-people/", finding_people, name="finding_people"),
    path("pairing/", pairing, name="pairing"),
    path("pairing/now/", pairing_now, name="pairing_now"),
    path("pairing/<int:pk>/go/", pairing_go, name="pairing_go"),
    path("pairing/<int:pk>/decline/", pairing_decline, name="pairing_decline"),
    path("pairing/<int:pk>/stop/", pairing_stop, name="pairing_stop"),
]
