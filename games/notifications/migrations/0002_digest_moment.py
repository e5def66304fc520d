import django.utils.timezone
from django.db import migrations, models

import games.notifications.models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0001_outbox"),
    ]

    operations = [
        migrations.RemoveField(model_name="digestday", name="day"),
        migrations.AddField(
            model_name="digestday",
            name="due_at",
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="preferences",
            name="off",
            field=models.JSONField(
                default=games.notifications.models.not_wanted_at_first,
                help_text='what is not wanted: "kind.channel"',
            ),
        ),
    ]
