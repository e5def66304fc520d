"""The filter `moment` of every template: `{{ match.ended_at|moment }}`, `{{ person.date_joined|moment:"date" }}`."""

from __future__ import annotations

from django import template

from accounts.moments import element

register = template.Library()
register.filter("moment", element)
