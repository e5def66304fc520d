"""Refuse names that look alike; users who already have such names keep them."""

from typing import Any

from django.db import migrations, models

from accounts.lookalikes import skeleton


def fill(apps: Any, schema_editor: Any) -> None:
    """Give every name its skeleton; for the later of two that look alike, its account's number follows it."""
    users, former = (apps.get_model("accounts", name).objects for name in ("User", "FormerName"))
    users.bulk_update(_filled(users.order_by("pk")), ["skeleton"], batch_size=500)
    names = list(former.all())
    for name in names:
        name.skeleton = skeleton(name.name)
    former.bulk_update(names, ["skeleton"], batch_size=500)


def _filled(users: Any) -> list[Any]:
    seen: set[str] = set()
    found = list(users)
    for user in found:
        looks = skeleton(user.username)
        user.skeleton = f"{looks} {user.pk}" if looks in seen else looks
        seen.add(looks)
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_rest"),
    ]

    operations = [
        migrations.AddField("user", "skeleton", models.CharField(default="", editable=False, max_length=192)),
        migrations.AddField("formername", "skeleton", models.CharField(default="", max_length=192)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("user", "skeleton", models.CharField(editable=False, max_length=192, unique=True)),
        migrations.AlterField("formername", "skeleton", models.CharField(db_index=True, max_length=192)),
    ]
