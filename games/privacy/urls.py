from django.urls import path

from games.privacy import deletion_views, legal_views, views

urlpatterns = [
    path("settings/data/", views.own_data, name="settings_data"),
    path("settings/data/export/", views.export, name="data_export"),
    path("settings/data/<str:token>.zip", views.file, name="data_file"),
    path("settings/data/delete/", deletion_views.delete, name="settings_delete"),
    path("settings/data/delete/keep/", deletion_views.keep, name="delete_keep"),
    path("privacy/", legal_views.privacy, name="privacy"),
    path("terms/", legal_views.terms, name="terms"),
    path("imprint/", legal_views.imprint, name="imprint"),
    path("account/delete/<str:token>/", deletion_views.confirm, name="delete_confirm"),
]
