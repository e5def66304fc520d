from django.db import migrations, models

import games.review.models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0001_initial"),
    ]

    operations = [
        # Reviews that are kept are of the first kind, and are made again.
        migrations.AddField(
            model_name="review",
            name="judgement",
            field=models.PositiveSmallIntegerField(default=1, help_text="which JUDGEMENT made it"),
        ),
        migrations.AlterField(
            model_name="review",
            name="judgement",
            field=models.PositiveSmallIntegerField(
                default=games.review.models.judgement, help_text="which JUDGEMENT made it"
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="shares",
            field=models.JSONField(
                default=list,
                help_text="for each action that opened a secret turn: plans, each with a weighing.Share; else empty",
            ),
        ),
        migrations.AddIndex(
            model_name="review",
            index=models.Index(fields=["judgement"], name="review_judgement"),
        ),
    ]
