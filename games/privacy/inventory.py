"""What the apps keep about people, collected from their modules `personal_data` (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from accounts.models import User
from accounts.personal_data import Part


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return every module `personal_data`, those of lower levels first."""
    configs = [config for config in apps.get_app_configs() if config.module is not None]
    return tuple(
        import_module(f"{config.name}.personal_data")
        for config in configs
        if module_has_submodule(config.module, "personal_data")
    )


def parts() -> tuple[Part, ...]:
    """Return all parts of somebody's data, in their order."""
    return tuple(part for module in modules() for part in getattr(module, "PARTS", ()))


def exported() -> set[str]:
    """Return the relations whose rows are in an export."""
    return {relation for part in parts() for relation in part.of}


def not_exported() -> Mapping[str, str]:
    """Return the relations whose rows are in no export, with the reasons."""
    return _reasons("NOT_EXPORTED")


def kept() -> Mapping[str, str]:
    """Return the relations whose rows outlive an account, with the reasons."""
    return _reasons("KEPT")


def _reasons(name: str) -> dict[str, str]:
    return {relation: why for module in modules() for relation, why in getattr(module, name, {}).items()}


def relations() -> Iterator[tuple[str, Any]]:
    """Yield every relation of a model to `User` by its name, with its field."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():  # noqa: SLF001  # Django's public way to fields
            if field.concrete and (field.many_to_one or field.one_to_one) and field.related_model is User:
                yield f"{model._meta.label}.{field.name}", field  # noqa: SLF001  # as above


def leave(user: User) -> None:
    """Let somebody leave everything that goes on, in the highest levels first."""
    _call("leave", user)


def forget(user: User) -> None:
    """Remove what does not end with an account by itself, inside a transaction."""
    _call("forget", user)


def _call(name: str, user: User) -> None:
    for module in reversed(modules()):
        if (function := getattr(module, name, None)) is not None:
            function(user)
