from typing import Any

from django.db import migrations, models


def ask_first(apps: Any, _schema: Any) -> None:
    """Let nobody be told of tables of clubs outside the site who has not asked to be told everything."""
    new = ["club-table.mail", "club-table.push", "club-table.webhook"]
    for preferences in apps.get_model("notifications", "Preferences").objects.exclude(off=[]).iterator():
        preferences.off = sorted({*preferences.off, *new})
        preferences.save(update_fields=["off"])


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0006_club_webhooks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="dailyhour",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "Your turn"),
                    ("deadline", "Your time is running out"),
                    ("invitation", "You are invited"),
                    ("started", "A match has started"),
                    ("paired", "Players found"),
                    ("over", "A match has ended"),
                    ("away", "An opponent goes on vacation"),
                    ("declined", "An offer of yours is declined"),
                    ("series", "An opponent leaves a series"),
                    ("planned", "A planned table"),
                    ("friend-asked", "Friend request"),
                    ("befriended", "Friend request accepted"),
                    ("table", "Tables of friends and people you follow"),
                    ("confirm", "An event you entered starts soon"),
                    ("paused", "You are paused in an event"),
                    ("season", "An event is over"),
                    ("club", "Your clubs"),
                    ("club-table", "New tables and events of your clubs"),
                    ("chat", "Messages"),
                    ("report", "Your reports"),
                    ("moderation", "Messages from the moderators"),
                    ("puzzle", "Daily puzzle"),
                    ("digest", "Daily digest"),
                    ("security", "Account security"),
                ],
                default="digest",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "Your turn"),
                    ("deadline", "Your time is running out"),
                    ("invitation", "You are invited"),
                    ("started", "A match has started"),
                    ("paired", "Players found"),
                    ("over", "A match has ended"),
                    ("away", "An opponent goes on vacation"),
                    ("declined", "An offer of yours is declined"),
                    ("series", "An opponent leaves a series"),
                    ("planned", "A planned table"),
                    ("friend-asked", "Friend request"),
                    ("befriended", "Friend request accepted"),
                    ("table", "Tables of friends and people you follow"),
                    ("confirm", "An event you entered starts soon"),
                    ("paused", "You are paused in an event"),
                    ("season", "An event is over"),
                    ("club", "Your clubs"),
                    ("club-table", "New tables and events of your clubs"),
                    ("chat", "Messages"),
                    ("report", "Your reports"),
                    ("moderation", "Messages from the moderators"),
                    ("puzzle", "Daily puzzle"),
                    ("digest", "Daily digest"),
                    ("security", "Account security"),
                ],
                default="digest",
                help_text="of what comes daily",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="details",
            field=models.JSONField(
                default=dict,
                help_text="what else its words need; of an answer to reports: the key of their `case`, `verdict` and `answer`; of events: the slug of the `event`, its `game`, and what `games.events.notices` says; of clubs: the slug of the `club`, and `what` happened there, as `games.clubs.notices` says, or the slug of its new `event`",
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "Your turn"),
                    ("deadline", "Your time is running out"),
                    ("invitation", "You are invited"),
                    ("started", "A match has started"),
                    ("paired", "Players found"),
                    ("over", "A match has ended"),
                    ("away", "An opponent goes on vacation"),
                    ("declined", "An offer of yours is declined"),
                    ("series", "An opponent leaves a series"),
                    ("planned", "A planned table"),
                    ("friend-asked", "Friend request"),
                    ("befriended", "Friend request accepted"),
                    ("table", "Tables of friends and people you follow"),
                    ("confirm", "An event you entered starts soon"),
                    ("paused", "You are paused in an event"),
                    ("season", "An event is over"),
                    ("club", "Your clubs"),
                    ("club-table", "New tables and events of your clubs"),
                    ("chat", "Messages"),
                    ("report", "Your reports"),
                    ("moderation", "Messages from the moderators"),
                    ("puzzle", "Daily puzzle"),
                    ("digest", "Daily digest"),
                    ("security", "Account security"),
                ],
                max_length=12,
            ),
        ),
        migrations.RunPython(ask_first, migrations.RunPython.noop),
    ]
