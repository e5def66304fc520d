from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed  # noqa: PLC0415  # needs the models
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # as above

        from accounts import logins  # noqa: PLC0415  # as above
        from accounts.applications import access  # noqa: F401, PLC0415  # it hears of what ends tokens
        from accounts.joining import guests  # noqa: PLC0415  # as above

        user_logged_in.connect(logins.last_as_login, dispatch_uid="accounts")
        email_confirmed.connect(guests.confirm)
