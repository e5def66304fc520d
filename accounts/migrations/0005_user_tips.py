from django.db import migrations, models


class Migration(migrations.Migration):
    """People who have been here before need no tips: they begin with none, new accounts with all."""

    dependencies = [
        ("accounts", "0004_guests"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="tips",
            field=models.CharField(blank=True, default="", editable=False, max_length=40),
        ),
        migrations.AlterField(
            model_name="user",
            name="tips",
            field=models.CharField(blank=True, default="turn undo rules", editable=False, max_length=40),
        ),
    ]
