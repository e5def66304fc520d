"""Let people switch off what single keys do."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0010_capital_i")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="user",
            name="single_keys",
            field=models.BooleanField(default=True, verbose_name="single keys"),
        ),
    ]
