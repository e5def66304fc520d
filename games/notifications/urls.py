from django.urls import path

from games.notifications import views

urlpatterns = [
    path("settings/notices/", views.preferences, name="settings_notices"),
    path("unsubscribe/<str:token>/", views.unsubscribe_by_token, name="unsubscribe"),
    path("mute/<str:token>/", views.mute_by_token, name="mute_by_token"),
    path("match/<slug:slug>/mute/", views.mute, name="match_mute"),
    path("service-worker.js", views.service_worker, name="service_worker"),
    path("settings/devices/", views.settings_devices, name="settings_devices"),
    path("settings/devices/this/", views.this_device, name="device_this"),
    path("settings/devices/<int:pk>/remove/", views.remove_device, name="device_remove"),
    path("settings/devices/<int:pk>/test/", views.test_device, name="device_test"),
    path("settings/webhooks/", views.add_webhook, name="webhook_add"),
    path("settings/webhooks/<int:pk>/remove/", views.remove_webhook, name="webhook_remove"),
    path("settings/webhooks/<int:pk>/test/", views.test_webhook, name="webhook_test"),
    path("settings/calendar/", views.new_calendar, name="calendar_new"),
    path("tables/<slug:slug>/calendar.ics", views.table_calendar, name="table_calendar"),
    path("calendar/<str:key>.ics", views.personal_calendar, name="calendar"),
    path("notices/", views.notices, name="notices"),
    path("news/", views.news, name="news"),
    path("notices/seen/", views.seen, name="notices_seen"),
]
