"""The account pages. Ours come before allauth's and replace those with the same address."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts import faces, views

urlpatterns = [
    path("faces/<path:name>.svg", faces.show, name="face"),
    path("settings/", views.overview, name="settings"),
    path("settings/profile/", views.profile, name="settings_profile"),
    path("settings/display/", views.choose_display, name="settings_display"),
    path("settings/name/", views.name, name="settings_name"),
    path("settings/security/", views.SecurityView.as_view(), name="settings_security"),
    # Where password managers send people (W3C, "A Well-Known URL for Changing Passwords").
    path(
        ".well-known/change-password",
        RedirectView.as_view(pattern_name="account_change_password"),
        name="well_known_change_password",
    ),
    path("account/guest/", views.guest, name="guest"),
    path("account/confirm-email/", views.check_email, name="account_email_verification_sent"),
    path("account/register/<str:key>/", views.confirm_registration, name="account_confirm_registration"),
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmailView.as_view(), name="account_confirm_email"
    ),
    re_path(
        r"^account/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("account/2fa/", views.former_security, name="mfa_index"),
    path("account/sessions/", views.sessions, name="usersessions_list"),
    path("account/sessions/<int:pk>/end/", views.end_session, name="end_session"),
    path("", include("accounts.applications.urls")),
    path("account/", include("allauth.urls")),
]
