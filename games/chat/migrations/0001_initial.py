import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Openness",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="openness",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "to",
                    models.CharField(
                        choices=[
                            ("everybody", "Everybody I play with"),
                            ("friends", "My friends"),
                            ("phrases", "Ready-made phrases only, from anybody"),
                            ("nobody", "Nobody"),
                        ],
                        default="everybody",
                        max_length=10,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Room",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("players", "Players"), ("watchers", "Spectators"), ("direct", "Messages")],
                        max_length=8,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="rooms", to="play.match"
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Muted",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="muted", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chat.room"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(blank=True, max_length=500)),
                ("phrase", models.CharField(blank=True, max_length=16)),
                (
                    "client_id",
                    models.CharField(help_text="names the request: sent again, it writes nothing twice", max_length=64),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "deleted_at",
                    models.DateTimeField(help_text="taken back by its author; nobody is shown its text", null=True),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="chat.room"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Unread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("count", models.PositiveIntegerField(default=0)),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="unread", to="chat.room"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(
                condition=models.Q(("match__isnull", False)), fields=("match", "kind"), name="one_room_each"
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(
                condition=models.Q(("one__isnull", False)), fields=("one", "other"), name="one_room_for_two"
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "direct"), ("match", None), ("one__lt", models.F("other"))),
                    models.Q(
                        models.Q(("kind", "direct"), _negated=True),
                        ("match__isnull", False),
                        ("one", None),
                        ("other", None),
                    ),
                    _connector="OR",
                ),
                name="room_of_a_match_or_of_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="muted",
            constraint=models.UniqueConstraint(
                condition=models.Q(("room", None)), fields=("user", "person"), name="person_muted_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="muted",
            constraint=models.UniqueConstraint(
                condition=models.Q(("person", None)), fields=("user", "room"), name="room_muted_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="muted",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("person", None), ("room__isnull", False)),
                    models.Q(("person__isnull", False), ("room", None)),
                    _connector="OR",
                ),
                name="muted_person_or_room",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["room", "-id"], name="message_latest"),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["author", "-at"], name="message_pace"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(fields=("author", "client_id"), name="written_once"),
        ),
        migrations.AddConstraint(
            model_name="unread",
            constraint=models.UniqueConstraint(fields=("user", "room"), name="unread_once"),
        ),
    ]
