"""What the log of Django's admin says about people: nothing once what it names is removed.

The log keeps the words by which something was known when an administrator changed it, as an email address.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.db.models import Model, QuerySet

from accounts.models import User


def forget(user: User) -> None:
    """Take out of the log what it says about somebody and all that is theirs."""
    _blank(User, [user.pk])
    relations: Any = User._meta.get_fields(include_hidden=True)  # noqa: SLF001  # Django's public way to relations
    for relation in relations:
        if relation.auto_created and (relation.one_to_many or relation.one_to_one):
            model, field = relation.related_model, relation.field.name
            if _about(model).exists():
                rows = model._base_manager.filter(**{field: user})  # noqa: SLF001  # as above
                _blank(model, rows.values_list("pk", flat=True))


def on_address_removed(instance: EmailAddress, **_more: Any) -> None:
    """Take an email address out of the log as soon as it is removed (`post_delete`)."""
    _blank(EmailAddress, [instance.pk])


def _blank(model: type[Model], keys: Iterable[Any]) -> None:
    """Leave in the log who did something when, and to which row."""
    logged = _about(model).filter(object_id__in=[str(key) for key in keys])
    logged.update(object_repr="", change_message="")


def _about(model: type[Model]) -> QuerySet[LogEntry]:
    named = model._meta  # noqa: SLF001  # as above
    return LogEntry.objects.filter(content_type__app_label=named.app_label, content_type__model=named.model_name)
