from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("puzzles", "0002_ids"),
    ]

    operations = [
        migrations.CreateModel(
            name="FirstAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("puzzle", models.PositiveIntegerField(help_text="the id of the puzzle")),
                ("essence", models.CharField(help_text="what matters of the answer", max_length=200)),
                ("line", models.JSONField(help_text="the actions of the first who answered so")),
                ("worth", models.IntegerField(help_text="what the answer would bring")),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["-count", "essence"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "puzzle", "essence"), name="first_answer_once")
                ],
            },
        ),
    ]
