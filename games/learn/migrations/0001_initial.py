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
            name="Progress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("lesson", models.CharField(help_text="the name of its file", max_length=80)),
                ("reached", models.PositiveSmallIntegerField(default=0, help_text="how many steps are done")),
                ("done_on", models.DateField(help_text="the day on which the last step was done", null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lesson_progress",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["game", "lesson"],
                "constraints": [models.UniqueConstraint(fields=("user", "game", "lesson"), name="progress_once")],
            },
        ),
    ]
