from django.urls import path

from games.matchmaking import list_views, people_views, views

urlpatterns = [
    path("people/", people_views.people, name="people"),
    path("people/presence/", people_views.people_presence, name="people_presence"),
    path("@<str:username>/change/", people_views.person_change, name="person_change"),
    path("lobby/", list_views.lobby, name="lobby"),
    path("matches/", list_views.my_matches, name="my_matches"),
    path("matches/next/", list_views.next_match, name="next_match"),
    path("play/", views.play_now, name="play_now"),
    path("tables/new/", views.table_new, name="table_new"),
    path("tables/plan/", views.table_new, {"plan": True}, name="table_plan"),
    path("tables/planned/", list_views.planned_tables, name="planned_tables"),
    path("tables/<slug:slug>/come/", views.table_come, name="table_come"),
    path("tables/<slug:slug>/take-back/", views.table_take_back, name="table_take_back"),
    path("tables/<slug:slug>/join/", views.table_join, name="table_join"),
    path("tables/<slug:slug>/nonce/", views.table_nonce, name="table_nonce"),
    path("tables/<slug:slug>/leave/", views.table_leave, name="table_leave"),
    path("tables/<slug:slug>/start/", views.table_start, name="table_start"),
    path("tables/<slug:slug>/close/", views.table_close, name="table_close"),
    path("tables/<slug:slug>/remove/", views.table_remove, name="table_remove"),
    path("tables/<slug:slug>/invite/", views.table_invite, name="table_invite"),
    path("tables/<slug:slug>/casual/", views.table_casual, name="table_casual"),
    path("tables/<slug:slug>/bots/add/", views.table_bot_add, name="table_bot_add"),
    path("tables/<slug:slug>/bots/remove/", views.table_bot_remove, name="table_bot_remove"),
    path("match/<slug:slug>/rematch/", views.match_rematch, name="match_rematch"),
]
