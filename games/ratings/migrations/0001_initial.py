import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Basis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("before", models.IntegerField(help_text="as RatingChange.before")),
                ("games_before", models.PositiveIntegerField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bases", to="play.match"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "seat"), name="one_basis_per_seat")],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("speed", models.CharField(choices=[("live", "Live"), ("days", "Over days")], max_length=8)),
                ("rating", models.IntegerField(default=1500000, help_text="in thousandths")),
                ("games", models.PositiveIntegerField(default=0, help_text="rated matches finished")),
                (
                    "met",
                    models.PositiveIntegerField(
                        default=0, help_text="different opponents; not counted beyond what lists want"
                    ),
                ),
                (
                    "opponents",
                    models.PositiveIntegerField(
                        default=0, help_text="those of them who have met others, too; likewise"
                    ),
                ),
                ("updated", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "speed", "-rating", "user"], name="rating_leaderboard")],
                "constraints": [models.UniqueConstraint(fields=("user", "game", "speed"), name="rating_once_per_pool")],
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("game", models.CharField(max_length=40)),
                ("speed", models.CharField(choices=[("live", "Live"), ("days", "Over days")], max_length=8)),
                ("before", models.IntegerField(help_text="in thousandths")),
                ("after", models.IntegerField(help_text="in thousandths")),
                ("games_before", models.PositiveIntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rating_changes", to="play.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rating_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["user", "game", "speed", "id"], name="rating_history"),
                    models.Index(fields=["game", "speed", "at"], name="rating_season"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "user"), name="rated_once_per_person"),
                    models.UniqueConstraint(fields=("match", "seat"), name="rated_once_per_seat"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SoloBest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("rank", models.IntegerField(help_text="Seat.solo_rank: higher is better")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.match"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="solo_bests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["game", "-rank", "at", "id"], name="solo_leaderboard")],
                "constraints": [models.UniqueConstraint(fields=("user", "game"), name="solo_best_once_per_game")],
            },
        ),
    ]
