import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.play.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Offer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        default=games.play.models.new_slug, help_text="of the match it becomes", max_length=10
                    ),
                ),
                ("server_seed", models.BinaryField(max_length=32)),
                ("commit", models.CharField(max_length=64)),
                ("seats", models.PositiveSmallIntegerField(help_text="how many were asked")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "until",
                    models.DateTimeField(db_index=True, help_text="when those who have not answered are withdrawn"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Habit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("speed", models.CharField(choices=[("live", "Live"), ("days", "Over days")], max_length=8)),
                ("rated", models.BooleanField()),
                ("seats", models.JSONField()),
                ("accepts", models.JSONField(default=dict)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "game"), name="habit_once")],
            },
        ),
        migrations.CreateModel(
            name="Lapse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "address",
                    models.CharField(blank=True, default="", help_text="network address, as of a wait", max_length=45),
                ),
                ("offer", models.CharField(help_text="slug of the offer", max_length=10)),
                ("passed", models.BooleanField(help_text="let pass, not declined soon")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "user",
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
                    models.Index(fields=["user", "at"], name="lapse_of_person"),
                    models.Index(fields=["address", "at"], name="lapse_of_address"),
                    models.Index(fields=["at"], name="lapse_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Wait",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("speed", models.CharField(choices=[("live", "Live"), ("days", "Over days")], max_length=8)),
                ("rated", models.BooleanField()),
                ("seats", models.JSONField(help_text="the numbers of players they accept")),
                ("accepts", models.JSONField(default=dict, help_text="by option, the values they accept")),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "seen_at",
                    models.DateTimeField(default=django.utils.timezone.now, help_text="when a page of theirs was open"),
                ),
                (
                    "address",
                    models.CharField(blank=True, default="", help_text="whence, while it goes on", max_length=45),
                ),
                ("declined", models.PositiveSmallIntegerField(default=0)),
                ("ready", models.BooleanField(default=False, help_text="they have said so to the offer")),
                (
                    "nonce",
                    models.BinaryField(
                        default=bytes, help_text="their share of the shuffle, with the answer", max_length=64
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("paired", "Paired"), ("withdrawn", "Withdrawn")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                (
                    "why",
                    models.CharField(
                        blank=True,
                        choices=[("away", "Away"), ("late", "Late"), ("declined", "Declined"), ("refused", "Refused")],
                        max_length=10,
                    ),
                ),
                ("refusal", models.CharField(blank=True, help_text="the sentence of a refusal", max_length=300)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "match",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="waits", to="play.match"
                    ),
                ),
                (
                    "offer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="waits",
                        to="pairing.offer",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="waits", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["since", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["game", "speed", "rated"], name="wait_pool"
                    ),
                    models.Index(fields=["game", "speed", "rated", "-ended_at"], name="wait_ended"),
                    models.Index(fields=["user", "-ended_at"], name="wait_of_person"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("speed", "live"), ("state", "waiting")),
                        fields=("user",),
                        name="waits_live_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("speed", "days"), ("state", "waiting")),
                        fields=("user", "game"),
                        name="waits_days_once",
                    ),
                ],
            },
        ),
    ]
