import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.names


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        max_length=24, unique=True, validators=[accounts.names.validate_name], verbose_name="name"
                    ),
                ),
                ("name_key", models.CharField(editable=False, max_length=96, unique=True)),
                ("skeleton", models.CharField(editable=False, max_length=192, unique=True)),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                ("is_active", models.BooleanField(default=True)),
                ("guest", models.BooleanField(default=False, help_text="plays without having registered")),
                ("is_staff", models.BooleanField(default=False)),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now)),
                ("time_zone", models.CharField(default="UTC", max_length=64, verbose_name="time zone")),
                ("language", models.CharField(blank=True, max_length=8, verbose_name="language")),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "Same as the system"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=8,
                        verbose_name="theme",
                    ),
                ),
                ("hints", models.BooleanField(default=True, verbose_name="hints")),
                ("single_keys", models.BooleanField(default=True, verbose_name="single keys")),
                ("tips", models.CharField(blank=True, default="turn undo rules", editable=False, max_length=40)),
                ("sleep_from", models.TimeField(blank=True, null=True, verbose_name="to bed")),
                ("sleep_until", models.TimeField(blank=True, null=True, verbose_name="up again")),
                ("free_weekends", models.BooleanField(default=False, verbose_name="free weekends")),
                ("shows_presence", models.BooleanField(default=True, verbose_name="show when I am online")),
                (
                    "held",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="a warning or suspension may hold: `accounts.sanctions` knows",
                    ),
                ),
                (
                    "looking_until",
                    models.DateTimeField(
                        blank=True, editable=False, help_text="looks for a game until then", null=True
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Sighting",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sighting",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="FormerName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=24)),
                ("name_key", models.CharField(db_index=True, max_length=96)),
                ("skeleton", models.CharField(db_index=True, max_length=192)),
                ("given_up_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "forbidden",
                    models.BooleanField(default=False, help_text="taken away by moderators: nobody can have it again"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_names",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-given_up_at"],
            },
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("name", models.CharField(max_length=24)),
                ("email", models.EmailField(db_index=True, max_length=254)),
                ("password", models.CharField(help_text="as it is stored of an account: hashed", max_length=128)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("session", models.CharField(blank=True, help_text="the guest's, which goes on", max_length=40)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "guest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="blocks", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("by", "blocked"), name="blocked_once"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("blocked")), _negated=True), name="nobody_blocks_themselves"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "followed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "follower",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="follows", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("follower", "followed"), name="followed_once"),
                    models.CheckConstraint(
                        condition=models.Q(("follower", models.F("followed")), _negated=True),
                        name="nobody_follows_themselves",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Friendship",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("asked", "Asked"),
                            ("friends", "Friends"),
                            ("declined", "Declined"),
                            ("over", "Over"),
                        ],
                        default="asked",
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, help_text="when the request was made")),
                ("since", models.DateTimeField(blank=True, help_text="when they became friends", null=True)),
                (
                    "asked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requests_in",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requests_out",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["asker", "at"], name="friendship_requests")],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.comparison.Least("asker", "asked"),
                        django.db.models.functions.comparison.Greatest("asker", "asked"),
                        name="one_friendship_each",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("asker", models.F("asked")), _negated=True), name="friends_are_two"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warning", "Warning"),
                            ("silence", "Silenced"),
                            ("suspension", "Suspended"),
                            ("closure", "Account closed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(help_text="told to the person", max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "until",
                    models.DateTimeField(
                        help_text="null: until it is lifted; of warnings, until they are confirmed", null=True
                    ),
                ),
                ("ended_at", models.DateTimeField(help_text="when it was lifted, or confirmed", null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["user"], name="sanction_running")
                ],
            },
        ),
    ]
