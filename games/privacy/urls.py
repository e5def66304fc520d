from django.urls import path

from games.privacy import views

urlpatterns = [
    path("settings/data/", views.own_data, name="settings_data"),
    path("settings/data/export/", views.export, name="data_export"),
    path("settings/data/<str:token>.zip", views.file, name="data_file"),
    path("settings/data/delete/", views.delete_account, name="settings_delete"),
    path("settings/data/delete/keep/", views.keep_account, name="delete_keep"),
    path("privacy/", views.legal_page, {"page": "privacy"}, name="privacy"),
    path("terms/", views.legal_page, {"page": "terms"}, name="terms"),
    path("imprint/", views.legal_page, {"page": "imprint"}, name="imprint"),
    path("account/delete/<str:token>/", views.confirm_deletion, name="delete_confirm"),
]
