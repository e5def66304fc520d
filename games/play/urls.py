from django.urls import path

from games.play import views

urlpatterns = [
    path("settings/play/", views.settings_play, name="settings_play"),
    path("settings/keys/", views.settings_keys, name="settings_keys"),
    path("settings/clocks/", views.settings_clocks, name="settings_clocks"),
    path("settings/vacation/", views.settings_vacation, name="settings_vacation"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("match/<slug:slug>/", views.match, name="match"),
    path("match/<slug:slug>/act/", views.ask, {"kind": "act"}, name="match_act"),
    path("match/<slug:slug>/undo/", views.ask, {"kind": "undo"}, name="match_undo"),
    path("match/<slug:slug>/restart/", views.ask, {"kind": "restart"}, name="match_restart"),
    path("match/<slug:slug>/back/", views.ask, {"kind": "back"}, name="match_back"),
    path("match/<slug:slug>/abort/", views.ask, {"kind": "abort"}, name="match_abort"),
    path("match/<slug:slug>/resign/", views.resign, name="match_resign"),
    path("match/<slug:slug>/picture.png", views.match_picture, name="match_picture"),
    path("match/<slug:slug>/preview/", views.match_preview, name="match_preview"),
    path("match/<slug:slug>/company.json", views.match_company, name="match_company"),
    path("match/<slug:slug>/past/", views.past, name="match_past"),
    path("match/<slug:slug>/log/", views.log, name="match_log"),
]
