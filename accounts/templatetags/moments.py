"""The filters of dates in every template: `{{ match.ended_at|moment }}`, `{{ person.date_joined|moment:"date" }}`.

`moment_text` is the text alone, for drawings and attributes, which hold no `<time>`.
"""

from __future__ import annotations

from django import template

from accounts.moments import element, in_words

register = template.Library()
register.filter("moment", element)
register.filter("moment_text", in_words)
