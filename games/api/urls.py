from django.urls import path

from games.api import views
from games.api.v1.api import api

urlpatterns = [
    path("settings/tokens/", views.settings_tokens, name="settings_tokens"),
    path("settings/tokens/<int:pk>/revoke/", views.revoke, name="settings_token_revoke"),
    path("api/", views.guide, name="api_guide"),
    path("api/v1/", api.urls),
]
