from __future__ import annotations

import uuid
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def take_in(apps: Any, _editor: Any) -> None:
    """Take over the emails about accounts that waited in a queue of their own."""
    delivery = apps.get_model("notifications", "Delivery")
    for kept in apps.get_model("accounts", "KeptEmail").objects.order_by("created_at"):
        uid = uuid.uuid4()
        delivery.objects.create(
            channel="mail",
            host="mail server",
            kind="",
            key=f"letter.{uid}",
            uid=uid,
            content=kept.content,
            due_at=kept.due_at,
            attempts=kept.attempts,
            failing_since=kept.created_at if kept.attempts else None,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0011_chat"),
        ("accounts", "0010_capital_i"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="content",
            field=models.JSONField(
                help_text="of a letter (outbox/letters.py), which is deleted when it is sent", null=True
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="user",
            field=models.ForeignKey(
                help_text="null: of a letter",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(take_in, migrations.RunPython.noop),
    ]
