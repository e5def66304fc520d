from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from games.moderation import triggers


def add_roles(apps: Any, schema_editor: Any) -> None:
    groups = apps.get_model("auth", "Group")
    for name in ("moderators", "administrators"):
        groups.objects.get_or_create(name=name)


def create_triggers(apps: Any, schema_editor: Any) -> None:
    triggers.create(schema_editor)


def drop_triggers(apps: Any, schema_editor: Any) -> None:
    triggers.drop(schema_editor)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("accounts", "0001_initial"),
        ("chat", "0001_initial"),
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("claimed_at", models.DateTimeField(null=True)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("acted", "We have done something about it."),
                            ("nothing", "We found nothing against the rules."),
                        ],
                        help_text="empty while it is open",
                        max_length=8,
                    ),
                ),
                ("answer", models.CharField(blank=True, help_text="told to those who reported", max_length=500)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "claimed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="cases", to="play.match"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="cases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["opened_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Deed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("warn", "Warned"),
                            ("silence", "Silenced"),
                            ("suspend", "Suspended"),
                            ("close", "Closed the account"),
                            ("rename", "Renamed"),
                            ("lift", "Lifted"),
                            ("shut", "Closed the table"),
                            ("abort", "Aborted the match"),
                            ("annul", "Decided that the match does not count"),
                            ("award", "Decided the result"),
                            ("reinstate", "Let the result stand as played"),
                            ("decide", "Decided the case"),
                            ("reopen", "Opened the case again"),
                            ("role", "Changed the role"),
                            ("unlock", "Removed the second factors"),
                            ("confirm", "Confirmed the email address"),
                            ("settle", "Settled a finding"),
                            ("unsettle", "Opened a finding again"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        help_text="null: see `By`",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="deeds",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="deeds",
                        to="moderation.case",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="deeds", to="play.match"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="deeds_about",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sanction",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="deeds",
                        to="accounts.sanction",
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "about",
                    models.CharField(
                        choices=[("person", "Person"), ("name", "Name"), ("message", "Message"), ("match", "Match")],
                        max_length=8,
                    ),
                ),
                (
                    "quote",
                    models.CharField(
                        blank=True, help_text="the message or the name when it was reported", max_length=500
                    ),
                ),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("insult", "Insults, threats or hatred"),
                            ("spam", "Advertising or the same again and again"),
                            ("cheating", "Cheating, or playing together in secret"),
                            ("stalling", "Makes others wait or leaves on purpose"),
                            ("name", "An unsuitable name"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="moderation.case"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="reports", to="play.match"
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="chat.message",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reported",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(condition=models.Q(("decided_at", None)), fields=["opened_at"], name="case_open"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decided_at", None), ("match", None)),
                fields=("person",),
                name="one_open_case_of_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decided_at", None)), fields=("match",), name="one_open_case_of_a_match"
            ),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["by", "-at"], name="reports_by"),
        ),
        migrations.RunPython(add_roles, migrations.RunPython.noop, elidable=False),
        migrations.RunPython(create_triggers, drop_triggers, elidable=False),
    ]
