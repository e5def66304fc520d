from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed  # noqa: PLC0415  # needs the models

        from accounts import guests  # noqa: PLC0415  # as above

        email_confirmed.connect(guests.confirm)
