import secrets
import uuid
from datetime import time

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.notifications.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Host",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=255, unique=True)),
                ("failures", models.PositiveIntegerField(default=0, help_text="in a row")),
                ("failed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("not_before", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "session",
                    models.CharField(
                        db_index=True, help_text="key of the session; logging out ends both", max_length=40
                    ),
                ),
                ("endpoint", models.URLField(max_length=1000, unique=True)),
                ("p256dh", models.CharField(help_text="the browser's public key, base64url", max_length=120)),
                ("auth", models.CharField(help_text="the browser's secret, base64url", max_length=40)),
                ("name", models.CharField(help_text="for instance Firefox, Linux", max_length=80)),
                ("language", models.CharField(blank=True, max_length=8)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "Your turn"),
                            ("deadline", "Your time is running out"),
                            ("invitation", "You are invited"),
                            ("started", "A match has started"),
                            ("paired", "Players found"),
                            ("over", "A match has ended"),
                            ("away", "An opponent goes on vacation"),
                            ("series", "An opponent leaves a series"),
                            ("planned", "A planned table"),
                            ("friend-asked", "Friend request"),
                            ("befriended", "Friend request accepted"),
                            ("table", "Tables of friends and people you follow"),
                            ("chat", "Messages"),
                            ("report", "Your reports"),
                            ("moderation", "Messages from the moderators"),
                            ("puzzle", "Daily puzzle"),
                            ("digest", "Daily digest"),
                            ("security", "Account security"),
                        ],
                        max_length=12,
                    ),
                ),
                ("turn", models.PositiveIntegerField(default=0, help_text="of kinds about a turn: as Seat.turn")),
                (
                    "part",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="turn: 1 for the last one missing; deadline: per cent of the time that are left; planned: minutes before it opens, 0 when it does not",
                    ),
                ),
                (
                    "step",
                    models.PositiveSmallIntegerField(default=0, help_text="how many of its ways have had their moment"),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(help_text="when to look at it again; null: never", null=True)),
                ("seen_at", models.DateTimeField(help_text="when they saw the match, or this notice", null=True)),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        help_text="of invitations: who invites; of friends: who they are; of tables: whose; of series: who left",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        help_text="null: it is about a person",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="play.match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Preferences",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "off",
                    models.JSONField(
                        default=games.notifications.models.not_wanted_at_first,
                        help_text='what is not wanted: "kind.channel"',
                    ),
                ),
                ("quiet_from", models.TimeField(blank=True, null=True, verbose_name="quiet from")),
                ("quiet_until", models.TimeField(blank=True, null=True, verbose_name="quiet until")),
                (
                    "digest_at",
                    models.TimeField(
                        default=time(18, 0), help_text="on the wall clock of their zone", verbose_name="at"
                    ),
                ),
                (
                    "puzzle_at",
                    models.TimeField(
                        default=time(8, 0), help_text="on the wall clock of their zone", verbose_name="at"
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True, help_text="of their browser when they made the calendar", max_length=8
                    ),
                ),
                (
                    "feed_key",
                    models.CharField(
                        default=secrets.token_urlsafe, help_text="of the calendar", max_length=43, unique=True
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "style",
                    models.CharField(
                        choices=[
                            ("discord", "Discord"),
                            ("slack", "Slack"),
                            ("ntfy", "ntfy"),
                            ("json", "JSON, signed"),
                        ],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                ("address", models.URLField(max_length=500, verbose_name="address")),
                (
                    "secret",
                    models.CharField(
                        default=secrets.token_hex, help_text="key of the signature of JSON", max_length=64
                    ),
                ),
                ("failures", models.PositiveIntegerField(default=0, help_text="in a row")),
                ("failing_since", models.DateTimeField(help_text="the first of these failures", null=True)),
                ("not_before", models.DateTimeField(help_text="until then it asked to be left alone", null=True)),
                (
                    "disabled",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("gone", "This address no longer exists."),
                            ("failing", "It kept failing for more than a day."),
                        ],
                        help_text="why it is told nothing any more",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "content",
                    models.JSONField(
                        help_text="of a letter (channels/mail.py), which is deleted when it is sent", null=True
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "Your turn"),
                            ("deadline", "Your time is running out"),
                            ("invitation", "You are invited"),
                            ("started", "A match has started"),
                            ("paired", "Players found"),
                            ("over", "A match has ended"),
                            ("away", "An opponent goes on vacation"),
                            ("series", "An opponent leaves a series"),
                            ("planned", "A planned table"),
                            ("friend-asked", "Friend request"),
                            ("befriended", "Friend request accepted"),
                            ("table", "Tables of friends and people you follow"),
                            ("chat", "Messages"),
                            ("report", "Your reports"),
                            ("moderation", "Messages from the moderators"),
                            ("puzzle", "Daily puzzle"),
                            ("digest", "Daily digest"),
                            ("security", "Account security"),
                        ],
                        default="digest",
                        help_text="of what comes daily",
                        max_length=12,
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("page", "On the site"), ("push", "Push"), ("mail", "Email"), ("webhook", "Webhook")],
                        max_length=8,
                    ),
                ),
                ("key", models.CharField(help_text="what is sent once", max_length=100, unique=True)),
                (
                    "uid",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, help_text="how receivers know a message sent again"
                    ),
                ),
                (
                    "host",
                    models.CharField(blank=True, help_text="where it goes; each host has a budget", max_length=255),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sent", "Sent"), ("dropped", "Dropped"), ("dead", "Dead")],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("failing_since", models.DateTimeField(help_text="its first failure", null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=300)),
                (
                    "user",
                    models.ForeignKey(
                        help_text="null: of a letter",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, to="notifications.device"
                    ),
                ),
                (
                    "notice",
                    models.ForeignKey(
                        help_text="null: daily",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="notifications.notice",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, to="notifications.webhook"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DailyHour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "Your turn"),
                            ("deadline", "Your time is running out"),
                            ("invitation", "You are invited"),
                            ("started", "A match has started"),
                            ("paired", "Players found"),
                            ("over", "A match has ended"),
                            ("away", "An opponent goes on vacation"),
                            ("series", "An opponent leaves a series"),
                            ("planned", "A planned table"),
                            ("friend-asked", "Friend request"),
                            ("befriended", "Friend request accepted"),
                            ("table", "Tables of friends and people you follow"),
                            ("chat", "Messages"),
                            ("report", "Your reports"),
                            ("moderation", "Messages from the moderators"),
                            ("puzzle", "Daily puzzle"),
                            ("digest", "Daily digest"),
                            ("security", "Account security"),
                        ],
                        default="digest",
                        max_length=12,
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="daily_hours",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "kind"), name="daily_once")],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to="play.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "match"), name="muted_once")],
            },
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="notice_due"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["user", "-created_at"], name="notice_centre"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(condition=models.Q(("seen_at__isnull", True)), fields=["user"], name="notice_unseen"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("user", "match", "kind", "turn", "part"), name="told_once"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(
                condition=models.Q(("match", None)), fields=("user", "kind", "by"), name="told_once_of_person"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("user", "address"), name="webhook_once"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(condition=models.Q(("state", "waiting")), fields=["due_at"], name="delivery_due"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state", "sent")), fields=["user", "-sent_at"], name="delivery_sent"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("lease_until__isnull", False)), fields=["lease_until"], name="delivery_held"
            ),
        ),
    ]
