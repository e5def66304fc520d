from typing import Any

from django.db import migrations, models

KINDS = [
    ("turn", "Your turn"),
    ("deadline", "Your time is running out"),
    ("invitation", "You are invited"),
    ("started", "A match has started"),
    ("paired", "Players found"),
    ("over", "A match has ended"),
    ("away", "An opponent goes on vacation"),
    ("series", "An opponent leaves a series"),
    ("planned", "A planned table"),
    ("friend-asked", "Friend request"),
    ("befriended", "Friend request accepted"),
    ("table", "Tables of friends and people you follow"),
    ("chat", "Messages"),
    ("report", "Your reports"),
    ("moderation", "Messages from the moderators"),
    ("puzzle", "Daily puzzle"),
    ("digest", "Daily digest"),
    ("security", "Account security"),
]
UNASKED = "chat.webhook"


def leave_alone(apps: Any, schema_editor: Any) -> None:
    """Tell nobody by webhook of messages who has not asked for it."""
    for preferences in apps.get_model("notifications", "Preferences").objects.iterator():
        preferences.off = sorted({*preferences.off, UNASKED})
        preferences.save(update_fields=["off"])


class Migration(migrations.Migration):
    dependencies = [("notifications", "0010_moderation")]

    operations = [
        migrations.AlterField(
            model_name="dailyhour",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", max_length=12),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", help_text="of what comes daily", max_length=12),
        ),
        migrations.AlterField(model_name="notice", name="kind", field=models.CharField(choices=KINDS, max_length=12)),
        migrations.RunPython(leave_alone, migrations.RunPython.noop),
    ]
