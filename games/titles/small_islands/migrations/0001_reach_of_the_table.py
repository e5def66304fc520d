"""Give the states of matches that began before the table had an edge the reach of an endless table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.db import migrations

ENDLESS = 99


def with_reach(text: str) -> str:
    """Return the text of a state with the reach of its table, behind the card of Alexis as `encode` writes it."""
    state = json.loads(text)
    table = {}
    for name, value in state["table"].items():
        table[name] = value
        if name == "alexis":
            table["reach"] = ENDLESS
    return json.dumps({**state, "table": table}, separators=(",", ":"), ensure_ascii=False)


def without_reach(text: str) -> str:
    """Return the text of a state as it was before."""
    state = json.loads(text)
    del state["table"]["reach"]
    return json.dumps(state, separators=(",", ":"), ensure_ascii=False)


def change(apps: Any, rewrite: Callable[[str], str]) -> None:
    matches = apps.get_model("play", "Match").objects.filter(game="small-islands", rules_version=1).exclude(state="")
    for key, text in matches.values_list("pk", "state").iterator():
        matches.filter(pk=key).update(state=rewrite(text))


def forward(apps: Any, schema_editor: Any) -> None:
    change(apps, with_reach)


def backward(apps: Any, schema_editor: Any) -> None:
    change(apps, without_reach)


class Migration(migrations.Migration):
    dependencies = [("play", "0001_initial")]
    operations = [migrations.RunPython(forward, backward)]
