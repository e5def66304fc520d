"""Running matches of two go on as they began: by the first rules `official` ended at three gold cards, now `decided`."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def keep_their_length(apps: Any, _schema: Any) -> None:
    """Say `decided` in the options and in the state, and drop an option that no longer exists for two."""
    running = apps.get_model("play", "Match").objects.filter(
        game="card-chess", rules_version=1, seat_count=2, status="running"
    )
    for match in running:
        match.options.pop("next_strongest", None)
        if match.options.get("length") == "official":
            match.options["length"] = "decided"
            match.state = match.state.replace('"length":"official"', '"length":"decided"', 1)
        match.save(update_fields=["options", "state"])


class Migration(migrations.Migration):
    dependencies = [("play", "0007_presence")]

    operations = [migrations.RunPython(keep_their_length, migrations.RunPython.noop)]
