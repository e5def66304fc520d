from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_match"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="leads_to",
            field=models.CharField(blank=True, help_text="the path where the person came from", max_length=500),
        ),
    ]
