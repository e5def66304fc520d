from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0024_vacation_years"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="excludes_vacations",
            field=models.BooleanField(default=False, help_text="day clocks run on while their players are away"),
        ),
    ]
