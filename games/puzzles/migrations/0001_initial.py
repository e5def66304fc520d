import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("day", models.DateField(help_text="of the puzzle")),
                ("tries", models.JSONField(default=list, help_text="each the actions and what they would bring")),
                ("solved_on", models.DateField(help_text="the day of the site on which it was solved", null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-day", "game"],
                "constraints": [models.UniqueConstraint(fields=("user", "game", "day"), name="attempt_once")],
            },
        ),
    ]
