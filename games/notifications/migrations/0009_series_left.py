import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("turn", "Your turn"),
    ("deadline", "Your time is running out"),
    ("invitation", "You are invited"),
    ("started", "A match has started"),
    ("paired", "Players found"),
    ("over", "A match has ended"),
    ("away", "An opponent goes on vacation"),
    ("series", "An opponent leaves a series"),
    ("planned", "A planned table"),
    ("friend-asked", "Friend request"),
    ("befriended", "Friend request accepted"),
    ("table", "Tables of friends and people you follow"),
    ("puzzle", "Daily puzzle"),
    ("digest", "Daily digest"),
    ("security", "Account security"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0008_people"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="dailyhour",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", max_length=12),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", help_text="of what comes daily", max_length=12),
        ),
        migrations.AlterField(
            model_name="notice",
            name="by",
            field=models.ForeignKey(
                db_index=False,
                help_text="of invitations: who invites; of friends: who they are; of tables: whose; of series: who left",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(model_name="notice", name="kind", field=models.CharField(choices=KINDS, max_length=12)),
    ]
