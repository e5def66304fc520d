from django.urls import path

from games.moderation import views

urlpatterns = [
    path("report/person/<str:username>/", views.report_person, name="report_person"),
    path("report/message/<int:pk>/", views.report_message, name="report_message"),
    path("report/match/<slug:slug>/", views.report_match, name="report_match"),
    path("report/club/<slug:club>/", views.report_club, name="report_club"),
    path("reports/<int:pk>/thanks/", views.reported, name="reported"),
    path("reports/", views.reports, name="reports"),
    path("standing/", views.own_sanctions, name="standing"),
    path("warning/", views.warning, name="warning"),
    path("moderation/", views.queue, name="moderation"),
    path("moderation/log/", views.log, name="moderation_log"),
    path("moderation/log/<int:pk>/undo/", views.undo, name="deed_undo"),
    path("moderation/find/", views.find, name="moderation_find"),
    path("moderation/cases/<int:pk>/", views.case, name="case"),
    path("moderation/cases/<int:pk>/change/", views.case_change, name="case_change"),
    path("moderation/people/<str:username>/", views.person, name="moderated_person"),
    path("moderation/matches/<slug:slug>/", views.match, name="moderated_match"),
    path("moderation/clubs/<slug:club>/", views.club, name="moderated_club"),
]
