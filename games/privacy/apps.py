from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "games.privacy"

    def ready(self) -> None:
        from allauth.account.models import EmailAddress  # noqa: PLC0415  # models are loaded by now, not before
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # as above
        from django.db.models.signals import post_delete  # noqa: PLC0415  # as above

        from accounts.signals import guest_claimed  # noqa: PLC0415  # as above
        from games.moderation import access  # noqa: PLC0415  # as above
        from games.privacy import deletions, jobs, legal  # noqa: F401, PLC0415  # two register themselves

        access.leave_out_of_administrators(deletions.leaving)
        guest_claimed.connect(deletions.on_guest_claimed, dispatch_uid="privacy")
        user_logged_in.connect(deletions.on_login, dispatch_uid="privacy")
        post_delete.connect(deletions.on_address_removed, sender=EmailAddress)
