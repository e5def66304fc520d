import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.play.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begin", models.DateTimeField(unique=True)),
                ("end", models.DateTimeField()),
                ("pending", models.BooleanField(default=False, help_text="not all clocks have been told yet")),
            ],
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(default=games.play.models.new_slug, editable=False, max_length=10, unique=True),
                ),
                ("game", models.CharField(max_length=40)),
                ("rules_version", models.PositiveSmallIntegerField()),
                ("options", models.JSONField(default=dict)),
                ("seat_count", models.PositiveSmallIntegerField()),
                (
                    "speed",
                    models.CharField(choices=[("live", "Live"), ("days", "Over days")], default="live", max_length=8),
                ),
                (
                    "clock",
                    models.CharField(
                        blank=True, default="", help_text="a clocks.Control; empty: no clock", max_length=40
                    ),
                ),
                (
                    "excludes_vacations",
                    models.BooleanField(default=False, help_text="day clocks run on while their players are away"),
                ),
                ("rated", models.BooleanField(default=True)),
                (
                    "has_bots",
                    models.BooleanField(default=False, help_text="a seat belongs to a bot: the match is casual"),
                ),
                ("practice", models.BooleanField(default=False, help_text="decisions against bots were taken back")),
                ("hints", models.BooleanField(default=False, help_text="a player was shown what to do")),
                (
                    "one_device",
                    models.BooleanField(default=False, help_text="two seats were played from one: it is not rated"),
                ),
                (
                    "reliability",
                    models.PositiveSmallIntegerField(default=0, help_text="turns in a hundred who sits down came to"),
                ),
                (
                    "rating_from",
                    models.PositiveSmallIntegerField(help_text="the lowest rating of who sits down", null=True),
                ),
                (
                    "rating_to",
                    models.PositiveSmallIntegerField(help_text="the highest rating of who sits down", null=True),
                ),
                (
                    "kept",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="how many seats are kept for friends of the host"
                    ),
                ),
                ("note", models.CharField(blank=True, default="", help_text="of the host", max_length=100)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "Public"),
                            ("link", "Anyone with the link"),
                            ("friends", "Friends of the host"),
                            ("private", "Invited players only"),
                        ],
                        default="public",
                        max_length=8,
                    ),
                ),
                (
                    "seat_order",
                    models.CharField(
                        choices=[("random", "Random"), ("as-sat", "In the order players sit down")],
                        default="random",
                        max_length=8,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("planned", "Planned table"),
                            ("open", "Open table"),
                            ("running", "Running"),
                            ("over", "Over"),
                            ("aborted", "Aborted"),
                            ("closed", "Closed"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("server_seed", models.BinaryField(max_length=32)),
                ("commit", models.CharField(max_length=64)),
                (
                    "version",
                    models.PositiveIntegerField(default=0, help_text="raised by whatever changes what somebody sees"),
                ),
                ("length", models.PositiveIntegerField(default=0, help_text="number of actions not taken back")),
                (
                    "turn",
                    models.PositiveIntegerField(
                        help_text="the action that ended the previous turn, as in Position", null=True
                    ),
                ),
                ("turn_version", models.PositiveIntegerField(default=0, help_text="version with which the turn began")),
                (
                    "opened",
                    models.PositiveIntegerField(default=0, help_text="actions up to this one are secret no more"),
                ),
                ("state", models.TextField(blank=True, default="")),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("opens_at", models.DateTimeField(help_text="when a planned table opens, or opened", null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("moved_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="rematch", to="play.match"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Explanation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("why", models.CharField(help_text="told to everybody who sees the match", max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="explanation", to="play.match"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Action",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=500)),
                (
                    "client_id",
                    models.CharField(
                        help_text="chosen by the player's page; null: an action of the site itself",
                        max_length=40,
                        null=True,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "clock",
                    models.DurationField(help_text="what the seat had left at it, before any increment", null=True),
                ),
                ("by_bot", models.BooleanField(default=False)),
                ("reveals", models.BooleanField(default=True)),
                ("events", models.TextField(default="", help_text="encoded events, each with who may see it")),
                (
                    "seal",
                    models.CharField(
                        blank=True, default="", help_text="of an action asked for in secret", max_length=64
                    ),
                ),
                ("salt", models.BinaryField(blank=True, default=b"", max_length=16)),
                ("withdrawn", models.BooleanField(default=False)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="actions", to="play.match"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="absences", to="play.match"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Presence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="presences", to="play.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("places", models.JSONField(help_text="by seat; null: the match does not count", null=True)),
                ("played", models.JSONField(help_text="how the match had ended: places by seat, and the reason")),
                ("why", models.CharField(help_text="told to everybody who sees the match", max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ruling", to="play.match"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "bot",
                    models.CharField(
                        choices=[("novice", "Novice"), ("companion", "Companion"), ("master", "Master")],
                        help_text="null: the seat of a person",
                        max_length=12,
                        null=True,
                    ),
                ),
                (
                    "namesake",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="how many bots of its level sat down before it"
                    ),
                ),
                ("nonce", models.BinaryField(blank=True, default=b"", max_length=64)),
                (
                    "joined",
                    models.PositiveSmallIntegerField(
                        help_text="order of sitting down, from 0; null: the number", null=True
                    ),
                ),
                ("to_move", models.BooleanField(default=False)),
                (
                    "turn",
                    models.PositiveIntegerField(default=0, help_text="the action that began their turn, as Match.turn"),
                ),
                ("turns", models.PositiveIntegerField(default=0, help_text="ended in time")),
                (
                    "timed_out",
                    models.BooleanField(default=False, help_text="ran out of time, which ended the match for them"),
                ),
                (
                    "no_show",
                    models.BooleanField(default=False, help_text="left before it could count, and let others down"),
                ),
                (
                    "left",
                    models.PositiveSmallIntegerField(
                        help_text="order of leaving, from 1; null while seated", null=True
                    ),
                ),
                (
                    "acted",
                    models.BooleanField(default=False, help_text="the player has acted, even if it was taken back"),
                ),
                ("offers_abort", models.BooleanField(default=False)),
                (
                    "asked",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="kind and client_id of the latest request that was no action",
                        max_length=60,
                    ),
                ),
                (
                    "bank",
                    models.DurationField(
                        help_text="time left when the clock last stood; null without a clock", null=True
                    ),
                ),
                ("running_since", models.DateTimeField(help_text="null while the clock is stopped", null=True)),
                (
                    "deadline",
                    models.DateTimeField(help_text="when the running clock will have spent the bank", null=True),
                ),
                (
                    "rest",
                    models.CharField(blank=True, default="", help_text="of day clocks: a clocks.Rest", max_length=120),
                ),
                (
                    "away_until",
                    models.DateTimeField(help_text="end of the vacation that moved the deadline", null=True),
                ),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("score", models.IntegerField(null=True)),
                (
                    "solo_rank",
                    models.IntegerField(help_text="for the table of best solo results; higher is better", null=True),
                ),
                (
                    "counts",
                    models.JSONField(blank=True, default=dict, help_text="what the game counted, for statistics"),
                ),
                (
                    "ended_at",
                    models.DateTimeField(
                        help_text="as the match's, so that a person's history is one index", null=True
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="play.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Setback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("job", models.CharField(max_length=40)),
                ("key", models.PositiveBigIntegerField(help_text="of what is due, for instance a match")),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(help_text="null: dead, tried no more", null=True)),
                ("error", models.TextField(default="")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("job", "key"), name="one_setback_each")],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begin", models.DateTimeField()),
                ("end", models.DateTimeField()),
                ("year", models.PositiveSmallIntegerField(help_text="whose budget it is charged to")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["begin"],
            },
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                fields=["status", "visibility", "game", "speed", "rated", "-ended_at", "-id"], name="match_archive"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "open")), fields=["-created_at"], name="match_open"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "open")),
                fields=["visibility", "game", "speed", "rated", "seat_count", "-created_at", "-id"],
                name="match_lobby",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "planned")), fields=["opens_at"], name="match_planned"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "running")), fields=["-moved_at"], name="match_running"),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn", False)), fields=("match", "number"), name="action_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.UniqueConstraint(fields=("match", "client_id"), name="action_client_id_once"),
        ),
        migrations.AddIndex(
            model_name="absence",
            index=models.Index(fields=["user", "-at"], name="absences_of"),
        ),
        migrations.AddConstraint(
            model_name="absence",
            constraint=models.UniqueConstraint(fields=("match", "user"), name="absent_once"),
        ),
        migrations.AddConstraint(
            model_name="presence",
            constraint=models.UniqueConstraint(fields=("user", "match"), name="one_presence_each"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(condition=models.Q(("to_move", True)), fields=["user"], name="seat_to_move"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["user", "-ended_at", "-match"], name="seat_history"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("deadline__isnull", False)), fields=["deadline"], name="seat_deadline"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("no_show", True)), fields=["user", "-ended_at"], name="seat_no_show"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("bot__isnull", False)), fields=["bot", "-ended_at"], name="seat_bot_history"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(
                    ("to_move", True), models.Q(("left__isnull", False), ("bot__isnull", False), _connector="OR")
                ),
                fields=["match"],
                name="seat_of_bot",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("match", "number"), name="seat_number_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("match", "user"), name="nobody_in_two_seats"),
        ),
        migrations.AddIndex(
            model_name="vacation",
            index=models.Index(fields=["user", "end"], name="vacation_of"),
        ),
    ]
