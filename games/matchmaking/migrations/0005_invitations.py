from datetime import timedelta
from typing import Any

import django.utils.timezone
from django.db import migrations, models
from django.db.models import F


def let_them_expire(apps: Any, _schema_editor: Any) -> None:
    """Give invitations sent before they expired as long as a table waits at most."""
    apps.get_model("matchmaking", "Invitation").objects.update(expires_at=F("created_at") + timedelta(days=14))


class Migration(migrations.Migration):
    dependencies = [
        ("matchmaking", "0004_promises"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="expires_at",
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="invitation",
            name="declined_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="invitation",
            name="withheld",
            field=models.BooleanField(
                default=False, help_text="the two are kept apart: the invited person never sees it"
            ),
        ),
        migrations.RunPython(let_them_expire, migrations.RunPython.noop, elidable=True),
    ]
