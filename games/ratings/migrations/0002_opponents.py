from typing import Any

from django.db import migrations, models


def count_opponents(apps: Any, schema_editor: Any) -> None:
    """Count against how many different people each rating was won."""
    ratings, changes = apps.get_model("ratings", "Rating"), apps.get_model("ratings", "RatingChange").objects
    for rating in ratings.objects.filter(games__gt=0).iterator():
        mine = changes.filter(user=rating.user_id, game=rating.game, speed=rating.speed)
        others = changes.filter(match__in=mine.values("match")).exclude(user=rating.user_id).exclude(user=None)
        rating.opponents = others.values("user").distinct().count()
        rating.save(update_fields=["opponents"])


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="opponents",
            field=models.PositiveIntegerField(
                default=0, help_text="different ones; not counted beyond what lists want"
            ),
        ),
        migrations.RunPython(count_opponents, migrations.RunPython.noop),
    ]
