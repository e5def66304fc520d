"""Let accents, separators and digits count in what a name looks like; users whose names look alike now keep them."""

from typing import Any

from django.db import migrations

from accounts.lookalikes import skeleton


def fill(apps: Any, schema_editor: Any) -> None:
    """Write every skeleton anew; for the later of two that look alike, its account's number follows it.

    What changes is freed first: a skeleton may be one that another user is about to lose. Of names that outlive their
    account only the key is known, which looks like the name.
    """
    users, former = (apps.get_model("accounts", name).objects for name in ("User", "FormerName"))
    seen: set[str] = set()
    changed = []
    for user in users.order_by("pk").only("username", "skeleton"):
        looks = skeleton(user.username)
        new = f"{looks} {user.pk}" if looks in seen else looks
        seen.add(looks)
        if new != user.skeleton:
            changed.append((user, new))
    for user, _looks in changed:
        user.skeleton = f" {user.pk}"
    users.bulk_update([user for user, _looks in changed], ["skeleton"], batch_size=500)
    for user, looks in changed:
        user.skeleton = looks
    users.bulk_update([user for user, _looks in changed], ["skeleton"], batch_size=500)
    names = list(former.only("name", "name_key"))
    for name in names:
        name.skeleton = skeleton(name.name or name.name_key)
    former.bulk_update(names, ["skeleton"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_registrations_wait"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
