from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0003_wording"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "Your turn"),
                    ("deadline", "Your time is running out"),
                    ("invitation", "You are invited"),
                    ("started", "A match has started"),
                    ("over", "A match has ended"),
                    ("away", "An opponent goes on vacation"),
                    ("digest", "Daily digest"),
                    ("security", "Account security"),
                ],
                max_length=12,
            ),
        ),
    ]
