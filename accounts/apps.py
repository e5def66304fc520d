from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.account.models import EmailAddress  # noqa: PLC0415  # needs the models
        from allauth.account.signals import email_confirmed  # noqa: PLC0415  # as above
        from django.db.models.signals import post_delete  # noqa: PLC0415  # as above

        from accounts import admin_log, guests  # noqa: PLC0415  # as above

        email_confirmed.connect(guests.confirm)
        post_delete.connect(admin_log.on_address_removed, sender=EmailAddress)
