"""The addresses of programs and of the pages about them. allauth finds its own by the names below `idp:oidc`."""

from django.urls import include, path
from django.views.generic import RedirectView

from accounts.applications import consent, endpoints, views

_protocol = [
    path(".well-known/openid-configuration", endpoints.metadata, name="configuration"),
    path(".well-known/jwks.json", endpoints.signing_keys, name="jwks"),
    path("oauth/authorize", consent.authorize, name="authorization"),
    path("oauth/device/", consent.device, name="device_authorization"),
    path("oauth/device/code", endpoints.device_code, name="device_code"),
    path("oauth/token", endpoints.token, name="token"),
    path("oauth/revoke", endpoints.revoke, name="revoke"),
    path("oauth/userinfo", endpoints.userinfo, name="userinfo"),
    # allauth's document needs its address; programs are not told of it (`adapter.populate_server_metadata`).
    path("oauth/logout", RedirectView.as_view(pattern_name="account_logout"), name="logout"),
]

urlpatterns = [
    path("", include(([path("", include((_protocol, "oidc")))], "idp"))),
    path(".well-known/oauth-authorization-server", endpoints.metadata, name="oauth_server"),
    path("account/applications/", views.let_in, name="applications"),
    path("account/applications/<str:key>/revoke/", views.revoke, name="application_revoke"),
    path("settings/applications/", views.own, name="own_applications"),
    path("settings/applications/<str:key>/", views.one, name="own_application"),
    path("settings/applications/<str:key>/secret/", views.new_secret, name="own_application_secret"),
    path("settings/applications/<str:key>/delete/", views.delete, name="own_application_delete"),
]
