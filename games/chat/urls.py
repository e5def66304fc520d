from django.urls import path

from games.chat import views

urlpatterns = [
    path("match/<slug:slug>/chat/", views.match_chat, name="match_chat"),
    path("match/<slug:slug>/news/", views.match_news, name="match_news"),
    path("clubs/<slug:club>/chat/", views.club_chat, name="club_chat"),
    path("clubs/<slug:club>/chat/news/", views.club_news, name="club_news"),
    path("messages/", views.conversations_page, name="messages"),
    path("messages/open/", views.messages_open, name="messages_open"),
    path("messages/<int:pk>/delete/", views.message_delete, name="message_delete"),
    path("messages/room/<int:pk>/mute/", views.room_mute, name="room_mute"),
    path("messages/with/<str:username>/", views.conversation, name="conversation"),
    path("messages/with/<str:username>/news/", views.conversation_news, name="conversation_news"),
    path("messages/with/<str:username>/mute/", views.person_mute, name="person_mute"),
]
