"""Personal tokens: what a program shows to act for the person who made it (`games.api.tokens` has the rules)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.applications.scopes import SCOPES

NAME_LENGTH = 60


class Scope(models.TextChoices):
    """What a program may do for somebody. Whatever it does is also limited by what that person may do."""

    READ = "read", SCOPES["read"]
    PLAY = "play", SCOPES["play"]
    TABLES = "tables", SCOPES["tables"]
    CHAT = "chat", SCOPES["chat"]
    PUZZLES = "puzzles", SCOPES["puzzles"]
    BOT = "bot", SCOPES["bot"]


class Token(models.Model):
    """A token that somebody made for a program of theirs. Only its hash is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    password_mark = models.CharField(max_length=64, help_text="of the password it was made under, as in sessions")
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    used_on = models.DateField(null=True, help_text="the last day it was used")

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"

    @property
    def scopes_in_words(self) -> list[str]:
        return [str(scope.label) for scope in Scope if scope.value in self.scopes]
