from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("turn", "Your turn"),
    ("deadline", "Your time is running out"),
    ("invitation", "You are invited"),
    ("started", "A match has started"),
    ("paired", "Players found"),
    ("over", "A match has ended"),
    ("away", "An opponent goes on vacation"),
    ("planned", "A planned table"),
    ("friend-asked", "Friend request"),
    ("befriended", "Friend request accepted"),
    ("table", "Tables of friends and people you follow"),
    ("puzzle", "Daily puzzle"),
    ("digest", "Daily digest"),
    ("security", "Account security"),
]
UNASKED = {"befriended.mail", "table.mail", "table.push", "table.webhook"}


def leave_alone(apps: Any, schema_editor: Any) -> None:
    """Tell people outside the site only what they ask for, also those who have chosen before these kinds existed."""
    preferences = apps.get_model("notifications", "Preferences")
    for each in preferences.objects.iterator():
        each.off = sorted({*each.off, *UNASKED})
        each.save(update_fields=["off"])


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0007_quick_pairing"),
    ]

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
        migrations.AlterField(
            model_name="notice",
            name="by",
            field=models.ForeignKey(
                db_index=False,
                help_text="of invitations: who invites; of friends: who they are; of tables: whose",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(model_name="notice", name="kind", field=models.CharField(choices=KINDS, max_length=12)),
        migrations.AlterField(
            model_name="notice",
            name="match",
            field=models.ForeignKey(
                help_text="null: it is about a person",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="notices",
                to="play.match",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(
                condition=models.Q(("match", None)), fields=("user", "kind", "by"), name="told_once_of_person"
            ),
        ),
        migrations.RunPython(leave_alone, migrations.RunPython.noop),
    ]
