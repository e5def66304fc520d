from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0005_declined"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="match", name="match_lobby"),
    ]
