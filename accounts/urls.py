"""The addresses of one's own account."""

from django.urls import include, path

urlpatterns = [
    path("account/", include("allauth.urls")),
]
