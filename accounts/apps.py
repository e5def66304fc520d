from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.account.models import EmailAddress  # noqa: PLC0415  # needs the models
        from allauth.account.signals import email_confirmed  # noqa: PLC0415  # as above
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # as above
        from django.db.models.signals import post_delete  # noqa: PLC0415  # as above

        from accounts import guests, logins, personal_data  # noqa: PLC0415  # as above

        user_logged_in.connect(logins.last_as_login, dispatch_uid="accounts")
        email_confirmed.connect(guests.confirm)
        post_delete.connect(personal_data.on_address_removed, sender=EmailAddress)
