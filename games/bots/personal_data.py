"""What bots keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

NOT_EXPORTED = {"bots.Share.user": "who comes next among those who wait for bots, and a code of a guest's network"}
