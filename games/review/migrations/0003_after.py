from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0002_changes")]

    operations = [
        migrations.AddField(
            "review",
            "taken_until",
            models.DateTimeField(null=True, help_text="a process is at it, unless it has died"),
        ),
    ]
