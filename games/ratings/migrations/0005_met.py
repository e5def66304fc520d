from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db import migrations, models

_OTHERS = 2


def count(apps: Any, _schema_editor: Any) -> None:
    """Count whom everybody has met in each pool, and how many of those have met somebody else, too."""
    met: dict[tuple[int, str, str], set[int]] = defaultdict(set)
    together: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    rows = apps.get_model("ratings", "RatingChange").objects.exclude(user=None).order_by()
    for match, *key in rows.values_list("match", "user", "game", "speed").iterator():
        together[match].append(tuple(key))
    for keys in together.values():
        for key in keys:
            met[key] |= {other[0] for other in keys if other != key}
    for rating in apps.get_model("ratings", "Rating").objects.filter(games__gt=0).iterator():
        known = met[rating.user_id, rating.game, rating.speed]
        rating.met = len(known)
        rating.opponents = sum(len(met[other, rating.game, rating.speed]) >= _OTHERS for other in known)
        rating.save(update_fields=["met", "opponents"])


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0004_bases"),
    ]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="met",
            field=models.PositiveIntegerField(
                default=0, help_text="different opponents; not counted beyond what lists want"
            ),
        ),
        migrations.AlterField(
            model_name="rating",
            name="opponents",
            field=models.PositiveIntegerField(default=0, help_text="those of them who have met others, too; likewise"),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
