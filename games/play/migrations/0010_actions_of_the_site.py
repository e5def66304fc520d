from typing import Any

from django.db import migrations, models
from django.db.models import Q


def free_names(apps: Any, schema_editor: Any) -> None:
    """Actions of the site no longer take names that players could choose; what failed for that is tried again."""
    actions = apps.get_model("play", "Action").objects
    actions.filter(Q(by_bot=True) | Q(text="timeout")).update(client_id=None)
    apps.get_model("play", "Setback").objects.filter(duty="timeouts").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0009_seat_order"),
    ]

    operations = [
        migrations.AlterField(
            model_name="action",
            name="client_id",
            field=models.CharField(
                help_text="chosen by the player's page; null: an action of the site itself", max_length=40, null=True
            ),
        ),
        migrations.RunPython(free_names, migrations.RunPython.noop),
    ]
