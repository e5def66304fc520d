from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "games.moderation"

    def ready(self) -> None:
        from django.db.models.signals import m2m_changed  # noqa: PLC0415  # models are loaded by now, not before

        from accounts.models import User  # noqa: PLC0415  # as above
        from games.moderation import access  # noqa: PLC0415  # as above

        m2m_changed.connect(access.on_groups_changed, sender=User.groups.through, dispatch_uid="roles")
