import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("moderation", "0001_initial"),
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Night",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("found", models.PositiveIntegerField(default=0)),
                ("ended_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Abort",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("alone", models.BooleanField(help_text="by not playing, or before anybody had; otherwise all agreed")),
                (
                    "above",
                    models.IntegerField(
                        help_text="how far the strongest opponent was rated above them, in thousandths"
                    ),
                ),
                ("behind", models.BooleanField(help_text="in the score; null: nobody was", null=True)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.match"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "user"), name="aborted_once")],
            },
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("device", "Two seats from one device"),
                            ("transfer", "Rating transfer"),
                            ("star", "Gain from throw-away accounts"),
                            ("agreed", "Agreed results"),
                            ("dodging", "Dodging by aborting"),
                        ],
                        max_length=8,
                    ),
                ),
                ("game", models.CharField(blank=True, default="", max_length=40)),
                (
                    "speed",
                    models.CharField(
                        blank=True, choices=[("live", "Live"), ("days", "Over days")], default="", max_length=8
                    ),
                ),
                ("facts", models.JSONField(default=dict, help_text="numbers from which the page makes a sentence")),
                ("found_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("settled_at", models.DateTimeField(null=True)),
                (
                    "deed",
                    models.ForeignKey(
                        help_text="with which it was settled: why is in the log",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="moderation.deed",
                    ),
                ),
                (
                    "first",
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
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.match"
                    ),
                ),
                (
                    "others",
                    models.ManyToManyField(
                        help_text="of a star: who lost to it", related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("settled_at", None)), fields=["-found_at"], name="finding_open"),
                    models.Index(fields=["kind", "first", "second"], name="finding_of"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Use",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mark", models.CharField(max_length=32)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.match"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "mark", "user"), name="device_used_once")],
            },
        ),
    ]
