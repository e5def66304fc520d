from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_digits_and_accents"),
        ("notifications", "0012_letters"),  # which takes them over
    ]

    operations = [migrations.DeleteModel(name="KeptEmail")]
