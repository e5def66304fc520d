"""Emails by SMTP: as Django sends them, but the outages of the mail server are noticed."""

from __future__ import annotations

from smtplib import SMTPConnectError, SMTPException, SMTPHeloError, SMTPServerDisconnected

from django.core.mail.backends import smtp

from config.outages import MAIL, MailServerAway


class EmailBackend(smtp.EmailBackend):
    """Django's, for EMAIL_BACKEND."""

    def open(self) -> bool | None:
        """Connect, if that is not done yet.

        Raises:
            MailServerAway: nobody answers, or not as a mail server does.
            SMTPException: it refuses us, for instance because of the password.
        """
        try:
            opened = super().open()
        except (SMTPConnectError, SMTPServerDisconnected, SMTPHeloError) as error:
            raise MailServerAway(repr(error)) from error
        except SMTPException:
            raise
        except OSError as error:
            raise MailServerAway(repr(error)) from error
        if opened:
            MAIL.answers()
        return opened
