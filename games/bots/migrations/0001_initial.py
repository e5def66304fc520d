import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("play", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Share",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="share",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "network",
                    models.CharField(
                        blank=True,
                        db_index=True,
                        default="",
                        help_text="a keyed hash of where a guest came from",
                        max_length=32,
                    ),
                ),
                ("served_at", models.DateTimeField(help_text="null: never yet", null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Hint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("version", models.PositiveIntegerField()),
                ("language", models.CharField(help_text="of the sentence", max_length=8)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "until",
                    models.DateTimeField(
                        help_text="a process is thinking about it; after this another one may", null=True
                    ),
                ),
                (
                    "text",
                    models.CharField(
                        blank=True, default="", help_text="the action; empty until it is found", max_length=500
                    ),
                ),
                (
                    "why",
                    models.CharField(blank=True, default="", help_text="a few sentences, or nothing", max_length=1000),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hints_asked", to="play.match"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("text", "")), fields=["asked_at"], name="hint_wanted")],
                "constraints": [models.UniqueConstraint(fields=("match", "seat", "version"), name="one_hint_each")],
            },
        ),
        migrations.CreateModel(
            name="Lease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "token",
                    models.CharField(
                        help_text="of the claim: what it leads to is played under this name", max_length=40
                    ),
                ),
                ("until", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.match"),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "seat"), name="one_lease_each")],
            },
        ),
    ]
