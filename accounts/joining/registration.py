"""Registration: an account is made only when the email address is confirmed.

Until then only the form is stored, whether or not an account has the address; so registering with somebody's address
does not tell whether it belongs to an account. The form reserves no name, and nobody can log in with it. The page on
which somebody registered is stored with it: the link in the email leads back there, in whatever browser it is opened.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.joining import guests
from accounts.models import Registration, User
from accounts.names import tidy_name, validate_name
from accounts.services import TAKEN, check_free

LIFE: Final = timedelta(days=3)
"""How long a registration is kept, and the link in the email works."""


_BEGUN: Final = "registration"
"""Where the session has the key of the registration that began in this browser."""


def begin(request: HttpRequest, *, name: str, email: str, password: str, time_zone: str, leads_to: str) -> None:
    """Store a registration, remember it in this browser, and write to its address (`write`).

    An earlier registration of the same guest is deleted, unless its email is so recent that there is no other.

    Args:
        request: of the visitor or guest.
        name: checked by the form, as is the address.
        email: to write to.
        password: as typed; only its hash is stored.
        time_zone: one that users can choose.
        leads_to: the path to return to at the end; empty for the start page.
    """
    guest = guests.of(request)
    fields: dict[str, Any] = {"name": name, "email": email, "time_zone": time_zone, "leads_to": leads_to}
    if guest is not None:
        fields |= {"guest": guest, "session": request.session.session_key}
    row = Registration.objects.create(key_hash=_hash(_new_key()), password=make_password(password), **fields)
    request.session[_BEGUN] = row.pk
    if write(request, row, email) and guest is not None:
        Registration.objects.filter(guest=guest).exclude(pk=row.pk).delete()


def write(request: HttpRequest, waiting: Registration, email: str) -> bool:
    """Email the link that confirms a registration to this address, or a note that an account has the address already.

    Both cases take the same time. Only the newest link works. Return False and change nothing if an email went to this
    address a moment ago (`ACCOUNT_RATE_LIMITS`, `confirm_email`), or the registration is gone.
    """
    if not ratelimit.consume(request, action="confirm_email", key=email):
        return False
    key, known = _new_key(), User.objects.with_address(email) is not None
    changed = {"email": email, "key_hash": _hash(key), "at": timezone.now()}
    if not Registration.objects.filter(pk=waiting.pk).update(**changed):
        return False
    adapter = get_adapter(request)
    if known:
        adapter.send_account_already_exists_mail(email)
    else:
        link = f"{settings.SITE_URL}{reverse('account_confirm_registration', args=[key])}"
        reader = User(username=waiting.name, time_zone=waiting.time_zone)
        adapter.send_mail(
            "account/email/email_confirmation_signup", email, {"user": reader, "key": key, "activate_url": link}
        )
    return True


def begun_in(request: HttpRequest) -> Registration | None:
    """Return the registration that began in this browser and is not confirmed yet, whoever has its address."""
    key: int = request.session.get(_BEGUN, 0)
    return Registration.objects.filter(pk=key, at__gt=timezone.now() - LIFE).first()


def found(key: str) -> Registration | None:
    """Return the registration that the link with this key confirms; None if it is confirmed, too old or unknown."""
    return _latest(key_hash=_hash(key))


def latest(email: str) -> Registration | None:
    """Return the latest registration with an address; None if an account has it, or there is none."""
    return _latest(email=email.lower())


def _latest(**fields: str) -> Registration | None:
    rows = Registration.objects.filter(**fields, at__gt=timezone.now() - LIFE).select_related("guest")
    waiting = rows.order_by("-at", "-pk").first()
    return waiting if waiting is not None and User.objects.with_address(waiting.email) is None else None


def check_name(waiting: Registration, name: str) -> str:
    """Return a name as it would be stored.

    Raises:
        ValidationError: it is not allowed, or somebody else has it, or has taken it meanwhile.
    """
    name = tidy_name(name)
    validate_name(name)
    check_free(name, by=_guest(waiting))
    return name


def confirm(waiting: Registration, name: str) -> User | None:
    """Create the account under this name, or turn the guest who registered into it, who stays logged in.

    Return None if that was done or the registration has expired meanwhile, or another account has the address now.

    Raises:
        ValidationError: as `check_name`.
    """
    try:
        with transaction.atomic():
            row = Registration.objects.select_for_update().filter(pk=waiting.pk, at__gt=timezone.now() - LIFE).first()
            if row is None or User.objects.with_address(row.email) is not None:
                return None
            name = check_name(row, name)
            try:
                with transaction.atomic():
                    user = _made(row, name)
            except IntegrityError as error:  # taken since the check above
                raise ValidationError(TAKEN, code="taken") from error
            EmailAddress.objects.filter(user=user).delete()
            EmailAddress.objects.create(user=user, email=row.email, verified=True, primary=True)
            Registration.objects.filter(Q(pk=row.pk) | Q(email=row.email) | Q(guest=user)).delete()
    except IntegrityError:  # somebody has confirmed the same address at the same moment
        return None
    return user


def forget_old(now: datetime) -> None:
    """Delete what was never confirmed."""
    Registration.objects.filter(at__lte=now - LIFE).delete()


def _guest(waiting: Registration) -> User | None:
    """Return the guest who registers, if they are still one."""
    return waiting.guest if waiting.guest is not None and waiting.guest.guest else None


def _made(row: Registration, name: str) -> User:
    """Store the new account, which may have been a guest."""
    guest = _guest(row)
    user = guest or User()
    user.username, user.email, user.password, user.time_zone = name, row.email, row.password, row.time_zone
    user.guest = False
    user.save(update_fields=["username", "email", "password", "time_zone", "guest"] if guest else None)
    session = SessionStore(row.session)
    if guest and session.get(SESSION_KEY) == str(user.pk):  # sessions end when a password changes; this one goes on
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
    return user


def _new_key() -> str:
    return secrets.token_urlsafe(24)


def _hash(key: str) -> str:
    return salted_hmac("accounts.registration", key, algorithm="sha256").hexdigest()
