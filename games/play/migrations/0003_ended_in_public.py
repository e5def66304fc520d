from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0002_without_indexes_that_repeat"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "over"), ("visibility", "public")),
                fields=["-ended_at", "-id"],
                name="match_ended",
            ),
        ),
    ]
