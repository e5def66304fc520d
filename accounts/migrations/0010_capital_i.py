"""Let i count as l in what a name looks like; users whose names look alike now keep them."""

from typing import Any

from django.db import migrations

from accounts.lookalikes import skeleton


def fill(apps: Any, schema_editor: Any) -> None:
    """Write every skeleton anew; for the later of two that look alike, its account's number follows it.

    What changes is freed first: a skeleton may be one that another user is about to lose.
    """
    users, former = (apps.get_model("accounts", name).objects for name in ("User", "FormerName"))
    changed = _changed(users.order_by("pk").only("username", "skeleton"))
    for user, _looks in changed:
        user.skeleton = f" {user.pk}"
    users.bulk_update([user for user, _looks in changed], ["skeleton"], batch_size=500)
    for user, looks in changed:
        user.skeleton = looks
    users.bulk_update([user for user, _looks in changed], ["skeleton"], batch_size=500)
    names = list(former.only("name"))
    for name in names:
        name.skeleton = skeleton(name.name)
    former.bulk_update(names, ["skeleton"], batch_size=500)


def _changed(users: Any) -> list[tuple[Any, str]]:
    """Return the users whose skeletons change, with the new ones."""
    seen: set[str] = set()
    found = []
    for user in users:
        looks = skeleton(user.username)
        new = f"{looks} {user.pk}" if looks in seen else looks
        seen.add(looks)
        if new != user.skeleton:
            found.append((user, new))
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_names_taken_away"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
