import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.review.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("steps", models.PositiveIntegerField(help_text="how many there are")),
                ("done", models.PositiveIntegerField(default=0, help_text="how many steps are done")),
                (
                    "chances",
                    models.JSONField(default=list, help_text="after each action those of every seat, from 0 to 1"),
                ),
                (
                    "luck",
                    models.JSONField(default=list, help_text="for each action what chance gave the seat that acted"),
                ),
                (
                    "shares",
                    models.JSONField(
                        default=list,
                        help_text="for each action that opened a secret turn: plans, each with a weighing.Share; else empty",
                    ),
                ),
                ("weighed", models.JSONField(default=list, help_text="the decisions that were weighed")),
                (
                    "judgement",
                    models.PositiveSmallIntegerField(
                        default=games.review.models.judgement, help_text="which JUDGEMENT made it"
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="review", to="play.match"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("done__lt", models.F("steps"))),
                        fields=["asked_at"],
                        name="review_under_way",
                    ),
                    models.Index(fields=["judgement"], name="review_judgement"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("done__lte", models.F("steps"))), name="review_not_more_than_all"
                    )
                ],
            },
        ),
    ]
