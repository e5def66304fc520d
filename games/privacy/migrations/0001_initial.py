import secrets

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Deletion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "confirmed_at",
                    models.DateTimeField(help_text="null: the link in the email has not been used", null=True),
                ),
                ("due_at", models.DateTimeField(db_index=True, help_text="when the worker goes on with it", null=True)),
                ("begun_at", models.DateTimeField(help_text="from then on it cannot be taken back", null=True)),
                (
                    "emptied_at",
                    models.DateTimeField(
                        help_text="the account names nobody; it waits for matches of others", null=True
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deletion",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        default=secrets.token_urlsafe, help_text="of its address", max_length=43, unique=True
                    ),
                ),
                ("language", models.CharField(help_text="of the readable page in it", max_length=8)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("steps", models.PositiveIntegerField(default=0, help_text="how many there are; 0 before it is begun")),
                ("done", models.PositiveIntegerField(default=0, help_text="how many steps are done")),
                ("token", models.CharField(default="", help_text="of the worker that makes it", max_length=32)),
                ("lease_until", models.DateTimeField(help_text="after this another worker begins anew", null=True)),
                ("made_at", models.DateTimeField(null=True)),
                ("size", models.PositiveIntegerField(default=0, help_text="in bytes")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="export", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Piece",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "export",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="privacy.export"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddIndex(
            model_name="export",
            index=models.Index(condition=models.Q(("made_at", None)), fields=["asked_at"], name="export_wanted"),
        ),
        migrations.AddConstraint(
            model_name="piece",
            constraint=models.UniqueConstraint(fields=("export", "number"), name="one_piece_each"),
        ),
    ]
