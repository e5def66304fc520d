from django.db import migrations, models


class Migration(migrations.Migration):
    """Reviews are made again, so what an earlier judge found need not be kept."""

    dependencies = [("review", "0001_initial")]

    operations = [
        migrations.RemoveField("review", "luck"),
        migrations.RemoveField("review", "shares"),
        migrations.AddField(
            "review",
            "changes",
            models.JSONField(default=list, help_text="for the deal and each action a judge.Change, moves in pairs"),
        ),
        migrations.AlterField(
            "review",
            "chances",
            models.JSONField(
                default=list, help_text="after the deal and each action those of every seat (judge.Chances)"
            ),
        ),
    ]
