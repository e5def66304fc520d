"""The addresses of devices, webhooks and the calendar."""

from django.urls import path

from games.notifications.pages import devices_views, feed, webhooks_views

urlpatterns = [
    path("service-worker.js", devices_views.service_worker, name="service_worker"),
    path("settings/devices/", devices_views.page, name="settings_devices"),
    path("settings/devices/this/", devices_views.this_device, name="device_this"),
    path("settings/devices/<int:pk>/remove/", devices_views.remove, name="device_remove"),
    path("settings/devices/<int:pk>/test/", devices_views.test, name="device_test"),
    path("settings/webhooks/", webhooks_views.add, name="webhook_add"),
    path("settings/webhooks/<int:pk>/remove/", webhooks_views.remove, name="webhook_remove"),
    path("settings/webhooks/<int:pk>/test/", webhooks_views.test, name="webhook_test"),
    path("settings/calendar/", devices_views.new_calendar, name="calendar_new"),
    path("tables/<slug:slug>/calendar.ics", feed.table_calendar, name="table_calendar"),
    path("calendar/<str:key>.ics", feed.calendar, name="calendar"),
]
